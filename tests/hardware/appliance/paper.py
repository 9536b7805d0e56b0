"""An appliance on paper: slots that are a line of text, a service that is a row in a real journal file.

The versions are 1, 2, 3: each writes the journal in its own form and reads those of the versions before.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.whole_files import write_whole
from hardware.appliance.faults import Unhealthy
from hardware.appliance.places import Places
from hardware.appliance.slots import Slot, Slots
from hardware.appliance.update import Update
from hardware.appliance.wheel import Wheel, gather


class PaperBuilder:
    """Builds a slot of a few files, as pip builds one of many."""

    def build(self, slot: Slot, wheel: Wheel) -> None:
        slot.clear()
        slot.folder.mkdir(parents=True)
        (slot.folder / "program").write_text(wheel.version)
        (slot.folder / "more").mkdir()
        (slot.folder / "more/of it").write_text("whatever")
        slot.mark_whole(wheel)


@dataclass
class PaperSystem:
    """A computer whose service writes its version into the journal when it starts."""

    places: Places
    never_well: frozenset[str] = frozenset()
    ill_when_served: frozenset[str] = frozenset()
    said: list[str] = field(default_factory=list)

    @property
    def _running(self) -> Path:
        return self.places.root / "running"

    def running(self) -> str:
        """Return the version whose page answers; empty if none does."""
        return self._running.read_text() if self._running.exists() else ""

    def try_out(self, slot: Slot, beside: Slot | None) -> None:
        version = (slot.folder / "program").read_text()
        assert version == slot.version
        if version in self.never_well:
            raise Unhealthy(f"version {version} was built badly.")
        with self._journal() as journal:
            if form_of(journal) > int(version):
                raise Unhealthy(f"it cannot use the journal: it was written by version {form_of(journal)}.")

    def place(self, slot: Slot) -> None:
        (self.places.root / "etc").mkdir(exist_ok=True)
        write_whole(self.places.root / "etc/unit", slot.version.encode())

    def serves(self) -> bool:
        return True

    def stop(self) -> None:
        self._running.unlink(missing_ok=True)

    def start(self) -> None:
        slot = Slots(self.places).current
        assert slot is not None and slot.is_whole, "the computer starts and there is no program"
        with self._journal() as journal:
            if form_of(journal) > int(slot.version):
                raise Unhealthy("the journal is of a newer version.")
            journal.execute(f"pragma user_version = {slot.version}")
            journal.execute("insert into records values (?)", [f"started {slot.version}"])
            journal.commit()
        self._running.write_text(slot.version)

    def check(self) -> None:
        if self.running() in self.ill_when_served:
            self.stop()
            raise Unhealthy("it ended.")

    def plays(self, what: str) -> None:
        """Write an entry, as a table does."""
        with self._journal() as journal:
            journal.execute("insert into records values (?)", [what])
            journal.commit()

    def entries(self) -> list[str]:
        """Return every entry, wherever it lies now: in the journal, or set aside."""
        files = [self.places.journal, *self.places.state.glob("set-aside-*/journal.sqlite")]
        rows: list[str] = []
        for file in files:
            with closing(sqlite3.connect(file)) as journal:
                rows += [row for (row,) in journal.execute("select what from records")]
        return rows

    @contextmanager
    def _journal(self) -> Iterator[sqlite3.Connection]:
        self.places.state.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.places.journal)) as journal:
            journal.execute("pragma journal_mode=wal")
            journal.execute("create table if not exists records (what text)")
            yield journal


def form_of(journal: sqlite3.Connection) -> int:
    """Return which version's form a journal has."""
    return int(journal.execute("pragma user_version").fetchone()[0])


def paper_wheel(folder: Path, version: str) -> Wheel:
    """Return a wheel that only a PaperBuilder can build."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"companion-{version}-py3-none-any.whl"
    path.write_text(version)
    return Wheel(path, version, lock="", sha256=f"hash of {version}")


def installed(root: Path, version: str = "1") -> PaperSystem:
    """Return an appliance that serves a version, with one entry in its journal."""
    places = Places(root)
    system, slots = PaperSystem(places), Slots(places)
    wheel = paper_wheel(root / "given", version)
    gather([wheel.path], places.wheels)
    PaperBuilder().build(slots.spare, wheel)
    slots.serve(slots.spare)
    places.settings.parent.mkdir(parents=True)
    places.settings.write_text('[web]\nname = "first"\n')
    system.start()
    system.plays("as it was")
    return system


def update_of(system: PaperSystem) -> Update:
    """Return what updates an appliance on paper."""
    return Update(system.places, PaperBuilder(), system, system.said.append)


def boot(system: PaperSystem) -> None:
    """Start the computer after the power was cut: the service, then what finishes an update."""
    system.stop()
    try:
        system.start()
        system.check()
    except Unhealthy:
        system.stop()
    settle(system)


def settle(system: PaperSystem) -> None:
    """Finish an update that was cut off, as its unit does."""
    if system.places.under_way.exists():
        # The unit that finishes it runs the program behind this link.
        assert (system.places.previous / "slot.json").is_file(), "who finishes an update must be whole"
        try:
            update_of(system).settle()
        except Unhealthy as why:
            system.said.append(str(why))
