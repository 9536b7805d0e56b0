"""What of the taught boards can be recognised anywhere: features of their art, in one index.

Only art where no piece lies is indexed. Boards that share their art (the labs of four players may
differ by a colour or a crest alone) are one *family*: the index knows the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.light import Ground

INDEX_PX_PER_MM = (1.0, 0.6)  # the scales at which cameras show a board in a picture made small
SAME_ART = 0.6  # correlation of details; boards of unlike art reach .1
DETAIL_MM = 8.0
TWIN_MM = 6.0  # features this near to one another are one place
TWINS = 24
MOST_FEATURES = 600  # of a board at one scale: enough, and every one costs time with every picture
FAINTEST = 0.02  # contrast of a feature; the default, .04, sees too little in dim pictures

Grey = NDArray[np.uint8]
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of a picture, n of each: where (px), how turned (degrees), how large (px), and RootSIFT."""

    spots: NDArray[np.float64]
    turn_deg: NDArray[np.float64]
    size: NDArray[np.float64]
    rows: Rows

    @classmethod
    def of(cls, grey: Grey, mask: Grey | None = None, *, most: int = 0) -> Features:
        finder = cv2.SIFT.create(nfeatures=most, contrastThreshold=FAINTEST)
        points, described = finder.detectAndCompute(grey, mask)
        rows = np.zeros((0, 128), np.float32) if described is None else np.asarray(described, np.float32)
        rows = np.sqrt(rows / (rows.sum(axis=1, keepdims=True) + 1e-6)).astype(np.float32)
        return cls(
            np.array([p.pt for p in points], float).reshape(-1, 2),
            np.array([p.angle for p in points], float),
            np.array([p.size for p in points], float),
            rows,
        )


@dataclass(frozen=True, slots=True, eq=False)
class ArtIndex:
    """Features of all families: ``spots_mm`` on the board, ``size_mm``, ``family`` an index.

    ``twins`` (n, TWINS) are the features of the same place, itself among them.
    """

    families: tuple[tuple[BoardId, ...], ...]
    family: NDArray[np.intp]
    spots_mm: NDArray[np.float64]
    turn_deg: NDArray[np.float64]
    size_mm: NDArray[np.float64]
    rows: Rows
    twins: NDArray[np.intp]

    @classmethod
    def of(cls, box: TaughtBox, grounds: Mapping[BoardId, Ground]) -> ArtIndex:
        families = families_of(box.layouts, grounds)
        parts: list[tuple[int, float, Features]] = []
        for number, members in enumerate(families):
            ground = grounds[members[0]]
            grey = np.asarray(cv2.cvtColor(ground.art, cv2.COLOR_BGR2GRAY), np.uint8)
            for scale in INDEX_PX_PER_MM:
                share = scale / ART_PX_PER_MM
                small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
                bare = np.asarray(cv2.resize(ground.bare.astype(np.uint8), small.shape[::-1]), np.uint8)
                parts.append(
                    (
                        number,
                        scale,
                        Features.of(stretched(np.asarray(small, np.uint8)), bare, most=MOST_FEATURES),
                    )
                )
        family = np.concatenate([np.full(len(f.spots), number) for number, _, f in parts])
        spots = np.concatenate([(f.spots + 0.5) / scale for _, scale, f in parts])
        return cls(
            families,
            family,
            spots,
            np.concatenate([f.turn_deg for _, _, f in parts]),
            np.concatenate([f.size / scale for _, scale, f in parts]),
            np.concatenate([f.rows for _, _, f in parts]),
            _twins(family, spots),
        )


def stretched(grey: Grey) -> Grey:
    """Return a grey picture with its usual darks and lights pulled apart: a dim room hides no feature."""
    counts = np.cumsum(np.bincount(grey[::2, ::2].ravel(), minlength=256))
    low, high = (int(np.searchsorted(counts, share * counts[-1])) for share in (0.01, 0.99))
    values = (np.arange(256) - low) * (255.0 / max(high - low, 24))
    return np.asarray(cv2.LUT(grey, np.clip(values, 0, 255).astype(np.uint8)), np.uint8)


def families_of(
    layouts: Mapping[BoardId, BoardLayout], grounds: Mapping[BoardId, Ground]
) -> tuple[tuple[BoardId, ...], ...]:
    """Return the boards that share their art; one without spaces is not looked for."""
    families: list[list[BoardId]] = []
    for board in (b for b, layout in layouts.items() if layout.spaces):
        for members in families:
            if share_art(grounds[members[0]], grounds[board]):
                members.append(board)
                break
        else:
            families.append([board])
    return tuple(tuple(members) for members in families)


def share_art(one: Ground, other: Ground) -> bool:
    """Tell whether two boards look alike but for their colour."""
    if one.art.shape != other.art.shape:
        return False
    bare = (one.bare & other.bare)[::2, ::2]
    details = [detail(g.art)[bare] for g in (one, other)]
    return bool(np.corrcoef(details[0], details[1])[0, 1] > SAME_ART)


def detail(art: Pixels) -> NDArray[np.float32]:
    """Return the grey detail of a board's art at 1 px per mm."""
    small = cv2.resize(
        cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
    )
    grey = np.asarray(small, np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), DETAIL_MM / 2), np.float32)


def _twins(family: NDArray[np.intp], spots: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return for each feature those of the same place, padded with itself."""
    twins = np.repeat(np.arange(len(spots))[:, None], TWINS, axis=1)
    for k in range(len(spots)):
        own = np.flatnonzero(family == family[k])
        near = own[np.linalg.norm(spots[own] - spots[k], axis=1) < TWIN_MM][:TWINS]
        twins[k, : len(near)] = near
    return twins


def matches_of(
    seen: Features, index: ArtIndex, *, closest: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs (feature seen, feature of the index) of which no other place looks nearly as like.

    ``closest`` is the most that the best distance may be of the next best.
    """
    if not len(seen.rows) or not len(index.rows):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    like = seen.rows @ index.rows.T
    best = like.argmax(axis=1)
    every = np.arange(len(best))
    top = like[every, best]
    like[every[:, None], index.twins[best]] = -1.0
    rest = like.max(axis=1)
    clear = np.sqrt(np.maximum(2 - 2 * top, 0)) < closest * np.sqrt(np.maximum(2 - 2 * rest, 0))
    return np.flatnonzero(clear), best[clear]


def ordered(ids: Sequence[BoardId], layouts: Mapping[BoardId, BoardLayout]) -> tuple[BoardId, ...]:
    """Return boards in the order of the box."""
    return tuple(sorted(ids, key=list(layouts).index))
