"""What makes an appliance, step by step: read forwards to install, and backwards to uninstall."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.settings import example
from companion.whole_files import write_whole
from hardware.appliance.build import clear_parts
from hardware.appliance.durable import clear_folder, remove
from hardware.appliance.faults import ApplianceFault, Unhealthy
from hardware.appliance.places import USER, Places
from hardware.appliance.slots import Slots
from hardware.appliance.steps import Step
from hardware.appliance.system import LiveSystem
from hardware.appliance.system_steps import DebianPackages, Pieces, Serves, StartsWithComputer
from hardware.appliance.update import Builds
from hardware.appliance.wheel import MB, Wheel, gather

COMMAND = """#!/bin/sh
# The companion of this computer, with the folders of its service. Laid by `companion install`.
if [ -z "$COMPANION_HOME" ]; then
  export STATE_DIRECTORY="${{STATE_DIRECTORY:-{state}}}"
  export CONFIGURATION_DIRECTORY="${{CONFIGURATION_DIRECTORY:-{settings}}}"
fi
[ "$(id -u)" = 0 ] || exec {program} "$@"
{program} "$@"
status=$?
# What root wrote among the players' files is the service's, or it could not go on with it.
chown -hR --from=root {user}: {state} 2>/dev/null
exit $status
"""


def steps_of(
    places: Places, system: LiveSystem, *, wheel: Wheel | None, bring: Bring | None, purge: bool
) -> Sequence[Step]:
    """Return the steps in the order of installing; to uninstall without wheel and ``bring``."""
    return (
        DebianPackages(places, may_fetch=bring is not None and bring.may_apt),
        Program(places, system, wheel, bring),
        Pieces(places, system, purge=purge),
        PlayersState(places, purge=purge),
        SettingsFile(places, purge=purge),
        CommandAtHand(places),
        StartsWithComputer(system, places),
        Serves(system),
    )


@dataclass(frozen=True, slots=True)
class Bring:
    """How a program gets into its slot: who builds it, beside which wheels, and whether apt may be asked."""

    builder: Builds
    beside: Sequence[Path]
    may_apt: bool


class Program(Step):
    """The first slot, built and tried, and the link to it."""

    def __init__(self, places: Places, system: LiveSystem, wheel: Wheel | None, bring: Bring | None) -> None:
        self._places = places
        self._system = system
        self._wheel = wheel
        self._bring = bring
        self._slots = Slots(places)

    def says(self) -> str:
        version = self._wheel.version if self._wheel else ""
        return f"Build companion {version} in {self._places.opt}, from wheels alone, and try it."

    def is_done(self) -> bool:
        """Raises ApplianceFault if another version is installed: that is what an update is for."""
        current = self._slots.current
        if current is None or not current.is_whole:
            return False
        if self._wheel is not None and current.sha256 != self._wheel.sha256:
            raise ApplianceFault(
                f"companion {current.version} is installed here, built from another file. "
                f"To go over to {self._wheel.path.name}: companion update {self._wheel.path}"
            )
        return True

    def do(self) -> str:
        assert self._wheel is not None and self._bring is not None
        clear_parts(self._places)
        gather(self._wheel.among(self._bring.beside), self._places.wheels)
        slot = self._slots.spare
        self._bring.builder.build(slot, self._wheel)
        try:
            self._system.try_out(slot, None)
        except Unhealthy as why:
            slot.clear()
            raise Unhealthy(f"companion {self._wheel.version} is not well here: {why}") from why
        self._slots.serve(slot)
        return ""

    def undo_says(self) -> str:
        return f"Remove the program, {self._places.opt}." if self._places.opt.is_dir() else ""

    def undo(self) -> str:
        remove(self._places.current)  # first: half a program is not to be started
        clear_folder(self._places.opt)
        return ""


class PlayersState(Step):
    """Journals, boxes, recordings: the players' own, and never ours to throw away unasked."""

    def __init__(self, places: Places, *, purge: bool) -> None:
        self._places = places
        self._purge = purge

    def says(self) -> str:
        return f"Make {self._places.state} for journals, boxes and recordings."

    def is_done(self) -> bool:
        return self._places.state.is_dir()

    def do(self) -> str:
        self._places.state.mkdir(parents=True, exist_ok=True)  # the pieces made it, and gave it away
        return ""

    def undo_says(self) -> str:
        if not (self._purge and self._places.state.is_dir()):
            return ""
        return f"Remove all journals, boxes and recordings, {self._size_mb()} MB in {self._places.state}."

    def undo(self) -> str:
        for folder in (self._places.state, self._places.state.with_name("companion-screen")):
            clear_folder(folder)
        return ""

    def keeps(self) -> str:
        if self._purge or not self._places.state.is_dir():
            return ""
        return f"Journals, boxes and recordings stay, {self._size_mb()} MB in {self._places.state}."

    def _size_mb(self) -> int:
        return -(-sum(path.lstat().st_size for path in self._places.state.rglob("*")) // MB)


class SettingsFile(Step):
    """The settings, as they come and explained."""

    def __init__(self, places: Places, *, purge: bool) -> None:
        self._places = places
        self._purge = purge

    def says(self) -> str:
        return f"Write {self._places.settings} with every setting explained."

    def is_done(self) -> bool:
        return self._places.settings.exists()

    def do(self) -> str:
        self._places.settings.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._places.settings, example().encode(), mode=0o664)
        folder = self._places.settings.parent
        shutil.chown(self._places.settings, folder.stat().st_uid, folder.stat().st_gid)
        return ""

    def undo_says(self) -> str:
        folder = self._places.settings.parent
        return f"Remove the settings, {folder}." if self._purge and folder.is_dir() else ""

    def undo(self) -> str:
        clear_folder(self._places.settings.parent)
        return ""

    def keeps(self) -> str:
        return "" if self._purge or not self.is_done() else f"The settings stay in {self._places.settings}."


class CommandAtHand(Step):
    """``companion`` on everybody's path."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def _text(self) -> str:
        named = self._places.named
        return COMMAND.format(
            state=named(self._places.state),
            settings=named(self._places.settings.parent),
            program=named(self._places.current / "bin/companion"),
            user=USER,
        )

    def says(self) -> str:
        return f"Lay the command {self._places.command}."

    def is_done(self) -> bool:
        path = self._places.command
        return path.is_file() and path.read_text(encoding="utf-8") == self._text()

    def do(self) -> str:
        self._places.command.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._places.command, self._text().encode(), mode=0o755)
        return ""

    def undo_says(self) -> str:
        return f"Remove the command {self._places.command}." if self._is_ours() else ""

    def undo(self) -> str:
        remove(self._places.command)
        return ""

    def _is_ours(self) -> bool:
        return self._places.command.is_file() and "companion install" in self._places.command.read_text(
            "utf-8"
        )
