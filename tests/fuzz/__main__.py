"""``python -m tests.fuzz FOLDER [libFuzzer options]``: feed the serial line with what a fuzzer invents.

Coverage-guided by atheris, which ``make fuzz`` puts beside the environment. FOLDER keeps what was found.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["hardware"]):
    from tests.fuzz.line import SEEDS, hear


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, seed in SEEDS.items():
        (folder / f"seed-{name}").write_bytes(seed)
    atheris.Setup([sys.argv[0], *sys.argv[2:], str(folder)], hear)
    atheris.Fuzz()


main()
