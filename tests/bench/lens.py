"""A real lens, measured from real photographs and held against what is known of it.

Photos are copied alone under shuffled names. The chessboard series is OpenCV's own (``left*.jpg``), whose
published profile (``samples/data/left_intrinsics.yml``, of 13 views and three radial terms) is what ours is
held against; the profile of the ChArUco camera stands in the photos' labels.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import LensWork, TooFewViews
from calibration.lens_sheet import CharucoSheet, Chessboard, View
from hardware.cameras.lens import LensProfile
from tests.bench.dice import shuffled
from tests.bench.table import Line, Section, at_most
from vision.photos import load_photo

KNOWN_MATRIX = np.array([[535.916, 0, 342.283], [0, 535.916, 235.571], [0, 0, 1]])
KNOWN_BENDING = np.array([-0.26637, -0.038589, 0.0017832, -0.00028122, 0.238392])
FOCAL_OFF, MIDDLE_OFF_PX, BEND_OFF_PX, CORNER_OFF_PX = 1.0, 5.0, 1.0, 0.5
"""Bars: percent, and pixels of a picture 640 wide."""

GRID_STEP_PX = 16


def lens_section(photos: Path, work: Path) -> Section:
    """Measure the lens of the chessboard series; hold corners of the ChArUco photos against theirs."""
    told = json.loads((photos / "labels.json").read_text(encoding="utf-8"))
    series = named_by_board(told["images"], "chessboard")
    watch = watched(list(shuffled(photos, series, work / "chess")), (9, 6))
    profile, _ = watch.solve()
    where_seen, anywhere = bent_off_px(profile, watch.views)
    off_x, off_y = (100 * abs(f / KNOWN_MATRIX[0, 0] - 1) for f in profile.focal_px)
    middle = float(np.linalg.norm(np.array(profile.middle_px) - KNOWN_MATRIX[:2, 2]))
    lines = [
        at_most(f"focal length off, {len(series)} chessboards", max(off_x, off_y), FOCAL_OFF, " %"),
        at_most("middle off, chessboards", middle, MIDDLE_OFF_PX, " px"),
        at_most(
            "straightened pictures differ at most, where a sheet was seen", where_seen, BEND_OFF_PX, " px"
        ),
        Line("and where none was, in the corners", f"{anywhere:.0f} px"),
        Line("average error of the corners", f"{profile.error_px:.2f} px"),
    ]
    camera = told["camera"]
    names = list(camera["for_files"])
    copies = shuffled(photos, names, work / "charuco")
    for copy, name in copies.items():
        off = corners_off_px(copy, told["images"][name], camera)
        lines.append(
            at_most(f"ChArUco corners off the known lens, photo {copy.stem}", off, CORNER_OFF_PX, " px")
        )
    lines.append(Line("ChArUco: a profile of two photos", verdict_on(list(copies), told["images"][names[0]])))
    return Section("A real lens", "python -m tests.bench --only lens", tuple(lines))


def named_by_board(images: Mapping[str, Any], board: str) -> list[str]:
    """Return the photos that show a kind of board."""
    return sorted(name for name, row in images.items() if (row.get("board") or {}).get("type") == board)


def watched(photos: Sequence[Path], corners: tuple[int, int]) -> LensWork:
    """Return what was seen of a chessboard in photos."""
    work = LensWork(sheet=Chessboard(*corners))
    for photo in photos:
        work.look(load_photo(photo))
    return work


def bent_off_px(profile: LensProfile, views: Sequence[View]) -> tuple[float, float]:
    """Return how far pictures straightened by ours and by the known profile differ at most, in pixels.

    First where the sheet was seen, then in the whole picture. But for how the camera stands, which the eyes
    find anew in every picture: a homography is free.
    """
    width, height = profile.size_px
    across, down = np.arange(0, width, GRID_STEP_PX), np.arange(0, height, GRID_STEP_PX)
    grid = np.stack(np.meshgrid(across, down), -1).reshape(-1, 1, 2).astype(np.float32)
    seen = cv2.convexHull(np.concatenate([view.corners_px for view in views]))
    is_seen = np.array([cv2.pointPolygonTest(seen, (float(x), float(y)), False) >= 0 for x, y in grid[:, 0]])
    ours = _rays(grid, profile.matrix(profile.size_px), np.array(profile.distortion))
    known = _rays(grid, KNOWN_MATRIX, KNOWN_BENDING)
    onto, _ = cv2.findHomography(ours[is_seen], known[is_seen])
    off_px = KNOWN_MATRIX[0, 0] * np.linalg.norm(cv2.perspectiveTransform(ours, onto) - known, axis=2)
    return float(off_px[is_seen].max()), float(off_px.max())


def _rays(grid: Any, matrix: Any, bent: Any) -> NDArray[np.float64]:
    """Return where pixels (n, 1, 2) look, exactly: the default's few rounds miss the corners."""
    exact = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 200, 1e-9)
    return np.asarray(cv2.undistortPointsIter(grid.astype(float), matrix, bent, None, None, exact), float)


def charuco_of(row: Mapping[str, Any]) -> CharucoSheet:
    """Return the sheet of a labelled photo, a square as long as 1."""
    board = row["board"]
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, row["dictionary"]))
    size = (board["squares_x"], board["squares_y"])
    return CharucoSheet(cv2.aruco.CharucoBoard(size, 1.0, board["marker_over_square"], family))


def corners_off_px(photo: Path, row: Mapping[str, Any], camera: Mapping[str, Any]) -> float:
    """Return how far corners that are seen lie from where the known lens has them, on average."""
    sheet = charuco_of(row)
    view = sheet.see(_grey(photo))
    assert view is not None
    matrix, bent = np.array(camera["camera_matrix"]), np.array(camera["dist"])
    where = sheet.corners_mm[view.ids]
    _, turn, shift = cv2.solvePnP(where, view.corners_px, matrix, bent)
    drawn, _ = cv2.projectPoints(where, turn, shift, matrix, bent)
    return float(np.sqrt(np.square(drawn.reshape(-1, 2) - view.corners_px).sum(axis=1).mean()))


def verdict_on(photos: Sequence[Path], row: Mapping[str, Any]) -> str:
    """Return what becomes of measuring from too few photos."""
    work = LensWork(sheet=charuco_of(row))
    for photo in photos:
        work.look(load_photo(photo))
    try:
        work.solve()
    except TooFewViews:
        return "refused: too few views"
    return "taken"


def _grey(photo: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(load_photo(photo), cv2.COLOR_BGR2GRAY), np.uint8)
