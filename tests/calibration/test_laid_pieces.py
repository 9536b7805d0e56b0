"""A piece laid on a printed sheet is cut out of a photo, whatever its colour; a poor photo is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.laid_pieces import PX_PER_MM, NotTeachable, ViewFault, flatten_sheet, laid_pieces
from calibration.laying_sheets import card_sheet, laying_pages, ring_outline, ring_sheet
from companion.ports import Pixels
from tests.calibration.drawn_photos import Lying, Taken, photo

REFERENCE = Path(__file__).parents[2] / "../shared/scenes/A/reference"
LAYOUT: dict[str, Any] = json.loads((REFERENCE / "layout.json").read_text())
RING = ring_sheet()
MIDDLE = RING.places[0].centre_mm
ROUND = ring_outline(11.0)


def scan(name: str) -> Pixels:
    return np.asarray(cv2.imread(str(REFERENCE / name)), np.uint8)


def token(kind: str, *, at: tuple[float, float] = MIDDLE, turn_deg: float = 0.0) -> Lying:
    return Lying(scan(f"tokens/{kind}.png"), 8.0, at, turn_deg, np.asarray(LAYOUT["token_outlines"][kind]))


def plain(level: int, *, at: tuple[float, float] = MIDDLE, radius_mm: float = 11.0) -> Lying:
    art = np.full((520, 520, 3), level, np.uint8)
    return Lying(art, 8.0, at, 0.0, ring_outline(radius_mm))


def refused(pixels: Pixels) -> ViewFault:
    with pytest.raises(NotTeachable) as caught:
        laid_pieces(flatten_sheet(pixels, RING), ROUND, (24.0, 24.0))
    return caught.value.fault


@pytest.mark.parametrize("kind", ["limb", "goop", "rot"])
def test_a_token_is_cut_out_in_its_own_colours(kind: str) -> None:
    at = (MIDDLE[0] + 9, MIDDLE[1] - 6)
    taken = Taken(seed=3, light=0.7, warmth=0.15)
    (piece,) = laid_pieces(flatten_sheet(photo(RING, [token(kind, at=at)], taken), RING), ROUND, (24.0, 24.0))
    wanted = cv2.resize(scan(f"tokens/{kind}.png"), piece.pixels.shape[1::-1], interpolation=cv2.INTER_AREA)
    inner = np.hypot(*(np.indices(wanted.shape[:2]) - (wanted.shape[0] - 1) / 2)) < 9 * PX_PER_MM
    off = np.abs(piece.pixels[inner].mean(axis=0) - wanted[inner].mean(axis=0))
    assert off.max() < 14


@pytest.mark.parametrize("level", [20, 120, 235])
def test_black_grey_and_white_pieces_alike_are_found_with_their_size(level: int) -> None:
    seen = flatten_sheet(photo(RING, [plain(level, at=(MIDDLE[0] - 8, MIDDLE[1] + 7))]), RING)
    (piece,) = laid_pieces(seen, None, (30.0, 30.0))
    area = cv2.contourArea(piece.outline_mm.astype(np.float32))
    assert 2 * np.sqrt(area / np.pi) == pytest.approx(22, abs=1.8)


def test_a_ring_with_nothing_in_it_says_so() -> None:
    assert refused(photo(RING, [])) is ViewFault.NO_PIECE


def test_a_photo_without_the_sheet_says_so() -> None:
    assert refused(np.full((600, 800, 3), 120, np.uint8)) is ViewFault.NO_SHEET


@pytest.mark.parametrize(
    ("taken", "fault"),
    [
        (Taken(scale=1.8, blur_px=0.4), ViewFault.TOO_FAR),
        (Taken(blur_px=5.5), ViewFault.NOT_SHARP),
        (Taken(light=0.16, noise=1.0), ViewFault.TOO_DARK),
        (Taken(light=1.6), ViewFault.BURNT_OUT),
    ],
    ids=["far", "blurred", "dark", "burnt out"],
)
def test_a_poor_photo_is_refused_now_rather_than_in_play(taken: Taken, fault: ViewFault) -> None:
    assert refused(photo(RING, [token("limb")], taken)) is fault


def test_another_piece_than_the_one_asked_for_is_noticed_by_its_size() -> None:
    assert refused(photo(RING, [plain(120, radius_mm=22.0)])) is ViewFault.OTHER_SIZE


def test_a_hand_over_the_ring_is_refused() -> None:
    assert (
        refused(photo(RING, [token("limb"), plain(90, at=(112.0, 75.0), radius_mm=18)]))
        is ViewFault.TOO_LARGE
    )


def test_nine_cards_are_cut_from_one_sheet_and_missing_ones_left_out() -> None:
    sheet, rng = card_sheet((63.0, 88.0)), np.random.default_rng(4)
    assert len(sheet.places) == 9
    lying = [
        Lying(
            scan(f"cards/card_{i:02}.png"), 4.5, tuple(np.array(place.centre_mm) + rng.uniform(-0.8, 0.8, 2))
        )
        for i, place in enumerate(sheet.places)
        if i not in (4, 8)
    ]
    seen = flatten_sheet(photo(sheet, lying, Taken(scale=5.0)), sheet)
    w, h = 31.5, 44.0
    cards = laid_pieces(seen, np.array([[-w, -h], [w, -h], [w, h], [-w, h]]), (63.0, 88.0))
    assert [card.place for card in cards] == [0, 1, 2, 3, 5, 6, 7]
    for card in cards:
        wanted = cv2.resize(scan(f"cards/card_{card.place:02}.png"), card.pixels.shape[1::-1])
        like = cv2.matchTemplate(card.pixels[30:-30, 30:-30], wanted[36:-36, 36:-36], cv2.TM_CCOEFF_NORMED)
        assert like.max() > 0.85


def test_the_sheets_print_on_one_page_each() -> None:
    for sheet in (RING, card_sheet((70.0, 120.0), "letter")):
        (page,) = laying_pages(sheet)
        assert page.mode == "1"
    with pytest.raises(ValueError, match="does not fit"):
        card_sheet((250.0, 88.0))
