"""Where around a board an order may lie, on a small table of one colour."""

from __future__ import annotations

import cv2
import numpy as np

from vision.light import Colours
from vision.matching import Templates
from vision.spots import SEEK_MM, find_spots

SIDE = 8
TABLE, ORDER, CARD = (60.0, 8.0, 12.0), (180.0, 90.0, 60.0), (300.0, -40.0, 150.0)


def rings() -> Templates:
    disc = np.zeros((SIDE, SIDE), np.float32)
    cv2.circle(disc, (SIDE // 2, SIDE // 2), 3, 1.0, -1)
    return Templates.of([np.full((SIDE, SIDE, 3), ORDER, np.float32)], [disc])


def table(*, card: bool = False, orders: tuple[tuple[int, int], ...] = ()) -> Colours:
    picture = np.full((60, 80, 3), TABLE, np.float32)
    if card:
        cv2.rectangle(picture, (50, 20), (66, 44), CARD, -1)
    for middle in orders:
        cv2.circle(picture, middle, 4, ORDER, -1)
    return picture


def spots(picture: Colours) -> list[tuple[float, float]]:
    free = np.ones(picture.shape[:2], np.float32)
    return [found.spot for found in find_spots(picture, free, rings())]


def is_at(spot: tuple[float, float], middle: tuple[int, int]) -> bool:
    return bool(np.abs(np.array(spot) / SEEK_MM - 0.5 - middle).max() <= 2)


def test_bare_table_promises_nothing():
    assert spots(table()) == []


def test_an_order_is_found_at_its_middle():
    assert is_at(spots(table(orders=((20, 30),)))[0], (20, 30))


def test_cards_beside_the_board_crowd_no_order_out():
    assert is_at(spots(table(card=True, orders=((20, 30),)))[0], (20, 30))


def test_an_order_beside_another_is_found_too():
    first, second = spots(table(orders=((20, 30), (29, 30))))[:2]
    assert {is_at(first, (20, 30)), is_at(second, (20, 30))} == {True, False}
    assert is_at(first, (29, 30)) or is_at(second, (29, 30))
