"""``companion dice``: what is read, taught and watched, as people and programs get it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from hardware.simulated.tray import DrawnTray
from vision.dice_commands import dice

FACES = (3, 6)


def run(*words: str):
    return CliRunner().invoke(dice, words)


@pytest.fixture(scope="module")
def photos(tmp_path_factory) -> Path:
    """Return a folder with photos of throws: a white and a red die together, and each alone."""
    folder = tmp_path_factory.mktemp("photos")
    tray = DrawnTray("tray", every_s=0, seed=5, fps=60)
    for name, faces in (("both", FACES), ("one", (2,)), ("two", (4,))):
        tray.throw(*faces)
        for _ in range(5):
            frame = tray.read(timeout_ms=500)
        cv2.imwrite(str(folder / f"{name}.png"), frame.pixels)
    (folder / "text.png").write_text("no picture")
    return folder


def test_a_photo_is_told_line_by_line_with_the_sum(photos):
    told = run("read", str(photos / "both.png"))
    assert told.exit_code == 0
    assert told.stdout.strip().splitlines()[-1].endswith(f"2 dice, {sum(FACES)} in all.")


def test_json_has_every_die_with_its_corners(photos):
    told = json.loads(run("read", "--json", str(photos / "both.png")).stdout)
    assert (told["count"], told["sum"]) == (2, sum(FACES))
    assert sorted(die["value"] for die in told["dice"]) == sorted(FACES)
    assert all(len(die["corners_px"]) == 4 and die["sure"] for die in told["dice"])


def test_what_is_no_picture_and_what_is_not_there_are_said_and_fail(photos):
    told = run("read", str(photos / "text.png"), str(photos / "none.png"))
    assert told.exit_code == 1
    assert "no picture" in told.stderr and "cannot be opened" in told.stderr


def test_kinds_are_told_after_a_few_throws(photos, tmp_path):
    white = str(photos / "one.png"), str(photos / "two.png")
    kept = tmp_path / "lab.json"
    taught = run("teach", str(kept), *(f"white={photo}" for photo in white))
    assert taught.exit_code == 0 and "white: 2 dice seen." in taught.stdout
    told = json.loads(run("read", "--json", "--set", str(kept), str(photos / "both.png")).stdout)
    by_value = {die["value"]: die for die in told["dice"]}
    assert by_value[3]["kind"] == "white"
    assert "kind" not in by_value[6] and by_value[6]["kind_obstacle"] == "not_taught"


def test_a_set_that_was_never_taught_is_named(photos, monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    told = run("read", "--set", "lab", str(photos / "one.png"))
    assert told.exit_code == 1 and "companion dice teach" in told.stderr
    assert run("teach", "lab", "red").exit_code == 2
    assert "There is no box lab" in run("teach", "lab", "--box", f"red={photos / 'one.png'}").stderr


def test_throws_are_told_as_they_come_to_rest(tmp_path):
    tray = DrawnTray("tray", every_s=0, seed=8, fps=60)
    for number, picture in enumerate((None, 2, 5)):
        if picture is not None:
            tray.throw(picture)
        for _ in range(5):
            frame = tray.read(timeout_ms=500)
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.asarray(frame.pixels))
    told = run("watch", str(tmp_path))
    assert told.stdout.splitlines() == ["2   throw 1 of tray", "5   throw 2 of tray"]
    assert run("watch", str(tmp_path), "--area", "1,2").exit_code == 2
