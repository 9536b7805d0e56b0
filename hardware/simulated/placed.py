"""Cards as hands lay them: about in their place and about straight, with dice set upon them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.board import PieceKind

_ROW, _DIE_CARE_MM = 3, 0.8
_ACROSS_MM, _UP_MM, _LOWER_HALF_MM = 20.0, 22.0, 30.0


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die upon a card: which, what looks up, how far off the card's place, how it is turned."""

    kind: PieceKind
    value: int
    off_mm: tuple[float, float]
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A card on the table: what it is, which way up, how far off its place and how askew it was laid."""

    kind: PieceKind
    is_up: bool = True
    aside_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    dice: tuple[PlacedDie, ...] = ()


Places = Mapping[str, Placed]
"""What lies at places such as ``zone_ghoul/head``; one card a place."""


def by_hand(chance: Random, kind: PieceKind, care: tuple[float, float]) -> Placed:
    """Lay a card with so much care, in mm and degrees (standard deviations)."""
    care_mm, care_deg = care
    aside = (chance.gauss(0, care_mm), chance.gauss(0, care_mm))
    return Placed(kind, True, aside, chance.gauss(0, care_deg))


def set_dice(chance: Random, dice: Sequence[tuple[PieceKind, int]]) -> tuple[PlacedDie, ...]:
    """Set dice on the lower half of a card, three a row, each turned somehow."""
    placed = []
    for number, (kind, value) in enumerate(dice):
        x = (number % _ROW - 1) * _ACROSS_MM + chance.gauss(0, _DIE_CARE_MM)
        y = _LOWER_HALF_MM - (number // _ROW) * _UP_MM + chance.gauss(0, _DIE_CARE_MM)
        placed.append(PlacedDie(kind, value, (x, y), chance.uniform(0, 360)))
    return tuple(placed)
