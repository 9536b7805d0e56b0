"""Crops of the spaces that changed, as evidence for people.

An order token may be secret: no crop is made where one lies, face up or down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from companion.board import BoardId, Place, Space
from companion.ports import LoosePiece
from vision.box import TaughtBox
from vision.places import card_space_of
from vision.pose import BoardPose

MARGIN_MM = 12.0  # what a crop shows around its space, and how far an order may have slid unseen


def without_secrets(
    box: TaughtBox, poses: Mapping[BoardId, BoardPose], places: Iterable[Place], loose: Collection[LoosePiece]
) -> tuple[Place, ...]:
    """Return the places of which a crop may be shown."""
    orders = np.array([piece.centre_px for piece in loose if piece.reads.startswith("order")], float)
    radius_mm = max((float(np.abs(token.outline_mm).max()) for _, token in box.orders), default=0.0)
    open_places = []
    for place in places:
        pose, space = poses.get(place.board), _space_of(box, place)
        if pose is None or space is None:
            continue
        outline_mm = np.array(space.outline_mm, float)
        low, high = outline_mm.min(0) - MARGIN_MM - radius_mm, outline_mm.max(0) + MARGIN_MM + radius_mm
        at_mm = pose.locate(orders) if len(orders) else orders.reshape(0, 2)
        if not np.any(np.all((at_mm > low) & (at_mm < high), axis=1)):
            open_places.append(place)
    return tuple(open_places)


def _space_of(box: TaughtBox, place: Place) -> Space | None:
    """Return the printed space of a place; a part belongs to the space of its card."""
    return box.layouts[place.board].spaces.get(card_space_of(place) or place.space)
