"""Dice as the simulated table draws them are dice: sides add up, what is told to look up looks up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.ports import DeviceLost
from companion.testkit import CameraContract
from hardware.simulated.art.dice import PIPS, DieLook, LaidDie, draw_dice, faces_of, standing
from hardware.simulated.lens import Lens
from hardware.simulated.tray import DrawnTray, open_camera

LENS = Lens((320, 240), (0.0, 0.0), 2.0, height_mm=400.0, tilt_deg=25.0)


@pytest.mark.parametrize("value", range(1, 7))
def test_the_face_that_was_asked_for_looks_up_and_no_opposite_sides_are_seen(value):
    for spin in range(4):
        seen = faces_of(LaidDie(value, standing(5, 60, 16), turn_deg=20.0, spin=spin), LENS.above)
        assert seen[0].value == value
        values = [face.value for face in seen]
        assert 1 <= len(values) <= 3
        assert not any(7 - each in values for each in values)


def test_a_face_has_as_many_pips_as_it_counts():
    assert {value: len(spots) for value, spots in PIPS.items()} == {v: v for v in range(1, 7)}


def test_a_die_is_drawn_where_it_stands_and_throws_a_shadow():
    ground = np.full((240, 320, 3), 160, np.uint8)
    picture = ground.copy()
    die = LaidDie(6, standing(0, 0, 16), look=DieLook(body=(40.0, 40.0, 200.0), pip=(255.0, 255.0, 255.0)))
    draw_dice(picture, LENS.above, [die])
    middle = faces_of(die, LENS.above)[0].corners_px.mean(0).astype(int)
    body = picture[middle[1], middle[0]].astype(int)
    assert body[2] > body[0] + 60
    darker = (picture.astype(int) - ground).sum(-1) < -60
    assert 0 < darker.mean() < 0.2
    assert np.array_equal(picture[:10], ground[:10])


def test_points_on_the_table_are_where_the_lens_has_always_had_them():
    flat = np.array([(0.0, 0.0), (30.0, -20.0)])
    assert np.allclose(LENS.to_px(flat), LENS.above(np.column_stack([flat, np.zeros(2)])))


class TestDrawnTray(CameraContract):
    def open_camera(self, folder: Path):
        return open_camera("tray", {"fps": 60, "every_s": 1})


def test_a_face_that_no_die_has_cannot_be_thrown():
    tray = DrawnTray("tray")
    with pytest.raises(ValueError, match="1 to 6"):
        tray.throw(7)
    tray.close()
    with pytest.raises(DeviceLost):
        tray.read(timeout_ms=1)
