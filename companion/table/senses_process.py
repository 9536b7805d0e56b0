"""The senses process: ``python -m companion.table.senses_process FD``, started by ``Senses``.

``FD`` is its end of a socket pair. It begins with a ``SensesJob``, then sends what it hears and
a beat twice a second, and ends at the end of the pipe, however the service ended.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import pickle
import signal
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from companion.log_lines import begin_log
from companion.ports import DeviceStanding, DeviceState
from companion.table.flight_recorder import FlightRecorder
from companion.table.senses_asked import PhotoLoop
from companion.table.senses_jobs import Bench, Jobs
from companion.table.senses_loops import (
    BoardSensorLoop,
    CameraLoop,
    DeviceLoop,
    DieLoop,
    Eyes,
    Outbox,
    PanelLoop,
)
from companion.table.senses_messages import (
    HUNG,
    NAME,
    Beat,
    DoJob,
    LookNow,
    ReadPhoto,
    RecordingSaved,
    SaveRecording,
    SensesJob,
    ShowLight,
    StopSensing,
    monotonic_ms,
)

log = logging.getLogger(__name__)

BEAT_S = 0.5
PUT_DOWN_S = 1.5  # for the loops to close their devices; ``Senses.close`` waits for 3 s in all


class SensesProcess:
    """All loops of the process, and the way of their words to the service."""

    def __init__(self, connection: Connection, job: SensesJob) -> None:
        self._connection = connection
        self._job = job
        self._recorder = FlightRecorder(job.settings.senses.recorder_mb)
        self._outbox = Outbox(self._recorder)
        self._stopping = threading.Event()
        self._eyes = Eyes(job.settings.senses, job.box_folder)
        self._photos = PhotoLoop(self._eyes, self._outbox)
        self._bench = Bench(self._eyes, job.settings, job.box_folder)
        self._jobs = Jobs(self._bench, self._outbox)
        rest = (self._outbox, self._stopping)
        panels = job.settings.panels
        self._panels = tuple(PanelLoop(panel, *rest, turn_ms=job.turn_ms) for panel in panels)
        self._loops: tuple[DeviceLoop, ...] = ()

    def run(self) -> int:
        """Work until the service wants no more or is gone. Returns the exit status."""
        threading.Thread(target=self._listen, name="requests", daemon=True).start()
        try:
            lock = self._take_lock()
            if lock is None:
                return 0
            self._outbox.put(DeviceStanding(NAME, "eyes", DeviceState.LIVE))
            self._photos.start()
            self._loops = self._start_loops()
            status = self._relay()
        except OSError:  # the service is gone in the middle of a message
            self._stopping.set()
            status = 0
        for loop in self._loops if status == 0 else ():
            loop.join(timeout=PUT_DOWN_S / len(self._loops))
        return status

    def _start_loops(self) -> tuple[DeviceLoop, ...]:
        settings, outbox, stopping = self._job.settings, self._outbox, self._stopping
        rest = (outbox, stopping)
        turn_ms = self._job.turn_ms
        loops = (
            *(
                CameraLoop(device, *rest, turn_ms=turn_ms, eyes=self._eyes, recorder=self._recorder)
                for device in settings.cameras
            ),
            *(DieLoop(device, *rest, turn_ms=turn_ms) for device in settings.dice),
            *(BoardSensorLoop(device, *rest, turn_ms=turn_ms) for device in settings.board_sensors),
            *self._panels,
        )
        self._bench.stand_beside(loops)
        for loop in loops:
            loop.start()
        return loops

    def _relay(self) -> int:
        beat_due_ms = 0
        while not self._stopping.is_set():
            now_ms = monotonic_ms()
            if now_ms >= beat_due_ms:
                self._connection.send(Beat())
                beat_due_ms = now_ms + int(BEAT_S * 1000)
                hung = [loop.name for loop in self._loops if loop.is_hung(now_ms)]
                hung += [self._photos.name] if self._photos.is_hung(now_ms) else []
                hung += ["a job"] if self._jobs.is_hung(now_ms) else []
                if hung:
                    log.error("%s: does not come back; the senses start anew", hung[0])
                    return HUNG
            packed = self._outbox.take(timeout_s=BEAT_S / 2)
            if packed is not None:
                self._connection.send_bytes(packed)
        return 0

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                request = self._connection.recv()
                if isinstance(request, StopSensing):
                    break
                if isinstance(request, ReadPhoto):
                    self._photos.take(request)
                if isinstance(request, DoJob):
                    self._jobs.take(request)
                if isinstance(request, SaveRecording):
                    self._outbox.put(self._saved(request))
                if isinstance(request, ShowLight):
                    for panel in self._panels:
                        panel.light = request.light
                if isinstance(request, LookNow):
                    for loop in self._loops:
                        loop.say_again()
        self._stopping.set()
        # A driver that holds everything up must not keep the camera from the next process.
        threading.Timer(PUT_DOWN_S + 0.5, os._exit, args=(0,)).start()

    def _saved(self, request: SaveRecording) -> RecordingSaved:
        try:
            since_ms = request.secret_since_ms
            pictures = self._recorder.save(Path(request.folder), secret_since_ms=since_ms)
        except OSError as fault:
            return RecordingSaved(request.number, None, f"{request.folder}: {fault.strerror or fault}")
        return RecordingSaved(request.number, pictures)

    def _take_lock(self) -> IO[str] | None:
        """Wait until an earlier senses process has put the devices down; None: told to stop."""
        lock = Path(self._job.lock_path).open("a+", encoding="utf-8")  # noqa: SIM115 (held until the end)
        has_said = False
        while not self._stopping.is_set():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._connection.send(Beat())
                if not has_said:
                    has_said = True
                    detail = "waiting for an earlier senses process to put the devices down"
                    self._connection.send(DeviceStanding(NAME, "eyes", DeviceState.SEARCHING, detail))
                self._stopping.wait(BEAT_S / 5)
            else:
                return lock
        return None


def make_way() -> None:
    """Let a tap go first wherever it meets picture work. Raises OSError where that is not allowed."""
    os.nice(2)  # more would starve the eyes on two busy cores
    # A picture that is ready to go on does not interrupt what runs; it loses no time of its own by it.
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def main(fd: int) -> int:
    """Run the senses on an inherited socket. Returns the exit status."""
    # Ctrl+C goes to every process of a terminal; the service alone decides when to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):  # not allowed under the hardened unit, and not needed there
        make_way()
    connection = Connection(fd)
    try:
        job = connection.recv()
    except (EOFError, OSError, pickle.UnpicklingError):
        return 0
    begin_log(job.log_level, who="senses")
    return SensesProcess(connection, job).run()


if __name__ == "__main__":
    # Not sys.exit: a driver's thread that hangs would keep the process, and with it the device.
    status = main(int(sys.argv[1]))
    logging.shutdown()
    os._exit(status)
