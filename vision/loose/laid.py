"""A card laid on a picture: where exactly, how much of it can be seen, how alike the two are.

A *plane* is a (3, 3) homography from pixels of the flat card (``Deck.size_wh``) to pixels of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Pixels
from vision.art_index import Grey
from vision.loose.deck import COARSE, FINER, SOFT_PX, Deck, Pattern, coarse_of, paint_of, pattern_of
from vision.pose import Points, apply

Plane = NDArray[np.float64]

MOST_PX = 1280  # the long side that a picture is looked at in
ECC_SOFT = 1  # of ``Deck.soft``: laid on a little soft, so that the way is smooth
ECC_STEPS = 25
LARGEST_STRETCH = 1.4  # of a side and the one across from it: a card that lies, seen from above or aslant
SIDE_PLAY = 1.8  # a card seen at 56 degrees from above
SMALLEST_PX = 28.0
INSIDE_PX = 10.0
COVER_APART = 18.0  # levels of LAB: what lies on a card has other colours than the card there
PLAIN = 5.0  # levels of LAB: colours of a face that vary by less are plain
TINT = 35.0  # levels of LAB by which a lamp or a camera may shift all colours
ODD = 0.7  # of what is unlike where neither shows the other


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture that cards are looked for in; ``share`` of the size it came in."""

    pixels: Pixels
    grey: Grey
    soft: Grey
    share: float

    @classmethod
    def of(cls, pixels: Pixels, most_px: int = MOST_PX) -> Scene:
        share = min(1.0, most_px / max(pixels.shape[:2]))
        if share < 1:
            pixels = np.asarray(
                cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
            )
        grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        return cls(pixels, grey, np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8), share)

    def open_px(self, covers: Sequence[Points]) -> NDArray[np.uint8]:
        """Return (h, w) 1 where no outline covers the picture."""
        open_px = np.ones(self.grey.shape, np.uint8)
        for cover in covers:
            cv2.fillConvexPoly(open_px, np.round(cover).astype(np.int32), (0,))
        return open_px

    @property
    def size_wh(self) -> tuple[int, int]:
        return self.grey.shape[1], self.grey.shape[0]


def outline_of(plane: Plane, deck: Deck) -> Points:
    """Return the four corners of a card in the picture, its top left first, clockwise."""
    width, height = deck.size_wh
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5
    return apply(plane, corners)


def plane_of(outline: Points, deck: Deck) -> Plane:
    """Return the plane of a card whose corners (top left first, clockwise) lie there."""
    width, height = deck.size_wh
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(corners, outline.astype(np.float32)), np.float64)


def is_card_shaped(outline: Points, deck: Deck, size_wh: tuple[int, int]) -> bool:
    """Tell whether four corners (clockwise, a short side first) may be those of a card lying on a table."""
    arms = np.roll(outline, -1, axis=0) - outline
    lengths = np.linalg.norm(arms, axis=1)
    turns = arms[:, 0] * np.roll(arms, -1, axis=0)[:, 1] - arms[:, 1] * np.roll(arms, -1, axis=0)[:, 0]
    if not np.isfinite(outline).all() or turns.min() <= 0 or lengths.min() < SMALLEST_PX:
        return False
    across, along = lengths[[0, 2]], lengths[[1, 3]]
    if across.max() > LARGEST_STRETCH * across.min() or along.max() > LARGEST_STRETCH * along.min():
        return False
    ratio = along.mean() / across.mean() / deck.side_ratio
    low, high = outline.min(axis=0), outline.max(axis=0)
    is_inside = bool((high > INSIDE_PX).all() and (low < np.array(size_wh) - INSIDE_PX).all())
    return is_inside and 1 / SIDE_PLAY < ratio < SIDE_PLAY


def flat_grey(scene: Scene, plane: Plane, deck: Deck) -> Grey:
    """Return a card cut out of the picture, in grey."""
    return np.asarray(cv2.warpPerspective(scene.grey, plane, deck.size_wh, flags=_BACKWARDS), np.uint8)


def flat_paint(scene: Scene, plane: Plane, deck: Deck) -> NDArray[np.float32]:
    """Return the colours of a card cut out of the picture, as ``Deck.paints``."""
    flat = cv2.warpPerspective(scene.pixels, plane, deck.size_wh, flags=_BACKWARDS)
    return paint_of(np.asarray(flat, np.uint8))


def mean_paint(scene: Scene, corners: Points) -> NDArray[np.float32]:
    """Return the mean colour, LAB, of some hundred points inside an outline and the picture."""
    across = np.linspace(0.1, 0.9, 10)
    one, other = (a.reshape(-1, 1) for a in np.meshgrid(across, across))
    top = corners[0] + one * (corners[1] - corners[0])
    low = corners[3] + one * (corners[2] - corners[3])
    spots = np.clip((top + other * (low - top)).astype(int), 0, np.array(scene.size_wh) - 1)
    seen = scene.pixels[spots[:, 1], spots[:, 0]][None]
    lab = np.asarray(cv2.cvtColor(np.ascontiguousarray(seen), cv2.COLOR_BGR2LAB), np.float32)
    return np.asarray(lab.mean(axis=(0, 1)), np.float32)


_BACKWARDS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def seen_part(scene: Scene, plane: Plane, deck: Deck, covers: Sequence[Points] = ()) -> Pattern:
    """Return (h, w) 1 where a card lies inside the picture and under none of the outlines, 0 elsewhere."""
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    open_flat = cv2.warpPerspective(scene.open_px(covers), plane, deck.size_wh, flags=flags)
    return np.asarray(open_flat * deck.inner, np.float32)


def first_look(
    scene: Scene, plane: Plane, deck: Deck, covers: Sequence[Points] = ()
) -> tuple[NDArray[np.float32], float]:
    """Return how alike a place and every card are at a glance, -1 to 1, (2, n), and how much can be seen.

    The second row is for cards that lie there head down.
    """
    width, height = (FINER * side for side in deck.coarse_wh)
    scale = np.diag([deck.size_wh[0] / width, deck.size_wh[1] / height, 1.0])
    flat = cv2.warpPerspective(scene.soft, plane @ scale, (width, height), flags=_BACKWARDS)
    seen = coarse_of(np.asarray(flat, np.uint8))
    weights = _open_share(scene, plane @ scale, (width, height), covers)
    shown = np.stack([(seen * weights).ravel(), (seen * weights)[::-1, ::-1].ravel()])
    turned = np.stack([weights.ravel(), weights[::-1, ::-1].ravel()])
    wanted = deck.coarse.reshape(len(deck.kinds), -1)
    power = turned @ (wanted**2).T * np.einsum("tk,tk->t", shown, shown)[:, None]
    return np.asarray(shown @ wanted.T / np.sqrt(power + 1e-6), np.float32), float(weights.mean())


def _open_share(
    scene: Scene, plane: Plane, size_wh: tuple[int, int], covers: Sequence[Points]
) -> NDArray[np.float32]:
    """Return (h, w), halved, how much of each pixel lies inside the picture and under no cover."""
    width, height = size_wh
    small_hw = height // FINER, width // FINER
    corners = apply(plane, np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    if not len(covers) and (corners > 0).all() and (corners < np.array(scene.size_wh) - 1).all():
        return np.ones(small_hw, np.float32)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    open_flat = cv2.warpPerspective(scene.open_px(covers), plane, size_wh, flags=flags)
    return np.asarray(
        cv2.resize(open_flat.astype(np.float32), small_hw[::-1], interpolation=cv2.INTER_AREA), np.float32
    )


def laid_exactly(scene: Scene, plane: Plane, card: int, deck: Deck, part: Pattern) -> Plane | None:
    """Return the plane on which a card fits best nearby, None when there is none (ECC, Evangelidis 2008)."""
    flat = pattern_of(flat_grey(scene, plane, deck))  # gloss would lead brightness astray
    wanted, mask = deck.patterns[ECC_SOFT][card], (part * 255).astype(np.uint8)
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, ECC_STEPS, 1e-3)
    warp: NDArray[np.float32] = np.eye(3, dtype=np.float32)
    try:
        _, affine = cv2.findTransformECC(wanted, flat, warp[:2].copy(), cv2.MOTION_AFFINE, until, mask, 5)
        warp[:2] = affine
        _, exact = cv2.findTransformECC(wanted, flat, warp, cv2.MOTION_HOMOGRAPHY, until, mask, 5)
    except cv2.error:  # it went astray
        return None
    return np.asarray(plane @ exact, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """How a card laid exactly compares with what lies there. Shares of 1.

    ``alike``: correlation of the patterns where the card can be seen; ``odd``: how much of what can be seen
    shows another pattern; ``lead``: over the card that is next alike; ``painted``: correlation of the
    colours; ``seen``: how much of the card can be seen; ``told``: how much of its pattern is there;
    ``guessed``: how much of its pattern is held to be covered by something that nobody has named.
    """

    alike: float
    odd: float
    lead: float
    painted: float
    seen: float
    told: float
    rival: int
    guessed: float = 0.0


class Comparison:
    """The patterns of a place and of a card laid there, block by block."""

    def __init__(
        self, scene: Scene, plane: Plane, card: int, deck: Deck, softness: int | None = None
    ) -> None:
        """Compare with the art as soft as the picture shows it, or of a ``softness``."""
        self._scene, self._plane, self._card, self._deck = scene, plane, card, deck
        flat = flat_grey(scene, plane, deck)
        if softness is not None:
            flat = np.asarray(cv2.GaussianBlur(flat, (0, 0), SOFT_PX[softness]), np.uint8)
        self._seen, inner = pattern_of(flat), deck.inner
        if softness is None:
            scores = [correlation(self._seen * inner, wanted[card] * inner) for wanted in deck.patterns]
            softness = int(np.argmax(scores))
        self.softness = softness
        self.wanted = deck.patterns[self.softness][card]

    @property
    def blocks(self) -> tuple[Pattern, Pattern, Pattern]:
        """Return means over blocks (h/5, w/5): both patterns multiplied, each of them squared."""
        height, width = self.wanted.shape
        size_wh = (width // COARSE, height // COARSE)
        maps = (self._seen * self.wanted, self._seen**2, self.wanted**2)
        small = [np.asarray(cv2.resize(m, size_wh, interpolation=cv2.INTER_AREA), np.float32) for m in maps]
        return small[0], small[1], small[2]

    def likeness(self, part: Pattern, *, without: int | None = None) -> Likeness:
        """Compare where the card can be seen. ``without``: a card that is taken for one not taught."""
        shown = self._seen * part
        rivals = self._rivals(shown, part)
        alike = float(rivals[self._card])
        rivals[[self._card, self._card if without is None else without]] = -1.0
        rival = int(rivals.argmax())
        return Likeness(
            alike,
            self._odd(part),
            alike - max(float(rivals[rival]), 0.0),
            self._painted(part),
            float(part.sum() / self._deck.inner.sum()),
            self.told(part),
            rival,
        )

    def differs(self, there: Pattern, beside: Pattern) -> bool:
        """Tell whether something of other colours lies ``there``, in the light that is ``beside`` it."""
        seen, wanted = flat_paint(self._scene, self._plane, self._deck), self._deck.paints[self._card]
        size_wh = seen.shape[1::-1]
        weights = [
            np.asarray(cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA), np.float32)[..., None]
            for part in (there, beside)
        ]
        if min(float(weight.sum()) for weight in weights) < 1:
            return False
        light = ((seen - wanted) * weights[1]).sum(axis=(0, 1)) / weights[1].sum()
        off = np.linalg.norm(seen - wanted - light, axis=2, keepdims=True)
        return float((off * weights[0]).sum() / weights[0].sum()) > COVER_APART

    def told(self, part: Pattern) -> float:
        """Return how much of the card's pattern lies in a part of it, 0 to 1."""
        power = self.wanted**2
        return float((power * part).sum() / max(float((power * self._deck.inner).sum()), 1e-6))

    def _rivals(self, shown: Pattern, part: Pattern) -> NDArray[np.float32]:
        """Return how alike every card is at this place, also if it lay there head down (but this one)."""
        stack = self._deck.patterns[self.softness]
        upright = np.tensordot(stack, shown, 2) / np.sqrt(_power(stack, part) * (shown**2).sum() + 1e-6)
        shown, part = shown[::-1, ::-1], part[::-1, ::-1]
        turned = np.tensordot(stack, shown, 2) / np.sqrt(_power(stack, part) * (shown**2).sum() + 1e-6)
        turned[self._card] = -1.0
        return np.asarray(np.maximum(upright, turned), np.float32)

    def _odd(self, part: Pattern) -> float:
        weights = cv2.resize(part, self.blocks[0].shape[::-1], interpolation=cv2.INTER_AREA)
        both, here, there = (cv2.GaussianBlur(m * weights, (0, 0), 1.2) for m in self.blocks)
        unlike = (here + there - 2 * both) / (here + there + 1e-3)
        power = here + there
        return float((power * (unlike > ODD)).sum() / (power.sum() + 1e-6))

    def _painted(self, part: Pattern) -> float:
        seen = flat_paint(self._scene, self._plane, self._deck)
        small = cv2.resize(part, seen.shape[1::-1], interpolation=cv2.INTER_AREA)
        weights = np.asarray(small, np.float32)[..., None]
        wanted = self._deck.paints[self._card]
        total = max(float(weights.sum()), 1e-6)
        means = [(x * weights).sum(axis=(0, 1)) / total for x in (seen, wanted)]
        one, other = (_level(x, weights) for x in (seen, wanted))
        floor = PLAIN**2 * total  # two plain faces are alike, not unlike by their noise
        likeness = (float((one * other).sum()) + floor) / np.sqrt(
            (float((one**2).sum()) + floor) * (float((other**2).sum()) + floor)
        )
        apart = float(np.linalg.norm((means[0] - means[1])[1:]))
        return float(likeness * np.clip(1 - (apart - TINT) / TINT, 0, 1))


def _level(colours: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return colours (h, w, 3) by the root of their weights, less what even light, slopes and gloss add."""
    height, width = colours.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    ways = np.stack([np.ones_like(x), x, y], axis=-1) * np.sqrt(weights)
    flat = (colours * np.sqrt(weights)).reshape(-1, 3)
    basis, _ = np.linalg.qr(ways.reshape(-1, 3) + 1e-9)
    return np.asarray(flat - basis @ (basis.T @ flat), np.float32)


def correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return how alike two patterns are, -1 to 1."""
    return float((one * other).sum() / np.sqrt((one**2).sum() * (other**2).sum() + 1e-6))


def _power(stack: NDArray[np.float32], part: Pattern) -> NDArray[np.float32]:
    flat = stack.reshape(len(stack), -1)
    return np.asarray((flat * flat) @ part.ravel(), np.float32)
