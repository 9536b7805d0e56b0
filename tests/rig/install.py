"""Install, update, cut the power, go back, uninstall: in a fresh Debian that systemd started, offline.

``python -m tests.rig.install [bookworm|trixie]``; needs root, see `make install-test`. Prints what held and
how long it took; ends at the first thing that did not.
"""

from __future__ import annotations

import platform
import random
import shutil
import sys
import time
from pathlib import Path

from release.bundle import fill
from tests.rig.debian import Computer, started, unpacked_root
from tests.rig.rehearsal import (
    EVENING,
    PAGE,
    entries,
    holds,
    inside,
    listed,
    note,
    process_of,
    served,
    stood_still_s,
    wait_until,
)
from tests.rig.versions import DIES_UNDER_SYSTEMD, DOES_NOT_START, WRITES_ANOTHER_JOURNAL, as_version

CUTS = 6
BUNDLE = "/root/bundle"


PYTHON_OF = {"bookworm": "3.11", "trixie": "3.13"}


def main() -> int:
    """Go through all of it."""
    began_s = time.monotonic()
    release = sys.argv[1] if len(sys.argv) > 1 else "bookworm"
    with unpacked_root(release=release) as root:
        folder = root / BUNDLE.lstrip("/")
        fill(folder, platform.machine(), [PYTHON_OF[release]])
        wheel = next(folder.glob("companion-*.whl"))
        with started(root) as computer:
            before = listed(root)
            installs(computer, before)
            updates(computer, wheel)
        is_cut_off(root, wheel)
        with started(root) as computer:
            uninstalls(computer, before)
    print(f"all held on {release}, in {time.monotonic() - began_s:.0f} s")
    return 0


def installs(computer: Computer, before: set[str]) -> None:
    """Dry, for real, and once more."""
    with holds("a dry run says what would be done and changes nothing"):
        said = computer.run(f"{BUNDLE}/companion", "install", "--dry-run")
        assert sum(line.startswith("to do ") for line in said.splitlines()) == 8, said
        assert listed(computer.root) == before
    with holds("installed from the folder of wheels without internet, and its page comes"):
        computer.run(f"{BUNDLE}/companion", "install", "--offline")
        computer.run("python3", "-c", PAGE)
    with holds("the units that were laid are what systemd wants"):
        units = [path.name for path in (computer.root / "etc/systemd/system").glob("companion*")]
        computer.run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *units)
    with holds("a second run has nothing to do, and starts nothing anew"):
        first = process_of(computer)
        assert "Nothing to do" in computer.run(f"{BUNDLE}/companion", "install", "--offline")
        assert process_of(computer) == first
    with holds("what root leaves among the players' files belongs to the service after the next command"):
        computer.run("touch", "/var/lib/companion/by-root")
        computer.run("companion", "--version")
        assert computer.run("stat", "--format=%U", "/var/lib/companion/by-root").strip() == "companion"


def updates(computer: Computer, wheel: Path) -> None:
    """Over, refused, back by itself, back by hand."""
    computer.run("python3", "-c", EVENING)
    with holds("went over to 2.0 and stood still for {} s"):
        rows = entries(computer)
        update(computer, as_version(wheel, "2.0"))
        assert served(computer) == "2.0"
        assert entries(computer) >= rows
        note(stood_still_s(computer))
    with holds("a version that does not start is refused, and the one that serves is never stopped"):
        first = process_of(computer)
        assert "is not well" in update(computer, as_version(wheel, "2.1", DOES_NOT_START))
        assert (served(computer), process_of(computer)) == ("2.0", first)
    with holds("a version that dies only when it is served makes way by itself"):
        said = update(computer, as_version(wheel, "2.2", DIES_UNDER_SYSTEMD))
        assert "Version 2.0 serves again" in said, said
        assert served(computer) == "2.0"
    with holds(
        "a version with a journal of another form goes over, and back only when told what comes of it"
    ):
        rows = entries(computer)
        update(computer, as_version(wheel, "3.0", WRITES_ANOTHER_JOURNAL))
        assert served(computer) == "3.0"
        assert "--old-state" in computer.run("companion", "update", "--back", check=False)
        assert served(computer) == "3.0"
        computer.run("companion", "update", "--back", "--old-state")
        assert served(computer) == "2.0"
        assert entries(computer) >= rows
    with holds("the caretaker's unit takes the wheel that root laid there, and uses it up"):
        left = computer.root / "opt/companion/updates"
        left.mkdir(exist_ok=True)
        shutil.copy(as_version(wheel, "3.1"), left)
        computer.run("systemctl", "start", "companion-update.service")
        assert served(computer) == "3.1"
        assert not list(left.iterdir())


def is_cut_off(root: Path, wheel: Path) -> None:
    """Cut the power at moments spread over a whole update, and start again each time."""
    with started(root) as computer, holds("an update takes {} s where nothing cuts it off"):
        began_s = time.monotonic()
        update(computer, as_version(wheel, "4.0"))
        whole_s = time.monotonic() - began_s
        note(whole_s)
    chance = random.Random(4)
    computer = Computer(root)
    try:
        for cut in range(CUTS):
            before, version = served(computer), f"4.{cut + 1}"
            file = as_version(wheel, version)
            after_s = whole_s * (cut + chance.random()) / CUTS
            with holds(f"power cut {after_s:5.1f} s into the update from {before} to {version}: {{}} serves"):
                rows = entries(computer)
                computer.begin("companion", "update", inside(computer, file), "--offline")
                time.sleep(after_s)
                computer.cut_power()
                computer = Computer(root)
                wait_until(computer, lambda: not (root / "opt/companion/update.json").exists())
                computer.run("python3", "-c", PAGE)
                assert served(computer) in (before, version)
                assert entries(computer) >= rows
                note(served(computer))
        with holds("and the next update goes through"):
            update(computer, as_version(wheel, "5.0"))
            assert served(computer) == "5.0"
    finally:
        computer.switch_off()


def uninstalls(computer: Computer, before: set[str]) -> None:
    """Away, with the players' data kept; then all of it."""
    with holds("uninstalled, and the players' data is kept"):
        rows = entries(computer)
        said = computer.run("companion", "uninstall")
        assert "stay" in said, said
        left = listed(computer.root) - before
        assert all(name.startswith(("var/lib/companion", "etc/companion")) for name in left), left
        assert entries(computer) == rows
    with holds("installed again over it, the table is as it was"):
        computer.run(f"{BUNDLE}/companion", "install", "--offline")
        assert entries(computer) >= rows
    with holds("purged, and nothing is left"):
        computer.run("companion", "uninstall", "--purge")
        assert listed(computer.root) - before == set()


def update(computer: Computer, file: Path) -> str:
    """Update to a wheel; what came of it is for the caller to judge."""
    return computer.run("companion", "update", inside(computer, file), "--offline", check=False)


if __name__ == "__main__":
    sys.exit(main())
