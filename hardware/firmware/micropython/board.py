"""What a Pi Pico gives the firmware: its number, its clock, its USB line, its bus. MicroPython only."""

import os
import select
import sys
import time

import machine
import micropython

WATCHDOG_MS = 8000
STAY_FILE = "stay.txt"  # while it is there, the next start leaves the line to whoever brings new files
I2C_HZ = 400_000
READ_BYTES = 256


def device_name(letter: str) -> str:
    """Return the name by which the host knows this chip, for ever."""
    return letter + "-" + "".join([f"{byte:02X}" for byte in machine.unique_id()])[-6:]


def boot_number() -> int:
    """Return a number that is another one at each start."""
    high, low = os.urandom(2)
    return (high << 8 | low) or 1


def open_bus() -> machine.I2C:
    """Return the bus on GP4 (data) and GP5 (clock)."""
    return machine.I2C(0, sda=machine.Pin(4), scl=machine.Pin(5), freq=I2C_HZ)


class Uptime:
    """Milliseconds since the start that never wrap; the board's own ticks do, every twelve days."""

    def __init__(self) -> None:
        self._last: int = time.ticks_ms()  # type: ignore[attr-defined]
        self.now_ms = 0

    def tick(self) -> int:
        """Return the time now."""
        now: int = time.ticks_ms()  # type: ignore[attr-defined]
        self.now_ms += time.ticks_diff(now, self._last)  # type: ignore[attr-defined]
        self._last = now
        return self.now_ms


class UsbLine:
    """The USB serial line. Never waits: what the host does not take is dropped."""

    def __init__(self) -> None:
        micropython.kbd_intr(-1)  # a stray 0x03 must not stop the device
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)

    def read(self) -> bytes:
        """Return what came from the host."""
        received = b""
        while len(received) < READ_BYTES and self._in.poll(0):
            received += sys.stdin.buffer.read(1)
        return received

    def write(self, said: bytes) -> None:
        """Say something, if anybody listens."""
        if said and self._out.poll(0):
            sys.stdout.buffer.write(said)


def must_stay() -> bool:
    """Tell whether new files are to be brought: then nothing is started, once."""
    if STAY_FILE not in os.listdir():
        return False
    os.remove(STAY_FILE)
    return True


def stay() -> None:
    """Start anew, and leave the line alone: a watchdog cannot be stopped in any other way."""
    with open(STAY_FILE, "w") as file:
        file.write("new files are coming")
    machine.reset()


class Program:
    """What a board does for ever: ``step`` at each step, on time; a hang restarts the board."""

    step_ms = 10

    def step(self, now_ms: int) -> None:
        """Feel, think, speak."""
        raise NotImplementedError

    def run(self) -> None:
        """Step until the board is switched off, or told to wait for new files."""
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        uptime = Uptime()
        next_ms = 0
        while True:
            now_ms = uptime.tick()
            if now_ms < next_ms:
                time.sleep_ms(next_ms - now_ms)  # type: ignore[attr-defined]
                continue
            next_ms = max(next_ms + self.step_ms, now_ms)
            watchdog.feed()
            self.step(now_ms)
