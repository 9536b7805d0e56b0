"""Find corner tags (tag36h11) in a picture, blurred and small ones too.

OpenCV's detector finds squares and reads the sharp ones. A square that it cannot read is held
against the tags that we look for by correlation of its pixels, then laid exactly on the best of
them (ECC). Defocus melts the cells of a tag together long before its pattern is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.pose import Points

ERROR_CORRECTION = 0.4  # above it 36h11 sees tags on photos without any
CELL_PX = 3
SIDE_PX = 10 * CELL_PX  # six cells, a black border, a white border
CANDIDATE_LEVEL = 0.35
ACCEPTED_LEVEL = 0.8  # aligned, true tags reach .84 and more, other squares at most .77
MIN_SIDE_PX = 9.0
MIN_CONTRAST = 5.0  # grey levels (standard deviation) below which a square is blank
REFINEMENTS = 12
SEARCH_PX = 36  # in pattern pixels: a good tag's width

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class TagPatterns:
    """What the wanted tags look like: ``rows`` (4 turns a tag) are centred and of length one."""

    numbers: tuple[int, ...]
    rows: NDArray[np.float32]
    pictures: tuple[Grey, ...]

    @classmethod
    def of(cls, numbers: Collection[int]) -> TagPatterns:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
        wanted = tuple(sorted(n for n in set(numbers) if 0 <= n < dictionary.bytesList.shape[0]))
        rows, pictures = [], []
        for number in wanted:
            cells = cv2.aruco.generateImageMarker(dictionary, number, 8)
            sheet = np.pad(cells, 1, constant_values=255)
            large = cv2.resize(sheet, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_NEAREST)
            soft = cv2.GaussianBlur(large, (0, 0), CELL_PX / 2)
            for turn in range(4):
                picture = np.ascontiguousarray(np.rot90(soft, turn))
                row = picture.astype(np.float32).ravel()
                row -= row.mean()
                rows.append(row / np.linalg.norm(row))
                pictures.append(picture)
        return cls(wanted, np.array(rows, np.float32).reshape(len(rows), SIDE_PX * SIDE_PX), tuple(pictures))


def see_tags(pixels: Pixels, patterns: TagPatterns) -> dict[int, Points]:
    """Return the corners (px) of each wanted tag's black square, from its own top left, clockwise."""
    grey: Grey = (
        pixels if pixels.ndim == 2 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    )
    best: dict[int, tuple[float, Points]] = {}
    for square in _squares(grey):
        found = _name(grey, square, patterns)
        if found is None:
            continue
        row, inset = found
        number = patterns.numbers[row // 4]
        if number in best and _inside(best[number][1], square):
            continue
        level, corners = lay_tag(grey, _frame_of(square, inset), patterns, row)
        if level >= ACCEPTED_LEVEL and (number not in best or level > best[number][0]):
            best[number] = (level, corners)
    return {number: corners for number, (_, corners) in best.items()}


def look_again(pixels: Pixels, expected: Mapping[int, Points], patterns: TagPatterns) -> dict[int, Points]:
    """Look for tags about where they are expected (corners in px), up to a tag's width off."""
    grey: Grey = (
        pixels if pixels.ndim == 2 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    )
    height, width = grey.shape
    found = {}
    for number, corners in expected.items():
        inside = corners.min() > 2 and corners[:, 0].max() < width - 3 and corners[:, 1].max() < height - 3
        if not inside or number not in patterns.numbers:
            continue
        row = 4 * patterns.numbers.index(number)
        frame = _shifted(grey, _frame_of(corners, CELL_PX), patterns.pictures[row])
        level, exact = lay_tag(grey, frame, patterns, row)
        if level >= ACCEPTED_LEVEL:
            found[number] = exact
    return found


def _shifted(grey: Grey, frame: NDArray[np.float32], pattern: Grey) -> NDArray[np.float32]:
    """Return the frame moved to where the pattern fits best nearby."""
    wide = SIDE_PX + 2 * SEARCH_PX
    back = np.array([[1, 0, -SEARCH_PX], [0, 1, -SEARCH_PX], [0, 0, 1]], np.float32)
    patch = cv2.warpPerspective(
        grey, frame @ back, (wide, wide), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    _, _, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(patch, pattern, cv2.TM_CCOEFF_NORMED))
    step = np.array([[1, 0, x - SEARCH_PX], [0, 1, y - SEARCH_PX], [0, 0, 1]], np.float32)
    return np.asarray(frame @ step, np.float32)


def _squares(grey: Grey) -> Iterator[Points]:
    settings = cv2.aruco.DetectorParameters()
    settings.errorCorrectionRate = ERROR_CORRECTION
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    read, _, unread = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    for square in (*read, *unread):
        corners = np.asarray(square, float).reshape(4, 2)
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        if sides.min() >= MIN_SIDE_PX and sides.max() <= 1.6 * sides.min():
            yield corners


def _inside(tag: Points, square: Points) -> bool:
    """Tell whether a square is the same tag once more (its inner or outer edge)."""
    reach = float(np.linalg.norm(tag[0] - tag[2]))
    return bool(np.linalg.norm(tag.mean(0) - square.mean(0)) < 0.15 * reach)


def _frame_of(square: Points, inset: float) -> NDArray[np.float32]:
    """Return the homography from the pattern's pixels to the picture."""
    low, high = inset - 0.5, SIDE_PX - inset - 0.5
    own = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(own, square.astype(np.float32)), np.float32)


def _name(grey: Grey, square: Points, patterns: TagPatterns) -> tuple[int, float] | None:
    """Return the likeliest pattern row and whether the square is the black one or its white border."""
    best, answer = CANDIDATE_LEVEL, None
    for inset in (CELL_PX, 0.0):
        patch = cv2.warpPerspective(
            grey, _frame_of(square, inset), (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        row = patch.astype(np.float32).ravel()
        row -= row.mean()
        length = float(np.linalg.norm(row))
        if length < MIN_CONTRAST * SIDE_PX:
            continue
        levels = patterns.rows @ (row / length)
        if levels.max() > best:
            best, answer = float(levels.max()), (int(levels.argmax()), inset)
    return answer


def lay_tag(grey: Grey, frame: NDArray[np.float32], patterns: TagPatterns, row: int) -> tuple[float, Points]:
    """Lay a pattern exactly on the picture; return how well it fits (0 to 1) and its corners (px)."""
    edge = SIDE_PX - 0.5
    outer = cv2.perspectiveTransform(
        np.array([[[-0.5, -0.5], [edge, -0.5], [edge, edge], [-0.5, edge]]], np.float32), frame
    )[0]
    # ECC takes gradients of all it is given: give it the tag's neighbourhood only.
    margin = 6
    x0, y0 = np.maximum(np.floor(outer.min(0)).astype(int) - margin, 0)
    x1, y1 = np.ceil(outer.max(0)).astype(int) + margin + 1
    region = grey[y0:y1, x0:x1]
    corners = np.zeros((4, 2))
    if min(region.shape) < 8:
        return 0.0, corners
    moved = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float32) @ frame
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, REFINEMENTS, 1e-3)
    try:
        level, moved = cv2.findTransformECC(
            patterns.pictures[row], region, moved, cv2.MOTION_HOMOGRAPHY, stop, None, 1
        )
    except cv2.error:  # it raises when it does not converge
        return 0.0, corners
    low, high = CELL_PX - 0.5, SIDE_PX - CELL_PX - 0.5
    own = np.array([[[low, low], [high, low], [high, high], [low, high]]], np.float32)
    laid = cv2.perspectiveTransform(own, np.asarray(moved, np.float32))[0] + (x0, y0)
    # Rows are quarter turns of the pattern: name the corners from the tag's own top left.
    turn = row % 4
    return float(level), np.asarray(np.roll(laid, turn, axis=0), float)
