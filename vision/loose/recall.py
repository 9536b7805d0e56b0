"""Cards recalled by features of their art: what finds those that show no outline.

A feature may look like several cards (pips, frames): each of them gets its vote, and the art laid there
has the last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art_index import Features, stretched
from vision.loose.deck import CardIndex, Deck
from vision.loose.laid import Plane, Scene, is_card_shaped, outline_of
from vision.pose import Points, apply

NEAREST = 6
LEAST_LIKE, LESS_LIKE = 0.8, 0.06  # correlation of RootSIFT, and below the best
FEWEST, FEWEST_ASLANT = 4, 8
PLACES = 4  # of one card
MIDDLE_PLAY_PX, TURN_PLAY_DEG, ZOOM_PLAY = 22.0, 22.0, 1.6
OFF_PX = 5.0
MOST_SEEN, MOST_VOTES = 2000, 400
ROWS_AT_ONCE = 512


@dataclass(frozen=True, slots=True, eq=False)
class Recalled:
    """A card that features were recognised of; how many."""

    card: int
    plane: Plane
    votes: int


def recalled_in(scene: Scene, deck: Deck, covers: Sequence[Points] = ()) -> Iterator[Recalled]:
    """Give the places where cards of the deck may lie by their features; none from under the covers."""
    open_px = scene.open_px(covers) * np.uint8(255)
    seen = Features.of(stretched(scene.grey), open_px, most=MOST_SEEN)
    at, of, like = _alike(seen, deck.index)
    for card in range(len(deck.kinds)):
        own = np.flatnonzero(deck.index.card[of] == card)
        own = own[np.argsort(-like[own], kind="stable")[:MOST_VOTES]]
        for plane, votes in _places(seen, deck, at[own], of[own]):
            if is_card_shaped(outline_of(plane, deck), deck, scene.size_wh):
                yield Recalled(card, plane, votes)


def _alike(
    seen: Features, index: CardIndex
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """Return pairs (feature seen, of the index) that look alike, several for each seen, and how alike."""
    pairs = [(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32))]
    if len(index.rows) <= NEAREST:
        return pairs[0]
    for first in range(0, len(seen.rows), ROWS_AT_ONCE):
        like = seen.rows[first : first + ROWS_AT_ONCE] @ index.rows.T
        nearest = np.argpartition(-like, NEAREST, axis=1)[:, :NEAREST]
        values = np.take_along_axis(like, nearest, axis=1)
        kept = (values > LEAST_LIKE) & (values > values.max(axis=1, keepdims=True) - LESS_LIKE)
        rows, columns = np.nonzero(kept)
        pairs.append((rows + first, nearest[rows, columns], values[rows, columns]))
    at, of, alike = zip(*pairs, strict=True)
    return np.concatenate(at), np.concatenate(of), np.concatenate(alike)


def _places(
    seen: Features, deck: Deck, at: NDArray[np.intp], of: NDArray[np.intp]
) -> Iterator[tuple[Plane, int]]:
    for _ in range(PLACES):
        if len(at) < FEWEST:
            return
        followers = _followers(seen, deck, at, of)
        if followers.sum() < FEWEST:
            return
        zoom = float(np.median(seen.size[at[followers]] / deck.index.size_px[of[followers]]))
        plane = _plane(deck.index.spots_px[of], seen.spots[at], followers, OFF_PX * zoom + 1)
        if plane is not None:
            yield plane, len(set(at[followers].tolist()))
        at, of = at[~followers], of[~followers]


def _followers(seen: Features, deck: Deck, at: NDArray[np.intp], of: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return the votes that agree with the one that most agree with: where the middle of the card lies."""
    turn = seen.turn_deg[at] - deck.index.turn_deg[of]
    zoom = seen.size[at] / deck.index.size_px[of]
    away = np.array(deck.size_wh) / 2 - deck.index.spots_px[of]
    cos, sin = np.cos(np.radians(turn)) * zoom, np.sin(np.radians(turn)) * zoom
    x = seen.spots[at, 0] + cos * away[:, 0] - sin * away[:, 1]
    y = seen.spots[at, 1] + sin * away[:, 0] + cos * away[:, 1]
    off = np.hypot(x[:, None] - x, y[:, None] - y)
    turned = np.abs((turn[:, None] - turn + 180) % 360 - 180)
    ratio = np.abs(np.log(zoom[:, None] / zoom))
    agree = (off < MIDDLE_PLAY_PX * zoom[:, None]) & (turned < TURN_PLAY_DEG) & (ratio < np.log(ZOOM_PLAY))
    return np.asarray(agree[int(agree.sum(axis=1).argmax())])


def _plane(own: Points, seen: Points, followers: NDArray[np.bool_], off_px: float) -> Plane | None:
    affine, _ = cv2.estimateAffinePartial2D(
        own[followers], seen[followers], method=cv2.RANSAC, ransacReprojThreshold=off_px
    )
    if affine is None:
        return None
    plane = np.vstack([affine, [0.0, 0.0, 1.0]])
    on_it = np.linalg.norm(apply(plane, own) - seen, axis=1) < 1.5 * off_px
    if on_it.sum() >= FEWEST_ASLANT:
        aslant, inliers = cv2.findHomography(own[on_it], seen[on_it], cv2.RANSAC, off_px)
        if aslant is not None and inliers.sum() >= FEWEST_ASLANT - 1:
            plane = np.asarray(aslant, np.float64)
    return plane
