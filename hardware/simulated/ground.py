"""What lies under every simulated picture: a wooden table, its light, and pieces pasted with their shadows.

Lengths in millimetres of the table that a camera looks at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np

from companion.ports import Pixels
from hardware.simulated.art.sheet import colour
from hardware.simulated.art.sprites import Sprite

LIGHT_FROM = (0.55, 0.8)  # shadows fall to the lower right, in mm a mm of thickness


@dataclass(frozen=True, slots=True)
class Light:
    """How a camera's picture is lit.

    ``level`` is the brightness in the middle (1: as drawn), ``fall`` how much darker the far
    side is, ``warmth`` shifts blue to red, all as shares; ``noise`` in grey levels.
    """

    level: float = 0.98
    fall: float = 0.18
    warmth: float = 0.03
    noise: float = 2.2


LIGHTS: Mapping[str, Light] = {
    "day": Light(),
    "evening": Light(level=0.72, fall=0.28, warmth=0.1, noise=4.0),
    "lamp": Light(level=0.95, fall=0.42, warmth=0.07, noise=3.0),
}


def lay(
    canvas: Pixels, sprite: Sprite, centre_px: tuple[float, float], scale: float, turn_deg: float
) -> None:
    """Lay a sprite on a flat picture with the shadow it throws, in place."""
    drop = sprite.thickness_mm * scale
    shadow_px = (centre_px[0] + LIGHT_FROM[0] * drop, centre_px[1] + LIGHT_FROM[1] * drop)
    _paste(canvas, sprite, shadow_px, scale, turn_deg, is_shadow=True)
    _paste(canvas, sprite, centre_px, scale, turn_deg, is_shadow=False)


def _paste(
    canvas: Pixels,
    sprite: Sprite,
    centre_px: tuple[float, float],
    scale: float,
    turn_deg: float,
    *,
    is_shadow: bool,
) -> None:
    height, width = sprite.alpha.shape
    zoom = scale / sprite.px_per_mm
    affine = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -turn_deg, zoom)
    cos, sin = abs(affine[0, 0]), abs(affine[0, 1])
    half = ((width * cos + height * sin) / 2 + 1, (width * sin + height * cos) / 2 + 1)
    left, top = max(0, math.floor(centre_px[0] - half[0])), max(0, math.floor(centre_px[1] - half[1]))
    right = min(canvas.shape[1], math.ceil(centre_px[0] + half[0]))
    bottom = min(canvas.shape[0], math.ceil(centre_px[1] + half[1]))
    if right <= left or bottom <= top:
        return
    affine[:, 2] += (centre_px[0] - (width - 1) / 2 - left, centre_px[1] - (height - 1) / 2 - top)
    size, patch = (right - left, bottom - top), canvas[top:bottom, left:right]
    if is_shadow:
        dark = cv2.warpAffine(sprite.shadow, affine, size)
        light = cv2.cvtColor(255 - np.asarray(dark, np.uint8) // 2, cv2.COLOR_GRAY2BGR)
        patch[:] = cv2.multiply(patch, light, scale=1 / 255.0)
        return
    mask = cv2.cvtColor(cv2.warpAffine(sprite.alpha, affine, size), cv2.COLOR_GRAY2BGR)
    art = cv2.warpAffine(sprite.pixels, affine, size, borderMode=cv2.BORDER_REPLICATE)
    kept = cv2.multiply(patch, 255 - mask, scale=1 / 255.0)
    patch[:] = cv2.add(kept, cv2.multiply(art, mask, scale=1 / 255.0))


def gain_of(size_wh: tuple[int, int], light: Light) -> Pixels:
    """Return the light on each pixel, (height, width, 3), 200 for a gain of one."""
    width, height = size_wh
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    level = light.level * (1 - light.fall * (0.5 + 0.35 * across + 0.3 * down) * 0.6)
    level = level * (1 - 0.08 * (across**2 + down**2))
    warmth = np.array([1 - light.warmth, 1.0, 1 + light.warmth], np.float32)
    return np.clip(level[:, :, None] * warmth * 200.0, 0, 255).astype(np.uint8)


def table_top(size_wh: tuple[int, int], px_per_mm: float) -> Pixels:
    """Draw the table: dark boards with grain along them."""
    width, height = size_wh
    rng = np.random.default_rng(7)
    tone = np.ones((height, width), np.float32)
    for rows, columns, depth in ((height // 2 + 1, width // 60 + 2, 0.07), (8, 14, 0.06)):
        rough = rng.normal(0, depth, (rows, columns)).astype(np.float32)
        tone += np.asarray(cv2.resize(rough, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)
    plank = max(1, round(118 * px_per_mm))
    chance = Random(3)
    for top in range(0, height, plank):
        tone[top : top + plank] *= chance.uniform(0.88, 1.08)
        tone[top : top + 2] *= 0.55  # the gap between two boards
    wood = tone[:, :, None] * np.array(colour("#4A3B33"), np.float32)
    return np.clip(wood, 0, 255).astype(np.uint8)
