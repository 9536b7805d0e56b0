"""Wheels of a few lines, as real as pip wants them."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

SERVES = "def main():\n    print('the tiny companion')\n"


def tiny_wheel(folder: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """Write a wheel with those files beside its own."""
    folder.mkdir(parents=True, exist_ok=True)
    about = f"{name}-{version}.dist-info"
    whole = {
        **files,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        "Requires-Python: >=3.11\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*whole, f"{about}/RECORD"])
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        for inside, text in {**whole, f"{about}/RECORD": record}.items():
            packed.writestr(inside, text)
    return path


def tiny_companion(folder: Path, version: str, *, needs: Path | None = None) -> Path:
    """Write a wheel of a companion that says who it is, and needs at most one other."""
    lock = ""
    if needs is not None:
        name, needed_version = needs.name.split("-")[:2]
        lock = f"{name}=={needed_version} --hash=sha256:{hashlib.sha256(needs.read_bytes()).hexdigest()}\n"
    files = {
        "tiny.py": SERVES,
        f"companion-{version}.dist-info/entry_points.txt": "[console_scripts]\ncompanion = tiny:main\n",
        f"companion-{version}.data/data/share/companion/requirements.lock": lock,
    }
    return tiny_wheel(folder, "companion", version, files)
