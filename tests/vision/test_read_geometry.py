"""Poses and lenses: what they map there they map back."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.board import BoardId
from vision.pose import BoardPose, Lens

bends = st.floats(-0.1, 0.05)
turns = st.floats(0, 359.9)


def posed(turn_deg: float, bend: float) -> BoardPose:
    """A board of 420 x 300 mm, turned in a picture of 1920 x 1080 px, seen a little from the side."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    middle = np.array([[1, 0, -210.0], [0, 1, -150.0], [0, 0, 1]])
    spin = np.array([[2 * cos, -2 * sin, 960.0], [2 * sin, 2 * cos, 540.0], [1e-5, 5e-5, 1]])
    return BoardPose(BoardId("lab"), spin @ middle, Lens.of_picture(1920, 1080, bend), (420.0, 300.0))


@given(bends, st.floats(0, 1920), st.floats(0, 1080))
def test_a_lens_undoes_what_it_bends(bend: float, x: float, y: float) -> None:
    lens = Lens.of_picture(1920, 1080, bend)
    spot = np.array([[x, y]])
    assert np.allclose(lens.to_stored(lens.to_straight(spot)), spot, atol=0.05)


@given(turns, bends, st.floats(0, 420), st.floats(0, 300))
def test_a_point_of_a_board_is_found_again_under_its_pixel(
    turn_deg: float, bend: float, x_mm: float, y_mm: float
) -> None:
    pose = posed(turn_deg, bend)
    spot = np.array([[x_mm, y_mm]])
    assert np.allclose(pose.locate(pose.project(spot)), spot, atol=0.05)


@given(turns)
def test_a_board_says_how_far_it_is_turned(turn_deg: float) -> None:
    off = (posed(turn_deg, 0.0).rotation_deg - turn_deg + 180) % 360 - 180
    assert abs(off) < 2.0


def test_corners_go_clockwise_from_the_top_left() -> None:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = posed(0.0, 0.0).corners_px
    assert ax < bx and ay < dy and cx > dx and cy > by
