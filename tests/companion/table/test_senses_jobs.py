"""Work with pictures that a page asks for is done in the senses process, and nobody waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.ports import Frame
from companion.settings import parse
from companion.table.flight_recorder import FlightRecorder
from companion.table.senses import Senses
from companion.table.senses_asked import EyesClosed
from companion.table.senses_jobs import Bench
from companion.table.senses_loops import CameraLoop, Eyes, Outbox

PARTS = """
import numpy as np
from companion.ports import Frame

class Camera:
    name = "above"
    def __init__(self, name, settings):
        self.name = name
    def read(self, *, timeout_ms):
        return Frame(np.full((2, 3, 3), 7, np.uint8), 0, 0, self.name)
    def close(self):
        pass

def look(bench, told, coded):
    if told["do"] == "stumble":
        raise RuntimeError("the bench gave way")
    pixels = bench.frame(told["camera"]).pixels
    return {"shape": list(pixels.shape), "level": int(pixels.max()), "sent": len(coded)}
"""
WAIT_S = 30
CAMERA = '[[cameras]]\nname = "above"\ndriver = "still"\n'


@pytest.fixture
def senses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Senses]:
    dist = tmp_path / "parts" / "job_strangers-0.1.dist-info"
    dist.mkdir(parents=True)
    (dist.parent / "job_strangers.py").write_text(PARTS)
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: job-strangers\nVersion: 0.1\n")
    doors = "[companion.jobs]\nlook = job_strangers:look\n[companion.cameras]\nstill = job_strangers:Camera\n"
    (dist / "entry_points.txt").write_text(doors)
    monkeypatch.setenv("PYTHONPATH", str(dist.parent))
    monkeypatch.syspath_prepend(str(dist.parent))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    running = Senses(parse(CAMERA, Path("companion.toml"), source=None), on_message=lambda _: None)
    yield running
    running.close()


def test_a_job_looks_through_a_camera_although_no_box_is_taught(senses: Senses):
    answer = senses.do_job("look", {"do": "look", "camera": "above"}, b"photo").result(WAIT_S)
    assert answer == {"shape": [2, 3, 3], "level": 7, "sent": 5}


def test_a_job_that_stumbles_says_so_and_the_next_one_is_done(senses: Senses):
    with pytest.raises(EyesClosed, match="the bench gave way"):
        senses.do_job("look", {"do": "stumble"}).result(WAIT_S)
    assert senses.do_job("look", {"do": "look", "camera": "above"}).result(WAIT_S)["level"] == 7


def test_a_job_or_a_camera_that_is_not_there_is_named(senses: Senses):
    with pytest.raises(EyesClosed, match="no job 'dance'"):
        senses.do_job("dance", {}).result(WAIT_S)
    with pytest.raises(EyesClosed, match="no camera 'below'"):
        senses.do_job("look", {"do": "look", "camera": "below"}).result(WAIT_S)


def test_a_picture_that_eyes_are_at_work_on_is_the_newest_there_is_however_long_they_take():
    settings = parse(CAMERA, Path("companion.toml"), source=None)
    frame = Frame(np.zeros((2, 3, 3), np.uint8), 1, 0, "above")
    loop = CameraLoop(
        settings.cameras[0],
        Outbox(FlightRecorder(0)),
        threading.Event(),
        turn_ms=1000,
        eyes=Eyes(settings.senses, ""),
        recorder=FlightRecorder(0),
    )
    loop.is_alive = lambda: True  # type: ignore[method-assign]
    loop.newest, loop.is_reading = (frame, 0), True
    bench = Bench(Eyes(settings.senses, ""), settings, "")
    bench.stand_beside([loop])
    assert bench.frame("above") is frame
