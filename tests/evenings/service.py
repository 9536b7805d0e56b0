"""The real service with a home folder of its own, started and killed as often as a test likes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


def companion(*words: str, home: Path) -> str:
    """Run a companion command to its end and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class Service:
    """``companion serve`` with its master, its worker and its senses."""

    def __init__(self, home: Path, settings: Path) -> None:
        self._home = home
        self._settings = settings
        self._port = 0
        self.start()

    def start(self) -> None:
        words = ["serve", "--json", "--host", "127.0.0.1", "--settings", str(self._settings)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words, "--port", str(self._port)],
            env={**os.environ, "COMPANION_HOME": str(self._home)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.told: dict[str, Any] = json.loads(self._process.stdout.readline())
        self._port = self.told["port"]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def worker(self) -> int:
        (pid,) = children(self._process.pid)
        return pid

    def senses(self) -> int:
        """Return the process that looks through the cameras."""
        return next(pid for pid in children(self.worker()) if "senses_process" in words_of(pid))

    def kill(self) -> None:
        """Pull the plug on master and worker at once: neither gets to say goodbye."""
        for pid in (self._process.pid, self.worker()):
            os.kill(pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(15)
        assert self._process.stdout is not None
        self._process.stdout.close()


def children(pid: int) -> list[int]:
    """Return the children that any thread of a process started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for task in tasks for one in task.read_text().split()]


def words_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ")
