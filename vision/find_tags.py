"""Find corner tags (tag36h11) in a picture, blurred and small ones too.

OpenCV's detector finds squares and reads the sharp ones. A square that it cannot read is held
against the tags that we look for by correlation of its pixels, then laid exactly on the best of
them. Defocus melts the cells of a tag together long before its pattern is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.pose import Points, apply

ERROR_CORRECTION = 0.4  # above it 36h11 sees tags on photos without any
WINDOW_PX, HALF_WINDOW_PX = 19, 9  # of the adaptive threshold: one that fits shows more squares than several
CELL_PX = 3
SIDE_PX = 10 * CELL_PX  # six cells, a black border, a white border
CANDIDATE_LEVEL = 0.35
CANDIDATE_CELLS = 0.2  # of a square as it was found, up to a cell off
ACCEPTED_LEVEL = 0.8  # aligned, true tags reach .84 and more
ACCEPTED_CELLS = 0.75  # likeness of the cells alone: true tags reach .9, what else is laid as well at most .6
MIN_SIDE_PX = 9.0
MIN_CONTRAST = 5.0  # grey levels (standard deviation) below which a square is blank
REFINEMENTS = 8
LAID = 1e-3  # the last step moved a corner by less than 0.1 px
FIRST_SHARE, SHARES = 0.6, (0.3, 1.2)  # of a step: a sharper picture than the pattern asks for less
FAR_OFF = 0.2  # so unlike a pattern cannot be laid
MOST_MOVED = 0.15  # of a square's diagonal
HALVED_FROM_PX = 1400  # wide
FEWEST_AT_HALF = 3  # tags; a board shows four
LARGE_TAG_PX = 26.0  # of a side: boards of one table are about as far away, smaller ones need the whole
SEARCH_PX = 36  # in pattern pixels: a good tag's width

_TO_UNIT = np.array([[2 / SIDE_PX, 0, 1 / SIDE_PX - 1], [0, 2 / SIDE_PX, 1 / SIDE_PX - 1], [0, 0, 1]])
_FROM_UNIT = np.linalg.inv(_TO_UNIT)

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class TagPatterns:
    """What the wanted tags look like: ``rows`` (4 turns a tag) are centred and of length one.

    ``steps`` (rows, 8, pixels) tell from what is seen by how much a homography must change.
    """

    numbers: tuple[int, ...]
    rows: NDArray[np.float32]
    pictures: tuple[Grey, ...]
    steps: NDArray[np.float32]

    @classmethod
    def of(cls, numbers: Collection[int]) -> TagPatterns:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
        wanted = tuple(sorted(n for n in set(numbers) if 0 <= n < dictionary.bytesList.shape[0]))
        rows, pictures = [], []
        for number in wanted:
            cells = cv2.aruco.generateImageMarker(dictionary, number, 8)
            sheet = np.pad(cells, 1, constant_values=255)
            large = cv2.resize(sheet, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_NEAREST)
            soft = np.asarray(cv2.GaussianBlur(large, (0, 0), CELL_PX / 2), np.uint8)
            for turn in range(4):
                picture = np.ascontiguousarray(np.rot90(soft, turn))
                row = picture.astype(np.float32).ravel()
                row -= row.mean()
                rows.append(row / np.linalg.norm(row))
                pictures.append(picture)
        stacked = np.array(rows, np.float32).reshape(len(rows), SIDE_PX * SIDE_PX)
        steps = np.array([_steps_of(row) for row in stacked], np.float32)
        return cls(wanted, stacked, tuple(pictures), steps.reshape(len(rows), 8, SIDE_PX * SIDE_PX))


def _steps_of(row: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (8, pixels): the slopes of a pattern under a homography's numbers, solved for them.

    The inverse compositional way (Baker and Matthews 2004). What an even brightness or a stronger
    contrast would do is taken out.
    """
    picture = row.reshape(SIDE_PX, SIDE_PX).astype(float)
    across, down = (np.gradient(picture, axis=axis).ravel() * SIDE_PX / 2 for axis in (1, 0))
    v, u = (a.ravel() for a in (np.mgrid[:SIDE_PX, :SIDE_PX] - (SIDE_PX - 1) / 2) / (SIDE_PX / 2))
    outward = -(across * u + down * v)
    slopes = [across * u, across * v, across, down * u, down * v, down, outward * u, outward * v]
    stacked = np.stack(slopes)
    stacked -= stacked.mean(axis=1, keepdims=True)
    stacked -= np.outer(stacked @ row, row)
    return np.asarray(np.linalg.solve(stacked @ stacked.T, stacked))


@dataclass(frozen=True, slots=True, eq=False)
class SeenTags:
    """The wanted tags seen: the corners (px) of each black square, from its own top left, clockwise.

    ``once`` are those seen at one place. ``doubled`` are numbers seen at two: nobody can tell
    which of them is meant.
    """

    once: Mapping[int, Points]
    doubled: frozenset[int] = frozenset()


def see_tags(pixels: Pixels, patterns: TagPatterns) -> SeenTags:
    """Look for the wanted tags in a whole picture: at half its size first, which shows those of a seat."""
    if not patterns.numbers:  # a box whose boards wear none
        return SeenTags({})
    grey = as_grey(pixels)
    if grey.shape[1] >= HALVED_FROM_PX:
        half = np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        seen = _among(grey, [2 * square + 0.5 for square in _squares(half, HALF_WINDOW_PX)], patterns)
        sides = [float(np.linalg.norm(corners[0] - corners[1])) for corners in seen.once.values()]
        if len(sides) >= FEWEST_AT_HALF and min(sides) >= LARGE_TAG_PX:
            return seen
    return _among(grey, _squares(grey, WINDOW_PX), patterns)


def _among(grey: Grey, squares: Sequence[Points], patterns: TagPatterns) -> SeenTags:
    """Return the wanted tags among squares of a picture."""
    best: dict[int, tuple[float, Points]] = {}
    doubled = set()
    for square, (row, inset) in zip(squares, _names(grey, squares, patterns), strict=True):
        if row < 0:
            continue
        number = patterns.numbers[row // 4]
        if number in best and _inside(best[number][1], square):
            continue
        frame = _frame_of(square, inset)
        if _likeness_of_cells(grey, frame, patterns.pictures[row]) < CANDIDATE_CELLS:
            continue  # spares laying it
        level, corners = lay_tag(grey, frame, patterns, row)
        if level < ACCEPTED_LEVEL:
            continue
        if number in best and not _inside(best[number][1], corners):
            doubled.add(number)
        if number not in best or level > best[number][0]:
            best[number] = (level, corners)
    once = {number: corners for number, (_, corners) in best.items() if number not in doubled}
    return SeenTags(once, frozenset(doubled))


def as_grey(pixels: Pixels) -> Grey:
    """Return a picture in grey; one that is grey already as it is."""
    return pixels if pixels.ndim == 2 else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)


def look_again(pixels: Pixels, expected: Mapping[int, Points], patterns: TagPatterns) -> dict[int, Points]:
    """Look for tags about where they are expected (corners in px), up to a tag's width off."""
    grey = as_grey(pixels)
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


def taken_by_others(pixels: Pixels, expected: Mapping[int, Points], patterns: TagPatterns) -> bool:
    """Tell whether another tag, or the same one turned, is seen where one is expected (corners in px).

    A round board turned by a quarter lays its tags exactly where others of them were.
    """
    grey = as_grey(pixels)
    known = [number for number in expected if number in patterns.numbers]
    names = _names(grey, [expected[number] for number in known], patterns)
    for number, (row, inset) in zip(known, names, strict=True):
        if row in (-1, 4 * patterns.numbers.index(number)):
            continue
        level, _ = lay_tag(grey, _frame_of(expected[number], inset), patterns, row)
        if level >= ACCEPTED_LEVEL:
            return True
    return False


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


def _squares(grey: Grey, window_px: int) -> list[Points]:
    settings = cv2.aruco.DetectorParameters()
    settings.errorCorrectionRate = ERROR_CORRECTION
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = window_px
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    read, _, unread = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    found = [np.asarray(square, float).reshape(4, 2) for square in (*read, *unread)]
    kept = []
    for corners in found:
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        if sides.min() >= MIN_SIDE_PX and sides.max() <= 1.6 * sides.min():
            kept.append(corners)
    return kept


def _inside(tag: Points, square: Points) -> bool:
    """Tell whether a square is the same tag once more (its inner or outer edge)."""
    reach = float(np.linalg.norm(tag[0] - tag[2]))
    return bool(np.linalg.norm(tag.mean(0) - square.mean(0)) < 0.15 * reach)


def _frame_of(square: Points, inset: float) -> NDArray[np.float32]:
    """Return the homography from the pattern's pixels to the picture."""
    low, high = inset - 0.5, SIDE_PX - inset - 0.5
    own = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(own, square.astype(np.float32)), np.float32)


def _names(grey: Grey, squares: Sequence[Points], patterns: TagPatterns) -> list[tuple[int, float]]:
    """Return for each square the likeliest pattern row (-1 for none), and its inset.

    The inset tells whether the square is the tag's black one or the white border around it. All
    squares are sampled in one go.
    """
    if not squares:
        return []
    insets = (float(CELL_PX), 0.0)
    frames = [_frame_of(square, inset) for square in squares for inset in insets]
    x, y = np.meshgrid(np.arange(SIDE_PX, dtype=np.float32), np.arange(SIDE_PX, dtype=np.float32))
    own = np.stack([x.ravel(), y.ravel(), np.ones(SIDE_PX * SIDE_PX, np.float32)])
    spots = np.stack(frames) @ own  # (n, 3, pixels)
    flat = (spots[:, :2] / spots[:, 2:]).astype(np.float32)
    patches = cv2.remap(grey, flat[:, 0], flat[:, 1], cv2.INTER_LINEAR)
    rows = patches.astype(np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(rows, axis=1)
    levels = (rows / np.maximum(length, 1e-3)[:, None]) @ patterns.rows.T
    levels[length < MIN_CONTRAST * SIDE_PX] = -1.0
    answers = []
    for k in range(len(squares)):
        pair = levels[2 * k : 2 * k + 2]
        which, row = divmod(int(pair.argmax()), pair.shape[1])
        answers.append((row if pair.max() > CANDIDATE_LEVEL else -1, insets[which]))
    return answers


def lay_tag(grey: Grey, frame: NDArray[np.float32], patterns: TagPatterns, row: int) -> tuple[float, Points]:
    """Lay a pattern exactly on the picture; return how well it fits (0 to 1) and its corners (px)."""
    exact, seen = frame.astype(float), _under(grey, frame)
    share, before = FIRST_SHARE, np.zeros(8)
    for _ in range(REFINEMENTS):
        level = float(patterns.rows[row] @ seen)
        if level < FAR_OFF:
            return 0.0, np.zeros((4, 2))
        step = patterns.steps[row] @ seen / level
        turned_back = float(before @ (before - step))
        if turned_back > 0:  # as far as the last step proved to be right (Barzilai and Borwein 1988)
            share = float(np.clip(share * (before @ before) / turned_back, *SHARES))
        change = np.eye(3) + share * np.append(step, 0.0).reshape(3, 3)
        exact = exact @ np.linalg.inv(_FROM_UNIT @ change @ _TO_UNIT)
        seen, before = _under(grey, exact), step
        if np.abs(step).max() < LAID:
            break
    edge, inner = SIDE_PX - 0.5, SIDE_PX - CELL_PX - 0.5
    outer = _corners(frame, -0.5, edge)
    laid = _corners(exact, CELL_PX - 0.5, inner)
    if np.linalg.norm(laid.mean(0) - outer.mean(0)) > MOST_MOVED * np.linalg.norm(outer[0] - outer[2]):
        return 0.0, np.zeros((4, 2))  # it slid off to something else
    # A dark square in a light one lies as well as a tag: its cells must be ours, too.
    if _likeness_of_cells(grey, exact, patterns.pictures[row]) < ACCEPTED_CELLS:
        return 0.0, np.zeros((4, 2))
    # Rows are quarter turns of the pattern: name the corners from the tag's own top left.
    return float(patterns.rows[row] @ seen), np.asarray(np.roll(laid, row % 4, axis=0), float)


def _under(grey: Grey, frame: NDArray[Any]) -> NDArray[np.float32]:
    """Return what is seen under a pattern, centred and of length one."""
    patch = cv2.warpPerspective(
        grey,
        frame,
        (SIDE_PX, SIDE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    row = patch.astype(np.float32).ravel()
    row -= row.mean()
    return np.asarray(row / max(float(np.linalg.norm(row)), 1e-3), np.float32)


def _corners(frame: NDArray[Any], low: float, high: float) -> Points:
    """Return the corners (px) of a square of the pattern, from its top left, clockwise."""
    own = np.array([[low, low], [high, low], [high, high], [low, high]])
    return apply(np.asarray(frame, float), own)


def _likeness_of_cells(region: Grey, frame: NDArray[Any], pattern: Grey) -> float:
    """Return the correlation (-1 to 1) of the 36 cells inside a tag's black border."""
    patch = cv2.warpPerspective(
        region, frame, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    inner = slice(2 * CELL_PX, SIDE_PX - 2 * CELL_PX)
    cells = [
        cv2.resize(picture[inner, inner], (6, 6), interpolation=cv2.INTER_AREA).astype(float).ravel()
        for picture in (patch, pattern)
    ]
    if cells[0].std() < 1.0:
        return 0.0
    return float(np.corrcoef(cells[0], cells[1])[0, 1])
