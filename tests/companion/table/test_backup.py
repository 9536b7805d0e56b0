"""A backup holds all that must last; restoring one is all or nothing, whatever ends it in the middle."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.journal import Cause, NewRecord, TableId, TableRow
from companion.table.archive_faults import ArchiveRefused
from companion.table.backup import MANIFEST, Home, make_backup
from companion.table.home_lock import take_home
from companion.table.restore import (
    Outcome,
    asides,
    last_outcome,
    put_back,
    put_in_place,
    settle,
    want,
    wanted,
)
from companion.table.sqlite_journal import open_sqlite_journal
from companion.table.stage_backup import stage

JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300ff" + "ff" * 63 + "ffc0000b080001000101011100ffc400"
    "1400010000000000000000000000000000000009ffc40014100100000000000000000000000000000000ffda0008010100003f"
    "00d2cf20ffd9"
)


def furnish(folder: Path, *, entries: int, box: str, language: str = "en") -> Home:
    """Fill a home folder as a service leaves it: an evening, somebody's seat, a box, settings."""
    folder.mkdir(exist_ok=True)
    with closing(open_sqlite_journal(folder / "journal.sqlite")) as journal:
        row = TableRow(TableId("table-1"), "lantern", box, {}, "2030-01-01T00:00:00+00:00")
        journal.open_table(row)
        for seq in range(entries):
            record = NewRecord(f"2030-01-01T20:00:{seq:02}+00:00", "lit", 1, {"post": seq}, Cause(by="host"))
            journal.append(row.id, seq, [record])
    with closing(sqlite3.connect(folder / "seats.sqlite")) as seats, seats:
        seats.execute("create table seats (seat text primary key, name text, token text)")
        seats.execute("create table hosts (id integer primary key, token text)")
        seats.execute("create table screens (screen text primary key)")
        seats.execute("insert into seats values ('red', ?, 'mark')", [f"sits with {box}"])
        seats.execute("insert into hosts (token) values (?)", [f"host of {box}"])
    (folder / "boxes" / box / "pictures" / "cards").mkdir(parents=True)
    (folder / "boxes" / box / "catalogue.json").write_text(json.dumps({"name": box}))
    (folder / "boxes" / box / "pictures" / "cards" / "golem.jpg").write_bytes(JPEG)
    (folder / "companion.toml").write_text(f'[web]\nlanguage = "{language}"\n')
    return Home(folder, folder / "journal.sqlite", folder / "companion.toml")


def backup_of(home: Home, *, with_pictures: bool = False) -> io.BytesIO:
    file = io.BytesIO()
    make_backup(home, file, with_pictures=with_pictures)
    return file


def entries_in(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal:
        return int(journal.execute("select count(*) from records").fetchone()[0])


def state(folder: Path) -> dict[str, bytes]:
    """Return all that a home folder holds, without what is kept aside and how the last restore ended.

    Who only looks into a database leaves an empty log beside it.
    """
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.name.endswith("-shm")
        and not (path.name.endswith("-wal") and not path.stat().st_size)
        and not path.relative_to(folder)
        .parts[0]
        .startswith(("before-restore-", ".restore", "restore", "service.lock"))
    }


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "here"))
    return furnish(tmp_path / "here", entries=3, box="attic")


@pytest.fixture
def other(tmp_path: Path) -> Home:
    return furnish(tmp_path / "there", entries=7, box="cellar", language="de")


def test_a_backup_of_another_computer_is_put_in_the_place_of_everything_and_back_again(
    old: Home, other: Home
):
    held = stage(backup_of(other), old.folder)
    assert (held.tables, held.entries, held.boxes, held.has_settings) == (1, 7, ("cellar",), True)
    before = state(old.folder)
    want(old, with_settings=True)
    intent = wanted(old.folder)
    assert intent is not None
    settle(old.folder, put_in_place(old.folder, intent))
    assert entries_in(old.folder) == 7
    assert [path.name for path in (old.folder / "boxes").iterdir()] == ["cellar"]
    assert 'language = "de"' in old.settings.read_text()
    outcome = last_outcome(old.folder)
    assert outcome is not None and outcome.is_done and asides(old.folder) == [outcome.aside]
    done = CliRunner().invoke(main, ["restore", "--back", "--yes"])
    assert done.exit_code == 0, done.output
    assert "It holds:     1 evenings of 3 entries" in done.stdout
    assert entries_in(old.folder) == 3
    assert state(old.folder)["boxes/attic/catalogue.json"] == before["boxes/attic/catalogue.json"]


def test_hosts_of_this_computer_stay_hosts_and_those_of_the_backup_are_none(old: Home, other: Home):
    stage(backup_of(other), old.folder)
    want(old, with_settings=True)
    put_in_place(old.folder, wanted(old.folder) or pytest.fail("nothing is wanted"))
    with closing(sqlite3.connect(old.folder / "seats.sqlite")) as seats:
        assert seats.execute("select token from hosts").fetchall() == [("host of attic",)]
        assert seats.execute("select name from seats").fetchall() == [("sits with cellar",)]


def test_a_backup_can_be_made_while_somebody_writes_and_is_whole(old: Home):
    with closing(open_sqlite_journal(old.journal)) as journal:
        record = NewRecord("2030-01-01T21:00:00+00:00", "lit", 1, {}, Cause(by="host"))
        journal.append(TableId("table-1"), 3, [record])
        file = backup_of(old)
    shutil.rmtree(old.folder)
    old.folder.mkdir()
    assert stage(file, old.folder).entries == 4


def test_the_same_backup_without_settings_leaves_those_of_this_computer(old: Home, other: Home):
    stage(backup_of(other), old.folder, with_settings=False)
    want(old, with_settings=False)
    put_in_place(old.folder, wanted(old.folder) or pytest.fail("nothing is wanted"))
    assert 'language = "en"' in old.settings.read_text()
    assert entries_in(old.folder) == 7


def test_a_journal_that_lay_elsewhere_stays_there_and_the_restored_one_is_found(
    tmp_path: Path, old: Home, other: Home
):
    elsewhere = tmp_path / "elsewhere.sqlite"
    old.journal.rename(elsewhere)
    old.settings.write_text(f'[journal]\npath = "{elsewhere}"\n')
    archive = tmp_path / "there.zip"
    archive.write_bytes(backup_of(other).getvalue())
    done = CliRunner().invoke(main, ["restore", str(archive), "--yes"])
    assert done.exit_code == 0, done.output
    assert "It replaces:  1 evenings of 3 entries" in done.stdout
    assert entries_in(old.folder) == 7 and elsewhere.exists()


def test_settings_by_hand_that_may_not_be_written_stay_and_the_rest_is_restored(
    tmp_path: Path, old: Home, other: Home
):
    (other.folder / "chosen.toml").write_text('[web]\nname = "there.local"\n')
    locked = Home(old.folder, old.journal, tmp_path / "etc" / "nowhere" / "companion.toml")
    stage(backup_of(other), old.folder)
    want(locked, with_settings=True)
    put_in_place(old.folder, wanted(old.folder) or pytest.fail("nothing is wanted"))
    assert 'language = "en"' in old.settings.read_text()
    assert "there.local" in (old.folder / "chosen.toml").read_text()
    assert entries_in(old.folder) == 7


KILLED_AT_EACH_STEP = """
import os, shutil, signal, sys
from pathlib import Path
from companion.table.backup import Home
from companion.table.restore import put_in_place, wanted

here, copies = Path(sys.argv[1]), Path(sys.argv[2])
steps = 0
while True:
    copy = copies / str(steps)
    shutil.copytree(here, copy)
    child = os.fork()
    if child == 0:
        left = [steps]

        def step(name):
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

        intent = wanted(copy)
        put_in_place(copy, type(intent)(**{**{n: getattr(intent, n) for n in intent.__slots__},
            "journal": str(copy / "journal.sqlite"), "settings": str(copy / "companion.toml")}), step)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status == 0:
        break
    assert os.WTERMSIG(status) == signal.SIGKILL, status
    steps += 1
print(steps)
"""


def test_killed_at_any_step_of_a_restore_everything_is_as_it_was(tmp_path: Path, old: Home, other: Home):
    stage(backup_of(other), old.folder)
    before = state(old.folder)
    want(old, with_settings=True)
    script = [sys.executable, "-c", KILLED_AT_EACH_STEP, str(old.folder), str(tmp_path / "killed")]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    steps = int(done.stdout)
    assert steps > 15
    for number in range(steps + 1):  # the last one was not killed, and still nobody has found it good
        copy = tmp_path / "killed" / str(number)
        intent = wanted(copy)
        assert intent is not None and intent.is_begun
        put_back(copy, intent, "killed")
        assert state(copy) == before, f"killed at step {number}"
        assert last_outcome(copy) == Outcome(
            False, (last_outcome(copy) or Outcome(False, "")).at_utc, why="killed"
        )
        assert wanted(copy) is None and not (copy / ".restore").exists()


def test_killed_while_it_is_put_back_it_is_put_back_the_next_time(tmp_path: Path, old: Home, other: Home):
    class Killed(Exception):
        pass

    stage(backup_of(other), old.folder)
    before = state(old.folder)
    want(old, with_settings=True)
    begun = put_in_place(old.folder, wanted(old.folder) or pytest.fail("nothing is wanted"))
    (old.folder / "journal.sqlite-wal").write_bytes(b"of the fresh one")
    (old.folder / "evidence.sqlite").write_bytes(b"begun by who tried it")
    for until in range(0, 9, 2):

        def step(name: str, left: list[int] = [until]) -> None:  # noqa: B006 (counts down)
            if not left[0]:
                raise Killed
            left[0] -= 1

        with pytest.raises(Killed):
            put_back(old.folder, begun, "killed", step)
    put_back(old.folder, begun, "killed")
    assert state(old.folder) == before


def changed(file: io.BytesIO, change: Callable[[dict[str, bytes]], None]) -> io.BytesIO:
    """Return an archive with other files, of which its manifest speaks truly."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(files.pop(MANIFEST))
    change(files)
    told["files"] = {name: [len(one), hashlib.sha256(one).hexdigest()] for name, one in files.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr(MANIFEST, json.dumps(told))
    return out


def with_trigger(journal: bytes, folder: Path) -> bytes:
    path = folder / "odd.sqlite"
    path.write_bytes(journal)
    with closing(sqlite3.connect(path)) as odd, odd:
        odd.execute("create trigger t after insert on records begin delete from records; end")
    return path.read_bytes()


def other_settings(text: str) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.update({"companion.toml": text.encode()})


HOSTILE: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "a-path": (lambda files: files.update({"boxes/../../evil.json": b"{}"}), "path"),
    "a-stranger": (lambda files: files.update({"boxes/attic/run.sh": b"rm"}), "stranger"),
    "a-service-lock": (lambda files: files.update({"service.lock": b"1"}), "stranger"),
    "no-database": (lambda files: files.update({"journal.sqlite": b"not one" * 400}), "database"),
    "another-programs": (lambda files: files.update({"journal.sqlite": files["seats.sqlite"]}), "database"),
    "broken-settings": (other_settings("[web\n"), "settings"),
    "journal-elsewhere": (other_settings('[journal]\npath = "/etc/passwd"\n'), "elsewhere"),
    "a-bomb": (lambda files: files.update({"boxes/attic/catalogue.json": b" " * 15_000_000}), "bomb"),
    "no-picture": (lambda files: files.update({"boxes/attic/a.jpg": b"no"}), "no_picture"),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_an_archive_that_means_harm_is_refused_and_nothing_is_left_of_it(old: Home, how: str):
    before = state(old.folder)
    change, reason = HOSTILE[how]
    with pytest.raises(ArchiveRefused) as caught:
        stage(changed(backup_of(old), change), old.folder)
    assert caught.value.reason == reason
    assert "[" not in str(caught.value)[:1]
    assert state(old.folder) == before and not (old.folder / ".restore").exists()


def test_a_database_with_a_will_of_its_own_is_refused(tmp_path: Path, old: Home):
    def change(files: dict[str, bytes]) -> None:
        files["journal.sqlite"] = with_trigger(files["journal.sqlite"], tmp_path)

    with pytest.raises(ArchiveRefused, match=r"journal\.sqlite of the archive is no database"):
        stage(changed(backup_of(old), change), old.folder)


def test_a_box_is_no_backup_and_a_newer_form_is_said(old: Home):
    with pytest.raises(ArchiveRefused, match=r"no backup: companion-backup\.json is missing"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("companion.toml", "")
        stage(file, old.folder)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST, '{"format": 99, "files": {}}')
    with pytest.raises(ArchiveRefused, match="has format 99; this program knows 1"):
        stage(file, old.folder)


def test_the_commands_say_what_is_held_and_replaced_and_ask(tmp_path: Path, old: Home, other: Home):
    runner, archive = CliRunner(), str(tmp_path / "there.zip")
    os.environ["COMPANION_HOME"] = str(other.folder)  # the fixture's own patch takes it back
    assert runner.invoke(main, ["backup", archive]).exit_code == 0
    os.environ["COMPANION_HOME"] = str(old.folder)
    before = state(old.folder)
    no = runner.invoke(main, ["restore", archive], input="n\n")
    assert no.exit_code == 1 and "Nothing was changed." in no.stderr
    assert "It holds:     1 evenings of 7 entries" in no.stdout
    assert "It replaces:  1 evenings of 3 entries" in no.stdout
    assert state(old.folder) == before
    with take_home(old.folder, wait_s=0):
        running = runner.invoke(main, ["restore", archive, "--yes"])
        assert running.exit_code == 1 and "The table is open" in running.stderr
    yes = runner.invoke(main, ["restore", archive, "--yes"])
    assert yes.exit_code == 0 and "Done. What was there before is kept in" in yes.stdout
    assert entries_in(old.folder) == 7
    assert runner.invoke(main, ["restore"]).exit_code == 2
