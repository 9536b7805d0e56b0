"""A plain die in a drawn tray keeps every promise of a die, and says what is wrong with a throw."""

from __future__ import annotations

from functools import cache

import pytest

from companion.plugins import find
from companion.ports import DeviceLost, DeviceStanding, DeviceState, DieRoll
from companion.testkit import DieContract
from hardware.clock import Clock
from hardware.simulated.tray import DrawnTray
from vision.dice import DiceEyes
from vision.tray_die import TrayDie, area_in, open_die


class Moments:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now_ms = 0

    def clock(self) -> Clock:
        return Clock(lambda: self.now_ms, self.pause)

    def pause(self, pause_ms: int) -> None:
        self.now_ms += max(1, pause_ms)


@cache
def opened() -> DiceEyes:
    return DiceEyes(tilt_deg=5.0)


@pytest.fixture
def eyes() -> DiceEyes:
    return opened()


def tray_and_die(eyes: DiceEyes, seed: int = 3) -> tuple[DrawnTray, TrayDie]:
    """Return a tray in which nothing lies, seen by a die that has begun to watch."""
    tray = DrawnTray("tray", every_s=0, seed=seed, fps=5, clock=Moments().clock())
    die = TrayDie("bone", lambda: tray, eyes, pause=lambda _: None)
    while not (isinstance(told := die.read(timeout_ms=250), DeviceStanding) and "empty" in told.detail):
        pass
    return tray, die


def next_told(die: TrayDie, kind: type, reads: int = 40) -> object:
    for _ in range(reads):
        told = die.read(timeout_ms=250)
        if isinstance(told, kind):
            return told
    return None


class TestTrayDie(DieContract):
    def open_die(self):
        tray, die = tray_and_die(opened())
        return die, tray.throw


def test_a_cocked_throw_is_said_and_is_no_roll(eyes):
    tray, die = tray_and_die(eyes)
    tray.throw(4, is_cocked=True)
    told = next_told(die, DeviceStanding)
    assert isinstance(told, DeviceStanding) and told.state is DeviceState.FAULT
    assert "cocked" in told.detail and "by hand" in told.detail
    tray.throw(2)
    rolled = next_told(die, DieRoll)
    assert isinstance(rolled, DieRoll) and rolled.face == 2


def test_a_camera_that_goes_away_is_told_and_opened_again(eyes):
    shown = []

    def open_camera() -> DrawnTray:
        if len(shown) == 1:
            shown.append(None)
            raise DeviceLost("The camera is not there.")
        shown.append(DrawnTray("tray", every_s=0, clock=Moments().clock()))
        return shown[-1]

    die = TrayDie("bone", open_camera, eyes, pause=lambda _: None)
    next_told(die, DeviceStanding)
    shown[0].close()
    states = []
    for _ in range(26):
        told = die.read(timeout_ms=250)
        if isinstance(told, DeviceStanding):
            states.append(told.state)
    assert states[-1] is DeviceState.LIVE
    assert DeviceState.LOST in states


def test_its_settings_are_checked_all_at_once():
    with pytest.raises(ValueError, match="area") as wrong:
        open_die("bone", {"area": [0.5, 0, 0.9, 1], "camera": "usb"})
    assert "camera" in str(wrong.value)


def test_an_area_is_four_shares_inside_the_picture():
    assert area_in("0.1,0.2,0.5,0.5") == (0.1, 0.2, 0.5, 0.5)
    assert [area_in(words) for words in ("", "1,2", "0,0,1,1.2", "a,b,c,d")] == [None] * 4


def test_the_driver_and_the_drawn_tray_are_found_by_name():
    assert "camera" in find("companion.dice") and "drawn-tray" in find("companion.cameras")
