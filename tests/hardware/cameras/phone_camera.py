"""A phone's camera app: a page at its bare address, and an endless stream of one picture at ``/video``."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

PAUSE_S = 0.05


def picture() -> bytes:
    """Return a JPEG of a table that is green on the left."""
    pixels = np.full((90, 160, 3), 200, np.uint8)
    pixels[:, :80] = (90, 160, 90)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


class PhoneCamera:
    """Serves on loopback until it is closed."""

    def __init__(self) -> None:
        self._end = threading.Event()
        end, jpeg = self._end, picture()
        part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg)

        class Request(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path in ("/", "/video") else 404)
                kind = "multipart/x-mixed-replace; boundary=frame" if self.path == "/video" else "text/html"
                self.send_header("Content-Type", kind)
                self.end_headers()
                while self.path == "/video" and not end.is_set():
                    try:
                        self.wfile.write(part)
                    except OSError:
                        return
                    end.wait(PAUSE_S)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Request)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
