"""Eyes that learn: a correction becomes one more picture of a kind, or of a bare place.

Not if it would cost another kind, or make a piece of what is bare.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId
from companion.ports import UNKNOWN, Pixels
from vision.bare_spots import art_below, kept_size_mm, shows_the_same, spots_of
from vision.box import ART_PX_PER_MM
from vision.corrections import NO_CARD, Correction, CorrectionBook, Use
from vision.exemplars import SORTS, exemplar_of, exemplars_of
from vision.look import Look
from vision.matching import cut
from vision.pose import BoardPose
from vision.reader import Reader
from vision.retest import Known, harmed_by, known_bare, known_pieces, lost_if_bare
from vision.sight import BoardSight

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture in which boards were found."""

    pixels: Pixels
    poses: Mapping[BoardId, BoardPose]


class Learner:
    """Keeps the corrections of a box and teaches them to its reader."""

    def __init__(self, reader: Reader, box_folder: Path) -> None:
        self._reader = reader
        self.book = CorrectionBook(box_folder)
        self.relearn()

    def relearn(self) -> None:
        """Compare from now on with what the book says is in use, and with nothing else of it."""
        kept = [(one, self.book.picture(one.number)) for one in self.book.all]
        there = [(one, picture) for one, picture in kept if picture is not None]
        box = self._reader.box
        self._reader.wardrobe.learn(exemplars_of(there, box), spots_of(there, box))

    def learn(
        self, shown: Shown, place: Place, said: PieceKind, *, seen: PieceKind, at_utc: str
    ) -> Correction | None:
        """Take a correction in and return what became of it; None when the place is not to be seen.

        Raises OSError when it cannot be kept.
        """
        pose = shown.poses.get(place.board)
        if pose is None:
            return None
        examined = self._reader.examine(shown.pixels, pose, {place.space})
        look = next((look for look in examined.looks if look.space == place.space), None)
        if look is None or examined.sight is None:
            return None
        picture = self._picture(examined.sight, examined.looks, look)
        fresh = Correction(
            0,
            place,
            look.group,
            seen,
            said,
            at_utc,
            look.offset_mm,
            look.turn_deg,
            Use.KEPT,
            on=_card(examined.looks, look),
        )
        kept = self.book.add(self._weighed(fresh, picture), picture)
        log.info("%s: %s is %s, %s", place, seen, said, kept.use)
        if kept.use is not Use.KEPT:
            self.relearn()
        return kept

    def take_back(self, number: int) -> bool:
        """Forget a correction; those put aside for its sake are weighed anew. False if there is none."""
        if not self.book.take_back(number):
            return False
        self.relearn()
        for one in self.book.all:
            picture = self.book.picture(one.number)
            if one.use is Use.ASIDE and picture is not None:
                self.book.change(self._weighed(one, picture))
        self.relearn()
        return True

    def _weighed(self, fresh: Correction, picture: Pixels) -> Correction:
        """Return a correction with the use that can be made of it."""
        sort = SORTS.get(fresh.group, "")
        if fresh.said == UNKNOWN or not sort:
            return replace(fresh, use=Use.KEPT, against="")
        below = art_below(fresh, picture, self._reader.box)
        known = [*known_pieces(self._reader.box, sort), *self._kept(sort, but=fresh.number)]
        if fresh.said == EMPTY:
            if below is None:
                return replace(fresh, use=Use.KEPT, against="")
            harmed = lost_if_bare(picture, below, sort, known, self._reader.wardrobe)
        else:
            exemplar = exemplar_of(fresh, picture, self._reader.box)
            if exemplar is None:
                return replace(fresh, use=Use.KEPT, against="")
            if below is not None:
                known.append(known_bare(below))
            harmed = harmed_by(exemplar, sort, known, self._reader.wardrobe)
            if below is not None and shows_the_same(picture, below):
                harmed = EMPTY
        if harmed is not None:
            return replace(fresh, use=Use.ASIDE, against=str(harmed))
        return replace(fresh, use=Use.USED, against="")

    def _kept(self, sort: str, *, but: int) -> list[Known]:
        """Return the pictures of earlier corrections of a sort."""
        found = []
        for one in self.book.all:
            picture = self.book.picture(one.number)
            if one.number == but or picture is None or SORTS.get(one.group) != sort:
                continue
            if one.said == EMPTY and one.use is Use.USED:
                found.append(Known(EMPTY, picture, picture))
            exemplar = exemplar_of(one, picture, self._reader.box)
            if exemplar is not None:
                found.append(Known(one.said, exemplar.art))
        return found

    def _picture(self, sight: BoardSight, looks: Sequence[Look], look: Look) -> Pixels:
        """Return a space as it looked, upright, in the colours of the box's art."""
        box, own = self._reader.box, sight.layout.spaces[SpaceId(look.space.partition(".")[0])]
        centre, turn = own.centre_mm, own.up_deg
        width, height = kept_size_mm(look.group, box)
        if look.parent is not None:
            parent = next((one for one in looks if one.space == look.parent), None)
            centre, turn = self._part_at(sight, look, parent)
        size = tuple(round(side * ART_PX_PER_MM) for side in (height, width))
        patch = cut(sight.light.undo(sight.flat), sight.seen_px(centre), (size[0], size[1]), turn)
        return np.clip(patch, 0, 255).astype(np.uint8)

    def _part_at(
        self, sight: BoardSight, look: Look, parent: Look | None
    ) -> tuple[tuple[float, float], float]:
        """Return where the part space of a card lies on the board, and how its card is turned."""
        place = self._reader.part_place(sight.layout.id, look.space, parent)
        own = sight.layout.spaces[SpaceId(look.space.partition(".")[0])]
        return place or (own.centre_mm, own.up_deg)


def _card(looks: Sequence[Look], look: Look) -> PieceKind:
    """Return the card that lies below a part; none where the part is printed on the board, or is no part."""
    parent = next((one for one in looks if one.space == look.parent), None)
    return NO_CARD if parent is None or parent.answers[0] == EMPTY else parent.answers[0]
