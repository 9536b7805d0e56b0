"""Several cameras, one picture of the table: per board the newest reading, or several fused space by space.

Cameras that stand live and see the same board are fused (``fusion``); a photo and a lost camera are not.

What an event changed after a board was read is hidden in that reading until a newer one comes:
a picture from before a tap says nothing about the tap. Eyes report changes only, so once
they have been quiet for a while the old reading holds again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.board import BoardId, PieceKind, Place
from companion.ports import HIDDEN, BoardReading, DieReading, LoosePiece, Reading, SpaceReading
from companion.table.fusion import fused_board

QUIET_MS = 3000  # eyes need about 1 s to settle after a hand has gone; the rest is for the hand


@dataclass(frozen=True, slots=True)
class _ByHand:
    """What a person said about a space, against what the eyes said then."""

    seen: SpaceReading | None
    reads: PieceKind


class MergedReading:
    """The newest reading of every board, with what people said and what is out of date."""

    def __init__(self) -> None:
        self._newest: dict[BoardId, Reading] = {}
        self._of_camera: dict[str, dict[BoardId, Reading]] = {}
        self._live: set[str] = set()
        self._last: Reading | None = None
        self._touched_ms: dict[Place, int] = {}
        self._by_hand: dict[Place, _ByHand] = {}

    def see(self, reading: Reading) -> None:
        """Take in what a camera saw; boards that it did not find keep their last reading."""
        self._last = reading
        for board in reading.boards:
            newest = self._newest.get(board)
            if newest is None or newest.at_ms <= reading.at_ms:
                self._newest[board] = reading
        if reading.camera in self._live:
            self._of_camera.setdefault(reading.camera, {}).update(dict.fromkeys(reading.boards, reading))
        for place in tuple(self._by_hand):
            if _speaks_against(self._by_hand[place], self.raw(place)):
                del self._by_hand[place]

    def stand(self, camera: str, *, is_live: bool) -> None:
        """Take in whether a camera gives pictures; what one that is lost saw, others may see as well."""
        if is_live:
            self._live.add(camera)
            return
        self._live.discard(camera)
        for board in self._of_camera.pop(camera, {}):
            others = [seen[board] for seen in self._of_camera.values() if board in seen]
            if others and self._newest[board].camera == camera:
                self._newest[board] = max(others, key=lambda one: one.at_ms)

    def _seen(self, board: BoardId) -> list[Reading]:
        """Return the readings that a board is fused of, newest first."""
        newest = self._newest[board]
        if newest.camera not in self._live:
            return [newest]
        seen = {one.camera: one for own in self._of_camera.values() if (one := own.get(board)) is not None}
        return sorted({newest.camera: newest, **seen}.values(), key=lambda one: -one.at_ms)

    def _board(self, board: BoardId) -> BoardReading:
        readings = self._seen(board)
        base = self._newest[board].boards[board]
        if len(readings) == 1:
            return base
        old = {place.space: ms for place, ms in self._touched_ms.items() if place.board == board}
        return fused_board(readings, base, old)

    def touch(self, places: Iterable[Place], now_ms: int) -> None:
        """An event changed these places: what was read or said before says nothing about them."""
        for place in places:
            self._touched_ms[place] = now_ms
            self._by_hand.pop(place, None)

    def say(self, place: Place, reads: PieceKind) -> None:
        """A person says what lies on a space. Holds until the eyes are sure of something new there."""
        self._by_hand[place] = _ByHand(self.raw(place), reads)

    def recall(self, place: Place, seen: PieceKind, reads: PieceKind) -> None:
        """Remember what a person said in an earlier run, against what was seen then."""
        self._by_hand[place] = _ByHand(SpaceReading(seen, 0.0, sure=False), reads)

    def said(self, places: Iterable[Place]) -> Mapping[Place, PieceKind]:
        """Return what people said about some places."""
        return {place: self._by_hand[place].reads for place in places if place in self._by_hand}

    def raw(self, place: Place) -> SpaceReading | None:
        """Return what the eyes say of a place."""
        if place.board not in self._newest:
            return None
        return self._board(place.board).spaces.get(place.space)

    def source(self, board: BoardId) -> Reading | None:
        """Return the newest reading that a board comes from."""
        return self._newest.get(board)

    def source_of(self, place: Place) -> Reading | None:
        """Return the reading that shows a place as it is held to be, the newest if none does."""
        if place.board not in self._newest:
            return None
        return self._shows(place, self._seen(place.board))

    def due_ms(self) -> int | None:
        """Return when a place that is out of date may be believed again, None if all are."""
        stale = (touched_ms for place, touched_ms in self._touched_ms.items() if self._is_older(place))
        oldest_ms = min(stale, default=None)
        return None if oldest_ms is None else oldest_ms + QUIET_MS

    def now(self, now_ms: int) -> Reading | None:
        """Return one reading of the whole table, None before the first one."""
        if self._last is None:
            return None
        self._touched_ms = {
            place: touched_ms
            for place, touched_ms in self._touched_ms.items()
            if now_ms < touched_ms + QUIET_MS
        }
        boards = {board: self._board(board) for board in self._newest}
        for place in filter(self._is_older, self._touched_ms):
            boards[place.board] = _hidden(boards[place.board], place)
        merged = replace(
            self._last,
            at_ms=max((reading.at_ms for reading in self._newest.values()), default=self._last.at_ms),
            boards=boards,
            loose=self._loose(),
            dice=self._dice(),
            obstacle=None if boards else self._last.obstacle,
            crops=self._crops(),
        )
        return merged.corrected({place: hand.reads for place, hand in self._by_hand.items()})

    def _is_older(self, place: Place) -> bool:
        """Say whether a place was read before an event touched it."""
        reading = self._newest.get(place.board)
        return (
            reading is not None and reading.at(place) is not None and reading.at_ms <= self._touched_ms[place]
        )

    def _loose(self) -> tuple[LoosePiece, ...]:
        """Take loose pieces from the reading that their board comes from, the others from the last one."""
        sources = {id(reading): reading for reading in (*self._newest.values(), self._last) if reading}
        return tuple(
            piece
            for reading in sources.values()
            for piece in reading.loose
            if (self._last if piece.near is None else self._newest.get(piece.near)) is reading
        )

    def _dice(self) -> tuple[DieReading, ...]:
        """Take dice from the reading that their board comes from, those on no board from the last one."""
        sources = {id(reading): reading for reading in (*self._newest.values(), self._last) if reading}
        return tuple(
            die
            for reading in sources.values()
            for die in reading.dice
            if (self._last if die.place is None else self._newest.get(die.place.board)) is reading
        )

    def _crops(self) -> Mapping[Place, bytes]:
        """Return the pictures of places; where several cameras have one, that of the reading that holds."""
        found: dict[Place, list[Reading]] = {}
        for board in self._newest:
            for reading in self._seen(board):
                for place in reading.crops:
                    if place.board == board:
                        found.setdefault(place, []).append(reading)
        return {place: self._shows(place, readings).crops[place] for place, readings in found.items()}

    def _shows(self, place: Place, readings: Sequence[Reading]) -> Reading:
        if len(readings) == 1:
            return readings[0]
        now = self.raw(place)
        return next((one for one in readings if one.at(place) == now), readings[0])


def _hidden(board: BoardReading, place: Place) -> BoardReading:
    spaces = {**board.spaces, place.space: SpaceReading(HIDDEN, 1.0, sure=True)}
    return replace(board, spaces=spaces)


def _speaks_against(said: _ByHand, now: SpaceReading | None) -> bool:
    """A surer sight than the one that a person overruled."""
    if now is None or not now.sure or now.reads == HIDDEN:
        return False
    return said.seen is None or now.reads != said.seen.reads
