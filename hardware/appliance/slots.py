"""Two slots, each a whole program, and the link that says which one is served.

A slot is built while the other serves. It counts as whole only when its mark is written, last of all; a slot
without it is what a power cut left, and is built anew.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from companion.whole_files import write_whole
from hardware.appliance.durable import clear_folder, point, remove
from hardware.appliance.places import Places
from hardware.appliance.wheel import Wheel

NAMES = ("slot-a", "slot-b")
MARK = "slot.json"


@dataclass(frozen=True, slots=True)
class Slot:
    """A folder with a Python environment that holds the companion."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def program(self) -> Path:
        return self.folder / "bin/companion"

    @property
    def shared(self) -> Path:
        """What the wheel brings for the system: unit files and the like."""
        return self.folder / "share/companion"

    @property
    def kept_state(self) -> Path:
        """The state as this slot left it when another took over."""
        return self.folder.with_name(f"{self.name}.state")

    @property
    def is_whole(self) -> bool:
        return (self.folder / MARK).is_file()

    @property
    def version(self) -> str:
        """The version that was built here; empty while it is not whole."""
        return self._mark().get("version", "")

    @property
    def sha256(self) -> str:
        """The hash of the wheel that was built here; empty while it is not whole."""
        return self._mark().get("sha256", "")

    def mark_whole(self, wheel: Wheel) -> None:
        """Say that all is there. Everything in the slot must be on the disk by now."""
        told = {"version": wheel.version, "sha256": wheel.sha256}
        write_whole(self.folder / MARK, json.dumps(told).encode())

    def clear(self) -> None:
        """Take the slot away, its mark first."""
        remove(self.folder / MARK)
        clear_folder(self.folder)
        clear_folder(self.kept_state)

    def _mark(self) -> dict[str, str]:
        try:
            told = json.loads((self.folder / MARK).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return told if isinstance(told, dict) else {}


class Slots:
    """Both slots of an appliance, and the links to them."""

    def __init__(self, places: Places) -> None:
        self._places = places

    @property
    def all(self) -> tuple[Slot, ...]:
        return tuple(Slot(self._places.opt / name) for name in NAMES)

    @property
    def current(self) -> Slot | None:
        """The slot that is served."""
        return self._behind(self._places.current)

    @property
    def previous(self) -> Slot | None:
        """The slot that was served before, while it is whole and another one is served."""
        slot = self._behind(self._places.previous)
        return slot if slot and slot.is_whole and slot != self.current else None

    @property
    def spare(self) -> Slot:
        """The slot that is not served and may be built."""
        return next(slot for slot in self.all if slot != self.current)

    def serve(self, slot: Slot) -> None:
        """Let ``current`` lead to another slot at one stroke, and ``previous`` to the one before."""
        before = self.current
        if before != slot:  # the first one is its own: the link is there from the beginning
            point(self._places.previous, (before or slot).name)
        point(self._places.current, slot.name)

    def _behind(self, link: Path) -> Slot | None:
        if not link.is_symlink():
            return None
        name = link.readlink().name
        return Slot(self._places.opt / name) if name in NAMES else None
