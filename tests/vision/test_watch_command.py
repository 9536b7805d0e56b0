"""``companion watch`` as a person runs it: on stills of a table, on a video, and on what is none."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.ports import DeviceLost
from vision.commands import watch
from vision.sources import FRAMES_A_STILL, frames_of

SCENES = Path(__file__).parents[2] / "../shared/scenes"
SEQUENCES = SCENES / "A/sequences"

pytestmark = pytest.mark.eyes


def run(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(watch, arguments, env={"COMPANION_HOME": str(home)})


def stills(sequence: str, folder: Path, only: Sequence[int] | None = None) -> Path:
    """Copy the stills of a sequence alone, under other names."""
    folder.mkdir()
    for number, still in enumerate(sorted((SEQUENCES / sequence).glob("*.jpg"))):
        if only is None or number in only:
            shutil.copy(still, folder / f"evening-{number:03}.jpg")
    return folder


def score(sequence: str, printed: str, folder: Path) -> dict[str, object]:
    noticed = folder / "noticed.jsonl"
    noticed.write_text(printed)
    command = [
        sys.executable,
        str(SCENES / "score_sequence.py"),
        str(SEQUENCES / sequence),
        str(noticed),
        "--json",
    ]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize(("sequence", "events"), [("seq1", 6), ("seq2", 6), ("seq3", 5), ("seq4", 5)])
def test_every_token_laid_at_a_seat_is_noticed_in_time_and_nothing_else(home, tmp_path, sequence, events):
    result = run(home, str(stills(sequence, tmp_path / "stills")), "--box", "A", "--json")
    assert result.exit_code == 0
    assert score(sequence, result.stdout, tmp_path) == {
        "events": events,
        "in_time": events,
        "late": 0,
        "missed": [],
        "false": [],
    }


def test_a_turned_disc_taken_rot_and_a_taken_upgrade_are_noticed_in_the_middle_of_the_table(home, tmp_path):
    result = run(home, str(stills("centre1", tmp_path / "stills")), "--box", "A", "--json")
    assert score("centre1", result.stdout, tmp_path) == {
        "events": 8,
        "in_time": 8,
        "late": 0,
        "missed": [],
        "false": [],
    }


def test_without_json_a_change_is_a_line_to_read(home, tmp_path):
    result = run(home, str(stills("seq1", tmp_path / "stills", only=(0, 1, 2))), "--box", "A")
    assert result.stdout == "   2  lab_red/reject3  empty -> rot\n"


def test_a_table_without_any_board_is_said_with_what_to_do(home, tmp_path):
    folder = tmp_path / "stills"
    folder.mkdir()
    grain = np.random.default_rng(5).integers(60, 120, (54, 96, 3), dtype=np.uint8)
    cv2.imwrite(str(folder / "evening.png"), cv2.resize(grain, (1920, 1080), interpolation=cv2.INTER_CUBIC))
    result = run(home, str(folder), "--box", "A", "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "No board was found. Boards are found by their corner tags" in result.stderr


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nowhere", "There is nothing to watch at nowhere."),
        ("empty", "There is no picture in empty"),
        ("broken", "evening.jpg is no picture that can be read"),
        ("note.txt", "note.txt is no video that can be watched"),
        ("torn.mp4", "torn.mp4 cannot be opened as a video"),
    ],
)
def test_a_source_that_is_none_is_said_in_one_sentence(home, tmp_path, monkeypatch, source, says):
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("broken").mkdir()
    Path("broken/evening.jpg").write_bytes(b"no picture")
    Path("note.txt").write_text("no video")
    Path("torn.mp4").write_bytes(b"no video either")
    result = run(home, source, "--box", "A")
    assert result.exit_code == 1
    assert says in result.stderr
    assert "Traceback" not in result.output


def test_an_unknown_box_is_said_with_the_near_match(home, tmp_path):
    tmp_path.joinpath("stills").mkdir()
    result = run(home, str(tmp_path / "stills"), "--box", "a")
    assert result.exit_code == 1
    assert "There is no box a. Did you mean A?" in result.stderr


def test_a_still_is_shown_for_two_seconds_each_time_with_fresh_noise(tmp_path):
    picture = np.full((90, 160, 3), 120, np.uint8)
    for name in ("b.png", "a.png"):
        cv2.imwrite(str(tmp_path / name), picture)
    frames = list(frames_of(str(tmp_path)))
    assert [frame.number for frame in frames] == [0] * FRAMES_A_STILL + [1] * FRAMES_A_STILL
    assert [frame.at_ms for frame in frames[:3]] == [0, 200, 400]
    noise = [frame.pixels.astype(int) - picture for frame in frames[:2]]
    assert all(0.5 < grain.std() < 3 for grain in noise)
    assert (noise[0] != noise[1]).any()


def test_a_video_is_shown_five_times_a_second_of_its_own_time(tmp_path):
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (160, 96))
    for level in range(50):
        writer.write(np.full((96, 160, 3), 4 * level, np.uint8))
    writer.release()
    frames = list(frames_of(str(path)))
    assert [frame.number for frame in frames] == list(range(0, 50, 5))
    assert [frame.at_ms for frame in frames[:3]] == [0, 200, 400]
    assert all(abs(int(frame.pixels.mean()) - 4 * frame.number) < 6 for frame in frames)


def test_the_end_of_a_video_is_said(home, tmp_path):
    path = tmp_path / "evening.avi"
    still = cv2.imread(str(SEQUENCES / "seq1/frame_00.jpg"))
    size_wh = (still.shape[1], still.shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, size_wh)
    for _ in range(12):
        writer.write(still)
    writer.release()
    result = run(home, str(path), "--box", "A", "--json")
    assert result.exit_code == 0
    assert "evening.avi was shown to its end." in result.stderr


class OnePicture(BaseHTTPRequestHandler):
    """An MJPEG stream that shows one picture and hangs up when it was seen."""

    seen = threading.Event()

    def do_GET(self) -> None:
        _, coded = cv2.imencode(".jpg", np.full((96, 160, 3), 90, np.uint8))
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for _ in range(2):  # a picture is whole when the next one begins
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(coded)}\r\n\r\n"
            self.wfile.write(head.encode() + coded.tobytes() + b"\r\n")
        self.seen.wait(timeout=10)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_a_camera_over_http_comes_through_its_entry_point_and_its_loss_is_said():
    with ThreadingHTTPServer(("127.0.0.1", 0), OnePicture) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        frames = frames_of(f"http://127.0.0.1:{server.server_port}/stream")
        assert next(frames).pixels.shape == (96, 160, 3)
        OnePicture.seen.set()
        with pytest.raises(DeviceLost):
            list(frames)
        server.shutdown()


def test_a_camera_that_is_not_there_is_said(home):
    result = run(home, "http://127.0.0.1:9/stream", "--box", "A")
    assert result.exit_code == 1
    assert "127.0.0.1:9" in result.stderr
