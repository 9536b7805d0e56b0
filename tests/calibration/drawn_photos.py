"""Drawn photos of laying sheets: pieces on the printed sheet, in perspective, light, blur and noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.laying_sheets import LayingSheet, picture_of
from companion.ports import Pixels

PX_PER_MM = 6.0
TABLE = (70, 95, 120)


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece that lies on a sheet: its art, its scale, where its middle lies, its turn, its outline."""

    art: Pixels
    px_per_mm: float
    at_mm: tuple[float, float]
    turn_deg: float = 0.0
    outline_mm: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """How a photo is taken. ``light`` is at the middle, ``slope`` how uneven; ``scale`` px a mm."""

    seed: int = 0
    tilt: float = 0.08
    light: float = 0.85
    slope: float = 0.2
    warmth: float = 0.08
    blur_px: float = 0.8
    scale: float = 6.0
    noise: float = 3.0
    turn_deg: float = 4.0


def photo(sheet: LayingSheet, lying: Sequence[Lying], taken: Taken = Taken()) -> Pixels:
    """Take a photo of a sheet with pieces on it."""
    rng = np.random.default_rng(taken.seed)
    scene = cv2.cvtColor(picture_of(sheet, PX_PER_MM), cv2.COLOR_GRAY2BGR).astype(np.float32)
    scene = 25 + scene * (238 - 25) / 255
    for one in lying:
        _paste(scene, one)
    height, width = scene.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    angle = rng.uniform(0, 2 * math.pi)
    light = taken.light * (1 + taken.slope * (math.cos(angle) * x + math.sin(angle) * y))
    tint = np.exp(taken.warmth * np.array([-1.0, 0.0, 1.0]))
    scene = scene * light[..., None] * tint
    scale = taken.scale / PX_PER_MM
    margin = 40
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = corners * scale
    middle = there.mean(axis=0)
    cos, sin = math.cos(math.radians(taken.turn_deg)), math.sin(math.radians(taken.turn_deg))
    there = (there - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    there += rng.uniform(-1, 1, (4, 2)) * taken.tilt * min(width, height) * scale * 0.5
    low = there.min(axis=0)
    size = np.ceil(there.max(axis=0) - low + 2 * margin).astype(int)
    to_photo = cv2.getPerspectiveTransform(corners, (there - low + margin).astype(np.float32))
    shown = cv2.warpPerspective(
        cv2.GaussianBlur(scene, (0, 0), max(0.4 / scale, 0.1)),
        to_photo,
        tuple(size.tolist()),
        borderValue=TABLE,
    )
    soft = cv2.GaussianBlur(shown, (0, 0), taken.blur_px)
    grain = rng.standard_normal(soft.shape, np.float32) * taken.noise
    noisy = np.clip(soft + grain, 0, 255).astype(np.uint8)
    _, coded = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def jpeg(pixels: Pixels) -> bytes:
    """Return a photo as a phone sends it."""
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def _paste(scene: NDArray[np.float32], one: Lying) -> None:
    height, width = one.art.shape[:2]
    mask = np.zeros((height, width), np.float32)
    middle = (np.array([width, height]) - 1) / 2
    if one.outline_mm is None:
        mask[:] = 1
    else:
        points = np.rint((one.outline_mm * one.px_per_mm + middle) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 1.0, cv2.LINE_AA, shift=4)
    share = PX_PER_MM / one.px_per_mm
    cos, sin = share * math.cos(math.radians(one.turn_deg)), share * math.sin(math.radians(one.turn_deg))
    x, y = (c * PX_PER_MM - 0.5 for c in one.at_mm)
    place = np.array(
        [
            [cos, -sin, x - cos * middle[0] + sin * middle[1]],
            [sin, cos, y - sin * middle[0] - cos * middle[1]],
        ]
    )
    size = (scene.shape[1], scene.shape[0])
    art = cv2.warpAffine(one.art.astype(np.float32), place, size, borderMode=cv2.BORDER_REPLICATE)
    shape = cv2.warpAffine(mask, place, size)[..., None]
    shadow = cv2.GaussianBlur(np.roll(shape[..., 0], (4, 5), axis=(0, 1)), (0, 0), 4)[..., None]
    scene *= 1 - 0.35 * shadow * (1 - shape)
    scene[:] = scene * (1 - shape) + art * shape
