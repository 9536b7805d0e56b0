"""The simulated die and rotor speak TLP/1 on real pseudo-terminals, to the real drivers."""

from __future__ import annotations

import binascii
from contextlib import closing, contextmanager

import pytest
import serial

from companion.ports import BoardTurn, DeviceState, DieRoll
from hardware.dice.serial_die import open_die
from hardware.line_stream import LineSplitter
from hardware.messages import Answer, DieStatus, Hello, Rolled
from hardware.simulated.devices import Devices
from hardware.simulated.world import Impossible
from hardware.turntables.serial_rotor import open_board_sensor


@contextmanager
def plugged_in(speed: float = 20.0):
    devices = Devices(seed=1, speed=speed)
    try:
        yield devices
    finally:
        devices.close()


def read_until(device, wanted, reads: int = 60):
    """Read what a driver says until something wanted comes."""
    heard = []
    for _ in range(reads):
        said = device.read(timeout_ms=500)
        heard.append(said)
        if said is not None and wanted(said):
            return said
    raise AssertionError(f"never came; heard {heard}")


def lines_until(port, splitter, wanted):
    heard = []
    for _ in range(200):
        for line in splitter.feed(port.read(port.in_waiting or 1)):
            heard.append(line)
            if wanted(line):
                return heard
    raise AssertionError(f"never came; heard {heard}")


def open_disc(devices: Devices):
    return open_board_sensor("disc", {"port": str(devices.rotor.plug.link)})


def is_live(said) -> bool:
    return getattr(said, "state", None) is DeviceState.LIVE


def test_the_die_says_hello_and_answers_by_pyserial():
    with plugged_in() as devices, serial.Serial(str(devices.die.plug.link), timeout=0.1) as port:
        splitter = LineSplitter()
        port.write(_order("*", "WHO"))
        heard = lines_until(port, splitter, lambda line: isinstance(line.message, Hello))
        assert heard[-1].device == "D-51B0D1"
        assert heard[-1].message.positions == 6
        port.write(_order(heard[-1].device, "PING"))
        answer = lines_until(port, splitter, lambda line: isinstance(line.message, Answer))[-1]
        assert (answer.message.seq, answer.message.is_ok) == (9, True)


def _order(device: str, verb: str) -> bytes:
    body = f"1,{device},4A70,9,0,{verb}".encode()
    return b"$%s*%04X\n" % (body, binascii.crc_hqx(body, 0xFFFF))


def test_a_roll_is_said_three_times_and_repeated_in_the_heartbeat():
    with plugged_in() as devices, serial.Serial(str(devices.die.plug.link), timeout=0.1) as port:
        splitter = LineSplitter()
        port.write(_order("*", "WHO"))
        lines_until(port, splitter, lambda line: isinstance(line.message, Hello))
        devices.die.roll(4)
        heard: list = []
        while sum(isinstance(line.message, Rolled) for line in heard) < 3:
            heard += lines_until(port, splitter, lambda line: isinstance(line.message, Rolled))
        assert {
            (line.message.roll, line.message.face) for line in heard if isinstance(line.message, Rolled)
        } == {(1, 4)}
        last = lines_until(port, splitter, lambda line: isinstance(line.message, DieStatus))[-1].message
        assert (last.roll, last.face, last.up) == (1, 4, 4)


def test_the_real_driver_hears_one_roll_of_the_simulated_die():
    with plugged_in() as devices, closing(open_die("die", {"port": str(devices.die.plug.link)})) as die:
        read_until(die, is_live)
        devices.die.roll(3)
        roll = read_until(die, lambda said: isinstance(said, DieRoll))
        assert (roll.die, roll.roll, roll.face) == ("die", 1, 3)
        devices.die.roll(6)
        assert read_until(die, lambda said: isinstance(said, DieRoll)).face == 6


def test_the_real_driver_hears_the_disc_turn():
    with plugged_in() as devices, closing(open_disc(devices)) as sensor:
        read_until(sensor, is_live)
        devices.rotor.turn(1)
        turn = read_until(sensor, lambda said: isinstance(said, BoardTurn))
        assert (turn.from_quarter, turn.to_quarter, turn.delta) == (0, 1, 1)
        devices.rotor.turn(-1)
        assert read_until(sensor, lambda said: isinstance(said, BoardTurn)).delta == -1


def test_a_die_that_was_unplugged_comes_back_under_the_same_link():
    with plugged_in() as devices, closing(open_die("die", {"port": str(devices.die.plug.link)})) as die:
        read_until(die, is_live)
        devices.set_fault("die", "unplug")
        read_until(die, lambda said: getattr(said, "state", None) is DeviceState.LOST)
        assert devices.listed()["die"]["plugged"] is False
        devices.set_fault("die", "replug")
        read_until(die, is_live)
        devices.die.roll(2)
        assert read_until(die, lambda said: isinstance(said, DieRoll)).face == 2


def test_garbage_and_a_reboot_make_no_roll():
    with plugged_in() as devices, closing(open_die("die", {"port": str(devices.die.plug.link)})) as die:
        read_until(die, is_live)
        devices.set_fault("die", "garbage")
        devices.set_fault("die", "reboot")
        devices.die.roll(5)
        roll = read_until(die, lambda said: isinstance(said, DieRoll))
        assert (roll.roll, roll.face) == (1, 5)


@pytest.mark.parametrize(("device", "fault"), [("camera", "unplug"), ("die", "explode")])
def test_a_fault_that_there_is_not_is_refused_with_those_that_there_are(device, fault):
    with plugged_in() as devices, pytest.raises(Impossible, match="there is"):
        devices.set_fault(device, fault)
