"""An AS5600 in software, in virtual time; and sensors that were built in the other way round."""

import pytest

from companion.ports import BoardTurn, DeviceLost, DeviceState, Need
from hardware.clock import Clock
from hardware.simulated.virtual_time import VirtualClock
from hardware.turntables.as5600 import angle_deg, magnet_trouble, open_board_sensor
from tests.hardware.promises import BoardSensorPromises, is_standing, is_turn
from tests.hardware.stand_ins import everything, the_rest


class Chip:
    """The chip's registers, over a magnet that a hand turns; ``zeros`` are lies that it tells next."""

    def __init__(self):
        self.angle_deg, self.status, self.gain, self.zeros = 0.0, 0x20, 64, 0
        self.fault = None

    def read(self, register, count):
        if self.fault:
            raise self.fault
        if register == 0x0C:
            self.zeros, lies = max(0, self.zeros - 1), self.zeros > 0
            return (0 if lies else round(self.angle_deg * 4096 / 360) % 4096).to_bytes(count, "big")
        return bytes([{0x0B: self.status, 0x1A: self.gain}[register]])

    def close(self):
        pass


class As5600Rig:
    stand_ins = ()

    def __init__(self, **settings):
        self.clock, self.chip = VirtualClock(), Chip()
        clock = Clock(self.clock.now_ms, self.clock.pause)
        self.device = open_board_sensor(
            "centre", settings, open_chip=lambda bus, address: self.chip, clock=clock
        )

    def ready(self):
        everything(self.device, until=is_standing(DeviceState.LIVE))

    def turn(self, delta):
        for _ in range(abs(delta) * 9):
            self.chip.angle_deg = (self.chip.angle_deg + (10 if delta > 0 else -10)) % 360
            while self.device.read(timeout_ms=20) is not None:
                pass

    def stop_between(self):
        self.chip.angle_deg += 47


@pytest.fixture
def rig():
    return As5600Rig()


class TestAs5600(BoardSensorPromises):
    pass


def test_a_single_zero_is_not_believed():
    chip = Chip()
    chip.angle_deg, chip.zeros = 200.0, 1
    assert angle_deg(chip) == pytest.approx(200, abs=0.1)


def test_readings_that_never_agree_are_a_fault_that_says_what_to_check(rig):
    rig.ready()
    values = iter(range(0, 10**9, 1000))
    rig.chip.read = lambda register, count: (next(values) % 4096).to_bytes(count, "big")
    said = everything(rig.device, until=is_standing(DeviceState.FAULT, "DIR is tied to ground"))
    assert said[-1].need is Need.SENSOR_FAILS


@pytest.mark.parametrize(
    ("status", "gain", "words"),
    [
        (0x00, 64, "no magnet"),
        (0x30, 64, "weak"),
        (0x28, 64, "too strong"),
        (0x20, 120, "nearer"),
        (0x20, 5, "away"),
    ],
)
def test_a_magnet_that_hangs_wrong_is_told_with_the_way_to_move_it(status, gain, words):
    chip = Chip()
    assert magnet_trouble(chip) == ""
    chip.status, chip.gain = status, gain
    assert words in magnet_trouble(chip)


def test_a_board_between_two_quarters_is_told_with_its_angle(rig):
    rig.ready()
    rig.stop_between()
    said = everything(rig.device, until=is_standing(DeviceState.FAULT))
    assert (said[-1].need, said[-1].angle_deg) == (Need.BETWEEN, 47)


def test_a_chip_that_falls_silent_is_lost_with_its_wires_named(rig):
    rig.ready()
    rig.chip.fault = OSError(121, "Remote I/O error")
    with pytest.raises(DeviceLost, match="four wires"):
        everything(rig.device, until=is_turn)


def test_without_a_bus_the_way_to_switch_it_on_is_told():
    with pytest.raises(DeviceLost, match="raspi-config"):
        open_board_sensor("centre", {"bus": 31})


def test_zero_is_where_the_settings_say():
    rig = As5600Rig(zero_deg=300)
    rig.chip.angle_deg = 30.0
    assert everything(rig.device, until=is_standing(DeviceState.LIVE))[-1].quarter == 1


def test_a_sensor_that_was_built_in_upside_down_counts_clockwise_from_north_all_the_same():
    rig = As5600Rig(north=2, reversed=True)
    rig.chip.angle_deg = 180.0
    assert everything(rig.device, until=is_standing(DeviceState.LIVE))[-1].quarter == 0
    the_rest(rig.device)
    rig.chip.angle_deg = 90.0
    turn = everything(rig.device, until=is_turn)[-1]
    assert isinstance(turn, BoardTurn)
    assert (turn.from_quarter, turn.to_quarter, turn.delta) == (0, 1, 1)
