"""The bench tells what was found, what was wanted, and which of it was missed."""

from __future__ import annotations

from pathlib import Path

from tests.bench.peers import Guess, best_level
from tests.bench.scenes import copied_alone
from tests.bench.table import Line, Section, as_markdown, at_least, at_most, in_short


def test_a_figure_meets_its_bar_or_misses_it():
    assert at_least("right", 99.8, 99.8, " %").is_met
    assert not at_least("right", 99.79, 99.8, " %").is_met
    assert at_most("wrong", 0, 0).is_met
    assert not at_most("wrong", 1, 0).is_met


def test_a_missed_bar_stands_out_and_is_named_at_the_end():
    section = Section("Eyes", "make bench", (at_most("wrong", 2, 0, digits=0), Line("pictures", "60")))
    assert "| wrong | 2 | at most 0 | **missed** |" in as_markdown(section)
    assert in_short([section]) == "0 of 1 bars are met. Missed: wrong."


def test_pictures_are_copied_alone_under_names_that_tell_nothing(tmp_path: Path):
    pictures = [tmp_path / f"A_{number:03}.jpg" for number in range(9)]
    for number, picture in enumerate(pictures):
        picture.write_bytes(bytes([number]))
        picture.with_suffix(".json").write_text("truth")
    names = copied_alone(pictures, tmp_path / "alone")
    assert sorted(path.name for path in (tmp_path / "alone").iterdir()) == sorted(names)
    assert all(path.suffix == ".jpg" for path in (tmp_path / "alone").iterdir())
    assert [names[name] for name in sorted(names)] != [picture.name for picture in pictures]
    for name, own in names.items():
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / own).read_bytes()


def test_the_level_that_favours_a_peer_admits_nothing_wrong():
    guesses = [
        (Guess("limb", 0.9, True), "limb"),
        (Guess("rot", 0.5, True), "goop"),
        (Guess("rot", 0.4, True), "rot"),
    ]
    assert best_level(guesses) == (0.5, 1 / 3)
