"""Wheels: what a file says of itself, and the folder of all that a slot is built from."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

from hardware.appliance.durable import copy_whole
from hardware.appliance.faults import ApplianceFault, WheelRefused

NAME = "companion"
LOCK = "share/companion/requirements.lock"
LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
AT_LEAST = re.compile(r">=\s*(\d+)\.(\d+)")
MB = 1_000_000
PER_FILE_BYTES = 4096
"""What a file takes on the disk beside its length, and its compiled twin: measured on ext4."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of the companion. ``lock`` names everything it needs, with the hash of every file."""

    path: Path
    version: str
    lock: str
    sha256: str

    @property
    def pinned(self) -> tuple[tuple[str, str], ...]:
        """Name and version of every package that it needs, on any computer, as they are in file names."""
        return pinned_in(self.lock)

    def among(self, files: Sequence[Path]) -> tuple[Path, ...]:
        """Return those of the wheels that it needs, on this computer or another, and itself."""
        wanted = set(self.pinned)
        return (self.path, *(file for file in files if (name_of(file), version_of(file)) in wanted))


def pinned_in(lock: str) -> tuple[tuple[str, str], ...]:
    """Return name and version of every package that a lock file names, as they are in file names."""
    return tuple((as_in_files(name), version) for name, version in LOCKED.findall(lock))


def read_wheel(path: Path) -> Wheel:
    """Read a wheel of the companion. Raises WheelRefused with the reason."""
    if path.suffix != ".whl" or not path.is_file():
        raise WheelRefused(path, "it is no wheel. Name a file such as companion-1.2.0-py3-none-any.whl.")
    try:
        with zipfile.ZipFile(path) as packed:
            damaged = packed.testzip()
            if damaged:
                raise WheelRefused(path, f"{damaged} in it is damaged. Fetch it again.")
            told = HeaderParser().parsestr(_text(packed, path, ".dist-info/METADATA"))
            lock = _text(packed, path, f".data/data/{LOCK}")
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError, NotImplementedError, EOFError) as error:
        raise WheelRefused(path, f"it is damaged or cut off ({error}). Fetch it again.") from error
    if told["Name"] != NAME:
        raise WheelRefused(path, f"it is a wheel of {told['Name'] or 'nobody'}, not of the companion.")
    least = AT_LEAST.search(told["Requires-Python"] or "")
    if least and sys.version_info[:2] < (int(least[1]), int(least[2])):
        raise WheelRefused(path, f"it wants Python {least[1]}.{least[2]}; here is Python {_python()}.")
    with path.open("rb") as file:
        return Wheel(path, str(told["Version"]), lock, hashlib.file_digest(file, "sha256").hexdigest())


def _text(packed: zipfile.ZipFile, path: Path, end: str) -> str:
    """Return the text of the only file whose name ends so, at the place that a wheel has it."""
    found = [name for name in packed.namelist() if name.endswith(end) and name.count("/") == end.count("/")]
    if len(found) != 1:
        raise WheelRefused(path, f"it has no {end.rpartition('/')[2]}, so it is no wheel of the companion.")
    return packed.read(found[0]).decode("utf-8")


def wheels_in(sources: Sequence[Path]) -> Iterator[Path]:
    """Return every wheel among files and in folders. Raises ApplianceFault for what is not there."""
    for source in sources:
        if source.is_dir():
            yield from sorted(source.glob("*.whl"))
        elif source.is_file():
            yield source
        else:
            raise ApplianceFault(f"There is no file or folder {source}. Name a wheel, or a folder of wheels.")


def companion_among(sources: Sequence[Path]) -> Wheel:
    """Return the companion's own wheel among files and folders; of several the newest.

    Raises WheelRefused if the only one that is named is none, ApplianceFault if there is none.
    """
    files = list(wheels_in(sources))
    own = [file for file in files if name_of(file) == NAME] or (files if len(files) == 1 else [])
    if not own:
        raise ApplianceFault(
            f"There is no wheel of the companion in {', '.join(map(str, sources)) or 'what was named'}. "
            "Name it, or a folder that has it: companion-VERSION-py3-none-any.whl."
        )
    return max((read_wheel(file) for file in own), key=lambda wheel: _ordered(wheel.version))


def gather(files: Sequence[Path], folder: Path) -> None:
    """Keep wheels in a folder; of one that nobody but us may change only a second name is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        kept = folder / file.name
        told = file.stat()
        # One of another name than ours is held against its hash when it is used.
        if kept.exists() and (kept.samefile(file) or _is_like(kept, told.st_size)):
            continue
        kept.unlink(missing_ok=True)
        try:
            if told.st_uid != os.geteuid() or told.st_mode & 0o022:
                raise PermissionError(file)
            os.link(file.resolve(), kept)
        except OSError:  # somebody else's, another disk, or one that knows no second names
            copy_whole(file, kept)


def _is_like(kept: Path, size_bytes: int) -> bool:
    return name_of(kept) != NAME and kept.stat().st_size == size_bytes


def prune(folder: Path, wheel: Wheel) -> None:
    """Drop what a slot of that wheel is not built from: other versions, and what nobody needs any more."""
    wanted = {*wheel.pinned, (NAME, wheel.version)}
    for file in folder.glob("*.whl"):
        if (name_of(file), version_of(file)) not in wanted:
            file.unlink()


def unpacked_mb(files: Sequence[Path]) -> int:
    """Return the room that wheels take once they are installed, rounded up."""
    taken = 0
    for file in files:
        with zipfile.ZipFile(file) as packed:
            for inside in packed.infolist():
                twin = 2 if inside.filename.endswith(".py") else 1
                taken += twin * (inside.file_size + PER_FILE_BYTES)
    return -(-taken // MB)


def name_of(file: Path) -> str:
    """Return whose wheel a file is, by its name."""
    return as_in_files(file.name.partition("-")[0])


def version_of(file: Path) -> str:
    """Return which version a wheel is, by its name."""
    return file.name.removesuffix(".whl").split("-")[1] if "-" in file.name else ""


def as_in_files(name: str) -> str:
    """Return a package's name as it stands in the names of its files."""
    return re.sub(r"[-_.]+", "_", name).lower()


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def _python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"
