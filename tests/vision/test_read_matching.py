"""How badly a patch fits a template: not at all if it is the template, lit a little differently."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.light import to_opponent
from vision.matching import Templates, cut, windows_of


def art(seed: int, side: int = 12) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    return to_opponent(rng.uniform(20, 230, (side, side, 3)).astype(np.float32))


def everything(side: int = 12) -> NDArray[np.float32]:
    return np.ones((side, side), np.float32)


def row(patch: NDArray[np.float32]) -> NDArray[np.float32]:
    return windows_of(patch, (patch.shape[0], patch.shape[1]))[0]


@given(st.integers(0, 50), st.floats(0.85, 1.15))
def test_a_template_fits_itself_brighter_or_darker(seed: int, gain: float) -> None:
    templates = Templates.of([art(seed), art(seed + 1000)], [everything(), everything()])
    same, other = templates.misfits(row(art(seed) * np.float32(gain)))[0]
    assert same < 80 < other


@given(st.integers(0, 50))
def test_what_is_masked_out_does_not_count(seed: int) -> None:
    mask = everything()
    mask[:6] = 0
    covered = art(seed)
    covered[:6] = 0
    templates = Templates.of([art(seed)], [mask])
    assert templates.misfits(row(covered))[0, 0] < 1e-1


@given(st.floats(-30, 30))
def test_a_turned_patch_cut_upright_is_the_art(turn_deg: float) -> None:
    y, x = np.mgrid[:61, :61].astype(np.float32)
    smooth = np.stack([60 + x, 200 - x - y, 2 * y], axis=2)
    turned = cut(smooth, (30.0, 30.0), (61, 61), -turn_deg)
    again = cut(turned, (30.0, 30.0), (21, 21), turn_deg)
    assert np.allclose(again, smooth[20:41, 20:41], atol=1.5)
