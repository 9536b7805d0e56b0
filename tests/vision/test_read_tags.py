"""Boards are found by their corner tags, blurred, small or half hidden."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout, Tag
from companion.ports import Pixels
from vision.find_boards import find_by_tags
from vision.find_tags import (
    CELL_PX,
    SIDE_PX,
    TagPatterns,
    as_grey,
    lay_tag,
    look_again,
    see_tags,
    taken_by_others,
)
from vision.finder import other_tags

CENTRES = ((13.0, 13.0), (407.0, 13.0), (407.0, 287.0), (13.0, 287.0))
TAG_MM = 16.0


def layout(name: str = "lab_red", first: int = 0) -> BoardLayout:
    tags = tuple(Tag(first + i, centre) for i, centre in enumerate(CENTRES))
    return BoardLayout(BoardId(name), (420.0, 300.0), {}, tags)


PATTERNS = TagPatterns.of(range(4))


def plane(px_per_mm: float = 2.4) -> NDArray[np.float64]:
    """A board seen a little from the side, in a picture of 1280 x 960 px."""
    return np.array([[px_per_mm, 0.15, 120.0], [-0.1, px_per_mm, 130.0], [4e-5, 9e-5, 1.0]])


def picture(
    *,
    px_per_mm: float = 2.4,
    blur_px: float = 0.8,
    without: tuple[int, ...] = (),
    first: int = 0,
    quarters: int = 0,
) -> Pixels:
    """A grey board on a lighter table with its tags stuck on, turned by ``quarters`` in its place."""
    scale = 8
    sheet = np.full((300 * scale, 420 * scale), 90, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for i, (x, y) in enumerate(CENTRES):
        if i in without:
            continue
        side = int(TAG_MM * scale)
        cells = cv2.aruco.generateImageMarker(dictionary, first + (i - quarters) % 4, side)
        tag = np.pad(np.rot90(cells, -quarters), 2 * scale, constant_values=255)
        top, left = round(y * scale) - tag.shape[0] // 2, round(x * scale) - tag.shape[1] // 2
        sheet[top : top + tag.shape[0], left : left + tag.shape[1]] = tag
    shrink = np.array([[1 / scale, 0, 0], [0, 1 / scale, 0], [0, 0, 1]])
    sheet = cv2.GaussianBlur(sheet, (0, 0), 0.4 * scale / px_per_mm)  # type: ignore[assignment]
    table = np.full((960, 1280), 150, np.uint8)
    flat = cv2.warpPerspective(
        sheet, plane(px_per_mm) @ shrink, (1280, 960), dst=table, borderMode=cv2.BORDER_TRANSPARENT
    )
    noise = np.random.default_rng(3).normal(0, 2, flat.shape)
    soft = cv2.GaussianBlur(np.clip(flat + noise, 0, 255).astype(np.uint8), (0, 0), blur_px)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_GRAY2BGR), np.uint8)


def true_corners(px_per_mm: float = 2.4) -> NDArray[np.float64]:
    corners = np.array([[[0, 0], [420, 0], [420, 300], [0, 300]]], float)
    return np.asarray(cv2.perspectiveTransform(corners, plane(px_per_mm))[0], float)


def misses(pixels: Pixels, px_per_mm: float = 2.4) -> float:
    ((pose,), _) = find_by_tags(pixels, [layout()], PATTERNS, tag_mm=TAG_MM)
    return float(np.linalg.norm(np.array(pose.corners_px) - true_corners(px_per_mm), axis=1).max())


def test_a_board_is_found_within_a_pixel() -> None:
    assert misses(picture()) < 1.0


@pytest.mark.parametrize("blur_px", [2.0, 3.0])
def test_a_board_out_of_focus_is_found(blur_px: float) -> None:
    assert misses(picture(blur_px=blur_px)) < 1.0


def test_small_tags_are_found() -> None:
    assert misses(picture(px_per_mm=1.1), 1.1) < 1.0


def test_three_tags_are_enough() -> None:
    ((pose,), _) = find_by_tags(picture(without=(2,)), [layout()], PATTERNS, tag_mm=TAG_MM)
    assert pose.seen_tags == 3
    assert misses(picture(without=(2,))) < 6.0  # the fourth corner is a guess until the art tells


def test_one_tag_alone_is_no_board() -> None:
    assert find_by_tags(picture(without=(0, 1, 2)), [layout()], PATTERNS, tag_mm=TAG_MM)[0] == ()


def test_tags_of_another_box_are_no_board() -> None:
    assert find_by_tags(picture(first=200), [layout()], PATTERNS, tag_mm=TAG_MM)[0] == ()


def test_two_boards_with_the_same_tags_are_said_and_neither_is_placed() -> None:
    two = np.concatenate([picture(px_per_mm=1.6), picture(px_per_mm=1.6)], axis=1)
    poses, seen = find_by_tags(two, [layout()], PATTERNS, tag_mm=TAG_MM)
    assert poses == ()
    assert seen.doubled == {0, 1, 2, 3}


def test_a_dark_square_in_a_light_one_is_no_tag() -> None:
    square = np.full((480, 640), 120, np.uint8)
    cv2.rectangle(square, (200, 200), (260, 260), 230, -1)
    cv2.rectangle(square, (206, 206), (254, 254), 20, -1)
    assert see_tags(square, TagPatterns.of(range(54))).once == {}


def test_noise_shows_no_tags() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert see_tags(noise, PATTERNS).once == {}


def expected_tags() -> dict[int, NDArray[np.float64]]:
    """Return where the corners of each tag lie in the picture, by the true plane."""
    square = TAG_MM * np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    own = [(np.array(centre) + square).reshape(-1, 1, 2) for centre in CENTRES]
    return {i: cv2.perspectiveTransform(corners, plane()).reshape(4, 2) for i, corners in enumerate(own)}


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_board_turned_by_quarters_lays_other_tags_where_its_own_were(quarters: int) -> None:
    turned = picture(quarters=quarters)
    assert look_again(turned, expected_tags(), PATTERNS) == {}
    assert taken_by_others(turned, expected_tags(), PATTERNS)


def test_resting_or_hidden_tags_are_not_taken_for_others() -> None:
    assert not taken_by_others(picture(), expected_tags(), PATTERNS)
    assert not taken_by_others(picture(without=(0, 1, 2, 3)), expected_tags(), PATTERNS)


@pytest.mark.parametrize("number", range(4))
def test_a_tag_is_laid_in_the_same_place_from_some_pixels_off(number: int) -> None:
    arm = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    true = cv2.perspectiveTransform((np.array(CENTRES[number]) + TAG_MM * arm)[None], plane())[0]
    middles = []
    for off in ([0.0, 0.0], [1.0, -0.6], [-2.0, 1.5]):
        level, corners = lay_tag(as_grey(picture()), frame_on(true + off), PATTERNS, 4 * number)
        assert level > 0.8
        middles.append(corners.mean(0))
    assert np.abs(middles - middles[0]).max() < 0.05
    assert np.linalg.norm(middles[0] - true.mean(0)) < 0.3  # the sheet is drawn to 1/8 mm


def frame_on(square: NDArray[np.float64]) -> NDArray[np.float32]:
    """From the pixels of a pattern to the picture, where a tag's black square lies there."""
    low, high = CELL_PX - 0.5, SIDE_PX - CELL_PX - 0.5
    own = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(own, square.astype(np.float32)), np.float32)


def test_markers_of_another_family_are_told_from_a_table_without_any() -> None:
    table = np.full((720, 1280, 3), 150, np.uint8)
    assert not other_tags(table)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    for number in range(4):
        cells = cv2.aruco.generateImageMarker(family, number, 90)
        tag = cv2.copyMakeBorder(cells, 15, 15, 15, 15, cv2.BORDER_CONSTANT, value=(255,))
        left = 60 + 300 * number
        table[200:320, left : left + 120] = tag[..., None]
    assert other_tags(table)
    assert not other_tags(picture())
