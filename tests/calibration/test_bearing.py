"""How much strain a box bears is found with few tries, on pictures that really are strained."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.bearing import LADDERS, Strained, Tried, last_bearable, photograph

CANVAS = np.random.default_rng(2).uniform(40, 200, (120, 160, 3)).astype(np.float32)


@pytest.mark.parametrize("bears", range(8))
def test_the_last_bearable_step_is_found_in_three_tries(bears: int) -> None:
    ladder, tries = LADDERS["dim"], []

    def attempt(step: Strained) -> Tried:
        tries.append(step)
        return Tried(0.99 if ladder.index(step) < bears else 0.5, {"dim": step.light})

    best = last_bearable(ladder, attempt, 0.9)
    assert (None if best is None else best.measures["dim"]) == (ladder[bears - 1].light if bears else None)
    assert len(tries) == 3


def contrast(step: Strained) -> float:
    return float(photograph(CANVAS, step).astype(float).std())


def test_each_ladder_leads_from_bad_to_worse() -> None:
    for name in ("dim", "far", "blurred"):
        steps = [contrast(step) for step in LADDERS[name][::3]]
        assert steps == sorted(steps, reverse=True), name
    tints = [photograph(CANVAS, step).astype(float).mean(axis=(0, 1)) for step in LADDERS["tinted"]]
    spread = [float(colour[2] / colour[0]) for colour in tints]
    assert spread == sorted(spread)


def test_a_photo_keeps_the_scale_of_the_art() -> None:
    assert photograph(CANVAS, Strained(px_per_mm=0.7)).shape == CANVAS.shape
