"""Four Hall switches under the board and one magnet in it, read through gpiozero (entry point ``hall``).

Settings: ``pins``, the GPIO numbers of the switches clockwise, the first at quarter 0
(5, 6, 13, 19 if not said). Switches pull to ground; the internal pull-ups are used.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from companion.options import pins, read_options
from companion.ports import BoardSensor, BoardTurn, DeviceStanding, DeviceState, Need
from hardware.clock import monotonic_ms
from hardware.gpio import open_pins
from hardware.turntables.oriented import OPTIONS as ORIENTATION
from hardware.turntables.oriented import oriented
from hardware.turntables.told_turns import ToldTurns

OPTIONS = (pins("pins", (5, 6, 13, 19)), *ORIENTATION)
BOUNCE_MS = 8  # shorter than a quick hand's magnet over a switch (30 ms), longer than a reed's bounce
TICK_MS = 20
LOOK_EVERY_MS = 1000  # should an edge ever be missed
BLIND_MS = 60_000


class Switch(Protocol):
    """The part of a gpiozero input that is used."""

    is_active: bool
    when_activated: Callable[[], None] | None
    when_deactivated: Callable[[], None] | None

    def close(self) -> None: ...


class HallSwitches:
    """A board sensor of four switches. Edges come on gpiozero's thread, all else happens in ``read``."""

    def __init__(
        self,
        name: str,
        switches: Sequence[Switch],
        *,
        now_ms: Callable[[], int] = monotonic_ms,
        pause: Callable[[int], None] | None = None,
    ) -> None:
        self.name = name
        self._switches = switches
        self._now_ms = now_ms
        self._edge_came = threading.Event()
        self._pause = pause or self._wait_for_edge
        self._edges: deque[tuple[int, bool, int]] = deque(maxlen=1000)
        self._active = [False] * len(switches)
        self._since_ms = self._looked_ms = self._seen_ms = now_ms()
        self._told = ToldTurns(name, f"{secrets.randbelow(0xFFFF) + 1:04X}", "four Hall switches")
        for index, switch in enumerate(switches):
            switch.when_activated = partial(self._edge, index, True)
            switch.when_deactivated = partial(self._edge, index, False)
        self._look(now_ms())

    def read(self, *, timeout_ms: int) -> BoardTurn | DeviceStanding | None:
        """Wait for a finished turn or a standing that changed; None when nothing came in time."""
        deadline_ms = self._now_ms() + timeout_ms
        while True:
            self._catch_up()
            if self._told.out:
                return self._told.out.popleft()
            left_ms = deadline_ms - self._now_ms()
            if left_ms <= 0:
                return None
            is_quiet = self._told.is_locked and not self._edges
            self._pause(min(left_ms, 100 if is_quiet else TICK_MS))

    def close(self) -> None:
        for switch in self._switches:
            switch.close()

    def _edge(self, index: int, is_active: bool) -> None:
        self._edges.append((index, is_active, self._now_ms()))
        self._edge_came.set()

    def _wait_for_edge(self, pause_ms: int) -> None:
        self._edge_came.wait(pause_ms / 1000)
        self._edge_came.clear()

    def _catch_up(self) -> None:
        now_ms = self._now_ms()
        while self._edges:
            index, is_active, at_ms = self._edges.popleft()
            self._settle(at_ms)
            if self._active[index] != is_active:
                self._active[index] = is_active
                self._since_ms = at_ms
        if now_ms - self._looked_ms >= LOOK_EVERY_MS:
            self._look(now_ms)
        self._settle(now_ms)

    def _look(self, now_ms: int) -> None:
        self._looked_ms = now_ms
        active = [switch.is_active for switch in self._switches]
        if active != self._active:
            self._active, self._since_ms = active, now_ms

    def _settle(self, now_ms: int) -> None:
        """Take the switches as they have been until now, unless they only bounced."""
        if now_ms - self._since_ms < BOUNCE_MS:
            return
        on = [index for index, is_active in enumerate(self._active) if is_active]
        if len(on) > 1:
            names = " and ".join(str(quarter) for quarter in on)
            self._told.stand(
                DeviceState.FAULT,
                f"The switches of quarters {names} are on at once; check the magnet and the cables. "
                "Until then the camera or a tap tells how the board stands.",
                need=Need.SWITCHES,
            )
            return
        if on:
            self._seen_ms = now_ms
        self._told.take(on[0] * 360 / len(self._switches) if on else None, now_ms)
        if now_ms - self._seen_ms >= BLIND_MS:
            said = "No switch sees the magnet; check it, the cables and the pins."
            self._told.stand(DeviceState.FAULT, said, need=Need.SWITCHES)


def open_board_sensor(name: str, settings: Mapping[str, Any]) -> BoardSensor:
    """Open four Hall switches. Raises ValueError for wrong settings, DeviceLost where no GPIO can be had."""
    options = read_options(f"board sensor {name}", settings, OPTIONS)
    from gpiozero import DigitalInputDevice  # noqa: PLC0415

    switches: list[Switch] = open_pins(
        f"The board sensor {name}",
        options["pins"],
        # bounce_time is left out: it differs between the libraries below gpiozero.
        lambda pin: DigitalInputDevice(pin, pull_up=True, bounce_time=None),
        instead=', or set driver = "serial" for a rotor on USB',
    )
    return oriented(HallSwitches(name, switches), options)
