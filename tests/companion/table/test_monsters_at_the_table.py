"""Making Monsters at the real writer: what one seat keeps secret is in nobody else's view, log included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.board import PieceKind, Place
from companion.game import Seat, Wire
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.rules.taking_over import with_the_rest
from companion.journal import Cause, TableId, TableRow
from companion.table.memory_journal import MemoryJournal
from companion.table.writer import Submission, Table
from tests.companion.games.making_monsters.readings import reading, space
from tests.companion.games.making_monsters.tables import RED, drawing

PATIENCE_S = 30
ROW = TableRow(TableId("evening"), GAME.name, "", GAME.stand_in, "2026-11-30T19:00:00Z")
HOST = Cause("host", client="host")


def table_after(commands: list[Wire]) -> Table:
    table = Table(GAME, MemoryJournal(), ROW, now_utc=lambda: "2026-11-30T20:00:00Z", now_ms=lambda: 0)
    for number, command in enumerate(commands):
        assert table.submit(Submission(str(number), HOST, 0, command)).result(PATIENCE_S).is_done
    return table


def until_an_order_is_asked(seed: int) -> tuple[list[Wire], Seat, list[Wire]]:
    """Play at random until a seat may lay an order; give the commands, the seat, and its orders."""
    chance = Random(seed)
    state, commands = GAME.initial(GAME.stand_in), []
    while True:
        # Seats that only tell their points lay no orders.
        legal = islice(GAME.legal(state), 200)
        offers = [offer for offer in legal if "depth" not in GAME.codec.command_out(offer)]
        orders = [wire for offer in offers if (wire := GAME.codec.command_out(offer))["do"] == "choose_order"]
        if orders:
            seat = Seat(chance.choice(orders)["seat"])
            return commands, seat, [order for order in orders if order["seat"] == seat]
        command = chance.choice(offers)
        commands.append(GAME.codec.command_out(command))
        for event in GAME.decide(state, command):
            state = GAME.evolve(state, event)


def test_an_order_laid_in_secret_changes_no_other_view() -> None:
    for seed in range(3):
        before, seat, orders = until_an_order_is_asked(seed)
        tables = [table_after([*before, order]) for order in orders]
        assert len(tables) == 3
        for reader in (None, *GAME.seats):
            views = {repr(table.look(reader)) for table in tables}
            assert len(views) == (3 if reader == seat else 1)
        for table in tables:
            table.close()


def test_a_whole_evening_at_random_is_the_same_after_a_restart() -> None:
    chance, commands = Random(7), []
    state = GAME.initial(GAME.stand_in)
    for _ in range(150):
        offers = list(islice(GAME.legal(state), 100))
        if not offers:
            break
        command = chance.choice(offers)
        commands.append(GAME.codec.command_out(command))
        for event in GAME.decide(state, command):
            state = GAME.evolve(state, event)
    journal = MemoryJournal()
    first = Table(GAME, journal, ROW, now_utc=lambda: "2026-11-30T20:00:00Z", now_ms=lambda: 0)
    for number, command in enumerate(commands):
        assert first.submit(Submission(str(number), HOST, 0, command)).result(PATIENCE_S).is_done
    first.close()
    again = Table(GAME, journal, ROW, now_utc=lambda: "2026-11-30T20:00:00Z", now_ms=lambda: 0)
    for reader in (None, *GAME.seats):
        assert again.look(reader).view == first.look(reader).view
        assert again.look(reader).log == first.look(reader).log
    assert again.position() == GAME.position(state)
    again.close()


def test_any_seat_that_plays_may_say_that_the_centre_was_turned() -> None:
    line = next(line for line in positions_of_an_evening(seed=2) if "phase=refresh" in line)
    table = table_after([{"do": "take_over", "position": line}])
    seat = table.look(None).view.seats[0].seat
    (prompt,) = (prompt for prompt in table.look(seat).view.prompts if prompt.seat is None)
    tap = Submission("turned", Cause("seat", for_seat=seat, client="phone"), 1, prompt.choices[0].command)
    assert table.submit(tap).result(PATIENCE_S).is_done
    stranger = next(
        other for other in GAME.seats if other not in {s.seat for s in table.look(None).view.seats}
    )
    tap = Submission("again", Cause("seat", for_seat=stranger, client="other"), 1, prompt.choices[0].command)
    assert not table.submit(tap).result(PATIENCE_S).is_done
    table.close()


@pytest.mark.parametrize("at", ["card1.part0", "upgrade1.hold1"])
def test_a_token_on_a_monster_or_an_upgrade_is_corrected_like_any_other(at: str) -> None:
    state = with_the_rest(drawing(Order.YELLOW, tiles={"upgrade1": "med_school"}))
    row = TableRow(TableId("evening"), GAME.name, "", state.box.catalogue, "2026-11-30T19:00:00Z")
    table = Table(GAME, MemoryJournal(), row, now_utc=lambda: "2026-11-30T20:00:00Z", now_ms=lambda: 60_000)
    line = {"do": "take_over", "position": GAME.position(state)}
    assert table.submit(Submission("1", HOST, 0, line)).result(PATIENCE_S).is_done
    laid = {at: space("goop", sure=False)}
    table.sighted(replace(reading(state, red=laid), at_ms=60_000)).result(PATIENCE_S)
    cause = Cause("seat", for_seat=RED, client="phone")
    (proposal,) = table.look(RED).proposals
    place = Place.parse(f"lab_red/{at}")
    assert table.correct(proposal.id, place, PieceKind("limb"), cause=cause).result(PATIENCE_S).is_done
    (found,) = table.look(RED).proposals
    assert found.proposal.command is not None
    assert found.proposal.command["placements"] == [["limb", at]]
    table.close()


def positions_of_an_evening(seed: int) -> Iterator[str]:
    """Play at random with two seats and give every position on the way."""
    chance = Random(seed)
    state = GAME.initial(GAME.stand_in)
    start = GAME.codec.command_in({"do": "set_up", "seats": ["red", "blue"], "track": 8})
    offers: list[Any] = [start]
    while offers:
        for event in GAME.decide(state, chance.choice(offers)):
            state = GAME.evolve(state, event)
        yield GAME.position(state)
        offers = list(islice(GAME.legal(state), 200))


def test_striking_a_change_of_depth_gives_back_every_token() -> None:
    table = table_after([{"do": "set_up", "seats": ["red", "blue"], "track": 5}])
    before = table.position()
    seq = table.look(None).seq
    for number, wire in enumerate(
        (
            {"do": "set_depth", "seat": "red", "depth": "results"},
            {"do": "set_total", "seat": "red", "total": 4, "reason": "a prize"},
        )
    ):
        assert table.submit(Submission(f"depth-{number}", HOST, seq, wire)).result(PATIENCE_S).is_done
    assert "depth=results" in table.position()
    preview = table.preview_strike([seq + 1]).result(PATIENCE_S)
    assert len(preview.also) == 1, "a total is entered only where the app does not keep it"
    assert table.strike(preview.seqs, request="strike", cause=HOST).result(PATIENCE_S).is_done
    assert table.position() == before
    table.close()
