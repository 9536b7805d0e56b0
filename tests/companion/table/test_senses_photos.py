"""Photos that phones send are read by the real senses process, and nobody waits for ever."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.settings import parse
from companion.table.senses import Senses
from companion.table.senses_asked import MOST_PHOTOS, EyesClosed, TooManyAsked

PARTS = """
import time
from companion.board import BoardId
from companion.ports import BoardReading, Obstacle, Reading

class Recogniser:
    def __init__(self, box_folder):
        self.box = box_folder
        if not box_folder.endswith("attic"):
            raise ValueError("This folder holds no box.")

    def read_photo(self, coded, *, camera, at_ms):
        if coded == b"sleep":
            time.sleep(60)
        if coded == b"stumble":
            raise RuntimeError("the eyes stumbled")
        if coded == b"letter":
            return Reading(camera, 0, at_ms, {}, obstacle=Obstacle.NOT_A_PICTURE)
        board = BoardReading(BoardId("lab_red"), "tags", (), 0.0, {})
        return Reading(camera, 0, at_ms, {board.board: board})
"""
WAIT_S = 30


@pytest.fixture
def senses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Senses]:
    dist = tmp_path / "parts" / "photo_strangers-0.1.dist-info"
    dist.mkdir(parents=True)
    (dist.parent / "photo_strangers.py").write_text(PARTS)
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: photo-strangers\nVersion: 0.1\n")
    (dist / "entry_points.txt").write_text("[companion.recognisers]\nsnappy = photo_strangers:Recogniser\n")
    monkeypatch.setenv("PYTHONPATH", str(dist.parent))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    settings = parse('[senses]\nrecogniser = "snappy"\n', Path("companion.toml"), source=None)
    running = Senses(settings, on_message=lambda _: None, box_folder=Path("attic"))
    wait_for_child(running)
    yield running
    running.close()


def wait_for_child(senses: Senses) -> None:
    """Ask until there is a child that answers: senses need a moment to start."""
    while True:
        try:
            senses.read_photo(b"board", "photo of red").result(WAIT_S)
        except EyesClosed:
            continue
        return


def test_a_photo_is_read_without_any_camera(senses: Senses):
    reading = senses.read_photo(b"board", "photo of red").result(WAIT_S)
    assert (reading.camera, list(reading.boards)) == ("photo of red", ["lab_red"])
    assert senses.read_photo(b"letter", "photo of red").result(WAIT_S).obstacle == "not_a_picture"


def test_eyes_that_stumble_over_one_photo_read_the_next(senses: Senses):
    with pytest.raises(EyesClosed, match="the eyes stumbled"):
        senses.read_photo(b"stumble", "photo of red").result(WAIT_S)
    assert senses.read_photo(b"board", "photo of red").result(WAIT_S).boards


def test_who_waits_for_a_photo_is_told_when_the_senses_die(senses: Senses):
    waiting = [senses.read_photo(b"sleep", "photo of red") for _ in range(3)]
    pid = senses.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    for photo in waiting:
        with pytest.raises(EyesClosed):
            photo.result(WAIT_S)
    wait_for_child(senses)


def test_only_so_many_photos_may_wait(senses: Senses):
    for _ in range(MOST_PHOTOS):
        senses.read_photo(b"sleep", "photo of red")
    with pytest.raises(TooManyAsked):
        senses.read_photo(b"board", "photo of blue")
