"""What every die, board sensor and camera promises, as test classes over a rig of the driver's own.

A rig offers ``device``, ways to make it do its thing, and ``break_off`` and ``bring_back``.
"""

from __future__ import annotations

import pytest

from companion.ports import BoardTurn, DeviceLost, DeviceStanding, DeviceState, DieRoll, Frame
from hardware.clock import monotonic_ms
from tests.hardware.stand_ins import everything, the_rest


def is_standing(state, *words):
    return lambda said: (
        isinstance(said, DeviceStanding)
        and said.state is state
        and all(word in said.detail for word in words)
    )


def is_roll(said):
    return isinstance(said, DieRoll)


def is_turn(said):
    return isinstance(said, BoardTurn)


class DiePromises:
    """``rig.roll(face)`` rolls; ``rig.break_off()`` takes the die away, ``rig.bring_back()`` returns it."""

    def test_a_roll_comes_once_with_its_face(self, rig):
        rig.ready()
        rig.roll(5)
        said = everything(rig.device, *rig.stand_ins, until=is_roll)
        assert (said[-1].die, said[-1].face) == (rig.device.name, 5)
        assert not any(map(is_roll, the_rest(rig.device, *rig.stand_ins)))

    def test_each_roll_has_a_name_of_its_own(self, rig):
        rig.ready()
        names = set()
        for face in (2, 2, 6):
            rig.roll(face)
            roll = everything(rig.device, *rig.stand_ins, until=is_roll)[-1]
            names.add((roll.die, roll.boot, roll.roll))
        assert len(names) == 3

    def test_a_roll_that_was_seen_from_its_start_says_when_that_was(self, rig):
        rig.ready()
        before_ms = rig.now_ms()
        rig.roll(3)
        roll = everything(rig.device, *rig.stand_ins, until=is_roll)[-1]
        assert before_ms <= roll.started_ms <= roll.at_ms <= rig.now_ms()

    def test_nothing_to_say_is_none_in_time(self, rig):
        rig.ready()
        the_rest(rig.device, *rig.stand_ins)
        assert rig.device.read(timeout_ms=0) is None

    def test_a_loss_is_said_and_survived(self, rig):
        rig.ready()
        rig.break_off()
        said = everything(
            rig.device,
            until=lambda said: isinstance(said, DeviceStanding) and said.state is not DeviceState.LIVE,
        )
        assert said[-1].detail
        rig.bring_back()
        everything(rig.device, *rig.stand_ins, until=is_standing(DeviceState.LIVE))
        rig.roll(1)
        assert everything(rig.device, *rig.stand_ins, until=is_roll)[-1].face == 1

    def test_a_closed_die_says_nothing_more(self, rig):
        rig.ready()
        the_rest(rig.device, *rig.stand_ins)
        rig.device.close()
        rig.device.close()


class BoardSensorPromises:
    """``rig.turn(delta)`` turns by quarters; ``rig.stop_between()`` leaves the board between two."""

    def test_a_turn_comes_once_with_its_way(self, rig):
        rig.ready()
        rig.turn(1)
        turn = everything(rig.device, *rig.stand_ins, until=is_turn)[-1]
        assert (turn.sensor, turn.delta) == (rig.device.name, 1)
        assert (turn.from_quarter + 1) % 4 == turn.to_quarter
        assert not any(map(is_turn, the_rest(rig.device, *rig.stand_ins)))

    def test_a_turn_back_is_negative(self, rig):
        rig.ready()
        rig.turn(-1)
        assert everything(rig.device, *rig.stand_ins, until=is_turn)[-1].delta == -1

    def test_four_turns_lead_round_and_each_has_a_name_of_its_own(self, rig):
        rig.ready()
        turns = []
        for _ in range(4):
            rig.turn(1)
            turns.append(everything(rig.device, *rig.stand_ins, until=is_turn)[-1])
        assert turns[-1].to_quarter == turns[0].from_quarter
        assert len({(turn.boot, turn.turn) for turn in turns}) == 4

    def test_the_standing_says_at_which_quarter_the_board_stands(self, rig):
        rig.ready()
        rig.turn(1)
        turn = everything(rig.device, *rig.stand_ins, until=is_turn)[-1]
        rig.turn(1)
        said = everything(rig.device, *rig.stand_ins, until=is_turn) + the_rest(rig.device, *rig.stand_ins)
        standings = [one for one in said if isinstance(one, DeviceStanding)]
        assert standings[-1].kind == "board_sensor"
        assert standings[-1].quarter == (turn.to_quarter + 1) % 4

    def test_a_board_left_between_two_quarters_is_said_with_what_to_do(self, rig):
        rig.ready()
        rig.stop_between()
        said = everything(rig.device, *rig.stand_ins, until=is_standing(DeviceState.FAULT, "until it clicks"))
        assert said[-1].quarter is None

    def test_nothing_to_say_is_none_in_time(self, rig):
        rig.ready()
        the_rest(rig.device, *rig.stand_ins)
        assert rig.device.read(timeout_ms=0) is None


class CameraPromises:
    """``rig.open()`` gives a camera; ``rig.end(camera)`` makes its source go away."""

    def test_a_frame_is_a_picture_in_blue_green_red(self, rig):
        frame = rig.frame(rig.open())
        assert isinstance(frame, Frame)
        assert (frame.pixels.ndim, frame.pixels.shape[2], frame.pixels.dtype.name) == (3, 3, "uint8")
        blue, green, red = frame.pixels[5, 5]
        assert blue > 200 and green < 60 and red < 60  # the rig's corner is blue

    def test_a_frame_names_its_camera(self, rig):
        camera = rig.open()
        assert rig.frame(camera).camera == camera.name

    def test_frames_come_in_order_and_none_twice(self, rig):
        camera = rig.open()
        frames = [rig.frame(camera) for _ in range(4)]
        assert [frame.at_ms for frame in frames] == sorted(frame.at_ms for frame in frames)
        assert rig.are_in_order([frame.number for frame in frames])

    def test_a_read_waits_no_longer_than_it_is_told(self, rig):
        camera = rig.open()
        rig.frame(camera)
        camera.read(timeout_ms=0)

    def test_a_source_that_is_not_there_is_refused_in_plain_words(self, rig):
        with pytest.raises(DeviceLost) as raised:
            rig.open_missing()
        assert str(raised.value).endswith(".")

    def test_a_source_that_goes_away_is_lost_within_two_seconds(self, rig):
        camera = rig.open()
        rig.frame(camera)
        began_ms = rig.end(camera)
        with pytest.raises(DeviceLost) as raised:
            while monotonic_ms() < began_ms + 30_000:
                camera.read(timeout_ms=100)
        assert str(raised.value).endswith(".")
        with pytest.raises(DeviceLost):
            camera.read(timeout_ms=100)

    def test_closing_twice_is_no_harm(self, rig):
        camera = rig.open()
        camera.close()
        camera.close()
