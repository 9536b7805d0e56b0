"""Pictures of what was taken: kept with their entry, bounded, and gone when they are to be forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId
from companion.game import Proposal, Seat, Sentence, SpaceSeen
from companion.journal import TableId
from companion.ports import SpaceReading
from companion.table.evidence import Evidence
from companion.table.views import OpenProposal

ONE, OTHER = TableId("table-1"), TableId("table-2")


def place(number: int) -> Place:
    return Place(BoardId("bank"), SpaceId(f"red{number}"))


def taken(jpegs: Sequence[bytes], *, said: int | None = None) -> OpenProposal:
    """Return a proposal with a picture a space; of the one in ``said`` somebody said that it is a shell."""
    read = SpaceReading(PieceKind("pebble"), 0.9, True, others=())
    spaces = tuple(SpaceSeen(place(number), EMPTY, read, ()) for number, _ in enumerate(jpegs, 1))
    proposal = Proposal(Seat("red"), Sentence("lantern.laid"), {"do": "lay"}, spaces, is_sure=True)
    crops = {place(number): jpeg for number, jpeg in enumerate(jpegs, 1)}
    by_hand = {} if said is None else {place(said): PieceKind("shell")}
    return OpenProposal("p", proposal, crops, by_hand, "ceiling")


def test_pictures_stay_with_what_the_eyes_read_and_what_people_said(tmp_path: Path):
    evidence = Evidence(tmp_path / "evidence.sqlite")
    evidence.keep(ONE, 4, taken([b"one", b"two"], said=2))
    evidence.close()
    evidence = Evidence(tmp_path / "evidence.sqlite")
    told = [(one.place, one.reads, one.said, one.jpeg) for one in evidence.of(ONE, 4)]
    assert told == [(place(1), "pebble", None, b"one"), (place(2), "pebble", "shell", b"two")]
    assert evidence.of(ONE, 5) == evidence.of(OTHER, 4) == ()
    evidence.close()


@pytest.mark.parametrize("evenings", [1, 7])
def test_the_oldest_pictures_make_room(evenings: int):
    evidence = Evidence(None, most_bytes=1000)
    for entry in range(10 * evenings):
        evidence.keep(ONE, entry, taken([b"x" * 90, b"y" * 60]))
    kept = [one for entry in range(10 * evenings) for one in evidence.of(ONE, entry)]
    assert 850 < sum(len(one.jpeg) for one in kept) <= 1000
    assert len(evidence.of(ONE, 10 * evenings - 1)) == 2
    evidence.close()


def test_what_is_forgotten_is_not_even_in_the_file(tmp_path: Path):
    path = tmp_path / "evidence.sqlite"
    evidence = Evidence(path)
    evidence.keep(ONE, 1, taken([b"a face beside the board" * 40]))
    evidence.keep(OTHER, 1, taken([b"another evening"]))
    evidence.forget(ONE)
    assert evidence.of(ONE, 1) == ()
    assert len(evidence.of(OTHER, 1)) == 1
    evidence.close()
    for file in tmp_path.iterdir():
        assert b"a face beside the board" not in file.read_bytes(), file.name
