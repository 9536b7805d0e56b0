"""What the box does not say of a card is asked, never guessed; what is told counts from then on."""

from __future__ import annotations

from typing import Any

import pytest

from companion.catalogue import rows_of
from companion.game import Count, Line, Pick, RuleBroken, replay
from companion.games.making_monsters.advice import odds_now
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.deck import UPGRADES
from companion.games.making_monsters.events import CatalogueTold, Reanimated
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import Decide, Deliver, PlaceCard, SetUp, TellCard, TellCatalogue
from companion.games.making_monsters.sheets import SHEETS
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters import tables
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    CATALOGUE,
    GOOP,
    LIMB,
    RED,
    SPIKE,
    STITCH,
    after,
    refused,
)


def box_where(**changed: dict[str, Any]) -> dict[str, Any]:
    """Return the synthetic box with other rows of some cards."""
    return {**CATALOGUE, "cards": {**CATALOGUE["cards"], **changed}}


NO_PRESTIGE = box_where(one_limb={"name": "One Limb", "parts": ["limb"]})
NO_PARTS = box_where(limbs={"name": "Limbs", "part_spaces": 2})


def deciding(catalogue: dict[str, Any]) -> State:
    """Return red before it decides, with the monster one_limb complete, while blue has pushed on."""
    red = Lab(bag=BAG, cards={"card3": "one_limb"}, parts={"card3.part0": LIMB}, stage=Stage.DECIDE)
    blue = Lab(bag=BAG, stage=Stage.DECIDED, order=Order.RED)
    state = tables.table(Phase.DELIVERIES, {RED: red, BLUE: blue})
    return GAME.from_position(GAME.position(state), catalogue)


def drawing(catalogue: dict[str, Any]) -> State:
    red = Lab(bag=BAG, cards={"card3": "limbs"}, stage=Stage.DRAW, order=Order.RED)
    blue = Lab(bag=BAG, stage=Stage.DECIDED, order=Order.RED)
    state = tables.table(Phase.DELIVERIES, {RED: red, BLUE: blue})
    return GAME.from_position(GAME.position(state), catalogue)


def asked(state: State, seat: Any = RED) -> Any:
    return next(prompt for prompt in GAME.prompts(state) if prompt.seat == seat)


def test_nobody_scores_before_the_prestige_of_a_monster_is_told():
    state = after(deciding(NO_PRESTIGE), Decide(RED, True))
    assert (state.phase, state.labs[RED].score) == (Phase.REANIMATE, 0)
    assert state.waited_for() == (RED,)
    prompt = asked(state)
    choice = prompt.choices[0]
    assert (prompt.say.key, choice.picture) == ("mm.ask.tell_card", "one_limb")
    assert choice.fields == (Count("prestige", choice.fields[0].label, 0, 30, None),)
    told = after(state, TellCard(RED, "one_limb", prestige=7))
    assert told.labs[RED].score == 7 + 1


def test_the_sum_on_the_button_says_that_something_is_not_told():
    labels = [choice.label.key for choice in asked(deciding(NO_PRESTIGE)).choices]
    assert "mm.choice.reanimate_some" in labels
    assert "mm.choice.reanimate" in [choice.label.key for choice in asked(deciding(CATALOGUE)).choices]


def test_no_token_is_placed_before_the_parts_of_a_card_are_told():
    state = drawing(NO_PARTS)
    assert refused(state, Deliver(RED, ((LIMB, "sort1"),))).why.key == "mm.no.card_not_told"
    told = after(state, TellCard(RED, "limbs", prestige=4, parts=(LIMB, LIMB)))
    placed = after(told, Deliver(RED, ((LIMB, "card3.part0"),)))
    assert placed.labs[RED].parts == {"card3.part0": LIMB}


def test_the_question_asks_for_what_is_lacking_and_as_many_parts_as_the_picture_shows():
    fields = asked(drawing(NO_PARTS)).choices[0].fields
    assert [field.name for field in fields] == ["prestige", "part_1", "part_2"]
    command = {
        "do": "tell_card",
        "seat": "red",
        "card": "limbs",
        "prestige": 4,
        "part_1": "limb",
        "part_2": "goop",
    }
    assert GAME.codec.command_in(command) == TellCard(RED, "limbs", prestige=4, parts=(LIMB, GOOP))


def test_odds_are_silent_while_a_monster_is_not_known():
    assert odds_now(drawing(CATALOGUE), RED) is not None
    assert odds_now(drawing(NO_PARTS), RED) is None
    assert odds_now(drawing(box_where(limbs={"name": "Limbs", "parts": ["limb", "limb"]})), RED) is None


def test_a_card_with_unknown_parts_is_never_complete():
    assert GAME.view(drawing(NO_PARTS), RED).facts["completed"] == 0


def test_parts_that_are_not_as_many_as_the_picture_shows_are_refused():
    broken = refused(drawing(NO_PARTS), TellCard(RED, "limbs", parts=(LIMB,)))
    assert broken.why.key == "mm.no.catalogue_row"
    assert "exactly" in str(broken.why.values["what"])


@pytest.mark.parametrize("prestige", [-1, 31])
def test_a_prestige_that_no_card_has_is_refused(prestige: int):
    assert refused(deciding(NO_PRESTIGE), TellCard(RED, "one_limb", prestige=prestige)).why.key


def test_a_card_that_the_box_does_not_list_is_told_and_can_be_laid():
    state = after(GAME.initial(CATALOGUE), SetUp((RED, BLUE), 8))
    deck = state.deck
    form = next(one for one in asked(state).choices if one.label.key == "mm.choice.tell_new")
    kinds = [type(field) for field in form.fields]
    assert kinds[:2] == [Line, Count] and set(kinds[2:]) == {Pick}
    told = after(state, TellCard(RED, "", "Visiting Vampire", 6, (SPIKE, STITCH)))
    assert told.deck == deck + 1
    laid = after(told, PlaceCard(RED, "told_1"))
    assert laid.box.monster("told_1").name == "Visiting Vampire"
    assert refused(state, TellCard(RED, "nonsense")).why.key == "mm.no.no_such_card"


def test_what_was_told_is_an_event_that_replays_exactly():
    state, events = GAME.initial(NO_PRESTIGE), []
    for command in (SetUp((RED, BLUE), 8), PlaceCard(RED, "one_limb"), TellCard(RED, "one_limb", prestige=7)):
        events += GAME.decide(state, command)
        state = replay(GAME, NO_PRESTIGE, events)
    stored = [GAME.codec.event_in(*GAME.codec.event_out(event)) for event in events]
    assert replay(GAME, NO_PRESTIGE, stored) == state
    assert GAME.catalogue(state)["cards"]["one_limb"]["prestige"] == 7
    assert NO_PRESTIGE["cards"]["one_limb"].get("prestige") is None


def test_a_correction_counts_from_then_on_and_stands_in_the_log():
    state = after(deciding(CATALOGUE), Decide(RED, True))
    scored = state.labs[RED].score
    corrected = {
        **CATALOGUE,
        "cards": {**CATALOGUE["cards"], "one_limb": {"name": "One", "prestige": 2, "parts": ["limb"]}},
    }
    command = GAME.command_from_catalogue(state, corrected)
    assert isinstance(command, TellCatalogue)
    (event,) = GAME.decide(state, command)
    told = GAME.evolve(state, event)
    assert (told.labs[RED].score, told.box.monster("one_limb").prestige) == (scored, 2)
    line = GAME.told(told, event, None)
    assert line is not None and line.key == "mm.told.catalogue"
    assert GAME.command_from_catalogue(told, corrected) is None


def test_a_correction_that_contradicts_the_table_is_refused():
    state = deciding(CATALOGUE)
    wrong = box_where(one_limb={"name": "One", "prestige": 2, "parts": ["goop"]})
    command = GAME.command_from_catalogue(state, wrong)
    with pytest.raises(RuleBroken) as broken:
        GAME.decide(state, command)
    assert broken.value.why.key == "mm.no.told_impossible"


def test_more_tiles_of_a_kind_lie_in_the_stacks():
    counted = {**CATALOGUE, "upgrade_counts": dict.fromkeys(CATALOGUE["upgrades"], 10)}
    state = after(GAME.initial(counted), SetUp((RED, BLUE), 8))
    more = {**counted, "upgrade_counts": {**counted["upgrade_counts"], "warehouse": 12}}
    told = after(state, GAME.command_from_catalogue(state, more))
    assert told.stack == state.stack + 2


def test_the_box_says_how_long_the_rot_track_is():
    state = GAME.initial({**CATALOGUE, "rot_track": {"2": 9, "4": 15}})
    fields = {field.name: field for field in asked(state, None).choices[0].fields}
    assert fields["track"].value == 15


def test_the_bonus_of_an_unknown_monster_is_not_given_twice():
    state = after(deciding(NO_PRESTIGE), Decide(RED, True))
    events = GAME.decide(state, TellCard(RED, "one_limb", prestige=0))
    assert [type(event) for event in events][:2] == [CatalogueTold, Reanimated]


def test_every_table_of_the_stand_in_can_be_read_by_its_sheet():
    assert {sheet.name: len(rows_of(sheet, GAME.stand_in)) for sheet in SHEETS} == {
        "cards": 74,
        "printed": 5,
        "carts": 4,
        "triggers": 3,
        "tiles": len(UPGRADES),
        "track": 3,
    }
