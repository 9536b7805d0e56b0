"""What is a change from one steady reading to the next, and what is not."""

from __future__ import annotations

from collections.abc import Mapping

from companion.board import BoardId, PieceKind, Place, SpaceId
from companion.ports import HIDDEN, UNKNOWN, BoardReading, Reading, SpaceReading
from vision.changes import QUARTER, Change, Known, compare, quarters

LAB = BoardId("lab_red")
SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
INNER = ((20.0, 20.0), (80.0, 20.0), (80.0, 80.0), (20.0, 80.0))


def reading(spaces: Mapping[str, str | SpaceReading], markers: Mapping[str, int] | None = None) -> Reading:
    """Plain names are sure readings."""
    seen = {
        SpaceId(space): answer
        if isinstance(answer, SpaceReading)
        else SpaceReading(PieceKind(answer), 0.95, sure=answer not in (HIDDEN, UNKNOWN))
        for space, answer in spaces.items()
    }
    return Reading("camera", 0, 0, {LAB: BoardReading(LAB, "tags", SQUARE, 0.0, seen, markers or {})})


def changes(*readings: Reading) -> list[tuple[str, str | int, str | int, bool]]:
    """What is printed while readings come one after another."""
    known, printed = Known(), []
    for each in readings:
        known, found = compare(known, each)
        printed += [(c.place.space, c.was, c.reads, c.sure) for c in found]
    return printed


def unsure(reads: str, *others: str) -> SpaceReading:
    return SpaceReading(PieceKind(reads), 0.5, sure=False, others=tuple(PieceKind(o) for o in others))


def test_the_first_reading_is_the_state_it_begins_with():
    assert changes(reading({"reject1": "rot", "reject2": "empty"}, {"red": 12})) == []


def test_a_laid_token_is_one_change():
    before, after = reading({"reject1": "empty"}), reading({"reject1": "rot"})
    assert changes(before, after, after) == [("reject1", "empty", "rot", True)]


def test_a_space_under_a_hand_has_not_changed_and_neither_has_it_when_it_is_bare_again():
    bare, covered = reading({"reject1": "rot"}), reading({"reject1": HIDDEN})
    assert changes(bare, covered, bare) == []


def test_a_token_laid_under_a_hand_changed_from_what_was_there_before_the_hand():
    assert changes(
        reading({"reject1": "empty"}), reading({"reject1": HIDDEN}), reading({"reject1": "rot"})
    ) == [("reject1", "empty", "rot", True)]


def test_a_claim_that_is_withdrawn_is_told_once_and_its_return_is_no_change():
    sure, doubt = reading({"reject1": "rot"}), reading({"reject1": unsure(UNKNOWN, "rot", "limb")})
    assert changes(sure, doubt, doubt, sure) == [("reject1", "rot", UNKNOWN, False)]


def test_what_turns_out_to_be_as_it_was_guessed_is_no_change():
    guess = reading({"cart": unsure("teleporter", "empty")})
    assert changes(guess, reading({"cart": "teleporter"})) == []
    assert changes(guess, reading({"cart": "empty"})) == [("cart", UNKNOWN, "empty", True)]
    nothing_like_it = reading({"cart": unsure(UNKNOWN, "pile", "empty")})
    assert changes(nothing_like_it, reading({"cart": "pile"})) == []


def test_the_empty_part_spaces_of_a_new_card_are_no_changes_of_their_own():
    before = reading({"card1": "empty"})
    after = reading({"card1": "card_22", "card1.part0": "empty", "card1.part1": "limb"})
    assert changes(before, after) == [
        ("card1", "empty", "card_22", True),
        ("card1.part1", "empty", "limb", True),
    ]


def test_parts_of_a_card_that_was_taken_begin_empty_on_the_next_one():
    first = reading({"card1": "card_22", "card1.part0": "limb"})
    second = reading({"card1": "card_38", "card1.part0": "empty"})
    assert changes(first, reading({"card1": "empty"}), second)[-1] == ("card1", "empty", "card_38", True)


def test_a_marker_changes_from_step_to_step():
    assert changes(reading({}, {"blue": 38}), reading({}, {"blue": 44})) == [("marker_blue", 38, 44, True)]


def disc(rotation_deg: float, mat_deg: float = 2.3) -> Reading:
    boards = {
        BoardId("mat"): BoardReading(BoardId("mat"), "tags", SQUARE, mat_deg, {}),
        BoardId("central"): BoardReading(BoardId("central"), "tags", INNER, rotation_deg, {}),
    }
    return Reading("camera", 0, 0, boards)


def test_a_disc_on_its_mat_reads_its_quarter_clockwise():
    angles = (3.9, 91.4, 178.6, 274.0, 359.0)
    seen = [quarters(disc(angle).boards)[BoardId("central")] for angle in angles]
    assert seen == [0, 1, 2, 3, 0]


def test_a_disc_between_two_quarters_is_being_turned_and_reads_none():
    assert quarters(disc(40.3).boards) == {}
    assert changes(disc(3.9), disc(40.3), disc(91.4)) == [(QUARTER, 0, 1, True)]


def test_a_board_beside_another_one_has_no_quarter():
    beside = tuple((x + 200, y) for x, y in INNER)
    boards = disc(0.0).boards | {
        BoardId("central"): BoardReading(BoardId("central"), "tags", beside, 0.0, {})
    }
    assert quarters(boards) == {}


def test_a_change_names_its_place():
    _, (change,) = compare(compare(Known(), reading({"a": "empty"}))[0], reading({"a": "rot"}))
    assert change == Change(Place(LAB, SpaceId("a")), "empty", "rot", sure=True)
