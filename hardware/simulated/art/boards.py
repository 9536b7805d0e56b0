"""The boards: a laboratory of tiles and shelves for each seat, the market disc, the prestige board.

Panels and fields are drawn where the layout says that spaces are; only ornaments have
places of their own.
"""

from __future__ import annotations

import math
from random import Random

from companion.board import BoardLayout, Space, SpaceKind
from companion.ports import Pixels
from hardware.simulated.art import glyphs
from hardware.simulated.art.cards import card_front
from hardware.simulated.art.sheet import (
    BLOOD,
    FORMALIN,
    GLASS,
    INK,
    LABEL,
    NIGHT,
    PAPER,
    SEATS,
    TAG,
    Colour,
    Point,
    Sheet,
    colour,
    mix,
    placed,
    ring,
    star,
)
from hardware.simulated.contents import CARD_MM, TOKEN_MM, Contents

_WALLS = {"red": "#8C3B3B", "blue": "#35557F", "green": "#3D6B4A", "yellow": "#A07A32"}
_CARTS = ("#8E3B46", "#2F6B62", "#8A6A2A", "#4C4A86")
_CART_NAMES = ("Bone & Thread", "Spring Supplies", "Fluids", "Odd Lots")


def lab(layout: BoardLayout, contents: Contents, px_per_mm: float) -> Pixels:
    """Draw the laboratory of a seat."""
    seat = layout.id.removeprefix("lab_")
    wall = colour(_WALLS.get(seat, "#5A4658"))
    sheet = Sheet(layout.size_mm, px_per_mm, INK, sharpness=1)
    _tiled_wall(sheet, layout.size_mm, wall, Random(f"wall {seat}"))
    _sign(sheet, (335.0, 262.0), seat)
    _shelf(sheet, (262.0, 196.0), Random(f"jars {seat}"))
    _moon(sheet, (207.0, 66.0), 25.0)
    _pipes(sheet, layout.size_mm, wall)
    for prefix, title in (("reject", "Rejects"), ("upgrade", "Upgrades"), ("sort", "Sorting")):
        _panel(sheet, [s for s in layout.spaces.values() if s.id.startswith(prefix)], title, wall)
    for space in layout.spaces.values():
        _field(sheet, space, wall)
    for card_space, card in contents.printed.items():
        space = layout.spaces[card_space]
        # Drawn on its own sheet: a monster's arms end where its picture ends.
        sheet.stick(card_front(card, px_per_mm), space.centre_mm)
    sheet.box((0.0, 0.0), layout.size_mm, None, INK, width_mm=3.0)
    sheet.grain(3.0, len(seat))
    return sheet.finished()


def _tiled_wall(sheet: Sheet, size_mm: Point, wall: Colour, chance: Random) -> None:
    width, height = size_mm
    floor = height - 36.0
    for row in range(int(height // 15) + 1):
        for column in range(-1, int(width // 28) + 1):
            x = column * 28.0 + (14.0 if row % 2 else 0.0)
            tone = mix(wall, LABEL if chance.random() < 0.5 else INK, chance.uniform(0.0, 0.2))
            sheet.box((x + 0.5, row * 15.0 + 0.5), (27.0, 14.0), tone)
            if chance.random() < 0.1:
                crack = [(x + 4, row * 15.0 + 2), (x + 10, row * 15.0 + 8), (x + 8, row * 15.0 + 13)]
                sheet.stroke(crack, mix(wall, INK, 0.6), 0.6)
    boards = mix(wall, NIGHT, 0.55)
    sheet.box((0.0, floor), (width, height - floor), boards)
    for x in range(0, int(width), 30):
        lean = (x - width / 2) * 0.08
        sheet.stroke([(x, floor), (x + lean, height)], mix(boards, INK, 0.6), 0.8)
    sheet.stroke([(0.0, floor), (width, floor)], INK, 2.0)


def _sign(sheet: Sheet, centre: Point, seat: str) -> None:
    """Hang the toe tag that names the laboratory."""
    x, y = centre
    sheet.stroke([(x - 30, y - 22), (x, y - 13), (x + 30, y - 22)], TAG, 0.8)
    tag = [
        (x - 52, y - 8),
        (x - 44, y - 15),
        (x + 44, y - 15),
        (x + 52, y - 8),
        (x + 52, y + 15),
        (x - 52, y + 15),
    ]
    sheet.shape(tag, TAG, INK, width_mm=1.2)
    sheet.disc((x, y - 11.0), 1.8, mix(TAG, INK, 0.7))
    sheet.write("Night Shift", (x, y - 1.0), 7.0, INK, fits_mm=90.0)
    sheet.box((x - 46, y + 6.0), (92.0, 6.5), SEATS.get(seat, BLOOD), INK, width_mm=0.6, radius_mm=2.0)
    sheet.write(f"{seat} laboratory", (x, y + 9.2), 3.4, LABEL, halo=INK)


def _shelf(sheet: Sheet, corner: Point, chance: Random) -> None:
    x, y = corner
    sheet.box((x, y + 34.0), (26.0, 3.4), mix(TAG, INK, 0.6), INK, width_mm=0.8)
    for number in range(2):
        left = x + 1.5 + 12.0 * number
        fluid = mix(GLASS, colour(chance.choice(("#F0A064", "#BDA3EA", "#A9CB6E", "#F294B6"))), 0.75)
        sheet.box((left, y + 12.0), (10.0, 22.0), mix(GLASS, LABEL, 0.4), INK, width_mm=0.9, radius_mm=2.0)
        sheet.box((left + 0.9, y + 20.0), (8.2, 13.2), fluid, radius_mm=1.5)
        sheet.disc((left + 5.0, y + 26.0), 2.6, LABEL, INK, width_mm=0.6)
        sheet.disc((left + 5.4, y + 26.4), 1.0, INK)
        sheet.box((left + 1.0, y + 8.5), (8.0, 4.0), INK, radius_mm=0.8)


def _moon(sheet: Sheet, centre: Point, radius: float) -> None:
    x, y = centre
    sheet.disc(centre, radius, mix(INK, SEATS["blue"], 0.35), INK, width_mm=2.4)
    sheet.disc((x + 5.0, y - 4.0), radius * 0.5, PAPER)
    sheet.disc((x + 10.0, y - 7.0), radius * 0.42, mix(INK, SEATS["blue"], 0.35))
    for dx, dy in ((-12, -9), (-7, 11), (12, 13), (-15, 4)):
        sheet.shape(star((x + dx, y + dy), 2.2, 0.7, 4), PAPER)
    for turn in (0.0, 90.0):
        sheet.stroke(placed([(-1, 0), (1, 0)], centre, radius, turn), INK, 2.0)


def _pipes(sheet: Sheet, size_mm: Point, wall: Colour) -> None:
    width, _ = size_mm
    runs = (
        [(248.0, 4.0), (248.0, 132.0), (180.0, 146.0), (30.0, 146.0)],
        [(width - 5.0, 100.0), (width - 5.0, 240.0)],
    )
    for run in runs:
        sheet.stroke(run, INK, 5.0)
        sheet.stroke(run, mix(wall, colour("#B98A55"), 0.6), 3.2)
    for x in (60.0, 100.0, 160.0):
        sheet.box((x, 142.2), (5.0, 7.6), mix(wall, INK, 0.5), INK, width_mm=0.7)


def _panel(sheet: Sheet, spaces: list[Space], title: str, wall: Colour) -> None:
    if not spaces:
        return
    points = [p for s in spaces for p in s.outline_mm]
    left, top = min(p[0] for p in points) - 5.0, min(p[1] for p in points) - 5.0
    right, bottom = max(p[0] for p in points) + 5.0, max(p[1] for p in points) + 5.0
    sheet.box(
        (left, top), (right - left, bottom - top), mix(wall, NIGHT, 0.72), INK, width_mm=1.6, radius_mm=6.0
    )
    x = (left + right) / 2
    sheet.box((x - 24.0, top - 8.5), (48.0, 8.5), LABEL, INK, width_mm=0.8, radius_mm=2.0)
    sheet.write(title, (x, top - 4.2), 4.0, INK)


def _field(sheet: Sheet, space: Space, wall: Colour) -> None:
    """Draw the printed mark of an empty space."""
    number = "".join(c for c in space.id if c.isdigit())
    ground, pale = mix(wall, NIGHT, 0.5), mix(wall, LABEL, 0.5)
    if space.kind is SpaceKind.CARD:
        x, y = space.centre_mm[0] - CARD_MM[0] / 2, space.centre_mm[1] - CARD_MM[1] / 2
        sheet.box((x, y), CARD_MM, ground, pale, width_mm=1.2, radius_mm=3.0)
        sheet.box(
            (x + 4, y + 4),
            (CARD_MM[0] - 8, CARD_MM[1] - 8),
            None,
            mix(ground, pale, 0.5),
            width_mm=0.6,
            radius_mm=2.0,
        )
        sheet.write(number, space.centre_mm, 20.0, mix(ground, pale, 0.75))
    elif space.kind is SpaceKind.TILE:
        sheet.shape(list(space.outline_mm), ground, pale, width_mm=0.9)
        sheet.shape(star(space.centre_mm, 9.0, 6.2, 9), None, mix(ground, pale, 0.7), width_mm=0.9)
        sheet.disc(space.centre_mm, 3.0, None, mix(ground, pale, 0.7), width_mm=0.9)
    else:
        sheet.disc(space.centre_mm, TOKEN_MM / 2, ground, pale, width_mm=0.9)
        sheet.write(number, space.centre_mm, 7.5, mix(ground, pale, 0.75))


def central(layout: BoardLayout, contents: Contents, px_per_mm: float) -> Pixels:
    """Draw the market disc with its four carts and seven graves."""
    middle = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
    radius = middle[0]
    sheet = Sheet(layout.size_mm, px_per_mm, mix(PAPER, INK, 0.12), sharpness=1)
    sheet.disc(middle, radius, INK)
    sheet.disc(middle, radius - 2.5, mix(FORMALIN, NIGHT, 0.55))
    chance = Random("cobbles")
    for lane, distance in enumerate(range(14, int(radius) - 8, 11)):
        count = max(6, int(math.tau * distance / 15))
        for stone in range(count):
            angle = math.tau * (stone + 0.5 * (lane % 2)) / count
            centre = (middle[0] + distance * math.cos(angle), middle[1] + distance * math.sin(angle))
            tone = mix(mix(FORMALIN, NIGHT, 0.35), LABEL, chance.uniform(0.0, 0.14))
            sheet.shape(ring(centre, (4.6, 6.4), math.degrees(angle), 14), tone)
    sheet.disc(middle, 126.0, None, mix(FORMALIN, LABEL, 0.3), width_mm=1.2)
    for cart in range(4):
        _cart(sheet, layout, cart, contents)
    for space in layout.spaces.values():
        if space.kind is SpaceKind.PILE:
            _grave(sheet, space)
        elif space.kind is SpaceKind.STACK:
            sheet.shape(list(space.outline_mm), mix(TAG, INK, 0.7), TAG, width_mm=0.9)
            sheet.shape(star(space.centre_mm, 9.0, 6.2, 9), None, TAG, width_mm=0.8)
    for quarter in range(4):
        tip = placed([(0.0, 1.0)], middle, 142.0, 45.0 + 90.0 * quarter)[0]
        arrow = [(-0.6, -0.6), (0.6, 0.0), (-0.6, 0.6), (-0.25, 0.0)]
        sheet.shape(placed(arrow, tip, 8.0, 225.0 + 90.0 * quarter), TAG, INK, width_mm=0.8)
    sheet.grain(3.0, 4)
    return sheet.finished()


def _cart(sheet: Sheet, layout: BoardLayout, cart: int, contents: Contents) -> None:
    spots = [s for s in layout.spaces.values() if s.id.startswith(f"cart{cart + 1}_")]
    if not spots:
        return
    x = sum(s.centre_mm[0] for s in spots) / len(spots)
    y = sum(s.centre_mm[1] for s in spots) / len(spots)
    turn, fill = spots[0].up_deg, colour(_CARTS[cart % 4])
    body = [(-50.0, -30.0), (50.0, -30.0), (42.0, 24.0), (-42.0, 24.0)]
    sheet.shape(placed(body, (x, y), 1.0, turn), fill, INK, width_mm=1.6)
    for stripe in range(-4, 5, 2):
        awning = [(stripe * 11.0 - 5.5, -30.0), (stripe * 11.0 + 5.5, -30.0), (stripe * 9.5, -20.0)]
        sheet.shape(placed(awning, (x, y), 1.0, turn), mix(fill, LABEL, 0.6))
    for wheel in (-36.0, 36.0):
        hub = placed([(wheel, 25.0)], (x, y), 1.0, turn)[0]
        sheet.disc(hub, 7.0, mix(TAG, INK, 0.45), INK, width_mm=1.4)
        sheet.disc(hub, 2.0, INK)
    for spot in spots:
        sheet.shape(list(spot.outline_mm), mix(fill, NIGHT, 0.65), mix(fill, LABEL, 0.6), width_mm=0.9)
        sheet.disc(spot.centre_mm, 5.0, None, mix(fill, LABEL, 0.4), width_mm=0.9)
    parts = contents.carts[cart] if cart < len(contents.carts) else ()
    for number, kind in enumerate(parts):
        place = placed([((number - (len(parts) - 1) / 2) * 15.0, -24.0)], (x, y), 1.0, turn)[0]
        sheet.disc(place, 6.2, mix(glyphs.TOKEN_COLOURS[kind], INK, 0.15), INK, width_mm=0.8)
        glyphs.TOKEN_GLYPHS[kind](sheet, place, 3.8, LABEL, INK)


def _grave(sheet: Sheet, space: Space) -> None:
    kind = space.id.removeprefix("grave_")
    radius = max(abs(p[0] - space.centre_mm[0]) for p in space.outline_mm)
    tint = glyphs.TOKEN_COLOURS.get(kind, TAG)
    sheet.disc(space.centre_mm, radius, mix(tint, NIGHT, 0.72), mix(tint, INK, 0.2), width_mm=1.6)
    sheet.disc(space.centre_mm, radius - 4.0, None, mix(tint, INK, 0.4), width_mm=0.8)
    if kind in glyphs.TOKEN_GLYPHS:
        ink = mix(tint, INK, 0.35)
        glyphs.TOKEN_GLYPHS[kind](sheet, space.centre_mm, radius * 0.5, mix(tint, NIGHT, 0.5), ink)


def score(layout: BoardLayout, px_per_mm: float) -> Pixels:
    """Draw the prestige board with the Rot track in its middle."""
    width, height = layout.size_mm
    wall = mix(colour("#6A4699"), NIGHT, 0.5)
    sheet = Sheet(layout.size_mm, px_per_mm, INK, sharpness=1)
    _tiled_wall(sheet, layout.size_mm, wall, Random("score"))
    track = [s for s in layout.spaces.values() if s.kind is SpaceKind.TRACK]
    for space in track:
        number = int("".join(c for c in space.id if c.isdigit()))
        fill = TAG if number % 10 == 0 else PAPER if number % 2 else mix(PAPER, TAG, 0.5)
        sheet.shape(list(space.outline_mm), fill, INK, width_mm=0.7)
        sheet.write(str(number), space.centre_mm, 6.0, mix(INK, fill, 0.15))
    _panel(sheet, [s for s in layout.spaces.values() if s.id.startswith("rot_")], "The Rot track", wall)
    for space in layout.spaces.values():
        if space.kind is SpaceKind.TOKEN:
            _field(sheet, space, wall)
    sheet.write("Prestige", (width / 2, 52.0), 9.0, LABEL, halo=INK)
    sheet.write("when the last Rot is gone, the Fair begins", (width / 2, height - 50.0), 3.6, LABEL)
    sheet.box((0.0, 0.0), layout.size_mm, None, INK, width_mm=3.0)
    sheet.grain(3.0, 5)
    return sheet.finished()


def board(layout: BoardLayout, contents: Contents, px_per_mm: float) -> Pixels:
    """Draw any board of the box, (height, width, 3) at ``px_per_mm``."""
    if layout.id == "central":
        return central(layout, contents, px_per_mm)
    if layout.id == "score":
        return score(layout, px_per_mm)
    return lab(layout, contents, px_per_mm)
