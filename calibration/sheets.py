"""Sheets to print: the corner markers of a game's boards, and the board that a lens is measured with.

Drawn in black and white at 600 dots an inch, so that the edge of a marker lies within 0.03 mm of
where it belongs; Pillow packs the pages into a PDF of a few kilobytes. Every page carries a ruler:
printers like to shrink what they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from companion.board import BoardLayout

DPI = 600
PX_PER_MM = DPI / 25.4
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
EDGE_MM = 12.0  # what no printer reaches
HEAD_MM = 22.0
LABEL_MM = 7.0
GAP_MM = 4.0
CUT_MM = 3.0
RULER_MM = 100

CELLS = 8  # of a tag36h11 with its black border
WHITE_CELLS = 1  # around it: a marker without white around it is not seen

CHARUCO_SQUARES = (9, 6)
CHARUCO_SQUARE_MM = 28.0
CHARUCO_MARKER_MM = 20.0
CHARUCO_FAMILY = cv2.aruco.DICT_5X5_100
"""Another family than that of the boards, so that nobody takes the sheet for a board."""

CORNERS = ("top left", "top right", "bottom right", "bottom left")


@dataclass(frozen=True, slots=True)
class Sticker:
    """A marker to cut out: its number and what is written below it."""

    number: int
    words: str


def stickers_of(layouts: Sequence[BoardLayout]) -> tuple[Sticker, ...]:
    """Return the markers of boards in the order of the boards. Raises ValueError when there are none."""
    found = []
    for layout in layouts:
        for index, tag in enumerate(layout.tags):
            where = CORNERS[index] if len(layout.tags) == 4 and not layout.is_round else f"marker {index + 1}"
            found.append(Sticker(tag.number, f"{layout.id} {where}"))
    if not found:
        raise ValueError("None of these boards has a corner marker.")
    return tuple(found)


def tag_pages(stickers: Sequence[Sticker], tag_mm: float, paper: str) -> Iterator[Image.Image]:
    """Yield pages of stickers: a black square of ``tag_mm``, white around it, marks to cut along.

    Raises ValueError for markers that no page has room for.
    """
    width_mm, height_mm = PAPERS_MM[paper]
    side_mm = tag_mm * (1 + 2 * WHITE_CELLS / CELLS)
    step_mm = (side_mm + 2 * CUT_MM + GAP_MM, side_mm + 2 * CUT_MM + GAP_MM + LABEL_MM)
    columns = int((width_mm - 2 * EDGE_MM) // step_mm[0])
    rows = int((height_mm - 2 * EDGE_MM - HEAD_MM) // step_mm[1])
    if columns < 1 or rows < 1:
        raise ValueError(f"A marker of {tag_mm:g} mm does not fit on {paper} paper.")
    for first in range(0, len(stickers), columns * rows):
        page = Page(paper, f"Corner markers, {tag_mm:g} mm. Print in real size (100 %), on matt paper.")
        for index, sticker in enumerate(stickers[first : first + columns * rows]):
            row, column = divmod(index, columns)
            x = EDGE_MM + column * step_mm[0] + CUT_MM
            page.sticker(sticker, (x, EDGE_MM + HEAD_MM + row * step_mm[1] + CUT_MM), tag_mm)
        yield page.image


def lens_board() -> cv2.aruco.CharucoBoard:
    """Return the board of the lens sheet; lengths in mm."""
    family = cv2.aruco.getPredefinedDictionary(CHARUCO_FAMILY)
    return cv2.aruco.CharucoBoard(CHARUCO_SQUARES, CHARUCO_SQUARE_MM, CHARUCO_MARKER_MM, family)


def lens_page(paper: str) -> Image.Image:
    """Return the sheet that a lens is measured with, in landscape."""
    page = Page(paper, "Lens sheet. Print in real size (100 %), glue it flat on a board.", is_landscape=True)
    columns, rows = CHARUCO_SQUARES
    side_px = px_of(CHARUCO_SQUARE_MM)  # OpenCV wants whole dots a square
    drawn = lens_board().generateImage((columns * side_px, rows * side_px))
    left_mm = (page.size_mm[0] - columns * CHARUCO_SQUARE_MM) / 2
    page.image.paste(Image.fromarray(drawn).convert("1"), (px_of(left_mm), px_of(EDGE_MM + 12)))
    return page.image


def save_pdf(pages: Sequence[Image.Image], path: Path) -> None:
    """Write pages as a PDF in real size. Raises OSError."""
    with path.open("wb") as file:
        write_pdf(pages, file)


def write_pdf(pages: Sequence[Image.Image], file: BinaryIO) -> None:
    """Write pages as a PDF in real size into an open file."""
    pages[0].save(file, "PDF", resolution=DPI, save_all=True, append_images=list(pages[1:]))


class Page:
    """A page with a line at its head and a ruler below it."""

    def __init__(self, paper: str, head: str, *, is_landscape: bool = False, has_ruler: bool = True) -> None:
        short_mm, long_mm = PAPERS_MM[paper]
        self.size_mm = (long_mm, short_mm) if is_landscape else (short_mm, long_mm)
        self.image = Image.new("1", (px_of(self.size_mm[0]), px_of(self.size_mm[1])), 1)
        self._draw = ImageDraw.Draw(self.image)
        self.text((EDGE_MM, EDGE_MM - 4), head, 3.6)
        if has_ruler:
            self.ruler(EDGE_MM, EDGE_MM + 3)

    def text(self, at_mm: tuple[float, float], words: str, height_mm: float) -> None:
        font = ImageFont.load_default(px_of(height_mm))
        self._draw.text((px_of(at_mm[0]), px_of(at_mm[1])), words, 0, font=font)

    def sticker(self, sticker: Sticker, at_mm: tuple[float, float], tag_mm: float) -> None:
        """Draw a marker, its white border, marks to cut along, and its words outside of them."""
        white_mm = tag_mm * WHITE_CELLS / CELLS
        side_mm = tag_mm + 2 * white_mm
        family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
        cells = cv2.aruco.generateImageMarker(family, sticker.number, CELLS)
        large = cv2.resize(cells, (px_of(tag_mm), px_of(tag_mm)), interpolation=cv2.INTER_NEAREST)
        x, y = at_mm
        self.image.paste(
            Image.fromarray(np.asarray(large, np.uint8)).convert("1"),
            (px_of(x + white_mm), px_of(y + white_mm)),
        )
        for cut_x in (x, x + side_mm):
            for cut_y in (y, y + side_mm):
                outer_x = cut_x + (-CUT_MM if cut_x == x else CUT_MM)
                outer_y = cut_y + (-CUT_MM if cut_y == y else CUT_MM)
                self.line((cut_x, cut_y), (outer_x, cut_y))
                self.line((cut_x, cut_y), (cut_x, outer_y))
        self.text((x, y + side_mm + CUT_MM), f"{sticker.number}", 3.0)
        self.text((x, y + side_mm + CUT_MM + 3.2), sticker.words, 2.2)

    def ruler(self, x_mm: float, y_mm: float) -> None:
        self.line((x_mm, y_mm + 4), (x_mm + RULER_MM, y_mm + 4))
        for step_mm in range(0, RULER_MM + 1, 10):
            tall_mm = 4 if step_mm % 50 == 0 else 2
            self.line((x_mm + step_mm, y_mm + 4 - tall_mm), (x_mm + step_mm, y_mm + 4))
        self.text((x_mm + RULER_MM + 3, y_mm), f"{RULER_MM} mm: measure it", 3.0)

    def line(self, start_mm: tuple[float, float], end_mm: tuple[float, float]) -> None:
        ends = [(px_of(x), px_of(y)) for x, y in (start_mm, end_mm)]
        self._draw.line(ends, 0, width=px_of(0.15))


def px_of(mm: float) -> int:
    return round(mm * PX_PER_MM)
