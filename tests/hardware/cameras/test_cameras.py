"""The promises of every camera, held by all that can run without one: HTTP, folder, video."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from queue import Queue

import cv2
import numpy as np
import pytest

from companion.ports import DeviceLost
from hardware.cameras import folder, mjpeg, usb, video
from hardware.cameras.folder import FolderCamera
from hardware.cameras.mailbox import Mailbox
from hardware.cameras.mjpeg import MjpegCamera, is_whole_jpeg
from hardware.cameras.usb import UsbCamera
from hardware.clock import Clock, monotonic_ms, pause
from hardware.simulated.virtual_time import VirtualClock
from tests.hardware.cameras.rigs import rig_of
from tests.hardware.promises import CameraPromises
from tests.hardware.stand_ins import wait_until


def picture(shade=0):
    """Return a picture whose corner is blue; ``shade`` fills the middle."""
    pixels = np.full((48, 64, 3), (255, 0, 0), np.uint8)
    pixels[16:32, 20:44] = shade
    return pixels


def jpeg(shade=0):
    return cv2.imencode(".jpg", picture(shade), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def shade_of(frame):
    return int(frame.pixels[24, 32].mean())


class StreamServer:
    """An HTTP server whose camera sends what a test puts into ``say``: bytes, or None to hang up."""

    def __init__(self):
        self.say = Queue()
        self.status, self.kind = 200, "multipart/x-mixed-replace; boundary=frame"
        self.location = None
        self.asked = Queue()
        outer = self

        class Request(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.put(dict(self.headers) | {"path": self.path})
                if self.path == "/moved":
                    self.send_response(302)
                    self.send_header("Location", "/stream")
                    self.end_headers()
                    return
                self.send_response(outer.status)
                self.send_header("Content-Type", outer.kind)
                self.end_headers()
                while (said := outer.say.get()) is not None:
                    try:
                        self.wfile.write(said)
                        self.wfile.flush()
                    except OSError:
                        return

            def log_message(self, format, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Request)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/stream"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def show(self, *shades):
        for shade in shades:
            body = jpeg(shade)
            head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(body)
            self.say.put(head + body + b"\r\n")

    def stop(self):
        for _ in range(8):
            self.say.put(None)
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Opened:
    """A rig that closes the cameras it has opened."""

    def __init__(self):
        self.cameras = []

    def keep(self, camera):
        self.cameras.append(camera)
        return camera

    def close(self):
        for camera in self.cameras:
            camera.close()


class HttpRig(Opened):
    def __init__(self, folder_path):
        super().__init__()
        self.server = StreamServer()

    def open(self, **more):
        return self.keep(mjpeg.open_camera("ceiling", {"url": self.server.url, **more}))

    def frame(self, camera):
        self.server.show(9)
        return camera.read(timeout_ms=5000)

    def are_in_order(self, numbers):
        return all(sooner < later for sooner, later in pairwise(numbers))

    def open_missing(self):
        return mjpeg.open_camera("ceiling", {"url": "http://127.0.0.1:9/stream"})

    def end(self, camera):
        self.server.say.put(None)
        return monotonic_ms()

    def close(self):
        super().close()
        self.server.stop()


class FolderRig(Opened):
    def __init__(self, folder_path):
        super().__init__()
        self.path = folder_path / "stills"
        self.path.mkdir()
        for number in range(6):
            (self.path / f"{number:02}.png").write_bytes(
                cv2.imencode(".png", picture(40 * number))[1].tobytes()
            )

    def open(self):
        return self.keep(folder.open_camera("stills", {"path": str(self.path), "fps": 100, "hold_ms": 20}))

    def frame(self, camera):
        return camera.read(timeout_ms=5000)

    def are_in_order(self, numbers):
        return numbers == sorted(numbers)

    def open_missing(self):
        return folder.open_camera("stills", {"path": "/nowhere/at/all"})

    def end(self, camera):
        self.path.rename(self.path.with_name("moved"))
        return monotonic_ms()


class VideoRig(Opened):
    def __init__(self, folder_path):
        super().__init__()
        self.path = folder_path / "evening.avi"
        writer = cv2.VideoWriter(str(self.path), cv2.VideoWriter.fourcc(*"MJPG"), 50, (64, 48))
        for number in range(8):
            writer.write(picture(30 * number))
        writer.release()

    def open(self):
        return self.keep(video.open_camera("evening", {"path": str(self.path), "fps": 50}))

    def frame(self, camera):
        return camera.read(timeout_ms=5000)

    def are_in_order(self, numbers):
        return numbers == [0, 1, 2, 3]

    def open_missing(self):
        return video.open_camera("evening", {"path": "/nowhere/evening.mp4"})

    def end(self, camera):
        return monotonic_ms()  # it ends by itself


class FakeCapture:
    """What OpenCV gives for a camera, without one: frames, quicker when ``ready`` is released."""

    def __init__(self):
        self.ready = threading.Semaphore(0)
        self.is_unplugged = self.is_released = False
        self.retrieved = 0

    def grab(self):
        self.ready.acquire(timeout=0.02)
        return not self.is_unplugged

    def retrieve(self):
        self.retrieved += 1
        return True, picture(7)

    def release(self):
        self.is_released = True


class UsbRig(Opened):
    """The grabbing of the USB driver; OpenCV's own capture cannot be run without a camera."""

    def __init__(self, folder_path):
        super().__init__()
        self.capture = FakeCapture()

    def open(self):
        return self.keep(UsbCamera("boom", self.capture))

    def frame(self, camera):
        return camera.read(timeout_ms=5000)

    def are_in_order(self, numbers):
        return all(sooner < later for sooner, later in pairwise(numbers))

    def open_missing(self):
        return usb.open_camera("boom", {"device": "/dev/v4l/by-id/usb-nothing-index0"})

    def end(self, camera):
        self.capture.is_unplugged = True
        return monotonic_ms()


class TestHttpCamera(CameraPromises):
    rig = rig_of(HttpRig)


class TestFolderCamera(CameraPromises):
    rig = rig_of(FolderRig)


class TestVideoCamera(CameraPromises):
    rig = rig_of(VideoRig)


class TestUsbCamera(CameraPromises):
    rig = rig_of(UsbRig)


# -- MJPEG over HTTP ----------------------------------------------------------------------------


@pytest.fixture
def http(tmp_path):
    rig = HttpRig(tmp_path)
    yield rig
    rig.close()


def test_only_the_newest_of_many_pictures_is_given(http):
    camera = http.open()
    http.server.show(*range(0, 250, 10))
    wait_until(lambda: camera.overtaken == 24)
    frame = camera.read(timeout_ms=5000)
    assert (frame.number, round(shade_of(frame), -1)) == (24, 240)
    assert camera.read(timeout_ms=0) is None


def test_a_stalled_stream_is_lost_and_its_last_picture_is_not_given_any_more(http):
    camera = http.open(stall_ms=300)
    http.frame(camera)
    http.server.show(200)
    with pytest.raises(DeviceLost, match=r"has sent no picture for 0.3 s\. It is opened again"):
        camera._thread.join()
        camera.read(timeout_ms=0)


def test_a_stream_that_drips_without_ever_giving_a_picture_is_lost_as_well(http):
    camera = http.open(stall_ms=300)
    http.frame(camera)
    dripping = threading.Thread(target=lambda: [(http.server.say.put(b"\xff"), pause(20)) for _ in range(40)])
    dripping.start()
    with pytest.raises(DeviceLost, match="has sent no picture"):
        camera.read(timeout_ms=20_000)
    dripping.join()


def test_half_a_picture_is_skipped_and_counted(http):
    camera = http.open()
    half = jpeg(50)[: len(jpeg(50)) // 2]
    http.server.say.put(b"--frame\r\nContent-Length: %d\r\n\r\n" % len(half) + half + b"\r\n")
    http.server.show(99)
    assert abs(shade_of(camera.read(timeout_ms=5000)) - 99) < 5
    assert camera.spoilt == 1


def test_a_picture_spoilt_inside_is_skipped_and_counted(http):
    camera = http.open()
    spoilt = b"\xff\xd8" + b"not a picture at all" + b"\xff\xd9"
    http.server.say.put(b"--frame\r\nContent-Length: %d\r\n\r\n" % len(spoilt) + spoilt)
    assert camera.read(timeout_ms=200) is None
    http.server.show(99)
    assert camera.read(timeout_ms=5000) is not None
    assert camera.spoilt == 1


def test_garbage_before_the_first_picture_does_no_harm(http):
    camera = http.open()
    http.server.say.put(b"\r\n\0garbage--fra\xff" * 50)
    assert http.frame(camera) is not None


def test_a_stream_without_lengths_is_read(http):
    camera = http.open()
    for shade in (10, 20, 30):
        http.server.say.put(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg(shade) + b"\r\n")
    assert camera.read(timeout_ms=5000) is not None


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (404, "text/plain", "answers 404 Not Found; check the path"),
        (401, "text/plain", "wants a user and a password"),
        (200, "text/html; charset=utf-8", "gives text/html, no MJPEG stream"),
        (200, "image/jpeg", "gives a single picture"),
        (200, "multipart/x-mixed-replace", "no MJPEG stream"),
    ],
)
def test_an_address_that_is_no_stream_is_refused_with_what_it_is(http, status, kind, words):
    http.server.status, http.server.kind = status, kind
    with pytest.raises(DeviceLost, match=words):
        http.open()


def test_the_password_of_a_camera_is_sent_and_never_shown(http):
    url = http.server.url.replace("http://", "http://anna:se%3Acret@")
    camera = http.keep(mjpeg.open_camera("ceiling", {"url": url, "stall_ms": 200}))
    assert http.server.asked.get()["Authorization"] == "Basic YW5uYTpzZTpjcmV0"
    http.frame(camera)
    with pytest.raises(DeviceLost) as raised:
        while True:
            camera.read(timeout_ms=5000)
    assert "cret" not in str(raised.value) and "anna" not in str(raised.value)


def test_a_camera_that_has_moved_is_followed(http):
    camera = http.keep(mjpeg.open_camera("ceiling", {"url": http.server.url.replace("/stream", "/moved")}))
    assert http.frame(camera) is not None


def test_a_proxy_of_the_house_is_not_asked_for_a_camera(http, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert http.frame(http.open()) is not None


@pytest.mark.parametrize(
    "url", ["ftp://camera/x", "camera.local", "file:///etc/passwd", "http://[::1", "http://c:99999/"]
)
def test_an_address_that_makes_no_sense_is_refused_before_anything_is_opened(url):
    with pytest.raises(ValueError, match="is no address of a camera"):
        mjpeg.open_camera("ceiling", {"url": url})


def test_a_closed_camera_leaves_no_thread_behind(http):
    camera = http.open()
    http.frame(camera)
    camera.close()
    assert not camera._thread.is_alive()
    with pytest.raises(DeviceLost, match="was closed"):
        camera.read(timeout_ms=0)


def test_a_lost_camera_can_be_opened_again_at_once(http):
    camera = http.open()
    http.frame(camera)
    http.server.say.put(None)
    with pytest.raises(DeviceLost, match="has ended its stream"):
        camera.read(timeout_ms=5000)
    assert http.frame(http.open()) is not None


@pytest.mark.parametrize(
    ("tail", "is_whole"), [(b"", True), (b"\r\n", True), (b"\0\0\0", True), (b"x", False)]
)
def test_a_jpeg_is_whole_if_nothing_but_padding_follows_its_end(tail, is_whole):
    assert is_whole_jpeg(jpeg() + tail) is is_whole


# -- a folder of stills ----------------------------------------------------------------------------


@pytest.fixture
def stills(tmp_path):
    rig = FolderRig(tmp_path)
    yield rig
    rig.close()


def shown(camera, clock):
    frames = []
    with pytest.raises(DeviceLost) as raised:
        while True:
            frame = camera.read(timeout_ms=50)
            if frame is not None:
                frames.append((frame.number, frame.at_ms))
    return frames, str(raised.value)


def test_each_still_is_held_as_long_as_said_at_the_pace_that_is_said(stills):
    clock = VirtualClock()
    camera = FolderCamera("stills", stills.path, fps=5, hold_ms=2000, clock=Clock(clock.now_ms, clock.pause))
    frames, why = shown(camera, clock)
    assert [number for number, _ in frames] == [still for still in range(6) for _ in range(10)]
    assert [at_ms for _, at_ms in frames] == [200 * showing for showing in range(60)]
    assert why == f"All 6 stills of {stills.path} were shown. Set loop = true to begin again."


def test_who_looks_late_misses_no_showing_of_a_still(stills):
    clock = VirtualClock()
    camera = FolderCamera("stills", stills.path, fps=5, hold_ms=1000, clock=Clock(clock.now_ms, clock.pause))
    numbers = []
    for _ in range(30):
        frame = camera.read(timeout_ms=1000)
        numbers.append(frame.number)
        clock.pause(900)  # slow eyes
    assert numbers == [still for still in range(6) for _ in range(5)]


def test_a_looping_folder_begins_again_with_its_first_number(stills):
    clock = VirtualClock()
    camera = FolderCamera("stills", stills.path, hold_ms=0, loop=True, clock=Clock(clock.now_ms, clock.pause))
    assert [camera.read(timeout_ms=1000).number for _ in range(8)] == [0, 1, 2, 3, 4, 5, 0, 1]


def test_two_showings_of_a_still_differ_by_a_little_noise_only(stills):
    clock = VirtualClock()
    camera = FolderCamera("stills", stills.path, clock=Clock(clock.now_ms, clock.pause))
    first, second = (camera.read(timeout_ms=1000).pixels.astype(int) for _ in range(2))
    assert 0.1 < np.abs(first - second).mean() < 3


def test_a_file_that_is_no_picture_is_left_out_and_counted(stills):
    (stills.path / "01.png").write_text("no picture")
    (stills.path / "02.png").write_bytes(b"")
    clock = VirtualClock()
    camera = FolderCamera("stills", stills.path, hold_ms=0, clock=Clock(clock.now_ms, clock.pause))
    frames, _ = shown(camera, clock)
    assert [number for number, _ in frames] == [0, 3, 4, 5]
    assert camera.spoilt == 2


def test_a_looping_folder_of_nothing_but_spoilt_pictures_ends(tmp_path):
    (tmp_path / "a.jpg").write_text("no picture")
    camera = FolderCamera("stills", tmp_path, loop=True)
    with pytest.raises(DeviceLost):
        camera.read(timeout_ms=100)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(DeviceLost, match=r"There is no picture in .* \(\.jpg, \.jpeg, \.png\)"):
        folder.open_camera("stills", {"path": str(tmp_path)})


# -- video and USB ----------------------------------------------------------------------------------


def test_a_video_is_thinned_to_the_frames_a_second_that_are_wanted(tmp_path):
    path = VideoRig(tmp_path).path
    camera = video.open_camera("evening", {"path": str(path), "fps": 25})
    assert [camera.read(timeout_ms=1000).number for _ in range(4)] == [0, 2, 4, 6]
    with pytest.raises(DeviceLost, match="was shown to its end"):
        camera.read(timeout_ms=1000)
    camera.close()


def test_a_looping_video_goes_on_with_rising_numbers(tmp_path):
    path = VideoRig(tmp_path).path
    camera = video.open_camera("evening", {"path": str(path), "fps": 50, "loop": True})
    numbers = [camera.read(timeout_ms=1000).number for _ in range(20)]
    assert numbers == list(range(20))
    camera.close()


def test_a_file_that_is_no_video_is_refused(tmp_path):
    (tmp_path / "notes.mp4").write_text("no video")
    with pytest.raises(DeviceLost, match=r"notes\.mp4 cannot be played as a video"):
        video.open_camera("evening", {"path": str(tmp_path / "notes.mp4")})


def test_a_usb_camera_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(DeviceLost, match="There is no camera /dev/video99 for boom"):
        usb.open_camera("boom", {"device": "/dev/video99"})


def test_a_device_that_is_no_camera_is_refused():
    with pytest.raises(DeviceLost, match="cannot be opened as a camera"):
        usb.open_camera("boom", {"device": "/dev/null"})


def test_a_usb_camera_decodes_only_what_is_asked_for():
    capture = FakeCapture()
    camera = UsbCamera("boom", capture)
    capture.ready.release(100)
    frame = camera.read(timeout_ms=5000)
    later = camera.read(timeout_ms=5000)
    assert capture.retrieved == 2 and later.number > frame.number
    camera.close()
    assert capture.is_released


def test_a_usb_camera_whose_driver_hangs_is_lost_by_the_clock():
    clock, capture = VirtualClock(), FakeCapture()
    hanging = threading.Event()
    capture.grab = lambda: hanging.wait(10)
    camera = UsbCamera("boom", capture, now_ms=clock.now_ms)
    clock.pause(5000)
    with pytest.raises(DeviceLost, match="has given no picture for 2 s"):
        camera.read(timeout_ms=0)
    capture.is_unplugged = True
    capture.grab = lambda: False
    hanging.set()
    camera.close()


def test_all_settings_of_a_camera_are_checked_at_once():
    with pytest.raises(ValueError) as raised:
        usb.open_camera("boom", {"device": "/dev/video0", "widht": 640, "height": "tall", "fps": True})
    said = str(raised.value)
    assert "widht is no setting of it; did you mean width?" in said
    assert "height is 'tall'" in said and "fps is True" in said


def test_a_lost_mailbox_gives_nothing_old():
    box = Mailbox()
    box.put("old")
    box.lose("It went away.")
    with pytest.raises(DeviceLost, match=r"It went away\."):
        box.take(timeout_ms=0)


def test_the_mjpeg_camera_names_an_address_that_cannot_be_found():
    with pytest.raises(DeviceLost, match="cannot be reached"):
        MjpegCamera("ceiling", "http://camera.invalid/stream")
