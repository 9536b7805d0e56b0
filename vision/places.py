"""Which places of a taught box can be read: spaces, part spaces of the card that lies there, markers.

Pure. A marker on a track is a place of its own, ``marker_<player>``; the steps of the track are not.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId, SpaceKind
from companion.ports import UNKNOWN, BoardReading, SpaceReading
from vision.box import Card, TaughtBox

MARKER = "marker_"


def is_marker(place: Place) -> bool:
    return place.space.startswith(MARKER)


def card_space_of(place: Place) -> SpaceId | None:
    """Return the card space that a part space belongs to; None for all others."""
    space, dot, _ = place.space.partition(".")
    return SpaceId(space) if dot else None


def kind_of(box: TaughtBox, place: Place) -> SpaceKind | None:
    """Return what a printed space is made to hold; None for part spaces and markers."""
    space = box.layouts[place.board].spaces.get(place.space)
    return None if space is None else space.kind


def card_on(box: TaughtBox, place: Place, reads: PieceKind | None) -> Card | None:
    """Return the card whose parts a card space shows: the one that lies there, else the printed one."""
    kind = box.printed.get((place.board, place.space)) if reads == EMPTY else reads
    return None if kind is None else box.cards.get(kind)


def part_places(box: TaughtBox, place: Place, reads: PieceKind | None) -> tuple[Place, ...]:
    """Return the part spaces of a card space on which ``reads`` lies."""
    card = card_on(box, place, reads)
    parts = () if card is None else card.parts
    return tuple(Place(place.board, SpaceId(f"{place.space}.part{part.index}")) for part in parts)


def printed_places(box: TaughtBox, board: BoardId) -> tuple[Place, ...]:
    """Return what can be read of a board before any card is known."""
    spaces = box.layouts[board].spaces.values()
    own = tuple(Place(board, space.id) for space in spaces if space.kind is not SpaceKind.TRACK)
    return own if len(own) == len(spaces) else own + marker_places(box, board)


def marker_places(box: TaughtBox, board: BoardId) -> tuple[Place, ...]:
    return tuple(Place(board, SpaceId(f"{MARKER}{player}")) for player in box.owners.values())


def spaces_to_read(box: TaughtBox, board: BoardId, places: Collection[Place]) -> set[SpaceId]:
    """Return the spaces of a board to read for some of its places: all steps of the track for a marker."""
    spaces = {place.space for place in places if not is_marker(place)}
    if any(is_marker(place) for place in places):
        track = box.layouts[board].spaces.values()
        spaces |= {space.id for space in track if space.kind is SpaceKind.TRACK}
    return spaces


def looks_of(reading: BoardReading, asked: Collection[Place]) -> dict[Place, SpaceReading]:
    """Return what a reading says of its spaces, and of the markers asked for."""
    looks = {Place(reading.board, space): seen for space, seen in reading.spaces.items()}
    for place in filter(is_marker, asked):
        step = reading.markers.get(place.space.removeprefix(MARKER))
        if step is None:
            looks[place] = SpaceReading(UNKNOWN, 0.0, sure=False)
        else:
            looks[place] = SpaceReading(PieceKind(str(step)), 1.0, sure=True)
    return looks
