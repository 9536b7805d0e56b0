"""Six-sided dice in a picture: where they lie, what looks up, which of a taught set, and why not.

A net looks for top faces everywhere, another reads them from many angles, and the pips must lie as a
lattice: an answer is sure only where these agree. No board and no box are needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import DieReading, Obstacle, Pixels
from vision.dice_colours import ColourTold, DiceSet, look_of
from vision.dice_finder import Hint, find_hints
from vision.dice_lattice import Lattice, LatticeFit
from vision.dice_net import load_nets
from vision.dice_views import LEANS_DEG, READER_FACE_PX, READER_PX, cut_out, evened

WEIGHTS = Path(__file__).with_name("dice.npz")
MOST_PX = 1280  # the long side of a picture that is looked at: dice are smaller than boards
NONE, COCKED, STACKED = 0, 7, 8  # the reader's classes beside the six values

HOPELESS = 0.9  # chance of none wherever one looks: that is no die
IS_DIE = 0.5  # chance that there is no die from which none is told
SURE = 0.91
HAS_PIPS = 0.42  # of the best lattice: what has no pips is no die; magnets and coins have .34 and less
READ = 0.3  # chance of a value below which the reader contradicts the lattice
FITS = 0.55  # of a lattice: below it the pips do not lie as on a die
LATTICE_UNIT = 0.05  # by which a lattice must fit better to weigh e to one
IS_FACE = 0.6  # chance of a value from which what lies inside a face is one of its pips
_PIP_OF = 1.8  # a die upon a die is larger in proportion
COCKED_DEG = 9.0  # beyond what most dice of a picture lean, as the net tells it
ON_A_DIE = 0.5
ASLANT_DEG = 34.0  # where nothing is known of the camera: so phones are held, and more
FLAT_TOLD_DEG, TOLD_A_DEG, CLEARLY_DEG = 9.0, 0.35, 3.5
"""What the net tells of a flat die seen from straight above (drawn ones: up to 13), of each degree that the
camera looks aslant, and beyond that what counts: it tells less of a lean than there is."""

GLARE_SHARE, BURNT = 0.12, 248
SHARP = 5.0  # grey levels: less difference between neighbours on a face is out of focus
TILTED = 0.6

_AROUND = ((0.0, 0.0), (0.12, 0.0), (-0.12, 0.0), (0.0, 0.12), (0.0, -0.12))
_SIZES = (0.85, 1.0, 1.18)
_NEAR = ((0.0, 0.0), (0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2))
_RATHER = (0.85, 1.0, 1.2)  # sizes that the lattice is tried at: hints are coarse
MOST_SPOTS = 6  # of a hint, where lattices lie well; the reader says which of them is a face
_TURNS = tuple(range(0, 360, 45))


class _Spot(NamedTuple):
    """Where a face may lie: its middle and its side, in pixels."""

    x: float
    y: float
    face_px: float


class _Looked(NamedTuple):
    """A place after a closer look: where the face lies, the chance of each class, and of each posture."""

    centre_xy: tuple[float, float]
    face_px: float
    chances: NDArray[np.float64]
    postures: NDArray[np.float64]

    @property
    def lean_deg(self) -> float:
        """Return how far the face looks away from the camera."""
        leans = self.postures[: len(LEANS_DEG)]
        return float(leans @ np.array(LEANS_DEG) / leans.sum())

    @property
    def on_a_die(self) -> float:
        """Return the chance that it lies on another die."""
        return float(self.postures[len(LEANS_DEG)])


@dataclass(frozen=True, slots=True)
class Seen:
    """A die before it is named: its reading without colour, and the view that its colours come from."""

    reading: DieReading
    view: Pixels
    lattice: Lattice


class DiceEyes:
    """Reads dice. Keeps its nets, remembers no picture."""

    def __init__(
        self, dice_set: DiceSet | None = None, *, tilt_deg: float | None = None, weights: Path = WEIGHTS
    ) -> None:
        """Open the eyes. ``tilt_deg`` is how far a fixed camera looks from straight down, None: not known."""
        self._tilt_deg = tilt_deg
        nets = load_nets(weights)
        self._finder, self._reader, self._posture = nets["finder"], nets["reader"], nets["posture"]
        self._lattice = LatticeFit()
        self.dice_set = dice_set

    def read(self, pixels: Pixels, *, faces_px: tuple[float, float] | None = None) -> tuple[DieReading, ...]:
        """Return the dice in a picture (height, width, 3), blue-green-red, those above first.

        ``faces_px`` is how small and how large a top face may be, None: whatever a picture may show.
        """
        return tuple(_with_colour(seen, self.dice_set) for seen in self.see(pixels, faces_px))

    def see(self, pixels: Pixels, faces_px: tuple[float, float] | None = None) -> Sequence[Seen]:
        """Return the dice with the views that they were read from."""
        zoom = min(1.0, MOST_PX / max(pixels.shape[:2]))
        small = pixels
        if zoom < 1:
            size = (round(pixels.shape[1] * zoom), round(pixels.shape[0] * zoom))
            small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        sizes = None if faces_px is None else (faces_px[0] * zoom, faces_px[1] * zoom)
        looked = [self._look(small, hint) for hint in find_hints(small, self._finder, sizes)]
        places = [place for place in looked if place is not None and place.chances[NONE] < IS_DIE]
        dice = _each_once(places)
        most_deg = most_lean_deg([die.lean_deg for die in dice], self._tilt_deg)
        judged_all = [self._judge(small, die, zoom, is_cocked=die.lean_deg > most_deg) for die in dice]
        seen = [die for die in judged_all if die.lattice.fits.max() >= HAS_PIPS]
        return sorted(seen, key=lambda die: (die.reading.centre_px[1], die.reading.centre_px[0]))

    def _look(self, pixels: Pixels, hint: Hint) -> _Looked | None:
        """Move to where a face reads best, then read it from all sides; None where there is no die."""
        (x, y), face = hint.centre_xy, hint.face_px
        chances = self._chances(
            pixels,
            [(x + dx * face, y + dy * face, face * size, 0.0) for size in _SIZES for dx, dy in _AROUND],
        )
        if chances[:, NONE].min() > HOPELESS:
            return None
        weight = (chances[:, 1:7].max(1) ** 4).reshape(len(_SIZES), len(_AROUND)) + 1e-9
        weight /= weight.sum()
        shift = weight.sum(0) @ np.array(_AROUND)
        there = _Spot(x + float(shift[0]) * face, y + float(shift[1]) * face, face)
        there = there._replace(face_px=face * float(weight.sum(1) @ np.array(_SIZES)))
        spots = [there, *self._aligned(pixels, there)]
        turns = _TURNS[::2]
        told = self._chances(pixels, [(*spot, turn) for spot in spots for turn in turns])
        best = max(range(len(spots)), key=lambda k: _promise(told[k * len(turns) : (k + 1) * len(turns)]))
        x, y, face = spots[best]
        looks = [(x, y, face * size, turn) for size in (0.92, 1.08) for turn in _TURNS]
        views = evened(np.array([_view(pixels, look[:2], *look[2:]) for look in looks]))
        chances = self._reader.chances(views)[:, 0, 0].astype(np.float64)
        postures = together(self._posture.chances(views)[:, 0, 0].astype(np.float64))
        return _Looked((x, y), face, together(chances), postures)

    def _aligned(self, pixels: Pixels, near: _Spot) -> Sequence[_Spot]:
        """Return the spots near one where pips lie best as a lattice."""
        found: list[tuple[float, _Spot]] = []
        around = [
            _Spot(near.x + dx * near.face_px, near.y + dy * near.face_px, near.face_px * size)
            for size in _RATHER
            for dx, dy in _NEAR
        ]
        lattices = self._lattice.fit_all([_view(pixels, spot[:2], spot.face_px) for spot in around])
        for (x, y, face), lattice in zip(around, lattices, strict=True):
            for value in np.argsort(-lattice.fits)[:2]:
                corners = lattice.faces[value]
                aside = corners.mean(0) * face
                area = abs(float(cv2.contourArea(corners.astype(np.float32))))
                spot = _Spot(x + float(aside[0]), y + float(aside[1]), face * math.sqrt(area))
                found.append((float(lattice.fits[value]), spot))
        kept: list[_Spot] = []
        for fit, spot in sorted(found, reverse=True):
            if fit > FITS and len(kept) < MOST_SPOTS and not any(_are_alike(spot, other) for other in kept):
                kept.append(spot)
        return kept

    def _chances(
        self, pixels: Pixels, looks: Sequence[tuple[float, float, float, float]]
    ) -> NDArray[np.float64]:
        views = np.array([_view(pixels, (x, y), face, turn) for x, y, face, turn in looks])
        return self._reader.chances(evened(views))[:, 0, 0].astype(np.float64)

    def _judge(self, pixels: Pixels, place: _Looked, zoom: float, *, is_cocked: bool) -> Seen:
        view = _view(pixels, place.centre_xy, place.face_px)
        lattice = self._lattice.fit(view)
        value, confidence, obstacle = judged(place.chances, lattice.fits)
        if place.on_a_die > ON_A_DIE:
            obstacle = Obstacle.STACKED
        elif is_cocked:
            value, obstacle = None, Obstacle.COCKED
        if obstacle is Obstacle.TWO_CANDIDATES:
            obstacle = _what_hinders(view, lattice)
        corners = (np.array(place.centre_xy) + lattice.corners * place.face_px + 0.5) / zoom - 0.5
        centre = corners.mean(0)
        reading = DieReading(
            value=value,
            confidence=confidence,
            sure=obstacle is None,
            centre_px=(float(centre[0]), float(centre[1])),
            corners_px=tuple((float(x), float(y)) for x, y in corners),
            obstacle=obstacle,
        )
        return Seen(reading, view, lattice)


def judged(
    chances: NDArray[np.float64], fits: NDArray[np.float64]
) -> tuple[int | None, float, Obstacle | None]:
    """Return what a die shows, how likely, and why that is not sure (None: it is).

    ``chances`` (9,) are the reader's, ``fits`` (6,) the lattice's.
    """
    if chances[COCKED] > max(chances[1:7].max(), chances[STACKED]):
        return None, float(chances[COCKED]), Obstacle.COCKED
    both = (chances[1:7] + 1e-4) * np.exp((fits - fits.max()) / LATTICE_UNIT)
    both /= both.sum()
    value = int(both.argmax()) + 1
    confidence = float(both[value - 1]) * float(1 - chances[NONE])
    if chances[STACKED] > chances[1:7].max():
        return value, confidence, Obstacle.STACKED
    do_agree = chances[value] >= max(READ, chances[COCKED] + chances[STACKED]) and fits[value - 1] >= FITS
    is_sure = confidence >= SURE and do_agree
    return value, confidence, None if is_sure else Obstacle.TWO_CANDIDATES


def _promise(chances: NDArray[np.float64]) -> float:
    """Return how well looks (n, 9) at a spot read as one value."""
    return float(together(chances)[1:7].max())


def _are_alike(one: _Spot, other: _Spot) -> bool:
    size = one.face_px / other.face_px
    return math.dist(one[:2], other[:2]) < 0.08 * other.face_px and 0.93 < size < 1.07


def most_lean_deg(leans_deg: Sequence[float], tilt_deg: float | None) -> float:
    """Return how far a die that lies flat may look away from the camera, as the net tells it.

    A leaning die under a camera from above and a flat one seen aslant look the same. So it is what is
    known of the camera, else what most dice of the picture do; of one or two dice much must be allowed.
    """
    if tilt_deg is not None:
        return FLAT_TOLD_DEG + TOLD_A_DEG * tilt_deg + CLEARLY_DEG
    return float(np.median(leans_deg)) + COCKED_DEG if len(leans_deg) >= 3 else ASLANT_DEG


def together(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what looks (n, classes) say together: a geometric mean, so that one sure objection counts."""
    mean = np.exp(np.log(chances + 1e-6).mean(0))
    return np.asarray(mean / mean.sum())


def _view(pixels: Pixels, centre_xy: tuple[float, float], face_px: float, turn_deg: float = 0.0) -> Pixels:
    return cut_out(pixels, centre_xy, face_px * READER_PX / READER_FACE_PX, READER_PX, turn_deg)


def _each_once(places: Sequence[_Looked]) -> list[_Looked]:
    """Drop places that turned out to be the same die, the surer one stays; and pips that pass for dice."""
    by_size = sorted(places, key=lambda each: -each.face_px)
    kept: list[_Looked] = []
    for place in sorted(by_size, key=lambda each: each.chances[NONE] - each.chances[1:7].max()):
        is_pip = any(
            larger.face_px > _PIP_OF * place.face_px
            and larger.chances[1:7].max() > IS_FACE
            and math.dist(place.centre_xy, larger.centre_xy) < 0.6 * larger.face_px
            for larger in by_size
        )
        apart = (
            math.dist(place.centre_xy, other.centre_xy) > 0.5 * max(place.face_px, other.face_px)
            for other in kept
        )
        if not is_pip and all(apart):
            kept.append(place)
    return kept


def _what_hinders(view: Pixels, lattice: Lattice) -> Obstacle:
    """Return what most likely kept a face from being read."""
    reach = round(READER_FACE_PX * 0.4)
    middle = READER_PX // 2
    face = view[middle - reach : middle + reach, middle - reach : middle + reach]
    if float((face.min(-1) >= BURNT).mean()) > GLARE_SHARE:
        return Obstacle.GLARE
    grey = face.astype(np.float32).mean(-1)
    if max(np.abs(np.diff(grey, axis=0)).mean(), np.abs(np.diff(grey, axis=1)).mean()) < SHARP:
        return Obstacle.BLURRED
    return Obstacle.TWO_CANDIDATES


def _with_colour(seen: Seen, dice_set: DiceSet | None) -> DieReading:
    if dice_set is None:
        return seen.reading
    told: ColourTold = dice_set.tell(look_of(seen.view, seen.lattice.corners))
    reading = seen.reading
    return DieReading(
        value=reading.value,
        confidence=reading.confidence,
        sure=reading.sure,
        centre_px=reading.centre_px,
        corners_px=reading.corners_px,
        obstacle=reading.obstacle,
        kind=told.kind,
        kind_obstacle=told.obstacle,
    )
