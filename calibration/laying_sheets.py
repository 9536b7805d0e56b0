"""Sheets that pieces are laid on to be taught: a ring for one piece, places for nine cards.

Markers at the edges say where the camera stands and how bright the paper is; a ground of checks says
where a piece lies: wherever the checks are not to be seen. So a piece may have any colour. Lengths are
mm from the top left of the printed part, x right, y down. Pure; printing needs Pillow's pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from calibration.sheets import CELLS, EDGE_MM, PAPERS_MM, WHITE_CELLS, Page, px_of
from companion.board import Tag

CHECK_MM = 3.0
PRINT_COARSE = 4  # 0.17 mm: checks are looked at, markers are measured by
RING, CARDS = "ring", "cards"
RING_FIRST_TAG, CARDS_FIRST_TAG = 500, 510
"""Numbers of tag36h11 that no board wears."""

RING_SIDE_MM, RING_TAG_MM, RING_RADIUS_MM, RING_LINE_MM = 150.0, 20.0, 36.0, 1.5
CARD_TAG_MM, CARD_EDGE_MM, CARD_STRIP_MM = 6.0, 5.0, 7.5
LEAST_GAP_MM, MOST_GAP_MM = 0.5, 6.0
MOST_ACROSS = 3
FRAME_MM = 0.8
CORNER_MM = 8.0
"""How long the marks at the corners of a place are; a whole frame would hide where a card ends."""


@dataclass(frozen=True, slots=True)
class LayPlace:
    """Where a piece is laid: the middle, and how wide and high the place is."""

    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class LayingSheet:
    """A sheet to lay pieces on. ``ground_mm`` is the part with checks: left, top, right, bottom."""

    kind: str
    paper: str
    size_mm: tuple[float, float]
    tags: tuple[Tag, ...]
    tag_mm: float
    places: tuple[LayPlace, ...]
    ground_mm: tuple[float, float, float, float]

    @property
    def is_ring(self) -> bool:
        return self.kind == RING

    def ground(self, px_per_mm: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return how bright the sheet is printed (0 to 1), and where it is paper that no piece covers."""
        width, height = (round(side * px_per_mm) for side in self.size_mm)
        y, x = (np.mgrid[:height, :width] + 0.5) / px_per_mm
        checks = ((np.floor(x / CHECK_MM) + np.floor(y / CHECK_MM)) % 2).astype(np.float32)
        if self.is_ring:
            (cx, cy), _ = self.places[0].centre_mm, 0
            away = np.hypot(x - cx, y - cy)
            inner = away < RING_RADIUS_MM
            shown = np.where(inner, checks, np.where(away < RING_RADIUS_MM + RING_LINE_MM, 0.0, 1.0))
            paper = away > RING_RADIUS_MM + 2 * RING_LINE_MM
        else:
            left, top, right, bottom = self.ground_mm
            inner = (x > left) & (x < right) & (y > top) & (y < bottom)
            framed = np.zeros_like(inner)
            for place in self.places:
                across = np.abs(x - place.centre_mm[0]) - place.size_mm[0] / 2
                down = np.abs(y - place.centre_mm[1]) - place.size_mm[1] / 2
                near = (across > -CORNER_MM) & (down > -CORNER_MM)
                framed |= near & (np.abs(np.maximum(across, down)) < FRAME_MM / 2)
            shown = np.where(inner & ~framed, checks, 1.0)
            paper = (y < top - 1) | (y > bottom + 1)
        side = self.tag_mm / 2 + 1
        for tag in self.tags:
            near = (np.abs(x - tag.centre_mm[0]) < side) & (np.abs(y - tag.centre_mm[1]) < side)
            paper &= ~near
        return shown.astype(np.float32), paper


def ring_sheet(paper: str = "a4") -> LayingSheet:
    """Return the sheet with a ring for one piece up to 60 mm."""
    low, high = RING_TAG_MM * 0.75, RING_SIDE_MM - RING_TAG_MM * 0.75
    corners = ((low, low), (high, low), (high, high), (low, high))
    tags = tuple(Tag(RING_FIRST_TAG + i, corner) for i, corner in enumerate(corners))
    middle = RING_SIDE_MM / 2
    place = LayPlace((middle, middle), (2 * RING_RADIUS_MM, 2 * RING_RADIUS_MM))
    reach = (
        middle - RING_RADIUS_MM,
        middle - RING_RADIUS_MM,
        middle + RING_RADIUS_MM,
        middle + RING_RADIUS_MM,
    )
    return LayingSheet(RING, paper, (RING_SIDE_MM, RING_SIDE_MM), tags, RING_TAG_MM, (place,), reach)


def card_sheet(card_mm: tuple[float, float], paper: str = "a4") -> LayingSheet:
    """Return the sheet for as many cards as it has room for, at most nine. Raises ValueError if for none."""
    width, height = (side - 2 * CARD_EDGE_MM for side in PAPERS_MM[paper])
    room = height - 2 * CARD_STRIP_MM
    columns, wide = _packed(card_mm[0], width)
    rows, high = _packed(card_mm[1], room)
    if columns < 1 or rows < 1:
        raise ValueError(f"A card of {card_mm[0]:g} x {card_mm[1]:g} mm does not fit on {paper} paper.")
    left = (width - wide * (columns - 1) - card_mm[0]) / 2
    top = CARD_STRIP_MM + (room - high * (rows - 1) - card_mm[1]) / 2
    places = tuple(
        LayPlace(
            (
                left + wide * column + card_mm[0] / 2,
                top + high * row + card_mm[1] / 2,
            ),
            card_mm,
        )
        for row in range(rows)
        for column in range(columns)
    )
    side = CARD_TAG_MM * (0.5 + WHITE_CELLS / CELLS)
    low, high_y = side, height - side
    across = np.linspace(side, width - side, 4)
    spots = [*((float(x), low) for x in across), (side, high_y), (width - side, high_y)]
    tags = tuple(Tag(CARDS_FIRST_TAG + i, spot) for i, spot in enumerate(spots))
    ground = (0.0, CARD_STRIP_MM, width, height - CARD_STRIP_MM)
    return LayingSheet(CARDS, paper, (width, height), tags, CARD_TAG_MM, places, ground)


def _packed(side_mm: float, room_mm: float) -> tuple[int, float]:
    """Return how many cards fit beside one another, and from where to where the next one lies."""
    count = min(MOST_ACROSS, int((room_mm + LEAST_GAP_MM) // (side_mm + LEAST_GAP_MM)))
    gap = min(MOST_GAP_MM, (room_mm - count * side_mm) / max(count, 1))
    return count, side_mm + gap


def picture_of(sheet: LayingSheet, px_per_mm: float, *, coarse: int = 1) -> NDArray[np.uint8]:
    """Draw the printed part of a sheet, (height, width), black and white.

    With ``coarse`` the checks are drawn that much coarser; markers never are.
    """
    shown, _ = sheet.ground(px_per_mm / coarse)
    size = tuple(round(side * px_per_mm) for side in sheet.size_mm)
    checks = np.where(shown > 0.5, 255, 0).astype(np.uint8)
    drawn = np.asarray(cv2.resize(checks, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side = round(sheet.tag_mm * px_per_mm)
    for tag in sheet.tags:
        cells = cv2.aruco.generateImageMarker(family, tag.number, CELLS)
        x, y = (round((c - sheet.tag_mm / 2) * px_per_mm) for c in tag.centre_mm)
        drawn[y : y + side, x : x + side] = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    return drawn


def laying_pages(sheet: LayingSheet) -> Iterator[Image.Image]:
    """Yield the page to print for a sheet, in real size."""
    width, height = PAPERS_MM[sheet.paper]
    left = (width - sheet.size_mm[0]) / 2
    drawn = Image.fromarray(picture_of(sheet, px_of(1000.0) / 1000.0, coarse=PRINT_COARSE)).convert("1")
    if sheet.is_ring:
        page = Page(sheet.paper, "Lay one piece in the ring. Print in real size (100 %), on matt paper.")
        page.image.paste(drawn, (px_of(left), px_of((height - sheet.size_mm[1]) / 2)))
    else:
        page = Page(sheet.paper, "", has_ruler=False)
        page.image.paste(drawn, (px_of(left), px_of(CARD_EDGE_MM)))
        middle, low = width / 2, height - CARD_EDGE_MM - CARD_STRIP_MM / 2
        page.ruler(middle - 50.0, low - 3.0)
        page.text((EDGE_MM, CARD_EDGE_MM - 3.6), "Lay cards in the frames, upright. Print at 100 %.", 2.6)
    yield page.image


def ring_outline(radius_mm: float, points: int = 40) -> NDArray[np.float64]:
    """Return a round outline about nought, (points, 2)."""
    angles = np.linspace(0, 2 * math.pi, points, endpoint=False)
    return np.stack([radius_mm * np.cos(angles), radius_mm * np.sin(angles)], axis=1)
