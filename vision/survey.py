"""Warns before readings get poor: now and then a glimpse at each board while nothing moves.

What strains a board is said after several glimpses agree and withdrawn after several no longer do;
between these nothing is sent. Holds no pictures.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from companion.board import BoardId, SpaceId
from companion.ports import HIDDEN, Caution, Obstacle, Pixels, SpaceReading, Strain
from vision.box import TaughtBox
from vision.places import MARKER
from vision.pose import BoardPose
from vision.strain import Doubts, Glimpse, strains, token_mm

log = logging.getLogger(__name__)

EVERY_FRAMES = 10  # settled ones: two seconds at 5 frames a second
PATIENCE = 3  # glimpses in a row
MOST = 0.5  # of the boards in view, at least two: then it is said of the table, not of each
SWINGS = 8  # glimpses by which a flicker is told
SWING = 0.05  # of the light, up and down in turn; dusk and clouds go one way


class Survey:
    """The cautions of one camera. ``glance_at`` gives a glimpse of a board."""

    def __init__(self, box: TaughtBox, glance_at: Callable[[Pixels, BoardPose], Glimpse | None]) -> None:
        self._bearing = box.bearing
        self._token_mm = token_mm(box)
        self._glance_at = glance_at
        self._frames = 0
        self._counts: dict[tuple[BoardId, Strain], int] = {}  # glimpses in a row that speak for a change
        self._said: dict[tuple[BoardId, Strain], Caution] = {}
        self._light: dict[BoardId, deque[float]] = {}

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Return what is to be said: of each board, or once where it is so of most."""
        boards = set(self._light)
        told = []
        for strain in Strain:
            here = {board: caution for (board, s), caution in self._said.items() if s is strain}
            if len(here) >= 2 and len(here) > MOST * len(boards):
                told.append(min(here.values(), key=lambda caution: caution.seen))
            else:
                told += [replace(here[board], board=board) for board in sorted(here)]
        return tuple(told)

    def rest(
        self,
        pixels: Pixels,
        poses: Mapping[BoardId, BoardPose],
        shown: Callable[[BoardId], Mapping[SpaceId, SpaceReading]],
    ) -> None:
        """Take in a settled frame on which nothing is to be read; ``shown`` is what a board reads."""
        self._frames += 1
        if self._frames < EVERY_FRAMES:
            return
        self._frames = 0
        self._forget(set(self._light) - set(poses))
        for board, pose in poses.items():
            seen = self._glance_at(pixels, pose)
            if seen is not None:
                self._take_in(board, seen, doubts_of(shown(board)))

    def _take_in(self, board: BoardId, seen: Glimpse, doubts: Doubts) -> None:
        lights = self._light.setdefault(board, deque(maxlen=SWINGS))
        lights.append(seen.light)
        said = {strain for own, strain in self._said if own == board}
        found = {
            caution.strain: caution
            for caution in strains(seen, doubts, self._bearing, said=said, token_mm=self._token_mm)
        }
        if flickers(lights):
            found[Strain.FLICKER] = Caution(Strain.FLICKER)
        for strain in Strain:
            self._weigh((board, strain), found.get(strain))

    def _weigh(self, key: tuple[BoardId, Strain], caution: Caution | None) -> None:
        """Count a glimpse for or against a caution; say or withdraw it once enough agree."""
        if (caution is not None) == (key in self._said):
            self._counts.pop(key, None)
            return
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] < PATIENCE:
            return
        del self._counts[key]
        if caution is None:
            del self._said[key]
            log.info("%s: no longer %s", *key)
        else:
            self._said[key] = caution
            log.warning("%s: hard to read, %s", *key)

    def _forget(self, gone: Iterable[BoardId]) -> None:
        for board in gone:
            del self._light[board]
            for strain in Strain:
                self._said.pop((board, strain), None)
                self._counts.pop((board, strain), None)


def doubts_of(spaces: Mapping[SpaceId, SpaceReading]) -> Doubts:
    """Count the spaces that can be seen, and those that were read unsurely.

    Pieces never taught are left out, and markers: no lamp tells those on one step of a track apart.
    """
    printed = (space for name, space in spaces.items() if not name.startswith(MARKER))
    seen = [space for space in printed if space.reads != HIDDEN]
    unsure = [space for space in seen if not space.sure and space.obstacle is not Obstacle.NOT_TAUGHT]
    return Doubts(len(unsure), len(seen))


def flickers(lights: Iterable[float]) -> bool:
    """Tell whether the light went up and down in turn, and by enough to be seen."""
    values = np.array(list(lights))
    if len(values) < SWINGS:
        return False
    steps = np.diff(values) / values[:-1]
    turns = int((steps[1:] * steps[:-1] < 0).sum())
    return bool(turns >= SWINGS // 2 and np.median(np.abs(steps)) >= SWING)
