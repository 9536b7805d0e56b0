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
from hardware.appliance.probe import probed
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


def test_what_a_slot_cannot_use_is_named_with_the_reason(places: Places, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_HOME", str(places.state))
    with closing(sqlite3.connect(places.journal)) as journal:
        journal.execute("insert into _sqlite_migrations values (99, 'companion', 'pictures', '2030')")
        journal.commit()
    places.settings.parent.mkdir(parents=True)
    places.settings.write_text("[web]\nlantern = 3\n")
    faults = probed(places.settings, places.journal)
    assert set(faults) == {"settings", "journal"}
    assert "web.lantern is no setting" in faults["settings"]
    assert "written by a newer version (pictures)" in faults["journal"]


def test_a_program_that_cannot_start_at_all_is_said_with_what_it_said(places: Places, slot: Slot):
    for name, script in {"python": "echo '{}'", "companion": "echo 'no such thing' >&2; exit 1"}.items():
        (slot.folder / "bin" / name).unlink()
        (slot.folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (slot.folder / "bin" / name).chmod(0o755)
    with pytest.raises(Unhealthy, match="it does not serve: no such thing"):
        try_out(places, slot, user=None)


def test_a_fault_that_the_slot_beside_has_too_is_not_held_against_the_new_one(places: Places, tmp_path: Path):
    ill, same = (Slot(places.opt / name) for name in ("slot-a", "slot-b"))
    for slot, fault in ((ill, "game chess"), (same, "die of glass")):
        (slot.folder / "bin").mkdir(parents=True)
        (slot.folder / "bin/python").write_text(f'#!/bin/sh\necho \'{{"{fault}": "it is broken"}}\'\n')
        (slot.folder / "bin/python").chmod(0o755)
        (slot.folder / "bin/companion").write_text("#!/bin/sh\nexit 1\n")
        (slot.folder / "bin/companion").chmod(0o755)
    with pytest.raises(Unhealthy, match="it cannot use the game chess: it is broken"):
        try_out(places, ill, user=None, beside=same)
    with pytest.raises(Unhealthy, match="it does not serve"):  # which comes after
        try_out(places, ill, user=None, beside=ill)
