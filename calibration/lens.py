"""Measure how a camera's lens bends straight lines, from views of the printed lens sheet.

``LensWork`` looks at one picture after the other and says what view is missing; ``solve``
computes the profile and judges it. Model and numbers: OpenCV's ``calibrateCamera`` with two radial and
two tangential terms (Zhang 2000), which a sheet of this size can still tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens_sheet import CharucoSheet, LensSheet, Points, View
from companion.game import Sentence
from companion.ports import Pixels
from hardware.cameras.lens import LensProfile

VIEWS_WANTED = 12
FEWEST_VIEWS = 6
GRID = (4, 3)  # parts of the picture, each of which the sheet should have covered
FEWEST_IN_PART = 3
TILTED = 0.12  # how much larger one edge of the sheet must look than the other
TILTS = ("left", "right", "top", "bottom")
NEW_BY = 0.03  # of the picture's width: how far corners must have moved since every earlier view
BLURRED = 12.0  # spread of the second derivative at the sheet's own contrast
GOOD_PX, USABLE_PX = 0.5, 1.2  # average error at a width of 1,280
OFF_MIDDLE = 0.12
MOST_UNEVEN = 0.06
OUTLIER = 2.5


@dataclass(frozen=True, slots=True)
class Advice:
    """What became of a picture, and what to do next, for who holds the sheet."""

    is_taken: bool
    said: Sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a profile is any good; ``said`` tells, with what to do if it is not."""

    is_good: bool
    said: Sentence


class TooFewViews(ValueError):
    """Not enough can be seen of the sheet to measure anything; ``said`` tells what to do."""

    def __init__(self, count: int) -> None:
        super().__init__(f"The lens sheet was found in {count} views; at least {FEWEST_VIEWS} are needed.")
        self.said = Sentence("lens.too_few", {"count": count, "least": FEWEST_VIEWS})


@dataclass(slots=True)
class LensWork:
    """The views of one camera so far. All pictures must have the same size."""

    size_px: tuple[int, int] | None = None
    views: list[View] = field(default_factory=list)
    sheet: LensSheet = field(default_factory=CharucoSheet)

    def look(self, pixels: Pixels) -> Advice:
        """Take a picture (height, width, 3) in if it shows something new, and say what to show next."""
        size_px = (pixels.shape[1], pixels.shape[0])
        if self.size_px is None:
            self.size_px = size_px
        if size_px != self.size_px:
            return Advice(False, Sentence("lens.other_size"))
        view = self.sheet.see(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))
        if view is None:
            return Advice(False, Sentence("lens.no_sheet"))
        if not self._is_new(view):
            return Advice(False, Sentence("lens.seen", {"next": self.wanted()}))
        if not _is_sharp(pixels, view):
            return Advice(False, Sentence("lens.blurred"))
        self.views.append(view)
        return Advice(True, Sentence("lens.taken", {"count": len(self.views), "next": self.wanted()}))

    @property
    def is_enough(self) -> bool:
        """Whether all parts of the picture and all tilts were shown."""
        return len(self.views) >= VIEWS_WANTED and not self._bare_parts() and not self._missing_tilts()

    def wanted(self) -> Sentence:
        """Return which view is missing most."""
        if bare := self._bare_parts():
            column, row = bare[0]
            across = ("left", "middle", "middle", "right")[column]
            return Sentence(f"lens.move.{('upper', 'middle', 'lower')[row]}_{across}")
        if tilts := self._missing_tilts():
            return Sentence(f"lens.tilt.{tilts[0]}")
        left = VIEWS_WANTED - len(self.views)
        return Sentence("lens.more", {"count": left}) if left > 0 else Sentence("lens.enough")

    def solve(self) -> tuple[LensProfile, Verdict]:
        """Return the profile that fits the views best, and what it is worth. Raises TooFewViews."""
        if self.size_px is None or len(self.views) < FEWEST_VIEWS:
            raise TooFewViews(len(self.views))
        views = list(self.views)
        profile, errors_px = _fit(views, self.sheet.corners_mm, self.size_px)
        fair = [
            v for v, e in zip(views, errors_px, strict=True) if e <= OUTLIER * float(np.median(errors_px))
        ]
        if FEWEST_VIEWS <= len(fair) < len(views):  # a sheet that bent or moved spoils all others
            profile, _ = _fit(fair, self.sheet.corners_mm, self.size_px)
        return profile, self._judge(profile)

    def _is_new(self, view: View) -> bool:
        width = self.size_px[0] if self.size_px else 1
        return all(_moved_px(view, other) > NEW_BY * width for other in self.views)

    def _bare_parts(self) -> list[tuple[int, int]]:
        """Return the parts of the picture (column, row) where the sheet was hardly seen, farthest first."""
        if self.size_px is None or not self.views:
            return []
        points = np.concatenate([view.corners_px for view in self.views]) / self.size_px
        cells = np.clip((points * GRID).astype(int), 0, np.array(GRID) - 1)
        counts = np.zeros(GRID, int)
        np.add.at(counts, (cells[:, 0], cells[:, 1]), 1)
        bare = [(c, r) for c in range(GRID[0]) for r in range(GRID[1]) if counts[c, r] < FEWEST_IN_PART]
        middles = {part: (np.array(part) + 0.5) / GRID for part in bare}
        return sorted(bare, key=lambda part: -float(np.linalg.norm(points - middles[part], axis=1).min()))

    def _missing_tilts(self) -> list[str]:
        seen = {tilt for view in self.views for tilt in _tilts_of(view, self.sheet.corners_mm[:, :2])}
        return [tilt for tilt in TILTS if tilt not in seen]

    def _judge(self, profile: LensProfile) -> Verdict:
        width, height = profile.size_px
        error_px = profile.error_px * 1280 / width
        (fx, fy), (cx, cy) = profile.focal_px, profile.middle_px

        def said(verdict: str) -> Sentence:
            error = f"{profile.error_px:.2f}"
            return Sentence(f"lens.verdict.{verdict}", {"error_px": error, "count": len(self.views)})

        if abs(fx / fy - 1) > MOST_UNEVEN or math.hypot(cx / width - 0.5, cy / height - 0.5) > OFF_MIDDLE:
            return Verdict(False, said("unreal"))
        if error_px > USABLE_PX:
            return Verdict(False, said("too_much"))
        if self._bare_parts() or error_px > GOOD_PX:
            return Verdict(True, said("usable"))
        return Verdict(True, said("good"))


def _fit(
    views: Sequence[View], sheet_mm: Points, size_px: tuple[int, int]
) -> tuple[LensProfile, NDArray[np.float64]]:
    """Return the profile that explains the views best, and each view's error in pixels."""
    objects = [sheet_mm[view.ids] for view in views]
    pictures = [view.corners_px.reshape(-1, 1, 2) for view in views]
    start = np.array([[size_px[0], 0, size_px[0] / 2], [0, size_px[0], size_px[1] / 2], [0, 0, 1]], float)
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
    error_px, matrix, bent, _, _, _, _, errors_px = cv2.calibrateCameraExtended(
        objects, pictures, size_px, start, np.zeros(5), flags=flags
    )
    k1, k2, p1, p2 = (float(one) for one in bent.ravel()[:4])
    profile = LensProfile(
        size_px,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (k1, k2, p1, p2),
        float(error_px),
    )
    return profile, np.asarray(errors_px, float).ravel()


def _moved_px(view: View, other: View) -> float:
    """Return how far corners moved between two views, on average; endless if none is in both."""
    both = np.intersect1d(view.ids, other.ids)
    if not len(both):
        return math.inf
    here = view.corners_px[np.searchsorted(view.ids, both)]
    there = other.corners_px[np.searchsorted(other.ids, both)]
    return float(np.linalg.norm(here - there, axis=1).mean())


def _tilts_of(view: View, sheet_mm: Points) -> set[str]:
    """Return which edges of the sheet are clearly nearer to the camera than the opposite ones."""
    to_picture, _ = cv2.findHomography(sheet_mm[view.ids], view.corners_px)
    if to_picture is None:
        return set()
    low, high = sheet_mm.min(0), sheet_mm.max(0)
    quad = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32).reshape(-1, 1, 2)
    a, b, c, d = cv2.perspectiveTransform(quad, to_picture).reshape(4, 2)
    sides = {"top": (a, b), "right": (b, c), "bottom": (c, d), "left": (d, a)}
    length = {name: float(np.linalg.norm(p - q)) for name, (p, q) in sides.items()}
    facing = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
    return {name for name in TILTS if length[name] > (1 + TILTED) * length[facing[name]]}


def _is_sharp(pixels: Pixels, view: View) -> bool:
    """Tell whether edges of the sheet are edges, at whatever contrast it has."""
    low, high = view.corners_px.min(0).astype(int), view.corners_px.max(0).astype(int) + 1
    patch = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)[max(0, low[1]) : high[1], max(0, low[0]) : high[0]]
    contrast = float(patch.std())
    if contrast < 1:
        return False
    return float(cv2.Laplacian(patch, cv2.CV_32F).std()) * 60 / contrast > BLURRED
