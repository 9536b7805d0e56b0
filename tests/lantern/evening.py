"""An evening of Lantern at a real table: a hand-set clock, phones, a die, eyes that see what a test says."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from companion.board import EMPTY, PieceKind, Place, SpaceId
from companion.game import Seat, Wire
from companion.journal import Cause, Journal, TableId, TableRow
from companion.ports import BoardReading, BoardTurn, DieRoll, Reading, SpaceReading
from companion.table.memory_journal import MemoryJournal
from companion.table.writer import OpenProposal, Receipt, Submission, Table, TableView
from tests.lantern.game import LANTERN, Lantern
from tests.lantern.moves import BANK, SEATS, Open, bank_of, place_of

RED, BLUE, GREEN, WHITE = SEATS
PATIENCE_S = 30
ROW = TableRow(TableId("evening"), "lantern", "-", {}, "2026-11-30T19:00:00Z")


def by_seat(seat: Seat, client: str = "") -> Cause:
    return Cause("seat", for_seat=seat, client=client or f"phone-{seat}")


HOST = Cause("host", client="host")


def wire(command: Any) -> Wire:
    return LANTERN.codec.command_out(command)


def reading(
    at_ms: int, *, camera: str = "above", crops: Mapping[Place, bytes] | None = None, **spaces: str
) -> Reading:
    """See the whole bank: ``red1="pebble"``, ``red2="shell?"`` (not sure); all others are empty."""
    seen = {space: _space(spaces.get(space, EMPTY)) for seat in SEATS for space in bank_of(seat)}
    board = BoardReading(BANK, "tags", (), 0.0, seen)
    return Reading(camera, at_ms, at_ms, {BANK: board}, crops=crops or {})


def _space(reads: str) -> SpaceReading:
    return SpaceReading(PieceKind(reads.rstrip("?")), 0.5 if "?" in reads else 0.99, sure="?" not in reads)


class Evening:
    """A table of Lantern. ``now_ms`` is set by the test, requests are counted."""

    def __init__(self, journal: Journal | None = None, *, seats: int = 0, game: Lantern = LANTERN) -> None:
        self.journal = journal or MemoryJournal()
        self.game = game
        self.now_ms = 1000
        self._requests = count(1)
        self.table = self._open()
        if seats:
            assert self.do(HOST, Open(SEATS[:seats])).is_done

    def _open(self) -> Table:
        return Table(self.game, self.journal, ROW, now_utc=lambda: "2026-11-30T20:00:00Z", now_ms=self.clock)

    def clock(self) -> int:
        return self.now_ms

    def restart(self) -> None:
        """Stop the service and start it again on the same journal."""
        self.table.close()
        self.now_ms += 10_000
        self.table = self._open()

    def request(self) -> str:
        return f"request-{next(self._requests)}"

    def do(self, who: Seat | Cause, command: Any, *, request: str = "", on_seq: int | None = None) -> Receipt:
        cause = by_seat(who) if isinstance(who, str) else who
        seq = self.look().seq if on_seq is None else on_seq
        return self.table.submit(Submission(request or self.request(), cause, seq, wire(command))).result(
            PATIENCE_S
        )

    def look(self, seat: Seat | None = None) -> TableView:
        return self.table.look(seat)

    def see(
        self, *, camera: str = "above", crops: Mapping[Place, bytes] | None = None, **spaces: str
    ) -> None:
        """Let time pass, then let a camera see the bank."""
        self.now_ms += 100
        self.table.sighted(reading(self.now_ms, camera=camera, crops=crops, **spaces)).result(PATIENCE_S)

    def proposal(self, seat: Seat) -> OpenProposal:
        """Return the one open proposal of a seat."""
        [found] = self.look(seat).proposals
        return found

    def accept(self, found: OpenProposal, who: Seat | Cause, *, request: str = "") -> Receipt:
        cause = by_seat(who) if isinstance(who, str) else who
        return self.table.accept(found.id, request=request or self.request(), cause=cause).result(PATIENCE_S)

    def correct(self, found: OpenProposal, space: str, reads: str, who: Seat) -> Receipt:
        place = place_of(SpaceId(space))
        return self.table.correct(found.id, place, PieceKind(reads), cause=by_seat(who)).result(PATIENCE_S)

    def dismiss(self, found: OpenProposal, who: Seat) -> Receipt:
        return self.table.dismiss(found.id, cause=by_seat(who)).result(PATIENCE_S)

    def strike(self, who: Seat | Cause, *seqs: int, request: str = "") -> Receipt:
        cause = by_seat(who) if isinstance(who, str) else who
        return self.table.strike(seqs, request=request or self.request(), cause=cause).result(PATIENCE_S)

    def replace(self, who: Seat | Cause, seq: int, command: Any, *also: int) -> Receipt:
        cause = by_seat(who) if isinstance(who, str) else who
        return self.table.replace(seq, wire(command), request=self.request(), cause=cause, also=also).result(
            PATIENCE_S
        )

    def roll(
        self, face: int, *, roll: int, die: str = "bone", boot: str = "b1", started_ms: int | None = -1
    ) -> None:
        """Let time pass and the die roll; ``started_ms`` -1 means now."""
        self.now_ms += 100
        started = self.now_ms if started_ms == -1 else started_ms
        self.now_ms += 100
        self.table.rolled(DieRoll(die, boot, roll, face, self.now_ms, started)).result(PATIENCE_S)

    def turn(self, delta: int, *, turn: int, to_quarter: int = 1) -> None:
        """Turn the mill by hand."""
        from_quarter = (to_quarter - delta) % 4
        moved = BoardTurn("mill", "b1", turn, from_quarter, to_quarter, delta, self.now_ms)
        self.table.turned(moved).result(PATIENCE_S)

    def score(self, seat: Seat) -> int:
        return next(seen.score for seen in self.look().view.seats if seen.seat == seat)


def posts(evening: Evening) -> list[int]:
    """Return how far each seat's keeper has walked, as the seats of the view say it."""
    return [int(str(seat.state.values["post"])) for seat in evening.look().view.seats]
