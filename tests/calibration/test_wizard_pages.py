"""The host sets a table up on its phone, step by step and without script; nothing is asked twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

import calibration
from companion.journal import TableId
from companion.ports import DeviceStanding, DeviceState, DieRoll
from companion.sentences import keys_in
from companion.settings import Settings, load
from companion.table.boxes import BoxUnusable
from companion.table.writer import Table
from hardware.simulated.devices import Devices
from tests.calibration.teaching_house import TeachingHouse
from tests.calibration.tiny_box import tiny_box
from tests.hardware.cameras.phone_camera import PhoneCamera
from tests.web.forms_in import be_host, form_saying, send
from tests.web.lantern_house import opened

BY_HAND = '[[cameras]]\nname = "ceiling"\ndriver = "folder"\npath = "/nowhere"\n'
SAID = "Nobody has played here yet."


class NewHouse(TeachingHouse):
    """A house that goes on with other settings, as the host does; its first table is nobody's yet."""

    def __init__(self) -> None:
        super().__init__()
        self.settings: Settings = load()
        self.used: list[Settings] = []
        self.asked_for: tuple[str | None, str | None] = (None, None)
        self.row = replace(self.row, id=TableId("table-1"), box="")

    def use(self, settings: Settings) -> None:
        self.settings = settings
        self.used.append(settings)

    def games(self) -> Mapping[str, Any]:
        return {"making_monsters": self.game, "mad_science": self.game}

    def new_table(self, *, game: str | None = None, box: str | None = None) -> Table:
        if game == "mad_science" and box:
            raise BoxUnusable(f"The box {box} does not fit the game.")
        self.asked_for = (game, box)
        self.row = replace(self.row, box=box or "")
        return self.table


@pytest.fixture
def house(home: Path) -> Iterator[NewHouse]:
    with closing(NewHouse()) as house:
        yield house


@pytest.fixture
def phone() -> Iterator[PhoneCamera]:
    with closing(PhoneCamera()) as camera:
        yield camera


def begun(host: FlaskClient) -> str:
    """Return the address of the wizard for a host."""
    return be_host(host).replace("/host/", "/wizard/")


def tapped(host: FlaskClient, page: str, words: str, **given: str) -> str:
    """Tap a button of a page and return where that leads, or what is wrong."""
    answer = send(host, page, form_saying(host.get(page).text, words), **given)
    return str(answer.headers["Location"]) if answer.status_code == 303 else str(answer.text)


def with_camera(host: FlaskClient, wizard: str, phone: PhoneCamera, **given: str) -> str:
    tapped(host, f"{wizard}camera", "Look there", address=phone.address)
    return tapped(host, f"{wizard}camera", "Use this camera", **given)


def test_only_the_host_sets_up(host: FlaskClient):
    for path in ("", "camera", "camera/camera.jpg", "found/abc.jpg"):
        assert host.get(f"/wizard/guessed/{path}").headers["Location"].endswith("/host")
    assert host.post("/wizard/guessed/die").headers["Location"].endswith("/host")


def test_a_group_with_nothing_but_phones_is_done_in_two_taps(host: FlaskClient):
    wizard = begun(host)
    desk = wizard.replace("wizard", "host")
    before = host.get(desk).text
    assert SAID in before and f'href="{wizard}"' in before
    assert tapped(host, wizard, "Phones alone") == desk
    page = host.get(desk).text
    assert SAID not in page and f'href="{wizard}"' in page
    assert host.get(wizard).text.count('class="skipped"') == 4


def test_every_step_can_be_skipped_one_after_the_other(host: FlaskClient):
    wizard = begun(host)
    page, seen = f"{wizard}language", []
    while page != wizard:
        seen.append(page.removeprefix(wizard))
        words = "Skip" if "Skip" in host.get(page).text else "by hand"
        if seen[-1] == "players":
            break
        page = tapped(host, page, words)
    assert seen == ["language", "camera", "boards", "die", "rotor", "players"]
    assert tapped(host, page, "To the table").startswith("/host/")


def test_the_language_is_the_table_s_and_this_phone_s_and_is_not_asked_again(
    host: FlaskClient, house: NewHouse
):
    wizard = begun(host)
    page = f"{wizard}language"
    form = form_saying(host.get(page).text, "Deutsch")
    answer = send(host, page, form, language="de")
    assert answer.headers["Location"] == f"{wizard}camera" and "language=de" in answer.headers["Set-Cookie"]
    assert load().web.language == house.settings.web.language == "de"
    overview = host.get(wizard).text
    assert "erledigt" in overview and 'class="key" href="camera"' in overview


def test_a_camera_at_an_address_is_seen_named_and_chosen(
    host: FlaskClient, house: NewHouse, phone: PhoneCamera, home: Path
):
    wizard = begun(host)
    page = f"{wizard}camera"
    assert "cannot be reached" in tapped(host, page, "Look there", address="127.0.0.1:9")
    assert tapped(host, page, "Look there", address=phone.address) == page
    shown = re.search(r'src="(found/\w+\.jpg)"', host.get(page).text)
    assert shown and host.get(wizard + shown[1]).data[:2] == b"\xff\xd8"
    assert "at most 30 letters" in tapped(host, page, "Use this camera", name="../up")
    assert tapped(host, page, "Use this camera", name="lamp", place="over the left half") == page
    (camera,) = load().cameras
    assert (camera.name, camera.place, camera.driver) == ("lamp", "over the left half", "mjpeg")
    assert house.used[-1].cameras == (camera,)
    assert "found/" not in host.get(page).text  # it is not offered any more
    assert "lamp" in host.get(wizard).text


def test_a_second_camera_is_the_same_step_and_a_camera_is_taken_away_again(
    host: FlaskClient, house: NewHouse, phone: PhoneCamera
):
    wizard = begun(host)
    page = f"{wizard}camera"
    with_camera(host, wizard, phone)
    with closing(PhoneCamera()) as other:
        assert "called camera already" in with_camera(host, wizard, other, name="camera")
        assert tapped(host, page, "Use this camera") == page
    assert [one.name for one in load().cameras] == ["camera", "camera-2"]
    assert tapped(host, page, "Yes, without camera") == page
    assert [one.name for one in load().cameras] == ["camera-2"]


def test_a_camera_that_stands_in_the_file_is_shown_and_left_out_without_touching_it(
    home: Path,
):
    (home / "companion.toml").write_text(BY_HAND)
    with closing(NewHouse()) as house:
        app, _, web = opened(house)
        host = app.test_client()
        page = f"{begun(host)}camera"
        assert "It stands in companion.toml" in host.get(page).text
        assert tapped(host, page, "Yes, without ceiling") == page
        assert load().cameras == () and (home / "companion.toml").read_text() == BY_HAND
        web.close()


def test_no_picture_is_shown_while_a_game_is_on(host: FlaskClient, house: NewHouse, phone: PhoneCamera):
    wizard = begun(host)
    with_camera(host, wizard, phone)
    house.bench.shown["camera"] = np.full((90, 160, 3), 200, np.uint8)
    assert host.get(f"{wizard}camera/camera.jpg").content_type == "image/jpeg"
    assert host.get(f"{wizard}camera/nobody.jpg").status_code == 404
    assert house.tap({"do": "set_up", "seats": ["red", "blue"], "track": 8})
    assert host.get(f"{wizard}camera/camera.jpg").status_code == 404
    assert "A game is on" in host.get(f"{wizard}camera").text


def test_a_measured_lens_is_put_before_its_camera_without_a_shell(
    host: FlaskClient, phone: PhoneCamera, home: Path
):
    wizard = begun(host)
    with_camera(host, wizard, phone)
    (home / "lenses").mkdir()
    (home / "lenses/camera.json").touch()
    assert tapped(host, f"{wizard}camera", "Straighten its pictures") == f"{wizard}camera"
    assert load().cameras[0].options["lens"] == str(home / "lenses/camera.json")
    assert "Straighten" not in host.get(f"{wizard}camera").text


def test_the_box_of_the_table_is_chosen_and_then_set_up_in_words(
    host: FlaskClient, house: NewHouse, phone: PhoneCamera, home: Path
):
    wizard = begun(host)
    page = f"{wizard}boards"
    assert "Teach a box" in host.get(page).text
    tiny_box(home / "boxes", "ours")
    assert tapped(host, page, "ours", name="ours") == page
    assert house.asked_for == ("making_monsters", "ours") and load().table.box == "ours"
    assert "phones photograph" in host.get(page).text
    with_camera(host, wizard, phone)
    assert f"/teach/{wizard.split('/')[2]}/setup" in host.get(page).text
    assert "not set up yet" in host.get(wizard).text


def test_another_game_is_opened_without_the_box_that_is_not_its_own(
    host: FlaskClient, house: NewHouse, home: Path
):
    wizard = begun(host)
    tiny_box(home / "boxes", "ours")
    tapped(host, f"{wizard}boards", "ours", name="ours")
    assert tapped(host, f"{wizard}players", "Mad Science", name="mad_science") == f"{wizard}players"
    assert house.asked_for == ("mad_science", "")
    assert (load().table.game, load().table.box) == ("mad_science", "")
    assert host.post(f"{wizard}players", data={"do": "game", "name": "chess"}).status_code == 400


def test_a_die_is_found_by_its_number_and_tried_once(host: FlaskClient, house: NewHouse):
    wizard = begun(host)
    page = f"{wizard}die"
    assert "No die spoke at /dev/null-0" in tapped(host, page, "Listen there", port="/dev/null-0")
    with closing(Devices(3, 1.0)) as devices:
        folder = devices.die.plug.link.parent
        assert tapped(host, page, "Listen there", port=f"{folder}/*") == page
        assert "R-51B0D2" not in host.get(page).text  # that is another step's
        assert tapped(host, page, "Use the die D-51B0D1") == page
    (die,) = load().dice
    assert (die.name, die.options) == ("die", {"id": "D-51B0D1", "port": str(folder / "die")})
    assert "Roll the die once" in host.get(page).text
    house.table.stood(DeviceStanding("die", "die", DeviceState.LIVE)).result(10)
    house.table.rolled(DieRoll("die", "b", 1, 4, 0)).result(10)
    tried = host.get(page).text
    assert "Rolled: 4" in tried and f"/faces/{wizard.split('/')[2]}/die" in tried
    assert tapped(host, page, "Next") == f"{wizard}rotor"


def stand(house: NewHouse, quarter: int) -> None:
    house.table.stood(DeviceStanding("centre", "board_sensor", DeviceState.LIVE, quarter=quarter)).result(10)


def test_a_turn_is_said_and_how_the_sensor_was_built_in_is_put_right(host: FlaskClient, house: NewHouse):
    wizard = begun(host)
    page = f"{wizard}rotor"
    with closing(Devices(3, 1.0)) as devices:
        tapped(host, page, "Listen there", port=str(devices.rotor.plug.link))
        assert tapped(host, page, "Use the sensor R-51B0D2") == page
    stand(house, 2)
    assert "It has not moved yet" in host.get(f"{page}?was=2").text
    stand(house, 1)
    assert "one quarter the other way round" in host.get(f"{page}?was=2").text
    assert tapped(host, page, "Count the other way round") == page
    assert load().board_sensors[0].options["reversed"] is True
    stand(house, 3)  # as it says itself by now
    assert "one quarter clockwise. Good." in host.get(f"{page}?was=2").text
    assert tapped(host, page, "North is as it stands") == page
    assert load().board_sensors[0].options["north"] == 1  # raw: counted backwards from 0
    assert host.get(f"{page}?was=x").status_code == 200


def test_a_choice_that_cannot_be_written_is_said(host: FlaskClient, home: Path):
    wizard = begun(host)
    form = form_saying(host.get(f"{wizard}language").text, "Deutsch")
    (home / "chosen.toml").mkdir()
    answer = send(host, f"{wizard}language", form, language="de")
    assert answer.status_code == 409 and "directory" in answer.text


def test_after_a_start_that_left_things_out_nothing_is_chosen(host: FlaskClient, house: NewHouse):
    wizard = begun(host)
    house.start = replace(house.start, is_safe=True)
    form = form_saying(host.get(f"{wizard}language").text, "Deutsch")
    answer = send(host, f"{wizard}language", form, language="de")
    assert answer.status_code == 409 and "started without its devices" in answer.text
    assert load().web.language == "en"


def test_every_sentence_of_the_wizard_has_words_and_none_is_left_over():
    folder = Path(calibration.__file__).parent
    sources = [*folder.glob("wizard_*.py"), *(folder / "templates").glob("wizard_*.html")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    for key in (key for key in keys_in("calibration") if key.startswith("wizard.")):
        stem, _, last = key.rpartition(".")
        by_parts = f'"{stem}." ~' in text or f'key("{last}")' in text or f".{last}" in text
        assert f'"{key}"' in text or by_parts, key
    for key in re.findall(r'(?:tell|Sentence)\("(wizard\.[\w.]+\w)"', text):
        assert key in keys_in("calibration"), key
