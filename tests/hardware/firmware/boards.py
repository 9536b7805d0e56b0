"""Boards that run the firmware here: CPython, MicroPython's own interpreter, C++; all behind one door."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, NoReturn

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FIRMWARE = ROOT / "hardware/firmware"
MICROPYTHON = FIRMWARE / "micropython"
ARDUINO = FIRMWARE / "arduino/TableLine"
INTERPRETER = (
    Path(sysconfig.get_path("data"))
    / "micropython/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"
)
STEP_MS = 10


class Board:
    """A chip in a process of its own: ``step`` gives it time, sensor and bytes, and returns its bytes."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE
        )
        self.now_ms = 0

    def step(self, reads: str, came: bytes = b"", *, passing_ms: int = STEP_MS) -> bytes:
        self.now_ms += passing_ms
        return bytes.fromhex(self.ask(f"{self.now_ms} {reads} {came.hex()}"))

    def ask(self, line: str) -> str:
        stdin: Any = self._process.stdin
        stdout: Any = self._process.stdout
        stdin.write(line + "\n")
        stdin.flush()
        return stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()


def missing(what: str) -> NoReturn:
    """Leave a test out and say so; where everything must be tried (``CI``) what is missing is a failure."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def on_cpython(name: str, boot: int) -> Board:
    """Run the very files of the board on this Python."""
    program = (
        "import sys\n"
        f"sys.path[:0] = [{str(MICROPYTHON)!r}, {str(HERE)!r}]\n"
        "import on_board\n"
        f"board = on_board.Board({name!r}, {boot})\n"
        "for line in sys.stdin:\n"
        "    print(board.step(line.rstrip('\\n')), flush=True)\n"
    )
    return Board([sys.executable, "-I", "-c", program])


def on_micropython(name: str, boot: int) -> Board:
    """Run them on MicroPython, which `make test` brings."""
    node = shutil.which("node")
    if node is None or not INTERPRETER.exists():
        missing("NOT TESTED on MicroPython: there is none here; `make test` brings it")
    words = [str(INTERPRETER), str(MICROPYTHON), str(HERE / "on_board.py"), name, str(boot)]
    return Board([node, str(HERE / "on_micropython.mjs"), *words])


def compiled(folder: Path) -> Path:
    """Build the C++ library for this computer, every warning an error."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        missing("NOT TESTED in C++: no compiler is here; `make test` brings it")
    program = folder / "on_desk"
    flags = ["-std=c++11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-I", str(ARDUINO / "src")]
    subprocess.run([compiler, *flags, str(HERE / "on_desk.cpp"), "-o", str(program)], check=True)
    return program
