"""The wizard's steps: what is known is not asked, what is skipped stays skipped, and both survive."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.wizard_steps import (
    FILE,
    RIG,
    Known,
    Progress,
    Standing,
    Step,
    keep_progress,
    kept_progress,
)


def walked(known: Known) -> list[Step]:
    """Return the steps that somebody is led through who skips each."""
    progress, steps = Progress(), []
    step = progress.next_after(None, known)
    while step is not None:
        steps.append(step)
        progress = progress.skip(step)
        step = progress.next_after(step, known)
    return steps


def test_with_nothing_known_every_step_is_asked_once_in_its_order():
    assert walked(Known()) == list(Step)


def test_what_is_known_is_not_asked():
    known = Known(is_language_settled=True, cameras=("lamp",), rotors=("centre",))
    assert walked(known) == [Step.BOARDS, Step.DIE, Step.PLAYERS]


@pytest.mark.parametrize(
    ("known", "is_settled"),
    [
        (Known(box="ours"), False),
        (Known(box="ours", is_box_taught=True), True),
        (Known(box="ours", is_box_taught=True, cameras=("lamp",)), False),
        (Known(box="ours", is_box_taught=True, cameras=("lamp",), is_set_up=True), True),
    ],
    ids=["not-taught", "by-photo", "not-set-up", "set-up"],
)
def test_boards_are_done_when_what_there_is_can_read_them(known: Known, is_settled: bool):
    assert known.settles(Step.BOARDS) is is_settled


def test_a_step_that_was_jumped_over_is_come_back_to():
    assert Progress().next_after(Step.ROTOR, Known(has_begun=True)) is Step.LANGUAGE
    assert Progress().skip(Step.LANGUAGE).next_after(Step.DIE, Known()) is Step.ROTOR


def test_what_was_skipped_and_is_known_by_now_is_done():
    progress = Progress().skip(*RIG)
    assert progress.standing(Step.DIE, Known()) is Standing.SKIPPED
    assert progress.standing(Step.DIE, Known(dice=("die",))) is Standing.DONE


def test_progress_is_kept_and_a_spoilt_file_only_means_beginning_again(tmp_path: Path):
    assert kept_progress(tmp_path) == Progress()
    progress = Progress().skip(Step.CAMERA, Step.ROTOR).close()
    keep_progress(tmp_path, progress)
    assert kept_progress(tmp_path) == progress
    for spoilt in ("{", "[]", '{"format": 9}', '{"format": 1, "skipped": 5, "is_closed": "yes"}'):
        (tmp_path / FILE).write_text(spoilt)
        assert kept_progress(tmp_path) == Progress()
