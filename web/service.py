"""The service: gunicorn with one worker, run from our own command and set as sockets need it.

The master binds the port; host, writer and senses start inside the worker, after its fork, which
then says where phones find the table.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import logging
import mmap
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.errors import AppImportError
from gunicorn.glogging import Logger

from companion.journal import JournalUnusable
from companion.plugins import PartUnusable
from companion.settings import CannotStart, Settings, home
from companion.table.home_lock import HomeTaken
from companion.table.host import Host
from companion.table.restore import wanted
from companion.table.safe_mode import Proving, settle_restored
from web.app import Web, WebOptions, create_app
from web.repair import RepairPage
from web.vigil import Vigil
from web.wifi import own_wifi

log = logging.getLogger(__name__)

THREADS_FOR_PAGES = 8
"""Each socket holds two threads for as long as it lives; pages need some beside them."""

GRACEFUL_S = 2
"""With open sockets gunicorn waits all of this before it stops; its own 30 s feel like a hang."""

SWITCH_S = 0.001
"""How soon a thread that draws pages makes way for one that answers a tap.

Python's own 5 ms are felt: with 1 ms a tap is answered in half the time (10.8 to 4.8 ms, six pages).
"""

ANSWERED_S = 0.3
"""A page that asks for a fresh worker is answered first."""

LOWEST_FREE_PORT, HIGHEST_PORT = 1024, 65535
PORTS_NEAR = 20
PORT_WAIT_S, PORT_AGAIN_S = 3.0, 0.25

SYSTEMD_ASKS = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
"""What systemd wants to be told, and how often; it is the worker that tells."""

PR_SET_PDEATHSIG = 1
"""Linux: send this process a signal when its parent dies, see prctl(2)."""


class PortTaken(CannotStart):
    """Somebody else listens there."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"Port {port} of {host} is taken, perhaps by another companion. "
            "Stop it, or choose another port with --port."
        )
        self.port = port


class PortClosed(CannotStart):
    """The port may not be opened, or the address is not this computer's."""

    def __init__(self, host: str, port: int, why: str) -> None:
        hint = "Choose a port from 1024 upwards" if port < LOWEST_FREE_PORT else "Check --host"
        super().__init__(f"Port {port} of {host} cannot be opened: {why}. {hint}.")
        self.port = port


def listen(host: str, port: int) -> socket.socket:
    """Open the port for phones; port 0 lets the system choose one. Raises PortTaken or PortClosed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(host, port) from error
        raise PortClosed(host, port, error.strerror or str(error)) from error
    return listener


def listen_near(host: str, port: int) -> socket.socket:
    """Open the port of the settings, or one near it where that is not to be had.

    Raises PortTaken or PortClosed if there is none at all.
    """
    waiting = threading.Event()
    for _ in range(int(PORT_WAIT_S / PORT_AGAIN_S)):
        try:
            return listen(host, port)
        except PortTaken:  # perhaps by a service that is just ending
            waiting.wait(PORT_AGAIN_S)
        except PortClosed:
            break
    begin = max(port, LOWEST_FREE_PORT) + 1
    for near in (*range(begin, begin + PORTS_NEAR), 0):
        with suppress(PortTaken):
            return listen(host, min(near, HIGHEST_PORT))
    return listen(host, port)


def own_side(listener: socket.socket) -> tuple[str, int]:
    """Return the address and port by which this computer itself comes in at a listener."""
    address, port = listener.getsockname()[:2]
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address), port


def end_with_parent() -> None:
    """Let the worker die with its master, so that a killed service holds neither port nor folder."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class QuietLogger(Logger):  # type: ignore[misc]
    """gunicorn's logger without the three lines that follow a reason which was told already."""

    ECHOES = ("Worker (pid:%s) exited with code", "Shutting down: %s", "Reason: %s")

    def error(self, msg: object, *args: object, **kwargs: object) -> None:
        is_echo = str(msg).startswith(self.ECHOES)
        if is_echo:
            self.info(msg, *args, **kwargs)
        else:
            super().error(msg, *args, **kwargs)


class Service(BaseApplication):  # type: ignore[misc]
    """A gunicorn that serves one table at its listeners. ``serve()`` does not return before it is stopped.

    ``opens`` opens the table, given a way to end this worker for a fresh one; ``options`` says how the
    web stands in the network, by the settings that it was opened with; ``lines`` is how many pages may
    look on. ``announce`` is called once, in the worker, when pages can be had. ``is_strict``: what
    keeps the table from opening ends the service; else a page says it until it is mended.
    """

    def __init__(
        self,
        opens: Callable[[Callable[[], None]], Host],
        listeners: Sequence[socket.socket],
        options: Callable[[Settings], WebOptions],
        announce: Callable[[], None],
        *,
        lines: int,
        is_strict: bool = False,
    ) -> None:
        self._opens = opens
        self._listeners = listeners
        self._own_side = own_side(listeners[0])  # asked now: gunicorn makes sockets of its own of them
        self._options = options
        self._announce = announce
        self._lines = lines
        self._is_strict = is_strict
        self._host: Host | None = None
        self._web: Web | None = None
        self._proving: Proving | None = None
        self._vigil: Vigil | None = None
        self._systemd: dict[str, str] = {}
        self._has_announced = mmap.mmap(-1, 1)  # one byte that all workers see
        super().__init__()

    def serve(self) -> int:
        """Serve until stopped; return 0, or 1 if the worker could not start and has said why."""
        master = os.getpid()
        # Kept from gunicorn's master, which would say READY before there is a page.
        self._systemd = {name: os.environ.pop(name) for name in SYSTEMD_ASKS if name in os.environ}
        try:
            self.run()
        except SystemExit as end:
            if os.getpid() != master:
                raise  # the worker comes by here, too; how it ends is for the master to read
            return 1 if end.code else 0
        return 0

    def load_config(self) -> None:
        chosen: dict[str, Any] = {
            "bind": [f"fd://{listener.fileno()}" for listener in self._listeners],
            "worker_class": "gthread",
            "workers": 1,
            "threads": 2 * self._lines + THREADS_FOR_PAGES,
            "graceful_timeout": GRACEFUL_S,
            "preload_app": False,
            "keepalive": 5,
            "loglevel": "warning",
            "logger_class": QuietLogger,
            "proc_name": "companion",
            "control_socket_disable": True,
            "post_fork": lambda server, worker: self._begin_worker(),
            "post_worker_init": self._ready,
            "worker_exit": lambda server, worker: self.put_down(),
        }
        for name, value in chosen.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def _begin_worker(self) -> None:
        end_with_parent()
        os.environ.update(self._systemd)

    def load(self) -> Callable[..., Any]:
        """Open the host and return its web. Called inside the worker."""
        sys.setswitchinterval(SWITCH_S)
        try:
            self._host = self._opens(begin_again)
        except (CannotStart, PartUnusable, JournalUnusable) as error:
            # Another service of the same folder has a page of its own.
            if self._is_strict or isinstance(error, HomeTaken):
                raise AppImportError(str(error)) from error
            return RepairPage(str(error), begin_again)
        try:
            app, _ = create_app(self._host, self._options(self._host.settings))
        except Exception:
            if wanted(home()) is None:
                raise
            # The pages cannot be made with what was restored; the next worker puts it back.
            log.exception("restore: no pages can be made")
            self._host.close()
            self._host = None
            return RepairPage("The backup cannot be used. All is put back as it was.", begin_again)
        settle_restored(home())
        self._web = app.extensions["companion"]
        return app

    def _ready(self, worker: Any) -> None:
        # What was loaded stays; to look through it for waste again and again is felt as a hitch.
        gc.collect()
        gc.freeze()
        if self._host is not None:
            self._proving = Proving(self._host)
        if self._host is not None and self._web is not None:
            self._host.tell_address(self._web.room.whereabouts.address)
        self._keep_vigil()
        if not self._has_announced[0]:  # a worker that replaces another has nothing new to tell
            self._has_announced[0] = 1
            self._announce()

    def _keep_vigil(self) -> None:
        """Let systemd know how it goes, if it asked."""
        if os.environ.get("NOTIFY_SOCKET"):
            whereabouts = self._web.room.whereabouts if self._web else None
            self._vigil = Vigil(self._host, self._own_side, whereabouts)

    def put_down(self) -> None:
        """Close what ``load`` opened, in order."""
        if self._vigil is not None:
            self._vigil.close()
        if self._proving is not None:
            self._proving.close()
        if self._web is not None:
            self._web.close()
        if self._host is not None:
            self._host.close()


def begin_again() -> None:
    """End this worker in order, once the request in hand is answered; gunicorn starts a fresh one."""
    threading.Timer(ANSWERED_S, os.kill, (os.getpid(), signal.SIGTERM)).start()


def options_for(
    settings: Settings, address: str, pin: str, find_address: Callable[[], str] | None = None
) -> WebOptions:
    """Return how the web stands in the network, from the settings."""
    return WebOptions(
        address=address,
        own_name=settings.web.name,
        allowed_hosts=settings.web.allowed_hosts,
        seats_path=home() / "seats.sqlite",
        pin=pin,
        find_address=find_address,
        find_wifi=own_wifi,
        language=settings.web.language,
        lines=settings.web.lines,
    )
