"""The stand-in box of *Monster Graveyard*, drawn by us: mats, body parts, research cards, monster cards."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.board import BoardLayout, Space
from companion.ports import Pixels
from hardware.simulated.art import glyphs
from hardware.simulated.art.sheet import (
    BLOOD,
    GLASS,
    INK,
    LABEL,
    NIGHT,
    PAPER,
    SCANNER_LID,
    Colour,
    Point,
    Sheet,
    colour,
    hue,
    mix,
    star,
)

CARD_MM = (63.0, 88.0)
SMALL_CARD_MM = (44.0, 63.0)
TOKEN_MM = 22.0

_FORMS: Mapping[str, tuple[str, str]] = {
    "skeletal": ("#EFE7D2", "#6A6152"),
    "fresh": ("#F2B48C", "#8A3F2A"),
    "rotting": ("#8FB35A", "#2F4A1C"),
    "putrefied": ("#8A6FB0", "#2E1B45"),
}
_SEATS = {"orange": "#B8652A", "purple": "#6A4699", "green": "#4A6F1F", "red": "#A52E4A", "blue": "#2A5F8A"}
_DECKS = {"3": "#C9A24A", "6": "#4A8FA8", "9": "#8A4A6A"}

Draw = Callable[[Sheet, Point, Colour, Colour], None]


def _head(sheet: Sheet, at: Point, fill: Colour, line: Colour) -> None:
    sheet.oval(at, (11.0, 14.0), fill, line, width_mm=1.2)
    for aside, size in ((-4.5, 2.6), (4.5, 1.8)):
        sheet.disc((at[0] + aside, at[1] - 3.0), size, LABEL, line)
        sheet.disc((at[0] + aside + 0.6, at[1] - 2.6), 0.9, line)
    sheet.stroke([(at[0] - 5, at[1] + 6), (at[0], at[1] + 8), (at[0] + 5, at[1] + 6)], line, 1.2)


def _torso(sheet: Sheet, at: Point, fill: Colour, line: Colour) -> None:
    x, y = at
    outline = [
        (x - 12, y - 13),
        (x + 12, y - 13),
        (x + 8, y + 2),
        (x + 10, y + 14),
        (x - 10, y + 14),
        (x - 8, y + 2),
    ]
    sheet.shape(outline, fill, line, width_mm=1.2)
    for row in range(4):
        sheet.stroke([(x - 6, y - 8 + 4.5 * row), (x + 6, y - 7 + 4.5 * row)], line, 1.0)


def _arm(sheet: Sheet, at: Point, fill: Colour, line: Colour) -> None:
    x, y = at
    for width, ink in ((8.0, line), (5.6, fill)):
        sheet.stroke([(x - 10, y + 12), (x - 2, y - 2), (x + 8, y - 10)], ink, width)
    for turn in (-3.0, 0.0, 3.0):
        sheet.stroke([(x + 8, y - 10), (x + 13, y - 12 + turn)], line, 1.6)


def _leg(sheet: Sheet, at: Point, fill: Colour, line: Colour) -> None:
    x, y = at
    for width, ink in ((9.0, line), (6.4, fill)):
        sheet.stroke([(x - 4, y - 14), (x - 1, y + 2), (x - 5, y + 13), (x + 8, y + 13)], ink, width)


_SHAPES: Mapping[str, Draw] = {"head": _head, "torso": _torso, "arm": _arm, "leg": _leg}


def part_card(form: str, shape: str, px_per_mm: float) -> Pixels:
    """Draw a part that is not special: the colour of its form, the outline of its shape."""
    ground, ink = (colour(code) for code in _FORMS[form])
    sheet = _small_card(mix(ground, NIGHT, 0.55), px_per_mm, f"{form} {shape}")
    _SHAPES[shape](sheet, (22.0, 29.0), ground, ink)
    sheet.write(form, (22.0, 55.0), 3.4, LABEL, fits_mm=38)
    return sheet.finished()


def special_card(row: Mapping[str, Any], px_per_mm: float) -> Pixels:
    """Draw a special part: its shapes, a star, its name."""
    name = str(row["name"])
    seed = zlib.crc32(name.encode())
    sheet = _small_card(hue(seed % 360, 0.5, 0.45), px_per_mm, name)
    sheet.shape(star((22.0, 29.0), 19.0, 12.0, 5 + seed % 5), hue((seed // 7) % 360, 0.5, 0.85), INK)
    covers = [shape if shape in _SHAPES else "head" for shape in row["covers"]]
    for at, shape in enumerate(covers[:2]):
        spot = (22.0 + (10.0 * at - 5.0 if len(covers) > 1 else 0.0), 29.0)
        _SHAPES[shape](sheet, spot, hue((seed // 3 + 90 * at) % 360, 0.55, 0.8), INK)
    sheet.write(name, (22.0, 55.0), 3.4, LABEL, fits_mm=38)
    return sheet.finished()


def reminder(name: str, px_per_mm: float) -> Pixels:
    """Draw a reminder token on a scanner's lid, 1 mm of it around: a star of the part's own colours."""
    side = TOKEN_MM + 2
    sheet = Sheet((side, side), px_per_mm, SCANNER_LID)
    seed, middle = zlib.crc32(name.encode()), (side / 2, side / 2)
    sheet.disc(middle, TOKEN_MM / 2, INK)
    sheet.disc(middle, TOKEN_MM / 2 - 1.0, hue(seed % 360, 0.55, 0.6))
    sheet.shape(star(middle, 8.5, 4.0, 5 + seed % 4), hue((seed // 7) % 360, 0.5, 0.9), INK)
    sheet.write(name[:1], middle, 5.0, INK)
    return sheet.finished()


def research_card(row: Mapping[str, Any], px_per_mm: float) -> Pixels:
    """Draw a research card: blue for an upgrade, yellow for a discovery, with its deck and its name."""
    name, is_upgrade = str(row["name"]), row["type"] == "upgrade"
    ground = colour("#2F5E8F") if is_upgrade else colour("#D9AE2E")
    sheet = _small_card(ground, px_per_mm, name)
    signs = tuple(glyphs.TOKEN_GLYPHS.values())
    seed = zlib.crc32(name.encode())
    sheet.disc((22.0, 27.0), 15.0, hue(seed % 360, 0.35, 0.9), INK, width_mm=1.0)
    for at, attribute in enumerate(("terror", "science", "health")):
        for step in range(int(row.get(attribute) or 0)):
            sheet.disc((9.0 + 13.0 * at, 46.0 - 4.0 * step), 1.8, (BLOOD, GLASS, PAPER)[at], INK)
    signs[seed % len(signs)](sheet, (22.0, 27.0), 9.0, hue((seed // 5) % 360, 0.6, 0.6), INK)
    sheet.write(str(row["deck"]), (37.0, 7.5), 6.0, colour(_DECKS[str(row["deck"])]), halo=INK)
    sheet.write(name, (22.0, 56.0), 3.2, LABEL if is_upgrade else INK, fits_mm=38)
    return sheet.finished()


def monster_card(px_per_mm: float) -> Pixels:
    """Draw a monster card: a castle under the moon, and three fields for the dice."""
    sheet = Sheet(CARD_MM, px_per_mm, colour("#3A3557"))
    sheet.disc((45.0, 20.0), 10.0, PAPER)
    sheet.shape(
        [(0, 62), (14, 40), (22, 50), (31, 30), (42, 52), (52, 42), (63, 60), (63, 88), (0, 88)], NIGHT
    )
    sheet.write("MONSTER", (24.0, 10.0), 4.0, PAPER, fits_mm=36)
    for x, fill in ((12.0, BLOOD), (31.5, colour("#2A5F8A")), (51.0, colour("#4A6F1F"))):
        sheet.box((x - 8.5, 66.0), (17.0, 17.0), mix(fill, LABEL, 0.35), LABEL, width_mm=0.8, radius_mm=2.0)
    sheet.box((0.0, 0.0), CARD_MM, None, INK, width_mm=2.0)
    return sheet.finished()


def turned_card(layout: BoardLayout, seat: str, px_per_mm: float) -> Pixels:
    """Draw what shows of a place for a monster when its card lies sideways on it."""
    space = next(space for space in layout.spaces.values() if space.id == "monster1")
    ground = mat(layout, seat, px_per_mm)
    stick_turned(ground, monster_card(px_per_mm), space.centre_mm, px_per_mm)
    (x, y), (w, h) = space.centre_mm, CARD_MM
    left, top = round((x - w / 2) * px_per_mm), round((y - h / 2) * px_per_mm)
    return ground[top : top + round(h * px_per_mm), left : left + round(w * px_per_mm)].copy()


def stick_turned(board: Pixels, card: Pixels, centre_mm: Point, px_per_mm: float) -> None:
    """Lay a card sideways on a board, its top to the right."""
    stick(board, np.ascontiguousarray(cv2.rotate(card, cv2.ROTATE_90_CLOCKWISE)), centre_mm, px_per_mm)


def stick(board: Pixels, piece: Pixels, centre_mm: Point, px_per_mm: float) -> None:
    """Lay a rectangular piece on a board of the same scale."""
    height, width = piece.shape[:2]
    left, top = round(centre_mm[0] * px_per_mm - width / 2), round(centre_mm[1] * px_per_mm - height / 2)
    board[top : top + height, left : left + width] = piece


def mat(layout: BoardLayout, seat: str, px_per_mm: float) -> Pixels:
    """Draw a seat's mat: flagstones in its colour, a frame for every card."""
    wall = mix(colour(_SEATS[seat]), NIGHT, 0.35)
    sheet = Sheet(layout.size_mm, px_per_mm, wall, sharpness=1)
    chance = Random(f"mat {seat}")
    for row in range(10):
        x = -chance.uniform(0, 40)
        while x < layout.size_mm[0]:
            wide = chance.uniform(24, 52)
            stone = mix(wall, PAPER, chance.uniform(0.04, 0.2))
            sheet.box((x + 1, 30.0 * row + 1), (wide - 2, 28.0), stone, mix(wall, INK, 0.4), radius_mm=2.0)
            x += wide
    for space in layout.spaces.values():
        _frame(sheet, space, wall)
    sheet.write(seat.upper(), (layout.size_mm[0] / 2, layout.size_mm[1] - 10), 8.0, mix(wall, PAPER, 0.6))
    sheet.box((0.0, 0.0), layout.size_mm, None, INK, width_mm=3.0)
    return sheet.finished()


def _frame(sheet: Sheet, space: Space, wall: Colour) -> None:
    (left, top), (right, bottom) = space.outline_mm[0], space.outline_mm[2]
    size = (right - left, bottom - top)
    sheet.box((left, top), size, mix(wall, INK, 0.45), mix(wall, LABEL, 0.5), width_mm=0.8, radius_mm=2.0)
    sheet.write(space.id[:1].upper() + space.id[-1], space.centre_mm, 7.0, mix(wall, LABEL, 0.35))


def _small_card(ground: Colour, px_per_mm: float, name: str) -> Sheet:
    """Begin a small card with a ground of its own, so that cards differ by more than their sign."""
    sheet = Sheet(SMALL_CARD_MM, px_per_mm, ground)
    chance = Random(name)
    for _ in range(14):
        at = (chance.uniform(0, SMALL_CARD_MM[0]), chance.uniform(0, SMALL_CARD_MM[1]))
        sheet.disc(at, chance.uniform(1.5, 5.0), mix(ground, LABEL, chance.uniform(0.08, 0.3)))
    sheet.box((0.0, 0.0), SMALL_CARD_MM, None, INK, width_mm=1.6)
    return sheet
