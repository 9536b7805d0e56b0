"""A camera is locked once it has settled; the picture has the last word."""

import cv2
import numpy as np

from companion.kept_setup import keep
from hardware.cameras import usb
from hardware.cameras.locking import DRIFTS_MS, LOOKS_MS, SETTLES_MS, Locking, Phase


class Webcam:
    """A camera's controls; ``lies`` says yes and gets brighter, ``fixed`` has no such controls.

    ``stale``: by itself it exposes otherwise than it says; ``tints``: locked it has other colours.
    """

    def __init__(self, *, lies=False, fixed=False, stale=False, tints=False):
        self.stale, self.tints = stale, tints
        self.values = {
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_FOCUS: 30.0,
        }
        self.lies, self.fixed, self.light = lies, fixed, 100

    def get(self, setting):
        return -1.0 if self.fixed else self.values.get(setting, -1.0)

    def set(self, setting, value):
        self.values[setting] = value
        return not self.fixed

    @property
    def is_locked(self):
        return self.values.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0

    def picture(self):
        level = self.light + (60 if self.lies and self.is_locked else 0)
        if self.stale and self.is_locked:
            level = min(255, self.light * self.values[cv2.CAP_PROP_EXPOSURE] / 40.0)
        picture = np.full((48, 64, 3), level, np.uint8)
        if self.tints and self.is_locked:
            picture[..., 0] = 0.7 * level
        return picture


def watched(locking, camera, from_ms, until_ms):
    for now_ms in range(from_ms, until_ms + 1, 100):
        locking.see(camera.picture(), now_ms)


def test_what_was_found_is_kept_once_the_picture_has_settled():
    camera = Webcam()
    locking = Locking(camera)
    watched(locking, camera, 0, SETTLES_MS - 100)
    assert not camera.is_locked
    watched(locking, camera, SETTLES_MS, SETTLES_MS + LOOKS_MS)
    assert locking.phase is Phase.LOCKED
    assert camera.values[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert (camera.values[cv2.CAP_PROP_AUTO_WB], camera.values[cv2.CAP_PROP_AUTOFOCUS]) == (0.0, 0.0)


def test_a_camera_that_gets_brighter_when_locked_is_left_to_itself():
    camera = Webcam(lies=True)
    locking = Locking(camera)
    watched(locking, camera, 0, 10_000)
    assert locking.phase is Phase.REFUSED
    assert not camera.is_locked


def test_a_camera_that_locks_what_was_right_long_ago_is_corrected_until_the_picture_is_as_it_was():
    camera = Webcam(stale=True)
    locking = Locking(camera)
    watched(locking, camera, 0, 12_000)
    assert locking.phase is Phase.LOCKED
    assert 85 < camera.picture().mean() < 115
    assert not locking.is_fickle


def test_a_camera_that_changes_its_colours_when_locked_is_left_to_itself_and_said_to_be_fickle():
    camera = Webcam(tints=True)
    locking = Locking(camera)
    watched(locking, camera, 0, 10_000)
    assert locking.is_fickle
    assert not camera.is_locked


def test_it_is_locked_when_somebody_says_that_all_is_right_and_settles_anew_when_that_is_said_again():
    camera, kept = Webcam(), [0]
    locking = Locking(camera, lambda: kept[0])
    watched(locking, camera, 0, 10_000)
    assert locking.phase is Phase.FREE and not camera.is_locked
    kept[0] = 7
    watched(locking, camera, 10_100, 15_000)
    assert locking.phase is Phase.LOCKED
    kept[0] = 8
    watched(locking, camera, 15_100, 15_200)
    assert locking.phase is Phase.SETTLING and not camera.is_locked


def test_a_camera_without_such_controls_is_left_alone():
    camera = Webcam(fixed=True)
    watched(Locking(camera), camera, 0, 10_000)
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in camera.values


def test_a_lamp_that_is_switched_on_lets_it_settle_anew_and_a_hand_does_not():
    camera = Webcam()
    locking = Locking(camera)
    watched(locking, camera, 0, 6000)
    camera.light = 60  # a sleeve over the lens
    watched(locking, camera, 6100, 6100 + DRIFTS_MS - 200)
    camera.light = 100
    watched(locking, camera, 12_000, 13_000)
    assert locking.phase is Phase.LOCKED
    camera.light = 180
    watched(locking, camera, 13_100, 13_200 + DRIFTS_MS)
    assert locking.phase is Phase.SETTLING and not camera.is_locked
    watched(locking, camera, 19_000, 25_000)
    assert locking.phase is Phase.LOCKED


def test_a_camera_is_locked_for_the_set_up_that_was_kept_of_it_and_of_no_other(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    wish = usb.once_set_up("above")
    assert wish() == 0
    keep(tmp_path, {"box": "A", "cameras": [{"camera": "aside", "boards": []}]})
    assert wish() == 0
    keep(tmp_path, {"box": "A", "cameras": [{"camera": "above", "boards": []}]})
    first = wish()
    keep(tmp_path, {"box": "A", "cameras": [{"camera": "above", "boards": []}]})
    assert first != 0 and wish() not in (0, first)
    (tmp_path / "setup.json").write_text('{"format": 1, "cameras": [{"camera": "above"}]}')
    assert wish() == 0


def test_a_camera_is_known_again_by_its_own_name_whatever_its_number(tmp_path):
    (tmp_path / "video2").touch()
    (tmp_path / "by-id").mkdir()
    (tmp_path / "by-id/usb-Webcam_1A2B-video-index0").symlink_to("../video2")
    assert usb.own_name(str(tmp_path / "video2"), tmp_path / "by-id") == "usb-Webcam_1A2B-video-index0"
    assert usb.own_name(str(tmp_path / "video0"), tmp_path / "by-id") == ""
