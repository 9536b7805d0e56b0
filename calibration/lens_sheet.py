"""The sheets that a lens can be measured with, and what of them is seen in one picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheets import lens_board

Points = NDArray[np.float32]

FEWEST_CORNERS = 14  # of 40 on our sheet
FINE_SHARE = 0.35  # of the way to the next corner: how far around a corner its exact place is sought
FINE_PX = (3, 11)
FINE_STEPS = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.001)
FEWEST_ALONG = 3
MOST_ALONG = 40


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The sheet in one picture: ids of its corners and where they lie, (n, 2) in pixels."""

    ids: NDArray[np.int32]
    corners_px: Points


class LensSheet(Protocol):
    """A flat sheet with corners that can be told apart."""

    @property
    def corners_mm(self) -> Points:
        """Where all corners lie, (n, 3), the last 0; any unit does, since only directions are measured."""

    def see(self, grey: NDArray[np.uint8]) -> View | None:
        """Return what is seen of the sheet in a picture (height, width); None if it is too little."""


@dataclass(frozen=True, slots=True, eq=False)
class CharucoSheet:
    """A chessboard with markers in its white squares: half of it may be out of view."""

    board: cv2.aruco.CharucoBoard = field(default_factory=lens_board)

    @property
    def corners_mm(self) -> Points:
        return np.asarray(self.board.getChessboardCorners(), np.float32)

    def see(self, grey: NDArray[np.uint8]) -> View | None:
        corners, ids, _, _ = cv2.aruco.CharucoDetector(self.board).detectBoard(grey)
        if ids is None or len(ids) < FEWEST_CORNERS:
            return None
        return View(np.asarray(ids, np.int32).ravel(), np.asarray(corners, np.float32).reshape(-1, 2))


@dataclass(frozen=True, slots=True)
class Chessboard:
    """A plain chessboard, counted by the corners where four squares meet; it must be seen whole."""

    columns: int
    rows: int

    def __post_init__(self) -> None:
        counts = (self.columns, self.rows)
        if min(counts) < FEWEST_ALONG or max(counts) > MOST_ALONG:
            raise ValueError(
                f"A chessboard of {self.columns} x {self.rows} corners cannot be used; "
                f"each side needs {FEWEST_ALONG} to {MOST_ALONG}."
            )

    @property
    def corners_mm(self) -> Points:
        down, right = np.mgrid[: self.rows, : self.columns].reshape(2, -1)
        return np.stack([right, down, np.zeros_like(right)], axis=1).astype(np.float32)

    def see(self, grey: NDArray[np.uint8]) -> View | None:
        is_found, corners = cv2.findChessboardCorners(grey, (self.columns, self.rows))
        if not is_found:
            return None
        grid = corners.reshape(self.rows, self.columns, 2)
        apart_px = min(float(np.linalg.norm(np.diff(grid, axis=axis), axis=2).min()) for axis in (0, 1))
        reach_px = int(np.clip(apart_px * FINE_SHARE, *FINE_PX))
        fine = cv2.cornerSubPix(grey, corners, (reach_px, reach_px), (-1, -1), FINE_STEPS).reshape(-1, 2)
        if (
            fine[-1] - fine[0]
        ).sum() < 0:  # it looks the same upside down: its first corner is the upper left
            fine = fine[::-1]
        return View(np.arange(len(fine), dtype=np.int32), np.ascontiguousarray(fine, np.float32))
