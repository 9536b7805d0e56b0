"""Dice on the spaces of a board: which kind, what looks up, on which space; steady before it is told."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board import BoardId, BoardLayout, Place, Space, SpaceId, SpaceKind
from companion.ports import DieReading, Obstacle
from hardware.simulated.art.dice import DieLook, LaidDie, draw_dice, standing
from hardware.simulated.lens import Lens
from vision.dice import DiceEyes
from vision.dice_colours import DiceSet, look_of
from vision.dice_on_boards import LyingDice, read_on_boards, region_around
from vision.pose import BoardPose
from vision.pose import Lens as SeenLens

BOARD = BoardId("row")
SIZE_MM = (160.0, 100.0)
LENS = Lens((640, 420), (80.0, 50.0), 3.0, height_mm=700.0, tilt_deg=6.0, k1=0.0)
LOOKS = {
    "skull": DieLook(body=(40.0, 40.0, 190.0), pip=(240.0, 240.0, 240.0)),
    "book": DieLook(body=(170.0, 90.0, 20.0), pip=(240.0, 240.0, 240.0)),
    "heart": DieLook(body=(60.0, 150.0, 40.0), pip=(240.0, 240.0, 240.0)),
}


def card_space(name: str, left: float) -> Space:
    outline = ((left, 10.0), (left + 63, 10.0), (left + 63, 98.0), (left, 98.0))
    return Space(SpaceId(name), SpaceKind.CARD, (left + 31.5, 54.0), outline, 0.0)


LAYOUT = BoardLayout(BOARD, SIZE_MM, {s.id: s for s in (card_space("one", 8), card_space("two", 88))}, ())


def picture_of(*dice: LaidDie) -> np.ndarray:
    picture = np.full((420, 640, 3), (64, 74, 84), np.uint8)
    for space in LAYOUT.spaces.values():
        outline = LENS.to_px(np.array(space.outline_mm)).round().astype(np.int32)
        cv2.fillConvexPoly(picture, outline, (190, 205, 215), cv2.LINE_AA)
        cv2.polylines(picture, [outline], True, (60, 60, 60), 2, cv2.LINE_AA)
    draw_dice(picture, LENS.above, dice)
    grain = np.random.default_rng(1).normal(0, 1.5, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def pose() -> BoardPose:
    corners = np.array([(0, 0), (SIZE_MM[0], 0), SIZE_MM, (0, SIZE_MM[1])], np.float32)
    seen = LENS.to_px(corners.astype(float)).astype(np.float32)
    plane = cv2.getPerspectiveTransform(corners, seen).astype(float)
    return BoardPose(BOARD, plane, SeenLens.of_picture(640, 420), SIZE_MM)


def die(kind: str, value: int, x: float, y: float, turn_deg: float = 20.0) -> LaidDie:
    return LaidDie(value, standing(x, y, 14), 14.0, turn_deg, look=LOOKS[kind])


@pytest.fixture(scope="module")
def eyes() -> DiceEyes:
    """Return eyes that were taught three kinds by two throws each."""
    plain = DiceEyes()
    looks = {}
    for kind in LOOKS:
        thrown = picture_of(die(kind, 3, 30, 30), die(kind, 5, 110, 60, 50))
        looks[kind] = np.array([look_of(seen.view, seen.lattice.corners) for seen in plain.see(thrown)])
    plain.dice_set = DiceSet(looks)
    return plain


def test_dice_on_cards_tell_kind_value_and_card(eyes):
    lying = picture_of(
        die("skull", 4, 25, 30),
        die("book", 2, 50, 30, 65),
        die("heart", 6, 38, 60, 5),
        die("skull", 1, 120, 50),
    )
    found = read_on_boards(lying, [pose()], {BOARD: LAYOUT}, eyes)
    told = sorted((str(d.place), d.kind, d.value, d.sure) for d in found)
    one, two = Place(BOARD, SpaceId("one")), Place(BOARD, SpaceId("two"))
    assert told == [
        (str(one), "book", 2, True),
        (str(one), "heart", 6, True),
        (str(one), "skull", 4, True),
        (str(two), "skull", 1, True),
    ]


CORNERS = ((10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0))
SEEN = DieReading(4, 0.99, True, (20.0, 20.0), CORNERS, kind="book", place=Place(BOARD, SpaceId("one")))


def test_dice_are_told_once_two_looks_agree():
    lying = LyingDice(has_set=True)
    lying.take_in((SEEN,))
    assert lying.is_due and not lying.has_news()
    lying.take_in((SEEN,))
    assert not lying.is_due and lying.has_news()
    lying.tell()
    assert not lying.has_news()
    lying.disturb()
    for _ in range(2):
        lying.take_in((replace(SEEN, value=5),))
    assert lying.has_news() and lying.dice[0].value == 5


def test_looks_that_never_agree_leave_a_die_open():
    lying = LyingDice(has_set=True)
    value = 1
    while lying.is_due:
        value = 7 - value
        lying.take_in((replace(SEEN, value=value),))
    assert not lying.dice[0].sure and lying.dice[0].obstacle is Obstacle.TWO_CANDIDATES


def test_a_box_without_taught_dice_looks_for_none():
    lying = LyingDice(has_set=False)
    lying.disturb()
    assert not lying.is_due


def test_where_nothing_changed_dice_are_not_looked_at_again(eyes):
    lying = picture_of(die("skull", 4, 25, 30), die("book", 2, 120, 50, 65))
    (left,) = read_on_boards(lying, [pose()], {BOARD: LAYOUT}, eyes, within=(0, 0, 300, 420))
    assert (left.kind, left.value) == ("skull", 4)


def test_a_die_elsewhere_stays_as_it_was_read():
    far = replace(SEEN, centre_px=(400.0, 300.0), value=6)
    lying = LyingDice(has_set=True)
    for _ in range(2):
        lying.take_in((SEEN, far))
    lying.disturb((0.0, 0.0, 50.0, 50.0))
    lying.disturb((10.0, 0.0, 60.0, 50.0))
    assert lying.within == (0.0, 0.0, 60.0, 50.0)
    for _ in range(2):
        lying.take_in((replace(SEEN, value=3),))
    assert [die.value for die in lying.dice] == [6, 3]
    lying.disturb((0.0, 0.0, 50.0, 50.0))
    lying.disturb()
    assert lying.within is None


def test_what_changed_in_the_small_picture_is_looked_at_with_room_for_a_die():
    mask = np.zeros((42, 64), bool)
    mask[10:12, 20:22] = True
    left, top, right, bottom = region_around(mask, (420, 640, 3), [pose()])
    assert left < 200 - 60 and top < 100 - 60 and right > 220 + 60 and bottom > 120 + 60
    assert right - left < 320
