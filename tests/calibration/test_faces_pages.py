"""A die learns its faces on the host's phone, or by a command: laid up one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from companion.cli import main
from companion.ports import DeviceStanding, Lesson
from hardware.dice.face_lessons import lesson_of
from hardware.dice.keyed_die import open_die as open_keyed_die
from hardware.messages import Answer
from tests.calibration.lying_die import LyingDie
from tests.calibration.teaching_house import TeachingHouse
from tests.web.forms_in import be_host, form_saying, send


@pytest.fixture
def house(home: Path) -> Iterator[TeachingHouse]:
    house = TeachingHouse(dice=("green",))
    yield house
    house.close()


@pytest.fixture
def die(house: TeachingHouse, tmp_path: Path) -> Iterator[LyingDie]:
    die = LyingDie(tmp_path)
    house.bench.lying["green"] = die.driver
    yield die
    die.close()


def page_of(host: FlaskClient) -> str:
    desk = be_host(host)
    assert "Teach the die its faces" in host.get(desk).text
    return f"/faces/{desk.split('/')[2]}/green"


def pressed(host: FlaskClient, page: str, button: str) -> tuple[str, str]:
    """Press a button until it is not refused for moving; return where that led, and what is there."""
    while True:
        answer = send(host, page, form_saying(host.get(page).text, button))
        if answer.status_code == 303:
            page = answer.headers["Location"]
            return page, host.get(page).text
        if "It moves still" not in answer.text and "does not answer" not in answer.text:
            return page, answer.text


def test_face_after_face_is_laid_up_and_the_die_then_says_the_same(host: FlaskClient, die: LyingDie) -> None:
    page, text = pressed(host, page_of(host), "Begin")
    for face in range(1, 7):
        assert f"Lay it down with {face} up" in text
        assert ("One face is left" if face == 6 else f"{7 - face} faces are left") in text
        die.lay(face)
        page, text = pressed(host, page, f"{face} is up")
    assert "It knows its faces" in text
    die.lay(4)
    while "It says that 4 is up." not in text:
        text = host.get(page).text


def test_a_face_that_was_laid_up_before_is_not_taken_for_another(host: FlaskClient, die: LyingDie) -> None:
    page, _ = pressed(host, page_of(host), "Begin")
    die.lay(1)
    page, _ = pressed(host, page, "1 is up")
    page, text = pressed(host, page, "2 is up")
    assert "It lies as it lay with 1 up." in text
    assert "Lay it down with 2 up" in text


def test_how_much_lean_is_cocked_is_kept_by_the_die_and_nonsense_refused(
    host: FlaskClient, die: LyingDie
) -> None:
    page = page_of(host)
    form = form_saying(host.get(page).text, "Keep it so")
    while (answer := host.post(page, data=dict(form.filled(deg="12")))).status_code != 303:
        assert "does not answer" in answer.text
    assert "cocked beyond 12 degrees" in host.get(answer.headers["Location"]).text
    assert host.post(page, data={"do": "lean", "deg": "90"}).status_code == 400
    assert host.post(page, data={"do": "eat", "deg": "12"}).status_code == 400
    assert host.get(f"{page}-blue").status_code == 404


def test_only_the_host_teaches(host: FlaskClient) -> None:
    assert host.get("/faces/guessed/").headers["Location"].endswith("/host")
    assert host.post("/faces/guessed/green").headers["Location"].endswith("/host")


def test_a_die_that_is_not_there_or_cannot_learn_is_said(
    host: FlaskClient, house: TeachingHouse, tmp_path: Path
) -> None:
    page = page_of(host)
    assert "The die is not there now." in host.get(page).text
    (tmp_path / "faces").touch()
    house.bench.lying["green"] = open_keyed_die("green", {"path": str(tmp_path / "faces")})
    assert "learns no faces" in host.get(page).text


@pytest.mark.parametrize(
    ("answer", "lesson"),
    [
        (Answer(1, True, "left 3E"), Lesson((2, 3, 4, 5, 6))),
        (Answer(1, True, "left 0"), Lesson()),
        (Answer(1, True, "cocked 12"), Lesson()),
        (Answer(1, True), Lesson(why="other_firmware")),
        (Answer(1, False), Lesson(why="other_firmware")),
        (Answer(1, False, "as 3"), Lesson(why="alike", about="3")),
        (Answer(1, False, "no such face"), Lesson(why="forgot")),
        (Answer(1, False, "5 to 45"), Lesson(why="refused", about="5 to 45")),
    ],
)
def test_what_a_die_answers_is_understood(answer: Answer, lesson: Lesson) -> None:
    assert lesson_of(answer) == lesson


class Pupil:
    """A die that learns at once; its first face it learns at the second try."""

    name = "green"
    faces = 3

    def __init__(self) -> None:
        self.lies: int | None = None
        self.asked: list[str] = []

    def read(self, *, timeout_ms: int) -> DeviceStanding | None:
        self.lies = 1
        return None

    def begin_faces(self, faces: int) -> Lesson:
        self.asked.append(f"faces {faces}")
        return Lesson(tuple(range(1, faces + 1)))

    def learn_face(self, face: int) -> Lesson:
        self.asked.append(f"face {face}")
        if self.asked.count("face 1") < 2:
            return Lesson(why="moves")
        return Lesson(tuple(range(face + 1, self.faces + 1)))

    def set_lean(self, most_deg: int) -> Lesson:
        self.asked.append(f"lean {most_deg}")
        return Lesson()

    def close(self) -> None:
        self.asked.append("closed")


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ((), ["faces 3", "face 1", "face 1", "face 2", "face 3", "closed"]),
        (("--lean", "15"), ["lean 15", "closed"]),
        (
            ("--lean", "15", "--faces", "3"),
            ["lean 15", "faces 3", "face 1", "face 1", "face 2", "face 3", "closed"],
        ),
    ],
)
def test_the_command_leads_from_face_to_face(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], asked: list[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    pupil = Pupil()
    monkeypatch.setattr("calibration.die_command.load_part", lambda group, driver: lambda *_: pupil)
    (tmp_path / "rig.toml").write_text('[[dice]]\nname = "green"\ndriver = "serial"\n')
    done = CliRunner().invoke(main, ["calibrate", "die", "--settings", str(tmp_path / "rig.toml"), *words])
    assert done.exit_code == 0, done.output
    assert pupil.asked == asked
    if "face 1" in asked:
        assert "Lay it down with 2 up, then press Enter." in done.stderr
        assert "It moves still" in done.stderr
        assert done.stdout == "It knows its faces\n"


def test_a_die_that_is_not_found_is_said_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    port = tmp_path / "nothing"
    (tmp_path / "rig.toml").write_text(f'[[dice]]\nname = "green"\ndriver = "serial"\nport = "{port}"\n')
    words = ["calibrate", "die", "--settings", str(tmp_path / "rig.toml"), "--patience", "0"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "The die is not there now." in done.stderr
