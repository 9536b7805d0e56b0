"""Cards of a creature made of parts: bodies, heads, arms, weapons, legs, adaptors, and what they fight.

The art follows from the card's name alone, so every print run looks the same. All of it is invented.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any

from companion.ports import Pixels
from hardware.simulated.art import glyphs
from hardware.simulated.art.cards import backdrop
from hardware.simulated.art.monsters import monster, skin_of
from hardware.simulated.art.sheet import (
    BLOOD,
    FORMALIN,
    INK,
    LABEL,
    NIGHT,
    TAG,
    Colour,
    Point,
    Sheet,
    hue,
    mix,
    ring,
    star,
)
from hardware.simulated.contents import CARD_MM

_MIDDLE: Point = (CARD_MM[0] / 2, 45.0)
_CREATURES = ("bodies", "experiments")
_BANDS = {"bodies": FORMALIN, "parts": TAG, "adaptors": LABEL, "experiments": BLOOD, "conflicts": NIGHT}


def part_front(table: str, row: Mapping[str, Any], px_per_mm: float) -> Pixels:
    """Draw a card of a table of the catalogue (``bodies``, ``parts`` ...) from its row, face up."""
    name = str(row["name"])
    chance = Random(zlib.crc32(f"{table}/{name}".encode()))
    width, height = CARD_MM
    sheet = Sheet(CARD_MM, px_per_mm, INK)
    ground = hue(chance.uniform(0, 360), chance.uniform(0.25, 0.7), chance.uniform(0.3, 0.85))
    sheet.box((1.6, 1.6), (width - 3.2, height - 3.2), ground)
    backdrop(sheet, (0.0, 0.0), chance, ground)
    if table in _CREATURES:
        monster(sheet, _MIDDLE, chance.uniform(19.0, 24.0), chance, skin_of(chance))
    else:
        _contraption(sheet, str(row.get("kind", table)), chance)
    sheet.box((1.6, 1.6), (width - 3.2, height - 3.2), None, LABEL, width_mm=0.7)
    _print(sheet, table, row)
    return sheet.finished()


def _contraption(sheet: Sheet, kind: str, chance: Random) -> None:
    """Draw a thing of wheels, pipes and plates that hangs together somehow."""
    spots = [_MIDDLE]
    spread = {"head": 0.8, "legs": 1.2, "arm": 1.0, "weapon": 1.3}.get(kind, 0.9)
    for _ in range(chance.randint(3, 6)):
        angle, away = chance.uniform(0, math.tau), chance.uniform(6.0, 17.0) * spread
        spots.append((_MIDDLE[0] + away * math.cos(angle), _MIDDLE[1] + 1.2 * away * math.sin(angle)))
    for one, other in pairwise(spots):
        bend = (one[0], other[1]) if chance.random() < 0.5 else (other[0], one[1])
        sheet.stroke([one, bend, other], INK, 4.4)
        sheet.stroke([one, bend, other], _paint(chance), 2.6)
    for spot in spots[1:]:
        _piece(sheet, spot, chance.uniform(4.5, 9.5), chance)
    _piece(sheet, _MIDDLE, chance.uniform(9.0, 14.0), chance)


def _piece(sheet: Sheet, centre: Point, size: float, chance: Random) -> None:
    fill, turn = _paint(chance), chance.uniform(0, 360)
    match chance.randrange(5):
        case 0:
            sheet.shape(star(centre, size, size * 0.78, chance.randint(7, 13), turn), fill, INK)
            sheet.disc(centre, size * 0.4, _paint(chance), INK)
        case 1:
            corners = chance.randint(3, 7)
            sheet.shape(star(centre, size, size * 0.93, corners, turn), fill, INK, width_mm=0.9)
        case 2:
            sheet.oval(centre, (size, size * chance.uniform(0.4, 0.8)), fill, INK, turn_deg=turn)
            glyphs.eye(sheet, centre, size * 0.55, LABEL, INK)
        case 3:
            glyphs.spiral(sheet, centre, size, fill, INK)
        case _:
            sheet.disc(centre, size, fill, INK, width_mm=0.9)
            for spoke in range(chance.randint(3, 8)):
                angle = math.radians(turn + 47 * spoke)
                far = (centre[0] + size * math.cos(angle), centre[1] + size * math.sin(angle))
                sheet.stroke([centre, far], INK, 0.8)


def _paint(chance: Random) -> Colour:
    return hue(chance.uniform(0, 360), chance.uniform(0.15, 0.9), chance.uniform(0.35, 1.0))


def _print(sheet: Sheet, table: str, row: Mapping[str, Any]) -> None:
    """Print the name, the numbers and what tells the connector."""
    width, height = CARD_MM
    sheet.box((4.0, 3.2), (width - 8.0, 8.0), _BANDS.get(table, LABEL), INK, width_mm=0.6, radius_mm=1.5)
    ink = LABEL if _BANDS.get(table) in (FORMALIN, BLOOD, NIGHT) else INK
    sheet.write(str(row["name"]), (width / 2, 7.3), 3.2, ink, fits_mm=width - 12.0)
    connector = str(row.get("connector") or "")
    if connector:
        sheet.write(connector, (width / 2, height - 6.0), 2.6, INK, halo=LABEL, fits_mm=24.0)
    if row.get("life"):
        sheet.disc((9.0, height - 9.0), 5.6, mix(BLOOD, NIGHT, 0.4), LABEL)
        plus = "" if table in _CREATURES else "+"
        sheet.write(f"{plus}{row['life']}", (9.0, height - 9.0), 4.2, LABEL, fits_mm=8.0)
    if row.get("number"):
        sheet.box((width - 14.0, height - 14.0), (9.6, 9.6), LABEL, INK, width_mm=0.8)
        sheet.write(str(row["number"]), (width - 9.2, height - 9.2), 4.8, INK, fits_mm=8.0)
    if row.get("special"):
        sheet.write(str(row["special"]), (width - 9.2, height - 20.0), 4.6, BLOOD, halo=LABEL, fits_mm=8.0)


def part_back(px_per_mm: float) -> Pixels:
    """Draw the back that all cards share: a wheel in a cage."""
    width, height = CARD_MM
    sheet = Sheet(CARD_MM, px_per_mm, INK)
    sheet.box((1.6, 1.6), (width - 3.2, height - 3.2), mix(BLOOD, NIGHT, 0.35))
    for row in range(9):
        for column in range(6):
            centre = (6.5 + 10.0 * column + (2.0 if row % 2 else -2.0), 5.0 + 9.7 * row)
            sheet.disc(centre, 2.4 + 0.25 * ((row * 5 + column * 3) % 4), mix(BLOOD, TAG, 0.5))
    sheet.shape(star((width / 2, height / 2), 24.0, 19.0, 11), TAG, INK, width_mm=1.2)
    sheet.shape(ring((width / 2, height / 2), (15.0, 15.0)), mix(BLOOD, NIGHT, 0.35), INK, width_mm=1.2)
    glyphs.bolt(sheet, (width / 2, height / 2), 11.0, LABEL, INK)
    return sheet.finished()
