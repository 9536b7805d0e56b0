"""Four Hall switches on mock pins, in virtual time. Real edges need a Raspberry Pi."""

import pytest
from gpiozero import Device, DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from companion.ports import DeviceLost, DeviceState
from hardware.simulated.virtual_time import VirtualClock
from hardware.turntables.hall_switches import HallSwitches, open_board_sensor
from tests.hardware.promises import BoardSensorPromises, is_standing, is_turn
from tests.hardware.stand_ins import everything, the_rest

PINS = (5, 6, 13, 19)


class HallRig:
    """Four mock pins and a hand that turns a magnet over them."""

    stand_ins = ()

    def __init__(self):
        self.clock = VirtualClock()
        self.factory = MockFactory()
        switches = [DigitalInputDevice(pin, pull_up=True, pin_factory=self.factory) for pin in PINS]
        self.pins = [self.factory.pin(pin) for pin in PINS]
        self.pins[0].drive_low()
        self.quarter = 0
        self.device = HallSwitches("centre", switches, now_ms=self.clock.now_ms, pause=self.clock.pause)

    def ready(self):
        everything(self.device, until=is_standing(DeviceState.LIVE))

    def leave(self):
        self.pins[self.quarter].drive_high()
        self.clock.pause(120)

    def arrive(self, quarter):
        self.quarter = quarter % 4
        self.pins[self.quarter].drive_low()
        self.clock.pause(30)

    def turn(self, delta):
        for _ in range(abs(delta)):
            self.leave()
            self.arrive(self.quarter + (1 if delta > 0 else -1))

    def stop_between(self):
        self.leave()


@pytest.fixture
def rig():
    rig = HallRig()
    yield rig
    rig.device.close()
    rig.factory.reset()


class TestHallSwitches(BoardSensorPromises):
    pass


def test_a_board_turned_twice_in_one_go_is_one_turn_of_two_quarters(rig):
    rig.ready()
    rig.turn(2)
    assert everything(rig.device, until=is_turn)[-1].delta == 2


def test_a_turn_made_while_nobody_read_is_told_with_its_direction(rig):
    rig.ready()
    rig.turn(-1)
    rig.clock.pause(2000)
    assert everything(rig.device, until=is_turn)[-1].delta == -1


def test_a_switch_that_bounces_is_one_edge(rig):
    rig.ready()
    rig.leave()
    for _ in range(4):
        rig.pins[1].drive_low()
        rig.clock.pause(2)
        rig.pins[1].drive_high()
        rig.clock.pause(2)
    rig.arrive(1)
    turns = [said for said in everything(rig.device, until=is_turn) + the_rest(rig.device) if is_turn(said)]
    assert [turn.delta for turn in turns] == [1]


def test_a_board_nudged_out_of_its_detent_and_back_has_not_turned(rig):
    rig.ready()
    rig.leave()
    rig.arrive(0)
    said = everything(rig.device, until=is_standing(DeviceState.LIVE, "four Hall switches"))
    assert not any(map(is_turn, said + the_rest(rig.device)))


def test_two_switches_on_at_once_are_a_fault_that_names_them(rig):
    rig.ready()
    rig.pins[2].drive_low()
    everything(rig.device, until=is_standing(DeviceState.FAULT, "quarters 0 and 2 are on at once"))


def test_no_switch_for_a_minute_sends_to_magnet_and_cables(rig):
    rig.ready()
    rig.leave()
    everything(rig.device, until=is_standing(DeviceState.FAULT, "until it clicks"))
    rig.clock.pause(60_000)
    everything(rig.device, until=is_standing(DeviceState.FAULT, "No switch sees the magnet"))
    rig.arrive(0)
    everything(rig.device, until=is_standing(DeviceState.LIVE))


def test_the_door_opens_the_pins_that_the_settings_name():
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    try:
        sensor = open_board_sensor("centre", {"pins": [20, 21, 22, 23]})
        Device.pin_factory.pin(22).drive_low()
        assert everything(sensor, until=is_standing(DeviceState.LIVE))[-1].quarter == 2
        sensor.close()
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = before


def test_without_gpio_the_sensor_says_so_and_what_to_do(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setattr(Device, "pin_factory", None)
    with pytest.raises(DeviceLost, match="finds no GPIO here for its pins") as raised:
        open_board_sensor("centre", {})
    assert 'driver = "serial"' in str(raised.value)


@pytest.mark.parametrize("pins", [[5, 6, 13], [5, 5, 6, 13], [5, 6, 13, 99], "5, 6, 13, 19"])
def test_pins_that_make_no_sense_are_refused(pins):
    with pytest.raises(ValueError, match="4 different GPIO numbers from 0 to 27"):
        open_board_sensor("centre", {"pins": pins})
