"""Fill a folder with all that an appliance is installed from: ``python release/bundle.py --to FOLDER``.

The companion's wheel, the wheels of what it needs for one kind of computer and several Pythons, each held
against its hash in ``requirements.lock``, and a script that installs them without internet.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
STARTER = Path(__file__).parent / "companion"
PYTHONS = ("3.11", "3.13")
"""Those of Debian 12 and 13, and of the Raspberry Pi OS that is made of them."""

GLIBCS = ("2_36", "2_35", "2_34", "2_31", "2_28", "2_27", "2_24", "2_17")


def main() -> None:
    """Fill the folder that is named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", type=Path, required=True, help="The folder; what is in it stays.")
    parser.add_argument("--machine", default=platform.machine(), help="aarch64 or x86_64.")
    parser.add_argument("--python", action="append", help=f"Python versions; else {' and '.join(PYTHONS)}.")
    told = parser.parse_args()
    fill(told.to, told.machine, told.python or PYTHONS)
    size_mb = sum(file.stat().st_size for file in told.to.iterdir()) / 1e6
    sys.stdout.write(f"{told.to}: {len(list(told.to.glob('*.whl')))} wheels, {size_mb:.0f} MB\n")


def fill(folder: Path, machine: str, pythons: Sequence[str]) -> None:
    """Build the wheel, bring the others, lay the script beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("companion-*.whl"):
        old.unlink()
    build_wheel(folder)
    platforms = [f"manylinux_{glibc}_{machine}" for glibc in GLIBCS] + [f"manylinux2014_{machine}"]
    words = [word for one in platforms for word in ("--platform", one)]
    for python in pythons:
        with tempfile.NamedTemporaryFile("w", suffix=".lock") as lock:
            lock.write(lock_for(python))
            lock.flush()
            wanted = ["--require-hashes", "--no-deps", "-r", lock.name]
            _pip("download", *words, "--python-version", python, "--dest", str(folder), *wanted)
    shutil.copy(STARTER, folder / STARTER.name)


def build_wheel(folder: Path) -> Path:
    """Build the companion's wheel, and return it."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder.resolve()],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(folder.glob("companion-*.whl"))


def lock_for(python: str) -> str:
    """Return the lock file's part for one Python; pip would judge the markers by its own."""
    kept = []
    target = {"python_full_version": f"{python}.0", "python_version": python}
    for block in _blocks():
        head, _, hashes = block.partition("\\")
        wanted = Requirement(head)
        if wanted.marker is None or wanted.marker.evaluate(target):
            wanted.marker = None
            kept.append(f"{wanted} \\{hashes}")
    return "".join(kept)


def _blocks() -> list[str]:
    """Return each package of the lock file with its hashes."""
    blocks: list[str] = []
    for line in LOCK.read_text(encoding="utf-8").splitlines(keepends=True):
        if line[:1].isspace() and blocks:
            blocks[-1] += line
        elif line.strip() and not line.startswith("#"):
            blocks.append(line)
    return blocks


def _pip(*words: str) -> None:
    quiet = ["-q", "--disable-pip-version-check", "--only-binary", ":all:"]
    subprocess.run([sys.executable, "-m", "pip", *words, *quiet], check=True)


if __name__ == "__main__":
    main()
