"""What the eyes propose: one open proposal a seat and phase, until a tap takes it or an event voids it.

The game explains the reading; here it is only kept. Lives on the table's thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board import PieceKind, Place
from companion.game import Game, Proposal, Puzzled, Seat, Wire
from companion.journal import Cause
from companion.ports import HIDDEN, Reading
from companion.table.eye_lessons import Corrected
from companion.table.merge import MergedReading
from companion.table.strike import phase
from companion.table.views import OpenProposal

Signature = Mapping[Place, PieceKind]


@dataclass(frozen=True, slots=True)
class _Ticket:
    """The name under which a seat's proposal grows and shrinks in one phase."""

    id: str
    phase: tuple[str, int | None]


class Proposals:
    """The open proposals and puzzles of a table.

    ``run`` tells the proposals of this run of the service from those of the last one.
    """

    def __init__(self, game: Game[Any, Any, Any], *, run: str) -> None:
        self._game = game
        self._run = run
        self._merged = MergedReading()
        self._tickets: dict[Seat | None, _Ticket] = {}
        self._tickets_made = 0
        self._dismissed: dict[Seat | None, Proposal] = {}
        self.open: tuple[OpenProposal, ...] = ()
        self.puzzles: tuple[Puzzled, ...] = ()

    def see(self, reading: Reading) -> None:
        """Take in what a camera saw."""
        self._merged.see(reading)

    def stand(self, camera: str, *, is_live: bool) -> None:
        """Take in whether a camera gives pictures."""
        self._merged.stand(camera, is_live=is_live)

    def reading(self, now_ms: int) -> Reading | None:
        """Return the whole table as the eyes and people see it now."""
        return self._merged.now(now_ms)

    def due_ms(self) -> int | None:
        """Return when to look again although nothing new came, None if there is no need."""
        return self._merged.due_ms()

    def void(self, touched: Collection[Seat | Place], now_ms: int) -> None:
        """An event touched seats and places: proposals that name one of them are void."""
        self._merged.touch((thing for thing in touched if isinstance(thing, Place)), now_ms)
        for open_ in self.open:
            if not _named(open_.proposal).isdisjoint(touched):
                self._tickets.pop(open_.proposal.seat, None)

    def recall(self, cause: Cause) -> None:
        """Remember what people said about spaces of a proposal that was taken."""
        spaces = cause.seen.get("spaces", {})
        for place, reads in cause.seen.get("by_hand", {}).items():
            self._merged.recall(Place.parse(place), PieceKind(spaces.get(place, "")), PieceKind(reads))

    def evidence(self, proposal: OpenProposal) -> Wire:
        """Return what the eyes and people said of a proposal's spaces, to be written down with it."""
        places = {space.place for space in proposal.proposal.spaces} | set(proposal.by_hand)
        raw = {place: self._merged.raw(place) for place in sorted(places)}
        return {
            "camera": proposal.camera,
            "spaces": {str(place): seen.reads for place, seen in raw.items() if seen},
            "by_hand": {str(place): reads for place, reads in proposal.by_hand.items()},
        }

    def corrected(self, place: Place, said: PieceKind) -> Corrected | None:
        """Return what a person's word tells the eyes of a place; None if they were sure of just that."""
        raw, source = self._merged.raw(place), self._merged.source_of(place)
        if raw is None or source is None or raw.reads == HIDDEN or (raw.sure and raw.reads == said):
            return None
        return Corrected(place, raw.reads, said, source.camera)

    def correct(self, place: Place, reads: PieceKind) -> None:
        """A person says what lies on a space."""
        self._merged.say(place, reads)

    def dismiss(self, proposal: OpenProposal) -> None:
        """Put a proposal away until the reading of its spaces changes."""
        self._dismissed[proposal.proposal.seat] = proposal.proposal
        self._tickets.pop(proposal.proposal.seat, None)

    def look_again(self, state: Any, now_ms: int) -> bool:
        """Ask the game what it makes of the reading now. True if anything changed by it."""
        reading = self._merged.now(now_ms)
        before = (self.open, self.puzzles)
        self._forget_dismissed(reading)
        sightings = () if reading is None else self._game.sighted(state, reading)
        running = phase(self._game, state) if sightings else ("", None)
        self.puzzles = tuple(seen for seen in sightings if isinstance(seen, Puzzled))
        proposed = [seen for seen in sightings if isinstance(seen, Proposal) and not self._is_dismissed(seen)]
        self.open = tuple(self._opened(proposal, running, reading) for proposal in proposed if reading)
        seats = {proposal.seat for proposal in proposed}
        self._tickets = {seat: ticket for seat, ticket in self._tickets.items() if seat in seats}
        return before != (self.open, self.puzzles)

    def _opened(self, proposal: Proposal, running: tuple[str, int | None], reading: Reading) -> OpenProposal:
        ticket = self._tickets.get(proposal.seat)
        if ticket is None or ticket.phase != running:
            self._tickets_made += 1
            ticket = _Ticket(f"{proposal.seat or 'table'}-{self._run}-{self._tickets_made}", running)
            self._tickets[proposal.seat] = ticket
        places = [space.place for space in proposal.spaces]
        crops = {place: reading.crops[place] for place in places if place in reading.crops}
        by_hand = self._merged.said(self._near(places))
        return OpenProposal(ticket.id, proposal, crops, by_hand, self._camera(places))

    def _near(self, places: Sequence[Place]) -> Iterable[Place]:
        """Return the places of the boards in a proposal: one said to be empty is in no proposal any more."""
        boards = {place.board for place in places}
        printed = [
            Place(board.id, space)
            for board in self._game.box.boards
            if board.id in boards
            for space in board.spaces
        ]
        return [*printed, *(place for place in places if place not in printed)]

    def _camera(self, places: Sequence[Place]) -> str:
        sources = (self._merged.source(place.board) for place in places)
        return next((source.camera for source in sources if source), "")

    def _is_dismissed(self, proposal: Proposal) -> bool:
        dismissed = self._dismissed.get(proposal.seat)
        if dismissed is None:
            return False
        if not proposal.spaces:
            return not dismissed.spaces and proposal.command == dismissed.command
        seen_then = _signature(dismissed)
        # A hand may hide a part of what was put away; the rest is still put away.
        return all(seen_then.get(place) == reads for place, reads in _signature(proposal).items())

    def _forget_dismissed(self, reading: Reading | None) -> None:
        for seat, dismissed in tuple(self._dismissed.items()):
            if any(_reads_else(reading, place, reads) for place, reads in _signature(dismissed).items()):
                del self._dismissed[seat]


def _signature(proposal: Proposal) -> Signature:
    return {space.place: space.seen.reads for space in proposal.spaces}


def _reads_else(reading: Reading | None, place: Place, reads: PieceKind) -> bool:
    seen = reading.at(place) if reading else None
    return seen is not None and seen.reads not in (reads, HIDDEN)


def _named(proposal: Proposal) -> set[Seat | Place]:
    named: set[Seat | Place] = {space.place for space in proposal.spaces}
    named.update(proposal.touches)
    if proposal.seat is not None:
        named.add(proposal.seat)
    return named
