"""A monster card's own reanimate action (MM-R50)."""

from __future__ import annotations

import pytest

from companion.games.making_monsters.actions import Action, read_action
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import Act, Decide, TakeItems
from companion.games.making_monsters.printed import read_catalogue
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from tests.companion.games.making_monsters.promises import check_pieces
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    CATALOGUE,
    GOOP,
    LIMB,
    MUTATION,
    RED,
    ROT,
    after,
    refused,
    rejects,
    table,
)


def deciding(action: str, **red: object) -> State:
    """Return red about to reanimate a card with this action, finished with one limb; blue has decided."""
    cards = {**CATALOGUE["cards"], "one_limb": {**CATALOGUE["cards"]["one_limb"], "action": action}}
    lab = {"bag": BAG, "stage": Stage.DECIDE, "cards": {"card3": "one_limb"}, "parts": {"card3.part0": LIMB}}
    labs = {RED: Lab(**{**lab, **red}), BLUE: Lab(bag=BAG, stage=Stage.DECIDED)}  # type: ignore[arg-type]
    return table(Phase.DELIVERIES, labs, box=read_catalogue({**CATALOGUE, "cards": cards}))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("", Action()),
        ("2 prestige", Action(2)),
        ("+1 Limb, 2 goop", Action(0, {LIMB: 1, GOOP: 2})),
        ("1 mutation, 3 prestige", Action(3, {MUTATION: 1})),
        ("1 rot", Action(words="1 rot")),
        ("draw one more token, 2 prestige", Action(words="draw one more token, 2 prestige")),
    ],
)
def test_counts_are_data_and_anything_else_is_words(text: str, action: Action):
    assert read_action(text) == action


def test_an_action_is_resolved_with_the_points():
    state = after(deciding("2 prestige, 1 goop"), Decide(RED, True))
    lab = state.labs[RED]
    assert (lab.earned, lab.bag[GOOP]) == ({"monsters": 10, "bonus": 1, "action": 2}, BAG[GOOP] + 1)
    check_pieces(state)


def test_a_bust_does_not_stop_an_action():
    lying = {"card3.part0": LIMB, **rejects(*(ROT,) * 6)}
    state = after(deciding("2 prestige", parts=lying, is_bust=True, reanimates=True, stage=Stage.DECIDED))
    assert after(state, Decide(BLUE, False)).labs[RED].earned == {"monsters": 10, "action": 2}


def test_an_action_gives_what_there_is_and_no_substitute():
    state = deciding("3 goop")
    short = GAME.from_position(GAME.position(state).replace("goop44", "goop1"), state.box.catalogue)
    lab = after(short, Decide(RED, True)).labs[RED]
    assert lab.bag[GOOP] == BAG[GOOP] + 1


def test_words_are_shown_and_resolved_by_taps():
    state = after(deciding("Tickle a neighbour"), Decide(RED, True))
    prompt = next(one for one in GAME.prompts(state) if one.seat == RED)
    assert "Tickle a neighbour" in {line.values.get("words") for line in prompt.more}
    (form,) = (choice for choice in prompt.choices if choice.command["do"] == "act")
    told = GAME.codec.command_in({**form.command, "prestige": 4, "limb": 1})
    done = after(state, told)
    assert (done.labs[RED].earned["action"], done.labs[RED].bag[LIMB]) == (4, BAG[LIMB] + 1)
    assert refused(done, told).why.key == "mm.no.no_action"
    assert after(done, TakeItems(RED)).labs[RED].acted == ()


@pytest.mark.parametrize("command", [Act(RED, "one_limb", 99), Act(RED, "one_limb", 0, {ROT: 1})])
def test_an_action_brings_no_more_than_a_card_can_print(command: Act):
    state = after(deciding("Tickle a neighbour"), Decide(RED, True))
    assert refused(state, command).why.key == "mm.no.action_range"
