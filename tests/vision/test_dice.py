"""Dice anywhere in a picture: drawn ones on any ground, and a few real photographs under other names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.ports import DieReading, Obstacle
from hardware.simulated.art.dice import DieLook, LaidDie, draw_dice, standing
from hardware.simulated.lens import Lens
from vision.dice import DiceEyes, judged
from vision.photos import load_photo

PHOTOS = Path(__file__).parents[3] / "shared/photos/dice"
LENS = Lens((420, 300), (0.0, 0.0), 2.2, height_mm=500.0, tilt_deg=4.0)
WHITE = (240.0, 240.0, 240.0)


@pytest.fixture(scope="module")
def eyes() -> DiceEyes:
    return DiceEyes(tilt_deg=4.0)


def drawn(*dice: LaidDie) -> np.ndarray:
    picture = np.full((300, 420, 3), (70, 110, 60), np.uint8)
    draw_dice(picture, LENS.above, dice)
    grain = np.random.default_rng(0).normal(0, 2, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def test_six_dice_of_six_colours_are_read_with_their_places(eyes):
    bodies = ((235, 240, 240), (40, 40, 190), (170, 80, 30), (30, 30, 30), (40, 180, 230), (150, 60, 130))
    spots = [((place % 3 - 1) * 45.0, (place // 3 - 0.5) * 50.0) for place in range(6)]
    dice = [
        LaidDie(
            value,
            standing(*spots[value - 1], 16),
            turn_deg=17.0 * value,
            look=DieLook(body=bodies[value - 1], pip=(25.0, 25.0, 25.0) if value in (1, 5) else WHITE),
        )
        for value in range(1, 7)
    ]
    found = eyes.read(drawn(*dice))
    assert sorted(die.value for die in found) == [1, 2, 3, 4, 5, 6]
    assert all(die.sure and die.obstacle is None for die in found)
    for die in found:
        top = LENS.above(np.array([(*spots[die.value - 1], 16.0)]))[0]
        assert np.hypot(*(np.array(die.centre_px) - top)) < 6


def test_a_leaning_die_is_cocked_and_has_no_value(eyes):
    die = LaidDie(3, (0.0, 0.0, 10.7), turn_deg=20.0, lean_deg=30.0, lean_way_deg=110.0)
    found = eyes.read(drawn(die))
    assert len(found) == 1
    assert not found[0].sure
    assert (found[0].value, found[0].obstacle) == (None, Obstacle.COCKED)


def test_a_die_that_leans_as_likely_as_it_shows_a_value_is_asked_about():
    fits = np.array([0.2, 0.6, 0.97, 0.4, 0.5, 0.4])
    clear = np.array([0, 0, 0, 0.6, 0, 0, 0, 0.2, 0.2])
    assert judged(clear, fits)[::2] == (3, None)
    doubtful = np.array([0, 0, 0, 0.47, 0, 0, 0, 0.26, 0.27])  # a row of a six, read as a three
    assert judged(doubtful, fits)[::2] == (3, Obstacle.TWO_CANDIDATES)


def test_an_empty_picture_shows_no_die(eyes):
    assert eyes.read(drawn()) == ()


@pytest.mark.eyes
@pytest.mark.parametrize("name", ["wk_20211119_172031.jpg", "nb_20191209_100308.jpg"])
def test_a_photograph_under_another_name_is_read_without_a_mistake(eyes, name, tmp_path):
    shutil.copyfile(PHOTOS / name, tmp_path / "picture.jpg")
    truth = json.loads((PHOTOS / "labels.json").read_text())["images"][name]["dice"]
    found = [die for die in eyes.read(load_photo(tmp_path / "picture.jpg")) if die.sure]
    assert len(found) >= 0.6 * len(truth)
    for die in found:
        assert die.value == _nearest(die, truth)["value"]


def _nearest(die: DieReading, truth: list) -> dict:
    return min(truth, key=lambda each: np.hypot(*(np.array(each["center"]) - die.centre_px)))
