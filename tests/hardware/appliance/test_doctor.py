"""``companion doctor`` and the health page: with a service and without, and a report that names nobody."""

from __future__ import annotations

import io
import json
import logging
import re
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from companion.cli import main
from companion.game import Seat, Sentence
from companion.journal import TableId
from companion.log_lines import LogLines
from companion.settings import Settings, load, parse
from companion.table.home_lock import take_home, tell_address
from companion.table.starts import Start
from hardware.appliance.bundle import BundleWishes, bundled
from hardware.appliance.doctor import look_around
from hardware.appliance.machine import this_machine
from hardware.appliance.told import Told
from hardware.appliance.without_names import NAME, SECRET, Discretion, names_of_players
from tests.web.forms_in import be_host
from tests.web.lantern_house import LanternHouse, opened
from web.app import Web
from web.evenings import PastEvening, Player

PARTS = json.dumps({"parts": []})
NAMES = ("Zoë", "Mia Maria", "O'Neill", 'Q"uote')
ELSEWHERE = {"REMOTE_ADDR": "192.168.4.30"}
RIG = """
[[cameras]]
name = "Zoë's webcam"
driver = "mjpeg"
url = "http://ada:geheim42@camera.local/x"
password = "hunter2"
lens = {token = "opensesame"}
"""


@dataclass
class Service:
    """The web around a house with a rig, in a home folder."""

    house: LanternHouse
    web: Web
    app: Flask

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def service(home: Path) -> Iterator[Service]:
    house = LanternHouse()
    house.settings = parse(RIG, Path("companion.toml"), source=None)
    app, _, web = opened(house, seats_path=home / "seats.sqlite")
    yield Service(house, web, app)
    web.close()
    house.close()


def by_what(found: tuple[Told, ...]) -> dict[str, Told]:
    return {f"{one.what} {one.of}".strip(): one for one in found}


def looked(home: Path, settings: Settings | None, seconds: float = 0.0) -> dict[str, Told]:
    return by_what(tuple(look_around(this_machine(), None, settings, PARTS, seconds)))


def test_the_command_prints_every_thing_once_and_fails_when_one_wants_a_look(home: Path):
    (home / "companion.toml").write_text("[web]\nprot = 1\n")
    done = CliRunner().invoke(main, ["doctor", "--json"])
    found = {one["what"]: one for one in json.loads(done.stdout)["findings"]}
    assert {"power", "disk", "clock", "network", "settings", "parts", "start"} <= set(found)
    assert "web.prot is no setting. Did you mean port?" in found["settings"]["says"]
    assert done.exit_code == 1 and "want a look" in done.stderr


def test_without_a_service_the_devices_are_opened_until_they_live(home: Path):
    (home / "companion.toml").write_text('[[dice]]\nname = "green"\ndriver = "keyed"\n')
    found = looked(home, load(), seconds=60)
    assert found["start"].says.startswith("It does not run")
    assert found["die green"].says == "It is connected."


def test_a_running_service_is_asked_for_its_devices(home: Path, service: Service):
    service.house.start = Start((Sentence("safe.asked"),), is_safe=True)
    server = make_server("127.0.0.1", 0, service.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with take_home(home, wait_s=0) as lock:
            tell_address(lock, f"http://192.168.1.5:{server.port}/")
            found = looked(home, load())
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert found["start"].says == "It was started without devices because somebody asked for that."
    assert found["camera Zoë's webcam"].says.startswith("Nothing was heard of it yet.")
    assert "power" in found


def test_a_service_that_does_not_answer_is_told(home: Path):
    with take_home(home, wait_s=0):
        assert looked(home, load())["start"].says.startswith("It runs, but does not answer")


def test_only_this_computer_and_hosts_may_look(service: Service):
    client = service.client
    assert client.get("/health/report.json", environ_base=ELSEWHERE).status_code == 403
    assert client.get("/health/nobody/", environ_base=ELSEWHERE).location == "/host"
    assert client.get("/health/nobody/report.zip", environ_base=ELSEWHERE).location == "/host"


def test_the_page_says_what_wants_a_look_first_and_in_the_phones_language(service: Service):
    service.house.start = Start((Sentence("safe.asked"),), is_safe=True)
    token = be_host(service.client).strip("/").split("/")[-1]
    english = service.client.get(f"/health/{token}/").text
    german = service.client.get(f"/health/{token}/", headers={"Accept-Language": "de"}).text
    assert english.index("Wants a look") < english.index("without devices because") < english.index("Well")
    assert "Will angesehen werden" in german and "[" not in re.sub(r"<[^>]+>", "", german)
    assert f'href="/health/{token}/"' in service.client.get(f"/host/{token}/").text


def every_byte(content: bytes) -> str:
    """Return all that a zip holds, names of files and what they say, as one text."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())


def test_a_report_names_no_player_and_holds_no_secret_in_any_byte(home: Path, service: Service):
    seats = service.web.room.seats
    tokens = [seats.sit(Seat(seat), name) for seat, name in zip(("red", "blue"), NAMES, strict=False)]
    for name in NAMES[2:]:
        seats.free(Seat("blue"))
        tokens.append(seats.sit(Seat("blue"), name))
    recording = home / "recordings" / "2030-01-01-table-1"
    recording.mkdir(parents=True)
    (recording / "frame.jpg").write_bytes(b"a picture of Zoe")
    host = be_host(service.client).strip("/").split("/")[-1]
    lines = LogLines(lambda _: None)
    logging.root.addHandler(lines)
    try:
        logging.getLogger("web").warning("%s sat down at /seat/%s/, host /host/%s/", "zoë", tokens[0], host)
        logging.getLogger("web").warning("Host: PIN 123456, and %r", 'Q"uote')
        answer = service.client.get(f"/health/{host}/report.zip")
    finally:
        logging.root.removeHandler(lines)
    said = every_byte(answer.data)
    assert "sat down at /seat/[secret]/, host /host/[secret]/" in said  # the line is there, without both
    for name in ("Zoë", 'Q"uote', 'Q\\"uote'):
        assert name.casefold() not in said.casefold()
    for secret in (*tokens, host, "123456", "geheim42", "hunter2", "opensesame", "a picture"):
        assert secret not in said
    assert "camera.local" in said and '"what": "camera"' in said


def test_names_and_pictures_go_in_only_when_they_are_asked_for(home: Path, service: Service):
    service.web.room.seats.sit(Seat("red"), "Zoë")
    for number in ("2030-01-01-table-1", "2030-01-02-table-2"):
        (home / "recordings" / number / "frames").mkdir(parents=True)
        (home / "recordings" / number / "frames" / "1.jpg").write_bytes(number.encode())
    wishes = BundleWishes(with_names=True, with_photos=True)
    said = every_byte(bundled(this_machine(), (), service.house.settings, wishes, parts=PARTS))
    assert "Zoë's webcam" in said
    assert "recording/frames/1.jpg\n2030-01-02-table-2" in said
    assert "2030-01-01-table-1" not in said


def test_who_ever_sat_there_is_known_and_forgotten_with_the_evening(home: Path, service: Service):
    evening = PastEvening(TableId("t"), "lantern", "2030-01-01", "", (Player("Ravi", 3, 1, ()),))
    service.web.room.evenings.keep(evening)
    assert names_of_players(home) == {"Ravi"}
    service.web.room.evenings.forget(TableId("t"))
    assert names_of_players(home) == frozenset()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mia Maria lays; MIA rolls; Miami stays", f"{NAME} lays; {NAME} rolls; Miami stays"),
        (
            "Host: http://10.0.0.1/host with the PIN 482913",
            f"Host: http://10.0.0.1/host with the PIN {SECRET}",
        ),
        ('{"pin": "482913"}', f'{{"pin": "{SECRET}"}}'),
        ('psk="long one" next', f'psk="{SECRET}" next'),
        ("a" * 64, SECRET),
        ("module companion.table.sqlite_journal stays", "module companion.table.sqlite_journal stays"),
    ],
)
def test_what_is_nobodys_business_goes(text: str, said: str):
    assert Discretion(["Mia", "Mia Maria"]).of(text) == said
