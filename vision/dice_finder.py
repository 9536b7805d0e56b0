"""Where dice may lie: a net looks at every place of a picture, at every size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.dice_net import Net
from vision.dice_views import FINDER_FACE_PX, FINDER_PX, levelled

STEP = 1.2  # from one size to the next
LEAST_FACE_PX = 13.0
MOST_FACE_SHARE = 0.45  # of the picture's short side
HINT = 1.5  # raw score from which a place is worth a closer look; faces in the photos have 3.8 and more
MOST_HINTS = 120  # rough cloth gives many; dice are among the likeliest
_STRIDE = 4  # of the finder: it halves twice
_APART = 0.55  # of a face: nearer ones of like size are the same
_LIKE_SIZE = 1.8  # dice that lie like pips are no large die


class Hint(NamedTuple):
    """A place where the top face of a die may lie: its middle, its side, how likely (a raw score)."""

    centre_xy: tuple[float, float]
    face_px: float
    score: float


def find_hints(pixels: Pixels, net: Net, faces_px: tuple[float, float] | None = None) -> Sequence[Hint]:
    """Return where dice may lie, the likeliest first; ``faces_px``: how small and large a face may be."""
    face, most = LEAST_FACE_PX, MOST_FACE_SHARE * min(pixels.shape[:2])
    if faces_px is not None:
        face, most = max(face, faces_px[0]), max(LEAST_FACE_PX, min(most, faces_px[1]))
    found: list[Hint] = []
    while face <= most:
        found += _at_size(pixels, net, face)
        face *= STEP
    found.sort(key=lambda hint: -hint.score)
    kept: list[Hint] = []
    for hint in found:
        if len(kept) < MOST_HINTS and all(_is_apart(hint, other) for other in kept):
            kept.append(hint)
    return kept


def _at_size(pixels: Pixels, net: Net, face_px: float) -> Iterator[Hint]:
    zoom = FINDER_FACE_PX / face_px
    height, width = pixels.shape[:2]
    size = (max(1, round(width * zoom)), max(1, round(height * zoom)))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    edge = FINDER_PX // 2
    framed = cv2.copyMakeBorder(small, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    scores = net.scores(levelled(np.asarray(framed, np.uint8))[None])[0]
    lead = np.ascontiguousarray(scores[..., 1] - scores[..., 0])
    peak = lead >= cv2.dilate(lead, np.ones((3, 3), np.uint8))
    for row, column in np.argwhere(peak & (lead > HINT)):
        dx, dy = _between(lead, int(row), int(column))
        x = (column + dx) * _STRIDE + (FINDER_PX - 1) / 2 - edge
        y = (row + dy) * _STRIDE + (FINDER_PX - 1) / 2 - edge
        at = ((x + 0.5) * width / size[0] - 0.5, (y + 0.5) * height / size[1] - 0.5)
        yield Hint(at, face_px, float(lead[row, column]))


def _between(lead: NDArray[np.float32], row: int, column: int) -> tuple[float, float]:
    """Return the middle of a peak between the places that were looked at, in strides."""
    around = np.clip(lead[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2], -4, None) + 4
    y, x = np.mgrid[0 : around.shape[0], 0 : around.shape[1]]
    weight = around / max(float(around.sum()), 1e-6)
    return float((weight * x).sum()) - min(column, 1), float((weight * y).sum()) - min(row, 1)


def _is_apart(one: Hint, other: Hint) -> bool:
    away = np.hypot(one.centre_xy[0] - other.centre_xy[0], one.centre_xy[1] - other.centre_xy[1])
    small, large = sorted((one.face_px, other.face_px))
    return bool(away > _APART * large or large > _LIKE_SIZE * small)
