"""Which die of a set it is: taught by throws, refused where it is not clear."""

from __future__ import annotations

import numpy as np
import pytest

from companion.ports import Obstacle
from vision.dice_colours import DiceSet, load_set, save_set


def throws(*body: float, count: int = 4, pips: tuple[float, float, float] = (95.0, 0.0, 0.0)) -> np.ndarray:
    chance = np.random.default_rng(int(abs(sum(body))) + 1)
    return np.array([[*body, *pips]] * count) + chance.normal(0, 1.5, (count, 6))


SET = DiceSet({"terror": throws(40, 60, 40), "science": throws(35, 10, -50), "health": throws(50, -50, 30)})


def test_a_die_is_the_kind_that_its_throws_looked_like():
    told = SET.tell(throws(42, 58, 41)[0])
    assert (told.kind, told.obstacle) == ("terror", None)


def test_a_dimmer_lamp_changes_lightness_and_no_kind():
    assert SET.tell(throws(28, 56, 37)[0]).kind == "terror"


def test_a_die_of_another_set_is_none_of_them():
    assert SET.tell(throws(80, 0, 0, pips=(10, 0, 0))[0]).obstacle is Obstacle.NOT_TAUGHT


def test_between_two_kinds_there_is_no_guess():
    near = DiceSet({"rust": throws(45, 40, 34), "brick": throws(45, 34, 28)})
    assert near.tell(throws(45, 37, 31)[0]).obstacle is Obstacle.ODD_COLOURS
    assert near.alike() == [("brick", "rust")]
    assert SET.alike() == []


def test_a_set_survives_the_disk(tmp_path):
    save_set(tmp_path / "dice/lab.json", SET)
    kept = load_set(tmp_path / "dice/lab.json")
    assert list(kept.kinds) == list(SET.kinds)
    assert np.allclose(kept.kinds["science"], SET.kinds["science"], atol=0.01)


@pytest.mark.parametrize("written", ["", "{}", '{"format": 9, "kinds": {}}', '{"format": 1, "kinds": {}}'])
def test_a_file_that_holds_no_set_is_refused_in_plain_words(tmp_path, written):
    (tmp_path / "lab.json").write_text(written)
    with pytest.raises(ValueError, match=r"companion dice teach|teach it again"):
        load_set(tmp_path / "lab.json")
    with pytest.raises(ValueError, match="There is no dice set"):
        load_set(tmp_path / "none.json")
