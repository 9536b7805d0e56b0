"""A die and a rotor in software, each on a pseudo-terminal, speaking TLP/1.

What they say is decided by their ``chips``; ``Plug`` does the waiting and the bytes. Faults can be
switched on: that is what they are for.
"""

from __future__ import annotations

import errno
import os
import select
import tempfile
import threading
import time
import tty
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from hardware.line_stream import LineSplitter
from hardware.simulated.chips import Chip, DieChip, RotorChip
from hardware.simulated.world import Impossible


class Plug:
    """A device's cable: a pseudo-terminal under a link that stays the same when it is replugged."""

    def __init__(self, link: Path, chip: Chip) -> None:
        self.link = link
        self.chip = chip
        self._began_s = time.monotonic()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._master: int | None = None
        self._splitter = LineSplitter()
        self.is_silent = False
        self._noise = b""
        self.plug_in()
        self._thread = threading.Thread(target=self._run, name=f"device {link.name}", daemon=True)
        self._thread.start()

    def now_ms(self) -> int:
        """Return the device's clock; it begins at 1, so that nothing is due before it."""
        return int((time.monotonic() - self._began_s) * 1000) + 1

    @property
    def is_plugged(self) -> bool:
        return self._master is not None

    def plug_in(self) -> None:
        """Plug the device in; it boots as real ones do."""
        with self._lock:
            if self._master is not None:
                return
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            port = os.ttyname(slave)
            os.close(slave)  # from now on the master hangs up while nobody has the port open
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(port)
            self._splitter = LineSplitter()
            self.chip.reboot(self.now_ms())
            self._master = master

    def unplug(self) -> None:
        """Pull the cable: whoever has the port open loses it, and the link is gone."""
        with self._lock:
            if self._master is not None:
                self.link.unlink(missing_ok=True)
                os.close(self._master)
                self._master = None

    def reboot(self) -> None:
        with self._lock:
            self.chip.reboot(self.now_ms())

    def garble(self, length: int = 200) -> None:
        """Put bytes on the line that mean nothing."""
        with self._lock:
            self._noise = Random(length).randbytes(length)

    def close(self) -> None:
        self._end.set()
        self._thread.join(timeout=2.0)
        self.unplug()

    def _run(self) -> None:
        while not self._end.is_set():
            with self._lock:
                is_open = self._step()
            self._end.wait(0.01 if is_open else 0.05)

    def _step(self) -> bool:
        """Read and write once; tell whether somebody has the port open."""
        master = self._master
        if master is None:
            return False
        poll = select.poll()
        poll.register(master, select.POLLIN)
        events = dict(poll.poll(0)).get(master, 0)
        now_ms = self.now_ms()
        if events & select.POLLIN:
            for line in self._splitter.feed(_read(master)):
                self.chip.heard(line, now_ms)
        said = self.chip.says(now_ms)  # time passes for the chip, heard or not
        if events & select.POLLHUP:
            return False
        if self._noise:
            _write(master, self._noise)
            self._noise = b""
        if said and not self.is_silent:
            _write(master, said)
        return True


def _read(master: int) -> bytes:
    try:
        return os.read(master, 4096)
    except OSError:  # the host closed the port between the poll and now
        return b""


def _write(master: int, said: bytes) -> None:
    try:
        os.write(master, said)
    except OSError as error:  # a host that does not read loses lines, as on a real cable
        if error.errno not in (errno.EAGAIN, errno.EIO):
            raise


class Die:
    """The die as hands use it."""

    def __init__(self, plug: Plug, chip: DieChip, speed: float) -> None:
        self.plug = plug
        self._chip = chip
        self._took_ms = round(1200 / speed)

    def roll(self, face: int) -> None:
        """Roll; the die will say so when it lies still."""
        self._chip.roll(face, self.plug.now_ms(), self._took_ms)


class Rotor:
    """The sensor under the disc."""

    def __init__(self, plug: Plug, chip: RotorChip, speed: float) -> None:
        self.plug = plug
        self._chip = chip
        self._took_ms = round(1500 / speed)

    def turn(self, delta: int) -> None:
        """Turn the disc by quarters; the sensor will say so when it is at rest."""
        self._chip.turn(delta, self.plug.now_ms(), self._took_ms)


class Devices:
    """Both devices, their links in a folder of their own. ``close`` unplugs them and removes it."""

    def __init__(self, seed: int, speed: float) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="companion-table-")
        folder = Path(self._folder.name)
        die, rotor = DieChip("D-51B0D1", seed), RotorChip("R-51B0D2", seed)
        self.die = Die(Plug(folder / "die", die), die, speed)
        self.rotor = Rotor(Plug(folder / "rotor", rotor), rotor, speed)

    def listed(self) -> dict[str, dict[str, Any]]:
        """Return where the devices are, as JSON."""
        return {
            name: {"port": str(plug.link), "id": plug.chip.name, "plugged": plug.is_plugged}
            for name, plug in self._plugs().items()
        }

    def set_fault(self, device: str, fault: str) -> None:
        """Switch a fault on or off. Raises Impossible for what there is not."""
        plug = self._plugs().get(device)
        if plug is None:
            raise Impossible(f"There is no device {device!r}; there is die and rotor.")
        faults: Mapping[str, Any] = {
            "unplug": plug.unplug,
            "replug": plug.plug_in,
            "reboot": plug.reboot,
            "garbage": plug.garble,
            "bye": lambda: plug.chip.farewell(plug.now_ms()),
            "silence": lambda: setattr(plug, "is_silent", True),
            "speak": lambda: setattr(plug, "is_silent", False),
        }
        if fault not in faults:
            raise Impossible(f"There is no fault {fault!r}; there is {', '.join(faults)}.")
        faults[fault]()

    def close(self) -> None:
        for plug in self._plugs().values():
            plug.close()
        self._folder.cleanup()

    def _plugs(self) -> dict[str, Plug]:
        return {"die": self.die.plug, "rotor": self.rotor.plug}
