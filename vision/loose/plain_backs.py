"""Backs whose pattern is too fine to be seen: of one colour, as large as the cards there, with an edge.

A grid of lines melts away in a camera that is far or out of focus; then nothing is left to lay exactly. What
is left is the colour of a taught back, as even as that back is, in the shape and size of a card. Asked where
no face was found and faces lie beside it, so that it is known how large a card is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.loose.deck import Deck
from vision.loose.find_cards import Found, Spot
from vision.loose.judge import SURE
from vision.loose.laid import PLAIN, TINT, Scene, flat_paint, plane_of
from vision.pose import Points

SIZE_PLAY = 1.12  # cards on one table are about as large as one another
RIM = 0.12  # of a card: what lies beside it may shine into its rim
MOST_EVEN = (3 * PLAIN, 2 * PLAIN, 2 * PLAIN)
"""How much lightness and colours of a plain back may vary, in levels of LAB: lamps vary more than ink."""

MOST_SHARED = 0.15  # of an outline that lies on other cards
BESIDE = 0.1  # of a card's width: where the table is looked at
EDGE_APART = 25.0  # levels of LAB between a card and what lies beside it
EDGES = 2  # sides with an edge: of two backs one upon the other, one corner shows


@dataclass(frozen=True, slots=True, eq=False)
class PlainBack:
    """A back told by its colour: which card of the deck, where its corners are seen."""

    card: int
    corners: Points
    spot: Spot


def plain_backs(scene: Scene, deck: Deck, found: Found) -> list[PlainBack]:
    """Return backs that nothing else tells, none where a card was found.

    Of a heap of them one is told: where one colour lies upon itself, nobody can count.
    """
    backs = [
        card for card, kind in enumerate(deck.kinds) if kind in deck.backs and _is_even(deck.paints[card])
    ]
    faces = [_sides(card.corners) for card in found.cards if card.chance >= SURE]
    if not backs or not faces:
        return []
    usual = np.median(np.array(faces), axis=0)
    told = sorted(_told(scene, deck, found, backs, usual), key=lambda pair: pair[0])
    kept: list[PlainBack] = []
    for _, back in told:
        if not _is_upon(back.corners, [other.corners for other in kept]):
            kept.append(back)
    return kept


def _told(
    scene: Scene, deck: Deck, found: Found, backs: Sequence[int], usual: Points
) -> Iterator[tuple[float, PlainBack]]:
    """Give what may be backs, each with how uneven it is."""
    for outline in found.outlines:
        spot, sides = Spot.of(outline.corners), _sides(outline.corners) / usual
        if sides.max() > SIZE_PLAY or sides.min() < 1 / SIZE_PLAY or found.is_taken(spot):
            continue
        if _is_upon(outline.corners, found.covers):
            continue
        paint = _inner(flat_paint(scene, plane_of(outline.corners, deck), deck))
        colour = paint.mean(axis=(0, 1))
        card = _back_of(colour, deck, backs)
        if card is not None and _is_even(paint) and _edges(scene, outline.corners, colour) >= EDGES:
            yield float(paint.std(axis=(0, 1)).sum()), PlainBack(card, outline.corners, spot)


def _sides(corners: Points) -> Points:
    """Return how wide and how high a card is seen."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.array([lengths[[0, 2]].mean(), lengths[[1, 3]].mean()])


def _back_of(colour: NDArray[np.float32], deck: Deck, backs: Sequence[int]) -> int | None:
    """Return the back of about that colour, None if there is none, or if a face is as near."""
    means = deck.paints.mean(axis=(1, 2))
    apart = np.linalg.norm((means - colour)[:, 1:], axis=1)
    nearest = min(backs, key=lambda card: float(apart[card]))
    faces = [card for card, kind in enumerate(deck.kinds) if kind not in deck.backs]
    is_nearer = all(apart[nearest] < apart[card] for card in faces)
    return nearest if apart[nearest] < TINT and is_nearer else None


def _inner(paint: NDArray[np.float32]) -> NDArray[np.float32]:
    down, across = (max(1, round(RIM * side)) for side in paint.shape[:2])
    return paint[down:-down, across:-across]


def _is_even(paint: NDArray[np.float32]) -> bool:
    return bool((_inner(paint).std(axis=(0, 1)) < MOST_EVEN).all())


def _edges(scene: Scene, corners: Points, colour: NDArray[np.float32]) -> int:
    """Count the sides beyond which the picture has other colours."""
    middle, share = corners.mean(axis=0), np.linspace(0.15, 0.85, 12)[:, None]
    width = float(np.linalg.norm(corners[1] - corners[0]))
    count = 0
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        out = (start + end) / 2 - middle
        spots = start + share * (end - start) + out / np.linalg.norm(out) * BESIDE * width
        at = np.clip(spots.astype(int), 0, np.array(scene.size_wh) - 1)
        seen = np.ascontiguousarray(scene.pixels[at[:, 1], at[:, 0]][None])
        lab = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), np.float32)[0]
        count += float(np.median(np.linalg.norm(lab - colour, axis=1))) > EDGE_APART
    return count


def _is_upon(corners: Points, others: Sequence[Points]) -> bool:
    """Tell whether some of an outline lies on others."""
    shape = corners.astype(np.float32)
    shared = (cv2.intersectConvexConvex(shape, other.astype(np.float32))[0] for other in others)
    return sum(shared) > MOST_SHARED * abs(cv2.contourArea(shape))
