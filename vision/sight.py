"""What reading a board works on: the flattened picture in the colours of its art, and that art."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardLayout, Space
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.cover import CELL_LEVEL, covered_cells
from vision.flatten import flatten
from vision.light import Colours, Light, measure_light, to_opponent
from vision.matching import halvings
from vision.pose import BoardPose
from vision.refine import drift_of
from vision.tones import is_colourless
from vision.wardrobe import Wardrobe


@dataclass(frozen=True, eq=False)
class BoardSight:
    """One board of one picture, flattened, in the colours of its art."""

    pose: BoardPose
    layout: BoardLayout
    flat: Pixels
    inside: NDArray[np.bool_]
    light: Light
    bare: tuple[Colours, ...]  # the art of the empty board, softened; halved once, twice and three times
    drift: NDArray[np.float64]  # (2, 3): from where art should be to where it is, px

    @property
    def expected(self) -> Colours:
        return self.bare[0]

    @cached_property
    def picture(self) -> Colours:
        return to_opponent(self.light.undo(self.flat))

    @cached_property
    def half(self) -> Colours:
        """Return the picture halved, without making the whole one."""
        height, width = self.flat.shape[0] // 2, self.flat.shape[1] // 2
        small = cv2.resize(
            self.flat[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA
        )
        return to_opponent(self.light.undo(np.asarray(small, np.uint8)))

    @cached_property
    def pyramid(self) -> Mapping[int, Colours]:
        """Return the picture by how often it was halved: once, twice and three times."""
        return dict(enumerate(halvings(self.half, 2), start=1))

    @cached_property
    def covered(self) -> NDArray[np.bool_] | None:
        """Return which cells of the board an arm covers; None when none does."""
        return covered_cells(self.pyramid[CELL_LEVEL], self.light)

    def seen_px(self, spot_mm: tuple[float, float]) -> tuple[float, float]:
        """Return where a point of the board's art lies in the flattened picture."""
        x, y = self.drift[:, :2] @ np.array(centre_px(spot_mm)) + self.drift[:, 2]
        return float(x), float(y)

    @cached_property
    def is_whole(self) -> bool:
        """Tell whether the whole board lies inside the picture."""
        return bool(self.inside.all())

    def inside_share(self, space: Space) -> float:
        """Return how much of a space lies inside the picture."""
        if self.is_whole:
            return 1.0
        outline = np.asarray(space.outline_mm) * ART_PX_PER_MM
        height, width = self.inside.shape
        x0, y0 = np.clip(np.floor(outline.min(0)).astype(int), 0, (width - 1, height - 1))
        x1, y1 = np.clip(np.ceil(outline.max(0)).astype(int), 1, (width, height))
        return float(self.inside[y0:y1, x0:x1].mean())


def see_board(pixels: Pixels, pose: BoardPose, wardrobe: Wardrobe) -> BoardSight | None:
    """Flatten a board and undo its light; None when too little of it looks like its art."""
    flat, inside = flatten(pixels, pose)
    return sight_of(flat, inside, pose, wardrobe)


def sight_of(
    flat: Pixels, inside: NDArray[np.bool_], pose: BoardPose, wardrobe: Wardrobe
) -> BoardSight | None:
    """Undo the light on a flattened board; None when too little of it looks like its art."""
    art = wardrobe.box.boards[pose.board]
    flat, inside = flat[: art.shape[0], : art.shape[1]], inside[: art.shape[0], : art.shape[1]]
    if is_colourless(flat):
        return None
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    ground = wardrobe.ground(pose.board)
    drift = drift_of(grey, ground)
    light = measure_light(flat, grey, inside, ground, drift)
    if light is None:
        return None
    bare = wardrobe.bare(pose.board, light.blur)
    return BoardSight(pose, wardrobe.box.layouts[pose.board], flat, inside, light, bare, drift)


def centre_px(centre_mm: tuple[float, float]) -> tuple[float, float]:
    """Return where a board point lies in its flattened picture."""
    return centre_mm[0] * ART_PX_PER_MM - 0.5, centre_mm[1] * ART_PX_PER_MM - 0.5
