"""What is in the box: attributes, shapes and forms of parts, decks, seats, and our own mats in millimetres.

What a box prints on its cards is its catalogue (``printed``). Imports ``companion.board`` and
``companion.game`` only.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from companion.board import BoardId, BoardLayout, PieceKind, Place, Space, SpaceId, SpaceKind, Tag
from companion.game import Seat


class Attribute(StrEnum):
    """What a monster is made of, in the order of the rulebook."""

    TERROR = "terror"
    SCIENCE = "science"
    HEALTH = "health"


class Shape(StrEnum):
    """The shapes of body parts."""

    HEAD = "head"
    TORSO = "torso"
    ARM = "arm"
    LEG = "leg"


class Form(StrEnum):
    """What a part that is not special is like; what each adds is in the box's catalogue."""

    SKELETAL = "skeletal"
    FRESH = "fresh"
    ROTTING = "rotting"
    PUTREFIED = "putrefied"


NEEDED: Mapping[Shape, int] = {Shape.HEAD: 1, Shape.TORSO: 1, Shape.ARM: 2, Shape.LEG: 2}
"""Rulebook, Reanimate: a head, a torso, two arms and two legs."""

ANY = "any"
"""What a special part covers that stands for one part of any shape."""

BASE = 1
"""Every attribute of a new monster before anything is added."""

DECKS = ("3", "6", "9")
"""The three research decks, named by what they cost."""

PHASE_BONUS_RP = 1
LOOKED_AT = 2
"""How many cards of a deck its buyer looks at."""

ROUNDS = 2
DIE_FACES = 6

SEATS = (Seat("orange"), Seat("purple"), Seat("green"), Seat("red"), Seat("blue"))
"""Clockwise. More than five cannot play: there are five phases to choose from, one each."""

MONSTER_SPACES = 4
UPGRADE_SPACES = 5
PART_SPACES = 6

MAT_MM = (420.0, 300.0)
CARD_MM = (63.0, 88.0)
SMALL_CARD_MM = (44.0, 63.0)
TAG_INSET_MM = 13.0

MONSTER_CARD = PieceKind("monster")
TURNED_CARD = PieceKind("monster_turned")
"""How a monster card reads: upright, or turned sideways because it is exhausted."""


def part_kind(form: Form, shape: Shape) -> PieceKind:
    """Return the kind of a part that is not special: ``fresh_head``."""
    return PieceKind(f"{form}_{shape}")


PLAIN_PARTS: Mapping[str, tuple[Form, Shape]] = {
    part_kind(form, shape): (form, shape) for form in Form for shape in Shape
}
"""Every part that is not special, by its kind."""


def dice_for(value: int) -> tuple[int, ...]:
    """Return the faces that show a value: sixes first, then the rest, because a die ends at six."""
    sixes, rest = divmod(max(0, value), DIE_FACES)
    return (*(DIE_FACES for _ in range(sixes)), *((rest,) if rest else ()))


def mat_of(seat: Seat) -> BoardId:
    """Return the board id of a seat's mat."""
    return BoardId(f"mat_{seat}")


def monster_place(seat: Seat, number: int) -> Place:
    """Return where a seat's so-manyth monster lies, counted from 1."""
    return Place(mat_of(seat), SpaceId(f"monster{number}"))


def part_places(seat: Seat) -> tuple[Place, ...]:
    """Return where a seat lays out the parts that it is about to discard."""
    return tuple(Place(mat_of(seat), SpaceId(f"part{n}")) for n in range(1, PART_SPACES + 1))


def _plate(name: str, kind: SpaceKind, centre: tuple[float, float], size_mm: tuple[float, float]) -> Space:
    (x, y), (half_w, half_h) = centre, (size_mm[0] / 2, size_mm[1] / 2)
    corners = ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
    outline = tuple((round(x + dx, 3), round(y + dy, 3)) for dx, dy in corners)
    return Space(SpaceId(name), kind, centre, outline)


def mat(seat: Seat) -> BoardLayout:
    """Lay out a mat: monsters above, research upgrades below them, parts to be discarded at the edge.

    Monsters lie so far apart that each has room to be turned sideways. Small cards are tiles to the eyes.
    """
    card, small = SpaceKind.CARD, SpaceKind.TILE
    spaces = [
        _plate(f"monster{n + 1}", card, (66.0 + 96.0 * n, 62.0), CARD_MM) for n in range(MONSTER_SPACES)
    ]
    spaces += [
        _plate(f"upgrade{n + 1}", small, (70.0 + 70.0 * n, 150.0), SMALL_CARD_MM)
        for n in range(UPGRADE_SPACES)
    ]
    spaces += [
        _plate(f"part{n + 1}", small, (60.0 + 60.0 * n, 230.0), SMALL_CARD_MM) for n in range(PART_SPACES)
    ]
    (w, h), inset = MAT_MM, TAG_INSET_MM
    corners = ((inset, inset), (w - inset, inset), (w - inset, h - inset), (inset, h - inset))
    first = 10 * SEATS.index(seat)
    tags = tuple(Tag(first + index, corner) for index, corner in enumerate(corners))
    return BoardLayout(mat_of(seat), MAT_MM, {space.id: space for space in spaces}, tags)
