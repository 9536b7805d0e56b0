"""Live eyes over a drawn tray: what is told, and when."""

from __future__ import annotations

import numpy as np

from companion.board import PieceKind, Place, SpaceId
from companion.ports import HIDDEN, UNKNOWN, Caution, DeviceState, LoosePiece, Obstacle, Strain
from tests.vision.drawn_tray import TRAY, Evening, px_of, reads, table
from vision.strain import Glimpse
from vision.survey import EVERY_FRAMES, PATIENCE

LAID = {"spot1": "leaf", "spot3": "plum", "card": "sun", "card.part1": "sea"}
SEEN = {
    "spot1": "leaf",
    "spot2": "empty",
    "spot3": "plum",
    "spot4": "empty",
    "card": "sun",
    "card.part0": "empty",
    "card.part1": "sea",
}


def test_the_first_settled_picture_gives_a_whole_steady_reading():
    told = Evening().show(table(LAID))
    assert len(told) == 1
    assert reads(told[0]) == SEEN
    assert all(r.sure for r in told[0].boards[TRAY].spaces.values())
    assert told[0].boards[TRAY].markers == {"red": 1}


def test_a_laid_token_is_told_once_with_its_picture_and_only_its_space_is_read_again():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    told = evening.show(table({**LAID, "spot2": "brick"}))
    assert [reads(reading) for reading in told] == [{**SEEN, "spot2": "brick"}]
    assert list(told[0].crops) == [Place(TRAY, SpaceId("spot2"))]
    assert evening.eyes.asked == [frozenset({"spot2"})] * 3


def test_while_nothing_changes_nothing_is_read_and_nothing_told():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    assert evening.show(table(LAID), frames=40) == []
    assert evening.eyes.asked == []


def test_a_token_on_a_part_of_a_card_does_not_look_like_another_card():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    (told,) = evening.show(table({**LAID, "card.part0": "leaf"}))
    assert reads(told) == {**SEEN, "card.part0": "leaf"}
    assert set().union(*evening.eyes.asked) == {"card.part0"}


def test_another_card_brings_its_own_parts():
    evening = Evening().begun(LAID)
    (told,) = evening.show(table({**LAID, "card": "sea", "card.part1": "leaf"}))
    assert reads(told) == {**{k: v for k, v in SEEN.items() if k != "card.part1"}, "card": "sea"}


def test_a_hand_hides_the_spaces_under_it_and_no_others():
    evening = Evening().begun(LAID)
    (hidden,) = evening.show(table(LAID, arm=px_of("spot2")))
    assert reads(hidden) == {**SEEN, "spot2": HIDDEN}
    assert hidden.crops == {}
    (bare,) = evening.show(table(LAID))
    assert reads(bare) == SEEN
    assert bare.crops == {}


def test_a_token_laid_by_a_hand_is_told_when_the_hand_has_left():
    evening = Evening().begun(LAID)
    laid = {**LAID, "spot2": "brick"}
    assert [reads(r)["spot2"] for r in evening.show(table(laid, arm=px_of("spot2")))] == [HIDDEN]
    (told,) = evening.show(table(laid))
    assert reads(told) == {**SEEN, "spot2": "brick"}


def test_a_hand_that_comes_before_three_looks_delays_the_news_and_spoils_nothing():
    evening = Evening().begun(LAID)
    laid = {**LAID, "spot2": "brick"}
    assert evening.show(table(laid), frames=5) == []  # settled, looked at twice
    told = evening.show(table(laid, arm=px_of("spot2"))) + evening.show(table(laid))
    assert {reads(r)["spot2"] for r in told} == {HIDDEN, "brick"}
    assert reads(told[-1]) == {**SEEN, "spot2": "brick"}


def test_a_bumped_camera_moves_no_pieces():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    told = evening.show(table(LAID, shift_px=(17.0, -9.0), turn_deg=2.0))
    assert evening.eyes.asked == []  # all of them look as before
    assert [reads(reading) for reading in told] == [SEEN]
    before, after = (reading.boards[TRAY].corners_px[0] for reading in (evening.first, told[0]))
    assert np.hypot(after[0] - before[0], after[1] - before[1]) > 10
    assert told[0].crops == {}


def test_a_token_laid_while_the_camera_was_bumped_is_told_after_more_looks():
    evening = Evening().begun(LAID)
    laid = {**LAID, "spot2": "brick"}
    told = evening.show(table(laid, shift_px=(14.0, 6.0), turn_deg=-1.5))
    assert reads(told[-1]) == {**SEEN, "spot2": "brick"}
    (more,) = evening.show(table({**laid, "spot4": "leaf"}, shift_px=(14.0, 6.0), turn_deg=-1.5))
    assert reads(more) == {**SEEN, "spot2": "brick", "spot4": "leaf"}


def test_a_board_turned_around_takes_its_pieces_along():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    told = evening.show(table({**LAID, "spot4": "leaf"}, turn_deg=180.0))
    assert [reads(reading) for reading in told] == [{**SEEN, "spot4": "leaf"}]
    assert set().union(*evening.eyes.asked) == {"spot4"}
    assert abs(told[0].boards[TRAY].rotation_deg - 180) < 1


def test_a_step_of_the_light_is_no_news():
    evening = Evening().begun(LAID)
    assert evening.show((table(LAID) * 0.75).astype(np.uint8)) == []


def test_a_marker_that_moves_is_told_with_its_new_step():
    evening = Evening().begun(LAID, marker=1)
    (told,) = evening.show(table(LAID, marker=4))
    assert told.boards[TRAY].markers == {"red": 4}
    assert reads(told) == SEEN


def test_a_board_that_was_taken_away_is_unknown_until_it_is_back():
    evening = Evening().begun(LAID)
    (gone,) = evening.show(table(has_tray=False))
    assert set(reads(gone).values()) == {UNKNOWN}
    assert gone.obstacle is Obstacle.BOARD_NOT_FOUND
    assert evening.watch.standing().state is DeviceState.SEARCHING
    back = evening.show(table(LAID), frames=16)
    assert reads(back[-1]) == SEEN
    assert evening.watch.standing().state is DeviceState.LIVE


def test_without_a_board_the_eyes_say_so_once():
    evening = Evening()
    (told,) = evening.show(table(has_tray=False), frames=20)
    assert (told.answer, told.obstacle) == ("unreadable", Obstacle.BOARD_NOT_FOUND)
    assert evening.watch.standing().detail == "no board found"


def test_in_the_dark_the_eyes_ask_for_a_lamp():
    evening = Evening()
    (told,) = evening.show((table(LAID) * 0.03).astype(np.uint8))
    assert told.obstacle is Obstacle.TOO_DARK
    assert evening.watch.standing().state is DeviceState.FAULT


def test_the_eyes_say_when_they_have_read_all_that_changed():
    evening = Evening().begun(LAID)
    said = []
    for _ in range(16):
        evening.show(table({**LAID, "spot4": "leaf"}), frames=1)
        said.append(evening.watch.standing().detail)
    assert list(dict.fromkeys(said))[-2:] == ["looking", "settled"]


def test_looks_that_contradict_each_other_end_as_unknown_with_both_answers():
    evening = Evening().begun(LAID)
    leaf, plum = PieceKind("leaf"), PieceKind("plum")
    evening.eyes.misreadings = [{"spot2": kind} for kind in (leaf, plum, leaf, plum, leaf, plum)]
    (told,) = evening.show(table({**LAID, "spot2": "brick"}))
    doubted = told.boards[TRAY].spaces[SpaceId("spot2")]
    assert (doubted.reads, doubted.sure) == (UNKNOWN, False)
    assert Place(TRAY, SpaceId("spot2")) in told.crops


def test_one_wrong_look_among_right_ones_is_not_told():
    evening = Evening().begun(LAID)
    evening.eyes.misreadings = [{}, {"spot2": PieceKind("leaf")}]
    (told,) = evening.show(table({**LAID, "spot2": "brick"}))
    assert reads(told) == {**SEEN, "spot2": "brick"}


def order(near_space: str, reads: str = "order_back", *, sure: bool = True) -> LoosePiece:
    x, y = px_of(near_space)
    return LoosePiece(PieceKind(reads), (x + 40.0, y + 10.0), 0.0, 0.99, sure=sure, near=TRAY)


def test_no_crop_shows_an_order_token():
    evening = Evening()
    evening.eyes.loose = (order("spot2"),)
    evening.begun(LAID)
    (told,) = evening.show(table({**LAID, "spot2": "brick", "card": "sea", "card.part1": ""}))
    assert reads(told)["spot2"] == "brick"
    assert [place.space for place in told.crops] == ["card"]


def test_an_order_that_is_turned_over_beside_the_board_is_told_and_one_that_rests_is_not():
    evening = Evening()
    evening.eyes.loose = (order("spot2"),)
    evening.begun(LAID)
    assert [piece.reads for piece in evening.first.loose] == ["order_back"]
    assert evening.show(table({**LAID, "spot4": "leaf"}))[0].loose == evening.first.loose
    evening.eyes.loose = (order("spot2", "order_red"),)
    (told,) = evening.show(table({**LAID, "spot4": "leaf"}, token_px=(100, 600)))
    assert [(piece.reads, piece.sure) for piece in told.loose] == [("order_red", True)]
    assert told.crops == {}


def test_what_strains_the_eyes_stands_beside_how_they_are_and_is_no_reading():
    evening = Evening().begun(LAID)
    assert evening.watch.standing().cautions == ()
    evening.eyes.seen = Glimpse(
        light=1.0, tint=0.0, burnt=0.0, mirrored=0.2, colour=1.0, cut_off=0.0, px_per_mm=3.0
    )
    assert evening.show(table(LAID), frames=EVERY_FRAMES * PATIENCE) == []
    standing = evening.watch.standing()
    assert (standing.state, standing.detail) == (DeviceState.LIVE, "settled")
    assert standing.cautions == (Caution(Strain.GLARE, TRAY),)
    assert evening.show(table(LAID, arm=px_of("spot2")), frames=EVERY_FRAMES)[0].boards  # a hand is no lamp
    assert evening.watch.standing().cautions == standing.cautions
