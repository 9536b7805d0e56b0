"""A die on a serial port: the promises of every die, and hardware.md 2.4 as far as it is about rolls."""

import time
from threading import Thread

import pytest

from companion.ports import DeviceState, DieRoll
from hardware.dice.serial_die import open_die
from hardware.messages import DieState, DieStatus, Rolled
from tests.hardware.promises import DiePromises, is_roll, is_standing
from tests.hardware.stand_ins import Desk, SkippingClock, StandIn, everything, the_rest


class SerialRig:
    """A die driver, and a die on a pseudo-terminal at its other end."""

    def __init__(self, folder):
        self.clock = SkippingClock()
        self.desk = Desk(folder)
        self.die = StandIn("D-7F3A1C").on(self.desk.plug_in())
        self.stand_ins = (self.die,)
        self.device = open_die("green", {"port": self.desk.port()}, world=self.clock.world())
        self.now_ms = self.clock.now_ms
        self.roll = self.die.roll

    def ready(self):
        everything(self.device, self.die, until=is_standing(DeviceState.LIVE))
        self.hear_out()

    def hear_out(self):
        return the_rest(self.device, self.die)

    def faces(self):
        return [said.face for said in self.hear_out() if is_roll(said)]

    def break_off(self):
        self.die.cable.unplug()

    def bring_back(self):
        self.die.on(self.desk.plug_in())


@pytest.fixture
def rig(tmp_path):
    rig = SerialRig(tmp_path)
    yield rig
    rig.device.close()
    rig.desk.close()


class TestSerialDie(DiePromises):
    pass


@pytest.mark.parametrize("size", [1, 3, 47, 5000])
def test_1_2_3_lines_arrive_however_a_wire_chops_and_soils_them(rig, size):
    rig.ready()
    soiled = b"\xff\0\r\n" + "die fällt".encode() + b"\n" + bytes(10_240) + b"\n"
    stream = (
        soiled
        + rig.die.line(Rolled(1, 4, 98, 900)).replace(b"\n", b"\r\n")
        + rig.die.line(Rolled(2, 6, 98, 900))
    )
    heard = []
    for start in range(0, len(stream), size * 100):
        for at in range(start, min(start + size * 100, len(stream)), size):
            rig.die.cable.write(stream[at : at + size])
        heard.append(rig.device.read(timeout_ms=20))
    assert [said.face for said in heard + rig.hear_out() if is_roll(said)] == [4, 6]


def test_5_a_die_lost_in_the_middle_of_a_roll_has_no_start_when_it_returns(rig):
    rig.ready()
    rig.die.become(DieState.ROLLING)
    rig.hear_out()
    rig.break_off()
    everything(rig.device, until=is_standing(DeviceState.LOST))
    rig.bring_back()
    everything(rig.device, rig.die, until=is_standing(DeviceState.LIVE))
    rig.die.say(Rolled(1, 4, 98, 900))
    assert everything(rig.device, rig.die, until=is_roll)[-1].started_ms is None


def test_8_of_two_dice_each_driver_hears_its_own(tmp_path):
    clock, desk = SkippingClock(), Desk(tmp_path)
    red, blue = (
        StandIn("D-AAAA0001").on(desk.plug_in("ttyACM0")),
        StandIn("D-AAAA0002").on(desk.plug_in("ttyACM1")),
    )
    wanted = str(tmp_path / "ttyACM*")
    dice = [
        open_die(name, {"port": wanted, "id": die.device}, world=clock.world())
        for name, die in (("red", red), ("blue", blue))
    ]
    try:
        for die in dice:
            everything(die, red, blue, until=is_standing(DeviceState.LIVE))
        red.roll(1)
        blue.roll(6)
        assert [everything(die, red, blue, until=is_roll)[-1].face for die in dice] == [1, 6]
    finally:
        for die in dice:
            die.close()
        desk.close()


def test_12_a_die_that_reboots_neither_repeats_nor_invents_a_roll(rig):
    rig.ready()
    rig.roll(3)
    assert rig.faces() == [3]
    rig.die.reboot("ABCD")
    rig.die.say(rig.die.hello, rig.die.status)
    assert rig.faces() == []
    rig.roll(3)
    assert rig.faces() == [3]


def test_14_replayed_bytes_are_one_roll(rig):
    rig.ready()
    once = rig.die.line(DieStatus(DieState.ROLLING, 0, 0, 0, 0)) + rig.die.line(Rolled(1, 6, 98, 900))
    for _ in range(3):
        rig.die.cable.write(once)
    rig.die.say(
        Rolled(1, 6, 98, 900), DieStatus(DieState.FLAT, 1, 6, 6, 98), DieStatus(DieState.FLAT, 1, 6, 6, 98)
    )
    assert rig.faces() == [6]


def test_15_a_lost_roll_is_healed_by_the_next_heartbeat(rig):
    rig.ready()
    rig.die.roll(2, is_lost=True)
    assert rig.faces() == [2]


def test_15_a_roll_made_while_the_port_was_away_comes_late_and_without_a_start(rig):
    rig.ready()
    rig.break_off()
    everything(rig.device, until=is_standing(DeviceState.LOST))
    rig.die.status = DieStatus(DieState.FLAT, 1, 4, 4, 98)
    rig.bring_back()
    roll = everything(rig.device, rig.die, until=is_roll)[-1]
    assert (roll.face, roll.started_ms) == (4, None)


def test_16_a_die_whose_numbers_and_uptime_wrap_goes_on(rig):
    rig.ready()
    rig.die.writer._seq, rig.die.uptime_ms = 65534, 2**32 - 25
    rig.die.beat()
    rig.hear_out()
    rig.roll(5)
    rig.roll(1)
    assert rig.faces() == [5, 1]


@pytest.mark.parametrize("jump_s", [-86_400, 86_400])
def test_17_a_jump_of_the_wall_clock_during_a_roll_changes_nothing(rig, monkeypatch, jump_s):
    rig.ready()
    before_ms = rig.now_ms()
    rig.die.become(DieState.ROLLING)
    rig.hear_out()
    wall_s = time.time()
    monkeypatch.setattr(time, "time", lambda: wall_s + jump_s)
    rig.die.say(Rolled(1, 2, 98, 900))
    roll = everything(rig.device, rig.die, until=is_roll)[-1]
    assert before_ms <= roll.started_ms <= roll.at_ms <= rig.now_ms()


def test_18_a_cocked_die_is_said_and_a_nudge_to_flat_is_no_roll(rig):
    rig.ready()
    rig.die.become(DieState.ROLLING)
    rig.die.become(DieState.COCKED)
    everything(rig.device, rig.die, until=is_standing(DeviceState.FAULT, "cocked: roll it again"))
    rig.die.become(DieState.FLAT, up=3)
    said = everything(rig.device, rig.die, until=is_standing(DeviceState.LIVE))
    assert not any(map(is_roll, said + rig.hear_out()))


def test_18_a_die_lifted_before_it_came_to_rest_has_not_started_the_next_roll(rig):
    rig.ready()
    rig.die.become(DieState.ROLLING)
    rig.die.become(DieState.HANDLED)
    rig.hear_out()
    lifted_ms = rig.now_ms()
    rig.roll(2)
    roll = everything(rig.device, rig.die, until=is_roll)[-1]
    assert roll.started_ms >= lifted_ms


def test_19_a_roll_stands_when_the_die_is_turned_afterwards(rig):
    rig.ready()
    rig.roll(2)
    assert rig.faces() == [2]
    rig.die.become(DieState.FLAT, up=5)
    said = everything(
        rig.device, rig.die, until=is_standing(DeviceState.LIVE, "turned to 5 after roll 1, which stands")
    )
    assert not any(map(is_roll, said))


def test_20_a_double_roll_gives_two_rolls_for_the_table_to_judge(rig):
    rig.ready()
    rig.roll(2)
    rig.roll(6)
    assert rig.faces() == [2, 6]


def test_the_same_roll_with_another_face_is_a_fault_and_no_roll(rig):
    rig.ready()
    rig.roll(2)
    rig.hear_out()
    rig.die.say(Rolled(1, 5, 98, 900))
    said = everything(
        rig.device, rig.die, until=is_standing(DeviceState.FAULT, "Roll 1 was 2 and is now said to be 5")
    )
    assert not any(map(is_roll, said))
    rig.die.status = DieStatus(DieState.FLAT, 1, 2, 2, 98)
    rig.roll(4)
    assert rig.faces() == [4]


def test_28_a_nearly_empty_battery_is_mentioned(rig):
    rig.ready()
    rig.die.say(DieStatus(DieState.FLAT, 0, 0, 5, 97, 0))
    everything(rig.device, rig.die, until=is_standing(DeviceState.LIVE, "battery is at 0 %"))


def test_30_a_roll_from_before_the_first_contact_is_not_reported(rig):
    rig.die.status = DieStatus(DieState.FLAT, 7, 3, 3, 98)
    rig.ready()
    rig.die.beat()
    assert rig.faces() == []
    rig.roll(3)
    assert rig.faces() == [3]


def test_32_a_reader_that_comes_two_seconds_late_hears_all_in_order(rig):
    rig.ready()
    for face in (1, 2, 3):
        rig.roll(face)
    rig.clock.skip(2000)
    assert rig.faces() == [1, 2, 3]


def test_a_whole_evening_of_rolls_arrives_in_order_from_a_die_with_a_thread_of_its_own(rig):
    rig.ready()
    faces = [1 + number % 6 for number in range(60)]
    throwing = Thread(target=lambda: [rig.roll(face) for face in faces])
    throwing.start()
    heard: list[DieRoll] = []
    while len(heard) < len(faces):
        heard.append(everything(rig.device, until=is_roll)[-1])
    throwing.join()
    assert [roll.face for roll in heard] == faces
