"""The loose cards of a box as the eyes compare with them: every card at one size, three softnesses, an index.

Made once for a box. A back is a card like any other, so that face down is recognised, not concluded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import PieceKind
from companion.ports import Pixels
from vision.art_index import Features, Grey, Rows

WIDTH_PX = 150  # cards are compared at this width; in pictures they are 60 to 200 px wide
COARSE = 5  # a first look is taken at a fifth of that
FINER = 2  # pixels of a first look are means of so many
RIM_PX = 5  # corners are rounded, outlines are off by a little
SOFT_PX = (0.7, 1.4, 2.4)
INDEX_WIDTHS_PX = (200, 100)
MOST_FEATURES, MOST_OF_ALL = 350, 16000  # of a card at one width; every one costs time with every picture
NEARBY_PX, COARSE_NEARBY_PX = 6.0, 4.0
FAINT = 6.0  # grey levels: a pattern fainter than this is none

Pattern = NDArray[np.float32]


def pattern_of(grey: Grey, nearby_px: float = NEARBY_PX) -> Pattern:
    """Return grey less its surroundings, by the contrast there: what no lamp and no veil changes."""
    seen = grey.astype(np.float32)
    detail = seen - cv2.GaussianBlur(seen, (0, 0), nearby_px)
    power = cv2.GaussianBlur(detail * detail, (0, 0), nearby_px)
    return np.asarray(detail / np.sqrt(power + FAINT**2), np.float32)


def coarse_of(grey: Grey) -> Pattern:
    """Return the pattern of a whole card, soft: for a first look. ``grey`` is FINER times as large."""
    pattern = pattern_of(np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.uint8), COARSE_NEARBY_PX)
    size_wh = (grey.shape[1] // FINER, grey.shape[0] // FINER)
    return np.asarray(cv2.resize(pattern, size_wh, interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class CardIndex:
    """Features of all cards: RootSIFT ``rows``, ``spots_px`` at WIDTH_PX, ``card`` an index of the deck."""

    rows: Rows
    spots_px: NDArray[np.float64]
    turn_deg: NDArray[np.float64]
    size_px: NDArray[np.float64]
    card: NDArray[np.intp]

    @classmethod
    def of(cls, faces: tuple[Pixels, ...]) -> CardIndex:
        parts = []
        most = min(MOST_FEATURES, MOST_OF_ALL // (len(faces) * len(INDEX_WIDTHS_PX)))
        for number, face in enumerate(faces):
            for width in INDEX_WIDTHS_PX:
                size_wh = (width, round(face.shape[0] * width / face.shape[1]))
                small = cv2.resize(face, size_wh, interpolation=cv2.INTER_AREA)
                grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
                parts.append((number, WIDTH_PX / width, Features.of(grey, most=most)))
        return cls(
            np.concatenate([f.rows for _, _, f in parts]),
            np.concatenate([(f.spots + 0.5) * scale - 0.5 for _, scale, f in parts]),
            np.concatenate([f.turn_deg for _, _, f in parts]),
            np.concatenate([f.size * scale for _, scale, f in parts]),
            np.concatenate([np.full(len(f.spots), number) for number, _, f in parts]).astype(np.intp),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """Cards that may lie loose, ``n`` of them, all of one size.

    ``patterns`` (softness, n, h, w) and the same upside down in ``heads_down``; ``coarse`` (n, h/5, w/5);
    ``paints`` (n, h/5, w/5, 3) in LAB; ``inner`` (h, w) is 1 where a card is compared, 0 at its rim.
    """

    kinds: tuple[PieceKind, ...]
    backs: frozenset[PieceKind]
    size_wh: tuple[int, int]
    soft: tuple[NDArray[np.uint8], ...]
    patterns: NDArray[np.float32]
    coarse: NDArray[np.float32]
    paints: NDArray[np.float32]
    inner: Pattern
    index: CardIndex

    @classmethod
    def of(cls, faces: Mapping[PieceKind, Pixels], backs: frozenset[PieceKind] = frozenset()) -> Deck:
        """Prepare a deck from flat pictures of its cards. Raises ValueError when there is none."""
        if not faces:
            raise ValueError("A deck needs at least one card.")
        shapes = np.array([face.shape[0] / face.shape[1] for face in faces.values()])
        size_wh = (WIDTH_PX, round(WIDTH_PX * float(np.median(shapes))))
        art = [
            np.asarray(cv2.resize(face, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
            for face in faces.values()
        ]
        greys = [np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.uint8) for face in art]
        soft = [np.stack([_softened(grey, by) for grey in greys]) for by in SOFT_PX]
        inner = np.zeros(size_wh[::-1], np.float32)
        inner[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = 1.0
        return cls(
            tuple(faces),
            backs,
            size_wh,
            tuple(soft),
            np.stack([np.stack([pattern_of(grey) for grey in stack]) for stack in soft]),
            np.stack([coarse_of(_small(grey)) for grey in greys]),
            np.stack([paint_of(face) for face in art]),
            inner,
            CardIndex.of(tuple(faces.values())),
        )

    @property
    def coarse_wh(self) -> tuple[int, int]:
        """Return the size of a first look."""
        return self.size_wh[0] // COARSE, self.size_wh[1] // COARSE

    @property
    def side_ratio(self) -> float:
        """Return how much higher than wide a card is."""
        return self.size_wh[1] / self.size_wh[0]


def paint_of(face: Pixels) -> NDArray[np.float32]:
    """Return the colours of a flat card at a fifth of its size, LAB, soft."""
    size_wh = (face.shape[1] // COARSE, face.shape[0] // COARSE)
    small = cv2.resize(cv2.GaussianBlur(face, (0, 0), 2.0), size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32)


def _softened(grey: Grey, by_px: float) -> Grey:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), by_px), np.uint8)


def _small(grey: Grey) -> Grey:
    size_wh = (FINER * (grey.shape[1] // COARSE), FINER * (grey.shape[0] // COARSE))
    return np.asarray(cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
