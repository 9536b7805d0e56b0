"""The light on a board: what undoes it, how blurred the board is, how well the two agree.

A flattened board is held against its own art where no piece can lie. Per channel a curve takes the
picture back to the art's colours (one white balance a board); one smooth field of lightness takes
out lamps and shade. A hand or a stray card differs and is left out of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardLayout, SpaceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM

BLUR_LEVELS_PX = (0.5, 0.9, 1.3, 1.8, 2.5, 3.4)
"""Blurs (Gaussian sigma at ART_PX_PER_MM) that templates are made for."""

BLOCK_PX = 8  # 4 mm: the light changes more slowly, the art is averaged enough
FIELD_MM = 28.0  # reach of the smoothed lightness field
LANDMARK_PX = 19
LANDMARKS = 60  # corners of the art by which a board can be laid exactly
PROBES = 6000  # pixels on edges of the art that tell the blur

Colours = NDArray[np.float32]
"""(h, w, 3) float, in the colour space of ``to_opponent``."""

FLOORS = (14.0, 10.0, 7.0)
"""Spread in grey levels below which no block is doubted, pass by pass: bright letters fit late."""

PULL = (0.4, 1500.0, 2e7)
"""How firmly a curve keeps to a plain gain: offset, slope, bend, as squares of grey levels a block."""

CHROMA_WEIGHT = 1.5  # lightness errs by lamps, gloss and edges, colour hardly
_OPPONENT = np.array(
    [
        [3**-0.5, 3**-0.5, 3**-0.5],
        [0.0, -CHROMA_WEIGHT * 2**-0.5, CHROMA_WEIGHT * 2**-0.5],
        [-CHROMA_WEIGHT * 2 * 6**-0.5, CHROMA_WEIGHT * 6**-0.5, CHROMA_WEIGHT * 6**-0.5],
    ],
    np.float32,
)


def to_opponent(blue_green_red: NDArray[Any] | cv2.typing.MatLike) -> Colours:
    """Turn colours into lightness, red against green, yellow against blue."""
    return np.asarray(cv2.transform(np.asarray(blue_green_red, np.float32), _OPPONENT), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What is always to be seen of a board: its art in blocks and along its edges."""

    art: Pixels
    bare: NDArray[np.bool_]  # (h, w): no piece lies here when all lie where they should
    block_art: NDArray[np.float32]  # (by, bx, 3)
    block_bare: NDArray[np.bool_]
    probe_yx: NDArray[np.intp]
    probe_grey: NDArray[np.float32]  # (levels, n): the art less its surroundings, at each blur
    landmarks: tuple[tuple[int, int], ...]  # (x, y) of corners in the bare art
    landmark_art: tuple[NDArray[np.uint8], ...]  # their surroundings, grey, a little softened

    @classmethod
    def of(cls, art: Pixels, layout: BoardLayout, sticker_mm: float) -> Ground:
        bare = bare_of(art.shape[:2], layout, sticker_mm)
        block_bare = _blocks(bare.astype(np.float32)[..., None])[..., 0] > 0.98
        grey = np.asarray(cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), np.float32)
        edges = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1.0), cv2.CV_32F))
        edges[~bare] = 0
        edges[:6], edges[-6:], edges[:, :6], edges[:, -6:] = 0, 0, 0, 0
        strongest = np.argsort(edges.ravel())[-PROBES:]
        probe = np.stack(np.unravel_index(np.sort(strongest), grey.shape))
        softened = [np.asarray(cv2.GaussianBlur(grey, (0, 0), s), np.float32) for s in BLUR_LEVELS_PX]
        looks = [_detail(s)[probe[0], probe[1]] for s in softened]
        soft = cv2.GaussianBlur(grey, (0, 0), 1.2)
        corners = cv2.goodFeaturesToTrack(soft, LANDMARKS, 0.01, 24, mask=bare.astype(np.uint8), blockSize=9)
        half = LANDMARK_PX // 2
        marks, patches = [], []
        for x, y in np.zeros((0, 2)) if corners is None else corners.reshape(-1, 2).astype(int):
            if half <= x < grey.shape[1] - half and half <= y < grey.shape[0] - half:
                marks.append((int(x), int(y)))
                patches.append(soft[y - half : y + half + 1, x - half : x + half + 1].astype(np.uint8))
        return cls(art, bare, _blocks(art), block_bare, probe, np.stack(looks), tuple(marks), tuple(patches))


def bare_of(shape_hw: tuple[int, ...], layout: BoardLayout, sticker_mm: float) -> NDArray[np.bool_]:
    """Return where no piece lies on a board: outside spaces (6 mm wider) and corner tags."""
    taken = np.zeros(shape_hw, np.uint8)
    for space in layout.spaces.values():
        if space.kind is SpaceKind.TRACK:
            continue  # markers are small, and the track may be most of the board
        outline = np.asarray(space.outline_mm, float)
        away = outline - np.asarray(space.centre_mm)
        wider = np.asarray(space.centre_mm) + away * (1 + 6.0 / np.linalg.norm(away, axis=1).max())
        cv2.fillPoly(taken, [np.rint(wider * ART_PX_PER_MM).astype(np.int32)], 1)
    half = sticker_mm / 2 + 2
    for tag in layout.tags:
        low = np.rint((np.asarray(tag.centre_mm) - half) * ART_PX_PER_MM).astype(int)
        high = np.rint((np.asarray(tag.centre_mm) + half) * ART_PX_PER_MM).astype(int)
        cv2.rectangle(taken, low.tolist(), high.tolist(), 1, -1)
    if layout.is_round:
        disc = np.zeros(shape_hw, np.uint8)
        centre = (shape_hw[1] // 2, shape_hw[0] // 2)
        cv2.circle(disc, centre, round(min(centre) - 4 * ART_PX_PER_MM), 1, -1)
        taken[disc == 0] = 1
    return np.asarray(taken == 0)


def _blocks(picture: NDArray[np.float32] | Pixels) -> NDArray[np.float32]:
    height, width = picture.shape[0] // BLOCK_PX, picture.shape[1] // BLOCK_PX
    cropped = picture[: height * BLOCK_PX, : width * BLOCK_PX]
    small = cv2.resize(cropped, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32).reshape(height, width, -1)


def _detail(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(grey - cv2.blur(grey, (13, 13)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """How to undo the light on one board of one picture.

    ``curve`` (3, 3): per channel the art's value as a quadratic of the picture's; ``field`` the
    lightness (by, bx) to multiply with. ``blur`` is an index into BLUR_LEVELS_PX. ``miss`` is how
    far the bare board is then still off (rms grey levels a channel); ``agrees`` the bare blocks
    (4 mm) that fit, of the ``usable`` ones.
    """

    curve: NDArray[np.float64]
    field: NDArray[np.float32]
    blur: int
    miss: float
    sharpness: float
    brightness: float
    agrees: NDArray[np.bool_]
    usable: NDArray[np.bool_]

    @property
    def seen(self) -> float:
        """Return the share of bare blocks that look as they should."""
        return float(self.agrees.sum() / max(self.usable.sum(), 1))

    def undo(self, flat: Pixels) -> NDArray[np.float32]:
        """Return a flattened board (whole) in the colours of its art, float 0 to 255."""
        values = np.arange(256.0)
        tables = self.curve[:, :1] + self.curve[:, 1:2] * values + self.curve[:, 2:] * values**2
        table = np.clip(tables.T, 0, 320).astype(np.float32).reshape(1, 256, 3)
        back = cv2.LUT(flat, table)
        height, width = flat.shape[:2]
        grown = cv2.resize(self.field, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.minimum(back * grown[..., None], 300.0), np.float32)


def measure_light(
    flat: Pixels,
    grey: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    ground: Ground,
    drift: NDArray[np.float64],
) -> Light | None:
    """Measure the light on a flattened board; None when hardly anything of it looks like its art.

    ``grey`` is the flattened board in grey, ``drift`` (2x3) tells where its art lies.
    """
    usable = ground.block_bare
    if not inside.all():
        usable = usable & (_blocks(inside.astype(np.uint8) * 255)[..., 0] > 250)
    if usable.sum() < 60:
        return None
    seen, art = _blocks(flat)[usable].astype(float), ground.block_art[usable].astype(float)
    weights = _first_weights(seen, art)
    curve = np.zeros((3, 3))
    curve[:, 1] = np.exp(_middle(np.log((art + 4) / (seen + 4)), weights))
    field = np.ones(usable.shape, np.float32)
    for floor in FLOORS:  # the curve needs the field taken out, and the field the curve
        field = _fit_field(_through(curve, seen), art, usable, weights)
        curve, weights = _fit_curve(seen, art / field[usable][:, None], weights, floor)
    off = np.sqrt(((_through(curve, seen) * field[usable][:, None] - art) ** 2).mean(axis=1))
    miss = 1.48 * float(np.median(off)) + 1.0
    agrees = np.zeros(usable.shape, bool)
    agrees[usable] = off < max(3.0 * miss, 14.0)
    blur, sharpness = _blur_of(grey, inside, ground, drift)
    light = Light(curve, field, blur, miss, sharpness, float(seen.mean()), agrees, usable)
    return light if agrees.sum() > 0.2 * usable.sum() else None


def _through(curve: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(curve[:, 0] + seen * (curve[:, 1] + seen * curve[:, 2]))


def _fit_curve(
    seen: NDArray[np.float64], art: NDArray[np.float64], weights: NDArray[np.float64], floor: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit the art's value as a quadratic of the picture's, per channel, leaving out what differs.

    A board of few colours cannot tell a curve: it is pulled towards a plain gain, and shades that
    are rare on the board weigh more, so that white letters tell where its whites go.
    """
    shade = np.clip(art.mean(axis=1) / 16, 0, 15).astype(int)
    rare = 1 / np.sqrt(np.bincount(shade, minlength=16)[shade] + 3.0)
    used = weights * rare
    powers = [np.ones_like(seen), seen, seen * seen]
    moments = [used @ power for power in (*powers, powers[2] * seen, powers[2] * powers[2])]
    normal = np.stack([np.stack(moments[k : k + 3], axis=-1) for k in range(3)], axis=-1)  # (channel, 3, 3)
    target = np.stack([used @ (power * art) for power in powers], axis=-1)
    pull = np.array(PULL) * used.sum() / len(used) * 60
    gain = target[:, 1] / moments[2]
    target[:, 1] += pull[1] * gain
    curve = np.linalg.solve(normal + np.diag(pull), target[..., None])[..., 0]
    off = curve[:, 0] + curve[:, 1] * seen + curve[:, 2] * powers[2] - art
    return curve, _tukey(np.sqrt((off * off).mean(axis=1)), floor)


def _middle(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((values * weights[:, None]).sum(axis=0) / weights.sum())


def _first_weights(seen: NDArray[np.float64], art: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weigh by how well a block's gain agrees with the middle one: a hand's does not."""
    gain = np.log((seen + 8) / (art + 8))
    return _tukey(np.sqrt(((gain - np.median(gain, axis=0)) ** 2).mean(axis=1)), 0.1)


def _tukey(off: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    scale = max(1.48 * float(np.median(off)), floor)
    return np.asarray(np.clip(1 - (off / (4.0 * scale)) ** 2, 0.0, None) ** 2 + 1e-6)


def _fit_field(
    back: NDArray[np.float64],
    art: NDArray[np.float64],
    usable: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return by how much lightness must be multiplied, smooth over the board.

    ``back`` and ``art`` (n, 3) are what the usable blocks show, and should.
    """
    seen, true = back.sum(axis=1), art.sum(axis=1)
    weight = weights * np.clip(true / 200, 0.1, 2.0)
    both = np.zeros((*usable.shape, 2), np.float32)
    both[usable, 0] = weight * np.clip(true / np.maximum(seen, 10.0), 0.4, 2.5)
    both[usable, 1] = weight
    reach = FIELD_MM * ART_PX_PER_MM / BLOCK_PX / 2
    soft = cv2.GaussianBlur(both, (0, 0), reach, borderType=cv2.BORDER_CONSTANT)
    return np.asarray((soft[..., 0] + 0.02) / (soft[..., 1] + 0.02), np.float32)


def _blur_of(
    grey: NDArray[np.uint8], inside: NDArray[np.bool_], ground: Ground, drift: NDArray[np.float64]
) -> tuple[int, float]:
    """Return the blur level whose art looks most like the picture along edges, and that likeness."""
    x, y = np.rint(drift[:, :2] @ ground.probe_yx[::-1] + drift[:, 2:]).astype(int)
    height, width = grey.shape
    kept = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    kept[kept] = inside[y[kept], x[kept]]
    if kept.sum() < 200:
        return 2, 0.0
    surroundings = cv2.blur(grey, (13, 13))
    x, y = x[kept], y[kept]
    seen = grey[y, x].astype(np.float32) - surroundings[y, x]
    looks = ground.probe_grey[:, kept]
    seen = np.clip(seen, -60, 60)
    likeness = (looks @ seen) / (np.linalg.norm(looks, axis=1) * np.linalg.norm(seen) + 1e-6)
    best = int(likeness.argmax())
    return best, float(likeness[best])
