"""The pips of a top face as a lattice: which of the six patterns lies there, turned, leaning, of any colour.

Knows nothing of the nets: the second, unlike evidence. Each pattern, in each way that a face may lie, is a
picture of what is pip and what is not; what is seen must go with it all over the face. Pips that
are lighter than the body and pips that are darker count the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.dice_views import READER_FACE_PX, READER_PX

SIDE = 32  # of the pictures that are compared
_FACE_PX = READER_FACE_PX * SIDE / READER_PX
_SPREAD, _PIP = 0.25, 0.095  # in edges: from the middle to the corner pips, and the radius of a pip
_INNER = 0.44  # half of what is compared: the rim of a face is round and shines
_TURNS_DEG = np.arange(0, 90, 6)
_SQUEEZES = ((1.0, 0.0), *((0.82, way) for way in (0.0, 45.0, 90.0, 135.0)))
_SIZES = (0.84, 1.0, 1.18)
_SHIFTS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
_NOISE = 3.0  # grey levels: fainter differences are no pips
_CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_PATTERNS = (
    (1, ((0, 0),)), (2, _CORNERS[:2]), (2, _CORNERS[2:]), (3, ((0, 0), *_CORNERS[:2])),
    (3, ((0, 0), *_CORNERS[2:])), (4, _CORNERS), (5, ((0, 0), *_CORNERS)),
    (6, (*_CORNERS, (-1, 0), (1, 0))), (6, (*_CORNERS, (0, -1), (0, 1))),
)  # fmt: skip


class Lattice(NamedTuple):
    """The best lattice of each value: how well it fits (6,), from 0 to 1, and the face that it lies on.

    ``faces`` are (6, 4, 2): corners in edges of the face from the middle that was looked at.
    """

    fits: NDArray[np.float64]
    faces: NDArray[np.float64]

    @property
    def corners(self) -> NDArray[np.float64]:
        """Return the corners (4, 2) of the face on which the best of all lies."""
        return np.asarray(self.faces[int(self.fits.argmax())])


class LatticeFit:
    """Lays lattices on views of a face. Keeps the pictures it compares with, remembers no view."""

    def __init__(self) -> None:
        self._matrices = np.array([_matrix(*pose) for pose in _poses()])
        y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
        flat = np.stack([x, y], -1).reshape(-1, 2) / _FACE_PX
        masks, templates = [], []
        for matrix in self._matrices:
            on_face = flat @ np.linalg.inv(matrix).T  # in edges of that face
            mask = (np.abs(on_face).max(1) <= _INNER).astype(np.float64)
            masks.append(mask)
            templates += [_template(on_face, spots, mask) for _, spots in _PATTERNS]
        self._masks = np.array(masks, np.float32)
        self._templates = np.array(templates, np.float32)

    def fit(self, view: Pixels) -> Lattice:
        """Fit the view of a face as ``vision.dice_views`` cuts it for the reader."""
        return self.fit_all([view])[0]

    def fit_all(self, views: Sequence[Pixels]) -> list[Lattice]:
        """Fit several views at once: the pictures compared with are large, and read only once."""
        shifted = np.stack([
            np.roll(contrast, (-dy, -dx), (0, 1)).reshape(-1)
            for contrast in map(_contrast, views)
            for dx, dy in _SHIFTS
        ], 1)  # fmt: skip
        size = self._masks.sum(1)[:, None]
        mean = self._masks @ shifted
        energy = self._masks @ shifted**2 - mean**2 / size + size * _NOISE**2
        fits = np.abs(self._templates @ shifted).reshape(len(self._masks), len(_PATTERNS), -1)
        fits /= np.sqrt(np.maximum(energy, 1e-6))[:, None]
        count = len(_SHIFTS)
        return [self._best(fits[..., k * count : (k + 1) * count]) for k in range(len(views))]

    def _best(self, fits: NDArray[np.float32]) -> Lattice:
        """Return the best of (poses, patterns, shifts) for each value."""
        best, faces = np.zeros(6), np.zeros((6, 4, 2))
        square = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) / 2
        for place, (value, _) in enumerate(_PATTERNS):
            pose, shift = divmod(int(fits[:, place].argmax()), len(_SHIFTS))
            if fits[pose, place, shift] > best[value - 1]:
                best[value - 1] = fits[pose, place, shift]
                faces[value - 1] = square @ self._matrices[pose].T + np.array(_SHIFTS[shift]) / _FACE_PX
        return Lattice(best, faces)


def _poses() -> list[tuple[float, float, float, float]]:
    return [
        (float(turn), squeeze, way, size)
        for turn in _TURNS_DEG
        for squeeze, way in _SQUEEZES
        for size in _SIZES
    ]


def _matrix(turn_deg: float, squeeze: float, way_deg: float, size: float) -> NDArray[np.float64]:
    """Return where a face that is turned, and leans away from the camera, has its edges."""
    turn, way = math.radians(turn_deg), math.radians(way_deg)
    spin = np.array(((math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))))
    along = np.array((math.cos(way), math.sin(way)))
    flat = np.eye(2) - (1 - squeeze) * np.outer(along, along)
    return np.asarray(flat @ spin * size / math.sqrt(squeeze))


def _template(
    on_face: NDArray[np.float64], spots: tuple[tuple[int, int], ...], mask: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Draw pips softly, without mean and of length one within the mask."""
    drawn = np.zeros(len(on_face))
    for spot in spots:
        away = np.hypot(*(on_face - np.array(spot) * _SPREAD).T)
        drawn = np.maximum(drawn, 1 / (1 + np.exp((away - _PIP) / 0.022)))
    drawn = (drawn - (drawn * mask).sum() / mask.sum()) * mask
    return np.asarray(drawn / np.linalg.norm(drawn))


def _contrast(view: Pixels) -> NDArray[np.float32]:
    """Return the one channel in which the middle of a view differs most from itself, (SIDE, SIDE)."""
    small = cv2.resize(view.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    reach = round(_FACE_PX * 0.42)
    middle = small[SIDE // 2 - reach : SIDE // 2 + reach, SIDE // 2 - reach : SIDE // 2 + reach]
    colours = middle.reshape(-1, 3) - middle.reshape(-1, 3).mean(0)
    _, ways = np.linalg.eigh(colours.T @ colours)
    return np.asarray((small - middle.reshape(-1, 3).mean(0)) @ ways[:, -1], np.float32)
