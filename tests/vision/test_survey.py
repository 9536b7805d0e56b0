"""What strains the eyes is said once, before reading suffers, and withdrawn when it is mended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board import BoardId, SpaceId
from companion.ports import HIDDEN, UNKNOWN, Obstacle, Pixels, SpaceReading, Strain
from tests.vision.drawn_tray import TRAY, box, table, tray, tray_art
from vision.box import ART_PX_PER_MM
from vision.light import Ground
from vision.pose import BoardPose, Lens
from vision.strain import Doubts, Glimpse, glimpse, strains
from vision.survey import EVERY_FRAMES, PATIENCE, SWINGS, Survey, doubts_of

GOOD = Glimpse(
    light=0.9, tint=0.1, burnt=0.0, mirrored=0.0, colour=0.9, cut_off=0.0, px_per_mm=2.0, blur_px=0.9
)
BEARING = {"dim": 0.2, "far": 0.8, "blurred": 1.8, "tinted": 0.9}
POSE = BoardPose(TRAY, np.diag([3.0, 3.0, 1.0]), Lens.of_picture(1280, 720), (300.0, 180.0))
SURE = SpaceReading("leaf", 0.99, sure=True)  # type: ignore[arg-type]
TIMES = PATIENCE * EVERY_FRAMES


class Evening:
    """A survey of some boards, each seen as ``seen`` says."""

    def __init__(self, boards: Iterable[str] = ("tray",)) -> None:
        self.seen = dict.fromkeys(map(BoardId, boards), GOOD)
        self.shown: Mapping[SpaceId, SpaceReading] = {SpaceId("spot1"): SURE}
        self.glimpses = 0
        self.survey = Survey(replace(box(), bearing=BEARING), self._glance)

    def _glance(self, pixels: Pixels, pose: BoardPose) -> Glimpse | None:
        self.glimpses += 1
        return self.seen[pose.board]

    def rest(self, frames: int = TIMES) -> list[tuple[Strain, str | None]]:
        poses = {board: replace(POSE, board=board) for board in self.seen}
        for _ in range(frames):
            self.survey.rest(np.zeros((4, 4, 3), np.uint8), poses, lambda _: self.shown)
        return [(caution.strain, caution.board) for caution in self.survey.cautions]


STRAINED = {
    Strain.DIM: {"light": 0.21},
    Strain.BURNT_OUT: {"burnt": 0.3, "mirrored": 0.3},
    Strain.GLARE: {"mirrored": 0.1},
    Strain.BLURRED: {"blur_px": 2.5},
    Strain.FAR: {"px_per_mm": 0.7},
    Strain.TINTED: {"tint": 1.0},
    Strain.GREY: {"colour": 0.0, "tint": 1.0},
    Strain.CUT_OFF: {"cut_off": 0.2},
}


@pytest.mark.parametrize("strain", STRAINED)
def test_each_strain_is_said_for_its_board(strain: Strain) -> None:
    evening = Evening()
    evening.seen[TRAY] = replace(GOOD, **STRAINED[strain])
    assert evening.rest() == [(strain, "tray")]


def test_a_good_view_is_warned_of_nothing() -> None:
    assert Evening().rest(10 * TIMES) == []


def test_a_passing_shade_is_not_said() -> None:
    evening = Evening()
    evening.seen[TRAY] = replace(GOOD, light=0.1)
    assert evening.rest(TIMES - EVERY_FRAMES) == []
    evening.seen[TRAY] = GOOD
    assert evening.rest() == []


def test_what_is_mended_is_withdrawn_after_some_patience() -> None:
    evening = Evening()
    evening.seen[TRAY] = replace(GOOD, light=0.1)
    evening.rest()
    evening.seen[TRAY] = GOOD
    assert evening.rest(TIMES - EVERY_FRAMES) == [(Strain.DIM, "tray")]
    assert evening.rest(EVERY_FRAMES) == []


def test_light_at_the_limit_is_said_once_and_does_not_come_and_go() -> None:
    evening = Evening()
    said = []
    for light in (0.24, 0.26) * 20:
        evening.seen[TRAY] = replace(GOOD, light=light)
        said.append(tuple(evening.rest(TIMES)))
    assert set(said) == {((Strain.DIM, "tray"),)}


def test_what_strains_most_boards_is_said_of_the_table() -> None:
    evening = Evening(("one", "two", "three"))
    for board in ("one", "two"):
        evening.seen[BoardId(board)] = replace(GOOD, px_per_mm=0.5)
    assert evening.rest() == [(Strain.FAR, None)]


def test_a_board_taken_away_takes_its_caution_along() -> None:
    evening = Evening(("one", "two", "three"))
    evening.seen[BoardId("one")] = replace(GOOD, light=0.1)
    assert evening.rest() == [(Strain.DIM, "one")]
    del evening.seen[BoardId("one")]
    assert evening.rest(EVERY_FRAMES) == []


def test_between_glimpses_nothing_is_looked_at() -> None:
    evening = Evening()
    evening.rest(EVERY_FRAMES * 5 - 1)
    assert evening.glimpses == 4


def test_light_that_goes_up_and_down_in_turn_flickers_and_dusk_does_not() -> None:
    evening, dusk = Evening(), Evening()
    for step in range(SWINGS + PATIENCE):
        evening.seen[TRAY] = replace(GOOD, light=0.9 + 0.06 * (-1) ** step)
        dusk.seen[TRAY] = replace(GOOD, light=0.9 * 0.93**step)
        flickered, darkened = evening.rest(EVERY_FRAMES), dusk.rest(EVERY_FRAMES)
    assert flickered == [(Strain.FLICKER, "tray")]
    assert darkened == []


def test_doubts_are_said_only_when_nothing_else_explains_them() -> None:
    doubts = Doubts(unsure=5, spaces=20)
    (alone,) = strains(GOOD, doubts, BEARING, said=(), token_mm=22)
    assert (alone.strain, alone.seen, alone.needed) == (Strain.UNSURE, 5, 20)
    dark = strains(replace(GOOD, light=0.1), doubts, BEARING, said=(), token_mm=22)
    assert [caution.strain for caution in dark] == [Strain.DIM]


def test_hidden_spaces_and_pieces_never_taught_are_no_doubts() -> None:
    hand = SpaceReading(HIDDEN, 0.0, sure=False, obstacle=Obstacle.COVERED)
    coin = SpaceReading(HIDDEN, 0.0, sure=False, obstacle=Obstacle.NOT_TAUGHT)
    coin = replace(coin, reads=SURE.reads)
    named = {SpaceId("sort1"): SURE, SpaceId("sort2"): hand, SpaceId("reject1"): coin}
    assert doubts_of(named) == Doubts(unsure=0, spaces=2)


def test_markers_that_share_a_step_are_no_doubts() -> None:
    marker = SpaceReading(UNKNOWN, 0.0, sure=False, obstacle=Obstacle.TWO_CANDIDATES)
    four = {SpaceId(f"marker_{seat}"): marker for seat in ("red", "blue", "green", "yellow")}
    assert doubts_of({SpaceId("rot_1"): SURE, **four}) == Doubts(unsure=0, spaces=1)
    assert doubts_of({SpaceId("rot_1"): SURE, SpaceId("rot_2"): marker}) == Doubts(unsure=1, spaces=2)


def test_the_sentence_about_distance_tells_pixels() -> None:
    (far,) = strains(replace(GOOD, px_per_mm=0.7), Doubts(0, 9), BEARING, said=(), token_mm=20)
    assert (far.seen, far.needed) == (14, 20)


# What a glimpse sees of a drawn tray


def seen_of(picture: Pixels, pose: BoardPose | None = None, *, art: Pixels | None = None) -> Glimpse:
    taught = tray_art({}, marker=9) if art is None else art
    scaled = cv2.resize(taught, None, fx=ART_PX_PER_MM / 3, fy=ART_PX_PER_MM / 3)
    ground = Ground.of(np.asarray(scaled, np.uint8), tray(), 20.0)
    plane = np.array([[3.0, 0, 190], [0, 3.0, 90], [0, 0, 1]])
    seen = glimpse(picture, pose or replace(POSE, plane=plane), tray(), ground, blur_px=None)
    assert seen is not None
    return seen


def test_a_glimpse_tells_how_dark_it_is_whatever_lies_there() -> None:
    laid = {"spot1": "leaf", "spot3": "plum", "card": "sun"}
    assert seen_of(table(laid)).light == pytest.approx(1.0, abs=0.05)
    assert seen_of((table(laid) * 0.3).astype(np.uint8)).light == pytest.approx(0.3, abs=0.05)


def test_a_glimpse_tells_coloured_light() -> None:
    warm = (table() * np.exp([-0.4, 0.0, 0.4])).clip(0, 255).astype(np.uint8)
    assert seen_of(warm).tint == pytest.approx(0.8, abs=0.08)


def test_a_glimpse_tells_a_camera_that_delivers_grey() -> None:
    art = tray_art({}, marker=9)
    ramp = np.linspace(-60, 60, art.shape[1])[None, :, None] * np.array([-1.0, 0.0, 1.0])
    coloured = (art + ramp).clip(0, 255).astype(np.uint8)  # blue at the left, red at the right
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    assert seen_of(coloured, POSE, art=coloured).colour == pytest.approx(1.0, abs=0.1)
    assert seen_of(grey, POSE, art=coloured).colour < 0.1
    assert seen_of(art, POSE, art=art).colour == 1.0  # a colourless board cannot tell


def test_a_glimpse_tells_a_lamp_that_mirrors_on_spaces_from_a_picture_burnt_out() -> None:
    mirrored, burnt = table(), (table() * 2.5).clip(0, 255).astype(np.uint8)
    for spot in (1, 2):
        cv2.circle(mirrored, (190 + 60 + 120 * spot, 90 + 150), 45, (255, 255, 255), -1)
    assert (seen_of(mirrored).mirrored >= 0.1, seen_of(mirrored).burnt < 0.1) == (True, True)
    assert seen_of(burnt).burnt > 0.5


def test_a_glimpse_tells_how_much_of_a_board_is_outside() -> None:
    plane = np.array([[3.0, 0, 1280 - 500], [0, 3.0, 90], [0, 0, 1]])
    assert 0 < seen_of(table(), replace(POSE, plane=plane)).cut_off < 0.5
