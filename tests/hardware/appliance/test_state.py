"""What the players have, through a change of versions."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from hardware.appliance.places import Places
from hardware.appliance.state import copy_for_trial, keep_state, put_back_state


def appliance(root: Path) -> Places:
    places = Places(root)
    (places.state / "boxes/mine").mkdir(parents=True)
    (places.state / "boxes/mine/catalogue.json").write_text("{}")
    (places.state / "recordings").mkdir()
    (places.state / "recordings/large.jpg").write_text("x")
    (places.state / "service.lock").write_text("1")
    places.settings.parent.mkdir(parents=True)
    places.settings.write_text('[web]\nname = "ours"\n')
    write(places.journal, "first")
    return places


def write(path: Path, what: str) -> None:
    with closing(sqlite3.connect(path)) as journal:
        journal.execute("pragma journal_mode=wal")
        journal.execute("create table if not exists records (what text)")
        journal.execute("insert into records values (?)", [what])
        journal.commit()


def records(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as journal:
        return [row for (row,) in journal.execute("select what from records")]


def write_and_die(path: Path, what: str) -> None:
    """Write in a process that is killed before the log is folded into the file."""
    child = os.fork()
    if child == 0:
        journal = sqlite3.connect(path)
        journal.execute("pragma wal_autocheckpoint=0")
        journal.execute("insert into records values (?)", [what])
        journal.commit()
        os._exit(0)
    os.waitpid(child, 0)
    assert Path(f"{path}-wal").stat().st_size > 0


def test_a_trial_gets_journal_and_boxes_but_no_recordings_and_settings_only_to_look_at(tmp_path: Path):
    places = appliance(tmp_path)
    copy = copy_for_trial(places, owner=None)
    found = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    assert found == {"journal.sqlite", "boxes/mine/catalogue.json", "settings/companion.toml"}
    assert records(copy / "journal.sqlite") == ["first"]


def test_a_journal_that_the_settings_put_elsewhere_is_tried_and_kept_too(tmp_path: Path):
    places = appliance(tmp_path)
    elsewhere = tmp_path / "card/evenings.sqlite"
    elsewhere.parent.mkdir()
    write(elsewhere, "on the card")
    places.settings.write_text(f'[journal]\npath = "{elsewhere}"\n')
    places.journal.unlink()
    assert records(copy_for_trial(places, owner=None) / "journal.sqlite") == ["on the card"]
    keep_state(places, tmp_path / "kept")
    write(elsewhere, "since")
    put_back_state(places, tmp_path / "kept", "2")
    assert records(elsewhere) == ["on the card"]


def test_a_log_that_a_killed_service_left_is_not_mixed_into_the_journal_that_comes_back(tmp_path: Path):
    places = appliance(tmp_path)
    keep_state(places, tmp_path / "kept")
    write_and_die(places.journal, "since")
    aside = put_back_state(places, tmp_path / "kept", "2")
    assert records(places.journal) == ["first"]
    assert records(aside / "journal.sqlite") == ["first", "since"]


def test_what_was_set_aside_once_is_not_written_over(tmp_path: Path):
    places = appliance(tmp_path)
    keep_state(places, tmp_path / "kept")
    asides = {put_back_state(places, tmp_path / "kept", "2") for _ in range(3)}
    assert len(asides) == 3 and all(records(aside / "journal.sqlite") for aside in asides)


def test_a_journal_that_comes_back_has_the_owner_and_mode_that_it_had(tmp_path: Path):
    places = appliance(tmp_path)
    places.journal.chmod(0o640)
    keep_state(places, tmp_path / "kept")
    put_back_state(places, tmp_path / "kept", "2")
    assert places.journal.stat().st_mode & 0o777 == 0o640
