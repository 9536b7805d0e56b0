"""The processes of a demo: the simulated table, the service, and the box that the eyes are taught.

Everything is started by the commands that a person would type, with a home folder of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hardware.simulated.art
from hardware.simulated.mat_scans import THROWS

BOX = "stand-in"
STOP_S = 8
ANSWER_S = 60


class DemoFailed(RuntimeError):
    """A part of the demo did not start. The message says which and what it said."""


@dataclass(slots=True)
class Running:
    """A command that was started, and the first line that it printed, read as JSON."""

    process: subprocess.Popen[bytes]
    told: Mapping[str, Any]

    def stop(self) -> None:
        """End it: by its standard input, then by signals."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def command(*words: str) -> list[str]:
    """Return a companion command as this very Python runs it."""
    return [sys.executable, "-m", "companion", *words]


def start(words: Sequence[str], home: Path) -> Running:
    """Start a command and wait for its first line. Raises DemoFailed."""
    process = subprocess.Popen(
        command(*words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "COMPANION_HOME": str(home)},
        start_new_session=True,  # Ctrl-C is for the demo, which then ends them in order
    )
    assert process.stdout is not None
    running = Running(process, {})
    try:
        running.told = json.loads(process.stdout.readline())
    except ValueError as error:
        running.stop()
        raise DemoFailed(f"`companion {' '.join(words)}` did not start.") from error
    except KeyboardInterrupt:  # nobody else knows of it yet
        running.stop()
        raise
    return running


def box_of(game: str) -> str:
    """Name the taught box of a game's own art."""
    return f"{BOX}-{game}" if game else BOX


def teach_stand_in(home: Path, game: str = "") -> bool:
    """Teach the box of our own art (of the usual game if none is named), unless it is taught as it now is.

    Returns whether it had to be taught. Raises DemoFailed.
    """
    box, of_game = box_of(game), ["--game", game] if game else []
    mark = home / "boxes" / f"{box}.art"
    art = _fingerprint()
    if mark.exists() and mark.read_text(encoding="utf-8") == art and (home / "boxes" / box).is_dir():
        return False
    scans = home / "scans"
    shutil.rmtree(scans, ignore_errors=True)  # what a teaching left that was broken off is of another box
    _run(["simulated-table", *of_game, "--scans", str(scans)], home)
    shutil.rmtree(home / "boxes" / box, ignore_errors=True)
    _run(["box", "teach", str(scans), "--name", box, *of_game], home)
    throws = sorted((scans / THROWS).glob("*.jpg"))
    if throws:
        told = [f"{throw.stem.rpartition('_')[0]}={throw}" for throw in throws]
        _run(["dice", "teach", box, "--box", *told], home)
    shutil.rmtree(scans, ignore_errors=True)
    mark.write_text(art, encoding="utf-8")
    return True


def write_settings(
    home: Path, table: Mapping[str, Any], *, host: str, port: int, game: str = "", box: str = BOX
) -> Path:
    """Write the settings of a service with the cameras and devices of ``table``, and return the file.

    Without cameras there is no taught box: the table is one of ``game``, played by phones.
    """
    lines = [
        "# Written by `companion demo`, the same form as a real rig's.",
        "[table]",
        *([f'box = "{box}"'] if table.get("cameras") else []),
        *([f'game = "{game}"'] if game else []),
        "[web]",
        f'host = "{host}"',
        *([f"port = {port}"] if port else []),
    ]
    for name, url in table.get("cameras", {}).items():
        lines += ["[[cameras]]", f'name = "{name}"', 'driver = "mjpeg"', f'url = "{url}"']
    for group, device in (("dice", "die"), ("board_sensors", "rotor")):
        if device in table.get("devices", {}):
            path = table["devices"][device]["port"]
            lines += [f"[[{group}]]", f'name = "{device}"', 'driver = "serial"', f'port = "{path}"']
    path = home / "companion.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def fresh_home(home: Path) -> None:
    """Forget the last demo's evening, keep its taught box."""
    home.mkdir(parents=True, exist_ok=True)
    for old in (*home.glob("*.sqlite*"),):
        old.unlink()


def _fingerprint() -> str:
    """Name the drawings and everything that teaches them, so that a change of either teaches anew."""
    digest = hashlib.sha256()
    drawings = Path(next(iter(hardware.simulated.art.__path__)))
    root = drawings.parents[2]
    for folder in (drawings, root / "companion" / "games", root / "calibration", root / "vision"):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _run(words: Sequence[str], home: Path) -> None:
    done = subprocess.run(
        command(*words),
        env={**os.environ, "COMPANION_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DemoFailed(f"`companion {' '.join(words)}` failed: {done.stderr.strip().splitlines()[-1:]}")
