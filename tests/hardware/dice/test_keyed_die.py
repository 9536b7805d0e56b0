"""The keyed die: promises of every die, and its file."""

import os

import pytest

from companion.ports import DeviceState
from hardware.clock import monotonic_ms
from hardware.dice.keyed_die import KeyedDie, open_die
from tests.hardware.promises import DiePromises, is_roll, is_standing
from tests.hardware.stand_ins import everything, the_rest


class KeyedRig:
    """A die that reads a file, and somebody who writes into it."""

    stand_ins = ()
    now_ms = staticmethod(monotonic_ms)

    def __init__(self, path):
        self.path = path
        path.touch()
        self.device = open_die("keys", {"path": str(path)})

    def roll(self, face):
        with self.path.open("a") as file:
            file.write(f"{face}\n")

    def ready(self):
        everything(self.device, until=is_standing(DeviceState.LIVE))

    def break_off(self):
        self.path.unlink()

    def bring_back(self):
        self.path.touch()


@pytest.fixture
def rig(tmp_path):
    rig = KeyedRig(tmp_path / "rolls.txt")
    yield rig
    rig.device.close()


class TestKeyedDie(DiePromises):
    pass


def faces(die):
    return [said.face for said in the_rest(die) if is_roll(said)]


def test_faces_may_be_keyed_without_any_file():
    die = KeyedDie("keys")
    die.key(4)
    assert faces(die) == [4]


def test_a_face_that_the_die_has_not_is_refused():
    with pytest.raises(ValueError, match="7 is no face of the die keys; it has 1 to 6"):
        KeyedDie("keys").key(7)


def test_what_stood_in_the_file_before_is_yesterday_s(tmp_path):
    (tmp_path / "rolls.txt").write_text("1\n2\n")
    die = open_die("keys", {"path": str(tmp_path / "rolls.txt")})
    with (tmp_path / "rolls.txt").open("a") as file:
        file.write("3\n")
    assert faces(die) == [3]
    die.close()


def test_a_line_that_is_no_face_is_said_and_the_next_one_counts(rig):
    rig.ready()
    rig.roll("six")
    said = everything(rig.device, until=is_standing(DeviceState.FAULT))
    assert said[-1].detail == "'six' is no face; write 1 to 6 on a line."
    rig.roll(6)
    everything(rig.device, until=is_roll)


def test_half_a_line_waits_for_its_end(rig):
    rig.ready()
    with rig.path.open("a") as file:
        file.write("1")
        file.flush()
        assert faces(rig.device) == []
        file.write("2\n3\n")
    assert faces(rig.device) == [3]  # 12 is no face


def test_faces_may_come_through_a_fifo_that_writers_come_and_leave(tmp_path):
    os.mkfifo(tmp_path / "keys")
    die = open_die("keys", {"path": str(tmp_path / "keys")})
    die.read(timeout_ms=0)
    for face in (4, 2):
        die.read(timeout_ms=0)
        (tmp_path / "keys").write_text(f"{face}\n")
        assert everything(die, until=is_roll)[-1].face == face
    die.close()
