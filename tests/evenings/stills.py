"""A camera for tests: stills as MJPEG over HTTP, five a second, each with a little fresh noise."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np

FRAME_INTERVAL_S = 0.2
NOISE_LEVELS = 1.5  # standard deviation in grey levels: what a quiet sensor adds to a still


class StillsServer:
    """Shows one still at a time until told to show another; the address is ``url``."""

    def __init__(self, stills: Sequence[Path]) -> None:
        self._stills = list(stills)
        self._chance = np.random.default_rng(7)
        self._pixels = cv2.imread(str(self._stills[0]))
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._sent = threading.Condition()
        self._sent_of_this = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/camera.mjpg"

    def __len__(self) -> int:
        return len(self._stills)

    def show(self, number: int) -> None:
        """Put another still before the lens."""
        pixels = cv2.imread(str(self._stills[number]))
        with self._lock:
            self._pixels = pixels
        with self._sent:
            self._sent_of_this = 0

    def wait_for_frames(self, count: int) -> None:
        """Return once so many frames of this still went out: two seconds are ten of them."""
        with self._sent:
            assert self._sent.wait_for(lambda: self._sent_of_this >= count, timeout=60)

    def close(self) -> None:
        self._closed.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(timeout=5)

    def _jpeg(self) -> bytes:
        with self._lock:
            pixels = self._pixels
            noise = self._chance.normal(0, NOISE_LEVELS, pixels.shape[:2]).astype(np.float32)
        noisy = np.clip(pixels.astype(np.float32) + noise[..., None], 0, 255).astype(np.uint8)
        return cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: Any) -> None:
                """Stay quiet: the test says what went wrong."""

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while not server._closed.wait(FRAME_INTERVAL_S):
                        jpeg = server._jpeg()
                        self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                        self.wfile.write(b"Content-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n")
                        with server._sent:
                            server._sent_of_this += 1
                            server._sent.notify_all()
                except OSError:
                    return  # the camera's reader went away; it will come back by itself

        return Handler
