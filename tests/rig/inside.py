"""What is tried inside the emulated kernel: our drivers on its camera, its serial device and its bus.

Plain Python, no pytest: each trial prints one line. Run as root by ``emulate.py``; it pulls cables.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

FIRMWARE = Path("/companion/hardware/firmware/micropython")
sys.path[:0] = [str(FIRMWARE), "/companion/tests/hardware/firmware"]

from on_board import Board  # noqa: E402  (lies side by side with the firmware, as on a board)

from companion.ports import BoardTurn, DeviceLost, DeviceStanding, DeviceState  # noqa: E402
from hardware.cameras import usb  # noqa: E402
from hardware.turntables import as5600, serial_rotor  # noqa: E402

CAMERA = "/dev/video0"
GADGET = "/dev/ttyGS0"
SERIAL = "D7F3A1"
BACK_S, CAMERA_BACK_S, STALL_S = 2.0, 10.0, 2.5
PATIENCE_S = 20.0


def sh(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def until(is_so: Callable[[], Any], what: str, patience_s: float = PATIENCE_S) -> tuple[Any, float]:
    """Wait until something is so; return it and how long that took."""
    began_s = time.monotonic()
    while time.monotonic() - began_s < patience_s:
        if found := is_so():
            return found, time.monotonic() - began_s
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {patience_s:.0f} s")


def a_camera_of_v4l2_gives_pictures_and_is_lost_and_back() -> str:
    sh("modprobe", "vivid", "n_devs=1", "node_types=0x1")
    until(lambda: Path(CAMERA).exists(), "the camera's node")
    options = {"device": CAMERA, "width": 640, "height": 360, "fps": 15}
    camera = usb.open_camera("boom", options)
    frame, _ = until(lambda: camera.read(timeout_ms=500), "the first picture")
    sh("v4l2-ctl", "-d", CAMERA, "-c", "disconnect=1")
    began_s = time.monotonic()
    with contextlib.suppress(DeviceLost):
        while time.monotonic() - began_s < PATIENCE_S:
            camera.read(timeout_ms=100)
    lost_s = time.monotonic() - began_s
    camera.close()
    assert lost_s <= STALL_S, f"lost only after {lost_s:.1f} s"
    sh("rmmod", "vivid")
    sh("modprobe", "vivid", "n_devs=1", "node_types=0x1")

    def opened() -> Any:
        with contextlib.suppress(DeviceLost):
            return usb.open_camera("boom", options)
        return None

    camera, waited_s = until(opened, "the camera again", CAMERA_BACK_S)
    _, first_s = until(lambda: camera.read(timeout_ms=500), "a picture again", CAMERA_BACK_S)
    camera.close()
    shape = frame.pixels.shape
    return f"{shape[1]} x {shape[0]}; lost in {lost_s:.2f} s, back in {waited_s + first_s:.1f} s"


class Gadget(threading.Thread):
    """The firmware of a turning board on the other end of a real USB serial line."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.tenths, self._end = 0, threading.Event()
        self._board = Board("R-02B4E9", 0x9C21)

    def run(self) -> None:
        began_s = time.monotonic()
        while not self._end.is_set():
            with contextlib.suppress(OSError):
                file = os.open(GADGET, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
                sh("stty", "-F", GADGET, "raw", "-echo")
                try:
                    while not self._end.is_set():
                        self._serve(file, int((time.monotonic() - began_s) * 1000))
                        time.sleep(0.01)
                finally:
                    os.close(file)
            time.sleep(0.02)

    def _serve(self, file: int, now_ms: int) -> None:
        came = b""
        with contextlib.suppress(BlockingIOError):
            came = os.read(file, 4096)
        said = bytes.fromhex(self._board.step(f"{now_ms} {self.tenths} {came.hex()}"))
        if said:
            with contextlib.suppress(BlockingIOError):
                os.write(file, said)

    def close(self) -> None:
        self._end.set()
        self.join()


def a_serial_device_is_found_by_itself_turned_pulled_and_back_by_its_id() -> str:
    sh("modprobe", "dummy_hcd")
    plug = (
        "modprobe",
        "g_serial",
        "use_acm=1",
        f"iSerialNumber={SERIAL}",
        "iProduct=Board",
        "idVendor=0x2e8a",
    )
    sh(*plug)
    gadget = Gadget()
    until(lambda: Path(GADGET).exists(), "the gadget's node")
    gadget.start()
    sensor = serial_rotor.open_board_sensor("centre", {"port": "auto"})

    def stands(state: DeviceState, quarter: int | None = None) -> Any:
        said = sensor.read(timeout_ms=50)
        is_it = isinstance(said, DeviceStanding) and said.state is state and quarter in (None, said.quarter)
        return said if is_it else None

    until(lambda: stands(DeviceState.LIVE, 0), "the board found")
    links = list(Path("/dev/companion").glob("*")) if Path("/dev/companion").exists() else []
    assert any(SERIAL in link.name for link in links), f"our udev rule made no link: {links}"
    for gadget.tenths in (0, 300, 600, 900):
        time.sleep(0.1)
    turn, _ = until(lambda: _turn(sensor), "a turn")
    assert turn.delta == 1
    gadget.close()
    sh("rmmod", "g_serial")
    _, lost_s = until(lambda: stands(DeviceState.LOST), "the loss")
    assert not any(link.exists() for link in links), "the link outlives its device"
    sh(*plug)
    gadget = Gadget()
    gadget.tenths = 900
    gadget.start()
    until(lambda: Path("/dev/ttyACM0").exists(), "the port's node")
    began_s = time.monotonic()
    until(lambda: stands(DeviceState.LIVE), "the board again")
    back_s = time.monotonic() - began_s
    sensor.close()
    gadget.close()
    return f"link {links[0].name}; lost in {lost_s:.2f} s, back in {back_s:.2f} s"


def _turn(sensor: Any) -> BoardTurn | None:
    said = sensor.read(timeout_ms=50)
    return said if isinstance(said, BoardTurn) else None


def an_as5600_on_a_real_bus_is_read_and_its_turn_told() -> str:
    sh("modprobe", "i2c-dev")
    sh("modprobe", "i2c-stub", "chip_addr=0x36")
    bus = next(
        int(path.name.removeprefix("i2c-"))
        for path in Path("/sys/bus/i2c/devices").glob("i2c-*")
        if "stub" in (path / "name").read_text().lower()
    )

    def turn_to(raw: int) -> None:
        for register, value in ((0x0B, 0x20), (0x1A, 64), (0x0C, raw >> 8), (0x0D, raw & 0xFF)):
            sh("i2cset", "-y", str(bus), "0x36", f"0x{register:02x}", f"0x{value:02x}", "b")

    turn_to(0)
    sensor = as5600.open_board_sensor("centre", {"bus": bus})
    until(lambda: getattr(sensor.read(timeout_ms=100), "quarter", None) == 0, "quarter 0")
    for raw in range(0, 1025, 64):
        turn_to(raw)
        sensor.read(timeout_ms=30)
    turn, _ = until(lambda: _turn(sensor), "a turn")
    assert turn.delta == 1
    sensor.close()
    return f"bus {bus}, one quarter clockwise"


TRIALS = (
    a_camera_of_v4l2_gives_pictures_and_is_lost_and_back,
    a_serial_device_is_found_by_itself_turned_pulled_and_back_by_its_id,
    an_as5600_on_a_real_bus_is_read_and_its_turn_told,
)


def main() -> int:
    failed = 0
    for trial in TRIALS:
        name = trial.__name__.replace("_", " ")
        try:
            print(f"ok      {name}: {trial()}", flush=True)
        except Exception:
            failed += 1
            print(f"failed  {name}", flush=True)
            traceback.print_exc(file=sys.stdout)
    print(f"{len(TRIALS) - failed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
