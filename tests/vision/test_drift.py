"""Light that drifts while the eyes watch a real scene: nothing is told but what was laid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.ports import Frame, Pixels, Reading, Strain
from vision.photos import load_photo
from vision.recogniser import OpenCvRecogniser, open_recogniser
from vision.survey import EVERY_FRAMES, PATIENCE

pytestmark = pytest.mark.eyes
SEQUENCE = Path(__file__).parents[2] / "../shared/scenes/A/sequences/seq1"
BEFORE, LAID = "frame_00.jpg", "frame_02.jpg"  # stills without a hand; between them one token was laid
SETTLED_FRAMES = 8
STEPS = 24

Light = Callable[[float], tuple[float, float, float]]
"""Gains of blue, green and red at a share (0 to 1) of the evening."""

DRIFTS: dict[str, Light] = {
    "dusk": lambda share: (1 - 0.6 * share, 1 - 0.6 * share, 1 - 0.6 * share),
    "dawn": lambda share: (1 + 0.35 * share, 1 + 0.35 * share, 1 + 0.35 * share),
    "white balance": lambda share: (1 - 0.3 * share, 1.0, 1 + 0.2 * share),
}
FULL, DUSK = (1.0, 1.0, 1.0), (0.18, 0.18, 0.18)


@pytest.fixture(scope="session")
def eyes(home: Path) -> OpenCvRecogniser:
    return open_recogniser(str(home / "boxes/A"))


class Camera:
    """Shows stills under a light, with a little fresh noise, to a watch that begins in full light."""

    def __init__(self, eyes: OpenCvRecogniser) -> None:
        self.watch = eyes.watch("seat")
        self._stills = {name: load_photo(SEQUENCE / name) for name in (BEFORE, LAID)}
        height, width = self._stills[BEFORE].shape[:2]
        noise = np.random.default_rng(5).normal(0, 2.0, (height + 32, width + 32, 3))
        self._noise = noise.round().astype(np.int16)
        self.size_wh = (width, height)
        self._number = 0
        (self.first,) = self.show(BEFORE)

    def show(
        self,
        name: str,
        *,
        gains: tuple[float, float, float] = FULL,
        shade: Pixels | None = None,
        frames: int = SETTLED_FRAMES,
    ) -> list[Reading]:
        table = np.clip(np.arange(256.0)[:, None] * gains, 0, 255).astype(np.uint8)
        lit = cv2.LUT(self._stills[name], table[None])
        lit = lit if shade is None else cv2.multiply(lit, shade, scale=1 / 255)
        told = []
        for _ in range(frames):
            self._number += 1
            down, right = 7 * self._number % 32, 13 * self._number % 32
            grain = np.ascontiguousarray(
                self._noise[down : down + lit.shape[0], right : right + lit.shape[1]]
            )
            frame = np.asarray(cv2.add(lit, grain, dtype=cv2.CV_8U), np.uint8)
            reading = self.watch.see(Frame(frame, self._number, 200 * self._number))
            told += [] if reading is None else [reading]
        return told

    def drift(self, light: Light) -> list[Reading]:
        told = []
        for step in range(1, STEPS + 1):
            told += self.show(BEFORE, gains=light(step / STEPS), frames=2)
        return told


def changes(before: Reading, now: Reading) -> dict[str, tuple[str, bool]]:
    """Return what reads otherwise now: space, what, and whether that is sure."""
    return {
        str(space): (str(seen.reads), seen.sure)
        for board in now.boards
        for space, seen in now.boards[board].spaces.items()
        if seen.reads != before.boards[board].spaces[space].reads
    }


@pytest.mark.parametrize("name", DRIFTS)
def test_slow_drift_tells_nothing_and_a_token_laid_after_it_is_read_surely(
    eyes: OpenCvRecogniser, name: str
) -> None:
    camera = Camera(eyes)
    assert camera.drift(DRIFTS[name]) == []
    (told,) = camera.show(LAID, gains=DRIFTS[name](1.0))
    assert changes(camera.first, told) == {"reject3": ("rot", True)}


def test_a_lamp_switched_on_and_off_tells_nothing(eyes: OpenCvRecogniser) -> None:
    camera = Camera(eyes)
    told = camera.show(BEFORE, gains=(0.5, 0.55, 0.6)) + camera.show(BEFORE)
    assert [changes(camera.first, reading) for reading in told] == []


def test_light_that_fades_on_one_side_is_measured_anew(eyes: OpenCvRecogniser) -> None:
    camera = Camera(eyes)
    for step in range(1, STEPS + 1):
        shade = shaded(camera.size_wh, 1 - 0.5 * step / STEPS)
        told = camera.show(BEFORE, shade=shade, frames=2)
        assert [changes(camera.first, reading) for reading in told] == []
    (news,) = camera.show(LAID, shade=shade)
    assert changes(camera.first, news) == {"reject3": ("rot", True)}


def test_dusk_is_warned_of_while_reading_is_still_sure_and_a_lamp_withdraws_it(
    eyes: OpenCvRecogniser,
) -> None:
    camera = Camera(eyes)
    frames = PATIENCE * EVERY_FRAMES + SETTLED_FRAMES
    assert camera.watch.standing().cautions == ()
    told = camera.show(BEFORE, gains=DUSK, frames=frames)
    assert [caution.strain for caution in camera.watch.standing().cautions] == [Strain.DIM]
    (news,) = camera.show(LAID, gains=DUSK)
    assert [changes(camera.first, reading) for reading in told] == []
    assert changes(camera.first, news) == {"reject3": ("rot", True)}
    camera.show(LAID, frames=frames)
    assert camera.watch.standing().cautions == ()


def shaded(size_wh: tuple[int, int], least: float) -> Pixels:
    """Return a shade (255: none) that grows darker from left to right."""
    width, height = size_wh
    across = np.linspace(255, 255 * least, width).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(across[None, :, None], (height, width, 3)))
