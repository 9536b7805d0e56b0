"""Plain pieces on printed spaces are told by the colours that one laid board taught."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board import EMPTY, PieceKind
from companion.ports import Obstacle, Pixels
from tests.bench.real_board import board_eyes, outlines_of
from tests.bench.slots import judged, looks_at, truths_of
from vision.box import ART_PX_PER_MM
from vision.slot_colours import SlotColours, see_slots

PHOTOS = Path(__file__).parents[2] / "../shared/photos/tokens"
RED, BLUE = PieceKind("red"), PieceKind("blue")
PAINTS = {RED: (50, 40, 190), BLUE: (180, 90, 30)}
SIZE = (200, 320, 3)
OUTLINES = [
    np.array([[x, y], [x + 24, y], [x + 24, y + 9], [x, y + 9]], float)
    for y in (12.0, 42.0, 72.0)
    for x in (15.0, 65.0, 115.0)
]


def bare_board() -> Pixels:
    """Draw a board with printed spaces, some of them red as pieces are."""
    board = np.full(SIZE, (190, 205, 215), np.uint8)
    for n, outline in enumerate(OUTLINES):
        low, high = (np.rint(outline * ART_PX_PER_MM).astype(int)[k].tolist() for k in (0, 2))
        cv2.rectangle(board, low, high, (70, 60, 200) if n % 3 == 0 else (180, 180, 170), -1)
        cv2.rectangle(board, low, high, (90, 90, 90), 2)
        cv2.circle(board, ((low[0] + high[0]) // 2, (low[1] + high[1]) // 2), 5, (240, 240, 240), -1)
    return board


def laid(lying: list[PieceKind], *, seed: int, lamp: tuple[float, float, float] = (1, 1, 1)) -> Pixels:
    """Lay pieces on the board under a lamp whose light falls off to one side."""
    rng, board = np.random.default_rng(seed), bare_board()
    for kind, outline in zip(lying, OUTLINES, strict=True):
        if kind != EMPTY:
            spot = outline + rng.uniform(-1, 1, 2)
            cv2.fillPoly(board, [np.rint(spot * ART_PX_PER_MM).astype(np.int32)], PAINTS[kind])
    falling = np.linspace(1.0, 0.6, SIZE[1])[None, :, None] * np.array(lamp)
    return np.asarray(np.clip(board * falling + rng.normal(0, 3, SIZE), 0, 255), np.uint8)


def lay_of(letters: str) -> list[PieceKind]:
    return [{"r": RED, "b": BLUE, ".": EMPTY}[letter] for letter in letters]


def colours() -> SlotColours:
    lying = lay_of("rb.rbr.bb")
    return SlotColours.of(see_slots(laid(lying, seed=1), bare_board(), OUTLINES), lying)


def test_pieces_are_told_from_empty_spaces_of_their_own_colour_in_another_light():
    lying = lay_of(".rb.b.b.r")
    looks = see_slots(laid(lying, seed=2, lamp=(0.6, 0.75, 0.85)), bare_board(), OUTLINES)
    assert [told.reads for told in colours().tell(looks)] == lying


def test_a_piece_in_the_colour_of_the_print_below_is_never_taken_for_nothing():
    looks = see_slots(laid(lay_of("r..r..r.."), seed=4), bare_board(), OUTLINES)
    assert {told.reads for told in colours().tell(looks)[::3]} <= {RED, None}


def test_a_piece_of_a_colour_between_two_stays_open():
    lying = lay_of("r........")
    flat = laid(lying, seed=3)
    between = [np.rint(OUTLINES[4] * ART_PX_PER_MM).astype(np.int32)]
    cv2.fillPoly(flat, between, tuple((np.array(PAINTS[RED]) + PAINTS[BLUE]) // 2 * 0.8))
    told = colours().tell(see_slots(flat, bare_board(), OUTLINES))[4]
    assert (told.reads, told.obstacle) == (None, Obstacle.TWO_CANDIDATES)


def test_an_empty_board_teaches_nothing():
    with pytest.raises(ValueError, match="No piece lies"):
        SlotColours.of(see_slots(bare_board(), bare_board(), OUTLINES), lay_of("........."))


@pytest.mark.eyes
def test_one_laid_photo_of_a_real_board_teaches_another():
    labels = json.loads((PHOTOS / "labels.json").read_text())
    truths, eyes = truths_of(labels), board_eyes(PHOTOS, labels)
    teacher, asked = (name for name, lying in truths.items() if set(lying) != {EMPTY})
    looks = [looks_at(PHOTOS / name, eyes, outlines_of(labels)) for name in (teacher, asked)]
    told = SlotColours.of(looks[0], truths[teacher]).tell(looks[1])
    answered, right, _ = judged(told, truths[asked])
    assert answered >= 77
    assert right >= 93
