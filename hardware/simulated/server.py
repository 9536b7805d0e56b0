"""The simulated table over HTTP on loopback: cameras as MJPEG, hands and faults as JSON."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from hardware.simulated.devices import Devices
from hardware.simulated.feeds import Feed
from hardware.simulated.world import Impossible

log = logging.getLogger(__name__)

_BOUNDARY = "tableframe"
_MOST_BODY_BYTES = 65_536
_SEND_BUFFER_BYTES = 65_536  # small, so that "sent" is close to "received"


class Settled(Protocol):
    """How a table is set."""

    @property
    def seats(self) -> tuple[str, ...]: ...

    @property
    def speed(self) -> float: ...


class ServedTable(Protocol):
    """A table that can be looked at and has hands; ``hardware.simulated.table.SimulatedTable``."""

    devices: Devices

    @property
    def feeds(self) -> Mapping[str, Feed[Any]]: ...

    @property
    def setting(self) -> Settled: ...

    def truth(self) -> dict[str, Any]: ...

    def do(self, said: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def close(self) -> None: ...


class TableServer(ThreadingHTTPServer):
    """Serves one table. ``port`` 0 takes a free one."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, table: ServedTable, port: int = 0) -> None:
        self.table = table
        self.is_ending = False
        super().__init__(("127.0.0.1", port), _Visit)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def described(self) -> dict[str, Any]:
        """Return what there is, as JSON: the address, cameras, devices, seats."""
        return {
            "url": self.url,
            "cameras": {name: f"{self.url}/cameras/{name}.mjpg" for name in self.table.feeds},
            "devices": self.table.devices.listed(),
            "seats": list(self.table.setting.seats),
            "speed": self.table.setting.speed,
        }

    def shutdown(self) -> None:
        self.is_ending = True
        super().shutdown()


class _Visit(BaseHTTPRequestHandler):
    """One request."""

    server: TableServer
    protocol_version = "HTTP/1.1"
    server_version = "companion"
    sys_version = ""

    def do_GET(self) -> None:
        table = self.server.table
        path = self.path.partition("?")[0]
        rooms: Mapping[str, Callable[[], Any]] = {
            "/world": table.truth,
            "/devices": table.devices.listed,
            "/cameras": self.server.described,
        }
        if path == "/":
            self._page()
        elif path in rooms:
            self._json(HTTPStatus.OK, rooms[path]())
        elif path.startswith("/cameras/"):
            self._camera(path.removeprefix("/cameras/"))
        else:
            self._json(HTTPStatus.NOT_FOUND, {"error": f"There is nothing at {path}."})

    def do_POST(self) -> None:
        try:
            said = self._body()
            if self.headers.get("Origin", self.server.url) != self.server.url:
                self._json(HTTPStatus.FORBIDDEN, {"error": "Pages from elsewhere have no hands here."})
            elif self.path == "/hands":
                self._json(HTTPStatus.OK, self.server.table.do(said))
            elif self.path == "/faults":
                self.server.table.devices.set_fault(str(said.get("device")), str(said.get("fault")))
                self._json(HTTPStatus.OK, {})
            else:
                self._json(HTTPStatus.NOT_FOUND, {"error": f"There is nothing at {self.path}."})
        except Impossible as no:
            self._json(HTTPStatus.BAD_REQUEST, {"error": str(no)})

    def _body(self) -> Mapping[str, Any]:
        """Read the JSON object that was sent. Raises Impossible."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _MOST_BODY_BYTES:
            self.close_connection = True
            raise Impossible(f"Send a body of at most {_MOST_BODY_BYTES} bytes.")
        try:
            said = json.loads(self.rfile.read(int(length)))
        except ValueError as no:
            raise Impossible(f"The body is no JSON: {no}.") from no
        if not isinstance(said, dict):
            raise Impossible("Send a JSON object.")
        return said

    def _json(self, status: HTTPStatus, said: Any) -> None:
        self._whole(status, "application/json", json.dumps(said).encode() + b"\n")

    def _whole(self, status: HTTPStatus, kind: str, body: bytes, **more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def _page(self) -> None:
        rows = "".join(
            f'<li><a href="/cameras/{name}.mjpg">{name}</a> (<a href="/cameras/{name}.jpg">still</a>)</li>'
            for name in self.server.table.feeds
        )
        page = (
            "<!doctype html><html lang='en'><meta charset='utf-8'><title>Simulated table</title>"
            f"<h1>Simulated table</h1><p>Cameras</p><ul>{rows}</ul>"
            "<p><a href='/world'>world</a>, <a href='/devices'>devices</a>;"
            " hands listen at POST /hands.</p></html>"
        )
        self._whole(HTTPStatus.OK, "text/html; charset=utf-8", page.encode())

    def _camera(self, file: str) -> None:
        name, _, form = file.rpartition(".")
        feed = self.server.table.feeds.get(name)
        if feed is None or form not in ("jpg", "mjpg"):
            known = ", ".join(self.server.table.feeds)
            self._json(HTTPStatus.NOT_FOUND, {"error": f"There is no camera {file!r}; there is {known}."})
        elif form == "jpg":
            shot = feed.shot()
            self._whole(HTTPStatus.OK, "image/jpeg", shot.jpeg, X_Frame=str(shot.number))
        else:
            self._stream(feed)

    def _stream(self, feed: Feed[Any]) -> None:
        """Send frames until the onlooker goes or the server ends."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        onlooker = feed.join()
        due_s = time.monotonic()
        try:
            while not self.server.is_ending:
                shot = feed.shot()
                head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(shot.jpeg)}\r\n"
                self.wfile.write(f"{head}X-Frame: {shot.number}\r\n\r\n".encode() + shot.jpeg + b"\r\n")
                feed.was_sent(onlooker, shot)
                due_s = max(due_s + feed.interval_s, time.monotonic())
                feed.wait_for(due_s)
        except OSError:
            log.debug("camera %s: an onlooker went away", feed.name)
        finally:
            feed.leave(onlooker)

    def log_message(self, format: str, *args: Any) -> None:
        log.debug("%s: " + format, self.client_address[0], *args)
