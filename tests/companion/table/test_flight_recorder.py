"""The last minutes stay in memory, within bounds, and are saved without anybody's secret."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import BoardId, PieceKind, SpaceId
from companion.ports import (
    BoardReading,
    DeviceStanding,
    DeviceState,
    DieRoll,
    Frame,
    LoosePiece,
    Obstacle,
    Reading,
    SpaceReading,
)
from companion.table.flight_recorder import MB, PAINT, FlightRecorder
from companion.table.recording import FRAMES, SENSES, reading_in, reading_out

QUAD = ((100.0, 60.0), (300.0, 60.0), (300.0, 200.0), (100.0, 200.0))
SECRET_AT = (340, 130)
LAB = BoardId("lab_red")


def picture(seed: int = 0) -> np.ndarray:
    """A table with a board, noise everywhere, and a red order token beside the board."""
    noise = np.random.default_rng(seed).integers(0, 255, (30, 50, 3)).astype(np.uint8)
    pixels = cv2.resize(noise, (400, 240), interpolation=cv2.INTER_CUBIC)
    cv2.circle(pixels, SECRET_AT, 15, (0, 0, 255), -1)
    return pixels


def frame(number: int, at_ms: int, seed: int = 0) -> Frame:
    return Frame(picture(seed), number, at_ms, "above")


def reading(number: int, at_ms: int) -> Reading:
    spaces = {SpaceId("sort1"): SpaceReading(PieceKind("limb"), 0.99, sure=True)}
    loose = (LoosePiece(PieceKind("order_red"), SECRET_AT, 0.0, 0.99, True, LAB),)
    return Reading("above", number, at_ms, {LAB: BoardReading(LAB, "tags", QUAD, 0.0, spaces)}, loose)


def told(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / SENSES).read_text().splitlines()]


def test_frames_readings_and_rolls_are_saved_in_their_order(tmp_path: Path):
    recorder = FlightRecorder(10)
    recorder.see(frame(1, 1_000), reading(1, 1_000))
    recorder.hear(reading(1, 1_000), 1_001)
    recorder.hear(DieRoll("bone", "b", 1, 6, 1_500), 1_500)
    assert recorder.save(tmp_path, secret_since_ms=9_999) == 1
    lines = told(tmp_path)
    assert [line["heard"] for line in lines] == ["frame", "reading", "DieRoll"]
    kept = cv2.imread(str(tmp_path / lines[0]["file"]))
    assert float(np.abs(kept.astype(int) - picture()).mean()) < 4


def test_a_picture_in_which_nothing_moved_is_kept_only_now_and_then(tmp_path: Path):
    recorder = FlightRecorder(10)
    for number in range(100):
        recorder.see(frame(number, 200 * number), None)
    assert recorder.save(tmp_path, secret_since_ms=99_999) == 4  # 20 s


def test_pictures_that_move_are_kept_four_times_a_second_and_those_the_eyes_speak_of_always(tmp_path: Path):
    recorder = FlightRecorder(10)
    for number in range(50):
        recorder.see(frame(number, 100 * number, seed=number), reading(1, 1) if number % 10 == 1 else None)
    saved = recorder.save(tmp_path, secret_since_ms=99_999)
    numbers = [line["number"] for line in told(tmp_path)]
    assert {1, 11, 21, 31, 41} <= set(numbers)
    assert saved <= 50 * 100 / 250 + 5


@settings(max_examples=10, deadline=None)  # each codes some forty pictures
@given(st.lists(st.integers(1, 40), min_size=30, max_size=60))
def test_memory_stays_within_its_bound_and_the_newest_stay(sizes: list[int]):
    recorder = FlightRecorder(1)
    for number, size in enumerate(sizes):
        noise = np.random.default_rng(number).integers(0, 255, (16 * size, 320, 3)).astype(np.uint8)
        recorder.see(Frame(noise, number, 1_000 * number, "above"), None)
        assert recorder._bytes <= MB
        assert recorder._kept[-1].told["number"] == number
    assert sum(one.bytes_taken for one in recorder._kept) == recorder._bytes


def test_a_recorder_without_memory_keeps_nothing(tmp_path: Path):
    recorder = FlightRecorder(0)
    recorder.see(frame(1, 1_000), None)
    recorder.hear(reading(1, 1_000), 1_000)
    assert recorder.save(tmp_path, secret_since_ms=0) == 0
    assert told(tmp_path) == []


def test_what_lies_beside_the_boards_in_the_running_phase_is_painted_over(tmp_path: Path):
    recorder = FlightRecorder(10)
    recorder.see(frame(1, 1_000), None)
    recorder.hear(reading(1, 1_000), 1_000)
    recorder.see(frame(2, 9_000, seed=1), None)
    recorder.hear(reading(2, 9_000), 9_000)
    recorder.save(tmp_path, secret_since_ms=5_000)
    before, first, after, second = told(tmp_path)
    old, new = (cv2.imread(str(tmp_path / line["file"])) for line in (before, after))
    x, y = SECRET_AT
    assert old[y, x, 2] > 200
    assert np.abs(new[y - 20 : y + 20, x - 20 : x + 20].astype(int) - PAINT).max() < 25
    assert float(np.abs(new[70:190, 110:290].astype(int) - picture(1)[70:190, 110:290]).mean()) < 6
    assert first["loose"]
    assert second["loose"] == []
    assert "order_red" not in json.dumps([after, second])


def test_of_secret_pictures_without_a_known_board_nothing_is_shown(tmp_path: Path):
    recorder = FlightRecorder(10)
    recorder.see(frame(1, 1_000), None)
    recorder.save(tmp_path, secret_since_ms=0)
    shown = cv2.imread(str(next((tmp_path / FRAMES).iterdir())))
    assert np.abs(shown.astype(int) - PAINT).max() < 3


kinds = st.sampled_from(["empty", "limb", "unknown", "hidden"]).map(PieceKind)
spaces = st.builds(
    SpaceReading,
    kinds,
    st.floats(0, 1),
    st.booleans(),
    st.tuples(kinds),
    st.tuples(kinds),
    st.sampled_from(Obstacle),
)


@given(
    st.dictionaries(st.sampled_from(["sort1", "card1.part0"]).map(SpaceId), spaces), st.none() | st.just(LAB)
)
def test_readings_survive_their_text(given_spaces: dict, near: BoardId | None):
    board = BoardReading(LAB, "print", QUAD, 12.5, given_spaces, {"red": 3})
    piece = LoosePiece(PieceKind("order_red"), (1.5, 2.0), 3.0, 0.5, False, near)
    whole = Reading("above", 7, 1_234, {LAB: board}, (piece,), Obstacle.TOO_DARK)
    assert reading_in(json.loads(json.dumps(reading_out(whole)))) == whole


def test_the_password_of_a_camera_is_not_saved(tmp_path: Path):
    recorder = FlightRecorder(1)
    why = "The camera at http://ada:secret@192.168.4.9/stream has ended its stream."
    recorder.hear(DeviceStanding("above", "camera", DeviceState.LOST, why), 1_000)
    recorder.save(tmp_path, secret_since_ms=0)
    (line,) = told(tmp_path)
    assert line["detail"] == "The camera at http://192.168.4.9/stream has ended its stream."


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError):
        FlightRecorder(1).save(tmp_path / "file" / "folder", secret_since_ms=0)
