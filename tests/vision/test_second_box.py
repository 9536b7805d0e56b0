"""A box with other art, other boards and other pieces: our own drawn one, taught from its own scans."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board import BoardId
from companion.ports import Frame, Pixels, Reading
from hardware.simulated.contents import contents_of
from hardware.simulated.table import Setting, SimulatedTable
from vision.box import load_box
from vision.find_tags import TagPatterns, as_grey, see_tags
from vision.reader import Reader
from vision.recogniser import OpenCvRecogniser

pytestmark = [pytest.mark.eyes, pytest.mark.timeout(300)]

SEATS = ("red", "blue", "green", "yellow")
CENTRAL = BoardId("central")
CONTENTS = contents_of("making_monsters")
SETTLED = 25  # frames, five seconds
PLASTER = 1.5  # a marker with its white border, to the marker


@pytest.fixture(scope="module")
def eyes(stand_in: Path) -> OpenCvRecogniser:
    return OpenCvRecogniser(Reader(load_box(stand_in)))


@pytest.fixture
def table() -> Iterator[SimulatedTable]:
    table = SimulatedTable(CONTENTS, Setting(SEATS, 22, 100.0))
    table.do({"do": "set_up", "seats": list(SEATS), "rot_track": 8})
    yield table
    table.close()


def picture(table: SimulatedTable, camera: str, eyes: OpenCvRecogniser, *, has_markers: bool) -> Pixels:
    """What a camera sees, its corner markers plastered over unless it has them."""
    scene = table.feeds[camera].scene
    _, coded = cv2.imencode(".jpg", scene.lit(scene.render(table.world)))
    pixels = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    if not has_markers:
        patterns = TagPatterns.of(eyes.reader.box.tag_numbers)
        for corners in see_tags(as_grey(pixels), patterns).once.values():
            middle = corners.mean(axis=0)
            plaster = np.rint(middle + (corners - middle) * PLASTER).astype(np.int32)
            cv2.fillPoly(pixels, [plaster], (120, 125, 130))
    return pixels


def carts(reading: Reading) -> dict[str, str]:
    """Return which tile lies where on the carts, by space."""
    spaces = reading.boards[CENTRAL].spaces
    return {space: seen.reads for space, seen in spaces.items() if space.startswith("cart") and seen.sure}


@pytest.mark.parametrize("has_markers", [True, False], ids=["markers", "print"])
def test_a_centre_that_is_turned_while_nobody_looks_is_read_as_it_lies(
    eyes: OpenCvRecogniser, table: SimulatedTable, has_markers: bool
) -> None:
    watch = eyes.watch("centre")
    lying = {
        place.removeprefix("central/"): pieces[-1]
        for place, pieces in table.truth()["places"].items()
        if place.startswith("central/cart")
    }
    number = 0
    for quarter in range(4):
        told = None
        pixels = picture(table, "centre", eyes, has_markers=has_markers)
        for _ in range(SETTLED):
            told = watch.see(Frame(pixels, number, 200 * number)) or told
            number += 1
        assert told is not None
        away_deg = (told.boards[CENTRAL].rotation_deg - 90 * quarter + 180) % 360 - 180
        assert abs(away_deg) < 3
        seen = carts(told)
        assert seen.items() <= lying.items()
        assert len(seen) >= len(lying) - 1
        table.do({"do": "turn", "quarters": 1})


@pytest.mark.parametrize("seat", SEATS)
def test_labs_without_markers_are_found_and_named(
    eyes: OpenCvRecogniser, table: SimulatedTable, seat: str
) -> None:
    (exact,) = eyes.reader.find(picture(table, f"lab_{seat}", eyes, has_markers=True))
    (pose,) = eyes.reader.find(picture(table, f"lab_{seat}", eyes, has_markers=False))
    assert (pose.board, pose.found_by) == (f"lab_{seat}", "print")
    away_px = np.linalg.norm(np.array(pose.corners_px) - exact.corners_px, axis=1)
    assert float(np.median(away_px)) < 2
