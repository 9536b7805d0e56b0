"""Art is laid exactly where it lies, and its shape is told apart from its colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.likeness import Patterns, contrast_of, doubts, lay, misfits_of, planes_of
from vision.matching import cut

SIDE = 28
MIDDLE = 39.5
FIRST = np.zeros(1, np.intp)


def table(seed: int = 1) -> NDArray[np.float32]:
    rough = np.random.default_rng(seed).uniform(0, 255, (80, 80, 3)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(rough, (0, 0), 3) * 3, np.float32)


def disc() -> NDArray[np.float32]:
    y, x = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    return np.asarray(np.hypot(x, y) < 11, np.float32)


def piece(seed: int = 1) -> Patterns:
    return Patterns.of([cut(table(seed), (MIDDLE, MIDDLE), (SIDE, SIDE))], [disc()])


@settings(max_examples=25, deadline=None)
@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-6, 6))
def test_a_piece_is_laid_where_it_lies_to_a_twentieth_of_a_pixel(
    right: float, down: float, turn: float
) -> None:
    about = np.array([[MIDDLE + right, MIDDLE + down]])
    laid = lay([table()], piece(), FIRST, about, np.array([turn]), rounds=4)
    assert laid.spots_px[0] == pytest.approx((MIDDLE, MIDDLE), abs=0.05)
    assert laid.turns_deg[0] == pytest.approx(0.0, abs=0.2)
    assert piece().likeness(laid.seen, FIRST)[0] > 0.999


@settings(deadline=None)
@given(st.floats(0.4, 1.6), st.floats(-40, 60), st.floats(-3, 3))
def test_no_lamp_veil_or_slope_of_light_changes_a_shape(gain: float, veil: float, slope: float) -> None:
    seen = cut(table(), (MIDDLE, MIDDLE), (SIDE, SIDE)) * np.float32(gain) + np.float32(veil)
    seen += np.float32(slope) * np.arange(SIDE, dtype=np.float32)[None, :, None]
    assert piece().likeness(planes_of(seen[None]), FIRST)[0] == pytest.approx(1.0, abs=1e-3)


def test_a_plain_disc_of_the_right_colour_has_no_shape() -> None:
    art = piece()
    plain = art.art.sum(axis=2, keepdims=True) / art.masks.sum() + np.zeros_like(art.art)
    assert abs(art.likeness(plain, FIRST)[0]) < 0.1


def test_another_piece_is_unlike_and_fits_worse() -> None:
    art, other = piece(1), piece(2)
    assert art.likeness(other.art, FIRST)[0] < 0.5
    assert art.misfits(art.art, FIRST)[0] < 1 < art.misfits(other.art, FIRST)[0]
    levels = doubts(np.array([1.0, 1.0], np.float32), np.array([0.9, 0.2], np.float32))
    assert levels[0] < levels[1]


def test_what_is_masked_out_counts_nowhere() -> None:
    seen, art = piece(1).art, piece(2).art
    mask = np.zeros((1, SIDE * SIDE), np.float32)
    assert misfits_of(seen, art, mask)[0] == 0
    assert contrast_of(seen, mask)[0] == 0
