"""The Arduino example on an emulated Uno: its real UART, its real pins, and the host as it is.

Needs a tool chain for AVR and simavr; `make rig-test` brings them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.ports import BoardTurn, DeviceStanding, DeviceState
from hardware.turntables.serial_rotor import open_board_sensor
from tests.hardware.firmware.boards import ARDUINO, HERE
from tests.hardware.promises import is_turn
from tests.hardware.stand_ins import everything

pytestmark = pytest.mark.rig

CORE = Path("/usr/share/arduino/hardware/arduino/avr")
SKETCH = ARDUINO / "examples/HallRotor/HallRotor.ino"
FLAGS = [
    "-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR",
    "-DDECIMAL_DIG=17", "-Os", "-ffunction-sections", "-fdata-sections", "-w",
]  # fmt: skip
FLASH_BYTES, MEMORY_BYTES = 32_256, 2048


def built(folder: Path) -> Path:
    """Build the sketch as the Arduino IDE does."""
    main = folder / "HallRotor.cpp"
    main.write_text(f"#include <Arduino.h>\n{SKETCH.read_text()}")
    includes = [f"-I{path}" for path in (CORE / "cores/arduino", CORE / "variants/standard", ARDUINO / "src")]
    sources = [main, *(CORE / "cores/arduino").glob("*.c"), *(CORE / "cores/arduino").glob("*.cpp")]
    objects = []
    for source in sources:
        objects.append(folder / f"{source.name}.o")
        kind = ["avr-g++", "-std=gnu++11", "-fno-exceptions", "-fno-threadsafe-statics"]
        compiler = kind if source.suffix == ".cpp" else ["avr-gcc", "-std=gnu11"]
        subprocess.run([*compiler, *FLAGS, *includes, "-c", str(source), "-o", str(objects[-1])], check=True)
    elf = folder / "HallRotor.elf"
    link = ["avr-g++", "-mmcu=atmega328p", "-Os", "-Wl,--gc-sections"]
    subprocess.run([*link, *map(str, objects), "-o", str(elf), "-lm"], check=True)
    return elf


class Uno:
    """An emulated Uno with four switches and a magnet over them."""

    def __init__(self, emulator: Path, elf: Path) -> None:
        self._process = subprocess.Popen(
            [str(emulator), str(elf)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        out: Any = self._process.stdout
        self.port = next(line.strip() for line in out if line.startswith("/dev/"))

    def magnet(self, quarter: int | None) -> None:
        into: Any = self._process.stdin
        for pin in range(4):
            into.write(f"{pin + 2} {0 if pin == quarter else 1}\n")
        into.flush()

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def built_here(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if shutil.which("avr-g++") is None or not CORE.exists():
        pytest.skip("no tool chain for AVR here: run `make rig-test`, which installs it")
    folder = tmp_path_factory.mktemp("uno")
    emulator = folder / "on_avr"
    libraries = ["-lsimavr", "-lelf", "-lutil"]
    subprocess.run(["gcc", "-O2", str(HERE / "on_avr.c"), "-o", str(emulator), *libraries], check=True)
    return emulator, built(folder)


@pytest.fixture
def uno(built_here: tuple[Path, Path]):
    uno = Uno(*built_here)
    uno.magnet(0)
    yield uno
    uno.close()


def test_the_example_fits_into_an_uno_with_room_for_more(built_here: tuple[Path, Path]) -> None:
    said = subprocess.run(["avr-size", str(built_here[1])], capture_output=True, text=True, check=True).stdout
    text, data, bss = map(int, re.findall(r"\d+", said.splitlines()[1])[:3])
    assert text + data < FLASH_BYTES / 2
    assert data + bss < MEMORY_BYTES / 2


def test_an_uno_is_found_by_the_host_and_each_turn_of_its_board_is_heard_once(uno: Uno) -> None:
    sensor = open_board_sensor("centre", {"port": uno.port})
    try:
        everything(sensor, until=lambda said: isinstance(said, DeviceStanding) and said.quarter == 0)
        told = []
        for quarter, delta in ((1, 1), (2, 1), (1, -1)):
            uno.magnet(None)
            everything(sensor, until=lambda said: getattr(said, "detail", "").endswith("turning"))
            uno.magnet(quarter)
            said = everything(sensor, until=is_turn)
            told += [turn.delta for turn in said if isinstance(turn, BoardTurn)]
            assert told[-1] == delta
        assert told == [1, 1, -1]
    finally:
        sensor.close()


def test_an_uno_left_between_two_quarters_is_told_with_what_to_do(uno: Uno) -> None:
    sensor = open_board_sensor("centre", {"port": uno.port})
    try:
        everything(sensor, until=lambda said: isinstance(said, DeviceStanding) and said.quarter == 0)
        uno.magnet(None)
        everything(
            sensor,
            until=lambda said: (
                isinstance(said, DeviceStanding)
                and said.state is DeviceState.FAULT
                and "until it clicks" in said.detail
            ),
        )
    finally:
        sensor.close()
