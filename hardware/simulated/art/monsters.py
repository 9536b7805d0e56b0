"""Monsters: one silhouette, one flat fill, a thick outline, and a face that does the joke.

The same seed draws the same monster.
"""

from __future__ import annotations

import math
from random import Random

from hardware.simulated.art.sheet import INK, LABEL, Colour, Point, Sheet, hue, mix, placed

_LINE_MM = 1.1


def monster(sheet: Sheet, centre: Point, size: float, chance: Random, skin: Colour) -> None:
    """Draw a monster of about ``size`` mm half height."""
    body = _silhouette(chance)
    _limbs(sheet, centre, size, chance, skin)
    _crown(sheet, centre, size, chance, skin)
    sheet.shape(placed(body, centre, size), skin, INK, width_mm=_LINE_MM)
    _hide(sheet, centre, size, chance, skin)
    _face(sheet, centre, size, chance)


def _silhouette(chance: Random) -> list[Point]:
    kind = chance.randrange(6)
    wobble = [(chance.uniform(0.02, 0.1), n, chance.uniform(0, math.tau)) for n in (2, 3, 5)]
    points = []
    for step in range(56):
        angle = math.tau * step / 56
        radius = 0.72 + sum(a * math.sin(n * angle + phase) for a, n, phase in wobble)
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        if kind == 0:  # a sack: wide below
            x *= 0.75 + 0.35 * (y + 0.7)
        elif kind == 1:  # tall
            x, y = x * 0.72, y * 1.25
        elif kind == 2:  # flat and wide
            x, y = x * 1.3, y * 0.78
        elif kind == 3:  # a box with round corners
            x, y = (math.copysign(abs(v) ** 0.55 * 0.85, v) for v in (x, y))
        elif kind == 4:  # a pear the wrong way round
            x *= 0.75 - 0.35 * (y - 0.4)
        else:  # a saw-toothed hem
            y += 0.16 * ((step % 4) - 1.5) if y > 0.35 else 0.0
        points.append((x, y))
    return points


def _limbs(sheet: Sheet, centre: Point, size: float, chance: Random, skin: Colour) -> None:
    pairs = chance.choice((1, 1, 2, 3))
    for pair in range(pairs):
        y = -0.2 + 0.4 * pair + chance.uniform(-0.1, 0.1)
        lift = chance.uniform(-0.7, 0.5)
        for side in (-1, 1):
            arm = [(side * 0.5, y), (side * 0.95, y + lift * 0.4), (side * 1.12, y + lift)]
            sheet.stroke(placed(arm, centre, size), INK, size * 0.3)
            sheet.stroke(placed(arm, centre, size), mix(skin, INK, 0.12), size * 0.3 - 2 * _LINE_MM)
            hand = placed([arm[-1]], centre, size)[0]
            sheet.disc(hand, size * 0.19, mix(skin, LABEL, 0.2), INK, width_mm=_LINE_MM)
    for foot in (-0.32, 0.32):
        sheet.stroke(placed([(foot, 0.6), (foot * 1.2, 1.08)], centre, size), INK, size * 0.28)


def _crown(sheet: Sheet, centre: Point, size: float, chance: Random, skin: Colour) -> None:
    kind = chance.randrange(5)
    pale = mix(skin, LABEL, 0.5)
    if kind == 0:  # horns
        for side in (-1, 1):
            horn = [(side * 0.22, -0.5), (side * 0.72, -1.15), (side * 0.6, -0.4)]
            sheet.shape(placed(horn, centre, size), pale, INK, width_mm=_LINE_MM)
    elif kind == 1:  # stalks
        for stalk in (-0.6, 0.0, 0.6):
            tip = placed([(stalk, -1.2)], centre, size)[0]
            sheet.stroke([placed([(stalk * 0.4, -0.5)], centre, size)[0], tip], INK, _LINE_MM * 1.4)
            sheet.disc(tip, size * 0.15, pale, INK, width_mm=_LINE_MM)
    elif kind == 2:  # ears
        for side in (-1, 1):
            sheet.oval(
                placed([(side * 0.62, -0.78)], centre, size)[0],
                (size * 0.3, size * 0.42),
                pale,
                INK,
                width_mm=_LINE_MM,
            )
    elif kind == 3:  # a comb of spikes
        for step in range(5):
            x = -0.6 + 0.3 * step
            spike = [(x - 0.17, -0.45), (x, -1.12), (x + 0.17, -0.45)]
            sheet.shape(placed(spike, centre, size), pale, INK, width_mm=_LINE_MM)
    else:  # a bolt through the head
        sheet.stroke(placed([(-0.95, -0.42), (0.95, -0.42)], centre, size), INK, size * 0.24)
        sheet.stroke(placed([(-0.9, -0.42), (0.9, -0.42)], centre, size), LABEL, size * 0.1)


def _hide(sheet: Sheet, centre: Point, size: float, chance: Random, skin: Colour) -> None:
    kind = chance.randrange(4)
    dark = mix(skin, INK, 0.3)
    if kind == 0:
        for _ in range(9):
            spot = placed([(chance.uniform(-0.45, 0.45), chance.uniform(-0.1, 0.55))], centre, size)[0]
            sheet.disc(spot, size * chance.uniform(0.05, 0.11), dark)
    elif kind == 1:
        for y in (0.1, 0.3, 0.5):
            sheet.stroke(placed([(-0.4, y), (0, y + 0.1), (0.4, y)], centre, size), dark, size * 0.08)
    elif kind == 2:
        sheet.oval(placed([(0, 0.35)], centre, size)[0], (size * 0.38, size * 0.3), mix(skin, LABEL, 0.4))
    else:
        scar = placed([(-0.4, 0.12), (0.42, 0.42)], centre, size)
        sheet.stroke(scar, INK, 0.7)
        for step in range(4):
            x, y = -0.28 + 0.19 * step, 0.17 + 0.07 * step
            sheet.stroke(placed([(x + 0.04, y - 0.1), (x - 0.04, y + 0.1)], centre, size), INK, 0.7)


def _face(sheet: Sheet, centre: Point, size: float, chance: Random) -> None:
    eyes = chance.choice((1, 2, 2, 2, 3, 4))
    span = 0.0 if eyes == 1 else 0.8
    for number in range(eyes):
        x = -span / 2 + (span * number / (eyes - 1) if eyes > 1 else 0.0)
        radius = (0.3 if eyes == 1 else 0.2 if eyes < 4 else 0.14) * chance.uniform(0.75, 1.2)
        spot = placed([(x, -0.34 + chance.uniform(-0.07, 0.07))], centre, size)[0]
        sheet.disc(spot, size * radius, LABEL, INK, width_mm=_LINE_MM)
        look = (spot[0] + size * radius * 0.25, spot[1] + size * radius * 0.3)
        sheet.disc(look, size * radius * 0.42, INK)
    mouth = chance.randrange(4)
    width = chance.uniform(0.25, 0.45)
    if mouth == 0:
        grin = [(-width, 0.02), (0, 0.22), (width, 0.02)]
        sheet.stroke(placed(grin, centre, size), INK, _LINE_MM)
        tooth = [(0.08, 0.17), (0.26, 0.12), (0.18, 0.34)]
        sheet.shape(placed(tooth, centre, size), LABEL, INK, width_mm=0.6)
    elif mouth == 1:
        sheet.oval(placed([(0, 0.1)], centre, size)[0], (size * width * 0.7, size * 0.16), INK)
    elif mouth == 2:
        row = [(-width + 2 * width * n / 8, 0.02 + (0.14 if n % 2 else 0.0)) for n in range(9)]
        sheet.stroke(placed(row, centre, size), INK, _LINE_MM)
    else:
        corner = placed([(-width, -0.02)], centre, size)[0]
        sheet.box(corner, (size * width * 2, size * 0.24), LABEL, INK, width_mm=_LINE_MM, radius_mm=1.0)
        for n in range(1, 4):
            x = corner[0] + size * width * 2 * n / 4
            sheet.stroke([(x, corner[1]), (x, corner[1] + size * 0.24)], INK, 0.7)


def skin_of(chance: Random) -> Colour:
    """Choose a skin."""
    return hue(chance.uniform(0, 360), chance.uniform(0.35, 0.75), chance.uniform(0.62, 0.92))
