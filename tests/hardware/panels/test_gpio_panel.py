"""Buttons and lights on mock pins. Real edges need a Raspberry Pi."""

from itertools import pairwise

import pytest
from gpiozero import LED, Button, Device
from gpiozero.pins.mock import MockFactory

from companion.ports import ButtonPress, DeviceLost, DeviceStanding, DeviceState, Lamp, PanelLight, Press
from hardware.clock import pause
from hardware.panels.gpio_panel import AGAIN_MS, GpioPanel, is_lit, open_panel
from hardware.simulated.virtual_time import VirtualClock

NEXT, OFF, LAMP, RING = 17, 3, 27, (22, 23, 24)


class Pins:
    """A mock Pi with a panel on it, and the fingers that press."""

    def __init__(self):
        self.factory, self.clock = MockFactory(), VirtualClock()
        keys = [Button(pin, hold_time=0.4, pin_factory=self.factory) for pin in (NEXT, OFF)]
        lights = [LED(pin, pin_factory=self.factory) for pin in (LAMP, *RING)]
        self.panel = GpioPanel("buttons", keys, lights, now_ms=self.clock.now_ms)
        self.said = self.panel.read(timeout_ms=0)

    def press(self, pin, *, held_ms=0):
        self.factory.pin(pin).drive_low()
        pause(held_ms)
        self.factory.pin(pin).drive_high()

    def lit(self):
        return tuple(bool(self.factory.pin(pin).state) for pin in (LAMP, *RING))


@pytest.fixture
def pins():
    pins = Pins()
    yield pins
    pins.panel.close()
    pins.factory.reset()


def test_a_panel_says_what_it_has(pins):
    assert pins.said.state is DeviceState.LIVE and "3 lights" in pins.said.detail


def test_a_press_is_told_once_however_the_button_bounces(pins):
    for _ in range(4):
        pins.press(NEXT)
        pins.clock.pause(5)
    assert pins.panel.read(timeout_ms=0) == ButtonPress("buttons", Press.NEXT, 0)
    assert pins.panel.read(timeout_ms=0) is None
    pins.clock.pause(AGAIN_MS)
    pins.press(NEXT)
    assert pins.panel.read(timeout_ms=0).press is Press.NEXT


def test_only_a_button_that_is_held_switches_off(pins):
    pins.press(OFF)
    assert pins.panel.read(timeout_ms=0) is None
    pins.factory.pin(OFF).drive_low()
    said = None
    while said is None:  # gpiozero's own thread holds the stop-watch
        said = pins.panel.read(timeout_ms=0)
        pause(1)
    pins.factory.pin(OFF).drive_high()
    assert said.press is Press.SWITCH_OFF


def test_the_ring_shows_whose_turn_it_is_and_all_is_dark_when_it_is_closed(pins):
    pins.panel.show(PanelLight(Lamp.CALM, (False, True)))
    assert pins.lit() == (True, False, True, False)
    pins.panel.show(PanelLight(Lamp.CALM, (True, False, True)))
    assert pins.lit() == (True, True, False, True)
    pins.panel.show(PanelLight(Lamp.OUT))
    assert pins.lit() == (False, False, False, False)


@pytest.mark.parametrize(
    ("lamp", "changes"), [(Lamp.CALM, 0), (Lamp.OUT, 0), (Lamp.TROUBLE, 4), (Lamp.LEAVING, 20)]
)
def test_calm_is_steady_trouble_blinks_and_leaving_flickers(lamp, changes):
    shown = [is_lit(lamp, ms) for ms in range(0, 2001, 10)]
    assert sum(one != other for one, other in pairwise(shown)) == changes
    assert shown[0] is (lamp is not Lamp.OUT)


def test_the_door_opens_the_pins_of_the_settings():
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    try:
        panel = open_panel("buttons", {"next_pin": 16, "ring_pins": [5, 6]})
        panel.show(PanelLight(Lamp.CALM, (True, False)))
        assert [bool(Device.pin_factory.pin(pin).state) for pin in (27, 5, 6)] == [True, True, False]
        Device.pin_factory.pin(16).drive_low()
        assert isinstance(panel.read(timeout_ms=0), DeviceStanding)
        assert panel.read(timeout_ms=0).press is Press.NEXT
        panel.close()
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = before


def test_without_pins_the_panel_says_so_and_what_to_do(monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    with pytest.raises(DeviceLost, match="Run it on a Raspberry Pi"):
        open_panel("buttons", {})


@pytest.mark.parametrize(
    "settings", [{"next_pin": 27}, {"ring_pins": [5, 5]}, {"ring_pins": 5}, {"off_pin": 99}]
)
def test_pins_that_make_no_sense_are_refused(settings):
    with pytest.raises(ValueError, match="make no sense"):
        open_panel("buttons", settings)
