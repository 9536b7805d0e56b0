"""A rotor on a serial port: the promises of every board sensor, and what is the rotor's own."""

import pytest

from companion.ports import DeviceState
from hardware.messages import Magnet, RotorState, RotorStatus, Turned
from hardware.turntables.serial_rotor import open_board_sensor
from tests.hardware.promises import BoardSensorPromises, is_standing, is_turn
from tests.hardware.stand_ins import Desk, SkippingClock, StandIn, everything, the_rest


class SerialRig:
    """A rotor driver, and a rotor on a pseudo-terminal at its other end."""

    def __init__(self, folder):
        self.clock = SkippingClock()
        self.desk = Desk(folder)
        self.rotor = StandIn("R-02B4E9").on(self.desk.plug_in())
        self.is_between = False
        self.stand_ins = (self,)
        self.device = open_board_sensor("centre", {"port": self.desk.port()}, world=self.clock.world())
        self.turn = self.rotor.turn

    def ready(self):
        everything(self.device, self.rotor, until=is_standing(DeviceState.LIVE))
        self.hear_out()

    def hear_out(self):
        return the_rest(self.device, self.rotor)

    def turns(self):
        return [(said.from_quarter, said.to_quarter, said.delta) for said in self.hear_out() if is_turn(said)]

    def stop_between(self):
        self.is_between = True

    def serve(self):
        self.rotor.serve()
        if self.is_between:
            self.rotor.say(RotorStatus(RotorState.BETWEEN, 0, 455, 0, 0))
            self.clock.skip(900)


@pytest.fixture
def rig(tmp_path):
    rig = SerialRig(tmp_path)
    yield rig
    rig.device.close()
    rig.desk.close()


class TestSerialRotor(BoardSensorPromises):
    pass


def test_15_a_lost_turn_is_healed_by_the_next_heartbeat(rig):
    rig.ready()
    rig.turn(-1, is_lost=True)
    assert rig.turns() == [(0, 3, -1)]


def test_15_two_lost_turns_are_told_as_one_with_the_whole_way(rig):
    rig.ready()
    rig.rotor.say(RotorStatus(RotorState.LOCKED, 2, 1800, 2, 2))
    assert rig.turns() == [(0, 2, 2)]


def test_15_a_turn_after_a_lost_one_waits_for_the_status_that_knows_the_whole_way(rig):
    rig.ready()
    rig.rotor.say(Turned(2, 1, 2, 1, 900))
    assert rig.turns() == []
    rig.rotor.say(RotorStatus(RotorState.LOCKED, 2, 1800, 2, 2))
    assert rig.turns() == [(0, 2, 2)]


def test_14_replayed_turns_and_statuses_are_one_turn(rig):
    rig.ready()
    rig.rotor.say(Turned(1, 0, 1, 1, 900), Turned(1, 0, 1, 1, 900))
    rig.rotor.say(RotorStatus(RotorState.LOCKED, 1, 900, 1, 1), RotorStatus(RotorState.LOCKED, 1, 900, 1, 1))
    assert rig.turns() == [(0, 1, 1)]


def test_12_a_rotor_that_reboots_neither_repeats_nor_invents_a_turn(rig):
    rig.ready()
    rig.turn(1)
    assert rig.turns() == [(0, 1, 1)]
    rig.rotor.reboot("ABCD")
    rig.rotor.say(rig.rotor.hello, RotorStatus(RotorState.LOCKED, 1, 900, 0, 0))
    assert rig.turns() == []
    rig.rotor.say(Turned(1, 1, 2, 1, 900), RotorStatus(RotorState.LOCKED, 2, 1800, 1, 1))
    assert rig.turns() == [(1, 2, 1)]


def test_a_turn_heard_before_any_status_does_not_spoil_the_next(tmp_path):
    clock, desk = SkippingClock(), Desk(tmp_path)
    rotor = StandIn("R-02B4E9").on(desk.plug_in())
    sensor = open_board_sensor("centre", {"port": desk.port()}, world=clock.world())
    sensor.read(timeout_ms=0)
    rotor.say(Turned(6, 1, 2, 1, 900), RotorStatus(RotorState.LOCKED, 2, 1800, 6, 4))
    first = everything(sensor, until=is_turn)[-1]
    rotor.say(RotorStatus(RotorState.LOCKED, 3, 2700, 7, 5))
    second = everything(sensor, until=is_turn)[-1]
    assert [(turn.turn, turn.delta) for turn in (first, second)] == [(6, 1), (7, 1)]
    sensor.close()
    desk.close()


def test_a_turn_told_with_two_ends_is_a_fault(rig):
    rig.ready()
    rig.rotor.say(Turned(1, 0, 1, 1, 900), Turned(1, 0, 3, -1, 900))
    everything(
        rig.device,
        rig.rotor,
        until=is_standing(DeviceState.FAULT, "led to quarter 1 and is now said to lead to 3"),
    )


def test_a_weak_magnet_is_mentioned_and_a_failing_sensor_is_a_fault(rig):
    rig.ready()
    rig.rotor.say(RotorStatus(RotorState.LOCKED, 0, 0, 0, 0, Magnet.WEAK))
    everything(rig.device, rig.rotor, until=is_standing(DeviceState.LIVE, "magnet is too weak"))
    rig.rotor.say(RotorStatus(RotorState.FAULT, None, None, 0, 0, Magnet.WEAK))
    everything(rig.device, rig.rotor, until=is_standing(DeviceState.FAULT, "check its magnet"))


def test_5_an_unplugged_rotor_is_lost_and_comes_back(rig):
    rig.ready()
    rig.rotor.cable.unplug()
    said = everything(rig.device, until=is_standing(DeviceState.LOST))
    assert said[-1].quarter is None
    rig.rotor.on(rig.desk.plug_in())
    everything(rig.device, rig.rotor, until=is_standing(DeviceState.LIVE))
