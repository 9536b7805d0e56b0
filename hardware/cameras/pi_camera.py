"""A camera on the Pi's ribbon cable, through picamera2 under the system's own Python (entry point ``pi``).

Settings: ``number`` (0), ``width``, ``height`` (1280 by 720), ``fps`` (10), ``lock`` (true: exposure, white
balance and focus stay as they are after two seconds), ``stall_ms`` (2000), ``python``, ``lens``.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from companion.options import number, read_options, text, whole, yes_or_no
from companion.ports import Camera, DeviceLost, Frame, Pixels
from hardware.cameras.lens import with_lens
from hardware.cameras.mailbox import Mailbox
from hardware.cameras.pi_frames import HEADER, MARK
from hardware.clock import monotonic_ms

OPTIONS = (
    whole("number", 0, 0, 3),
    whole("width", 1280, 160, 4608),
    whole("height", 720, 120, 2592),
    number("fps", 10, 1, 60),
    yes_or_no("lock", True),
    whole("stall_ms", 2000, 200, 60_000),
    text("python", "/usr/bin/python3"),
    text("lens", ""),
)
PROGRAM = Path(__file__).with_name("pi_frames.py")
FIRST_PICTURE_MS = 5000
LAST_WORDS = 12  # lines of what the program complained of
MOST_PIXELS = 4608 * 2592


class PiCamera:
    """Frames from a process that may hang in the camera's driver: then it is killed, and nothing else is."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        stall_ms: int = 2000,
        now_ms: Callable[[], int] = monotonic_ms,
    ) -> None:
        """Start the program. Raises DeviceLost where there is no such Python."""
        self.name = name
        self._stall_ms = stall_ms
        self._now_ms = now_ms
        self._box: Mailbox[tuple[Pixels, int, int]] = Mailbox()
        self._words: deque[str] = deque(maxlen=LAST_WORDS)
        self._late_ms = now_ms() + max(stall_ms, FIRST_PICTURE_MS)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise DeviceLost(
                f"The camera {name} needs {command[0]} ({error.strerror}). "
                "Name the system's Python by python = in its settings."
            ) from error
        self._threads = (
            threading.Thread(target=self._take, name=f"camera {name}", daemon=True),
            threading.Thread(target=self._listen, name=f"words of {name}", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for the newest frame; None when none came in time. Raises DeviceLost."""
        if self._now_ms() >= self._late_ms:
            self._process.kill()
            self._box.lose(
                f"The camera {self.name} has given no picture for {self._stall_ms / 1000:g} s. "
                f"It is started anew; if that does not help, look at its ribbon cable.{self._last_words()}"
            )
        taken = self._box.take(timeout_ms=timeout_ms)
        if taken is None:
            return None
        pixels, count, at_ms = taken
        return Frame(pixels, count, at_ms, self.name)

    def close(self) -> None:
        self._box.lose(f"The camera {self.name} was closed.")
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(timeout=1)

    def _take(self) -> None:
        out: Any = self._process.stdout
        with out:
            count = 0
            while (frame := _next_frame(out)) is not None:
                at_ms = self._now_ms()
                self._late_ms = at_ms + self._stall_ms
                self._box.put((frame, count, at_ms))
                count += 1
        self._process.wait()
        self._threads[1].join(timeout=1)
        self._box.lose(
            f"The camera {self.name} ended its pictures.{self._last_words()} "
            "On a Raspberry Pi it needs `sudo apt install python3-picamera2`."
        )

    def _listen(self) -> None:
        words: Any = self._process.stderr
        with words:
            for line in words:
                self._words.append(line.decode("utf-8", "replace").strip())

    def _last_words(self) -> str:
        said = next((line for line in reversed(self._words) if line), "")
        return f" It said: {said.rstrip('.')}." if said else ""


def _next_frame(out: IO[bytes]) -> Pixels | None:
    """Return the next frame, None at the end or where there is none."""
    head = out.read(HEADER.size)
    if len(head) < HEADER.size:
        return None
    mark, width, height, _ = HEADER.unpack(head)
    if mark != MARK or not 0 < width * height <= MOST_PIXELS:
        return None
    pixels = out.read(width * height * 3)
    if len(pixels) < width * height * 3:
        return None
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)


def open_camera(name: str, settings: Mapping[str, Any]) -> Camera:
    """Open a ribbon camera. Raises DeviceLost without a Python, ValueError for wrong settings.

    A camera that is not there is lost at the first read, with what picamera2 said.
    """
    options = read_options(f"camera {name}", settings, OPTIONS)
    wanted = {key: options[key] for key in ("number", "width", "height", "fps", "lock")}
    command = (options["python"], str(PROGRAM), json.dumps(wanted))
    return with_lens(PiCamera(name, command, stall_ms=options["stall_ms"]), options["lens"])
