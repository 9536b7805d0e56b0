"""The signs of the seven kinds of tokens and of the tiles: plain glyphs, each of its own outline.

A glyph is drawn around a centre into a circle of ``size`` millimetres radius.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from hardware.simulated.art.sheet import Colour, Point, Sheet, colour, placed, ring

Glyph = Callable[[Sheet, Point, float, Colour, Colour], None]
"""Draws itself: sheet, centre, size in mm, fill, line."""


def bolt(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """The one six-point bolt of the house."""
    points = [(0.25, -1.0), (-0.62, 0.12), (-0.08, 0.16), (-0.28, 1.0), (0.62, -0.22), (0.06, -0.22)]
    sheet.shape(placed(points, centre, size), fill, line, width_mm=size * 0.11)


def drop(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A fat drop with a glint."""
    points = [(0.0, -1.0)]
    points += [(0.68 * math.sin(a), 0.28 - 0.68 * math.cos(a)) for a in _steps(0.9, math.tau - 0.9, 22)]
    sheet.shape(placed(points, centre, size), fill, line, width_mm=size * 0.12)
    sheet.stroke(placed([(-0.34, 0.2), (-0.3, 0.5), (-0.08, 0.68)], centre, size), line, size * 0.1)


def spikes(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """Three spikes in a row."""
    for x, top in ((-0.56, -0.35), (0.56, -0.35), (0.0, -0.98)):
        points = [(x - 0.36, 0.78), (x, top), (x + 0.36, 0.78)]
        sheet.shape(placed(points, centre, size), fill, line, width_mm=size * 0.12)


def limb(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A bent arm that ends in three fingers."""
    arm = placed([(-0.75, 0.78), (0.18, 0.62), (0.22, -0.3)], centre, size)
    fingers = [
        placed([(0.22, -0.3), (x, y)], centre, size) for x, y in ((-0.3, -0.82), (0.26, -0.98), (0.78, -0.7))
    ]
    for ink, extra in ((line, 0.2), (fill, 0.0)):
        sheet.stroke(arm, ink, size * (0.42 + extra))
        for finger in fingers:
            sheet.stroke(finger, ink, size * (0.24 + extra))


def seam(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A long seam with three fat stitches across it."""
    sheet.stroke(placed([(-0.95, 0.42), (0.95, -0.42)], centre, size), line, size * 0.2)
    for step in range(3):
        x, y = -0.56 + 0.56 * step, 0.25 - 0.25 * step
        ends = placed([(x - 0.2, y - 0.48), (x + 0.2, y + 0.48)], centre, size)
        sheet.stroke(ends, line, size * 0.46)
        sheet.stroke(ends, fill, size * 0.25)


def blot(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A lump of rot with holes in it and two flies."""
    lump = []
    for step in range(36):
        angle = math.tau * step / 36
        radius = 0.7 + 0.12 * math.sin(5 * angle + 0.6) + 0.05 * math.sin(3 * angle)
        lump.append((radius * math.cos(angle), 0.12 + radius * math.sin(angle)))
    sheet.shape(placed(lump, centre, size), fill, line, width_mm=size * 0.12)
    for x, y, r in ((-0.22, -0.06, 0.2), (0.27, 0.24, 0.15), (-0.14, 0.46, 0.11), (0.3, -0.22, 0.09)):
        sheet.disc(placed([(x, y)], centre, size)[0], r * size, line)
    for x, y in ((-0.72, -0.68), (0.74, -0.62)):
        sheet.disc(placed([(x, y)], centre, size)[0], 0.1 * size, line)


def spiral(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A spiral that wants to be something else, in two fat turns and a tail."""
    steps = [(0.84 * s / 44, 0.28 * s) for s in range(45)]
    turns = [(radius * math.cos(angle), radius * math.sin(angle)) for radius, angle in steps]
    for ink, width in ((line, 0.46), (fill, 0.27)):
        sheet.stroke(placed(turns, centre, size), ink, size * width)


def question(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """What an order may be."""
    sheet.write("?", centre, size * 1.5, fill, halo=line)


def table(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A table with two dishes."""
    sheet.shape(
        placed([(-0.7, -0.1), (0.7, -0.1), (0.95, 0.35), (-0.95, 0.35)], centre, size),
        fill,
        line,
        width_mm=size * 0.1,
    )
    for x in (-0.75, 0.75):
        sheet.stroke(placed([(x, 0.35), (x, 0.95)], centre, size), line, size * 0.18)
    for x in (-0.35, 0.35):
        sheet.oval(placed([(x, -0.3)], centre, size)[0], (size * 0.26, size * 0.26), line)


def flake(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A snowflake of six arms."""
    for ink, width in ((line, 0.28), (fill, 0.13)):
        for arm in range(6):
            turn = arm * 60.0
            sheet.stroke(placed([(0, 0), (0, -0.95)], centre, size, turn), ink, size * width)
            sheet.stroke(
                placed([(-0.28, -0.85), (0, -0.5), (0.28, -0.85)], centre, size, turn), ink, size * width
            )


def coupon(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A strip of paper out of a slot: two for one."""
    sheet.box(
        (centre[0] - size * 0.9, centre[1] - size * 0.85),
        (size * 1.8, size * 0.5),
        line,
        radius_mm=size * 0.1,
    )
    strip = [(-0.6, -0.5), (0.6, -0.5), (0.6, 0.85), (0.3, 0.65), (0, 0.85), (-0.3, 0.65), (-0.6, 0.85)]
    sheet.shape(placed(strip, centre, size), fill, line, width_mm=size * 0.1)
    sheet.write("2:1", (centre[0], centre[1] + size * 0.1), size * 0.42, line)


def portal(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """Two rings and an arrow through them."""
    for x in (-0.5, 0.5):
        sheet.oval(
            placed([(x, 0)], centre, size)[0], (size * 0.34, size * 0.85), fill, line, width_mm=size * 0.15
        )
    sheet.stroke(placed([(-0.5, 0), (0.5, 0)], centre, size), line, size * 0.16)
    sheet.shape(placed([(0.25, -0.32), (0.85, 0), (0.25, 0.32)], centre, size), line)


def cap(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """A scholar's cap with its tassel."""
    sheet.shape(
        placed([(-0.5, 0), (0.5, 0), (0.5, 0.6), (-0.5, 0.6)], centre, size), fill, line, width_mm=size * 0.1
    )
    sheet.shape(placed([(0, -0.7), (1.0, -0.2), (0, 0.3), (-1.0, -0.2)], centre, size), line)
    sheet.stroke(placed([(0.8, -0.15), (0.8, 0.7)], centre, size), line, size * 0.14)
    sheet.disc(placed([(0.8, 0.75)], centre, size)[0], size * 0.18, fill, line, width_mm=size * 0.1)


def crates(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """Three crates on top of one another."""
    for x, y in ((-0.48, 0.42), (0.48, 0.42), (0.0, -0.5)):
        side = size * 0.86
        corner = (centre[0] + x * size - side / 2, centre[1] + y * size - side / 2)
        sheet.box(corner, (side, side), fill, line, width_mm=size * 0.12)
        sheet.stroke([corner, (corner[0] + side, corner[1] + side)], line, size * 0.12)


def eye(sheet: Sheet, centre: Point, size: float, fill: Colour, line: Colour) -> None:
    """One open eye in a wreath of lashes."""
    for lash in range(10):
        turn = lash * 36.0
        sheet.stroke(placed([(0, -0.62), (0, -0.98)], centre, size, turn), line, size * 0.14)
    sheet.disc(centre, size * 0.6, fill, line, width_mm=size * 0.14)
    sheet.disc(centre, size * 0.26, line)


def _steps(first: float, last: float, count: int) -> list[float]:
    return [first + (last - first) * n / (count - 1) for n in range(count)]


TOKEN_GLYPHS: Mapping[str, Glyph] = {
    "rot": blot,
    "limb": limb,
    "stitch": seam,
    "spike": spikes,
    "goop": drop,
    "zapper": bolt,
    "mutation": spiral,
}

TOKEN_COLOURS: Mapping[str, Colour] = {
    "rot": colour("#6E6A3A"),
    "limb": colour("#D9705A"),
    "stitch": colour("#D7619A"),
    "spike": colour("#6E93B8"),
    "goop": colour("#57B23A"),
    "zapper": colour("#F2C02B"),
    "mutation": colour("#8A4FB5"),
}


def teeth(sheet: Sheet, centre: Point, radius: float, count: int, ink: Colour) -> None:
    """Notch a rim: ``count`` little dots inside ``radius``; a sign that needs no colour."""
    for x, y in ring(centre, (radius, radius), -90.0, max(count, 1)):
        if count:
            sheet.disc((x, y), 0.75, ink)
