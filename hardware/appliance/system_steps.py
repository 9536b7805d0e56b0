"""The steps around the program itself: Debian's packages, our pieces in /etc, the service."""

from __future__ import annotations

from hardware.appliance.pieces import PIECES
from hardware.appliance.places import USER, Places
from hardware.appliance.placing import placed, take_away
from hardware.appliance.programs import ProgramFailed, run
from hardware.appliance.slots import Slots
from hardware.appliance.steps import Step
from hardware.appliance.system import LiveSystem

LIBRARIES = {
    "libgl1": "usr/lib/*/libGL.so.1",
    "libglib2.0-0": "usr/lib/*/libgthread-2.0.so.0",
    "libxcb1": "usr/lib/*/libxcb.so.1",
}
"""What OpenCV wants of Debian, and a file by which each is known, whatever its package is called."""

NAME_IN_THE_NETWORK = {"avahi-daemon": "usr/sbin/avahi-daemon"}

USERS = (USER, "companion-screen")


class DebianPackages(Step):
    """Three libraries for the eyes, and the name by which phones find the table."""

    def __init__(self, places: Places, *, may_fetch: bool) -> None:
        self._places = places
        self._may_fetch = may_fetch

    def _missing(self) -> list[str]:
        wanted = LIBRARIES | NAME_IN_THE_NETWORK
        return [name for name, file in wanted.items() if not any(self._places.root.glob(file))]

    def says(self) -> str:
        names = self._missing() or [*LIBRARIES, *NAME_IN_THE_NETWORK]
        return f"Bring Debian's packages {', '.join(names)} by apt."

    def is_done(self) -> bool:
        return not self._missing()

    def do(self) -> str:
        missing = self._missing()
        why = "it was told not to"
        if self._may_fetch:
            words = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
            try:
                run(["apt-get", "update", "-qq"], root=self._places.program_root)
                run(["env", "DEBIAN_FRONTEND=noninteractive", *words], root=self._places.program_root)
            except ProgramFailed as failed:
                why = f"it says {failed.said.rpartition('E: ')[2].rstrip('.')}"
        still = self._missing()
        if not still:
            return ""
        costs = []
        if set(still) & set(LIBRARIES):
            costs.append("cameras and photos are not read (phones play all the same)")
        if set(still) & set(NAME_IN_THE_NETWORK):
            costs.append("phones find the table by its address only, not by its name")
        return (
            f"apt did not bring {', '.join(still)}: {why}. Until it does, {' and '.join(costs)}. "
            f"With internet: sudo apt-get install {' '.join(still)}"
        )

    def keeps(self) -> str:
        return "Debian's packages stay; other programs may use them."


class Pieces(Step):
    """Unit files, users, rules of udev: what the system must know."""

    def __init__(self, places: Places, system: LiveSystem, *, purge: bool) -> None:
        self._places = places
        self._system = system
        self._purge = purge

    def says(self) -> str:
        return f"Lay {len(PIECES)} files into /etc, so that the system knows the service; make its user."

    def is_done(self) -> bool:
        current = Slots(self._places).current
        laid = placed(self._places)
        is_laid = bool(laid) and all(path.is_file() for path in laid)
        return is_laid and current is not None and self._has_user() and self._places.state.is_dir()

    def do(self) -> str:
        current = Slots(self._places).current
        assert current is not None
        self._system.place(current)
        return ""

    def undo_says(self) -> str:
        users = f", and the users {', '.join(USERS)}" if self._purge and self._has_user() else ""
        return f"Take {len(placed(self._places))} files out of /etc{users}." if placed(self._places) else ""

    def undo(self) -> str:
        taken = take_away(self._places)
        if self._purge and self._has_user():
            for user in USERS:
                run(["userdel", user], root=self._places.program_root)
        self._system.reload()
        changed = ", ".join(str(path) for path in taken.kept)
        return f"You changed {changed}, so that stays." if changed else ""

    def keeps(self) -> str:
        return "" if self._purge or not self._has_user() else "Its user stays, who owns what is kept."

    def _has_user(self) -> bool:
        users = self._places.root / "etc/passwd"
        return users.is_file() and f"\n{USER}:" in users.read_text(encoding="utf-8")


class StartsWithComputer(Step):
    """The service starts whenever the computer does."""

    def __init__(self, system: LiveSystem, places: Places) -> None:
        self._system = system
        self._places = places

    def says(self) -> str:
        return "Let the service start with the computer."

    def is_done(self) -> bool:
        return self._system.is_enabled()

    def do(self) -> str:
        self._system.enable()
        return ""

    def undo_says(self) -> str:
        return "Stop the service, and start it no more." if placed(self._places) else ""

    def undo(self) -> str:
        self._system.disable()
        return ""


class Serves(Step):
    """The service runs, and a page comes from it."""

    def __init__(self, system: LiveSystem) -> None:
        self._system = system

    def says(self) -> str:
        return "Start the service, and look whether its page comes."

    def is_done(self) -> bool:
        return self._system.has_manager and self._system.serves()

    def do(self) -> str:
        if not self._system.has_manager:
            return "systemd does not run here; the service starts with the computer."
        self._system.start()
        self._system.check()
        return ""
