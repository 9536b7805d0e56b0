"""Practice with loose cards: how far a likeness can be trusted, learned from views composed of their art.

Cards are laid aslant on tables of every sort, near and far, one half over another, and photographed in all
light. Each is held against itself, and against the cards most like it as though it had never been taught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.confidence import fit
from calibration.practice import Canvas, photograph
from companion.ports import Pixels
from vision.loose.deck import Deck
from vision.loose.find_cards import CardFinder, Guess, Spot
from vision.loose.judge import HINGES, features_of
from vision.loose.laid import Plane, Scene, first_look, outline_of, plane_of
from vision.pose import Points

VIEWS_A_CARD, FEWEST_VIEWS, MOST_VIEWS = 8, 40, 160
SEED = 23
SIZE_WH = (480, 480)
WIDTHS_PX = (62.0, 150.0)
ASLANT = 0.07  # of a side: how far a corner is off because the camera looks aslant
OFF = 0.03  # of a card's width: how far a first guess is off
COVERED_SHARE, KNOWN_SHARE = 0.55, 0.45
LOOKALIKES = 3
GLOSS_SHARE = 0.3
HELD_BACK = 0.3  # views are some hundred: weights of a small deck must be free to grow
SLIPPED = 0.12  # of a card's width: it was not laid where it lies


def learn_loose(
    deck: Deck,
    faces: Sequence[Pixels],
    *,
    most_views: int = MOST_VIEWS,
    tell: Callable[[str], None] = lambda _: None,
) -> list[float]:
    """Practise with a deck (``faces`` in its order) and return the weights of ``vision.loose.judge``."""
    practice = _Practice(deck, faces)
    views = min(max(FEWEST_VIEWS, VIEWS_A_CARD * len(faces)), most_views)
    for _ in range(views // len(faces) + 1):
        for card in practice.rng.permutation(len(faces)).tolist():
            if practice.views < views:
                practice.learn(card)
    answers = np.array(practice.answers)
    tell(
        f"{views} practice views of loose cards: {int(answers.sum())} of {len(answers)} likenesses are right"
    )
    return fit(np.stack(practice.features), answers, np.ones(len(answers)), HINGES, held_back=HELD_BACK)


class _Practice:
    """Views seen so far, and what they taught: ``features`` of likenesses and whether each is right."""

    def __init__(self, deck: Deck, faces: Sequence[Pixels]) -> None:
        self.rng = np.random.default_rng(SEED)
        self.features: list[NDArray[np.float64]] = []
        self.answers: list[float] = []
        self.views = 0
        self._deck, self._faces = deck, faces
        self._finder = CardFinder(deck, lambda _: 0.0)

    def learn(self, card: int) -> None:
        """Hold a card in a fresh view against itself and against those most like it."""
        self.views += 1
        corners, cover, pixels = compose(card, self._faces, self.rng)
        scene = Scene.of(pixels)
        is_known = self.rng.random() < KNOWN_SHARE
        covers = [cover] if cover is not None and is_known else []
        self._hold(scene, corners, (card, card), None if cover is None else covers)
        for other in _lookalikes(scene, corners, card, self._deck):
            # A card that nothing lies upon is held for a covered one, too, when it looks like none.
            self._hold(scene, corners, (other, card), None)
            self._hold(scene, corners, (other, card), covers)

    def _hold(
        self, scene: Scene, corners: Points, taken_for: tuple[int, int], covers: list[Points] | None
    ) -> None:
        """Lay one card where another lies, which is taken for not taught unless it is the same."""
        laid_card, card = taken_for
        is_right = laid_card == card
        width = float(np.linalg.norm(corners[0] - corners[1]))
        off = corners + self.rng.normal(0, OFF * width, (4, 2))
        guess = Guess(laid_card, plane_of(off, self._deck), off, Spot.of(off), 1.0)
        laid = self._finder.lay(scene, guess, covers, without=None if is_right else card)
        if laid is None:
            return
        plane, likeness = laid
        away = float(np.abs(outline_of(plane, self._deck) - corners).max())
        if away > SLIPPED * width:
            return  # neither right nor like it: perhaps it found the card that lies upon this one
        self.features.append(features_of(likeness))
        self.answers.append(float(is_right))


def _lookalikes(scene: Scene, corners: Points, card: int, deck: Deck) -> list[int]:
    looks, _ = first_look(scene, plane_of(corners, deck), deck)
    return [other for other in np.argsort(-looks[0]).tolist() if other != card][:LOOKALIKES]


def compose(
    card: int, faces: Sequence[Pixels], rng: np.random.Generator
) -> tuple[Points, Points | None, Pixels]:
    """Return a card's corners in a practice view, those of a card upon it (None: there is none), the view."""
    canvas = _table(rng)
    corners = _corners(faces[card], np.array(SIZE_WH) / 2 + rng.uniform(-40, 40, 2), rng)
    _paste(canvas, faces[card], corners)
    cover = None
    if rng.random() < COVERED_SHARE:
        other = int(rng.integers(len(faces)))
        width = float(np.linalg.norm(corners[0] - corners[1]))
        way = rng.normal(0, 1, 2)
        middle = corners.mean(axis=0) + way / np.linalg.norm(way) * width * rng.uniform(0.35, 1.2)
        cover = _corners(faces[other], middle, rng, width)
        _paste(canvas, faces[other], cover)
    if rng.random() < GLOSS_SHARE:
        _gloss(canvas, corners, rng)
    return corners, cover, photograph(canvas, rng)


def _corners(face: Pixels, middle: Points, rng: np.random.Generator, width: float | None = None) -> Points:
    width = float(np.exp(rng.uniform(*np.log(WIDTHS_PX)))) if width is None else width
    height = width * face.shape[0] / face.shape[1]
    square = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(square @ turn + middle + rng.normal(0, ASLANT * width / 2, (4, 2)), float)


def _paste(canvas: Canvas, face: Pixels, corners: Points) -> None:
    height, width = face.shape[:2]
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    plane: Plane = np.asarray(cv2.getPerspectiveTransform(own, corners.astype(np.float32)), np.float64)
    shrink = width / max(float(np.linalg.norm(corners[0] - corners[1])), 1.0)
    soft = cv2.GaussianBlur(face, (0, 0), max(0.3, 0.4 * shrink))
    laid = cv2.warpPerspective(soft, plane, SIZE_WH, flags=cv2.INTER_LINEAR).astype(np.float32)
    mask = cv2.warpPerspective(np.ones(face.shape[:2], np.float32), plane, SIZE_WH, flags=cv2.INTER_LINEAR)
    shade = cv2.GaussianBlur(mask, (0, 0), 4.0)[..., None]
    canvas *= 1 - 0.25 * shade
    canvas[:] = canvas * (1 - mask[..., None]) + laid * mask[..., None]


def _gloss(canvas: Canvas, corners: Points, rng: np.random.Generator) -> None:
    """Let a lamp or a window shine back from a card, more at one end than at the other."""
    x, y = np.meshgrid(np.arange(SIZE_WH[0], dtype=np.float32), np.arange(SIZE_WH[1], dtype=np.float32))
    width = float(np.linalg.norm(corners[0] - corners[1]))
    middle = corners.mean(axis=0) + rng.normal(0, 0.5 * width, 2)
    reach = width * rng.uniform(0.4, 1.2)
    shine = np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * reach**2))
    canvas += (rng.uniform(20, 140) * shine)[..., None].astype(np.float32)


def _table(rng: np.random.Generator) -> Canvas:
    """Return a table: a colour with grain of some size along some way, as wood, cloth or carpet have."""
    width, height = SIZE_WH
    colour = rng.uniform(30, 220) * np.exp(rng.normal(0, 0.25, 3))
    canvas = np.ones((height, width, 3), np.float32) * colour.astype(np.float32)
    for fine in _grains(rng):
        canvas *= (1 + fine)[..., None]
    return np.asarray(np.clip(canvas, 0, 255), np.float32)


def _grains(rng: np.random.Generator) -> Iterator[NDArray[np.float32]]:
    width, height = SIZE_WH
    for depth in rng.uniform(0.02, 0.25, 2):
        rough = rng.normal(0, 1, (height, width)).astype(np.float32)
        along, across = np.exp(rng.uniform(0, 3.5, 2))
        grain = cv2.GaussianBlur(rough, (0, 0), sigmaX=float(along), sigmaY=float(across))
        yield np.asarray(depth * grain / max(float(np.std(grain)), 1e-6), np.float32)
