"""The Debian package: installed, upgraded, refused, removed and purged, in a fresh Debian under systemd.

``python -m tests.rig.install_deb``; needs root, see `make install-test`.
"""

from __future__ import annotations

import platform
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from release.bundle import fill
from release.deb import build
from tests.rig.debian import Computer, started, unpacked_root
from tests.rig.rehearsal import EVENING, PAGE, entries, holds, inside, listed, process_of, served
from tests.rig.versions import DOES_NOT_START, Change, as_version


def main() -> int:
    """Go through all of it."""
    began_s = time.monotonic()
    with unpacked_root() as root:
        bundle = root / "root/bundle"
        fill(bundle, platform.machine(), ["3.11"])
        first = build(bundle, root / "root")
        second = build(_as(bundle, "2.0"), root / "root")
        broken = build(_as(bundle, "3.0", DOES_NOT_START), root / "root")
        print(f"{first.name}: {first.stat().st_size / 1e6:.0f} MB")
        with started(root) as computer:
            goes_through(computer, first, second, broken)
    print(f"all held, in {time.monotonic() - began_s:.0f} s")
    return 0


def goes_through(computer: Computer, first: Path, second: Path, broken: Path) -> None:
    """Each deed of dpkg in its turn."""
    before = listed(computer.root)
    with holds("the package is installed without internet, and its page comes"):
        computer.run("dpkg", "-i", inside(computer, first))
        computer.run("python3", "-c", PAGE)
    computer.run("python3", "-c", EVENING)
    with holds("the package is upgraded, in the other slot"):
        computer.run("dpkg", "-i", inside(computer, second))
        assert served(computer) == "2.0"
        assert entries(computer) >= 100
    with holds("a package whose companion does not start is refused, and the one before serves on"):
        process = process_of(computer)
        assert computer.status("dpkg", "-i", inside(computer, broken)) != 0
        assert (served(computer), process_of(computer)) == ("2.0", process)
    with holds("the good package once more puts dpkg at rest"):
        computer.run("dpkg", "-i", inside(computer, second))
        assert "install ok installed" in computer.run("dpkg", "-s", "companion")
    with holds("the package is removed, and the players' data is kept"):
        computer.run("dpkg", "-r", "companion")
        left = listed(computer.root) - before
        assert all(name.startswith(("var/lib/companion", "etc/companion")) for name in left), left
        assert entries(computer) >= 100
    with holds("installed again it has them"):
        computer.run("dpkg", "-i", inside(computer, second))
        assert entries(computer) >= 100
    with holds("purged, nothing is left"):
        computer.run("dpkg", "-P", "companion")
        assert listed(computer.root) - before == set(), listed(computer.root) - before


def _as(bundle: Path, version: str, changes: Mapping[str, Change] | None = None) -> Path:
    """Return another bundle, with the companion as that version."""
    other = bundle.with_name(f"bundle-{version}")
    shutil.copytree(bundle, other)
    old = next(other.glob("companion-*.whl"))
    as_version(old, version, changes)
    old.unlink()
    return other


if __name__ == "__main__":
    sys.exit(main())
