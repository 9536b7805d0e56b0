"""A photo from a phone: taken in by a form alone, answered in one sentence."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from flask.testing import FlaskClient

from companion.ports import Obstacle, Reading
from companion.table.senses_asked import EyesClosed, TooManyAsked
from tests.web.forms_in import be_host, form_saying, send, sit
from tests.web.lantern_house import LanternHouse, bank_reading, opened
from web import photos
from web.app import Web

PHOTO = b"\xff\xd8\xff\xe0 a photo \xff\xd9"


FORM = "multipart/form-data; boundary=edge"


def form_of(photo: bytes) -> bytes:
    """Return a form with a photo as a browser sends it; the test client would use temporary files."""
    head = b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="board.jpg"\r\n\r\n'
    return head + photo + b"\r\n--edge--\r\n" if photo else b"--edge--\r\n"


class SnappyHouse(LanternHouse):
    """A house whose eyes answer what a test says."""

    answer: Reading | Exception | None = None
    taken: bytes = b""
    source: str = ""

    def read_photo(self, coded: bytes, source: str) -> Future[Reading]:
        self.taken, self.source = coded, source
        future: Future[Reading] = Future()
        if isinstance(self.answer, TooManyAsked):
            raise self.answer
        if isinstance(self.answer, Exception):
            future.set_exception(self.answer)
        elif self.answer is not None:
            if self.answer.boards:
                self.table.sighted(self.answer).result(5)
            future.set_result(self.answer)
        return future


class Phone:
    def __init__(self, house: SnappyHouse, web: Web, client: FlaskClient) -> None:
        self.house, self.web, self.client = house, web, client
        host = be_host(client)
        send(client, host, form_saying(client.get(host).text, "2 lanterns"))
        self.seat = sit(client, "Mia", "red")

    def snap(self, photo: bytes = PHOTO, *, url: str = "", script: bool = False) -> str:
        headers = {"Accept": "application/json"} if script else {"Accept": "text/html"}
        sent = self.client.post(
            (url or self.seat) + "photo", data=form_of(photo), headers=headers, content_type=FORM
        )
        if script:
            return str(sent.json["key"])
        assert sent.status_code == 303
        return self.client.get(sent.headers["Location"]).text


@pytest.fixture
def phone() -> Iterator[Phone]:
    house = SnappyHouse()
    app, _, web = opened(house)
    yield Phone(house, web, app.test_client())
    web.close()
    house.close()


def test_the_page_of_a_seat_asks_for_a_photo_where_a_box_is_taught(phone: Phone):
    assert 'action="photo"' in phone.client.get(phone.seat).text
    phone.house.has_eyes = False
    assert 'action="photo"' not in phone.client.get(phone.seat).text
    assert phone.snap(script=True) == "web.photo.no_box"


def test_a_photo_that_shows_something_new_becomes_a_proposal_on_that_phone(phone: Phone):
    phone.house.answer = bank_reading({"stone1": ("pebble", True)})
    page = phone.snap()
    assert "Photo read." in page
    assert phone.house.taken == PHOTO
    assert phone.house.source == "photo of red"


@pytest.mark.parametrize("obstacle", list(Obstacle))
def test_a_photo_that_cannot_be_read_is_answered_with_the_reason(phone: Phone, obstacle: Obstacle):
    phone.house.answer = Reading("photo of red", 0, 0, {}, obstacle=obstacle)
    assert phone.snap(script=True) == f"obstacle.{obstacle}"


def test_a_form_without_script_gets_its_reason_on_the_page(phone: Phone):
    phone.house.answer = Reading("photo of red", 0, 0, {}, obstacle=Obstacle.BOARD_NOT_FOUND)
    assert "No board in view. Show all four corners." in phone.snap()


@pytest.mark.parametrize(
    ("fault", "key"), [(EyesClosed(""), "web.photo.closed"), (TooManyAsked(), "web.photo.busy")]
)
def test_closed_or_busy_eyes_are_said(phone: Phone, fault: Exception, key: str):
    phone.house.answer = fault
    assert phone.snap(script=True) == key


def test_a_form_without_a_photo_is_told_so(phone: Phone):
    assert phone.snap(b"", script=True) == "web.photo.no_file"


def test_twenty_megabytes_are_taken_and_more_are_refused(phone: Phone):
    phone.house.answer = Reading("photo of red", 0, 0, {}, obstacle=Obstacle.TOO_DARK)
    assert phone.snap(bytes(photos.MAX_PHOTO_BYTES), script=True) == "obstacle.too_dark"
    assert phone.snap(bytes(photos.MAX_PHOTO_BYTES + 1), script=True) == "web.photo.too_big"
    assert phone.snap(bytes(2 * photos.MAX_PHOTO_BYTES), script=True) == "web.photo.too_big"


def test_one_phone_has_one_photo_read_at_a_time(phone: Phone):
    slow: Future[Reading] = Future()
    asked = threading.Event()

    def read_photo(coded: bytes, source: str) -> Future[Reading]:
        asked.set()
        return slow

    phone.house.read_photo = read_photo  # type: ignore[method-assign]
    keys: list[str] = []
    first = threading.Thread(target=lambda: keys.append(phone.snap(script=True)))
    first.start()
    assert asked.wait(5)
    assert phone.snap(script=True) == "web.photo.busy"
    slow.set_result(Reading("photo of red", 0, 0, {}, obstacle=Obstacle.GLARE))
    first.join()
    assert keys == ["obstacle.glare"]


def test_who_holds_no_seat_cannot_send_photos(phone: Phone):
    sent = phone.client.post("/seat/nobody/photo", data={"photo": (io.BytesIO(PHOTO), "a.jpg")})
    assert sent.status_code == 303
    assert phone.house.taken == b""


def test_the_host_can_send_a_photo_for_everybody(phone: Phone):
    phone.house.answer = bank_reading({"stone1": ("pebble", True)})
    assert "Photo read." in phone.snap(url=be_host(phone.client))
    assert phone.house.source == "photo of the host"


def test_an_answer_is_said_once(phone: Phone):
    phone.house.answer = Reading("photo of red", 0, 0, {}, obstacle=Obstacle.TOO_DARK)
    assert "Too dark." in phone.snap()
    assert "Too dark." not in phone.client.get(phone.seat).text
