"""Building a slot: a Python environment from wheels alone, every file held against its hash.

Without internet from the wheels that were given and kept; what is missing there is fetched, where that is
allowed. pip runs out of its own wheel, so that neither it nor ``python3-venv`` need be installed.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from companion.whole_files import write_whole
from hardware.appliance.durable import clear_folder, remove
from hardware.appliance.faults import ApplianceFault, DiskFull
from hardware.appliance.inherit import has_all_but_itself, inherit_packages, inherit_strangers, packages_of
from hardware.appliance.places import Places
from hardware.appliance.programs import ProgramFailed, run
from hardware.appliance.slots import Slot, Slots
from hardware.appliance.wheel import MB, Wheel, unpacked_mb

PIPS_OF_DEBIAN = Path("usr/share/python-wheels")
PACKAGES_OF_DEBIAN = Path("usr/lib/python3/dist-packages")
PINS = ("lgpio.py", "_lgpio*.so")
SPARE_MB = 50
"""What must stay free besides: the journal goes on being written."""

MISSING = re.compile(r"No matching distribution found for (\S+)")


class WheelsMissing(ApplianceFault):
    """A package that is neither among the wheels nor to be fetched."""

    def __init__(self, package: str, *, said: str = "") -> None:
        fetched = f" The package index says: {said}" if said else ""
        super().__init__(
            f"There is no wheel of {package} for this computer. Give a folder that has it "
            f"(`make bundle` fills one), or connect to the internet and try again.{fetched}"
        )
        self.package = package


class Builder:
    """Builds slots from the kept wheels. Without ``may_fetch`` nothing is asked of the internet."""

    def __init__(self, places: Places, *, may_fetch: bool) -> None:
        self._places = places
        self._may_fetch = may_fetch

    def build(self, slot: Slot, wheel: Wheel) -> None:
        """Build a slot anew. Raises DiskFull, WheelsMissing or ProgramFailed; the slot is then empty."""
        beside = Slots(self._places).current
        is_shared = has_all_but_itself(beside, wheel)
        check_room(self._places.opt, wheel, [] if is_shared else list(self._places.wheels.glob("*.whl")))
        slot.clear()
        try:
            self._fill(slot, wheel, beside, is_shared=is_shared)
        except BaseException:
            slot.clear()
            raise
        os.sync()  # thousands of files, and each must be there before the mark is
        slot.mark_whole(wheel)

    def _fill(self, slot: Slot, wheel: Wheel, beside: Slot | None, *, is_shared: bool) -> None:
        python = "python3" if self._places.is_image else sys.executable
        named = self._places.named(slot.folder)
        run([python, "-m", "venv", "--without-pip", named], root=self._root, environment=_calm())
        if not (is_shared and inherit_packages(slot, beside)):
            self._install_needed(slot, wheel)
            inherit_strangers(slot, beside, wheel)
        own = self._places.named(self._places.wheels / wheel.path.name)
        self._pip(slot, "install", "--ignore-installed", "--no-index", "--no-deps", own)
        self._borrow_pins(slot)

    def _install_needed(self, slot: Slot, wheel: Wheel) -> None:
        """Install what a wheel needs, from the kept wheels, else from the package index."""
        lock = self._places.wheels / "requirements.lock"
        write_whole(lock, wheel.lock.encode())
        words = ("--require-hashes", "--only-binary", ":all:", "-r", self._places.named(lock))
        wheels = self._places.named(self._places.wheels)
        install = ("install", "--ignore-installed", "--no-index", "--find-links", wheels)
        try:
            self._pip(slot, *install, *words)
        except ProgramFailed as failed:
            missing = MISSING.search(failed.said)
            if missing is None:
                raise
            if not self._may_fetch:
                raise WheelsMissing(missing[1]) from failed
            self._fetch(slot, missing[1], words)
            self._pip(slot, *install, *words)

    def _borrow_pins(self, slot: Slot) -> None:
        """Let the slot see Debian's driver of a Pi's pins, where it is: PyPI has none for every Python."""
        packages = packages_of(slot)
        assert packages is not None
        for pattern in PINS:
            for found in (self._places.program_root / PACKAGES_OF_DEBIAN).glob(pattern):
                (packages / found.name).symlink_to(f"/{PACKAGES_OF_DEBIAN}/{found.name}")

    def _fetch(self, slot: Slot, package: str, words: tuple[str, ...]) -> None:
        wheels = self._places.named(self._places.wheels)
        try:
            self._pip(slot, "download", "--find-links", wheels, "--dest", wheels, *words)
        except ProgramFailed as failed:
            raise WheelsMissing(package, said=failed.said) from failed

    def _pip(self, slot: Slot, *words: str) -> None:
        python = self._places.named(slot.folder / "bin/python")
        calm = dict(_calm())
        packages = packages_of(slot)
        if packages is None or not (packages / "pip").is_dir():
            calm["PYTHONPATH"] = self._places.named(self._pip_wheel())
        quiet = ("--no-input", "--disable-pip-version-check", "--no-cache-dir", "-q")
        run([python, "-m", "pip", *words, *quiet], root=self._root, environment=calm)

    def _pip_wheel(self) -> Path:
        """Return a wheel of pip: given, kept, Python's own or Debian's."""
        folders = [self._places.wheels, self._places.program_root / PIPS_OF_DEBIAN]
        if not self._places.is_image:
            folders.append(Path(os.__file__).parent / "ensurepip/_bundled")
        for folder in folders:
            for found in sorted(folder.glob("pip-*.whl"), reverse=True):
                return found
        raise ApplianceFault(
            "There is no pip here. Put its wheel beside the others (`make bundle` does), "
            "or run: sudo apt-get install python3-venv"
        )

    @property
    def _root(self) -> Path:
        return self._places.program_root


def check_room(folder: Path, wheel: Wheel, kept: list[Path]) -> None:
    """Raise DiskFull unless a slot of that wheel, built from the kept ones, has room on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    needed_mb = unpacked_mb(wheel.among(kept)) + SPARE_MB
    free_mb = shutil.disk_usage(folder).free // MB
    if free_mb < needed_mb:
        raise DiskFull(folder, needed_mb, free_mb)


def clear_parts(places: Places) -> None:
    """Take away what a cut-off build or trial left beside the slots."""
    clear_folder(places.trial)
    for part in (*places.opt.glob("*.part"), *places.wheels.glob("*.part")):
        clear_folder(part)
        remove(part)


def _calm() -> Mapping[str, str]:
    """Return this environment without what would let one Python meddle with another's packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONNOUSERSITE": "1", "LC_ALL": "C.UTF-8"}
