"""Square tiles of the laboratory, and the small L.E.S.T.E.R. cards."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from companion.ports import Pixels
from hardware.simulated.art import glyphs
from hardware.simulated.art.sheet import (
    INK,
    LABEL,
    NIGHT,
    PAPER,
    SEATS,
    TAG,
    Colour,
    Sheet,
    colour,
    hue,
    mix,
    star,
)
from hardware.simulated.contents import LESTER_MM, TILE_MM

_FACES: Mapping[str, tuple[str, glyphs.Glyph]] = {
    "sorting_table": ("#B98A55", glyphs.table),
    "refrigeration": ("#A9DCEB", glyphs.flake),
    "bogo_coupon_printer": ("#F3E9D2", glyphs.coupon),
    "meat_replicator": ("#C8553F", glyphs.limb),
    "stitches_replicator": ("#D8C7A4", glyphs.seam),
    "spikes_replicator": ("#5C82AB", glyphs.spikes),
    "goop_replicator": ("#4DA233", glyphs.drop),
    "zapper_replicator": ("#E3AE1E", glyphs.bolt),
    "universal_replicator": ("#7C46A6", glyphs.spiral),
    "teleporter": ("#1F8A86", glyphs.portal),
    "med_school": ("#D77FA1", glyphs.cap),
    "warehouse": ("#6B4A33", glyphs.crates),
    "lester_upgrade": ("#93A3B0", glyphs.eye),
}


def _face(name: str) -> tuple[Colour, glyphs.Glyph]:
    known = _FACES.get(name)
    if known is not None:
        return colour(known[0]), known[1]
    seed = zlib.crc32(name.encode())  # a tile of another box gets a ground and a sign of its own
    return hue(seed % 360, 0.55, 0.75), tuple(glyphs.TOKEN_GLYPHS.values())[seed % 7]


def _ground(sheet: Sheet, name: str, fill: Colour) -> None:
    """Draw one of four grounds, so that tiles differ by more than their sign."""
    pattern = zlib.crc32(name.encode()) % 4
    pale = mix(fill, LABEL, 0.35)
    if pattern == 0:
        for step in range(-6, 12):
            sheet.stroke([(step * 5.0, 0.0), (step * 5.0 + 30.0, 30.0)], pale, 1.6)
    elif pattern == 1:
        for x in range(7):
            for y in range(7):
                sheet.disc((x * 5.0, y * 5.0), 1.2, pale)
    elif pattern == 2:
        sheet.shape(star((15.0, 13.0), 30.0, 6.0, 12), pale)
    else:
        for radius in (13.5, 10.0):
            sheet.disc((15.0, 13.0), radius, None, pale, width_mm=1.4)


def tile_front(name: str, px_per_mm: float) -> Pixels:
    """Draw a laboratory upgrade, face up."""
    fill, sign = _face(name)
    sheet = Sheet((TILE_MM, TILE_MM), px_per_mm, INK)
    sheet.box((0.8, 0.8), (28.4, 28.4), fill)
    _ground(sheet, name, fill)
    sheet.box((0.0, 0.0), (TILE_MM, TILE_MM), None, INK, width_mm=2.0)
    if name.endswith("_replicator"):
        sheet.disc((15.0, 12.5), 10.0, mix(fill, LABEL, 0.75), INK, width_mm=0.6)
        sign(sheet, (12.0, 11.5), 5.6, fill, INK)
        sign(sheet, (18.2, 14.5), 5.6, LABEL, INK)
    else:
        sign(sheet, (15.0, 12.5), 9.4, LABEL, INK)
    sheet.box((1.2, 23.2), (27.6, 5.6), LABEL, INK, width_mm=0.5)
    sheet.write(name.replace("_replicator", " x2").replace("_", " "), (15.0, 26.0), 2.4, INK, fits_mm=25.5)
    return sheet.finished()


def tile_back(px_per_mm: float) -> Pixels:
    """Draw the back that all tiles share."""
    sheet = Sheet((TILE_MM, TILE_MM), px_per_mm, INK)
    sheet.box((1.0, 1.0), (28.0, 28.0), TAG)
    for step in range(7):
        y = 3.0 + step * 4.0
        sheet.stroke([(2.0, y), (28.0, y)], mix(TAG, INK, 0.18), 0.5)
    sheet.disc((15.0, 15.0), 9.5, mix(TAG, INK, 0.75), INK, width_mm=0.8)
    sheet.shape(star((15.0, 15.0), 8.0, 5.6, 9), TAG, INK, width_mm=0.5)
    sheet.disc((15.0, 15.0), 2.6, mix(TAG, INK, 0.75))
    return sheet.finished()


def lester_front(name: str, seat: str, px_per_mm: float) -> Pixels:
    """Draw a L.E.S.T.E.R. card, face up: a printed instruction with the seat's edge."""
    width, height = LESTER_MM
    seed = zlib.crc32(name.encode())
    sheet = Sheet(LESTER_MM, px_per_mm, INK)
    sheet.box((0.8, 0.8), (width - 1.6, height - 1.6), PAPER, radius_mm=2.0)
    sheet.box((3.0, 3.0), (width - 6.0, 9.0), SEATS[seat], INK, width_mm=0.6, radius_mm=1.5)
    sheet.write(name, (width / 2, 7.5), 3.6, LABEL, halo=INK, fits_mm=width - 10)
    ground = hue(seed % 360, 0.45, 0.8)
    sheet.box((5.0, 15.0), (width - 10.0, 30.0), ground, INK, width_mm=0.6)
    sign = tuple(glyphs.TOKEN_GLYPHS.values())[seed % 7]
    sign(sheet, (width / 2, 30.0), 12.0, LABEL, INK)
    for line in range(3):
        sheet.stroke([(7.0, 50.0 + line * 3.6), (width - 7.0 - line * 6.0, 50.0 + line * 3.6)], INK, 0.7)
    return sheet.finished()


def lester_back(seat: str, px_per_mm: float) -> Pixels:
    """Draw the back of a seat's L.E.S.T.E.R. cards."""
    width, height = LESTER_MM
    fill = SEATS[seat]
    sheet = Sheet(LESTER_MM, px_per_mm, NIGHT)
    sheet.box((1.2, 1.2), (width - 2.4, height - 2.4), fill, radius_mm=2.0)
    for step in range(9):
        y = 4.0 + step * 7.0
        zigzag = [(x * 5.5, y + (2.4 if x % 2 else 0.0)) for x in range(9)]
        sheet.stroke(zigzag, mix(fill, LABEL, 0.35), 0.8)
    sheet.box((5.0, 25.5), (width - 10.0, 12.0), LABEL, INK, width_mm=0.8, radius_mm=2.0)
    sheet.write("L.E.S.T.E.R.", (width / 2, 31.5), 3.8, INK, fits_mm=width - 14)
    return sheet.finished()
