"""A die that is handled rolls nothing, a thrown one rolls what lies up; the bench asks more often."""

import json

import pytest
from click.testing import CliRunner

from companion.cli import main
from hardware.bench_die import rolls_told
from hardware.simulated.die_motion import HANDLED, handled, thrown


@pytest.mark.parametrize("kind", HANDLED)
def test_a_die_in_a_hand_or_on_a_table_that_is_hit_rolls_nothing(kind):
    assert [rolls_told(handled(kind, number)) for number in range(8)] == [()] * 8


def test_a_thrown_die_rolls_the_face_that_lies_up():
    scenes = [thrown(number) for number in range(25)]
    assert [rolls_told(scene) for scene in scenes] == [scene.thrown for scene in scenes]


def test_throws_one_after_the_other_are_as_many_rolls():
    scene = thrown("three", throws=3)
    assert rolls_told(scene) == scene.thrown


def test_18_a_cocked_die_counts_nothing():
    assert [rolls_told(thrown(number, is_cocked=True)) for number in range(6)] == [()] * 6


def test_the_same_seed_is_the_same_scene_and_rest_weighs_one_g():
    assert thrown(1) == thrown(1) != thrown(2)
    x, y, z = thrown(1).felt[-1].force_g
    assert 0.95 < (x * x + y * y + z * z) ** 0.5 < 1.05


def test_the_bench_prints_each_kind_of_scene():
    done = CliRunner().invoke(main, ["bench", "die", "--scenes", "1", "--json"])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["scenes"] for row in rows] == [*HANDLED, "thrown", "cocked"]
    assert all(row["right"] == row["count"] == 1 for row in rows)
