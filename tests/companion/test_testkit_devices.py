"""The contracts of devices that strangers get, kept by shipped ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from companion.testkit import BoardSensorContract, CameraContract, DieContract
from hardware.cameras.folder import FolderCamera
from hardware.dice.keyed_die import KeyedDie
from hardware.turntables.hall_switches import HallSwitches

PINS = (5, 6, 13, 19)


class TestKeyedDie(DieContract):
    def open_die(self):
        die = KeyedDie("bone")
        return die, die.key


class TestFolderCamera(CameraContract):
    def open_camera(self, folder: Path):
        for name in ("one.png", "two.png"):
            cv2.imwrite(str(folder / name), np.full((48, 64, 3), 90, np.uint8))
        return FolderCamera("above", folder, fps=50, hold_ms=20)


class MagnetOverMockPins:
    """A hand that turns a magnet from switch to switch, in a time that only it moves on."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.quarter = 0
        self.factory = MockFactory()
        switches = [DigitalInputDevice(pin, pull_up=True, pin_factory=self.factory) for pin in PINS]
        self.pins = [self.factory.pin(pin) for pin in PINS]
        self.pins[0].drive_low()
        self.sensor = HallSwitches("centre", switches, now_ms=lambda: self.now_ms, pause=self.pause)

    def pause(self, pause_ms: int) -> None:
        self.now_ms += max(1, pause_ms)

    def turn(self, delta: int) -> None:
        self.pins[self.quarter].drive_high()
        self.pause(120)
        self.quarter = (self.quarter + delta) % 4
        self.pins[self.quarter].drive_low()
        self.pause(30)


class TestHallSwitches(BoardSensorContract):
    def open_sensor(self):
        magnet = MagnetOverMockPins()
        magnet.sensor.read(timeout_ms=1000)  # it says where the board stands
        return magnet.sensor, magnet.turn
