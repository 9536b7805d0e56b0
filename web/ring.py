"""The ring of the big screen: where its tokens, names, sectors and sparks stand. Pure drawing.

Units are those of the drawing; nothing of any game is in here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from companion.game import Ring, RingPlace

WIDTH, LEAST_HEIGHT = 600, 500
BELOW_NAMES = 24
CENTRE_XY = (300, 246)
TOKENS_AT = 178
TOKEN_SIZE = 112
SPARK_WH = (48, 80)
SECTOR_FROM, SECTOR_TO = 54, 116
GAP = 3
"""Half the gap between two sectors."""

NAME_ABOVE, NAME_BELOW = -70, 92
NAME_OUTWARDS = 40
SPARKS_AT = 150


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the drawing: the middle of its token, its name's baseline, its sector."""

    place: RingPlace
    token_xy: tuple[int, int]
    name_xy: tuple[int, int]
    sector: str
    sector_xy: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RingDrawing:
    """All of a ring in the units of its drawing; ``sparks`` are top left corners."""

    height: int
    spots: tuple[Spot, ...]
    sparks: tuple[tuple[int, int], ...]


def drawn(ring: Ring) -> RingDrawing:
    """Return where everything of a ring stands, the first place at the top left."""
    count = len(ring.places)
    spots = tuple(_spot(place, number, count) for number, place in enumerate(ring.places))
    sparks = tuple(_spark(one, other, count) for one, other in ring.sparks)
    lowest = max((spot.name_xy[1] for spot in spots), default=0)
    return RingDrawing(max(LEAST_HEIGHT, lowest + BELOW_NAMES), spots, sparks)


def short_name(name: str, longest: int) -> str:
    """Return a name of so many letters at most."""
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "…"


def _angle(number: float, count: int) -> float:
    """Return a place's angle: clockwise from the right, the first one a half step before the top."""
    return 2 * pi * number / count - pi / 2 - pi / count


def _at(angle: float, radius: float) -> tuple[int, int]:
    return round(CENTRE_XY[0] + radius * cos(angle)), round(CENTRE_XY[1] + radius * sin(angle))


def _spot(place: RingPlace, number: int, count: int) -> Spot:
    angle = _angle(number, count)
    x, y = _at(angle, TOKENS_AT)
    name_y = y + (NAME_ABOVE if sin(angle) < -0.3 else NAME_BELOW)
    name_x = x + round(NAME_OUTWARDS * cos(angle))
    return Spot(
        place, (x, y), (name_x, name_y), _sector(angle, count), _at(angle, (SECTOR_FROM + SECTOR_TO) / 2)
    )


def _sector(angle: float, count: int) -> str:
    """Return the path of the part of the centre that lies before a place."""
    half = pi / count
    ends = [
        _at(angle - half + GAP / SECTOR_FROM, SECTOR_FROM),
        _at(angle - half + GAP / SECTOR_TO, SECTOR_TO),
        _at(angle + half - GAP / SECTOR_TO, SECTOR_TO),
        _at(angle + half - GAP / SECTOR_FROM, SECTOR_FROM),
    ]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = ends
    return (
        f"M{ax} {ay}L{bx} {by}A{SECTOR_TO} {SECTOR_TO} 0 0 1 {cx} {cy}"
        f"L{dx} {dy}A{SECTOR_FROM} {SECTOR_FROM} 0 0 0 {ax} {ay}Z"
    )


def _spark(one: int, other: int, count: int) -> tuple[int, int]:
    """Return where the spark between two places stands: half way clockwise from the first."""
    steps = (other - one) % count
    x, y = _at(_angle(one + steps / 2, count), SPARKS_AT)
    return x - SPARK_WH[0] // 2, y - SPARK_WH[1] // 2
