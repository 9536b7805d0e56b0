"""How badly patches of a board fit templates.

All in the colours of ``light.to_opponent`` (lightness first). A template may be a little brighter
or darker and a little lifted (gloss): gain and offset are fitted, at a price. Fits are mean squared
misses a pixel, comparable between templates of any shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.light import Colours

GAIN_PRICE = 600.0  # lightness 30 % off costs 54
LIFT_PRICE = 0.15  # a lift of 20 costs 60
CHROMA_PRICE = 1500.0  # colours a third paler (gloss, a bright lamp) cost 165

Misfits = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Templates of one size, zero where masked out: ``light`` (m, h*w) and ``chroma`` (m, 2*h*w).

    ``mask_of`` (m,) tells which of ``masks`` (u, h*w) is whose.
    """

    side_hw: tuple[int, int]
    light: NDArray[np.float32]
    chroma: NDArray[np.float32]
    masks: NDArray[np.float32]
    mask_of: NDArray[np.intp]
    pixels: NDArray[np.float32]
    light_square: NDArray[np.float32]
    light_sum: NDArray[np.float32]
    chroma_square: NDArray[np.float32]

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
        planes = np.stack([(a * m[..., None]).transpose(2, 0, 1) for a, m in zip(arts, masks, strict=True)])
        planes = planes.astype(np.float32).reshape(len(planes), -1)
        stacked, mask_of = np.stack(kept), np.array(which, np.intp)
        size = stacked.shape[1]
        light, chroma = np.ascontiguousarray(planes[:, :size]), np.ascontiguousarray(planes[:, size:])
        side = (arts[0].shape[0], arts[0].shape[1])
        return cls(
            side,
            light,
            chroma,
            stacked,
            mask_of,
            stacked.sum(axis=1)[mask_of],
            np.einsum("mp,mp->m", light, light),
            light.sum(axis=1),
            np.einsum("mp,mp->m", chroma, chroma),
        )

    def some(self, which: NDArray[np.intp]) -> Templates:
        """Return a choice of the templates."""
        mask_of = self.mask_of[which]
        if (mask_of == mask_of[0]).all():
            masks, own = self.masks[mask_of[0] : mask_of[0] + 1], np.zeros(len(which), np.intp)
        else:
            masks, own = self.masks[mask_of], np.arange(len(which))
        return Templates(
            self.side_hw,
            self.light[which],
            self.chroma[which],
            masks,
            own,
            self.pixels[which],
            self.light_square[which],
            self.light_sum[which],
            self.chroma_square[which],
        )

    def misfits(self, windows: NDArray[np.float32]) -> Misfits:
        """Return (k, m) misfits of k windows (planes one after another, 3*h*w long) with all templates."""
        size = self.masks.shape[1]
        light, chroma = windows[:, :size], windows[:, size:]
        paint = chroma[:, :size] ** 2 + chroma[:, size:] ** 2
        # One product for all that is summed under masks.
        under = np.concatenate([light * light, light, paint]) @ self.masks.T
        k = len(windows)
        return self._misfits_of(
            (under[:k], under[k : 2 * k], under[2 * k :]), light @ self.light.T, chroma @ self.chroma.T
        )

    def least_misfit_all_over(self, picture: Colours) -> Misfits:
        """Return (rows, columns): of every window of a picture the misfit with the template that fits best.

        Dearer a window than ``misfits`` where templates are many, cheaper where windows are.
        """
        light, red_green, yellow_blue = np.ascontiguousarray(picture.transpose(2, 0, 1))
        side = self.side_hw
        planes = (light * light, light, red_green * red_green + yellow_blue * yellow_blue)
        under = [[over(p, mask.reshape(side)) for p in planes] for mask in self.masks]
        least = np.full(under[0][0].shape, np.inf, np.float32)
        for k, own in enumerate(self.mask_of):
            red, yellow = self.chroma[k].reshape(2, *side)
            cross = over(light, self.light[k].reshape(side))
            toned = over(red_green, red) + over(yellow_blue, yellow)
            np.minimum(least, self._misfit_with(k, under[own], cross, toned), out=least)
        return np.maximum(least, 0.0)

    def _misfit_with(
        self, k: int, under: Sequence[Misfits], cross: NDArray[np.float32], toned: NDArray[np.float32]
    ) -> Misfits:
        """Return the misfits of one template with windows: as ``_misfits_of``, multiplied out for one."""
        square, level, paint_square = under
        n, tt, tl = float(self.pixels[k]), float(self.light_square[k]), float(self.light_sum[k])
        a, b, d = tt + GAIN_PRICE * n, tl, n + LIFT_PRICE * n
        along, lifted = cross - tt, level - tl
        whole = a * d - b * b
        misfit = square + paint_square - 2 * cross
        misfit -= along * ((d / whole) * along - (2 * b / whole) * lifted)
        misfit -= (a / whole) * lifted * lifted
        toned = toned + CHROMA_PRICE * n
        misfit -= toned * toned / (float(self.chroma_square[k]) + CHROMA_PRICE * n)
        misfit += tt + CHROMA_PRICE * n
        misfit /= n
        return misfit

    def _misfits_of(
        self,
        under: tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]],
        cross_light: NDArray[np.float32],
        cross_chroma: NDArray[np.float32],
    ) -> Misfits:
        """Return misfits from sums under masks (light squared, light, chroma squared) and products."""
        square, level, paint_square = (
            under if len(self.masks) == 1 else (sums[:, self.mask_of] for sums in under)
        )
        n = self.pixels
        misfit = _light_misfit(cross_light, square, level, self)
        toned = cross_chroma + CHROMA_PRICE * n
        toned *= toned
        toned /= self.chroma_square + CHROMA_PRICE * n
        misfit += paint_square + CHROMA_PRICE * n
        misfit -= toned
        np.maximum(misfit, 0.0, out=misfit)
        misfit /= n
        return misfit


def over(plane: NDArray[np.float32], small: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product of a small picture with every window of a large one, by the window's corner."""
    products = cv2.filter2D(plane, cv2.CV_32F, small, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    rows, columns = plane.shape[0] - small.shape[0] + 1, plane.shape[1] - small.shape[1] + 1
    return np.asarray(products[:rows, :columns], np.float32)


def _light_misfit(
    cross: NDArray[np.float32], square: NDArray[np.float32], level: NDArray[np.float32], templates: Templates
) -> NDArray[np.float32]:
    """Minimise |I - T - (g-1)T - lift|² + prices over gain and lift, in closed form, for lightness."""
    n = templates.pixels
    tt, tl = templates.light_square, templates.light_sum
    along, over = cross - tt, level - tl
    a, b, d = tt + GAIN_PRICE * n, tl, n + LIFT_PRICE * n
    whole = a * d - b * b
    saved = (d / whole) * along
    saved -= (2 * b / whole) * over
    saved *= along
    saved += (a / whole) * over * over
    return np.asarray(square - cross - along - saved, np.float32)


def windows_of(patches: NDArray[np.float32], side_hw: tuple[int, int]) -> tuple[NDArray[np.float32], int]:
    """Return all windows of a size in one patch or in several (n, h, w, 3), patch after patch.

    They are rows of planes; also returned is how many lie side by side.
    """
    view = sliding_window_view(patches, side_hw, axis=(-3, -2))
    return np.ascontiguousarray(view).reshape(-1, 3 * side_hw[0] * side_hw[1]), view.shape[-4]


def cut(
    picture: Colours, centre_px: tuple[float, float], size_hw: tuple[int, int], turn_deg: float = 0.0
) -> Colours:
    """Cut a patch around a centre (px of the picture), upright though turned clockwise there."""
    (patch,) = cuts([picture], np.array([centre_px]), size_hw, np.array([turn_deg]))
    return np.asarray(patch, np.float32)


def cuts(
    pictures: Sequence[Colours],
    centres_px: NDArray[np.float64],
    size_hw: tuple[int, int],
    turns_deg: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Cut a patch of one size out of each picture, as ``cut`` does; return (n, h, w, 3)."""
    height, width = size_hw
    cos, sin = np.cos(np.radians(turns_deg)), np.sin(np.radians(turns_deg))
    turns = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    to_picture = np.concatenate([turns, (centres_px - turns @ middle)[..., None]], axis=2)
    patches = np.empty((len(pictures), height, width, pictures[0].shape[2]), np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for picture, matrix, patch in zip(pictures, to_picture, patches, strict=True):
        cv2.warpAffine(picture, matrix, (width, height), patch, flags, cv2.BORDER_REPLICATE)
    return patches


def halved(patch: Colours, times: int = 1) -> Colours:
    """Shrink a patch to half its size, ``times`` times, averaging. Sides must divide."""
    shrink = 2**times
    size = (patch.shape[1] // shrink, patch.shape[0] // shrink)
    return np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.float32)


def halvings(picture: Colours, times: int = 3) -> tuple[Colours, ...]:
    """Return a picture, and it halved once, twice and so on; odd rows and columns at the end are dropped."""
    levels = [picture]
    for _ in range(times):
        height, width = levels[-1].shape[0] // 2 * 2, levels[-1].shape[1] // 2 * 2
        levels.append(halved(levels[-1][:height, :width]))
    return tuple(levels)
