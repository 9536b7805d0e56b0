"""What is stored and sent, what is told to whom, and the sentences for it."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from companion.game import NotACommand
from companion.games.making_monsters import components, events, moves, words
from companion.games.making_monsters.components import BOX, SEATS, Order
from companion.games.making_monsters.events import Decided, OrderLaid, OrderTold, Revealed
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import (
    ChooseOrder,
    Decide,
    KeepCard,
    NameTiles,
    Ready,
    TakeItems,
    TurnBoard,
)
from companion.games.making_monsters.records import COMMANDS, EVENTS
from companion.games.making_monsters.state import Lab, Phase, Stage
from companion.sentences import keys_in
from tests.companion.games.making_monsters.tables import BAG, BLUE, LIMB, RED, after, drawing, table

PACKAGE = Path(words.__file__).parent


def test_every_event_and_every_command_has_a_name_of_its_own() -> None:
    assert {event for event, _ in EVENTS.values()} == set(events.Event.__args__)
    assert set(COMMANDS.values()) == set(moves.Command.__args__)


def test_stored_events_carry_no_class_path() -> None:
    kind, version, body = GAME.codec.event_out(OrderLaid(RED, Order.BLUE))
    assert (kind, version, body) == ("order_laid", 1, {"seat": "red", "order": "blue"})


def test_an_unknown_event_or_version_is_named() -> None:
    with pytest.raises(ValueError, match="no event 'coffee_made'"):
        GAME.codec.event_in("coffee_made", 1, {})
    with pytest.raises(ValueError, match="no version 2"):
        GAME.codec.event_in("busted", 2, {"seat": "red"})


@pytest.mark.parametrize(
    ("wire", "key"),
    [
        ({}, "wire.unknown"),
        ({"do": ["draw"]}, "wire.unknown"),
        ({"do": "dance"}, "wire.unknown"),
        ({"do": "decide", "seat": "red"}, "wire.unreadable"),
        ({"do": "decide", "seat": "red", "reanimate": "maybe"}, "wire.unreadable"),
        ({"do": "choose_order", "seat": "red", "order": "pink"}, "wire.unreadable"),
        ({"do": "draw", "seat": "red", "rot": "two"}, "wire.unreadable"),
        ({"do": "ready", "seat": "red", "colour": "red"}, "wire.unreadable"),
        ({"do": "keep_card", "seat": 3, "card": "card_01"}, "wire.unreadable"),
        ({"do": "deliver", "seat": "red", "placements": "all"}, "wire.unreadable"),
        ({"do": "deliver", "seat": "red", "placements": [["limb"]]}, "wire.unreadable"),
        ({"do": "set_up", "track": 3}, "wire.unreadable"),
    ],
)
def test_a_command_that_cannot_be_read_says_so(wire: dict[str, object], key: str) -> None:
    with pytest.raises(NotACommand) as caught:
        GAME.codec.command_in(wire)
    assert caught.value.why.key == key


def test_forms_without_script_send_text_and_flat_fields() -> None:
    read = GAME.codec.command_in
    assert read({"do": "keep_card", "seat": "red", "card": "card_01", "space": ""}) == KeepCard(
        RED, "card_01"
    )
    items = {"do": "take_items", "seat": "red", "limb": "2", "rot": "0", "tiles": "cart1_upgrade1"}
    assert read(items) == TakeItems(RED, {LIMB: 2}, {"cart1_upgrade1": ""})
    both = {"do": "take_items", "seat": "red", "tiles": ["a", "b"], "replace": ["upgrade1"]}
    assert read(both) == TakeItems(RED, {}, {"a": "", "b": "upgrade1"})
    named = {"do": "name_tiles", "place": "central/cart1_upgrade1", "tile": "teleporter"}
    assert read(named) == NameTiles({"central/cart1_upgrade1": "teleporter"})
    assert read({"do": "turn"}) == TurnBoard(None)


def test_a_seat_that_does_not_play_is_refused_not_a_crash() -> None:
    state = drawing(Order.RED)
    for verb in ("ready", "finish"):
        command = GAME.codec.command_in({"do": verb, "seat": "purple"})
        with pytest.raises(Exception, match=r"mm\.no\.nobody_there"):
            GAME.decide(state, command)
    assert GAME.actor(Ready(BLUE)) == BLUE
    assert GAME.actor(TurnBoard()) is None


def test_the_log_keeps_secrets_to_their_owner() -> None:
    lab = Lab(bag=BAG, stage=Stage.ORDER)
    state = table(Phase.ORDER, {RED: lab, BLUE: lab})
    laid, decided = OrderLaid(RED, Order.BLUE), Decided(RED, True)
    assert GAME.told(state, laid, RED).key == "mm.told.own_order"
    assert GAME.told(state, decided, RED).key == "mm.told.own_yes"
    for other in (BLUE, None):
        assert GAME.told(state, laid, other) == GAME.told(state, replace(laid, order=Order.RED), other)
        assert GAME.told(state, decided, other) == GAME.told(state, replace(decided, reanimate=False), other)


def test_a_colour_told_at_the_reveal_is_not_laid_a_second_time() -> None:
    lab = Lab(bag=BAG, stage=Stage.ORDER)
    state = after(table(Phase.ORDER, {RED: lab, BLUE: lab}), Ready(RED), Ready(BLUE))
    (told,) = GAME.decide(state, ChooseOrder(RED, Order.BLUE))
    assert told == OrderTold(RED, Order.BLUE)
    assert GAME.told(state, told, BLUE).key == "mm.told.order_told"
    both = after(state, ChooseOrder(RED, Order.BLUE), ChooseOrder(BLUE, Order.RED))
    assert (both.phase, both.labs[RED].is_super) == (Phase.DELIVERIES, True)


def test_orders_are_known_to_all_after_the_reveal_only() -> None:
    lab = Lab(bag=BAG, stage=Stage.ORDER)
    state = after(table(Phase.ORDER, {RED: lab, BLUE: lab}), ChooseOrder(RED, Order.RED))
    assert "orders" not in GAME.view(state, BLUE).facts
    assert GAME.view(state, RED).facts["order"] == "red"
    shown = GAME.decide(state, ChooseOrder(BLUE, Order.YELLOW))
    assert any(isinstance(event, Revealed) for event in shown)
    state = after(state, ChooseOrder(BLUE, Order.YELLOW))
    assert GAME.view(state, None).facts["orders"] == {"red": "red", "blue": "yellow"}


def test_a_bag_is_shown_to_its_own_seat_only() -> None:
    state = drawing(Order.RED)
    assert "bag" in GAME.view(state, RED).facts
    assert "bag" not in GAME.view(state, None).facts
    keys = {panel.key for panel in GAME.view(state, None).panels}
    assert "bag" not in keys


def test_the_score_of_a_view_is_the_sum_of_its_tallies() -> None:
    state = drawing(Order.RED, is_super=True, earned={"monsters": 9, "bonus": 6})
    for seat in GAME.view(state, None).seats:
        assert seat.score == sum(tally.amount for tally in seat.tallies)


def test_a_die_moves_nothing() -> None:
    from companion.ports import DieRoll  # noqa: PLC0415

    assert GAME.command_from_die(drawing(Order.RED), DieRoll("die", "boot", 1, 6, 0)) is None


def literal_keys() -> set[str]:
    """Return every whole key that the package says, from its source."""
    found = set()
    for source in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                prefix = {"say": "mm.", "broken": "mm.no."}.get(node.func.id)
                options = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                texts = [one.value for one in options if isinstance(one, ast.Constant)]
                found |= {f"{prefix}{text}" for text in texts if prefix and isinstance(text, str)}
    return found


def test_every_sentence_that_the_game_says_is_written() -> None:
    written = keys_in(GAME.package)
    assert literal_keys() - written == set()
    for stage in Stage:
        assert f"mm.stage.{stage}" in written
    for phase in Phase:
        assert f"mm.phase.{phase}" in written
    for order in Order:
        assert {f"mm.terms.{order}_base", f"mm.terms.{order}_super"} <= written
    for card in components.LESTERS:
        assert {f"mm.lester.{card}", f"mm.lester.{card}.does"} <= written


def test_no_space_of_a_board_lies_under_a_tag_or_over_the_edge() -> None:
    for board in BOX.boards:
        assert [tag.number % 10 for tag in board.tags] == [0, 1, 2, 3]
        for space in board.spaces.values():
            for x, y in space.outline_mm:
                assert 0 <= x <= board.size_mm[0] and 0 <= y <= board.size_mm[1]
                for tag in board.tags:
                    reach = 14.2 if board.is_round else 10.0
                    assert max(abs(x - tag.centre_mm[0]), abs(y - tag.centre_mm[1])) >= reach, space.id


def test_the_boards_carry_the_tags_of_their_seats() -> None:
    numbers = {board.id: board.tags[0].number for board in BOX.boards}
    assert numbers == {**{f"lab_{seat}": 10 * n for n, seat in enumerate(SEATS)}, "central": 40, "score": 50}


def test_the_stand_in_box_is_complete_and_of_our_own_making() -> None:
    cards = GAME.stand_in["cards"]
    assert len([card for card in cards if not card.startswith("printed_")]) == 72
    assert len({row["name"] for row in cards.values()}) == len(cards)
    assert sum(GAME.stand_in["upgrade_counts"].values()) == 40
    assert all(len(kinds) == 3 for kinds in GAME.stand_in["carts"].values())
    for row in cards.values():
        spots = [(slot["x"], slot["y"]) for slot in row["part_slots"]]
        assert [slot["needs"] for slot in row["part_slots"]] == row["parts"]
        for n, (x, y) in enumerate(spots):
            assert 11 <= x <= 52 and 11 <= y <= 77
            assert all((x - a) ** 2 + (y - b) ** 2 >= 22.0**2 for a, b in spots[:n])


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"cards": {}}, "no printed_1"),
        ({"cards": {**GAME.stand_in["cards"], "card_00": {"parts": ["bone"]}}}, "card_00 cannot be read"),
        ({"carts": {}}, "cart1 to cart4"),
        ({"printed_monsters": {"card9": "printed_1"}}, "on card9"),
        ({"order_secondary": {"red": "pink"}}, "red, yellow and blue only"),
    ],
)
def test_a_catalogue_that_lacks_something_says_what(broken: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        GAME.initial({**GAME.stand_in, **broken})


def test_a_decision_of_the_fair_is_not_asked() -> None:
    lab = Lab(bag=BAG, stage=Stage.DRAW)
    state = table(Phase.FAIR, {RED: lab, BLUE: lab}, track=0)
    with pytest.raises(Exception, match=r"mm\.no\.stop_first"):
        GAME.decide(state, Decide(RED, True))
