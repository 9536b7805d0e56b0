"""From a photo of a laying sheet to flat, evenly lit pictures of the pieces on it; or why there are none.

The markers tell where the sheet lies, its paper how it is lit, its checks where pieces lie: wherever
they are not to be seen. Pure: pixels in, values out. A photo that would teach something wrong is
refused with what to do about it, rather than found out in play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.laying_sheets import LayingSheet
from calibration.outlines import outline_mask, settle, simplified, square
from calibration.plane import flat_picture, scale_at
from companion.ports import Pixels
from vision.find_tags import TagPatterns, see_tags
from vision.pose import apply

PX_PER_MM = 6.0
MAP_PX_PER_MM = 6.0
FEWEST_TAGS = 3
MOST_BENT_MM = 0.8
LEAST_PX_PER_MM = 2.5  # the eyes see at 2; what a view lacks no box can teach
LEAST_FOR_CARDS = 4.0  # with less one cannot tell where a card ends and the next one begins
MOST_BLUR_MM = 0.55  # the spread of an edge; beyond it a token's drawing melts
DARK, PAPER_WHITE = 60.0, 235.0
COARSE_PX = 16
BURNT, MOST_BURNT = 250, 0.3  # of the paper: what is lighter than paper is lost
CHECK_SLACK_MM = 0.25  # how far the printed checks may lie from where they should
COVERED = 0.25  # of the smoothed map; under a black or white piece half of the checks still seem to be there
AROUND_MM = 1.4  # over which checks are looked at together
TOLD_APART = 0.5  # between a check and its neighbour
SMALLEST_MM2 = 60.0
GLOSS, MOST_GLOSS = 252, 0.06  # of a piece


class ViewFault(StrEnum):
    """Why a photo teaches nothing; rendered as ``teach.fault.<value>``."""

    NO_SHEET = "no_sheet"
    BENT = "bent"
    TOO_FAR = "too_far"
    NOT_SHARP = "not_sharp"
    TOO_DARK = "too_dark"
    BURNT_OUT = "burnt_out"
    NO_PIECE = "no_piece"
    TOO_LARGE = "too_large"
    GLOSSY = "glossy"
    OTHER_SIZE = "other_size"
    CORNERS = "corners"


class NotTeachable(Exception):
    """A photo that teaches nothing; ``fault`` says why, ``values`` what its sentence tells."""

    def __init__(self, fault: ViewFault, values: Mapping[str, float] | None = None) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.values = dict(values or {})


@dataclass(frozen=True, slots=True, eq=False)
class FlatSheet:
    """A sheet seen from straight above in even light: colours as on white paper, PX_PER_MM.

    ``covered`` (0 to 1, MAP_PX_PER_MM) is how little of the printed ground is to be seen, where ``can_tell``.
    ``px_per_mm`` and ``blur_mm`` are those of the photo.
    """

    sheet: LayingSheet
    pixels: Pixels
    covered: NDArray[np.float32]
    can_tell: NDArray[np.float32]
    px_per_mm: float
    blur_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class LaidPiece:
    """A piece as it lies: cut out upright about its middle (PX_PER_MM), and which place it lies on.

    ``outline_mm`` is about its middle; ``gloss`` the share of it that a lamp burns out.
    """

    place: int
    pixels: Pixels
    outline_mm: NDArray[np.float64]
    gloss: float


def flatten_sheet(pixels: Pixels, sheet: LayingSheet) -> FlatSheet:
    """Find a sheet in a photo and flatten it. Raises NotTeachable."""
    to_photo, px_per_mm = _place(pixels, sheet)
    least = LEAST_PX_PER_MM if sheet.is_ring else LEAST_FOR_CARDS
    if px_per_mm < least:
        raise NotTeachable(ViewFault.TOO_FAR, {"seen": round(px_per_mm, 1), "needed": least})
    flat = flat_picture(pixels, to_photo, sheet.size_mm, PX_PER_MM)
    blur_mm = _blur_mm(flat, sheet)
    if blur_mm > MOST_BLUR_MM:
        raise NotTeachable(ViewFault.NOT_SHARP)
    lit = _evenly_lit(flat, sheet)
    return FlatSheet(sheet, lit, *_covered(lit, sheet), px_per_mm, blur_mm)


def laid_pieces(
    seen: FlatSheet, outline_mm: NDArray[np.float64] | None, size_mm: tuple[float, float]
) -> tuple[LaidPiece, ...]:
    """Return the pieces on a sheet, cut to ``size_mm``; without an outline its own is found.

    Raises NotTeachable when there is none, or one that cannot be what is wanted.
    """
    found = []
    for index in range(len(seen.sheet.places)):
        outline = outline_mm
        spot = _spot(seen, index, whole=not seen.sheet.is_ring)
        if spot is None:
            continue
        centre, own, turn_deg = spot
        if outline is None:
            outline = own
        else:
            _check_size(own, outline)
            centre, turn_deg = settle(seen.covered, seen.can_tell, MAP_PX_PER_MM, outline, centre)
        turn_deg = 0.0 if seen.sheet.is_ring else turn_deg
        cut = _cut(seen.pixels, centre, turn_deg, size_mm)
        gloss = _gloss(cut, outline)
        if gloss > MOST_GLOSS:
            raise NotTeachable(ViewFault.GLOSSY, {"place": index + 1})
        found.append(LaidPiece(index, cut, outline, gloss))
    if not found:
        raise NotTeachable(ViewFault.NO_PIECE)
    return tuple(found)


@lru_cache(maxsize=4)
def _patterns(numbers: tuple[int, ...]) -> TagPatterns:
    return TagPatterns.of(numbers)


@lru_cache(maxsize=6)
def _ground(sheet: LayingSheet, px_per_mm: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    return sheet.ground(px_per_mm)


def _place(pixels: Pixels, sheet: LayingSheet) -> tuple[NDArray[np.float64], float]:
    """Return the homography from sheet mm to pixels, and the photo's scale."""
    seen = see_tags(pixels, _patterns(tuple(tag.number for tag in sheet.tags))).once
    if len(seen) < FEWEST_TAGS:
        raise NotTeachable(ViewFault.NO_SHEET, {"count": len(seen), "of": len(sheet.tags)})
    half = sheet.tag_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    here = np.concatenate([np.array(t.centre_mm) + square for t in sheet.tags if t.number in seen])
    there = np.concatenate([np.asarray(seen[t.number], float) for t in sheet.tags if t.number in seen])
    found, _ = cv2.findHomography(here, there)
    if found is None:
        raise NotTeachable(ViewFault.NO_SHEET, {"count": len(seen), "of": len(sheet.tags)})
    to_photo = np.asarray(found, np.float64)
    px_per_mm = scale_at(to_photo, (sheet.size_mm[0] / 2, sheet.size_mm[1] / 2))
    off_mm = float(np.percentile(np.linalg.norm(apply(to_photo, here) - there, axis=1), 90)) / px_per_mm
    if off_mm > MOST_BENT_MM:
        raise NotTeachable(ViewFault.BENT)
    return to_photo, px_per_mm


def _blur_mm(flat: Pixels, sheet: LayingSheet) -> float:
    """Return how wide the edges of the markers are: the spread of the blur over them, mm."""
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32)
    spreads = []
    for tag in sheet.tags:
        reach = (sheet.tag_mm / 2 + 1.0) * PX_PER_MM
        x, y = (c * PX_PER_MM for c in tag.centre_mm)
        top, left = max(0, int(y - reach)), max(0, int(x - reach))
        patch = grey[top : int(y + reach), left : int(x + reach)]
        if patch.size == 0:
            continue
        contrast = float(np.percentile(patch, 95) - np.percentile(patch, 5))
        slope = np.hypot(cv2.Sobel(patch, cv2.CV_32F, 1, 0), cv2.Sobel(patch, cv2.CV_32F, 0, 1)) / 8
        steepest = float(np.percentile(slope, 97))
        spreads.append(contrast / max(steepest, 1e-3) / math.sqrt(2 * math.pi) / PX_PER_MM)
    return float(np.median(spreads)) if spreads else math.inf


def _evenly_lit(flat: Pixels, sheet: LayingSheet) -> Pixels:
    """Return a flat sheet as it would look in even light, its paper PAPER_WHITE. Raises NotTeachable."""
    _, paper = _ground(sheet, PX_PER_MM)
    step = 4
    rows, columns = np.nonzero(paper[::step, ::step])
    seen = flat[::step, ::step][rows, columns].astype(np.float64)
    bright = seen.mean(axis=1)
    kept = bright > 0.6 * np.percentile(bright, 80)  # a shadow's core, a thumb, the table beyond the edge
    if float((seen.max(axis=1) >= BURNT).mean()) > MOST_BURNT:
        raise NotTeachable(ViewFault.BURNT_OUT)
    if float(np.median(bright)) < DARK:
        raise NotTeachable(ViewFault.TOO_DARK)
    height, width = flat.shape[:2]
    x, y = columns[kept] * step / width - 0.5, rows[kept] * step / height - 0.5
    design = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)
    levels = np.log(seen[kept] + 1.0)
    planes, *_ = np.linalg.lstsq(design, levels, rcond=None)
    off = np.abs(levels - design @ planes).max(axis=1)
    fair = off < 2.5 * np.median(off) + 0.02
    planes, *_ = np.linalg.lstsq(design[fair], levels[fair], rcond=None)
    # Light changes slowly: worked out coarsely, then grown.
    rows_high, columns_wide = -(-height // COARSE_PX), -(-width // COARSE_PX)
    v, u = np.mgrid[:rows_high, :columns_wide].astype(np.float32)
    u, v = (u + 0.5) / columns_wide - 0.5, (v + 0.5) / rows_high - 0.5
    whole = np.stack([np.ones_like(u), u, v, u * v, u * u, v * v], axis=-1)
    gain = (PAPER_WHITE / np.exp(whole @ planes.astype(np.float32))).astype(np.float32)
    grown = cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.multiply(flat, grown, dtype=cv2.CV_8U)  # type: ignore[return-value]  # cv2's stubs say Mat


def _covered(lit: Pixels, sheet: LayingSheet) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return where the printed ground is not to be seen, and where one can tell; 0 to 1, MAP_PX_PER_MM."""
    shown, _ = _ground(sheet, MAP_PX_PER_MM)
    height, width = shown.shape
    small = cv2.resize(lit, (width, height), interpolation=cv2.INTER_AREA)
    blue, green, red = (channel.astype(np.float32) / PAPER_WHITE for channel in cv2.split(small))
    high, deep = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    slack = 2 * round(CHECK_SLACK_MM * MAP_PX_PER_MM) + 1
    kernel = np.ones((slack, slack), np.uint8)
    soft = cv2.GaussianBlur(shown, (0, 0), 0.15 * MAP_PX_PER_MM)
    most, least = cv2.dilate(soft, kernel), cv2.erode(soft, kernel)
    low = 0.12 + 0.88 * least  # ink is not black
    over = np.maximum(high - (0.12 + 0.88 * most), low - deep)
    painted = high - deep  # ink and paper have no colour
    wrong = np.maximum(np.clip((over - 0.12) / 0.3, 0, 1), np.clip((painted - 0.15) / 0.25, 0, 1))
    can_tell = ((most - least) < TOLD_APART).astype(np.float32)
    left, top, right, bottom = (round(side * MAP_PX_PER_MM) for side in sheet.ground_mm)
    inside = np.zeros_like(wrong)
    inside[top:bottom, left:right] = 1
    if sheet.is_ring:
        inside[:] = 0
        centre, reach = sheet.places[0].centre_mm, sheet.places[0].size_mm[0] / 2 - 1
        spot = (round(centre[0] * MAP_PX_PER_MM), round(centre[1] * MAP_PX_PER_MM))
        cv2.circle(inside, spot, round(reach * MAP_PX_PER_MM), 1.0, -1)
    can_tell *= inside
    return np.asarray(wrong * can_tell, np.float32), can_tell


def _smooth(seen: FlatSheet, window: tuple[slice, slice]) -> NDArray[np.float32]:
    """Return how covered a part of a sheet is, checks taken together."""
    sigma = AROUND_MM * MAP_PX_PER_MM
    wrong = cv2.GaussianBlur(seen.covered[window], (0, 0), sigma)
    told = cv2.GaussianBlur(seen.can_tell[window], (0, 0), sigma)
    return np.asarray(wrong / np.maximum(told, 0.02), np.float32)


def _spot(
    seen: FlatSheet, index: int, *, whole: bool
) -> tuple[tuple[float, float], NDArray[np.float64], float] | None:
    """Return about where a piece lies on a place (mm), its outline about its middle, and its turn."""
    place = seen.sheet.places[index]
    x, y = (np.array(place.centre_mm) * MAP_PX_PER_MM).tolist()
    wide, high = (np.array(place.size_mm) * MAP_PX_PER_MM / 2 + (0 if whole else 4)).tolist()
    top, left = max(0, int(y - high)), max(0, int(x - wide))
    window = (slice(top, int(y + high) + 1), slice(left, int(x + wide) + 1))
    smooth = _smooth(seen, window)
    if whole:
        if float(smooth.mean()) < COVERED:
            return None
        return place.centre_mm, square(place.size_mm), 0.0
    mask = (smooth > COVERED).astype(np.uint8)
    core = cv2.erode(mask, np.ones((9, 9), np.uint8)).astype(bool)
    if core.any():  # its edge is where the map falls to half of what it is on the piece
        mask = (smooth > 0.5 * float(np.median(smooth[core]))).astype(np.uint8)
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(found, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < SMALLEST_MM2 * MAP_PX_PER_MM**2:
        return None
    points = (largest.reshape(-1, 2) + (left, top) + 0.5) / MAP_PX_PER_MM
    reach = np.linalg.norm(points - place.centre_mm, axis=1).max()
    if reach > place.size_mm[0] / 2 - 2:
        raise NotTeachable(ViewFault.TOO_LARGE)
    (cx, cy), _, _ = cv2.minAreaRect(points.astype(np.float32))
    return (float(cx), float(cy)), simplified(np.asarray(points - (cx, cy), float)), 0.0


def _check_size(own: NDArray[np.float64], outline: NDArray[np.float64]) -> None:
    seen, wanted = (cv2.contourArea(one.astype(np.float32)) for one in (own, outline))
    if not 0.6 < seen / max(wanted, 1e-6) < 1.6:
        across = [round(2 * math.sqrt(area / math.pi)) for area in (seen, wanted)]
        raise NotTeachable(ViewFault.OTHER_SIZE, {"seen": across[0], "wanted": across[1]})


def _cut(
    flat: Pixels, centre_mm: tuple[float, float], turn_deg: float, size_mm: tuple[float, float]
) -> Pixels:
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x, y = (c * PX_PER_MM - 0.5 for c in centre_mm)
    x0, y0 = (width - 1) / 2, (height - 1) / 2
    to_sheet = np.array([[cos, -sin, x - cos * x0 + sin * y0], [sin, cos, y - sin * x0 - cos * y0]])
    return np.asarray(
        cv2.warpAffine(
            flat,
            to_sheet,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def _gloss(cut: Pixels, outline_mm: NDArray[np.float64]) -> float:
    """Return how much of a piece a lamp burns out: white, brighter than paper."""
    mask = outline_mask(cut.shape[:2], outline_mm, PX_PER_MM).astype(bool)
    burnt = cut.min(axis=2) >= GLOSS
    return float(burnt[mask].mean()) if mask.any() else 0.0
