"""Options of a table: chosen at setup, kept with it, shown, and settled by the first order."""

from __future__ import annotations

import pytest

from companion.game import Pick, RuleBroken
from companion.games.making_monsters.components import SEATS, Token
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ChooseOptions, Deliver, Ready, SetUp, TakeOver
from companion.games.making_monsters.options import ALL, OPTIONS, TRIGGERS, default, settled, value
from companion.games.making_monsters.rules.order import supers
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.sentences import keys_in
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    EMPTY,
    RED,
    ROT,
    Order,
    after,
    drawing,
    refused,
    rejects,
    table,
)

CHOSEN = {"bogo": "mutation", "warehouse": "2", "trigger_red": "blue"}


def ordering() -> State:
    lab = Lab(bag=BAG, stage=Stage.ORDER)
    return table(Phase.ORDER, {RED: lab, BLUE: lab})


def test_every_option_has_words_for_itself_and_for_each_value():
    written = keys_in(GAME.package)
    for option in OPTIONS:
        assert f"mm.option.{option.name}" in written
        assert {f"mm.option.{option.name}.{value}" for value in option.values} <= written
    assert {f"mm.option.{option.name}" for option in TRIGGERS} <= written


def test_the_default_of_every_option_comes_first_and_triggers_are_the_boxs():
    assert {option.name: option.values[0] for option in OPTIONS} == {
        "grab": "whole",
        "universal_meat": "three",
        "bogo": "no_mutation",
        "teleporter": "always",
        "expand": "needs_space",
        "fair_school": "nothing",
        "warehouse": "1",
        "lester_tile": "once",
    }
    box = GAME.initial({**GAME.stand_in, "order_secondary": {"red": "blue"}}).box
    assert default(box, "trigger_red") == "blue"


def test_options_chosen_while_setting_up_are_kept_shown_and_in_the_position():
    state = after(EMPTY, SetUp(SEATS[:2], 5, CHOSEN))
    assert state.options == CHOSEN
    assert GAME.from_position(GAME.position(state), state.box.catalogue).options == CHOSEN
    assert GAME.view(state, None).facts["options"] == CHOSEN
    for seat, count in ((None, len(ALL)), (RED, len(CHOSEN))):
        (panel,) = (panel for panel in GAME.view(state, seat).panels if panel.key == "options")
        assert len(panel.rows) == count


def test_options_may_be_chosen_before_anybody_sits_down():
    state = after(EMPTY, ChooseOptions({"bogo": "mutation"}), SetUp(SEATS[:2], 5))
    assert value(state.box, state.options, "bogo") == "mutation"


def test_an_option_that_is_put_back_to_its_default_is_not_kept():
    state = after(EMPTY, ChooseOptions(CHOSEN), ChooseOptions({"bogo": "no_mutation"}))
    assert "bogo" not in state.options
    assert settled(state.box, {"trigger_red": "yellow"}) == {}


def test_options_change_until_the_first_order_lies_there():
    state = after(ordering(), *[])
    state = GAME.from_position(GAME.position(state).replace("round=2", "round=1"), state.box.catalogue)
    assert after(state, ChooseOptions(CHOSEN)).options == CHOSEN
    broken = refused(after(state, Ready(RED)), ChooseOptions(CHOSEN))
    assert broken.why.key == "mm.no.options_settled"
    assert refused(ordering(), ChooseOptions(CHOSEN)).why.key == "mm.no.options_settled"


@pytest.mark.parametrize("wrong", [{"tea": "milk"}, {"bogo": "two"}, {"warehouse": "9"}])
def test_an_option_or_a_value_that_there_is_not_is_refused(wrong: dict[str, str]):
    for command in (ChooseOptions(wrong), SetUp(SEATS[:2], 5, wrong)):
        assert refused(EMPTY, command).why.key == "mm.no.no_such_option"
    with pytest.raises(ValueError, match="no option tea=milk"):
        GAME.from_position("mm1 phase=open round=0 options=tea:milk", EMPTY.box.catalogue)


def test_the_form_of_the_host_offers_every_option_as_it_stands():
    state = after(EMPTY, ChooseOptions(CHOSEN))
    (form,) = (
        choice
        for prompt in GAME.prompts(state)
        for choice in prompt.choices
        if choice.command["do"] == "choose_options"
    )
    fields = {field.name: field for field in form.fields if isinstance(field, Pick)}
    assert set(fields) == {f"option_{name}" for name in ALL}
    assert fields["option_bogo"].value == "mutation"
    sent = {"do": "choose_options", **{name: field.value for name, field in fields.items()}}
    assert after(state, GAME.codec.command_in(sent)).options == CHOSEN


def test_forms_send_options_flat_with_the_seats():
    sent = {"do": "set_up", "seats": ["red", "blue"], "track": "5", "option_bogo": "mutation"}
    assert GAME.codec.command_in(sent) == SetUp((RED, BLUE), 5, {"bogo": "mutation"})


def test_another_trigger_colour_lifts_another_order():
    orders = {RED: Order.RED, BLUE: Order.BLUE}
    assert supers(EMPTY, orders) == (BLUE,)
    assert supers(after(EMPTY, ChooseOptions({"trigger_red": "blue"})), orders) == (RED, BLUE)


def test_a_table_that_is_taken_over_may_bring_its_options():
    line = GAME.position(ordering())
    assert after(EMPTY, TakeOver(line, options=CHOSEN)).options == CHOSEN
    with pytest.raises(RuleBroken):
        GAME.decide(EMPTY, TakeOver(line, options={"tea": "milk"}))


def test_players_lay_no_more_than_a_table_takes_that_tests_token_by_token():
    """Once the sixth space of the rejects is taken the rest of a grab goes back into the bag (MM-R8)."""
    five = {"parts": rejects(*(ROT,) * 5), "options": {"grab": "one_by_one"}}
    state = drawing(Order.YELLOW, **five)
    view = GAME.view(state, RED)
    placed = GAME.players[0].lay(view, view.prompts[0], ["rot", "rot", "rot", "limb"], 0.5)["place"]
    assert [space for _, space in placed].count("overflow") == 0
    assert after(state, Deliver(RED, tuple((Token(kind), space) for kind, space in placed))).labs[RED].is_bust
