"""The pips of a face must lie as a lattice: light on dark or dark on light, turned, leaning."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from hardware.simulated.art.dice import DieLook, LaidDie, draw_dice, faces_of, standing
from hardware.simulated.lens import Lens
from vision.dice import judged
from vision.dice_lattice import LatticeFit
from vision.dice_views import READER_FACE_PX, READER_PX, cut_out

FIT = LatticeFit()


def view_of(value: int, turn_deg: float, tilt_deg: float, look: DieLook) -> np.ndarray:
    lens = Lens((240, 240), (0.0, 0.0), 2.6, height_mm=500.0, tilt_deg=tilt_deg)
    picture = np.full((240, 240, 3), 120, np.uint8)
    die = LaidDie(value, standing(0, 0, 16), turn_deg=turn_deg, look=look)
    draw_dice(picture, lens.above, [die])
    corners = faces_of(die, lens.above)[0].corners_px
    side = math.sqrt(abs(float(cv2.contourArea(corners.astype(np.float32)))))
    centre = corners.mean(0)
    return cut_out(picture, (centre[0], centre[1]), side * READER_PX / READER_FACE_PX, READER_PX)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize(("turn_deg", "tilt_deg"), [(0.0, 0.0), (33.0, 12.0), (71.0, 28.0)])
def test_each_pattern_is_known_in_either_contrast(value, turn_deg, tilt_deg):
    for look in (DieLook(), DieLook(body=(60.0, 30.0, 30.0), pip=(230.0, 230.0, 240.0))):
        lattice = FIT.fit(view_of(value, turn_deg, tilt_deg, look))
        assert int(lattice.fits.argmax()) + 1 == value


def test_the_corners_of_the_face_are_about_where_they_are():
    corners = FIT.fit(view_of(5, 0.0, 0.0, DieLook())).corners
    assert np.allclose(sorted(map(tuple, np.abs(corners))), [(0.5, 0.5)] * 4, atol=0.13)


def chances(**classes: float) -> np.ndarray:
    names = ("none", "one", "two", "three", "four", "five", "six", "cocked", "stacked")
    return np.array([classes.get(name, 0.001) for name in names])


AGREES, AGAINST, SILENT = (
    np.array(f) for f in ([0.2] * 3 + [0.9] + [0.5] * 2, [0.95] + [0.4] * 5, [0.8] * 6)
)


def test_an_answer_needs_reader_and_lattice_not_to_contradict_each_other():
    assert judged(chances(four=0.95), AGREES)[::2] == (4, None)
    assert judged(chances(four=0.99), SILENT)[::2] == (4, None)
    assert judged(chances(four=0.99), AGAINST)[2] is not None
    assert judged(chances(four=0.6, five=0.4), SILENT)[2] is not None


def test_cocked_and_stacked_dice_are_said():
    assert judged(chances(cocked=0.7, four=0.2), AGREES)[::2] == (None, "cocked")
    assert judged(chances(stacked=0.7, four=0.2), AGREES)[::2] == (4, "stacked")
