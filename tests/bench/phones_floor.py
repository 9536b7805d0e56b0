"""What the library alone takes: Flask-SocketIO as its manual shows it, a view for each seat and no table.

``python -m tests.bench.phones_floor`` answers the driver as the service does, and prints the same line. A tap
counts one up; every seat gets a view of its own, as large as the service's, the watchers one together.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from flask import Flask
from flask_socketio import SocketIO, join_room
from gunicorn.app.base import BaseApplication

from tests.bench.phones_server import SEATS
from web.service import SWITCH_S, listen

THREADS = 200
VIEW_LETTERS = 1900


def make_app() -> Flask:
    app = Flask(__name__)
    io = SocketIO(app, async_mode="threading", async_handlers=False)
    told = {"seq": 0}

    def view(room: str) -> dict[str, Any]:
        return {"seq": told["seq"], "seat": room, "rest": [room] * (VIEW_LETTERS // (len(room) + 3))}

    @io.on("connect")
    def connect(auth: dict[str, Any]) -> None:
        room = auth.get("token", "watch")
        join_room(room)
        io.emit("view", view(room), to=room)

    @io.on("tap")
    def tap(message: dict[str, Any]) -> dict[str, Any]:
        told["seq"] += 1
        for room in (*SEATS, "watch"):
            io.emit("view", view(room), to=room)
        return {"ok": True, "seq": told["seq"]}

    return app


class Floor(BaseApplication):  # type: ignore[misc]
    """gunicorn with one worker of threads, as the service is."""

    def __init__(self) -> None:
        self._listener = listen("127.0.0.1", 0)
        self._url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        super().__init__()

    def load_config(self) -> None:
        chosen: dict[str, Any] = {
            "bind": f"fd://{self._listener.fileno()}",
            "worker_class": "gthread",
            "threads": THREADS,
            "graceful_timeout": 1,
            "loglevel": "error",
            "control_socket_disable": True,
            "post_worker_init": self._tell,
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        sys.setswitchinterval(SWITCH_S)
        return make_app()

    def _tell(self, worker: object) -> None:
        tokens = [{"seat": seat, "token": seat} for seat in SEATS]
        sys.stdout.write(json.dumps({"url": self._url, "tokens": tokens}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    Floor().run()
