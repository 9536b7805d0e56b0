"""What was recorded in a real evening plays again: the same today, and what differs is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from companion.table.replay_command import replay_command
from tests.browser.served import chromium
from tests.evenings.service import Service, companion
from tests.evenings.stills import StillsServer
from tests.evenings.test_real_input import SEEN_WITHIN_MS, SEQUENCE, page_at, take_over

pytestmark = [pytest.mark.browser, pytest.mark.eyes, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A recording of a table that was taken over and on which tokens were laid."""
    folder = tmp_path_factory.mktemp("evening")
    home = folder / "home"
    companion("box", "teach", str(SEQUENCE.parents[1] / "reference"), "--name", "A", home=home)
    stills = [
        Path(shutil.copy(SEQUENCE / f"frame_{n:02}.jpg", folder / f"{i}.jpg"))
        for i, n in enumerate((0, 1, 4))
    ]
    camera = StillsServer(stills)
    settings = folder / "companion.toml"
    settings.write_text(
        f'[table]\nbox = "A"\n[[cameras]]\nname = "above"\ndriver = "mjpeg"\nurl = "{camera.url}"\n'
    )
    service = Service(home, settings)
    with chromium() as browser:
        host = page_at(browser, f"{service.url}/host", width=1280)
        take_over(host)
        for still in (1, 2):
            camera.show(still)
            camera.wait_for_frames(12)
        expect(host.locator("article.proposal").first).to_be_visible(timeout=SEEN_WITHIN_MS)
        host.get_by_role("button", name="Something odd?").click()
        expect(host.locator("#toasts")).to_contain_text("pictures and the moves to", timeout=SEEN_WITHIN_MS)
    service.stop()
    camera.close()
    (saved,) = (home / "recordings").iterdir()
    yield saved


@pytest.fixture
def at_home(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(recording.parents[1]))


def replayed(folder: Path, *words: str) -> tuple[int, dict]:
    done = CliRunner().invoke(replay_command, [str(folder), "--json", *words])
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.usefixtures("at_home")
def test_a_recording_says_today_what_it_said_then(recording: Path):
    status, told = replayed(recording)
    assert (status, told["differences"]) == (0, [])
    assert told["readings"] >= 2
    assert told["entries"] == 1  # the table was taken over; what came in the running phase may be secret


@pytest.mark.usefixtures("at_home")
def test_a_picture_that_shows_something_else_is_named_space_by_space(recording: Path, tmp_path: Path):
    other = Path(shutil.copytree(recording, tmp_path / "other"))
    frames = sorted((other / "frames").iterdir())
    for late in frames[-len(frames) // 2 :]:
        shutil.copy(frames[0], late)
    done = CliRunner().invoke(replay_command, [str(other)])
    assert done.exit_code == 1
    assert "lab_red/" in done.stdout
    assert "differences." in done.stdout


@pytest.mark.usefixtures("at_home")
def test_a_damaged_recording_is_refused_in_words(recording: Path, tmp_path: Path):
    broken = Path(shutil.copytree(recording, tmp_path / "broken"))
    (broken / "senses.jsonl").write_text('{"heard": "frame"}\n')
    for folder in (broken, tmp_path / "nowhere", tmp_path):
        done = CliRunner().invoke(replay_command, [str(folder)])
        assert (done.exit_code, done.stdout) == (1, "")
        assert "recording" in done.stderr or "damaged" in done.stderr
