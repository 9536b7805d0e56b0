"""One photo of an empty board becomes its flat picture: by its corner markers, or by its four corners.

The white around markers, the board's own or those of a ring sheet laid beside it, says how the board is
lit, so that its colours are those in which pieces are taught. Pure: pixels in, values out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.laid_pieces import BURNT, PAPER_WHITE, NotTeachable, ViewFault
from calibration.laying_sheets import RING_FIRST_TAG
from calibration.plane import flat_picture, scale_at
from companion.ports import Pixels
from vision.find_tags import TagPatterns, see_tags
from vision.pose import Points, apply

BOARD_PX_PER_MM = 4.0
LEAST_PX_PER_MM = 1.6
BORDER = 1.125  # of a marker: the middle of its white border
RING_TAGS = tuple(range(RING_FIRST_TAG, RING_FIRST_TAG + 4))
MOST_BENT_MM = 2.0
LEAST_DETAIL = 2.5  # spread of the second derivative, grey levels at BOARD_PX_PER_MM halved


@dataclass(frozen=True, slots=True, eq=False)
class FlatBoard:
    """A board from straight above, BOARD_PX_PER_MM. ``is_white_known``: its colours are as on white paper."""

    pixels: Pixels
    is_white_known: bool


def by_tags(
    photo: Pixels, size_mm: tuple[float, float], tags: Mapping[int, tuple[float, float]]
) -> FlatBoard | None:
    """Flatten a board by its markers (number to centre in mm); None when fewer than four are to be seen.

    Raises NotTeachable.
    """
    seen = _seen(photo, (*tags, *RING_TAGS))
    own = [number for number in tags if number in seen]
    if len(own) < 4:
        return None
    here = np.array([tags[number] for number in own], float)
    there = np.array([seen[number].mean(axis=0) for number in own])
    found, _ = cv2.findHomography(here, there)
    if found is None:
        return None
    to_photo = np.asarray(found, np.float64)
    off = np.linalg.norm(apply(to_photo, here) - there, axis=1)
    if float(off.max()) > MOST_BENT_MM * scale_at(to_photo, (size_mm[0] / 2, size_mm[1] / 2)):
        raise NotTeachable(ViewFault.BENT)
    return _flat(photo, size_mm, to_photo, seen)


def by_corners(
    photo: Pixels,
    size_mm: tuple[float, float],
    corners_px: Sequence[tuple[float, float]],
    *,
    is_round: bool = False,
) -> FlatBoard:
    """Flatten a board by its corners in the photo, top left first and clockwise.

    Of a round board the points are those at the top, right, bottom and left. Raises NotTeachable.
    """
    width, height = size_mm
    here = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    if is_round:
        here = np.array(
            [[width / 2, 0], [width, height / 2], [width / 2, height], [0, height / 2]], np.float32
        )
    there = np.asarray(corners_px, np.float32)
    if not cv2.isContourConvex(there.reshape(-1, 1, 2)) or cv2.contourArea(there, True) <= 0:
        raise NotTeachable(ViewFault.CORNERS)
    to_photo = cv2.getPerspectiveTransform(here, there)
    return _flat(photo, size_mm, np.asarray(to_photo, np.float64), _seen(photo, RING_TAGS))


def _seen(photo: Pixels, numbers: Sequence[int]) -> Mapping[int, Points]:
    return see_tags(photo, TagPatterns.of(numbers)).once


def _flat(
    photo: Pixels, size_mm: tuple[float, float], to_photo: NDArray[np.float64], seen: Mapping[int, Points]
) -> FlatBoard:
    px_per_mm = scale_at(to_photo, (size_mm[0] / 2, size_mm[1] / 2))
    if px_per_mm < LEAST_PX_PER_MM:
        raise NotTeachable(ViewFault.TOO_FAR, {"seen": round(px_per_mm, 1), "needed": LEAST_PX_PER_MM})
    balanced, is_known = _balanced(photo, seen)
    flat = flat_picture(balanced, to_photo, size_mm, BOARD_PX_PER_MM)
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    if float(np.median(half)) < 15:
        raise NotTeachable(ViewFault.TOO_DARK)
    if float((flat.min(axis=2) >= BURNT).mean()) > 0.25:
        raise NotTeachable(ViewFault.BURNT_OUT)
    if float(cv2.Laplacian(half, cv2.CV_32F).std()) < LEAST_DETAIL:
        raise NotTeachable(ViewFault.NOT_SHARP)
    return FlatBoard(np.asarray(flat, np.uint8), is_known)


def _balanced(photo: Pixels, seen: Mapping[int, Points]) -> tuple[Pixels, bool]:
    """Return a photo whose paper is PAPER_WHITE, and whether any paper was seen."""
    spots, whites = [], []
    height, width = photo.shape[:2]
    for corners in seen.values():
        middle = corners.mean(axis=0)
        rim = middle + (corners - middle) * BORDER
        points = np.concatenate(
            [rim + (np.roll(rim, -1, axis=0) - rim) * share for share in (0.0, 0.25, 0.5, 0.75)]
        )
        x, y = np.rint(points).astype(int).T
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        if inside.sum() >= 8:
            spots.append(middle)
            whites.append(np.percentile(photo[y[inside], x[inside]].astype(float), 60, axis=0))
    if not spots:
        return photo, False
    levels = np.log(np.stack(whites) + 1.0)
    where = (np.stack(spots) - (width / 2, height / 2)) / max(width, height)
    design = np.column_stack([np.ones(len(where)), where]) if len(where) >= 4 else np.ones((len(where), 1))
    planes, *_ = np.linalg.lstsq(design, levels, rcond=None)
    v, u = np.mgrid[:height, :width].astype(np.float32)
    flat = [np.ones_like(u), (u - width / 2) / max(width, height), (v - height / 2) / max(width, height)]
    white = np.exp(np.stack(flat[: design.shape[1]], axis=-1) @ planes.astype(np.float32))
    return np.clip(photo.astype(np.float32) * PAPER_WHITE / white, 0, 255).astype(np.uint8), True
