"""Where a board lies in a picture: its plane, bent by the lens.

Pure geometry, numpy only. Millimetres are the board's own frame, pixels those of the
picture as stored (x right, y down). A straight picture is the one a lens without
distortion would have given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId

Points = NDArray[np.float64]
"""(n, 2) points, x before y."""


@dataclass(frozen=True, slots=True)
class Lens:
    """One radial term about the picture's centre: ``stored = c + (straight - c)(1 + k r²)``.

    ``r`` is measured in half diagonals; ``bend`` (k) is negative for a barrel.
    """

    centre_px: tuple[float, float]
    half_diagonal_px: float
    bend: float = 0.0

    @classmethod
    def of_picture(cls, width_px: int, height_px: int, bend: float = 0.0) -> Lens:
        return cls((width_px / 2, height_px / 2), math.hypot(width_px, height_px) / 2, bend)

    def to_stored(self, straight: Points) -> Points:
        return self.bent(straight, self.bend)

    def bent(self, straight: Points, bend: float | NDArray[np.float64]) -> Points:
        """Do as ``to_stored`` under another bend, or under several at once (they broadcast)."""
        centre = np.asarray(self.centre_px)
        away = (np.asarray(straight, float) - centre) / self.half_diagonal_px
        r2 = np.minimum((away * away).sum(axis=-1, keepdims=True), 4.0)
        return np.asarray(centre + away * (1 + bend * r2) * self.half_diagonal_px, np.float64)

    def to_straight(self, stored: Points) -> Points:
        """Undo ``to_stored``: a fixed point, within 0.02 px in the corners for bends from -0.1 to 0.05."""
        centre = np.asarray(self.centre_px)
        goal = (np.asarray(stored, float) - centre) / self.half_diagonal_px
        away = goal.copy()
        for _ in range(9):
            away = goal / (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))
        return np.asarray(centre + away * self.half_diagonal_px, np.float64)


def apply(plane: NDArray[np.float64], points: Points) -> Points:
    """Map (n, 2) points by a homography (3, 3), or by several (k, 3, 3)."""
    points = np.asarray(points, float)
    out = points @ np.swapaxes(plane[..., :2], -1, -2) + plane[..., None, :, 2]
    return np.asarray(out[..., :2] / out[..., 2:3])


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """A board found in a picture.

    ``plane`` maps board mm to pixels of the straight picture. ``seen_tags`` says how many
    corner tags it rests on, ``residual_px`` how far they miss it.
    """

    board: BoardId
    plane: NDArray[np.float64]
    lens: Lens
    size_mm: tuple[float, float]
    found_by: str = "tags"
    seen_tags: int = 4
    residual_px: float = 0.0

    def project(self, points_mm: Points) -> Points:
        """Return where board points lie in the picture as stored."""
        return self.lens.to_stored(apply(self.plane, points_mm))

    def locate(self, points_px: Points) -> Points:
        """Return the board points (mm) under pixels of the picture as stored."""
        return apply(np.asarray(np.linalg.inv(self.plane), np.float64), self.lens.to_straight(points_px))

    def turned(self, quarters: int) -> BoardPose:
        """Return the same place with the board turned in it, clockwise about its middle."""
        cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters % 4]
        x, y = np.array(self.size_mm) / 2
        turn = np.array([[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y], [0, 0, 1]])
        return replace(self, plane=self.plane @ turn)

    @property
    def corners_px(self) -> tuple[tuple[float, float], ...]:
        width, height = self.size_mm
        corners = self.project(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
        return tuple((float(x), float(y)) for x, y in corners)

    @property
    def rotation_deg(self) -> float:
        """Return how far the board is turned before the camera, clockwise.

        Of the board itself, not of its picture: seen askew that looks turned by a degree or two more.
        """
        # Columns of a homography are the board's axes as the camera has them; focal length cancels.
        axes = self.plane[:2, :2] - np.outer(self.lens.centre_px, self.plane[2, :2])
        return math.degrees(math.atan2(axes[1, 0] - axes[0, 1], axes[0, 0] + axes[1, 1])) % 360

    @property
    def px_per_mm(self) -> float:
        """Return the scale at the board's middle."""
        middle = np.array(self.size_mm) / 2
        here, right, down = apply(self.plane, middle + np.array([[0, 0], [1, 0], [0, 1]], float))
        a, b = right - here, down - here
        return math.sqrt(abs(float(a[0] * b[1] - a[1] * b[0])))
