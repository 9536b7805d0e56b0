"""The loops of the senses process: one thread for each camera, die and board sensor.

Runs in the senses process only. Imports the contracts, settings and plugins; the devices and
the recogniser come in by entry point. A device that goes away is opened again; a driver that
does not come back from a call is noticed by ``is_hung``, and the process ends itself for it.
"""

from __future__ import annotations

import logging
import pickle
import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.plugins import PartUnusable, load
from companion.ports import (
    BoardSensor,
    Camera,
    DeviceLost,
    DeviceStanding,
    DeviceState,
    Die,
    Frame,
    Panel,
    PanelLight,
    Reading,
    Recogniser,
    Watch,
)
from companion.settings import DeviceSettings, SensesSettings
from companion.table.flight_recorder import FlightRecorder
from companion.table.senses_messages import Backoff, Heard, monotonic_ms

log = logging.getLogger(__name__)

READ_MS = 500
STALLED_MS = 2_000  # without a picture; Frigate waits ten times as long, and its users wish it less
# OpenCV gives up on an address that does not answer after 30 s; a whole reading of a large picture
# took 10 s on two busy cores. Neither is a driver that hangs.
PATIENT_MS = 60_000
STEADY_MS = 10_000  # in use this long: the next loss is a new one, and reopening is quick again
EYES_EVERY_MS = 500  # a standing whose words alone change is not sent more often


class HopelessDevice(Exception):
    """Settings that make no sense or a driver that is not there: trying again does not help."""


class Outbox:
    """What waits to be sent. Of readings of one camera only the newest waits.

    Messages are pickled by the loop that brings them, so that one that cannot be pickled is
    that loop's fault and stops nobody else.
    """

    def __init__(self, recorder: FlightRecorder) -> None:
        self._recorder = recorder
        self._queue: queue.SimpleQueue[tuple[str, bytes]] = queue.SimpleQueue()
        self._newest: dict[str, bytes] = {}

    def put(self, message: Heard) -> None:
        packed = pickle.dumps(message)
        self._recorder.hear(message, monotonic_ms())
        slot = message.camera if isinstance(message, Reading) else ""
        if slot:
            self._newest[slot] = packed
        self._queue.put((slot, packed))

    def take(self, *, timeout_s: float) -> bytes | None:
        """Return the next pickled message, None when nothing came in time."""
        try:
            slot, packed = self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None
        outdated = slot and self._newest.get(slot) is not packed
        return self.take(timeout_s=0.001) if outdated else packed


NO_BOX = (
    "No box is set, so nothing can be read. Teach one on the host page, or with "
    '`companion box teach FOLDER --name NAME` and box = "NAME" under [table] in the settings.'
)

LOOKED_AT_S = 0.3
"""How often a camera is looked through that nobody reads: for those who set it up."""


class Eyes:
    """The recogniser of the taught box, opened by the first camera that needs it."""

    def __init__(self, settings: SensesSettings, box_folder: str) -> None:
        self._settings = settings
        self._box_folder = box_folder
        self._lock = threading.Lock()
        self._recogniser: Recogniser | None = None

    @property
    def has_box(self) -> bool:
        """Whether there is a taught box whose pieces could be read."""
        return bool(self._box_folder)

    def watch(self, camera: str) -> Watch:
        """Begin to watch a camera. Raises HopelessDevice when nothing can be recognised."""
        return self.recogniser().watch(camera)

    def recogniser(self) -> Recogniser:
        """Return the eyes themselves. Raises HopelessDevice when nothing can be recognised."""
        if not self._box_folder:
            raise HopelessDevice(NO_BOX)
        with self._lock:
            if self._recogniser is None:
                try:
                    self._recogniser = load("companion.recognisers", self._settings.recogniser)(
                        self._box_folder
                    )
                except (PartUnusable, ValueError) as error:
                    raise HopelessDevice(str(error)) from error
            return self._recogniser


class DeviceLoop(threading.Thread):
    """Opens a device, uses it until it is lost, and opens it again, until ``stopping``."""

    kind: str
    group: str

    def __init__(
        self, device: DeviceSettings, outbox: Outbox, stopping: threading.Event, *, turn_ms: int
    ) -> None:
        super().__init__(name=f"{self.kind} {device.name}", daemon=True)
        self.device = device
        self._turn_ms = turn_ms
        self._outbox = outbox
        self._stopping = stopping
        self._backoff = Backoff()
        self._failures = 0
        self._fault = ""
        self._stood: DeviceStanding | None = None
        self._busy_since: tuple[int, int] | None = None
        self.opened: Any = None
        """The device while it is open, for who wants to speak to it, too."""

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._open_and_use()
            except DeviceLost as lost:
                self._stand(DeviceState.LOST, str(lost))
            except HopelessDevice as hopeless:
                self._stand(DeviceState.FAULT, str(hopeless))
                return
            except Exception as error:
                self._fail(error)
            self._failures += 1
            self._stopping.wait(self._backoff.pause_s(self._failures))

    def is_hung(self, now_ms: int) -> bool:
        """Tell whether the driver has not come back for longer than allowed; say so while it is late."""
        busy = self._busy_since
        if busy is None:
            return False
        late_ms, allowed_ms = now_ms - busy[0], busy[1]
        if late_ms > STALLED_MS and allowed_ms == self._turn_ms:
            self._stand(DeviceState.STALE, "the driver does not answer")
        return late_ms > allowed_ms

    def say_again(self) -> None:
        """Say the last thing once more, if it is still so."""

    def _use(self, device: Any) -> None:
        raise NotImplementedError

    def _open(self) -> Any:
        try:
            opened = load(self.group, self.device.driver)
            return self._allow(PATIENT_MS, lambda: opened(self.device.name, self.device.options))
        except (PartUnusable, ValueError) as error:
            raise HopelessDevice(str(error)) from error

    def _open_and_use(self) -> None:
        if self._stood is None:
            self._stand(DeviceState.SEARCHING)
        device = self.opened = self._open()
        opened_ms = monotonic_ms()
        try:
            while not self._stopping.is_set():
                self._use(device)
                if monotonic_ms() - opened_ms > STEADY_MS:
                    self._failures, self._fault = 0, ""
        finally:
            self.opened = None
            self._allow(self._turn_ms, device.close)

    def _allow(self, allowed_ms: int, call: Callable[[], Any]) -> Any:
        self._busy_since = (monotonic_ms(), allowed_ms)
        try:
            return call()
        finally:
            self._busy_since = None

    def _fail(self, error: Exception) -> None:
        fault = f"{type(error).__name__}: {error}"
        if fault != self._fault:  # the same one again at every frame would fill the log
            self._fault = fault
            log.exception("%s %s: fault of the driver or the eyes", self.kind, self.device.name)
        self._stand(DeviceState.FAULT, fault)

    def _stand(self, state: DeviceState, detail: str = "") -> None:
        standing = DeviceStanding(self.device.name, self.kind, state, detail)
        if standing != self._stood:
            self._stood = standing
            if state is DeviceState.LOST or (state is DeviceState.FAULT and detail != self._fault):
                log.warning("%s %s: %s", self.kind, self.device.name, detail)
            self._outbox.put(standing)


class CameraLoop(DeviceLoop):
    """Feeds the eyes with frames; says what they read when it changed."""

    kind = "camera"
    group = "companion.cameras"

    def __init__(
        self,
        device: DeviceSettings,
        outbox: Outbox,
        stopping: threading.Event,
        *,
        turn_ms: int,
        eyes: Eyes,
        recorder: FlightRecorder,
    ) -> None:
        super().__init__(device, outbox, stopping, turn_ms=turn_ms)
        self._eyes = eyes
        self._recorder = recorder
        self._watch: Watch | None = None
        self._last: Reading | None = None
        self._seen_ms = monotonic_ms()
        self._eyes_stood: DeviceStanding | None = None
        self._eyes_said_ms = 0
        self.newest: tuple[Frame, int] | None = None
        """The last picture and when it was taken in, for who wants to look through the same camera."""
        self.is_reading = False
        """Whether eyes are at work on the last picture: until then nobody takes in a newer one."""

    def say_again(self) -> None:
        if self._last is not None:
            self._outbox.put(self._last)

    def _open(self) -> Any:
        # The same watch goes on when a camera comes back: what it saw before is not said twice.
        if self._watch is None and self._eyes.has_box:
            self._watch = self._allow(PATIENT_MS, lambda: self._eyes.watch(self.device.name))
        camera = super()._open()
        self._seen_ms = monotonic_ms()
        return camera

    def _use(self, device: Camera) -> None:
        frame = self._allow(self._turn_ms, lambda: device.read(timeout_ms=READ_MS))
        now_ms = monotonic_ms()
        if frame is None:
            if now_ms - self._seen_ms >= STALLED_MS:
                self._stand(DeviceState.STALE, "no picture for 2 s")
            return
        self._seen_ms = now_ms
        self.newest = frame, now_ms
        self._stand(DeviceState.LIVE)
        watch = self._watch
        if watch is None:
            self._say_eyes(DeviceStanding(self.device.name, "eyes", DeviceState.FAULT, NO_BOX), now_ms)
            self._stopping.wait(LOOKED_AT_S)
            return
        self.is_reading = True
        try:
            reading = self._allow(PATIENT_MS, lambda: watch.see(frame))
        finally:
            self.is_reading = False
        self._recorder.see(frame, reading)
        if reading is not None:
            self._last = reading
            self._outbox.put(reading)
        self._say_eyes(watch.standing(), now_ms)

    def _say_eyes(self, standing: DeviceStanding, now_ms: int) -> None:
        standing = replace(standing, device=self.device.name, kind="eyes")
        before = self._eyes_stood
        is_new_state = before is None or before.state != standing.state
        if standing != before and (is_new_state or now_ms - self._eyes_said_ms >= EYES_EVERY_MS):
            self._eyes_stood, self._eyes_said_ms = standing, now_ms
            self._outbox.put(standing)


class ReportLoop(DeviceLoop):
    """Passes on what a die or a board sensor says: rolls, turns, and how it is."""

    def _use(self, device: Die | BoardSensor | Panel) -> None:
        said = self._allow(self._turn_ms, lambda: device.read(timeout_ms=READ_MS))
        if said is None:
            return
        if isinstance(said, DeviceStanding):
            self._stood = said
        self._outbox.put(said)


class DieLoop(ReportLoop):
    """The loop of a die."""

    kind = "die"
    group = "companion.dice"


class BoardSensorLoop(ReportLoop):
    """The loop of a board sensor."""

    kind = "board_sensor"
    group = "companion.board_sensors"


class PanelLoop(ReportLoop):
    """The loop of a panel: passes on presses, and shows what the service wants shown."""

    kind = "panel"
    group = "companion.panels"

    def __init__(
        self, device: DeviceSettings, outbox: Outbox, stopping: threading.Event, *, turn_ms: int
    ) -> None:
        super().__init__(device, outbox, stopping, turn_ms=turn_ms)
        self.light = PanelLight()
        self._shown: tuple[Panel, PanelLight] | None = None

    def _use(self, device: Any) -> None:
        light = self.light
        if self._shown != (device, light):
            self._allow(self._turn_ms, lambda: device.show(light))
            self._shown = (device, light)
        super()._use(device)
