"""Two buttons, a lamp and a ring of lights on the Pi's pins, through gpiozero (entry point ``gpio``).

Settings: ``next_pin`` (17) and ``off_pin`` (3, which also wakes a halted Pi), buttons to ground;
``lamp_pin`` (27), a light with its resistor; ``ring_pins`` (none), a light before each seat, clockwise.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from companion.options import Option, read_options, whole
from companion.ports import ButtonPress, DeviceStanding, DeviceState, Lamp, PanelLight, Press
from hardware.clock import monotonic_ms
from hardware.gpio import open_pins

MOST_SEATS = 8
HOLD_S = 2.0
AGAIN_MS = 400  # a finger does not press twice so fast, a worn button does
TICK_MS = 50
BLINK_MS, FLICKER_MS = 1000, 200


def _are_pins(given: object) -> bool:
    return (
        isinstance(given, list | tuple)
        and len(given) == len(set(given)) <= MOST_SEATS
        and all(isinstance(pin, int) and not isinstance(pin, bool) and 0 <= pin <= 27 for pin in given)
    )


OPTIONS = (
    whole("next_pin", 17, 0, 27),
    whole("off_pin", 3, 0, 27),
    whole("lamp_pin", 27, 0, 27),
    Option("ring_pins", (), f"a list of up to {MOST_SEATS} different GPIO numbers from 0 to 27", _are_pins),
)


class Light(Protocol):
    """The part of a gpiozero LED that is used."""

    def on(self) -> None: ...
    def off(self) -> None: ...
    def close(self) -> None: ...


class Key(Protocol):
    """The part of a gpiozero button that is used; ``when_held`` comes after two seconds."""

    when_pressed: Callable[[], None] | None
    when_held: Callable[[], None] | None

    def close(self) -> None: ...


class GpioPanel:
    """A panel on pins. Presses come on gpiozero's threads; the lights change in ``read`` and ``show``."""

    def __init__(
        self,
        name: str,
        keys: Sequence[Key],
        lights: Sequence[Light],
        *,
        now_ms: Callable[[], int] = monotonic_ms,
    ) -> None:
        """Take the keys for next and for switching off, the lamp, and the ring's lights after it."""
        self.name = name
        self._keys = keys
        self._lamp, *self._ring = lights
        self._now_ms = now_ms
        self._came = threading.Condition()
        self._out: deque[ButtonPress | DeviceStanding] = deque()
        self._last_ms: dict[Press, int] = {}
        self._light = PanelLight()
        ring = f" and {len(self._ring)} lights" if self._ring else ""
        self._out.append(DeviceStanding(name, "panel", DeviceState.LIVE, f"two buttons, a lamp{ring}"))
        next_key, off_key = keys
        next_key.when_pressed = partial(self._press, Press.NEXT)
        off_key.when_held = partial(self._press, Press.SWITCH_OFF)

    def read(self, *, timeout_ms: int) -> ButtonPress | DeviceStanding | None:
        """Wait for the next press; None when nobody pressed in time."""
        deadline_ms = self._now_ms() + timeout_ms
        with self._came:
            while True:
                self._shine()
                left_ms = deadline_ms - self._now_ms()
                if self._out:
                    return self._out.popleft()
                if left_ms <= 0:
                    return None
                self._came.wait(min(left_ms, TICK_MS) / 1000)

    def show(self, light: PanelLight) -> None:
        """Show something from now on."""
        self._light = light
        self._shine()

    def close(self) -> None:
        """Let go of the pins; the lights go out."""
        self._light = PanelLight(Lamp.OUT)
        self._shine()
        for key in self._keys:
            key.close()
        for light in (self._lamp, *self._ring):
            light.close()

    def _press(self, press: Press) -> None:
        at_ms = self._now_ms()
        with self._came:
            before_ms = self._last_ms.get(press)
            self._last_ms[press] = at_ms
            if before_ms is None or at_ms - before_ms >= AGAIN_MS:
                self._out.append(ButtonPress(self.name, press, at_ms))
                self._came.notify_all()

    def _shine(self) -> None:
        _switch(self._lamp, is_lit(self._light.lamp, self._now_ms()))
        waited_for = self._light.waited_for
        for seat, light in enumerate(self._ring):
            _switch(light, seat < len(waited_for) and waited_for[seat])


def is_lit(lamp: Lamp, now_ms: int) -> bool:
    """Say whether a lamp is lit at a moment: steady, once a second half, or five times a second."""
    if lamp is Lamp.TROUBLE:
        return now_ms % BLINK_MS < BLINK_MS // 2
    if lamp is Lamp.LEAVING:
        return now_ms % FLICKER_MS < FLICKER_MS // 2
    return lamp is Lamp.CALM


def _switch(light: Light, is_on: bool) -> None:
    if is_on:
        light.on()
    else:
        light.off()


def open_panel(name: str, settings: Mapping[str, Any]) -> GpioPanel:
    """Open buttons and lights. Raises ValueError for wrong settings, DeviceLost where there are no pins."""
    options = read_options(f"panel {name}", settings, OPTIONS)
    keys_at = (options["next_pin"], options["off_pin"])
    lights_at = (options["lamp_pin"], *options["ring_pins"])
    used = (*keys_at, *lights_at)
    if len(set(used)) < len(used):
        raise ValueError(f"The settings of panel {name} make no sense: a pin of {used} is used twice.")
    from gpiozero import LED, Button  # noqa: PLC0415

    who = f"The panel {name}"
    keys: list[Key] = open_pins(who, keys_at, lambda pin: Button(pin, hold_time=HOLD_S), instead="")
    try:
        lights: list[Light] = open_pins(who, lights_at, LED, instead="")
    except BaseException:
        for key in keys:
            key.close()
        raise
    return GpioPanel(name, keys, lights)
