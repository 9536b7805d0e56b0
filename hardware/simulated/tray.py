"""A drawn die tray under a drawn camera (entry point ``drawn-tray``): throws to try the eyes on.

Settings: ``every_s``, a throw so often (6; 0: only ``throw`` does); ``seed`` of all chance; ``dice``, how
many are thrown; ``cocked``, which share of throws comes to lie askew; ``fps``.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.options import number, read_options, whole
from companion.ports import DeviceLost, Frame, Pixels
from hardware.cameras.pace import Pace
from hardware.clock import Clock
from hardware.simulated.art.dice import DieLook, LaidDie, Lamp, draw_dice, standing
from hardware.simulated.lens import Lens

OPTIONS = (
    number("every_s", 6, 0, 3600),
    whole("seed", 1, 0, 10**9),
    whole("dice", 1, 1, 6),
    number("cocked", 0, 0, 1),
    number("fps", 5, 0.5, 60),
)
SIZE_WH = (480, 360)
TRAY_MM, RIM_MM, EDGE_MM = (190.0, 140.0), 9.0, 16.0
TUMBLES = 4  # pictures of a die in the air
LEAN_DEG = (18.0, 38.0)
LOOKS = (
    DieLook(),
    DieLook(body=(40.0, 40.0, 190.0), pip=(240.0, 240.0, 240.0)),
    DieLook(body=(170.0, 90.0, 20.0), pip=(240.0, 240.0, 240.0)),
    DieLook(body=(60.0, 150.0, 40.0), pip=(240.0, 240.0, 240.0)),
    DieLook(body=(40.0, 190.0, 235.0), pip=(25.0, 25.0, 25.0)),
    DieLook(body=(35.0, 35.0, 35.0), pip=(235.0, 235.0, 235.0)),
)
"""How the dice of the tray are made, the first one first."""


class DrawnTray:
    """A camera over a tray in which dice are thrown, from whatever thread."""

    def __init__(
        self,
        name: str,
        *,
        every_s: float = 6,
        seed: int = 1,
        dice: int = 1,
        cocked: float = 0,
        fps: float = 5,
        clock: Clock | None = None,
    ) -> None:
        self.name = name
        self._every, self._count, self._cocked = round(every_s * fps), dice, cocked
        self._chance, self._noise = Random(seed), np.random.default_rng(seed)
        self._lens = Lens(SIZE_WH, (0.0, 0.0), 2.2, height_mm=520.0, tilt_deg=3.0, k1=-0.02)
        self._ground = _tray(self._lens, seed)
        self._pace = Pace(fps, clock or Clock())
        self._lock = threading.Lock()
        self._coming: deque[tuple[LaidDie, ...]] = deque()
        self._resting: tuple[LaidDie, ...] = ()
        self._still: Pixels | None = None
        self._number = 0
        self._is_closed = False

    def throw(self, *faces: int, is_cocked: bool = False) -> None:
        """Throw dice so that these faces look up. Raises ValueError for a face that no die has."""
        if not all(1 <= face <= 6 for face in faces):
            raise ValueError(f"{faces} cannot be thrown; a die has the faces 1 to 6.")
        with self._lock:
            for _ in range(TUMBLES):
                self._coming.append(self._laid(faces, is_in_air=True))
            self._coming.append(self._laid(faces, is_cocked=is_cocked))

    def clear(self) -> None:
        """Take all dice out of the tray."""
        with self._lock:
            self._coming.append(())

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for the next picture; None when it is not due in time. Raises DeviceLost once closed."""
        if self._is_closed:
            raise DeviceLost(f"The camera {self.name} was closed.")
        at_ms = self._pace.wait(timeout_ms=timeout_ms)
        if at_ms is None:
            return None
        self._number += 1
        if self._every and self._number % self._every == 0:
            faces = [self._chance.randint(1, 6) for _ in range(self._count)]
            self.throw(*faces, is_cocked=self._chance.random() < self._cocked)
        return Frame(self._picture(), self._number, at_ms, self.name)

    def close(self) -> None:
        self._is_closed = True

    def _picture(self) -> Pixels:
        with self._lock:
            if self._coming:
                self._resting, self._still = self._coming.popleft(), None
        if self._still is None:
            self._still = self._ground.copy()
            draw_dice(self._still, self._lens.above, self._resting, Lamp(shadow=0.35))
        grain = self._noise.normal(0, 1.4, self._still.shape)
        return np.clip(self._still + grain, 0, 255).astype(np.uint8)

    def _laid(
        self, faces: Sequence[int], *, is_in_air: bool = False, is_cocked: bool = False
    ) -> tuple[LaidDie, ...]:
        """Lay dice at random, none upon another; the first of them askew if the throw is cocked."""
        laid: list[LaidDie] = []
        chance = self._chance
        for place, face in enumerate(faces):
            x, y = self._free_spot(laid)
            die = LaidDie(face, standing(x, y, EDGE_MM), EDGE_MM, chance.uniform(0, 360), look=LOOKS[place])
            if is_in_air:
                height = EDGE_MM * chance.uniform(1, 2)
                tumbling = chance.uniform(25, 60)
                die = replace(
                    die, value=chance.randint(1, 6), centre_mm=(x, y, height), lean_deg=tumbling, spin=1
                )
            elif is_cocked and place == 0:
                lean = chance.uniform(*LEAN_DEG)
                turn = math.radians(lean)
                height = EDGE_MM / 2 * (math.cos(turn) + math.sin(turn))
                way = 90.0 * chance.randrange(4) + die.turn_deg
                die = replace(die, centre_mm=(x, y, height), lean_deg=lean, lean_way_deg=way)
            laid.append(replace(die, spin=chance.randrange(4)))
        return tuple(laid)

    def _free_spot(self, laid: Sequence[LaidDie]) -> tuple[float, float]:
        reach = [side / 2 - RIM_MM - EDGE_MM for side in TRAY_MM]
        while True:
            x, y = (self._chance.uniform(-most, most) for most in reach)
            if all(math.dist((x, y), die.centre_mm[:2]) > 1.8 * EDGE_MM for die in laid):
                return x, y


def _tray(lens: Lens, seed: int) -> Pixels:
    """Draw a tray of wood, laid out with felt, on a table."""
    width, height = lens.size_wh
    noise = np.random.default_rng(seed)
    picture = np.full((height, width, 3), (62.0, 74.0, 88.0), np.float32)
    for half, shade in ((0.0, (58.0, 92.0, 128.0)), (RIM_MM, (66.0, 86.0, 44.0))):
        x, y = TRAY_MM[0] / 2 - half, TRAY_MM[1] / 2 - half
        corners = lens.to_px(np.array([(-x, -y), (x, -y), (x, y), (-x, y)]))
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), shade, cv2.LINE_AA, 4)
    rough = noise.normal(1, 0.06, (height, width)).astype(np.float32)
    picture *= np.asarray(cv2.GaussianBlur(rough, (0, 0), 0.8), np.float32)[..., None]
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6), 0, 255).astype(np.uint8)


def open_camera(name: str, settings: Mapping[str, Any]) -> DrawnTray:
    """Open a drawn tray. Raises ValueError for settings that make no sense."""
    options = read_options(f"camera {name}", settings, OPTIONS)
    return DrawnTray(name, **options)
