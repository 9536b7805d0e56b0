"""The die leads: a roll is a move for who is asked, whoever throws it; a turn takes two taps at most."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest

from companion.games.mad_science.components import SEATS
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import Roll, SetUp
from companion.games.mad_science.players import PLAYERS
from companion.games.mad_science.state import Stage
from companion.journal import Cause, TableId, TableRow
from companion.ports import DieRoll
from companion.table.memory_journal import MemoryJournal
from companion.table.writer import Receipt, Submission, Table
from tests.companion.games.mad_science.tables import A, B, C, playing

PATIENCE_S = 30
MOST_TAPS = {"play": 2, "break": 2}
"""At most so many taps a turn of Battle and of Break, with a die that speaks."""


class Evening:
    """A real table of Mad Science with a die that speaks; the clock is the test's."""

    def __init__(self, faces: list[int] | None = None) -> None:
        self.now_ms = 1000
        self.rolls = count(1)
        self.requests = count(1)
        throw = iter(faces or [])
        row = TableRow(TableId("lab"), GAME.name, "-", GAME.stand_in, "2026-11-30T19:00:00Z")
        self.journal = MemoryJournal()
        self.table = Table(
            GAME,
            self.journal,
            row,
            now_utc=lambda: "2026-11-30T20:00:00Z",
            now_ms=lambda: self.now_ms,
            throw=lambda: next(throw),
        )

    def tap(self, command: object, seat: str = "") -> Receipt:
        wire = command if isinstance(command, dict) else GAME.codec.command_out(command)  # type: ignore[arg-type]
        cause = Cause("seat" if seat else "host", for_seat=seat or None, client="phone")  # type: ignore[arg-type]
        seq = self.table.look(None).seq
        request = f"tap-{next(self.requests)}"
        return self.table.submit(Submission(request, cause, seq, wire)).result(PATIENCE_S)

    def roll(self, face: int, *, die: str = "bone", started_ms: int | None = None) -> None:
        self.now_ms += 100
        started = self.now_ms if started_ms is None else started_ms
        self.now_ms += 100
        roll = DieRoll(die, "b1", next(self.rolls), face, self.now_ms, started)
        self.table.rolled(roll).result(PATIENCE_S)

    @property
    def facts(self) -> dict[str, object]:
        return dict(self.table.look(None).view.facts)

    def reminders(self) -> list[str]:
        return [one.key for one in self.table.look(A).reminders]


@pytest.fixture
def evening() -> Iterator[Evening]:
    evening = Evening(faces=[4, 4, 4])
    yield evening
    evening.table.close()


def test_the_die_says_who_begins_one_seat_after_the_other(evening: Evening) -> None:
    evening.tap(SetUp((A, B, C)))
    for face in (4, 2, 5):
        evening.roll(face)
    assert evening.facts["turn"] == B
    record = evening.journal.read(TableId("lab"))[-1]
    assert (record.cause.by, record.cause.for_seat) == ("die", C)


def test_a_roll_too_early_or_of_another_die_is_no_move_and_phones_say_why(evening: Evening) -> None:
    evening.tap(SetUp((A, B)))
    evening.roll(3, started_ms=evening.now_ms - 500)
    assert evening.reminders() == ["table.die.too_early"]
    evening.roll(3)
    assert evening.reminders() == []
    evening.roll(6, die="ivory")
    assert evening.reminders() == ["table.die.other_die"]
    assert evening.facts["stage"] == "first"


def test_a_roll_that_nobody_asked_for_is_said_to_be_one(evening: Evening) -> None:
    evening.tap(SetUp((A, B)))
    evening.roll(3)
    evening.roll(5)
    evening.roll(5)  # Player One now turns up the Experiment
    assert evening.facts["stage"] == "turn_up"
    assert evening.reminders() == ["table.die.not_awaited"]


def test_a_phone_rolls_only_if_the_table_lets_it_and_the_log_marks_it(evening: Evening) -> None:
    evening.tap(SetUp((A, B)))
    cause = Cause("seat", for_seat=A, client="phone")
    refused = evening.table.throw(request="t1", cause=cause).result(PATIENCE_S)
    assert refused.why is not None and refused.why.key == "table.refused.no_virtual_die"
    evening.tap({"do": "choose_options", "options": {"virtual_die": "yes"}})
    out_of_turn = Cause("seat", for_seat=B, client="other")
    assert not evening.table.throw(request="t2", cause=out_of_turn).result(PATIENCE_S).is_done
    assert evening.table.throw(request="t3", cause=cause).result(PATIENCE_S).is_done
    assert evening.table.throw(request="t3", cause=cause).result(PATIENCE_S).is_repeat
    record = evening.journal.read(TableId("lab"))[-1]
    assert (record.cause.by, record.cause.seen["face"]) == ("virtual_die", 4)
    assert evening.table.look(None).log[-1].cause.by == "virtual_die"


def test_a_battle_turn_and_a_break_turn_take_two_taps_at_most_with_a_die_that_speaks() -> None:
    """A whole game: every roll by the die, everything else by taps, counted turn by turn."""
    evening, chance = Evening(), random.Random(7)
    dealer, player = GAME.dealer, PLAYERS[-1]
    assert dealer is not None
    dealer = dealer.for_one_game()
    evening.tap(SetUp(SEATS[:3]))
    taps: Counter[tuple[str, object, object]] = Counter()
    for _ in range(3000):
        view = evening.table.look(None).view
        if view.is_over:
            break
        seat = str(view.facts["waited_for"][0])
        own = evening.table.look(seat).view  # type: ignore[arg-type]
        prompt = next(one for one in own.prompts if one.seat == seat)
        fights = own.facts["creatures"][seat]["life"] is not None
        turn = (str(own.facts["phase"]), own.facts["round"], seat)
        command = player.choose(own, prompt, chance.random())
        if command is None and prompt.expects_die:
            evening.roll(chance.randint(1, 6))
            continue
        state = GAME.from_position(evening.table.position(), GAME.stand_in)
        command = command or dealer.deal(state, own, prompt, player, chance)
        assert evening.tap(dict(command or {}), seat).is_done
        taps[turn] += fights and own.facts["stage"] != "reveal"
    assert evening.table.look(None).view.is_over
    for phase, most in MOST_TAPS.items():
        assert max(number for (at, _, _), number in taps.items() if at == phase) <= most
    evening.table.close()


def test_a_die_of_more_than_six_sides_moves_nothing() -> None:
    state = playing({"life": 5}, {"life": 5})
    assert GAME.command_from_die(state, DieRoll("bone", "b", 1, 8, 10, 5)) is None
    assert GAME.command_from_die(state, DieRoll("bone", "b", 1, 6, 10, 5)) == Roll(A, 6)


def test_nobody_rolls_while_a_part_is_played() -> None:
    state = playing({"hand": 5}, {"hand": 5}, stage=Stage.PLAY)
    assert GAME.command_from_die(state, DieRoll("bone", "b", 1, 6, 10, 5)) is None
