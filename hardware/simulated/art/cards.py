"""Monster cards: a night, a monster in it, its name, its prestige and the parts it lacks.

The art follows from the card's name and parts alone, so every print run looks the same.
"""

from __future__ import annotations

import math
import zlib
from random import Random

from companion.ports import Pixels
from hardware.simulated.art import glyphs
from hardware.simulated.art.monsters import monster, skin_of
from hardware.simulated.art.sheet import (
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
from hardware.simulated.contents import CARD_MM, Card

Frame = tuple[float, float, float, float]


def card_front(card: Card, px_per_mm: float) -> Pixels:
    """Draw a card, face up."""
    sheet = Sheet(CARD_MM, px_per_mm, INK)
    _draw(sheet, (0.0, 0.0), card)
    return sheet.finished()


def _draw(sheet: Sheet, corner: Point, card: Card) -> None:
    text = card.name + "".join(str(slot.needs) for slot in card.slots)
    chance = Random(zlib.crc32(text.encode()))
    x, y = corner
    width, height = CARD_MM
    sheet.box(corner, CARD_MM, INK)
    ground = hue(chance.uniform(0, 360), chance.uniform(0.25, 0.7), chance.uniform(0.3, 0.8))
    sheet.box((x + 1.6, y + 1.6), (width - 3.2, height - 3.2), ground)
    backdrop(sheet, corner, chance, ground)
    highest = min((slot.centre_mm[1] for slot in card.slots), default=height)
    free = highest - 12.0 if highest > 50.0 else 32.0
    size = min(23.0, max(17.0, free / 2.1)) * chance.uniform(0.92, 1.05)
    middle = (x + width / 2 + chance.uniform(-3, 3), y + 14.0 + max(size, free / 2))
    monster(sheet, middle, size, chance, skin_of(chance))
    for slot in card.slots:
        centre = (x + slot.centre_mm[0], y + slot.centre_mm[1])
        ink = mix(glyphs.TOKEN_COLOURS[slot.needs], INK, 0.72)
        sheet.disc(centre, slot.radius_mm, LABEL, INK, width_mm=0.8)
        sheet.disc(centre, slot.radius_mm - 1.3, mix(glyphs.TOKEN_COLOURS[slot.needs], NIGHT, 0.62))
        glyphs.TOKEN_GLYPHS[slot.needs](sheet, centre, slot.radius_mm - 4.0, mix(LABEL, ink, 0.35), ink)
    sheet.box((x + 1.6, y + 1.6), (width - 3.2, height - 3.2), None, LABEL, width_mm=0.7)
    _title(sheet, corner, card)


def _title(sheet: Sheet, corner: Point, card: Card) -> None:
    x, y = corner
    sheet.box((x + 9.0, y + 3.0), (CARD_MM[0] - 12.0, 8.2), LABEL, INK, width_mm=0.6, radius_mm=1.5)
    sheet.write(card.name, (x + 38.0, y + 7.2), 3.3, INK, fits_mm=38.0)
    sheet.shape(star((x + 9.5, y + 8.5), 7.6, 5.6, 9), TAG, INK, width_mm=0.7)
    sheet.write(str(card.prestige), (x + 9.5, y + 8.5), 5.2, INK, fits_mm=8.5)


def backdrop(sheet: Sheet, corner: Point, chance: Random, ground: Colour) -> None:
    """Fill the picture with one of six patterns in a second colour."""
    second = mix(
        hue(chance.uniform(0, 360), chance.uniform(0.3, 0.7), chance.uniform(0.35, 0.9)), ground, 0.35
    )
    frame = (corner[0] + 1.6, corner[1] + 1.6, CARD_MM[0] - 3.2, CARD_MM[1] - 3.2)
    chance.choice((_rays, _dots, _bands, _rings, _horizon, _chequers))(sheet, frame, chance, second)


def _dots(sheet: Sheet, frame: Frame, chance: Random, ink: Colour) -> None:
    x, y, width, height = frame
    step = chance.choice((7.0, 9.0))
    for row in range(int(height // step)):
        for column in range(int(width // step)):
            shift = step / 2 if row % 2 else 0.0
            centre = (x + step * (column + 0.35) + shift, y + step * (row + 0.5))
            sheet.disc(centre, min(step * 0.28, x + width - centre[0]), ink)


def _bands(sheet: Sheet, frame: Frame, chance: Random, ink: Colour) -> None:
    x, y, width, height = frame
    bands, lying = chance.choice((5, 7)), chance.random() < 0.5
    for band in range(0, bands, 2):
        if lying:
            sheet.box((x, y + height * band / bands), (width, height / bands), ink)
        else:
            sheet.box((x + width * band / bands, y), (width / bands, height), ink)


def _rings(sheet: Sheet, frame: Frame, chance: Random, ink: Colour) -> None:
    x, y, width, height = frame
    middle = (x + width / 2, y + height * chance.uniform(0.35, 0.6))
    for radius in (26.0, 17.0, 8.0):
        sheet.disc(middle, radius, None, ink, width_mm=4.5)


def _chequers(sheet: Sheet, frame: Frame, chance: Random, ink: Colour) -> None:
    x, y, width, height = frame
    count = chance.choice((3, 4, 5))
    side = width / count
    for row in range(math.ceil(height / side)):
        for column in range(row % 2, count, 2):
            sheet.box((x + side * column, y + side * row), (side, min(side, height - side * row)), ink)


def _rays(sheet: Sheet, frame: Frame, chance: Random, ink: Colour) -> None:
    x, y, width, height = frame
    count = chance.choice((7, 9, 12))
    middle = (x + width / 2, y + height * chance.uniform(0.3, 0.6))
    for ray in range(count):
        wedge = [middle]
        for step in (0.0, 0.5):
            angle = math.tau * (ray + step) / count
            reach = 80.0
            far = (middle[0] + reach * math.cos(angle), middle[1] + reach * math.sin(angle))
            wedge.append((min(max(far[0], x), x + width), min(max(far[1], y), y + height)))
        sheet.shape(wedge, ink)


def _horizon(sheet: Sheet, frame: Frame, chance: Random, ink: Colour) -> None:
    x, y, width, height = frame
    level = height * chance.uniform(0.45, 0.65)
    sheet.disc((x + width * chance.uniform(0.3, 0.7), y + level * 0.55), 13.0, mix(ink, LABEL, 0.6))
    hills = [(x, y + height), (x, y + level)]
    for step in range(1, 6):
        hills.append(
            (x + width * step / 6, y + level - (6.0 if step % 2 else -3.0) * chance.uniform(0.5, 1.5))
        )
    hills += [(x + width, y + level), (x + width, y + height)]
    sheet.shape(hills, ink)


def card_back(px_per_mm: float) -> Pixels:
    """Draw the back that all cards share: the night ward's door."""
    width, height = CARD_MM
    sheet = Sheet(CARD_MM, px_per_mm, INK)
    sheet.box((1.6, 1.6), (width - 3.2, height - 3.2), FORMALIN)
    for column in range(6):
        for row in range(8):
            centre = (6.5 + column * 10.0, 8.0 + row * 10.4)
            sheet.shape(
                star(centre, 3.6, 1.6, 4, 0.0 if (row + column) % 2 else 45.0), mix(FORMALIN, LABEL, 0.28)
            )
    sheet.shape(ring((width / 2, height / 2), (21.0, 25.0)), LABEL, INK, width_mm=1.2)
    sheet.shape(ring((width / 2, height / 2), (18.0, 22.0)), mix(FORMALIN, INK, 0.5))
    glyphs.eye(sheet, (width / 2, height / 2), 13.0, TAG, INK)
    return sheet.finished()
