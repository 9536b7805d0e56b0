"""The senses as the service sees them: a child process that is started, watched and restarted.

Runs in the service. A driver that hangs, leaks or crashes ends the child, never a game: the
table plays on, and the host page says "eyes closed, restarting".
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from companion.ports import DeviceStanding, DeviceState, PanelLight, Reading
from companion.settings import Settings, home
from companion.shown import Wire
from companion.table.senses_asked import MOST_PHOTOS, Asked
from companion.table.senses_jobs import MOST_JOBS
from companion.table.senses_messages import (
    HUNG,
    NAME,
    Backoff,
    Beat,
    DoJob,
    Heard,
    JobDone,
    LookNow,
    PhotoRead,
    ReadPhoto,
    RecordingSaved,
    Request,
    SaveRecording,
    SensesJob,
    ShowLight,
    StopSensing,
    monotonic_ms,
)

log = logging.getLogger(__name__)

STDERR = 2

POLL_S = 0.25
STARTED_S = 5.0
"""How long a job waits for a child that is just being started."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the child may be silent: until its first beat, until it is said, until it is killed.

    A single driver in it has ``kill_ms``, too, before the child ends itself for it.
    """

    first_beat_ms: int = 30_000  # a cold start from a slow card; must differ from ``kill_ms``
    stalled_ms: int = 2_000
    kill_ms: int = 10_000
    steady_ms: int = 30_000  # lived this long: the next restart is quick again


THREAD_LIMITS = ("OPENCV_FOR_THREADS_NUM", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "1000000", "MALLOC_TRIM_THRESHOLD_": "2000000"}
"""Pictures that were read go back to the computer: kept for reuse they made a fifth of the process."""


class Senses:
    """The senses process and its watcher. Starts at once; ``on_message`` runs on the watcher's thread.

    ``box_folder`` is the taught box, None without one. Standings of kind ``eyes`` under the
    name ``senses`` tell how the process itself is. Times in messages are monotonic and
    comparable with this process's (see ``senses_messages``).
    """

    def __init__(
        self,
        settings: Settings,
        *,
        on_message: Callable[[Heard], None],
        box_folder: Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._settings = settings
        self._on_message = on_message
        self._patience = patience or Patience()
        folder = str(box_folder) if box_folder else ""
        level = logging.getLogger().getEffectiveLevel()
        self._job = SensesJob(settings, folder, str(home() / "senses.lock"), self._patience.kill_ms, level)
        self._closing = threading.Event()
        self._is_there = threading.Event()
        self._sending = threading.Lock()
        self._photos: Asked[Reading] = Asked(MOST_PHOTOS)
        self._recordings: Asked[int] = Asked(1)
        self._jobs: Asked[Wire] = Asked(MOST_JOBS)
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._light = PanelLight()
        self._thread = threading.Thread(target=self._watch, name="senses watcher", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The process id of the child, None between two of them."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def look_now(self) -> None:
        """Ask for the last steady reading of each camera again. It comes as a message, if there is one."""
        self._send(LookNow())

    def read_photo(self, coded: bytes, source: str) -> Future[Reading]:
        """Read a photo as a phone sent it; the future fails with ``EyesClosed`` when nobody can."""
        at_ms = monotonic_ms()
        return self._photos.ask(lambda number: ReadPhoto(number, coded, source, at_ms), self._send)

    def save_recording(self, folder: Path, *, secret_since_ms: int) -> Future[int]:
        """Save what the senses took in of late; the future holds the number of pictures, or EyesClosed.

        Of pictures since ``secret_since_ms`` only the boards are saved.
        """
        return self._recordings.ask(
            lambda number: SaveRecording(number, str(folder), secret_since_ms), self._send
        )

    def do_job(self, job: str, told: Wire, coded: bytes = b"") -> Future[Wire]:
        """Let a job be done (entry point ``companion.jobs``); the future holds its answer, or EyesClosed."""
        self._is_there.wait(STARTED_S)
        return self._jobs.ask(lambda number: DoJob(number, job, told, coded), self._send)

    def show(self, light: PanelLight) -> None:
        """Let the panels show something from now on, also those of the next child."""
        self._light = light
        self._send(ShowLight(light))

    def close(self) -> None:
        """End the child, within 3 s even if it hangs."""
        self._closing.set()
        self._send(StopSensing())
        self._thread.join(timeout=2.5)
        process = self._process
        if self._thread.is_alive() and process is not None:
            process.kill()
            self._thread.join(timeout=0.5)

    def _watch(self) -> None:
        backoff, failures = Backoff(), 0
        while not self._closing.is_set():
            began_ms = monotonic_ms()
            try:
                why = self._run_child()
            except Exception as error:
                log.exception("senses: the watcher stumbled")
                why = f"{type(error).__name__}: {error}"
            if self._closing.is_set():
                return
            failures = 1 if monotonic_ms() - began_ms > self._patience.steady_ms else failures + 1
            log.warning("senses: %s; restarting", why)
            self._stand(DeviceState.LOST, f"eyes closed, restarting: {why}")
            for kind, device in self._devices():
                self._deliver(DeviceStanding(device, kind, DeviceState.SEARCHING, "the senses restart"))
            self._closing.wait(backoff.pause_s(failures))

    def _devices(self) -> list[tuple[str, str]]:
        groups = (
            ("camera", self._settings.cameras),
            ("die", self._settings.dice),
            ("board_sensor", self._settings.board_sensors),
            ("panel", self._settings.panels),
        )
        return [(kind, device.name) for kind, devices in groups for device in devices]

    def _run_child(self) -> str:
        """Start a child and pass on what it says until it ends. Returns why it ended."""
        ours, theirs = socket.socketpair()
        with theirs:
            fd = theirs.fileno()
            threads = str(self._settings.senses.threads)
            process = subprocess.Popen(
                [sys.executable, "-m", "companion.table.senses_process", str(fd)],
                pass_fds=(fd,),
                stdin=subprocess.DEVNULL,
                stdout=STDERR,
                # Read by OpenCV and numpy when they are loaded; so nothing here needs to import them.
                # Their idle threads spin: with both cores busy a reading took twenty times as long.
                env={**GIVE_BACK, **os.environ, **dict.fromkeys(THREAD_LIMITS, threads)},
            )
        self._process = process
        connection = Connection(ours.detach())
        try:
            with self._sending:
                connection.send(self._job)
                connection.send(ShowLight(self._light))
                self._connection = connection
                self._is_there.set()
            # A close() that came before there was a connection could tell nobody.
            return "" if self._closing.is_set() else self._relay(connection)
        except (EOFError, OSError):
            return _ended(process)
        finally:
            with self._sending:
                self._connection = None
                self._is_there.clear()
            self._photos.give_up()
            self._recordings.give_up()
            self._jobs.give_up()
            connection.close()
            _reap(process)

    def _relay(self, connection: Connection) -> str:
        heard_ms, limit_ms, has_stalled = monotonic_ms(), self._patience.first_beat_ms, False
        while True:
            if connection.poll(POLL_S):
                message = connection.recv()
                heard_ms, limit_ms = monotonic_ms(), self._patience.kill_ms
                if has_stalled:
                    has_stalled = False
                    self._stand(DeviceState.LIVE)
                if isinstance(message, PhotoRead):
                    self._photos.answer(message.number, message.reading, message.why)
                elif isinstance(message, RecordingSaved):
                    self._recordings.answer(message.number, message.pictures, message.why)
                elif isinstance(message, JobDone):
                    self._jobs.answer(message.number, message.answer, message.why)
                elif not isinstance(message, Beat):
                    self._deliver(message)
                continue
            quiet_ms = monotonic_ms() - heard_ms
            if quiet_ms > limit_ms:
                return f"no sign of life for {quiet_ms // 1000} s"
            has_begun = limit_ms == self._patience.kill_ms
            if has_begun and not has_stalled and quiet_ms > self._patience.stalled_ms:
                has_stalled = True
                self._stand(DeviceState.STALE, f"no sign of life for {quiet_ms // 1000} s")

    def _stand(self, state: DeviceState, detail: str = "") -> None:
        self._deliver(DeviceStanding(NAME, "eyes", state, detail))

    def _deliver(self, message: Heard) -> None:
        try:
            self._on_message(message)
        except Exception:
            log.exception("senses: a message was not taken: %s", type(message).__name__)

    def _send(self, request: Request) -> bool:
        """Hand a request to the child; False when there is none to take it."""
        with self._sending, contextlib.suppress(OSError):
            if self._connection is not None:
                self._connection.send(request)
                return True
        return False


def _ended(process: subprocess.Popen[bytes]) -> str:
    try:
        status = process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        return "the process closed its pipe"
    if status == HUNG:
        return "a driver did not come back"
    return f"the process was ended by signal {-status}" if status < 0 else f"the process ended with {status}"


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Make sure the child is gone: it had its time at the end of the pipe, or it hangs."""
    try:
        process.wait(timeout=0.1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
