"""The box as pictures: scans to teach the eyes from, and a garden as a camera would see it.

    python -m lamp_garden.drawings scans FOLDER
    python -m lamp_garden.drawings photo FILE bed3=red bed8=blue

The one module that is not pure, and the only one that needs OpenCV.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import SpaceId
from companion.game import Seat
from lamp_garden.garden import BED_RADIUS_MM, BOX, FIRST_TAG, GARDEN, LAMP_MM, SEATS, SIZE_MM, lamp_of

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

PX_PER_MM = 4
TAG_MM, STICKER_MM = 16.0, 20.0
LAWN, PATH, EARTH, INK, CREAM = (74, 112, 82), (120, 168, 190), (52, 70, 92), (40, 26, 40), (222, 238, 248)
GLASS: Mapping[str, Colour] = {"red": (48, 48, 196), "blue": (176, 96, 32), "green": (60, 150, 60)}
PHOTO_WH = (1280, 960)
CORNERS_PX = ((210, 190), (1090, 150), (1150, 830), (150, 860))
"""Where the garden's corners lie in the photo: a camera on a shelf, a little askew."""


def garden() -> Pixels:
    """Draw the board: a lawn with paths, flowers and twelve round beds, each with a plant of its own."""
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    sheet: Pixels = np.empty((height, width, 3), np.uint8)
    sheet[:] = LAWN
    chance = random.Random("garden")
    for x_mm in (30, 80, 130, 180, 230):
        cv2.line(sheet, _at(x_mm, 30), _at(x_mm, SIZE_MM[1] - 30), PATH, 5 * PX_PER_MM, cv2.LINE_AA)
    for y_mm in (25, 75, 125, 175):
        cv2.line(sheet, _at(30, y_mm), _at(SIZE_MM[0] - 30, y_mm), PATH, 5 * PX_PER_MM, cv2.LINE_AA)
    for _ in range(260):
        centre = _at(chance.uniform(4, SIZE_MM[0] - 4), chance.uniform(4, SIZE_MM[1] - 4))
        petal = tuple(chance.randrange(90, 250) for _ in range(3))
        cv2.circle(sheet, centre, chance.randrange(3, 9), petal, cv2.FILLED, cv2.LINE_AA)
    for number, space in enumerate(BOX.boards[0].spaces.values(), 1):
        centre, radius = _at(*space.centre_mm), round(BED_RADIUS_MM * PX_PER_MM)
        cv2.circle(sheet, centre, radius, EARTH, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(sheet, centre, radius, CREAM, 5, cv2.LINE_AA)
        cv2.putText(
            sheet, str(number), (centre[0] - 20, centre[1] + 14), cv2.FONT_HERSHEY_DUPLEX, 1.2, CREAM, 2
        )
    cv2.rectangle(sheet, (0, 0), (width - 1, height - 1), INK, 10)
    return sheet


def lamp(seat: str) -> Pixels:
    """Draw a lamp with 1 mm of paper around it: coloured glass, a flame, two bars or more."""
    side = round((LAMP_MM + 2) * PX_PER_MM)
    sheet: Pixels = np.full((side, side, 3), 236, np.uint8)
    centre, radius = (side // 2, side // 2), round(LAMP_MM / 2 * PX_PER_MM)
    cv2.circle(sheet, centre, radius, INK, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(sheet, centre, radius - 5, GLASS[seat], cv2.FILLED, cv2.LINE_AA)
    cv2.ellipse(sheet, centre, (9, 18), 0, 0, 360, CREAM, cv2.FILLED, cv2.LINE_AA)
    bars = SEATS.index(Seat(seat)) + 2
    for bar in range(bars):
        turn = 2 * math.pi * bar / bars
        end = (round(centre[0] + radius * math.cos(turn)), round(centre[1] + radius * math.sin(turn)))
        cv2.line(sheet, centre, end, INK, 4, cv2.LINE_AA)
    return sheet


def write_scans(folder: Path) -> None:
    """Write the pictures, their index and the layout, as `companion box teach` takes them."""
    folder.mkdir(parents=True, exist_ok=True)
    index: list[dict[str, Any]] = []
    for seat in SEATS:
        kind, side = lamp_of(seat), LAMP_MM + 2
        cv2.imwrite(str(folder / f"{kind}.png"), lamp(seat))
        index.append(_row(f"{kind}.png", "token", (side, side)) | {"token_kind": kind})
    cv2.imwrite(str(folder / "garden.png"), garden())
    index.append(_row("garden.png", "board", SIZE_MM) | {"board": GARDEN})
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    (folder / "layout.json").write_text(json.dumps(_layout()), encoding="utf-8")


def _row(file: str, kind: str, size_mm: tuple[float, float]) -> dict[str, Any]:
    return {"file": file, "kind": kind, "px_per_mm": PX_PER_MM, "image_mm": list(size_mm), "is_placed": True}


def _layout() -> dict[str, Any]:
    board = BOX.boards[0]
    ring = [_on_ring(step / 40) for step in range(40)]
    slots = [
        {"id": s.id, "kind": "token", "center": s.centre_mm, "polygon": s.outline_mm, "radius": BED_RADIUS_MM}
        for s in board.spaces.values()
    ]
    tags = [tag.centre_mm for tag in board.tags]
    row = {"size": SIZE_MM, "slots": slots, "tag_centers": tags, "first_tag": FIRST_TAG}
    return {
        "set": "lamp-garden",
        "piece_sizes": {"token": LAMP_MM, "card": [63, 88], "order": 30, "upgrade": [30, 30]},
        "token_outlines": {lamp_of(seat): ring for seat in SEATS},
        "players": list(SEATS),
        "cards": {},
        "upgrades": [],
        "fiducials": {"black_square_mm": TAG_MM, "sticker_mm": STICKER_MM},
        "boards": {GARDEN: row},
    }


def _on_ring(share: float) -> tuple[float, float]:
    turn = 2 * math.pi * share
    return (LAMP_MM / 2 * math.cos(turn), LAMP_MM / 2 * math.sin(turn))


def photo(lamps: Mapping[str, str]) -> Pixels:
    """Draw what a camera sees of a garden with some lamps: on a table, askew, a little blurred and noisy."""
    board = garden()
    for bed, seat in lamps.items():
        _lay(board, lamp(seat), BOX.boards[0].spaces[SpaceId(bed)].centre_mm)
    _stick_tags(board)
    chance = np.random.default_rng(7)
    table = np.full((PHOTO_WH[1], PHOTO_WH[0], 3), (66, 92, 126), np.uint8)
    height, width = board.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    lie = cv2.getPerspectiveTransform(corners, np.array(CORNERS_PX, np.float32))
    seen = cv2.warpPerspective(board, lie, PHOTO_WH, table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    soft = cv2.GaussianBlur(seen, (3, 3), 0.8).astype(np.float64)
    return np.clip(soft + chance.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)


def _lay(board: Pixels, piece: Pixels, centre_mm: tuple[float, float]) -> None:
    side, (x, y) = piece.shape[0], _at(*centre_mm)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (side // 2, side // 2), round(LAMP_MM / 2 * PX_PER_MM), 255, cv2.FILLED)
    under = board[y - side // 2 : y - side // 2 + side, x - side // 2 : x - side // 2 + side]
    under[mask > 0] = piece[mask > 0]


def _stick_tags(board: Pixels) -> None:
    """Stick the printed corner markers on, as `companion sheets` prints them."""
    markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    black, white = round(TAG_MM * PX_PER_MM), round(STICKER_MM * PX_PER_MM)
    for tag in BOX.boards[0].tags:
        sticker = np.full((white, white, 3), 255, np.uint8)
        edge = (white - black) // 2
        sticker[edge : edge + black, edge : edge + black] = cv2.cvtColor(
            cv2.aruco.generateImageMarker(markers, tag.number, black), cv2.COLOR_GRAY2BGR
        )
        x, y = _at(*tag.centre_mm)
        board[y - white // 2 : y - white // 2 + white, x - white // 2 : x - white // 2 + white] = sticker


def _at(x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(x_mm * PX_PER_MM), round(y_mm * PX_PER_MM)


def main(words: Sequence[str]) -> None:
    match words:
        case ["scans", folder]:
            write_scans(Path(folder))
        case ["photo", file, *lamps]:
            lit = dict(one.split("=", 1) for one in lamps)
            cv2.imwrite(file, photo(lit))
        case _:
            sys.exit(str(__doc__))


if __name__ == "__main__":
    main(sys.argv[1:])
