"""Where spaces and tags lie in the small picture of the gate, to tell which of them a mask touches.

Imports OpenCV and numpy. Two layers of labels: boards' own spaces below, the part circles of
cards above; a card's own footprint leaves its part circles out, so that a token laid on a part
does not look like another card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, PieceKind, Place, SpaceKind
from vision.box import TaughtBox, parts_of
from vision.places import card_on, part_places
from vision.pose import BoardPose, Points
from vision.settle import Mask

Labels = NDArray[np.uint16]

CIRCLE = np.array([[np.cos(turn), np.sin(turn)] for turn in np.linspace(0, 2 * np.pi, 16, endpoint=False)])
SPILL = 1.5  # a token is wider than its circle, and hands are not exact


class Footprints:
    """The places of all boards in the small picture, drawn once for each pose."""

    def __init__(
        self,
        outlines: Mapping[Place, Points],
        parts: Mapping[Place, Points],
        *,
        size_wh: tuple[int, int],
        picture_width_px: int,
    ) -> None:
        """Draw ``outlines`` and, above them, ``parts`` of cards, both in pixels of the full picture."""
        self._scale = size_wh[0] / picture_width_px
        self._shape = size_wh[::-1]
        self._ground = self._drawn(outlines)
        self._above = self._drawn(parts)
        for outline in parts.values():
            middle = outline.mean(axis=0)
            self._fill(self._ground, middle + SPILL * (outline - middle), 0)
        self._places = (tuple(outlines), tuple(parts))
        self._areas = tuple(np.bincount(layer.ravel()) for layer in (self._ground, self._above))

    def shares(self, mask: Mask) -> dict[Place, float]:
        """Return the share of each place that a mask covers; places it does not touch are left out."""
        found: dict[Place, float] = {}
        for layer, places, areas in zip((self._ground, self._above), self._places, self._areas, strict=True):
            counts = np.bincount(layer[mask], minlength=len(areas))
            for label in np.flatnonzero(counts):
                if label:
                    found[places[label - 1]] = float(counts[label] / areas[label])
        return found

    @property
    def places(self) -> tuple[Place, ...]:
        return self._places[0] + self._places[1]

    def mask(self, outlines: Sequence[Points]) -> Mask:
        """Return where outlines (pixels of the full picture) lie in the small one."""
        drawn = np.zeros(self._shape, np.uint16)
        for outline in outlines:
            self._fill(drawn, outline, 1)
        return np.asarray(drawn > 0, dtype=np.bool_)

    def _drawn(self, outlines: Mapping[Place, Points]) -> Labels:
        layer = np.zeros(self._shape, np.uint16)
        for label, outline in enumerate(outlines.values(), start=1):
            self._fill(layer, outline, label)
        return layer

    def _fill(self, layer: Labels, outline: Points, label: int) -> None:
        corners = np.clip(np.rint(outline * self._scale - 0.5), -20_000, 20_000).astype(np.int32)
        cv2.fillPoly(layer, [corners], (label,))


def outlines_mm(
    box: TaughtBox, board: BoardId, cards: Mapping[Place, PieceKind]
) -> tuple[dict[Place, Points], dict[Place, Points]]:
    """Return the outlines (n, 2) of a board's spaces, and of the part circles of the ``cards`` on it."""
    outlines, parts = {}, {}
    for space in box.layouts[board].spaces.values():
        place = Place(board, space.id)
        outlines[place] = np.array(space.outline_mm, float)
        card = card_on(box, place, cards.get(place)) if space.kind is SpaceKind.CARD else None
        if card is None:
            continue
        centres = parts_of(card, space.centre_mm, space.up_deg, box.card_mm)
        own = part_places(box, place, cards.get(place))
        for part, part_place, (_, centre_mm) in zip(card.parts, own, centres, strict=True):
            parts[part_place] = np.asarray(centre_mm) + part.radius_mm * CIRCLE
    return outlines, parts


def lay_out(
    box: TaughtBox,
    poses: Mapping[BoardId, BoardPose],
    cards: Mapping[Place, PieceKind],
    *,
    size_wh: tuple[int, int],
    picture_width_px: int,
) -> Footprints:
    """Draw all spaces of the boards found, with the part circles of the ``cards`` known to lie there."""
    outlines: dict[Place, Points] = {}
    parts: dict[Place, Points] = {}
    for board, pose in poses.items():
        for drawn, found in zip((outlines, parts), outlines_mm(box, board, cards), strict=True):
            drawn.update((place, pose.project(outline)) for place, outline in found.items())
    return Footprints(outlines, parts, size_wh=size_wh, picture_width_px=picture_width_px)
