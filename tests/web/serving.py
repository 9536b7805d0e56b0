"""``companion serve`` as a process of its own, for tests: until a block ends, or where it cannot start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STOPS_WITHIN_S = 8.0


@contextmanager
def serving(
    home: Path, *options: str, paths: str = ""
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run the service on loopback until the block ends; ``paths`` are more folders with packages."""
    command = [sys.executable, "-m", "companion", "serve", "--json", "--host", "127.0.0.1", *options]
    process = subprocess.Popen(
        command,
        env={**os.environ, "COMPANION_HOME": str(home), "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(STOPS_WITHIN_S)
        process.stdout.close()


def run(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the service where it cannot start."""
    return subprocess.run(
        [sys.executable, "-m", "companion", "serve", *options],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
