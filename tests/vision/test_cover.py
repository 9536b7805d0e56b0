"""What an arm covers is followed over the spaces, and what shows beside it is read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.confidence import flat_pose
from companion.board import EMPTY, BoardId, PieceKind, Space, SpaceId
from companion.ports import Pixels, SpaceReading
from vision.box import ART_PX_PER_MM, TaughtBox, load_box
from vision.judge import judge_board
from vision.sight import BoardSight, sight_of
from vision.spaces import look_at_spaces
from vision.wardrobe import Wardrobe

pytestmark = pytest.mark.eyes
LAB, CARD = BoardId("lab_red"), SpaceId("card4")
SKIN = (120, 150, 205)


@pytest.fixture(scope="module")
def wardrobe(home: Path) -> Wardrobe:
    return Wardrobe(load_box(home / "boxes/A"))


def space_of(box: TaughtBox) -> Space:
    return box.layouts[LAB].spaces[CARD]


def board_with(box: TaughtBox, art: Pixels) -> Pixels:
    """Return a lab board with a card on one space."""
    flat = box.boards[LAB].copy()
    (x, y), (height, width) = space_of(box).centre_mm, art.shape[:2]
    left, top = round(x * ART_PX_PER_MM - width / 2), round(y * ART_PX_PER_MM - height / 2)
    flat[top : top + height, left : left + width] = art
    return flat


def under_arm(box: TaughtBox, flat: Pixels, *, share: float) -> Pixels:
    """Lay an arm along the right side of the space, over a share of it."""
    outline = np.array(space_of(box).outline_mm) * ART_PX_PER_MM
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    edge = right - share * (right - left)
    arm = np.zeros(flat.shape[:2], np.uint8)
    corners = [(edge, top - 90), (edge + 110, top - 90), (edge + 110, bottom + 200), (edge, bottom + 200)]
    cv2.fillConvexPoly(arm, np.rint(corners).astype(np.int32), 1)
    shaded = np.clip(np.array(SKIN) + np.linspace(-12, 12, flat.shape[0])[:, None, None], 0, 255)
    return np.where(arm[..., None] > 0, shaded, flat).astype(np.uint8)


def seen(wardrobe: Wardrobe, flat: Pixels) -> BoardSight:
    pose = flat_pose(wardrobe.box.layouts[LAB])
    sight = sight_of(cv2.GaussianBlur(flat, (0, 0), 0.6), np.ones(flat.shape[:2], bool), pose, wardrobe)
    assert sight is not None
    return sight


def read(wardrobe: Wardrobe, flat: Pixels) -> SpaceReading:
    sight = seen(wardrobe, flat)
    return judge_board(look_at_spaces(sight, wardrobe), sight, wardrobe.box)[CARD]


def some_card(box: TaughtBox) -> PieceKind:
    return next(kind for kind in box.cards if kind not in set(box.printed.values()))


def test_an_arm_is_followed_over_the_space_that_it_covers_and_no_further(wardrobe: Wardrobe) -> None:
    box = wardrobe.box
    cells = seen(wardrobe, under_arm(box, board_with(box, box.cards[some_card(box)].art), share=0.4)).covered
    assert cells is not None
    x, y = (round(v / 4) for v in space_of(box).centre_mm)
    assert cells[y, x + 5] and not cells[y, x - 5]


def test_on_a_board_without_an_arm_nothing_is_covered(wardrobe: Wardrobe) -> None:
    box = wardrobe.box
    assert seen(wardrobe, board_with(box, box.cards[some_card(box)].art)).covered is None


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_a_card_is_read_by_what_shows_of_it_beside_an_arm(wardrobe: Wardrobe, share: float) -> None:
    box, kind = wardrobe.box, some_card(wardrobe.box)
    reading = read(wardrobe, under_arm(box, board_with(box, box.cards[kind].art), share=share))
    assert (reading.reads, reading.sure) == (kind, True)


def test_an_empty_space_is_read_as_empty_beside_an_arm(wardrobe: Wardrobe) -> None:
    box = wardrobe.box
    reading = read(wardrobe, under_arm(box, box.boards[LAB].copy(), share=0.4))
    assert (reading.reads, reading.sure) == (EMPTY, True)


def test_a_strange_card_beside_an_arm_is_not_taken_for_a_known_one(wardrobe: Wardrobe) -> None:
    box = wardrobe.box
    strange = np.ascontiguousarray(box.cards[some_card(box)].art[:, ::-1, ::-1])
    assert not read(wardrobe, under_arm(box, board_with(box, strange), share=0.4)).sure
