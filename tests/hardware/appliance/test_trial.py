"""Trying a slot for real: its own Python judges the state, and its service serves a page from a copy."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.table.sqlite_journal import open_sqlite_journal
from hardware.appliance.faults import Unhealthy
from hardware.appliance.places import Places
from hardware.appliance.slots import Slot
from hardware.appliance.trial import try_out


@pytest.fixture
def places(tmp_path: Path) -> Places:
    places = Places(tmp_path)
    places.state.mkdir(parents=True)
    open_sqlite_journal(places.journal).close()
    return places


@pytest.fixture
def slot(places: Places) -> Slot:
    """A slot whose program is the one that is tested here."""
    slot = Slot(places.opt / "slot-a")
    (slot.folder / "bin").mkdir(parents=True)
    for name in ("python", "companion"):
        (slot.folder / "bin" / name).symlink_to(Path(sys.prefix) / "bin" / name)
    (slot.folder / "pyvenv.cfg").write_text((Path(sys.prefix) / "pyvenv.cfg").read_text())
    (slot.folder / "lib").symlink_to(Path(sys.prefix) / "lib")
    return slot


def test_a_slot_that_is_well_serves_a_page_and_leaves_the_state_alone(places: Places, slot: Slot):
    (places.state / "chosen.toml").write_text('[[cameras]]\nname = "above"\ndriver = "usb"\n')
    before = {path: path.read_bytes() for path in places.state.iterdir()}
    try_out(places, slot, user=None)
    assert {path: path.read_bytes() for path in places.state.iterdir()} == before
    assert not places.trial.exists()


def test_a_journal_of_a_newer_version_is_a_reason_not_to_serve(places: Places, slot: Slot):
    with closing(sqlite3.connect(places.journal)) as journal:
        journal.execute("insert into _sqlite_migrations values (99, 'companion', 'pictures', '2030')")
        journal.commit()
    with pytest.raises(Unhealthy, match=r"cannot use the journal: .*written by a newer version \(pictures\)"):
        try_out(places, slot, user=None)
    assert not places.trial.exists()


def test_settings_that_it_does_not_know_are_a_reason_not_to_serve(places: Places, slot: Slot):
    places.settings.parent.mkdir(parents=True)
    places.settings.write_text("[web]\nlantern = 3\n")
    with pytest.raises(Unhealthy, match=r"(?s)cannot use the settings: .*web\.lantern is no setting"):
        try_out(places, slot, user=None)


def test_a_program_that_cannot_start_at_all_is_said_with_what_it_said(places: Places, slot: Slot):
    (slot.folder / "bin/companion").unlink()
    (slot.folder / "bin/companion").write_text("#!/bin/sh\necho 'no such thing' >&2\nexit 1\n")
    (slot.folder / "bin/companion").chmod(0o755)
    with pytest.raises(Unhealthy, match="it does not serve: no such thing"):
        try_out(places, slot, user=None)
