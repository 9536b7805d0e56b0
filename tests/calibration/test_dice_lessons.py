"""The nets that read dice learn from composed pictures, and by the true slope of their error."""

from __future__ import annotations

import numpy as np

from calibration.dice_lessons import BATCH, Lesson, finder_views, reader_views, teach, untaught
from calibration.dice_scenes import CLASSES, compose
from vision.dice_net import load_nets, save_nets
from vision.dice_views import READER_PX

SMALL = ((3, 8, True), (3, 8, False), (2, 2, False))


def test_the_same_seed_composes_the_same_picture():
    one, other = (compose(np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(one.pixels, other.pixels)
    assert [die.label for die in one.dice] == [die.label for die in other.dice]


def test_views_show_faces_and_what_is_none():
    chance = np.random.default_rng(2)
    scenes = [compose(chance) for _ in range(4)]
    read = [pair for scene in scenes for pair in reader_views(scene, chance)]
    found = [pair for scene in scenes for pair in finder_views(scene, chance)]
    assert {view.shape for view, _ in read} == {(READER_PX, READER_PX, 3)}
    assert {answer for _, answer in read} <= set(range(CLASSES))
    assert {answer for _, answer in found} == {0, 1}


def test_a_small_net_learns_what_tells_two_kinds_of_views_apart():
    chance = np.random.default_rng(1)
    answers = chance.integers(0, 2, 8 * BATCH)
    views = chance.normal(0, 1, (len(answers), 10, 10, 3)).astype(np.float32)
    views[answers == 1, 3:7, 3:7] += 3.0
    said: list[str] = []
    net = teach(
        untaught(SMALL, 1), Lesson(views, answers), lambda x: x.astype(np.float32),
        rounds=12, seed=1, told=said.append,
    )  # fmt: skip
    assert len(said) == 12
    told = net.chances(views)[:, 0, 0].argmax(1)
    assert (told == answers).mean() > 0.95


def test_a_whole_picture_is_looked_at_as_its_windows_are():
    net = untaught(((3, 4, True), (3, 5, True), (2, 3, False)), 3)
    picture = np.random.default_rng(0).normal(0, 1, (1, 30, 34, 3)).astype(np.float32)
    whole = net.scores(picture)
    side = 14
    for row, column in ((0, 0), (2, 3), (3, 4)):
        window = picture[:, row * 4 : row * 4 + side, column * 4 : column * 4 + side]
        assert np.allclose(net.scores(window)[0, 0, 0], whole[0, row, column], atol=1e-4)


def test_weights_survive_the_disk(tmp_path):
    net = untaught(SMALL, 7)
    save_nets(tmp_path / "nets.npz", {"small": net})
    kept = load_nets(tmp_path / "nets.npz")["small"]
    views = np.random.default_rng(0).normal(0, 1, (3, 10, 10, 3)).astype(np.float32)
    assert np.allclose(net.scores(views), kept.scores(views), atol=0.05)
