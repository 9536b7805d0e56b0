"""Which card or tile lies on a space: flat rectangles, nearly upright or upside down.

Coarse to exact as with tokens: every candidate at a few small turns on a coarse grid, then the
likely ones laid exactly (``likeness``). Where tokens may lie on a card (its part spaces) it is not
looked at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import PieceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM
from vision.light import BLUR_LEVELS_PX, Colours, to_opponent
from vision.likeness import Laid, Patterns, doubts, lay, turned
from vision.matching import Templates, cuts, halved, windows_of

REACH_MM = 6.0
CONTENDERS = 4
FEWEST = 2  # laid exactly in any case: the best must have a runner-up
HOPELESS = 2.5  # times the misfit of the empty space
OUT_OF_THE_RACE = 1.5  # times the best coarse misfit
EDGE_MM = 1.0  # left out along the edges: shadow, thickness, white core of the cardboard
ROUNDS = 3
FEW_KINDS = 24  # so few are all held against what lies there
NEARLY_ALIKE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A candidate: its art at ART_PX_PER_MM and where it may be covered (1 to look at, 0 not)."""

    kind: PieceKind
    art: Pixels
    shown: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SheetLook:
    """What lies there: kinds, misfits and likenesses in shape, best first; how the best lies relative
    to its space, and the variance of what lies there. Without likenesses nothing was laid."""

    kinds: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    likes: tuple[float, ...]
    offset_mm: tuple[float, float]
    turn_deg: float
    contrast: float


@dataclass(frozen=True, slots=True)
class Seeking:
    """How sheets of a kind are sought: see ``SheetTemplates``."""

    levels: tuple[int, int]
    turns_deg: tuple[float, ...]


CARDS = Seeking((3, 2), (-6.0, -2.0, 2.0, 6.0))
TILES = Seeking((2, 1), (-7.5, -2.5, 2.5, 7.5))


@dataclass(frozen=True, slots=True, eq=False)
class Clear:
    """Which pixels (1) of a sheet nothing covers, at the scale of coarse and of exact templates."""

    coarse: NDArray[np.float32]
    exact: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class SheetTemplates:
    """Templates at one blur: ``coarse`` ones (also upside down) and ``exact`` patterns.

    ``levels`` tells how often the art (at ART_PX_PER_MM) was halved for each, ``turns_deg`` at which small
    turns a sheet is sought. ``softened`` is the art as
    the camera sees it, halved once.
    """

    kinds: tuple[PieceKind, ...]
    levels: tuple[int, int]
    turns_deg: tuple[float, ...]
    coarse: Templates
    exact: Patterns
    softened: tuple[Colours, ...]

    @classmethod
    def of(cls, sheets: Sequence[Sheet], blur: int, how: Seeking) -> SheetTemplates:
        levels = how.levels
        arts = [to_opponent(cv2.GaussianBlur(s.art, (0, 0), BLUR_LEVELS_PX[blur])) for s in sheets]
        shown = [framed(s.shown) for s in sheets]
        exact_arts = [_shrunk(a, levels[1]) for a in arts]
        exact_masks = [_opened(m, levels[1]) for m in shown]
        return cls(
            tuple(s.kind for s in sheets),
            levels,
            how.turns_deg,
            _both_ways([_shrunk(a, levels[0]) for a in arts], [_opened(m, levels[0]) for m in shown]),
            Patterns.of(exact_arts, exact_masks),
            tuple(_shrunk(a, 1) for a in arts),
        )

    def without(self, spot_mm: tuple[float, float], radius_mm: float) -> SheetTemplates:
        """Return the same templates less a disc (about their middles, in mm) that something covers."""
        coarse, exact = (
            holed(side_hw, spot_mm, radius_mm, level)
            for side_hw, level in zip((self.coarse.side_hw, self.exact.side_hw), self.levels, strict=True)
        )
        return replace(self, coarse=self._coarse_with(coarse), exact=self._exact_with(exact))

    def likely_behind(self, pyramid: Mapping[int, Colours], spot: Spot, clear: Clear) -> SheetTemplates:
        """Return the few templates that are likely at a spot, less the part of it that something covers."""
        coarse = replace(self, coarse=self._coarse_with(clear.coarse))
        kinds = np.array(sorted(t.kind for t in _coarse(pyramid, 0, spot, coarse)), np.intp)
        both = np.stack([2 * kinds, 2 * kinds + 1], axis=1).ravel()
        few = replace(
            coarse,
            kinds=tuple(self.kinds[k] for k in kinds),
            coarse=coarse.coarse.some(both),
            exact=self.exact.some(kinds),
            softened=tuple(self.softened[k] for k in kinds),
        )
        return replace(few, exact=few._exact_with(clear.exact))

    def _coarse_with(self, clear: NDArray[np.float32]) -> Templates:
        side_hw = self.coarse.side_hw
        arts = np.concatenate([self.coarse.light, self.coarse.chroma], axis=1)
        return Templates.of(
            [np.ascontiguousarray(a.reshape(3, *side_hw).transpose(1, 2, 0)) for a in arts],
            [self.coarse.masks[k].reshape(side_hw) * clear for k in self.coarse.mask_of],
        )

    def _exact_with(self, clear: NDArray[np.float32]) -> Patterns:
        side_hw = self.exact.side_hw
        return Patterns.of(
            [np.ascontiguousarray(a.T).reshape(*side_hw, 3) for a in self.exact.art],
            [m.reshape(side_hw) * clear for m in self.exact.masks],
        )


def holed(
    size_hw: tuple[int, int], spot_mm: tuple[float, float], radius_mm: float, level: int
) -> NDArray[np.float32]:
    scale = ART_PX_PER_MM / 2**level
    y, x = np.mgrid[: size_hw[0], : size_hw[1]]
    x0, y0 = (size_hw[1] - 1) / 2 + spot_mm[0] * scale, (size_hw[0] - 1) / 2 + spot_mm[1] * scale
    return np.asarray(np.hypot(x - x0, y - y0) > radius_mm * scale, np.float32)


def _both_ways(arts: Sequence[Colours], masks: Sequence[NDArray[np.float32]]) -> Templates:
    both_arts, both_masks = [], []
    for art, mask in zip(arts, masks, strict=True):
        both_arts += [art, np.ascontiguousarray(art[::-1, ::-1])]
        both_masks += [mask, np.ascontiguousarray(mask[::-1, ::-1])]
    return Templates.of(both_arts, both_masks)


def _shrunk(picture: NDArray[np.float32], level: int) -> NDArray[np.float32]:
    return halved(_trimmed(picture, level), level)


def _opened(mask: NDArray[np.float32], level: int) -> NDArray[np.float32]:
    return (_shrunk(mask, level) > 0.6).astype(np.float32)


def framed(shown: NDArray[np.float32]) -> NDArray[np.float32]:
    out = shown.copy()
    edge = round(EDGE_MM * ART_PX_PER_MM)
    out[:edge], out[-edge:], out[:, :edge], out[:, -edge:] = 0, 0, 0, 0
    return out


def _trimmed(picture: NDArray[np.float32], shrink: int) -> NDArray[np.float32]:
    """Trim a picture about its middle until its sides divide by two, ``shrink`` times."""
    step = 2**shrink
    height, width = picture.shape[0] // step * step, picture.shape[1] // step * step
    top, left = (picture.shape[0] - height) // 2, (picture.shape[1] - width) // 2
    return picture[top : top + height, left : left + width]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a sheet is sought: pixels of the flattened board, its up, how badly the bare board fits."""

    centre_px: tuple[float, float]
    up_deg: float
    empty: float = math.inf


@dataclass(frozen=True, slots=True)
class _Try:
    """One sheet to be laid exactly: on which spot, which, about where (px), about how turned."""

    spot: int
    kind: int
    at_px: tuple[float, float]
    turn_deg: float
    coarse: float


def find_sheets(
    pyramid: Mapping[int, Colours],
    spots: Sequence[Spot],
    templates: SheetTemplates,
) -> list[SheetLook]:
    """Find the best sheets about some places of a flattened board.

    ``pyramid`` holds the board in template colours, by how often it was halved. A
    sheet that fits far worse than the empty space is not laid exactly.
    """
    tries: list[_Try] = []
    looks: dict[int, SheetLook] = {}
    for number, spot in enumerate(spots):
        likely = _coarse(pyramid, number, spot, templates)
        if likely[0].coarse > HOPELESS * spot.empty:
            first = likely[:FEWEST]
            kinds = tuple(templates.kinds[t.kind] for t in first)
            looks[number] = SheetLook(kinds, tuple(t.coarse for t in first), (), (0.0, 0.0), 0.0, 0.0)
        else:
            tries += likely
    if tries:
        looks |= _lay(pyramid, spots, tries, templates)
    return [looks[number] for number in range(len(spots))]


def _lay(
    pyramid: Mapping[int, Colours], spots: Sequence[Spot], tries: Sequence[_Try], templates: SheetTemplates
) -> dict[int, SheetLook]:
    """Lay the likely sheets exactly and rank them, spot by spot; then those that look like them in shape."""
    first = _Finals.of(pyramid, tries, templates)
    others = [t for number in first.numbers() for t in first.like_it(number, templates)]
    finals = first.with_more(_Finals.of(pyramid, others, templates)) if others else first
    level = templates.levels[1]
    looks = {}
    for number in finals.numbers():
        own = finals.ranked(number)
        spot, best = spots[number], own[0]
        middle = at_level(spot.centre_px, level)
        x, y = (finals.laid.spots_px[best] - middle) * 2**level / ART_PX_PER_MM
        looks[number] = SheetLook(
            tuple(templates.kinds[finals.laid.which[k]] for k in own),
            tuple(float(finals.laid.misfits[k]) for k in own),
            tuple(float(finals.laid.likes[k]) for k in own),
            (float(x), float(y)),
            (float(finals.laid.turns_deg[best]) - spot.up_deg + 180) % 360 - 180,
            float(finals.laid.contrasts[best]),
        )
    return looks


@dataclass(frozen=True, slots=True, eq=False)
class _Finals:
    """Sheets laid exactly: of which spot each was, and how well it fits."""

    spots: tuple[int, ...]
    laid: Laid

    @classmethod
    def of(cls, pyramid: Mapping[int, Colours], tries: Sequence[_Try], templates: SheetTemplates) -> _Finals:
        level = templates.levels[1]
        laid = lay(
            [pyramid[level]] * len(tries),
            templates.exact,
            np.array([t.kind for t in tries], np.intp),
            np.array([at_level(t.at_px, level) for t in tries]),
            np.array([t.turn_deg for t in tries]),
            rounds=ROUNDS,
        )
        return cls(tuple(t.spot for t in tries), laid)

    def numbers(self) -> list[int]:
        return sorted(set(self.spots))

    def ranked(self, number: int) -> list[int]:
        """Return the sheets of a spot, best first."""
        levels = doubts(self.laid.misfits, self.laid.likes)
        return sorted((k for k, s in enumerate(self.spots) if s == number), key=lambda k: float(levels[k]))

    def like_it(self, number: int, templates: SheetTemplates) -> list[_Try]:
        """Return sheets that colours left out, but whose shape fits where the best one lies."""
        own = self.ranked(number)
        best, tried = own[0], {templates.kinds[int(self.laid.which[k])] for k in own}
        left = np.array([k for k, kind in enumerate(templates.kinds) if kind not in tried], np.intp)
        if len(templates.kinds) > FEW_KINDS or not len(left):
            return []
        seen = np.broadcast_to(self.laid.seen[best], (len(left), *self.laid.seen[best].shape))
        likes = templates.exact.likeness(seen, left)
        x, y = self.laid.spots_px[best]
        scale = 2 ** templates.levels[1]
        at = (float((x + 0.5) * scale - 0.5), float((y + 0.5) * scale - 0.5))
        turn = float(self.laid.turns_deg[best])
        near = [k for k in np.argsort(-likes)[:FEWEST] if likes[k] > self.laid.likes[best] - NEARLY_ALIKE]
        return [_Try(number, int(left[k]), at, turn, 0.0) for k in near]

    def with_more(self, others: _Finals) -> _Finals:
        return _Finals(self.spots + others.spots, self.laid.and_more(others.laid))


def _coarse(
    pyramid: Mapping[int, Colours],
    number: int,
    spot: Spot,
    templates: SheetTemplates,
) -> list[_Try]:
    """Try all sheets on a coarse grid; return where each of the likeliest fits best."""
    level = templates.levels[0]
    height, width = templates.coarse.side_hw
    margin = max(1, round(REACH_MM * ART_PX_PER_MM / 2**level))
    centre = at_level(spot.centre_px, level)
    size = (height + 2 * margin, width + 2 * margin)
    turns = np.array(templates.turns_deg)
    patches = cuts([pyramid[level]] * len(turns), np.tile(centre, (len(turns), 1)), size, spot.up_deg + turns)
    windows, columns = windows_of(patches, (height, width))
    each = len(windows) // len(turns)
    misfits = templates.coarse.misfits(windows)
    places = misfits.argmin(axis=0)
    levels = misfits[places, np.arange(len(places))]
    tries: list[_Try] = []
    for m in np.argsort(levels):
        kind, upside_down = divmod(int(m), 2)
        if any(templates.kinds[other.kind] == templates.kinds[kind] for other in tries):
            continue
        out = len(tries) >= FEWEST and levels[m] > OUT_OF_THE_RACE * tries[0].coarse
        if out or len(tries) == CONTENDERS:
            break
        turn = spot.up_deg + templates.turns_deg[int(places[m]) // each]
        row, column = divmod(int(places[m]) % each, columns)
        x, y = turned(((column - margin) * 2.0**level, (row - margin) * 2.0**level), turn)
        at = (spot.centre_px[0] + x, spot.centre_px[1] + y)
        tries.append(_Try(number, kind, at, turn + 180.0 * upside_down, float(levels[m])))
    return tries


def at_level(spot_px: tuple[float, float], level: int) -> tuple[float, float]:
    """Return a pixel of the flattened board in its picture halved ``level`` times."""
    return (spot_px[0] + 0.5) / 2**level - 0.5, (spot_px[1] + 0.5) / 2**level - 0.5
