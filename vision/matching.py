"""How badly patches of a board fit templates.

All in the colours of ``light.to_opponent`` (lightness first). A template may be a little brighter
or darker and a little lifted (gloss): gain and offset are fitted, at a price. Fits are mean squared
misses a pixel, comparable between templates of any shape.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.light import Colours

GAIN_PRICE = 600.0  # a gain 30 % off costs 54
LIFT_PRICE = 0.15  # a lift of 20 costs 60

Misfits = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Templates of one size: ``rows`` (m, h*w*3), zero where the mask is; ``mask_of`` (m,) into ``masks`` (u, h*w)."""

    side_hw: tuple[int, int]
    rows: NDArray[np.float32]
    masks: NDArray[np.float32]
    mask_of: NDArray[np.intp]
    square: NDArray[np.float32]
    light: NDArray[np.float32]
    pixels: NDArray[np.float32]

    @classmethod
    def of(cls, arts: Sequence[Colours], masks: Sequence[NDArray[np.float32]]) -> Templates:
        """Build from pictures and masks (0 or 1), all of one size; equal masks are kept once."""
        unique: dict[bytes, int] = {}
        kept: list[NDArray[np.float32]] = []
        which = []
        for mask in masks:
            key = mask.astype(np.uint8).tobytes()
            if key not in unique:
                unique[key] = len(kept)
                kept.append(mask.astype(np.float32).ravel())
            which.append(unique[key])
        stacked = np.stack(kept)
        rows = np.stack([(a * m[..., None]).ravel() for a, m in zip(arts, masks, strict=True)])
        mask_of = np.array(which, np.intp)
        return cls(
            (arts[0].shape[0], arts[0].shape[1]),
            rows.astype(np.float32),
            stacked,
            mask_of,
            (rows * rows).sum(axis=1).astype(np.float32),
            rows.reshape(len(rows), -1, 3)[:, :, 0].sum(axis=1).astype(np.float32),
            stacked.sum(axis=1)[mask_of],
        )

    def some(self, which: NDArray[np.intp]) -> Templates:
        """Return a choice of the templates."""
        return Templates(
            self.side_hw,
            self.rows[which],
            self.masks,
            self.mask_of[which],
            self.square[which],
            self.light[which],
            self.pixels[which],
        )

    def misfits(self, windows: NDArray[np.float32]) -> Misfits:
        """Return (k, m) misfits of k windows, each (h*w*3) long, with all templates."""
        cross = windows @ self.rows.T
        by_pixel = windows.reshape(len(windows), -1, 3)
        squares = np.einsum("kpc,kpc->kp", by_pixel, by_pixel)
        used = self.masks
        own_square = (squares @ used.T)[:, self.mask_of]
        own_light = (np.ascontiguousarray(by_pixel[:, :, 0]) @ used.T)[:, self.mask_of]
        return _misfit(cross, own_square, own_light, self)


def _misfit(
    cross: NDArray[np.float32],
    own_square: NDArray[np.float32],
    own_light: NDArray[np.float32],
    templates: Templates,
) -> Misfits:
    """Minimise |I - T - (g-1)T - lift|² + prices over gain and lift, in closed form."""
    n = templates.pixels
    tt, tl = templates.square, templates.light
    rest = own_square - 2 * cross + tt
    along, level = cross - tt, own_light - tl
    a, b, d = tt + GAIN_PRICE * n, tl, n + LIFT_PRICE * n
    inverse = 1 / (a * d - b * b)
    saved = (d * along * along - 2 * b * along * level + a * level * level) * inverse
    return np.asarray(np.maximum(rest - saved, 0.0) / n, np.float32)


def windows_of(patch: Colours, side_hw: tuple[int, int], step: int = 1) -> tuple[NDArray[np.float32], int]:
    """Return all windows of a size in a patch as rows, and how many lie in a row of them."""
    view = sliding_window_view(patch, side_hw, axis=(0, 1))[::step, ::step]
    rows, columns = view.shape[:2]
    ordered = view.transpose(0, 1, 3, 4, 2)
    return np.ascontiguousarray(ordered).reshape(rows * columns, -1), columns


def cut(
    picture: Colours,
    centre_px: tuple[float, float],
    size_hw: tuple[int, int],
    turn_deg: float = 0.0,
) -> Colours:
    """Cut an upright patch around a centre (pixel coordinates) from a picture, turned clockwise by ``turn_deg``."""
    height, width = size_hw
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x0, y0 = (width - 1) / 2, (height - 1) / 2
    to_picture = np.array(
        [
            [cos, -sin, centre_px[0] - cos * x0 + sin * y0],
            [sin, cos, centre_px[1] - sin * x0 - cos * y0],
        ]
    )
    return np.asarray(
        cv2.warpAffine(
            picture,
            to_picture,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def halved(patch: Colours, times: int = 1) -> Colours:
    """Shrink a patch to half its size, ``times`` times, averaging. Sides must divide."""
    shrink = 2**times
    size = (patch.shape[1] // shrink, patch.shape[0] // shrink)
    return np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.float32)


def miss_map(patch: Colours, expected: Colours, mask: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the squared miss of each pixel after fitting gain and lift inside the mask."""
    inside = mask > 0
    template, seen = expected[inside], patch[inside]
    n = max(len(template), 1)
    tt, tl = float((template * template).sum()), float(template[:, 0].sum())
    off = seen - template
    along, level = float((off * template).sum()), float(off[:, 0].sum())
    a, b, d = tt + GAIN_PRICE * n, tl, n * (1 + LIFT_PRICE)
    gain = (d * along - b * level) / (a * d - b * b)
    lift = (a * level - b * along) / (a * d - b * b)
    rest = patch - expected * (1 + gain)
    rest[..., 0] -= lift
    return np.asarray((rest * rest).sum(axis=2), np.float32)
