"""What is plugged in is found by names that stay, and can be looked through before it is chosen."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.ports import DeviceLost, Frame
from hardware.cameras.found import camera_at, pi_cameras, usb_cameras
from hardware.find_job import find
from hardware.simulated.devices import Devices
from tests.hardware.cameras.phone_camera import PhoneCamera

RIBBONS = """
class Picamera2:
    @staticmethod
    def global_camera_info():
        return [
            {"Num": 0, "Model": "imx708_wide", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"},
            {"Num": 1, "Model": "HD Webcam", "Id": "/base/scb/pcie/usb@0,0/usb-1.3:1.0"},
        ]
"""


class Bench:
    """A workbench with one camera that shows grey."""

    box_folder, cameras = "", ("ceiling",)

    def frame(self, camera: str) -> Frame:
        return Frame(np.full((720, 1280, 3), 90, np.uint8), 1, 0, camera)

    def recogniser(self) -> None:
        return None


@pytest.fixture
def phone() -> Iterator[PhoneCamera]:
    with closing(PhoneCamera()) as camera:
        yield camera


def asked(**told: Any) -> Any:
    return find(Bench(), told, b"")


def test_a_usb_camera_is_found_by_the_name_that_stays_its_own(tmp_path: Path):
    by_id, by_path = tmp_path / "by-id", tmp_path / "by-path"
    by_id.mkdir()
    by_path.mkdir()
    nodes = [tmp_path / f"video{number}" for number in range(5)]
    for node in nodes:
        node.touch()
    (by_id / "usb-046d_HD_Pro_Webcam_C920_1A2B-video-index0").symlink_to(nodes[0])
    (by_id / "usb-046d_HD_Pro_Webcam_C920_1A2B-video-index1").symlink_to(nodes[1])
    (by_path / "pci-0000:01:00.0-usb-0:1.3:1.0-video-index0").symlink_to(nodes[0])
    (by_path / "pci-0000:01:00.0-usb-0:1.4:1.0-video-index0").symlink_to(nodes[2])
    (by_path / "platform-bcm2835-codec-video-index0").symlink_to(nodes[3])
    named, nameless = usb_cameras(by_id, by_path)
    assert named.options == {"device": str(by_id / "usb-046d_HD_Pro_Webcam_C920_1A2B-video-index0")}
    assert (named.driver, named.called) == ("usb", "046d HD Pro Webcam C920 1A2B")
    assert nameless.options == {"device": str(by_path / "pci-0000:01:00.0-usb-0:1.4:1.0-video-index0")}


def test_cameras_on_ribbon_cables_are_found_and_webcams_not_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "picamera2.py").write_text(RIBBONS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (ribbon,) = pi_cameras(Path(sys.executable), tmp_path)
    assert (ribbon.driver, ribbon.options, ribbon.called) == ("pi", {"number": 0}, "imx708_wide")
    assert pi_cameras(Path(sys.executable), tmp_path / "none") == ()


def test_a_phone_is_found_by_its_bare_address(phone: PhoneCamera):
    found = camera_at(f" {phone.address} ")
    assert (found.driver, found.options) == ("mjpeg", {"url": f"http://{phone.address}/video"})
    assert camera_at(f"http://{phone.address}/video") == found


def test_an_address_without_a_camera_is_refused_in_plain_words(phone: PhoneCamera):
    with pytest.raises(DeviceLost, match="answers 404"):
        camera_at(f"{phone.address}/nowhere")
    answer = asked(do="camera_at", address="127.0.0.1:9")
    assert "cannot be reached" in answer["why"]["values"]["text"]
    assert "is no address of a camera" in asked(do="camera_at", address="http://")["why"]["values"]["text"]


def test_a_camera_is_looked_through_before_it_is_chosen(phone: PhoneCamera):
    found = asked(do="camera_at", address=phone.address)["camera"]
    seen = asked(do="picture", driver=found["driver"], options=found["options"])
    shown = cv2.imdecode(np.frombuffer(seen["jpeg"], np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.shape[:2] == (90, 160) == tuple(reversed(seen["size"]))
    wide = asked(do="picture", camera="ceiling")
    assert wide["size"] == [1280, 720] and wide["jpeg"][:2] == b"\xff\xd8"
    assert not asked(do="picture", driver="mjpg", options={})["ok"]


def test_a_die_and_a_rotor_are_found_by_what_they_say_of_themselves():
    with closing(Devices(3, 1.0)) as devices:
        folder = devices.die.plug.link.parent
        answer = asked(do="speakers", ports=f"{folder}/*")
    assert [(one["id"], one["kind"]) for one in answer["speakers"]] == [
        ("D-51B0D1", "die"),
        ("R-51B0D2", "rotor"),
    ]
    assert answer["speakers"][0]["port"] == str(folder / "die")
