"""What pages choose fills in what stands by hand, and never touches it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.chosen import FILE_NAME, add_device, take_device_out, written
from companion.settings import (
    Settings,
    SettingsUnreadable,
    SettingsWrong,
    choose,
    is_by_hand,
    is_said,
    load,
    parse,
)

BY_HAND = """
# Mine.
[web]
port = 8123   # the other one is taken

[[cameras]]
name = "ceiling"
driver = "mjpeg"
url = "http://127.0.0.1:9/stream"
"""
LAMP = {"name": "lamp", "driver": "usb", "place": "on the lamp", "device": "/dev/v4l/by-id/usb-A"}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    (tmp_path / "companion.toml").write_text(BY_HAND)
    return load()


def names(settings: Settings) -> list[str]:
    return [camera.name for camera in settings.cameras]


def test_what_is_chosen_is_in_force_at_once_and_after_a_restart(settings: Settings, tmp_path: Path):
    after = choose(settings, lambda tree: add_device(tree, "cameras", LAMP))
    assert names(after) == ["ceiling", "lamp"]
    assert (after.cameras[1].place, after.cameras[1].options) == ("on the lamp", {"device": LAMP["device"]})
    assert load() == after
    assert (tmp_path / "companion.toml").read_text() == BY_HAND


def test_what_stands_by_hand_counts_more(settings: Settings):
    def change(tree: dict[str, Any]) -> None:
        tree["web"] = {"port": 9000, "language": "de"}

    after = choose(settings, change)
    assert (after.web.port, after.web.language) == (8123, "de")
    assert is_said(after, "web", "port") and is_said(after, "web", "language")
    assert not is_said(after, "table", "game")


def test_a_device_that_stands_by_hand_is_left_out_and_taken_in_again(settings: Settings):
    assert is_by_hand(settings, "cameras", "ceiling")
    without = choose(settings, lambda tree: take_device_out(tree, "cameras", "ceiling", is_by_hand=True))
    assert names(without) == names(load()) == []
    another = dict(LAMP, name="ceiling")
    again = choose(without, lambda tree: add_device(tree, "cameras", another))
    assert names(again) == ["ceiling"]
    assert again.cameras[0].driver == "mjpeg"  # its name is no longer left out, and by hand counts more


def test_a_chosen_device_that_is_taken_out_is_forgotten(settings: Settings, tmp_path: Path):
    choose(settings, lambda tree: add_device(tree, "cameras", LAMP))
    without = choose(settings, lambda tree: take_device_out(tree, "cameras", "lamp", is_by_hand=False))
    assert names(without) == ["ceiling"]
    assert "lamp" not in (tmp_path / FILE_NAME).read_text()


def test_a_choice_that_makes_no_sense_is_refused_and_what_was_chosen_stays(settings: Settings):
    before = choose(settings, lambda tree: add_device(tree, "cameras", LAMP))
    with pytest.raises(SettingsWrong):
        choose(settings, lambda tree: add_device(tree, "cameras", {"name": "x", "driver": ""}))
    with pytest.raises(SettingsWrong):
        choose(settings, lambda tree: tree.update(table={"trust": "blindly"}))
    assert load() == before


def test_a_file_of_choices_that_was_spoilt_is_named(settings: Settings, tmp_path: Path):
    (tmp_path / FILE_NAME).write_text("[[cameras]\n")
    with pytest.raises(SettingsUnreadable, match=FILE_NAME):
        load()


TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
VALUES = st.one_of(TEXTS, st.integers(-(2**60), 2**60), st.booleans(), st.lists(TEXTS, max_size=3))


@given(options=st.dictionaries(TEXTS.filter(lambda key: key not in ("name", "driver", "place")), VALUES))
def test_whatever_a_driver_takes_is_read_as_it_was_written(options: dict[str, Any]):
    text = written({"dice": [{"name": "die", "driver": "any", **options}]})
    (die,) = parse(text, Path(FILE_NAME), source=None).dice
    assert die.options == options
