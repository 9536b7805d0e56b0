"""A scan that lies a little beside its layout and a little turned is laid straight."""

from __future__ import annotations

import math

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.align import Placement, place_scan, straighten
from companion.ports import Pixels

SIZE = (120.0, 80.0)
PX_PER_MM = 4.0
SQUARES = [
    np.array([[x, y], [x + w, y], [x + w, y + w], [x, y + w]], float)
    for x, y, w in ((12, 12, 18), (70, 10, 24), (20, 48, 22), (85, 50, 16))
]


def scan(shift_mm: tuple[float, float], turn_deg: float) -> Pixels:
    """A grey board with squares drawn on it, scanned askew."""
    placement = Placement(turn_deg, shift_mm, (SIZE[0] / 2, SIZE[1] / 2))
    matrix = placement.matrix(PX_PER_MM)
    pixels = np.full((int(SIZE[1] * PX_PER_MM), int(SIZE[0] * PX_PER_MM), 3), 120, np.uint8)
    for square in SQUARES:
        points = square @ matrix[:, :2].T + matrix[:, 2]
        cv2.polylines(
            pixels, [np.rint(points * 16).astype(np.int32)], True, (240, 240, 240), 3, cv2.LINE_AA, 4
        )
    return pixels


@settings(max_examples=15, deadline=None)
@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-1.0, 1.0))
def test_shift_and_turn_of_a_scan_are_found(dx: float, dy: float, turn_deg: float) -> None:
    found = place_scan(scan((dx, dy), turn_deg), PX_PER_MM, SQUARES, SIZE)
    assert math.dist(found.shift_mm, (dx, dy)) < 0.25
    assert abs(found.turn_deg - turn_deg) < 0.25


def test_a_straightened_scan_has_its_lines_where_the_layout_says() -> None:
    askew = scan((1.0, -0.8), 0.9)
    found = place_scan(askew, PX_PER_MM, SQUARES, SIZE)
    straight = straighten(askew, PX_PER_MM, found, SIZE, 2.0)
    assert straight.shape == (160, 240, 3)

    def brightness(square: NDArray[np.float64]) -> float:
        middles = (square + np.roll(square, -1, axis=0)) / 2 * 2.0 - 0.5
        return float(np.mean([straight[round(y), round(x), 0] for x, y in middles]))

    assert min(brightness(square) for square in SQUARES) > 160


def test_a_scan_without_outlines_is_left_as_it_is() -> None:
    assert place_scan(scan((0, 0), 0), PX_PER_MM, [], SIZE).shift_mm == (0.0, 0.0)
