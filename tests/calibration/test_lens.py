"""A lens that bends lines by a known amount is measured and its pictures come out straight."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.calibrate_command import lens as lens_command
from calibration.lens import FEWEST_VIEWS, LensWork, TooFewViews
from calibration.sheets import lens_board
from companion.game import Sentence
from companion.ports import DeviceLost, Frame
from companion.sentences import Speaker
from hardware.cameras.folder import open_camera
from hardware.cameras.lens import StraightCamera, Straightener, load_lens
from tests.calibration.lens_views import SIZE, TRUE, photo, twelve_views


def words(said: Sentence) -> str:
    return Speaker(("calibration", "companion")).say(said)


@pytest.fixture(scope="module")
def photos() -> list[np.ndarray]:
    return twelve_views()


def test_the_lens_is_measured(photos: list[np.ndarray]):
    work = LensWork()
    for view in photos:
        work.look(view)
    profile, verdict = work.solve()
    assert verdict.is_good, words(verdict.said)
    assert profile.focal_px == pytest.approx(TRUE.focal_px, rel=0.01)
    assert profile.middle_px == pytest.approx(TRUE.middle_px, abs=5)
    assert profile.distortion[0] == pytest.approx(TRUE.distortion[0], abs=0.03)
    assert profile.error_px < 0.3


def test_straightened_pictures_have_straight_lines():
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(
        Straightener(TRUE).straighten(photo((0.3, -0.2, 0.1), (-60.0, -20.0, 420.0)))
    )
    sheet_mm = np.asarray(lens_board().getChessboardCorners())[ids.ravel(), :2]
    to_picture, _ = cv2.findHomography(sheet_mm, corners.reshape(-1, 2))
    flat = cv2.perspectiveTransform(sheet_mm.reshape(-1, 1, 2).astype(float), to_picture)
    assert float(np.abs(flat - corners).max()) < 1.0


def test_the_guide_asks_for_bare_parts_then_tilts_and_ends(photos: list[np.ndarray]):
    work = LensWork()
    first = work.look(photos[0])
    assert first.is_taken
    assert "Move the sheet to the lower right" in words(work.wanted())
    assert not work.look(photos[0]).is_taken
    said = [words(work.look(view).said) for view in photos[1:]]
    assert any("Tilt it" in one for one in said)
    assert work.is_enough
    assert said[-1].endswith("That is enough.")


def test_pictures_that_show_nothing_are_answered_with_what_to_do(photos: list[np.ndarray]):
    work = LensWork()
    assert "Hold the lens sheet" in words(work.look(np.full((540, 960, 3), 120, np.uint8)).said)
    assert "another size" in words(work.look(np.zeros((480, 640, 3), np.uint8)).said)
    soft = photo((0.0, 0.0, 0.0), (0.0, 0.0, 430.0), blur=3.0)
    assert not work.look(soft).is_taken
    for view in photos[: FEWEST_VIEWS - 1]:
        work.look(view)
    with pytest.raises(TooFewViews, match=f"at least {FEWEST_VIEWS}"):
        work.solve()


def test_a_profile_survives_its_file_and_fits_other_sizes_of_its_shape(tmp_path: Path):
    TRUE.save(tmp_path / "lens.json")
    assert load_lens(tmp_path / "lens.json") == TRUE
    assert TRUE.matrix((1920, 1080))[0, 0] == pytest.approx(2 * TRUE.focal_px[0])
    with pytest.raises(ValueError, match="of another shape"):
        TRUE.matrix((640, 480))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 9}', '{"format": 1}', '{"format": 1, "size_px": [1, 2]}', "null"]
)
def test_a_file_that_is_no_profile_is_refused(tmp_path: Path, text: str):
    (tmp_path / "lens.json").write_text(text)
    with pytest.raises(ValueError, match="no lens profile"):
        load_lens(tmp_path / "lens.json")
    with pytest.raises(ValueError, match="cannot be read"):
        load_lens(tmp_path / "nowhere.json")


def test_a_camera_with_a_lens_gives_straightened_pictures(tmp_path: Path):
    bent = photo((0.0, 0.0, 0.0), (0.0, 0.0, 330.0))
    stills = tmp_path / "stills"
    stills.mkdir()
    cv2.imwrite(str(stills / "one.png"), bent)
    TRUE.save(tmp_path / "lens.json")
    camera = open_camera(
        "above", {"path": str(stills), "noise": 0, "loop": True, "lens": str(tmp_path / "lens.json")}
    )
    frame = camera.read(timeout_ms=5_000)
    camera.close()
    assert isinstance(frame, Frame)
    assert np.array_equal(frame.pixels, Straightener(TRUE).straighten(bent))


def test_pictures_of_another_shape_lose_the_camera_with_the_reason(tmp_path: Path):
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((480, 640, 3), np.uint8))
    camera = StraightCamera(open_camera("above", {"path": str(tmp_path), "noise": 0}), TRUE)
    with pytest.raises(DeviceLost, match="Measure it again"):
        camera.read(timeout_ms=5_000)
    camera.close()


def test_the_command_measures_photos_and_says_what_to_write(
    tmp_path: Path, photos: list[np.ndarray], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    files = [str(tmp_path / f"{number}.png") for number in range(len(photos))]
    for file, view in zip(files, photos, strict=True):
        cv2.imwrite(file, view)
    done = CliRunner().invoke(lens_command, [*files, "--name", "above"])
    assert done.exit_code == 0, done.output
    assert "Good." in done.stdout
    assert load_lens(tmp_path / "home/lenses/above.json").size_px == SIZE


def test_the_command_looks_through_a_camera_until_it_has_all_views(
    tmp_path: Path, photos: list[np.ndarray], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    stills = tmp_path / "stills"
    stills.mkdir()
    for number, view in enumerate(photos):
        cv2.imwrite(str(stills / f"{number:02}.png"), view)
    settings = tmp_path / "companion.toml"
    settings.write_text(
        f'[[cameras]]\nname = "above"\ndriver = "folder"\npath = "{stills}"\n'
        'fps = 100\nhold_ms = 0\nlens = "measured before"\n'
    )
    done = CliRunner().invoke(lens_command, ["--camera", "above", "--settings", str(settings)])
    assert done.exit_code == 0, done.output
    assert "That is enough." in done.stderr
    assert 'lens = "' in done.stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "Give either photos"),
        (["--camera", "nowhere"], 2, "no camera 'nowhere'"),
        (["letter.jpg"], 1, "letter.jpg cannot be opened"),
        (["letter.jpg", "--name", "../up"], 2, "no name for a lens"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, said: str
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(lens_command, words)
    assert (done.exit_code, said in done.stderr) == (status, True), done.output
