"""What people use instead, each by its library's documented call, indexed before the clock starts.

Peers are given what they lack: each space cut out upright, where our eyes found the board, at twice the
scale that ours work at, and the art of the empty space as one more answer. So they are asked only what
lies there.

- ORB with brute force: OpenCV, *Feature Matching* (tutorial py_matcher: BFMatcher, Hamming, ratio test
  of 0.75) and, for how many matches are enough, *Features2D + Homography* (MIN_MATCH_COUNT = 10).
- Perceptual hash: ``imagehash.phash`` (github.com/JohannesBuchner/imagehash) and ``hash1 - hash2``;
  at most 10 bits apart, the level of the article that its README cites (hackerfactor.com, 432).
- Colour histogram: OpenCV, *Histogram Comparison* (50 hues and 60 saturations, HISTCMP_CORREL). No level is
  documented: the nearest is its answer.
- Markers: OpenCV, *Detection of ArUco Markers* (detectMarkers of 36h11 with its defaults), on every frame.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.board import EMPTY
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.wardrobe import CARD_BACK

PEER_PX_PER_MM = 4.0
ENOUGH_MATCHES = 10
RATIO = 0.75
MOST_BITS = 10
HISTOGRAM = ([0, 1], [50, 60], [0, 180, 0, 256])


@dataclass(frozen=True, slots=True)
class Guess:
    """The nearest, how near it is (more is nearer), and whether the peer holds it for sure."""

    reads: str
    level: float
    sure: bool


class Peer(Protocol):
    """Names what lies in a picture of one space; ``bare`` names the space."""

    name: str

    def name_it(self, patch: Pixels, bare: str) -> Guess: ...


class OrbPeer:
    """ORB features of each card, matched by brute force."""

    name = "ORB, brute force"

    def __init__(self, art: Mapping[str, Pixels], bare: Mapping[str, Pixels]) -> None:
        self._orb = cv2.ORB.create()
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._art = {kind: self._described(picture) for kind, picture in art.items()}
        self._bare = {space: self._described(picture) for space, picture in bare.items()}

    def name_it(self, patch: Pixels, bare: str) -> Guess:
        rows = self._described(patch)
        counts = {kind: self._matches(rows, known) for kind, known in self._art.items()}
        counts[EMPTY] = self._matches(rows, self._bare[bare])
        best = max(counts, key=lambda kind: counts[kind])
        return Guess(best, counts[best], counts[best] >= ENOUGH_MATCHES)

    def _described(self, picture: Pixels) -> Any:
        return self._orb.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)[1]

    def _matches(self, rows: Any, known: Any) -> int:
        if rows is None or known is None:
            return 0
        pairs = [pair for pair in self._matcher.knnMatch(rows, known, k=2) if len(pair) == 2]
        return sum(one.distance < RATIO * other.distance for one, other in pairs)


class HashPeer:
    """A perceptual hash of each card, and of the picture turned as people do who want both ways."""

    name = "perceptual hash"

    def __init__(self, art: Mapping[str, Pixels], bare: Mapping[str, Pixels]) -> None:
        import imagehash  # noqa: PLC0415 (wanted for this comparison alone)

        self._hash: Callable[[Pixels], Any] = lambda picture: imagehash.phash(_as_image(picture))
        self._art = {kind: self._hash(picture) for kind, picture in art.items()}
        self._bare = {space: self._hash(picture) for space, picture in bare.items()}

    def name_it(self, patch: Pixels, bare: str) -> Guess:
        both = (self._hash(patch), self._hash(np.ascontiguousarray(patch[::-1, ::-1])))
        bits = {kind: min(known - one for one in both) for kind, known in self._art.items()}
        bits[EMPTY] = self._bare[bare] - both[0]
        best = min(bits, key=lambda kind: bits[kind])
        return Guess(best, -bits[best], bits[best] <= MOST_BITS)


class HistogramPeer:
    """Colours of each token inside its outline."""

    name = "colour histogram"

    def __init__(
        self, art: Mapping[str, Pixels], bare: Mapping[str, Pixels], masks: Mapping[str, Pixels]
    ) -> None:
        self._art = {kind: _histogram(picture, masks[kind]) for kind, picture in art.items()}
        self._bare = {space: _histogram(picture, round_mask(picture)) for space, picture in bare.items()}

    def name_it(self, patch: Pixels, bare: str) -> Guess:
        seen = _histogram(patch, round_mask(patch))
        levels = {kind: self._like(seen, known) for kind, known in self._art.items()}
        levels[EMPTY] = self._like(seen, self._bare[bare])
        best = max(levels, key=lambda kind: levels[kind])
        return Guess(best, levels[best], True)

    def _like(self, seen: Any, known: Any) -> float:
        return float(cv2.compareHist(seen, known, cv2.HISTCMP_CORREL))


def _histogram(picture: Pixels, mask: Pixels) -> Any:
    channels, bins, ranges = HISTOGRAM
    counted = cv2.calcHist([cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)], channels, mask, bins, ranges)
    return cv2.normalize(counted, counted, alpha=0, beta=1, norm_type=cv2.NORM_MINMAX)


def _as_image(picture: Pixels) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))


def round_mask(picture: Pixels) -> Pixels:
    """Return a mask of the disc in the middle, as a token's place is."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.circle(mask, (width // 2, height // 2), round(0.46 * min(height, width)), 255, -1)
    return mask


def card_art(scans: Path, box: TaughtBox) -> dict[str, Pixels]:
    """Return the scan of every card that may be laid, the back among them, at the peers' scale."""
    size = (round(box.card_mm[0] * PEER_PX_PER_MM), round(box.card_mm[1] * PEER_PX_PER_MM))
    art = {}
    for entry in json.loads((scans / "index.json").read_text()):
        if entry["kind"] in ("card", "card_back"):
            picture = cv2.imread(str(scans / entry["file"]), cv2.IMREAD_COLOR)
            kind = str(entry.get("card_id", CARD_BACK))
            art[kind] = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return art


def token_art(box: TaughtBox) -> tuple[dict[str, Pixels], dict[str, Pixels]]:
    """Return the art of every token, and its mask inside the outline."""
    art, masks = {}, {}
    for kind, token in box.tokens.items():
        height, width = token.art.shape[:2]
        outline = token.outline_mm * ART_PX_PER_MM + np.array([width / 2, height / 2])
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255)
        art[str(kind)], masks[str(kind)] = token.art, mask
    return art, masks


def best_level(guesses: Sequence[tuple[Guess, str]]) -> tuple[float, float]:
    """Return the level that admits no wrong answer of these at all, and the share right with it.

    No peer could know it: it is chosen with the truth in hand, in the peer's favour.
    """
    level = max((g.level for g, truth in guesses if g.reads != truth), default=float("-inf"))
    right = sum(g.reads == truth and g.level > level for g, truth in guesses)
    return level, right / max(1, len(guesses))


def as_floats(points: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """Return points as OpenCV wants them."""
    return np.asarray(points, np.float32)
