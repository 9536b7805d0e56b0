"""The judge of dice counts what a person would count, and looks at no name."""

from __future__ import annotations

import cv2
import numpy as np

from tests.bench.dice import Answer, blob_recipe, judge, shuffled

TRUTH = {
    "a.jpg": {
        "dice": [
            {"value": 3, "center": [100, 100], "box": [80, 80, 40, 40]},
            {"value": 5, "center": [200, 100], "box": [180, 80, 40, 40]},
        ],
        "ignore_regions": [{"box": [300, 300, 50, 50]}],
    },
    "b.jpg": {"dice": []},
}


def told(*answers: Answer) -> dict:
    return {"a.jpg": (answers, 0.5), "b.jpg": ((), 0.1)}


def test_right_answers_refusals_and_what_is_to_be_ignored_are_no_mistakes():
    answers = told(Answer(3, (103, 98)), Answer(None, (200, 100)), Answer(6, (320, 320)))
    tally = judge(list(TRUTH), TRUTH, answers)
    assert (tally.right, tally.wrong, tally.strays, tally.dice) == (1, 0, 0, 2)
    assert (tally.answered, tally.wrongly, tally.whole, tally.photos) == (50.0, 0.0, 1, 2)


def test_a_wrong_value_and_a_die_where_none_lies_are_mistakes():
    tally = judge(
        list(TRUTH), TRUTH, told(Answer(4, (100, 100)), Answer(5, (200, 100)), Answer(5, (205, 102)))
    )
    assert (tally.right, tally.wrong, tally.strays) == (1, 1, 1)


def test_copies_carry_no_name(tmp_path):
    for name in TRUTH:
        (tmp_path / name).write_bytes(name.encode())
    copies = shuffled(tmp_path, sorted(TRUTH), tmp_path / "copies")
    assert sorted(copies.values()) == sorted(TRUTH)
    assert all(copy.read_bytes().decode() == name and name not in str(copy) for copy, name in copies.items())


def test_the_recipe_reads_what_it_was_made_for():
    picture = np.full((200, 200, 3), 235, np.uint8)
    for x, y in ((80, 80), (100, 100), (120, 120)):
        cv2.circle(picture, (x, y), 7, (20, 20, 20), -1, cv2.LINE_AA)
    assert [answer.value for answer in blob_recipe(picture)] == [3]
