"""What fell out is said where it is missed, once, with what to do and how to go on by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game import Prompt, Sentence, Tone
from companion.games.making_monsters.game import GAME
from companion.ports import DeviceStanding, DeviceState, Need
from companion.sentences import keys_in
from companion.table.missing import GONE, MISSED, missed
from tests.web.monster_house import MonsterHouse
from web.words import Words

ROLL = Prompt(None, Sentence("x"), "1.1", Tone.ACT, expects_die=True)
CAMERA = DeviceStanding("ceiling", "camera", DeviceState.LOST, "unplugged")
DIE = DeviceStanding("green", "die", DeviceState.LOST, "unplugged")
SENSOR = DeviceStanding("centre", "board_sensor", DeviceState.LIVE, quarter=1)


def said(*devices: DeviceStanding, prompts: tuple[Prompt, ...] = ()) -> list[str]:
    words = Words(GAME.package, "en")
    return [words.say(one) for one in missed(devices, prompts)]


@pytest.mark.parametrize("need", Need)
def test_every_need_has_words(need: Need) -> None:
    assert f"need.{need}" in keys_in("companion")


@pytest.mark.parametrize("kind", MISSED)
@pytest.mark.parametrize("state", GONE)
def test_every_loss_has_words_that_say_how_to_go_on(kind: str, state: DeviceState) -> None:
    (sentence,) = said(DeviceStanding("it", kind, state))
    assert "missing" not in sentence and "tap" in sentence


def test_what_works_is_not_mentioned() -> None:
    assert said(SENSOR, replace(DIE, state=DeviceState.LIVE), replace(CAMERA, state=DeviceState.LIVE)) == []


def test_a_die_that_was_never_there_is_missed_only_when_a_roll_is_waited_for() -> None:
    searched = replace(DIE, state=DeviceState.SEARCHING)
    assert said(searched) == []
    assert said(searched, prompts=(ROLL,)) == [
        "The die green was not found yet: plug it in, or roll any die and tap its face."
    ]


def test_31_die_and_camera_that_vanish_together_are_one_message_and_both_return() -> None:
    assert said(CAMERA, DIE, SENSOR) == [
        "2 devices went away at once. Look at the USB hub and its plug. Until they are back, tap instead."
    ]
    assert said(replace(CAMERA, state=DeviceState.LIVE), replace(DIE, state=DeviceState.LIVE), SENSOR) == []


def test_a_board_between_two_steps_is_told_with_its_angle_if_that_is_known() -> None:
    between = replace(SENSOR, state=DeviceState.FAULT, quarter=None, need=Need.BETWEEN)
    assert said(between) == ["The turning board stands between two steps. Turn it on until it clicks."]
    assert "at 47°" in said(replace(between, angle_deg=47))[0]


def test_the_phones_say_what_is_missing_until_it_is_back_and_the_game_goes_on() -> None:
    house = MonsterHouse()
    try:
        house.table.stood(DIE).result(5)
        for reader in (None, *GAME.seats):
            assert [one.key for one in house.table.look(reader).missing] == ["missing.die.lost"]
        assert house.table.look(None).view.prompts
        house.table.stood(replace(DIE, state=DeviceState.LIVE)).result(5)
        assert house.table.look(None).missing == ()
    finally:
        house.close()
