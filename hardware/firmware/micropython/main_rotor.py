"""The program of a turning board: copied to it as ``main.py``, beside tlp, rotor, as5600 and board."""

from as5600 import read_magnet, read_tenths
from board import Program, UsbLine, boot_number, device_name, must_stay, open_bus, stay
from rotor import Rotor
from tlp import MOVING_MS, Voice

ZERO_FILE = "zero.txt"


class RotorProgram(Program):
    """Reads the angle fifty times a second; while the board moves it is told ten times a second."""

    step_ms = 20

    def __init__(self) -> None:
        self._bus, self._line = open_bus(), UsbLine()
        self._kept = _kept()
        self._rotor = Rotor(*self._kept)
        self._voice = Voice(device_name("R"), "pico-as5600", boot_number(), self._rotor)
        self._spoke_ms = 0

    def step(self, now_ms: int) -> None:
        try:
            said = self._rotor.sense(read_tenths(self._bus), read_magnet(self._bus), now_ms)
        except OSError:
            said = self._rotor.sense(None, 0, now_ms)
        if said == "TURN":
            self._voice.say_thrice(now_ms, "TURN", self._rotor.turned())
        if said or (self._rotor.state == "M" and now_ms - self._spoke_ms >= MOVING_MS):
            self._spoke_ms = now_ms
            self._voice.say_status(now_ms)
        self._voice.hear(self._line.read(), now_ms)
        self._line.write(self._voice.due(now_ms))
        if self._voice.wants_update:
            stay()
        self._keep()

    def _keep(self) -> None:
        """Write zero and sign down when they changed; flash is not for every step."""
        now = (self._rotor.zero_tenths, self._rotor.sign)
        if now != self._kept:
            self._kept = now
            with open(ZERO_FILE, "w") as file:
                file.write(f"{now[0]} {now[1]}")


def _kept() -> tuple[int, int]:
    """Return the zero and the sign that were set before, so that they outlast a power cut."""
    try:
        with open(ZERO_FILE) as file:
            zero, sign = file.read().split()
            return int(zero), int(sign)
    except (OSError, ValueError):
        return 0, 1


if not must_stay():
    RotorProgram().run()
