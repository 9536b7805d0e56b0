"""Round pieces: body-part tokens, order tokens, prestige markers."""

from __future__ import annotations

from companion.ports import Pixels
from hardware.simulated.art import glyphs
from hardware.simulated.art.sheet import (
    INK,
    LABEL,
    ORDERS,
    PAPER,
    SCANNER_LID,
    SEATS,
    Colour,
    Sheet,
    mix,
    placed,
)
from hardware.simulated.contents import MARKER_MM, ORDER_MM, TOKEN_MM

SCAN_MARGIN_MM = 1.0
_NOTCHES = {"rot": 0, "limb": 3, "stitch": 8, "spike": 6, "goop": 4, "zapper": 5, "mutation": 12}
_PIPS = {"red": 1, "yellow": 2, "blue": 3}


def token(kind: str, px_per_mm: float) -> Pixels:
    """Draw a body part on a white ground, one millimetre around it."""
    side = TOKEN_MM + 2 * SCAN_MARGIN_MM
    centre = (side / 2, side / 2)
    fill = glyphs.TOKEN_COLOURS[kind]
    sheet = Sheet((side, side), px_per_mm, SCANNER_LID)
    rim = mix(fill, INK, 0.45)
    sheet.disc(centre, TOKEN_MM / 2, rim)
    sheet.disc(centre, TOKEN_MM / 2 - 2.2, mix(fill, LABEL, 0.18), INK, width_mm=0.5)
    glyphs.teeth(sheet, centre, TOKEN_MM / 2 - 1.1, _NOTCHES[kind], mix(fill, LABEL, 0.75))
    body = LABEL if kind in ("rot", "mutation", "spike") else mix(fill, LABEL, 0.7)
    if kind == "rot":
        body = mix(fill, PAPER, 0.82)
    if kind == "stitch":
        body = LABEL
    glyphs.TOKEN_GLYPHS[kind](sheet, centre, TOKEN_MM / 2 - 3.4, body, INK)
    sheet.grain(2.0, len(kind))
    return sheet.finished()


def order_front(colour: str, second: str, px_per_mm: float) -> Pixels:
    """Draw the face of an order token: sign, pips, and the colour that makes it super."""
    sheet, centre = _order_blank(mix(ORDERS[colour], LABEL, 0.05), px_per_mm)
    radius = ORDER_MM / 2
    belt = [(-0.78, 0.32), (0.78, 0.32), (0.6, 0.64), (0.0, 0.86), (-0.6, 0.64)]
    sheet.shape(placed(belt, centre, radius), ORDERS[second], INK, width_mm=0.6)
    sign = (centre[0], centre[1] - 3.5)
    _order_sign(sheet, colour, sign, 7.6)
    for pip in range(_PIPS[colour]):
        x = sign[0] + (pip - (_PIPS[colour] - 1) / 2) * 3.4
        sheet.disc((x, sign[1] + 1.0), 1.25, INK)
    _order_sign(sheet, second, (centre[0], centre[1] + 8.2), 2.8)
    return sheet.finished()


def order_back(seat: str, px_per_mm: float) -> Pixels:
    """Draw the back of an order token: the seat's colour and a question."""
    fill = SEATS[seat]
    sheet, centre = _order_blank(fill, px_per_mm)
    sheet.disc(centre, 10.5, mix(fill, LABEL, 0.25), INK, width_mm=0.6)
    glyphs.question(sheet, centre, 6.5, LABEL, INK)
    letter = seat[0].upper()
    for turn in range(4):
        x, y = placed([(0, -1)], centre, 12.3, turn * 90.0)[0]
        sheet.write(letter, (x, y), 2.0, LABEL if seat != "yellow" else INK)
    return sheet.finished()


def marker(seat: str, px_per_mm: float) -> Pixels:
    """Draw a prestige marker from above: a lacquered pawn."""
    side = MARKER_MM + 2 * SCAN_MARGIN_MM
    centre = (side / 2, side / 2)
    fill = SEATS[seat]
    sheet = Sheet((side, side), px_per_mm, SCANNER_LID)
    sheet.disc(centre, MARKER_MM / 2, mix(fill, INK, 0.35), INK, width_mm=0.5)
    sheet.disc(centre, MARKER_MM / 2 - 1.6, fill)
    sheet.disc((centre[0] - 0.6, centre[1] - 0.6), 2.6, mix(fill, LABEL, 0.3))
    sheet.write(seat[0].upper(), centre, 3.4, LABEL, halo=INK)
    return sheet.finished()


def _order_blank(fill: Colour, px_per_mm: float) -> tuple[Sheet, tuple[float, float]]:
    side = ORDER_MM + 2 * SCAN_MARGIN_MM
    centre = (side / 2, side / 2)
    sheet = Sheet((side, side), px_per_mm, SCANNER_LID)
    sheet.disc(centre, ORDER_MM / 2, INK)
    sheet.disc(centre, ORDER_MM / 2 - 1.1, fill)
    return sheet, centre


def _order_sign(sheet: Sheet, colour: str, centre: tuple[float, float], size: float) -> None:
    if colour == "red":
        sheet.shape(placed([(0, -0.95), (0.95, 0.75), (-0.95, 0.75)], centre, size), LABEL, INK, width_mm=0.5)
    elif colour == "yellow":
        sheet.disc(centre, size * 0.8, LABEL, INK, width_mm=0.5)
    else:
        half = size * 0.75
        sheet.box((centre[0] - half, centre[1] - half), (2 * half, 2 * half), LABEL, INK, width_mm=0.5)
