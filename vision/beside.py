"""What lies beside the boards, steady over several looks.

Pure. A loose piece has no space: a look at it belongs to the earlier ones that were about there.
What a piece is stays out of logs, for it may be secret.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.ports import UNKNOWN, LoosePiece, SpaceReading
from vision.steady import NEEDED, Belief, looked, shown

SAME_PX = 20.0
MOST_LOOKS = 6

Key = tuple[str, str, bool]


@dataclass(frozen=True, slots=True)
class _Found:
    """A piece, where it was seen last, what is believed of it and how often it was seen."""

    piece: LoosePiece
    belief: Belief
    looks: int


class Beside:
    """The loose pieces of one camera."""

    def __init__(self) -> None:
        self.pieces: tuple[LoosePiece, ...] = ()
        self._found: tuple[_Found, ...] = ()
        self._looks: int | None = 0  # since the table beside the boards changed; None: enough
        self._told: tuple[Key, ...] = ()

    @property
    def is_due(self) -> bool:
        """Tell whether another look is wanted."""
        return self._looks is not None

    def disturb(self) -> None:
        """Say that something changed beside the boards: all is looked at anew."""
        self._found, self._looks = (), 0

    def take_in(self, pieces: Sequence[LoosePiece]) -> None:
        """Take in what one look saw."""
        if self._looks is None:
            return
        self._looks += 1
        for piece in pieces:
            self._take_piece(piece)
        is_clear = all(found.belief.is_settled and found.looks == self._looks for found in self._found)
        if self._looks >= NEEDED and (is_clear or self._looks >= MOST_LOOKS):
            self.pieces = tuple(_steady(found) for found in self._found if 2 * found.looks > self._looks)
            self._looks = None

    def has_news(self) -> bool:
        """Tell whether other pieces lie there than were told last."""
        return not self.is_due and self._keys() != self._told

    def tell(self) -> None:
        if not self.is_due:
            self._told = self._keys()

    def _keys(self) -> tuple[Key, ...]:
        return tuple(sorted((str(piece.near), str(piece.reads), piece.sure) for piece in self.pieces))

    def _take_piece(self, piece: LoosePiece) -> None:
        look = SpaceReading(piece.reads, piece.confidence, piece.sure)
        near = [found for found in self._found if _is_same(found.piece, piece)]
        if near:
            old = near[0]
            new = _Found(piece, looked(old.belief, look), old.looks + 1)
            self._found = tuple(new if found is old else found for found in self._found)
        else:
            self._found = (*self._found, _Found(piece, looked(Belief(), look), 1))


def _is_same(one: LoosePiece, other: LoosePiece) -> bool:
    return one.near == other.near and math.dist(one.centre_px, other.centre_px) < SAME_PX


def _steady(found: _Found) -> LoosePiece:
    """Return a piece as it is believed; unsure if the looks did not agree."""
    belief = shown(found.belief)
    reads = found.piece.reads if belief.reads == UNKNOWN else belief.reads
    return replace(found.piece, reads=reads, confidence=belief.confidence, sure=belief.sure)
