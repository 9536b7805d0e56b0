"""The ribbon camera's own process, with a picamera2 in software: pictures, silence, death, words."""

import json
import sys

import pytest

from companion.ports import DeviceLost
from hardware.cameras.pi_camera import PROGRAM, PiCamera, open_camera
from hardware.cameras.pi_frames import DRIFTS_S, SETTLE_S, Keeping
from hardware.clock import monotonic_ms
from hardware.simulated.virtual_time import VirtualClock
from tests.hardware.cameras.rigs import rig_of
from tests.hardware.promises import CameraPromises
from tests.hardware.stand_ins import wait_until

PICAMERA2 = '''
import os, sys, time
from pathlib import Path
import numpy as np

class Picamera2:
    """Gives blue pictures until a file says otherwise; writes down what it was told."""

    camera_controls = {"LensPosition": (0, 10, 1)}

    def __init__(self, number):
        if number == 3:
            raise RuntimeError("Camera(s) not found (Do not forget to disable legacy camera).")
        self.here = Path(__file__).parent

    def create_video_configuration(self, main, controls):
        return {"main": main, "controls": controls}

    def configure(self, configuration):
        self.size = configuration["main"]["size"]

    def start(self):
        pass

    def capture_array(self, name):
        if (self.here / "dies").exists():
            sys.exit("the driver gave up")
        while (self.here / "hangs").exists():
            time.sleep(0.01)
        time.sleep(0.02)
        pixels = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        pixels[:, :, 0] = 255
        return pixels

    def capture_metadata(self):
        return {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (1.8, 1.6), "LensPosition": 2.5}

    def set_controls(self, controls):
        (self.here / "telling").write_text(repr(sorted(controls)))
        (self.here / "telling").rename(self.here / "told")
'''


class PiRig:
    """A folder that stands for the system's own packages."""

    def __init__(self, folder):
        self.folder, self.cameras = folder, []
        (folder / "picamera2.py").write_text(PICAMERA2)

    def command(self, **options):
        wanted = {"number": 0, "width": 64, "height": 48, "fps": 10, "lock": False} | options
        start = f"import sys; sys.path.insert(0, {str(self.folder)!r}); "
        run = f"import runpy; runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"
        return (sys.executable, "-c", start + run, json.dumps(wanted))

    def open(self, **options):
        self.cameras.append(PiCamera("ribbon", self.command(**options)))
        return self.cameras[-1]

    def frame(self, camera):
        return camera.read(timeout_ms=5000)

    def are_in_order(self, numbers):
        return sorted(set(numbers)) == numbers

    def open_missing(self):
        return open_camera("ribbon", {"python": "/no/such/python"})

    def end(self, camera):
        (self.folder / "dies").touch()
        return monotonic_ms()

    def close(self):
        for camera in self.cameras:
            camera.close()


@pytest.fixture
def rig(tmp_path):
    rig = PiRig(tmp_path)
    yield rig
    rig.close()


class TestPiCamera(CameraPromises):
    rig = rig_of(PiRig)


def test_a_driver_that_hangs_is_killed_by_the_clock_and_the_ribbon_named(rig):
    clock = VirtualClock()
    (rig.folder / "hangs").touch()
    camera = PiCamera("ribbon", rig.command(), now_ms=clock.now_ms)
    clock.pause(5000)
    with pytest.raises(DeviceLost, match="ribbon cable"):
        camera.read(timeout_ms=0)
    assert camera._process.wait(timeout=5) != 0
    camera.close()


def test_a_camera_that_is_not_there_is_lost_with_what_the_driver_said(rig):
    camera = rig.open(number=3)
    with pytest.raises(DeviceLost, match=r"It said: RuntimeError: Camera\(s\) not found"):
        while True:
            camera.read(timeout_ms=1000)


def test_another_light_lets_a_ribbon_camera_settle_anew_and_a_hand_does_not():
    keeping, said = Keeping(0.0), []

    def shines(level, until_s):
        start_s = said[-1][1] if said else 0.0
        for tenth in range(int(start_s * 10) + 1, int(until_s * 10) + 1):
            said.append((keeping.see(level, tenth / 10), tenth / 10))

    shines(100, 3)
    shines(40, 3 + DRIFTS_S - 0.5)  # a hand
    shines(100, 9)
    shines(180, 9 + DRIFTS_S + SETTLE_S + 1)
    assert [deed for deed, _ in said if deed] == ["lock", "free", "lock"]
    assert next(at_s for deed, at_s in said if deed) == SETTLE_S


def test_exposure_white_balance_and_focus_are_locked_after_they_settled(rig):
    camera = rig.open(lock=True)
    wait_until(lambda: camera.read(timeout_ms=100) is not None and (rig.folder / "told").exists())
    told = (rig.folder / "told").read_text()
    assert all(name in told for name in ("AeEnable", "AwbEnable", "ColourGains", "LensPosition"))
