"""A camera that sends MJPEG over HTTP: a phone, uStreamer, another computer (entry point ``mjpeg``).

Settings: ``url``; ``stall_ms``, how long without a picture before it is lost (2000 if not said).
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from companion.options import read_options, text, whole
from companion.ports import Camera, Frame
from hardware.cameras.http_stream import HttpStream, shown, split_url
from hardware.cameras.lens import with_lens
from hardware.cameras.mailbox import Mailbox
from hardware.cameras.multipart import PartSplitter
from hardware.clock import monotonic_ms

OPTIONS = (text("url"), whole("stall_ms", 2000, 200, 60_000), text("lens", ""))
OPEN_S = 5.0
FIRST_PICTURE_MS = 5000


class MjpegCamera:
    """Reads a stream in a thread, keeps the newest picture undecoded, decodes it when it is asked for.

    ``spoilt`` counts pictures that were none; ``overtaken`` those that nobody asked for in time.
    """

    def __init__(
        self, name: str, url: str, *, stall_ms: int = 2000, now_ms: Callable[[], int] = monotonic_ms
    ) -> None:
        """Open the stream. Raises DeviceLost."""
        self.name = name
        self.spoilt = 0
        self._url = shown(url)
        self._stall_ms = stall_ms
        self._now_ms = now_ms
        self._stream = HttpStream(url, timeout_s=OPEN_S)
        self._box: Mailbox[tuple[bytes, int, int]] = Mailbox()
        self._is_closed = False
        self._thread = threading.Thread(target=self._listen, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def overtaken(self) -> int:
        return self._box.overtaken

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for a picture newer than the last; None when none came in time. Raises DeviceLost."""
        deadline_ms = self._now_ms() + timeout_ms
        while True:
            part = self._box.take(timeout_ms=deadline_ms - self._now_ms())
            if part is None:
                return None
            jpeg, number, at_ms = part
            picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            if picture is not None:
                return Frame(np.asarray(picture, np.uint8), number, at_ms, self.name)
            self.spoilt += 1

    def close(self) -> None:
        """Close the stream; the object is of no more use."""
        self._is_closed = True
        self._box.lose(f"The camera {self.name} was closed.")
        self._stream.hang_up()
        self._thread.join(timeout=1)

    def _listen(self) -> None:
        try:
            self._box.lose(self._pictures_until_it_ends())
        finally:
            self._stream.close()

    def _pictures_until_it_ends(self) -> str:
        """Put pictures into the box as they come; return why they end."""
        again = "It is opened again as soon as it answers."
        stalled = f"The camera at {self._url} has sent no picture for {self._stall_ms / 1000:g} s. {again}"
        splitter = PartSplitter(self._stream.boundary)
        number, late_ms = 0, self._now_ms() + max(self._stall_ms, FIRST_PICTURE_MS)
        while not self._is_closed:
            left_ms = late_ms - self._now_ms()
            if left_ms <= 0:
                return stalled
            try:
                self._stream.wait_at_most(left_ms / 1000)
                received = self._stream.read()
            except TimeoutError:
                return stalled
            except (OSError, ValueError, http.client.HTTPException):
                received = b""
            if not received:
                return f"The camera at {self._url} has ended its stream. {again}"
            at_ms = self._now_ms()
            for part in splitter.feed(received):
                if is_whole_jpeg(part):
                    self._box.put((part, number, at_ms))
                    number, late_ms = number + 1, at_ms + self._stall_ms
                else:
                    self.spoilt += 1
        return f"The camera {self.name} was closed."


def is_whole_jpeg(part: bytes) -> bool:
    """Tell whether a part begins and ends as a JPEG does: OpenCV would fill up half a picture with grey."""
    return part.startswith(b"\xff\xd8") and part[-64:].rstrip(b"\0\r\n \t").endswith(b"\xff\xd9")


def open_camera(name: str, settings: Mapping[str, Any]) -> Camera:
    """Open a stream. Raises DeviceLost when it does not answer, ValueError for wrong settings."""
    options = read_options(f"camera {name}", settings, OPTIONS)
    split_url(options["url"])
    return with_lens(MjpegCamera(name, options["url"], stall_ms=options["stall_ms"]), options["lens"])
