"""What is wrong with spaces of a board or card, in words: they overlap, lie outside, have no name. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

import cv2
import numpy as np

from calibration.layout_edits import Sheet, Spot
from companion.game import Sentence

UNNAMED = re.compile(r"space\d+")
OVERLAP = 0.04  # of the smaller one; hands draw no exact lines
OUTSIDE_MM = 0.5
NEAR_MM = 120.0


def problems(
    sheet: Sheet, spots: Sequence[Spot], *, expected: Iterable[str] = (), tokens: Iterable[str] = ()
) -> tuple[Sentence, ...]:
    """Return a sentence for each thing wrong. ``expected`` are the spaces that the game plays with."""
    found = [one for spot in spots for one in _alone(sheet, spot, set(tokens))]
    found += [
        Sentence("layout.check.overlap", {"one": a.id, "other": b.id})
        for a, b in combinations(spots, 2)
        if _overlap(a, b) > OVERLAP
    ]
    there = {spot.id for spot in spots}
    missing = [name for name in expected if name not in there]
    found += [Sentence("layout.check.missing", {"space": name}) for name in missing[:8]]
    if len(missing) > 8:
        found.append(Sentence("layout.check.missing_more", {"count": len(missing) - 8}))
    return tuple(found)


def _alone(sheet: Sheet, spot: Spot, tokens: set[str]) -> list[Sentence]:
    found = []
    if UNNAMED.fullmatch(spot.id):
        found.append(Sentence("layout.check.unnamed", {"space": spot.id}))
    if is_outside(sheet, spot):
        found.append(Sentence("layout.check.outside", {"space": spot.id}))
    if spot.kind == "pile" and spot.more.get("token_kind") not in tokens:
        found.append(Sentence("layout.check.pile", {"space": spot.id}))
    if spot.kind == "score" and not isinstance(spot.more.get("value"), int):
        found.append(Sentence("layout.check.value", {"space": spot.id}))
    return found


def is_outside(sheet: Sheet, spot: Spot) -> bool:
    """Tell whether a space reaches beyond its board."""
    points, (width, height) = np.asarray(spot.polygon_mm), sheet.size_mm
    if sheet.is_round:
        reach = np.linalg.norm(points - (width / 2, height / 2), axis=1)
        return bool(reach.max() > width / 2 + OUTSIDE_MM)
    return bool((points < -OUTSIDE_MM).any() or (points > np.array([width, height]) + OUTSIDE_MM).any())


def _overlap(a: Spot, b: Spot) -> float:
    """Return the share of the smaller of two spaces that both cover."""
    if abs(a.centre_mm[0] - b.centre_mm[0]) + abs(a.centre_mm[1] - b.centre_mm[1]) > 2 * NEAR_MM:
        return 0.0
    one, two = (np.asarray(spot.polygon_mm, np.float32) for spot in (a, b))
    area, _ = cv2.intersectConvexConvex(one, two)
    smaller = min(cv2.contourArea(one), cv2.contourArea(two))
    return float(area) / max(smaller, 1e-6)
