"""What is printed: every marker is read back, at its size, with its corner named."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from calibration.sheets import (
    DPI,
    PAPERS_MM,
    RULER_MM,
    Sticker,
    lens_board,
    lens_page,
    save_pdf,
    stickers_of,
    tag_pages,
)
from calibration.sheets_command import sheets
from companion.games.making_monsters.components import BOX

PX_PER_MM = 10.0


def seen(page: Image.Image) -> np.ndarray:
    """Return a page as a good camera sees it: 10 px a mm, grey."""
    size = tuple(round(side / DPI * 25.4 * PX_PER_MM) for side in page.size)
    return cv2.resize(np.asarray(page.convert("L")), size, interpolation=cv2.INTER_AREA)


def markers_on(page: Image.Image) -> dict[int, float]:
    """Return the markers of a page, each with its side in mm."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    corners, numbers, _ = detector.detectMarkers(seen(page))
    if numbers is None:
        return {}
    sides = [float(np.linalg.norm(quad[0][0] - quad[0][1])) / PX_PER_MM for quad in corners]
    return dict(zip((int(n) for n in numbers.ravel()), sides, strict=True))


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("tag_mm", [12.0, 16.0, 40.0])
def test_every_marker_of_every_board_is_read_back_at_its_size(paper: str, tag_mm: float):
    stickers = stickers_of(BOX.boards)
    found: dict[int, float] = {}
    for page in tag_pages(stickers, tag_mm, paper):
        found |= markers_on(page)
    assert sorted(found) == sorted(tag.number for board in BOX.boards for tag in board.tags)
    assert max(abs(side - tag_mm) for side in found.values()) < 0.15


def test_the_words_below_a_marker_say_where_it_belongs():
    stickers = stickers_of(BOX.boards)
    assert stickers[0] == Sticker(0, "lab_red top left")
    assert Sticker(42, "central marker 3") in stickers


def test_pages_are_as_large_as_the_paper(tmp_path: Path):
    file = tmp_path / "tags.pdf"
    save_pdf(list(tag_pages(stickers_of(BOX.boards), 40.0, "a4")), file)
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", file.read_bytes())
    assert len(boxes) > 1
    for width, height in boxes:
        assert float(width) * 25.4 / 72 == pytest.approx(210, abs=0.1)
        assert float(height) * 25.4 / 72 == pytest.approx(297, abs=0.1)
    assert file.stat().st_size < 200_000


def test_the_ruler_is_as_long_as_it_says():
    (page,) = tag_pages((Sticker(7, "a board"),), 16.0, "a4")
    rows = np.asarray(page)
    top = rows[: round(20 / 25.4 * DPI)]  # above the first sticker
    assert max(int(np.count_nonzero(~row)) for row in top) / DPI * 25.4 == pytest.approx(
        RULER_MM, abs=0.3
    )  # its ends are lines, too


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_lens_sheet_shows_all_its_corners(paper: str):
    corners, _, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(seen(lens_page(paper)))
    assert len(corners) == 8 * 5


def test_the_lens_sheet_is_no_board_to_the_finder_of_boards():
    assert markers_on(lens_page("a4")) == {}


def test_the_command_writes_a_file_and_says_what_to_do(tmp_path: Path):
    done = CliRunner().invoke(sheets, [str(tmp_path / "tags.pdf")])
    assert (done.exit_code, "measure the ruler" in done.stdout) == (0, True)
    assert (tmp_path / "tags.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--game", "chess"], 2, "There is no game 'chess'"),
        (["--box", "nowhere"], 1, "holds no taught box"),
        (["--tag-mm", "500"], 2, "500"),
        (["--paper", "napkin"], 2, "napkin"),
    ],
)
def test_what_cannot_be_printed_is_refused(tmp_path: Path, words: list[str], status: int, said: str):
    done = CliRunner().invoke(sheets, [str(tmp_path / "tags.pdf"), *words])
    assert done.exit_code == status
    assert said in done.stderr
    assert not (tmp_path / "tags.pdf").exists()


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path):
    done = CliRunner().invoke(sheets, [str(tmp_path / "no" / "tags.pdf")])
    assert (done.exit_code, "cannot be written" in done.stderr) == (1, True)


def test_the_sheets_to_lay_pieces_on_are_printed_by_the_command_too(tmp_path: Path) -> None:
    done = CliRunner().invoke(sheets, [str(tmp_path / "ring.pdf"), "--teach", "ring"])
    assert (done.exit_code, (tmp_path / "ring.pdf").read_bytes()[:4]) == (0, b"%PDF")
