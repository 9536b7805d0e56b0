"""A back whose grid is too fine to be seen is known by its colour, size and edge; nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.board import PieceKind
from companion.ports import Pixels
from vision.loose.deck import Deck
from vision.loose.find_cards import Found, LaidCard, Spot
from vision.loose.laid import Likeness, Scene, plane_of
from vision.loose.outlines import outlines_in
from vision.loose.plain_backs import plain_backs

TABLE, BLUE, RED = (96, 150, 184), (190, 110, 50), (60, 50, 200)
CARD_WH = (80, 112)
FACE_AT, BACK_AT = (60, 80), (300, 90)


def face() -> Pixels:
    card = np.full((210, 150, 3), 240, np.uint8)
    cv2.circle(card, (75, 105), 40, (40, 40, 200), -1)
    cv2.putText(card, "7", (12, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 3)
    return card


def back() -> Pixels:
    card = np.full((210, 150, 3), BLUE, np.uint8)
    card[::4], card[:, ::4] = (225, 190, 170), (225, 190, 170)
    return card


@pytest.fixture(scope="module")
def deck() -> Deck:
    return Deck.of({PieceKind("seven"): face(), PieceKind("back"): back()}, frozenset({PieceKind("back")}))


def corners_at(x: int, y: int) -> np.ndarray:
    width, height = CARD_WH
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], float)


def scene_with(colour: tuple[int, int, int], size_wh: tuple[int, int] = CARD_WH) -> Scene:
    """Draw a table with a face and a patch of one colour, out of focus."""
    table = np.full((300, 480, 3), TABLE, np.uint8)
    x, y = FACE_AT
    table[y : y + CARD_WH[1], x : x + CARD_WH[0]] = cv2.resize(face(), CARD_WH)
    x, y = BACK_AT
    table[y : y + size_wh[1], x : x + size_wh[0]] = colour
    noise = np.random.default_rng(2).normal(0, 3, table.shape)
    return Scene.of(np.clip(cv2.GaussianBlur(table, (0, 0), 1.5) + noise, 0, 255).astype(np.uint8))


def told(deck: Deck, scene: Scene, *, with_face: bool = True) -> list[tuple[str, float, float]]:
    found = Found(outlines=outlines_in(scene, deck))
    corners = corners_at(*FACE_AT)
    likeness = Likeness(0.9, 0.0, 0.5, 0.9, 1.0, 1.0, 1)
    if with_face:
        found.cards.append(LaidCard(0, plane_of(corners, deck), corners, Spot.of(corners), likeness, 0.95))
    return [(deck.kinds[one.card], one.spot.x, one.spot.y) for one in plain_backs(scene, deck, found)]


def test_a_back_out_of_focus_is_told_once_where_it_lies(deck: Deck) -> None:
    ((kind, x, y),) = told(deck, scene_with((200, 135, 85)))
    assert kind == "back"
    assert abs(x - 340) < 8 and abs(y - 146) < 10


def test_two_backs_one_upon_the_other_are_not_counted(deck: Deck) -> None:
    assert len(told(deck, scene_with((200, 135, 85), (CARD_WH[0], 150)))) <= 1


@pytest.mark.parametrize("colour", [RED, (240, 240, 240), TABLE])
def test_another_colour_is_no_back(deck: Deck, colour: tuple[int, int, int]) -> None:
    assert not told(deck, scene_with(colour))


def test_a_patch_of_another_size_is_no_back(deck: Deck) -> None:
    assert not told(deck, scene_with((200, 135, 85), (50, 70)))


def test_without_a_face_beside_it_nobody_knows_how_large_a_card_is(deck: Deck) -> None:
    assert not told(deck, scene_with((200, 135, 85)), with_face=False)
