"""Work with pictures that a page asks for, done in the senses process: teaching, setting up.

A job comes in by entry point (``companion.jobs``) and runs on a thread of its own beside the
cameras, which it may look through. A picture that harms harms only the child.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from companion.plugins import PartUnusable, load
from companion.ports import Camera, DeviceLost, Die, Frame, Recogniser
from companion.settings import Settings
from companion.shown import Wire
from companion.table.senses_loops import CameraLoop, DeviceLoop, DieLoop, Eyes, HopelessDevice, Outbox
from companion.table.senses_messages import DoJob, JobDone, monotonic_ms

log = logging.getLogger(__name__)

JOBS = "companion.jobs"
MOST_JOBS = 4
"""Jobs that may run at once: a box being learnt, and who looks at something meanwhile."""

FRESH_MS = 5_000
READ_MS = 500
AGAIN_S = 0.05
MOST_SILENT = 20  # reads without a picture, ten seconds
LONGEST_MS = 3_600_000  # a box of 80 pieces is learnt in 2 minutes here, on an old Pi in a quarter of an hour


class Bench:
    """What a job finds in the senses process: ``companion.ports.Workbench``."""

    def __init__(self, eyes: Eyes, settings: Settings, box_folder: str) -> None:
        self._eyes = eyes
        self._settings = {device.name: device for device in settings.cameras}
        self._loops: Mapping[str, CameraLoop] = {}
        self._dice: Mapping[str, DieLoop | None] = dict.fromkeys(die.name for die in settings.dice)
        self.box_folder = box_folder

    def stand_beside(self, loops: Sequence[DeviceLoop]) -> None:
        """Take in the loops that hold cameras and dice."""
        self._loops = {loop.device.name: loop for loop in loops if isinstance(loop, CameraLoop)}
        self._dice = {loop.device.name: loop for loop in loops if isinstance(loop, DieLoop)}

    @property
    def dice(self) -> Sequence[str]:
        return tuple(self._dice)

    def die(self, name: str) -> Die:
        """Return a die that its loop holds open. Raises DeviceLost."""
        loop = self._dice.get(name)
        opened: Die | None = None if loop is None else loop.opened
        if opened is None:
            raise DeviceLost(f"There is no die {name!r} open now.")
        return opened

    @property
    def cameras(self) -> Sequence[str]:
        return tuple(self._settings)

    def frame(self, camera: str) -> Frame:
        """Return the newest picture of a camera; one that no loop holds is opened for it."""
        if camera not in self._settings:
            raise DeviceLost(f"There is no camera {camera!r} in the settings.")
        loop = self._loops.get(camera)
        if loop is not None and loop.is_alive():
            return self._newest_of(loop)
        device = self._settings[camera]
        try:
            opened: Camera = load("companion.cameras", device.driver)(camera, device.options)
        except (PartUnusable, ValueError) as error:
            raise DeviceLost(str(error)) from error
        with closing(opened):
            for _ in range(MOST_SILENT):
                frame = opened.read(timeout_ms=READ_MS)
                if frame is not None:
                    return frame
        raise DeviceLost(f"The camera {camera} gives no picture.")

    @staticmethod
    def _newest_of(loop: CameraLoop) -> Frame:
        """Return the newest picture of a loop; one that has just begun may need a moment."""
        give_up_ms = monotonic_ms() + FRESH_MS
        while loop.is_alive() and monotonic_ms() < give_up_ms:
            newest = loop.newest
            if newest is not None and (loop.is_reading or monotonic_ms() - newest[1] <= FRESH_MS):
                return newest[0]
            time.sleep(AGAIN_S)
        raise DeviceLost(f"The camera {loop.device.name} gives no picture now.")

    def recogniser(self) -> Recogniser | None:
        """Return the eyes of the box on the table, None without a taught one."""
        try:
            return self._eyes.recogniser()
        except HopelessDevice:
            return None


class Jobs:
    """Runs jobs, each on a thread of its own."""

    def __init__(self, bench: Bench, outbox: Outbox) -> None:
        self._bench = bench
        self._outbox = outbox
        self._began_ms: dict[int, int] = {}

    def take(self, asked: DoJob) -> None:
        """Begin a job."""
        self._began_ms[asked.number] = monotonic_ms()
        threading.Thread(target=self._run, args=(asked,), name=f"job {asked.job}", daemon=True).start()

    def is_hung(self, now_ms: int) -> bool:
        """Tell whether a job has run for so long that it never will end."""
        return any(now_ms - began_ms > LONGEST_MS for began_ms in tuple(self._began_ms.values()))

    def _run(self, asked: DoJob) -> None:
        self._outbox.put(self._done(asked))
        self._began_ms.pop(asked.number, None)

    def _done(self, asked: DoJob) -> JobDone:
        try:
            job: Callable[..., Wire] = load(JOBS, asked.job)
            return JobDone(asked.number, job(self._bench, asked.told, asked.coded))
        except (PartUnusable, DeviceLost) as fault:
            return JobDone(asked.number, None, str(fault))
        # One of the loops that must not end: another job may be a better one.
        except Exception as fault:
            log.exception("job %s: stumbled", asked.job)
            return JobDone(asked.number, None, f"{type(fault).__name__}: {fault}")
