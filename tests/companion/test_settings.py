"""Settings: what is wrong is said at once, with the line, what is allowed and the near match."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.settings import (
    LISTS,
    SECTIONS,
    CannotStart,
    DeviceSettings,
    Settings,
    SettingsUnreadable,
    SettingsWrong,
    example,
    home,
    load,
    parse,
    settings_path,
)

FULL = """
[table]
game = "lantern"
box = "A"
trust = "ask"

[web]
host = "127.0.0.1"
port = 8123
name = "attic.local"
allowed_hosts = ["attic", "10.0.0.7"]

[[cameras]]
name = "ceiling"
driver = "mjpeg"
url = "http://127.0.0.1:9/stream"
rate_hz = 12.5

[[dice]]
name = "bone"
driver = "serial"
port = "/dev/ttyACM0"

[[board_sensors]]
name = "centre"
driver = "hall"
pins = [5, 6, 13, 19]
"""


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("COMPANION_HOME", "STATE_DIRECTORY", "CONFIGURATION_DIRECTORY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def read(text: str) -> Settings:
    return parse(text, Path("companion.toml"), source=None)


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(SettingsWrong) as caught:
        read(text)
    return caught.value.problems


def unreadable(text: str) -> str:
    with pytest.raises(SettingsUnreadable) as caught:
        read(text)
    return str(caught.value)


def test_without_a_file_there_are_no_devices_and_nothing_is_wrong():
    settings = load()
    assert (settings.cameras, settings.dice, settings.board_sensors) == ((), (), ())
    assert (settings.table.game, settings.table.trust, settings.source) == ("making_monsters", "ask", None)


def test_everything_written_is_read(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text(FULL)
    settings = load(path)
    assert (settings.table.game, settings.table.box, settings.table.trust) == ("lantern", "A", "ask")
    assert (settings.web.port, settings.web.allowed_hosts) == (8123, ("attic", "10.0.0.7"))
    camera = DeviceSettings("ceiling", "mjpeg", {"url": "http://127.0.0.1:9/stream", "rate_hz": 12.5})
    assert settings.cameras == (camera,)
    assert settings.board_sensors[0].options == {"pins": [5, 6, 13, 19]}
    assert settings.source == path


def test_every_setting_is_named_in_the_example_and_the_example_changes_nothing():
    lines = example().splitlines()
    for section, (shape, keys) in SECTIONS.items():
        assert f"[{section}]" in lines
        assert [key.name for key in keys] == [field.name for field in fields(shape)]
        for key in keys:
            assert any(line.startswith(f"{key.name} = ") for line in lines)
    assert all(f"# [[{name}]]" in lines for name in LISTS)
    assert {*SECTIONS, *LISTS, "source"} == {field.name for field in fields(Settings)}
    assert read(example()) == read("")


def test_the_devices_of_the_example_can_be_switched_on_by_taking_out_the_hash():
    written = "\n".join(remark_and_lines for _, remark_and_lines in LISTS.values())
    settings = read(written)
    assert (len(settings.cameras), len(settings.dice), len(settings.board_sensors)) == (1, 1, 1)


def test_a_named_file_that_is_not_there_is_said(tmp_path: Path):
    with pytest.raises(SettingsUnreadable) as caught:
        load(tmp_path / "nowhere.toml")
    assert str(caught.value) == (
        f"The settings {tmp_path}/nowhere.toml cannot be read: No such file or directory. "
        "Check the name, or leave it out to play without devices."
    )


def test_a_file_that_is_no_text_is_said(tmp_path: Path):
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(SettingsUnreadable, match="are no text"):
        load(path)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[table]\ngame = "making_mon', "line 2, column 19"),
        ("[table]\ngame = ", "line 2, column 8"),
        ("[table]\ngame", "line 2, column 5"),
        ("[tab", "line 1, column 5"),
        ('[table]\ngame = "a"\ngame = "b"\n', "line 3"),
        ("[web]\nallowed_hosts = [\n", "line"),
    ],
)
def test_a_half_written_file_gives_one_sentence_with_line_and_column(text: str, where: str):
    said = unreadable(text)
    assert where in said
    assert said.startswith("The settings companion.toml break off or are no TOML at line ")
    assert said.endswith("then start again.")
    assert "\n" not in said


@given(st.integers(min_value=0, max_value=len(FULL)))
def test_a_file_cut_off_anywhere_is_read_or_said_never_a_crash(length: int):
    try:
        read(FULL[:length])
    except CannotStart as error:
        assert "companion.toml" in str(error)


@given(st.text())
def test_any_text_is_read_or_said_never_a_crash(text: str):
    try:
        read(text)
    except CannotStart as error:
        assert "companion.toml" in str(error)


def test_all_that_is_wrong_is_said_at_once():
    said = problems(
        """
[tabel]
game = "x"

[table]
gmae = "lantern"
trust = "aks"

[web]
port = "eighty"
allowed_hosts = "attic"
name = 7

[[cameras]]
name = "ceiling"
drivr = "usb"

[[dice]]
name = "a"
driver = "keyed"
[[dice]]
name = "a"
driver = "keyed"
"""
    )
    assert said == (
        "line 2: tabel is no setting. Did you mean table?",
        "line 6: table.gmae is no setting. Did you mean game?",
        'line 7: table.trust is "aks"; it must be "ask". Did you mean "ask"?',
        'line 10: web.port is "eighty"; it must be a whole number from 1 to 65535.',
        "line 12: web.name is 7; it must be a text in quotes.",
        'line 11: web.allowed_hosts is "attic"; it must be a list of texts.',
        'line 16: cameras number 1 needs a driver, a text in quotes. Did you mean it by "drivr"?',
        'dice has two of the name "a".',
    )


def test_the_message_counts_and_lists_what_is_wrong():
    with pytest.raises(SettingsWrong) as caught:
        read("[web]\nport = 0\n[table]\nbox = 1\n")
    assert str(caught.value) == (
        "2 things are wrong in the settings companion.toml:\n"
        "  line 4: table.box is 1; it must be a text in quotes.\n"
        "  line 2: web.port is 0; it must be a whole number from 1 to 65535."
    )


@pytest.mark.parametrize("port", ["true", "0", "65536", "80.0", '"80"', "1979-05-27", "[80]"])
def test_a_port_is_a_whole_number_and_nothing_like_it(port: str):
    assert "it must be a whole number from 1 to 65535." in problems(f"[web]\nport = {port}\n")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table = 3", "line 1: table must be a section; write [table] on a line."),
        ("[cameras]\nname = 'a'", "line 1: cameras must be a list; write [[cameras]] above each."),
        ("cameras = ['a']", "line 1: cameras must be a list; write [[cameras]] above each."),
        ("[[dice]]", "line 1: dice number 1 needs a name, a text in quotes."),
    ],
)
def test_a_wrong_shape_says_how_to_write_it(text: str, said: str):
    assert said in problems(text)


def test_an_unknown_setting_without_a_near_match_lists_what_is_known():
    assert problems("[table]\nzzz = 1")[0] == (
        "line 2: table.zzz is no setting. Known here: game, box, trust."
    )


def test_the_home_is_the_named_folder_else_systemds_else_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert home() == tmp_path / "data/companion"
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path}/state:{tmp_path}/other")
    assert home() == tmp_path / "state"
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "mine"))
    assert home() == tmp_path / "mine"
    assert (tmp_path / "mine").is_dir()


def test_a_home_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "file/home"))
    with pytest.raises(CannotStart, match=r"cannot be made: Not a directory. Set COMPANION_HOME"):
        home()


def test_settings_are_looked_for_at_home_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert settings_path() == tmp_path / "config/companion/companion.toml"
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "mine"))
    assert settings_path() == tmp_path / "mine/companion.toml"
    (tmp_path / "config/companion").mkdir(parents=True)
    (tmp_path / "config/companion/companion.toml").write_text("[table]\nbox = 'B'")
    assert load().table.box == "B"
    (home() / "companion.toml").write_text("[table]\nbox = 'C'")
    assert load().table.box == "C"
    assert os.environ["COMPANION_HOME"]


@pytest.mark.parametrize("odd", ["left_out = 3", "[left_out]\ncameras = 3", "[left_out]\ncameras = [3]"])
def test_what_is_left_out_in_an_odd_form_is_said_not_stumbled_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    (tmp_path / "chosen.toml").write_text(odd)
    with pytest.raises(SettingsWrong, match="left_out must be a section of lists of texts"):
        load()
