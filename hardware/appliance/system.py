"""The computer around the slots: its service manager, its users, its pieces, and a page that answers."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import threading
from pathlib import Path
from typing import Protocol

from companion.settings import parse
from hardware.appliance.faults import Unhealthy
from hardware.appliance.pieces import ENABLED, UNITS
from hardware.appliance.places import USER, Places
from hardware.appliance.programs import ProgramFailed, run
from hardware.appliance.slots import Slot
from hardware.appliance.state import said_in_settings
from hardware.appliance.trial import page_answers, try_out

SERVICE = "companion.service"
DOOR = "companion.socket"
DOOR_PORT = 80
STEADY_S = 5.0
"""How long a service that came up is watched: it counts its own start as a good one after two."""

RUNS_SYSTEMD = Path("/run/systemd/system")
TOLD_LINES = "3"


class System(Protocol):
    """What an update needs of the computer. ``LiveSystem`` is the real one."""

    def try_out(self, slot: Slot, beside: Slot | None) -> None:
        """Raise Unhealthy unless a slot can read the state and serves a page, without touching either."""

    def place(self, slot: Slot) -> None:
        """Lay a slot's pieces into the system and let its service manager read them."""

    def serves(self) -> bool:
        """Tell whether the service is meant to run: it does, or it failed to."""

    def stop(self) -> None:
        """Stop the service; nobody writes the state any more."""

    def start(self) -> None:
        """Start the service and return when it is ready. Raises Unhealthy with the reason."""

    def check(self) -> None:
        """Raise Unhealthy unless the service stays up and answers."""


class LiveSystem:
    """A Debian: with systemd where it runs, else (an image, a container) prepared for when it will."""

    def __init__(self, places: Places) -> None:
        self._places = places

    @property
    def has_manager(self) -> bool:
        """Whether systemd runs and is that of the appliance."""
        return not self._places.is_image and RUNS_SYSTEMD.is_dir()

    @property
    def _of_root(self) -> list[str]:
        """What tells systemd's tools which system is meant."""
        return [] if self._places.root == Path("/") else [f"--root={self._places.root}"]

    def try_out(self, slot: Slot, beside: Slot | None) -> None:
        if not self._places.is_image:  # its programs may be for another kind of computer
            try_out(self._places, slot, user_of_service(), beside)

    def place(self, slot: Slot) -> None:
        python = self._places.named(slot.folder / "bin/python")
        root = "/" if self._places.is_image else str(self._places.root)
        words = [python, "-I", "-m", "hardware.appliance.placing", root]
        try:
            run(words, root=self._places.program_root)
            run(["systemd-sysusers", *self._of_root])
            run(["systemd-tmpfiles", *self._of_root, "--create", "companion.conf"])
        except ProgramFailed as failed:
            raise Unhealthy(f"its pieces cannot be laid into the system: {failed}") from failed
        self.reload()

    def reload(self) -> None:
        """Let systemd, and udev where it runs, read their files anew."""
        if self.has_manager:
            run(["systemctl", "daemon-reload"])
            if Path("/run/udev/control").exists():
                run(["udevadm", "control", "--reload"])

    def enable(self) -> None:
        """Let the service start with the computer."""
        run(["systemctl", *self._of_root, "enable", *ENABLED])

    def disable(self) -> None:
        """Stop every unit of ours and let none start with the computer."""
        units = [path.name for path in (self._places.root / UNITS).glob("companion*") if "@" not in path.name]
        if units:
            now = ["--now"] if self.has_manager else []
            run(["systemctl", *self._of_root, "disable", *now, *units])

    def is_enabled(self) -> bool:
        """Tell whether the service starts with the computer."""
        wants = self._places.root / UNITS / "multi-user.target.wants"
        return all((wants / name).is_symlink() for name in ENABLED)

    def serves(self) -> bool:
        return self.has_manager and _says("is-active", SERVICE) not in ("inactive", "unknown", "")

    def stop(self) -> None:
        if self.has_manager:
            run(["systemctl", "stop", SERVICE])

    def start(self) -> None:
        if not self.has_manager:
            return
        try:
            run(["systemctl", "reset-failed", SERVICE])
            run(["systemctl", "start", DOOR, SERVICE])
        except ProgramFailed as failed:
            raise Unhealthy(f"the service does not start: {_journal() or failed.said}") from failed

    def check(self) -> None:
        if not self.has_manager:
            return
        threading.Event().wait(STEADY_S)
        state = _says("is-active", SERVICE)
        if state != "active":
            raise Unhealthy(f"the service is {state}: {_journal()}")
        why = page_answers(self._port())
        if why:
            raise Unhealthy(why)
        if _has_broken_starts(self._places):
            raise Unhealthy(f"its last start was no good one: {_journal()}")

    def _port(self) -> int:
        if _says("is-active", DOOR) == "active":
            return DOOR_PORT
        said = said_in_settings(self._places, "web", "port")
        return said if isinstance(said, int) else parse("", self._places.settings, source=None).web.port


def _has_broken_starts(places: Places) -> bool:
    """Read what ``companion.table.starts`` writes, which cannot be imported straight out of a wheel."""
    try:
        return bool(json.loads((places.state / "starts.json").read_text(encoding="utf-8"))["broken"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def user_of_service() -> str | None:
    """Return the user that the service runs as, if we may become it and it is there."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(USER).pw_name
    except KeyError:
        return None


def _says(*words: str) -> str:
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _journal() -> str:
    """Return the last lines that the service said, in one."""
    words = ["journalctl", "--unit", SERVICE, "--lines", TOLD_LINES, "--output", "json", "--no-pager"]
    try:
        said = run(words)
        return " ".join(str(json.loads(line).get("MESSAGE", "")) for line in said.splitlines())
    except (ProgramFailed, ValueError):
        return ""
