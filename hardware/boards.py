"""The boards that firmware is written for: what each is, its files, and how they get onto it.

Nothing here touches a board. The firmware itself lies in ``hardware/firmware``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path(__file__).parent / "firmware"
VERSION = re.compile(r'^FIRMWARE = "([0-9.]+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """One board: ``files`` go onto it, the first as ``main.py`` where it is a Python program."""

    name: str
    says: str
    hardware: tuple[str, ...]
    files: tuple[Path, ...]
    steps: tuple[str, ...]


def shipped_version() -> str:
    """Return the version of the firmware that comes with this companion."""
    found = VERSION.search((FIRMWARE / "micropython/tlp.py").read_text(encoding="utf-8"))
    assert found is not None
    return found.group(1)


def board_plans() -> tuple[BoardPlan, ...]:
    """Return all boards, the best known first."""
    arduino = FIRMWARE / "arduino/TableLine"
    return (
        _pico(
            "pico-rotor",
            "a turning board: Raspberry Pi Pico, AS5600 on GP4 and GP5, a magnet on the axis",
            ("pico-as5600",),
            ("main_rotor", "tlp", "rotor", "as5600", "board"),
        ),
        _pico(
            "pico-die",
            "a die on a cable: Raspberry Pi Pico, MPU-6050 or LSM6DS3 on GP4 and GP5",
            ("pico-mpu6050", "pico-lsm6ds", "pico-none"),
            ("main_die", "tlp", "die", "faces", "imu", "board"),
        ),
        BoardPlan(
            "uno-rotor",
            "a turning board: Arduino Uno or Nano, four Hall switches on pins 2 to 5",
            ("uno-hall",),
            (arduino,),
            (
                f"In the Arduino IDE: Sketch, Include Library, Add .ZIP Library; choose {arduino}, zipped",
                "Open File, Examples, TableLine, HallRotor; change the digits of NAME, and upload",
            ),
        ),
    )


def plan_of(hardware: str) -> BoardPlan | None:
    """Return the plan of a board that says ``hw=`` so in its HELLO; None for boards of others."""
    return next((plan for plan in board_plans() if hardware in plan.hardware), None)


def _pico(name: str, says: str, hardware: tuple[str, ...], modules: tuple[str, ...]) -> BoardPlan:
    files = tuple(FIRMWARE / "micropython" / f"{module}.py" for module in modules)
    main, *others = files
    copied = " ".join(str(file) for file in others)
    return BoardPlan(
        name,
        says,
        hardware,
        files,
        (
            "A new Pico: hold BOOTSEL, plug it in, and drop MicroPython's .uf2 on the drive that appears",
            "A Pico that runs this firmware already: `companion firmware release PORT`",
            f"pip install mpremote; mpremote cp {copied} : + cp {main} :main.py + reset",
            "`companion firmware check PORT` then says that it is the right version",
        ),
    )
