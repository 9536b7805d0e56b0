"""The simulated table over HTTP: a real client sees hands come and go, and what they did."""

from __future__ import annotations

import http.client
import json
import threading
from contextlib import contextmanager

import cv2
import numpy as np
import pytest

from companion.games.making_monsters import components
from hardware.simulated.contents import read_contents
from hardware.simulated.hands import Hands, HandsRefused, TableGone
from hardware.simulated.server import TableServer
from hardware.simulated.table import Setting, SimulatedTable

BOX = read_contents(components.BOX.boards, components.stand_in_catalogue(), components.BOX.counts)
FAST = 50.0


@contextmanager
def served(seats=("red", "blue"), **setting):
    """Serve a table in this process; give its hands."""
    table = SimulatedTable(BOX, Setting(tuple(seats), **{"seed": 1, "speed": FAST} | setting))
    server = TableServer(table)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Hands(server.url)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        table.close()


@pytest.fixture(scope="module")
def one_table():
    with served() as hands:
        yield hands


@pytest.fixture
def hands(one_table):
    """Hands at a table that has just been set up for red and blue."""
    one_table.set_up(["red", "blue"], 10)
    return one_table


class Onlooker:
    """Reads an MJPEG stream frame by frame."""

    def __init__(self, hands: Hands, camera: str) -> None:
        self._line = http.client.HTTPConnection(hands.url.removeprefix("http://"), timeout=20)
        self._line.request("GET", f"/cameras/{camera}.mjpg")
        self._answer = self._line.getresponse()
        assert self._answer.getheader("Content-Type").startswith("multipart/x-mixed-replace")

    def frame(self):
        """Return (number, pixels) of the next frame."""
        assert self._answer.readline().startswith(b"--")
        head = {}
        while line := self._answer.readline().strip():
            name, _, value = line.decode().partition(": ")
            head[name] = value
        jpeg = self._answer.read(int(head["Content-Length"]))
        self._answer.readline()
        return int(head["X-Frame"]), cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._answer.close()
        self._line.close()


def still(hands: Hands, camera: str):
    line = http.client.HTTPConnection(hands.url.removeprefix("http://"), timeout=20)
    line.request("GET", f"/cameras/{camera}.jpg")
    picture = cv2.imdecode(np.frombuffer(line.getresponse().read(), np.uint8), cv2.IMREAD_COLOR)
    line.close()
    return picture


def differs(one, other) -> float:
    """Return the share of the picture that differs by more than noise."""
    apart = np.abs(cv2.blur(one, (9, 9)).astype(int) - cv2.blur(other, (9, 9)).astype(int)).max(axis=2)
    return float((apart > 14).mean())


def test_a_camera_streams_numbered_pictures_that_differ_by_noise_alone(hands):
    with Onlooker(hands, "lab_red") as onlooker:
        frames = [onlooker.frame() for _ in range(5)]
        numbers = [number for number, _ in frames]
        assert numbers == sorted(set(numbers))
        assert frames[0][1].shape == (720, 1280, 3)
        assert differs(frames[0][1], frames[4][1]) == 0.0
        assert (frames[0][1] != frames[1][1]).mean() > 0.3


def test_a_hand_is_in_the_picture_during_a_deed_and_only_then(hands):
    hands.draw("red", 1)
    kind = hands.world()["of"]["red"]["hand"][-1]
    before = still(hands, "lab_red")
    with Onlooker(hands, "lab_red") as onlooker:
        onlooker.frame()
        deed = threading.Thread(target=hands.lay, args=("red", kind, "lab_red/reject1"))
        deed.start()
        covered = []
        while deed.is_alive():
            covered.append(differs(before, onlooker.frame()[1]))
        deed.join()
    after = still(hands, "lab_red")
    assert max(covered) > 0.04  # an arm
    assert 0.0 < differs(before, after) < 0.01  # one token


def test_the_tags_of_every_board_are_found_in_its_picture(hands):
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    detector = cv2.aruco.ArucoDetector(family)
    for camera, numbers in (("lab_blue", range(10, 14)), ("centre", [*range(40, 44), *range(50, 54)])):
        _, found, _ = detector.detectMarkers(still(hands, camera))
        assert sorted(int(n) for n in np.ravel(found)) == list(numbers)


def test_between_two_hands_every_onlooker_gets_enough_still_frames():
    with served(still_frames=6) as hands:
        hands.set_up(["red", "blue"], 10)
        kinds = hands.draw("red", 2)
        with Onlooker(hands, "lab_red") as onlooker:
            onlooker.frame()
            deeds = threading.Thread(
                target=lambda: [hands.lay("red", k, f"lab_red/reject{n}") for n, k in enumerate(kinds, 1)]
            )
            deeds.start()
            pictures = []
            while deeds.is_alive():
                pictures.append(onlooker.frame()[1])
            deeds.join()
            last = still(hands, "lab_red")
        small = [differs(picture, last) for picture in pictures]
    with_one_token = [0.0 < share < 0.008 for share in small]
    assert sum(with_one_token) >= 6


def test_two_seats_have_their_hands_on_their_labs_at_the_same_time(hands):
    deeds = [threading.Thread(target=hands.lay_order, args=(seat, "red")) for seat in ("red", "blue")]
    for deed in deeds:
        deed.start()
    for deed in deeds:
        deed.join()
    assert hands.reveal() == {"red": "red", "blue": "red"}


def test_the_disc_turns_in_the_picture_and_in_the_world(hands):
    before = still(hands, "centre")
    assert hands.turn(1) == 1
    assert differs(before, still(hands, "centre")) > 0.02
    assert hands.world()["quarter"] == 1


def test_tokens_swapped_unseen_change_the_picture_and_no_arm_is_shown(hands):
    kinds = hands.draw("red", 12)
    other = next(n for n, kind in enumerate(kinds) if kind != kinds[0])
    hands.lay_all("red", [(kinds[0], "lab_red/reject1"), (kinds[other], "lab_red/reject2")])
    before = still(hands, "lab_red")
    hands.swap_unseen("lab_red/reject1", "lab_red/reject2")
    assert 0.0 < differs(before, still(hands, "lab_red")) < 0.01
    assert hands.world()["places"]["lab_red/reject1"] == [kinds[other]]


def test_the_impossible_is_answered_with_one_sentence_and_changes_nothing(hands):
    before = hands.world()
    with pytest.raises(HandsRefused, match=r"red holds no goop\."):
        hands.lay("red", "goop", "lab_red/sort1")
    assert hands.world() == before


@pytest.mark.parametrize(
    ("path", "body", "status", "why"),
    [
        ("/hands", b"no json", 400, "no JSON"),
        ("/hands", b"[1]", 400, "JSON object"),
        ("/nowhere", b"{}", 404, "nothing at"),
        ("/faults", b'{"device": "kettle", "fault": "unplug"}', 400, "no device 'kettle'"),
    ],
)
def test_bad_requests_get_one_sentence(hands, path, body, status, why):
    line = http.client.HTTPConnection(hands.url.removeprefix("http://"), timeout=20)
    line.request("POST", path, body)
    answer = line.getresponse()
    assert (answer.status, why in json.load(answer)["error"]) == (status, True)
    line.close()


def test_a_page_from_elsewhere_has_no_hands(hands):
    line = http.client.HTTPConnection(hands.url.removeprefix("http://"), timeout=20)
    line.request("POST", "/hands", b'{"do": "roll"}', {"Origin": "http://elsewhere.example"})
    answer = line.getresponse()
    assert (answer.status, "elsewhere" in json.load(answer)["error"]) == (403, True)
    line.close()


def test_a_table_that_is_gone_is_said():
    with served() as hands:
        pass
    with pytest.raises(TableGone, match="Start it again"):
        hands.world()
