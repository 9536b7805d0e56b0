"""One serial port, opened with good manners; and the ports that are there.

The only module that imports pyserial, and only when a port is opened. Real ports,
USB and UART, and pseudo-terminals alike.
"""

from __future__ import annotations

import contextlib
import errno
import grp
import os
import select
import termios
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from companion.ports import Need

AUTO = "auto"
LIKELY = ("/dev/ttyACM*", "/dev/ttyUSB*")
READ_BYTES = 4096


class PortUnusable(Exception):
    """A port that cannot be opened now; why, and what to do (``need``)."""

    def __init__(self, why: str, need: Need | None = None) -> None:
        super().__init__(why)
        self.need = need


class PortGone(Exception):
    """An open port whose device went away."""


class Tty:
    """An open port. Reading waits, writing never does."""

    def __init__(self, path: str, speed_baud: int) -> None:
        """Open a port. Raises PortUnusable."""
        import serial  # noqa: PLC0415

        port = serial.Serial()
        port.port, port.baudrate, port.exclusive = path, speed_baud, True
        if is_bridge(path):
            # A UART bridge resets its board on DTR; native USB says nothing without it.
            port.dtr = port.rts = False
        try:
            port.open()
        except (OSError, ValueError, termios.error) as error:
            raise PortUnusable(why_unusable(path, error), _need(error)) from error
        self._port = port
        self._file = int(port.fileno())
        if is_bridge(path):
            _keep_lines_on_close(self._file)

    def read(self, *, timeout_ms: int) -> bytes:
        """Return what came, empty when nothing came in time. Raises PortGone."""
        try:
            if not select.select([self._file], [], [], max(0, timeout_ms) / 1000)[0]:
                return b""
            received = os.read(self._file, READ_BYTES)
        except BlockingIOError:
            return b""
        except (OSError, ValueError) as error:
            raise PortGone(str(error)) from error
        if not received:
            raise PortGone("the port is ready but gives nothing")
        return received

    def write(self, line: bytes) -> bool:
        """Write what the device takes at once; False if it did not take all. Raises PortGone."""
        try:
            return os.write(self._file, line) == len(line)
        except BlockingIOError:
            return False
        except (OSError, ValueError) as error:
            raise PortGone(str(error)) from error

    def close(self) -> None:
        with contextlib.suppress(OSError, termios.error):
            self._port.close()


def is_bridge(path: str) -> bool:
    """Tell whether a port is a UART behind USB (CH340, CP210x, FTDI), whatever link leads to it."""
    return os.path.realpath(path).startswith("/dev/ttyUSB")


def ports_matching(wanted: str) -> Sequence[str]:
    """Return the ports there now: of ``auto``, of a pattern such as ``/dev/ttyACM*``, or the one named."""
    patterns = LIKELY if wanted == AUTO else (wanted,)
    return tuple(sorted(path for pattern in patterns for path in glob(pattern)))  # noqa: PTH207


def _need(error: BaseException) -> Need | None:
    number = error.errno if isinstance(error, OSError) else None
    needs = {errno.EACCES: Need.NOT_ALLOWED, errno.EPERM: Need.NOT_ALLOWED}
    return {**needs, errno.EBUSY: Need.TAKEN, errno.EAGAIN: Need.TAKEN}.get(number or 0)


def why_unusable(path: str, error: BaseException) -> str:
    """Say in one sentence why a port cannot be opened, and in another what to do."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return no_such_port(path)
    if number in (errno.EACCES, errno.EPERM):
        return f"The port {path} may not be opened by this user. {_how_to_be_let_in(path)}"
    if number in (errno.EBUSY, errno.EAGAIN):
        who = _users_of(path)
        return f"The port {path} is in use by {who}. Close that program; the companion takes the port then."
    return (
        f"{path} is no serial port ({error}). Name another one; `companion listen auto` shows what is there."
    )


def no_such_port(path: str) -> str:
    """Say that a port is not there and what to do."""
    if path == AUTO or any(sign in path for sign in "*?["):
        where = " or ".join(LIKELY) if path == AUTO else path
        return f"No serial port is there ({where}). Plug the device in."
    there = ports_matching(AUTO)
    others = f"There are: {', '.join(there)}." if there else "No other serial port is there either."
    return f"There is no port {path}. Plug the device in or correct the port in the settings. {others}"


def _how_to_be_let_in(path: str) -> str:
    try:
        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        return "Ask who owns this computer to let you."
    if group == "root":
        return f"It belongs to root; run `sudo chgrp dialout {path} && sudo chmod g+rw {path}`."
    return f"It belongs to the group {group}: run `sudo usermod -aG {group} $USER` and log in again."


def _users_of(path: str) -> str:
    """Return the programs that have a port open, as far as this user may see."""
    wanted = os.path.realpath(path)
    users = []
    for folder in Path("/proc").glob("[0-9]*/fd"):
        with contextlib.suppress(OSError):
            if any(os.path.realpath(file) == wanted for file in folder.iterdir()):
                pid = int(folder.parent.name)
                name = (folder.parent / "comm").read_text(encoding="utf-8", errors="replace").strip()
                users.append("this companion itself" if pid == os.getpid() else f"{name} (process {pid})")
    return " and ".join(sorted(set(users))) or "another program"


def _keep_lines_on_close(file: int) -> None:
    """Switch HUPCL off, so that closing the port does not reset the board either."""
    with contextlib.suppress(termios.error):
        attributes = termios.tcgetattr(file)
        attributes[2] &= ~termios.HUPCL
        termios.tcsetattr(file, termios.TCSANOW, attributes)
