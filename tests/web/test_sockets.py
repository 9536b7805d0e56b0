"""Sockets: every message is answered, every tap counts once, every seat sees its own page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask_socketio import SocketIO
from flask_socketio.test_client import SocketIOTestClient

from companion.game import Seat
from tests.web.lantern_house import Clock, LanternHouse, bank_reading, opened
from web.app import Web

RED, BLUE = Seat("red"), Seat("blue")


@dataclass
class Phones:
    house: LanternHouse
    app: Flask
    socketio: SocketIO
    web: Web
    clock: Clock
    clients: list[SocketIOTestClient] = field(default_factory=list)

    def phone(self, **auth: Any) -> SocketIOTestClient:
        """Open a line; it may be refused."""
        client = self.socketio.test_client(self.app, auth=auth)
        self.clients.append(client)
        return client

    def seat(self, seat: str, name: str = "Mia", **auth: Any) -> SocketIOTestClient:
        token = self.web.room.seats.sit(Seat(seat), name)
        return self.phone(**{"as": "seat", "token": token, **auth})

    def host(self) -> SocketIOTestClient:
        return self.phone(**{"as": "host", "token": self.web.room.seats.admit_host()})


@pytest.fixture
def phones() -> Iterator[Phones]:
    house = LanternHouse()
    clock = Clock()
    app, socketio, web = opened(house, now_ms=clock)
    all_of_them = Phones(house, app, socketio, web, clock)
    yield all_of_them
    for client in all_of_them.clients:
        if client.is_connected():
            client.disconnect()
    web.close()
    house.close()


def ask(client: SocketIOTestClient, name: str, *message: Any) -> Mapping[str, Any]:
    """Send a message and return its answer."""
    answer = client.emit(name, *message, callback=True)
    assert isinstance(answer, Mapping), f"{name} was not answered"
    return answer


def lit(phones: Phones, seats: tuple[str, ...] = ("red", "blue")) -> None:
    answer = ask(phones.host(), "tap", {"id": "open", "command": {"do": "open", "seats": list(seats)}})
    assert answer["ok"]


def pushed(client: SocketIOTestClient, name: str, is_it: Callable[[Any], bool] = lambda _: True) -> Any:
    """Wait for a message that fits."""
    waiting = threading.Event()
    for _ in range(500):
        for message in client.get_received():
            if message["name"] == name and is_it(message["args"][0]):
                return message["args"][0]
        waiting.wait(0.01)
    raise AssertionError(f"no {name} came")


def test_a_tap_is_answered_and_shown_to_the_others(phones: Phones):
    lit(phones)
    red, blue = phones.seat("red"), phones.seat("blue", "Ravi")
    answer = ask(
        red, "tap", {"id": "1", "seq": 1, "seat": "red", "command": {"do": "gather", "seat": "red", "oil": 2}}
    )
    assert answer == {"ok": True, "seq": 2}
    shown = pushed(blue, "shown", lambda message: message["seq"] == 2)
    assert "Mia: 2 oil" in shown["html"]["log"]
    assert "strip" not in shown["html"], "what did not change is not sent"


def test_the_same_tap_again_gets_the_same_answer_and_counts_once(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    tap = {"id": "1", "seq": 1, "command": {"do": "gather", "seat": "red", "oil": 2}}
    assert [ask(red, "tap", tap) for _ in range(3)] == [{"ok": True, "seq": 2}] * 3
    assert phones.house.table.look(RED).view.seats[0].score == 2


def test_a_refusal_says_why_and_by_which_rule(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    choose = {"do": "choose", "seat": "red", "wind": "north"}
    ask(red, "tap", {"id": "1", "command": choose})
    answer = ask(red, "tap", {"id": "2", "command": choose})
    assert not answer["ok"]
    assert (answer["why"], answer["rule"]) == ("The wind is chosen already.", "1")


@pytest.mark.parametrize(
    "tap",
    [
        {"id": "1", "seat": "blue", "command": {"do": "gather", "seat": "blue", "oil": 2}},
        {"id": "1", "seat": "red", "command": {"do": "gather", "seat": "blue", "oil": 2}},
        {"id": "1", "command": {"do": "gather", "seat": "blue", "oil": 2}},
        {"id": "1", "command": {"do": "turn", "quarters": 1}},
        {"id": "1", "strike": 1},
    ],
)
def test_what_belongs_to_another_seat_or_to_the_host_is_refused(phones: Phones, tap: dict[str, Any]):
    lit(phones)
    answer = ask(phones.seat("red"), "tap", tap)
    assert not answer["ok"]
    assert answer["why"].endswith(".")
    assert phones.house.table.look(None).seq == 1


@pytest.mark.parametrize("role", ["watch", "screen", "nonsense"])
def test_who_watches_cannot_tap(phones: Phones, role: str):
    lit(phones)
    answer = ask(phones.phone(**{"as": role}), "tap", {"id": "1", "command": {"do": "turn", "quarters": 1}})
    assert (answer["ok"], answer["key"]) == (False, "web.refused.watching")


@pytest.mark.parametrize(
    "message", [(), (None,), ([],), ("x",), ({"id": 1},), ({"id": "a"}, 4), (float("nan"),)]
)
@pytest.mark.parametrize("name", ["tap", "sync", "join"])
def test_every_malformed_message_is_answered(phones: Phones, name: str, message: tuple[Any, ...]):
    ask(phones.seat("red"), name, *message)


def test_a_line_without_a_seat_of_its_own_is_refused(phones: Phones):
    for auth in (
        {"as": "seat", "token": "guess"},
        {"as": "seat"},
        {"as": "host", "token": "guess"},
        {"as": "host"},
    ):
        assert not phones.phone(**auth).is_connected(), auth
    assert phones.socketio.test_client(phones.app, auth="nonsense").is_connected()


def test_a_client_that_draws_itself_gets_values(phones: Phones):
    lit(phones)
    red = phones.seat("red", wants="values")
    view = pushed(red, "view")
    assert (view["seat"], view["seq"], view["view"]["round"]) == ("red", 1, 1)
    choice = view["view"]["prompts"][0]["choices"][0]
    assert choice["command"] == {"do": "choose", "seat": "red", "wind": "north"}
    assert choice["label"] == {"key": "lantern.wind", "values": {"wind": "north"}}
    ask(red, "tap", {"id": "1", "seq": view["seq"], "command": choice["command"]})
    assert pushed(red, "view", lambda one: one["seq"] == 2)["view"]["facts"]["own_wind"] == "north"


def test_a_client_joins_by_socket_and_comes_back_with_its_token(phones: Phones):
    lit(phones)
    watcher = phones.phone()
    answer = ask(watcher, "join", {"name": "Mia", "seat": "red"})
    assert answer["ok"]
    assert phones.phone(**{"as": "seat", "token": answer["token"]}).is_connected()
    again = ask(watcher, "join", {"name": "Ravi", "seat": "red"})
    assert "Mia sits there already" in again["why"]
    assert not ask(watcher, "join", {"name": "", "seat": "blue"})["ok"]


def test_a_phone_that_wakes_gets_what_it_lacks_and_nothing_else(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    first = pushed(red, "shown")
    assert set(first["html"]) == set(first["now"])
    assert ask(red, "sync", {"is": first["now"]})["html"] == {}
    assert set(ask(red, "sync", {"is": {}})["html"]) == set(first["now"])
    stale = ask(red, "sync", {"is": {**first["now"], "log": "old"}})
    assert set(stale["html"]) == {"log"}


def test_coming_back_costs_little_however_long_the_game_was(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    for number in range(150):
        command = {"do": "gather", "seat": "red", "oil": 1}
        phones.clock.go_on(100)
        assert ask(red, "tap", {"id": str(number), "command": command})["ok"]
    whole = ask(red, "sync", {"is": {}})
    assert sum(len(text) for text in whole["html"].values()) < 16_000


def test_three_hundred_taps_of_one_phone_arrive_in_order(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    for number in range(300):
        phones.clock.go_on(100)
        ask(
            red, "tap", {"id": str(number), "command": {"do": "gather", "seat": "red", "oil": 1 + number % 3}}
        )
    log = phones.house.table.look(RED).log[1:]
    assert [line.say.values["by"] for line in log] == [1 + number % 3 for number in range(300)]


def test_too_many_taps_at_once_are_refused_with_the_reason(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    answers = [
        ask(red, "tap", {"id": str(number), "command": {"do": "gather", "seat": "red", "oil": 1}})
        for number in range(40)
    ]
    refused = [answer for answer in answers if not answer["ok"]]
    assert len(refused) == 20
    phones.clock.go_on(1000)
    assert ask(red, "tap", {"id": "later", "command": {"do": "gather", "seat": "red", "oil": 1}})["ok"]
    assert {answer["key"] for answer in refused} == {"web.refused.too_fast"}


def test_four_seats_tap_on_the_same_seq_and_all_are_heard(phones: Phones):
    lit(phones, ("red", "blue", "green", "white"))
    names = ("red", "blue", "green", "white")
    lines = [phones.seat(seat, seat) for seat in names]
    taps = [
        {"id": "1", "seq": 1, "command": {"do": "choose", "seat": seat, "wind": "north"}} for seat in names
    ]
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda line=line, tap=tap: answers.append(ask(line, "tap", tap)))
        for line, tap in zip(lines, taps, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer["ok"] for answer in answers] == [True] * 4
    assert phones.house.table.look(None).view.phase.key == "lantern.phase.mill"


def test_a_proposal_comes_to_the_seat_concerned_and_is_taken_by_a_tap(phones: Phones):
    lit(phones)
    red, blue = phones.seat("red"), phones.seat("blue", "Ravi")
    phones.house.table.sighted(bank_reading({"red1": ("pebble", True)})).result(5)
    shown = pushed(red, "shown", lambda message: "You laid a stone" in message["html"].get("todo", ""))
    assert "Did I see this right?" not in shown["html"].get("tag", ""), "the wind is asked first"
    [proposal] = phones.house.table.look(RED).proposals
    assert not ask(blue, "tap", {"id": "1", "accept": proposal.id})["ok"]
    corrected = ask(red, "tap", {"id": "1", "correct": proposal.id, "place": "bank/red1", "reads": "shell"})
    assert corrected["ok"]
    assert ask(red, "tap", {"id": "2", "accept": proposal.id})["ok"]
    assert phones.house.table.look(RED).view.seats[0].score == 1


def test_a_freed_seat_is_told_and_its_token_is_dead(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    phones.web.room.seats.free(RED)
    assert pushed(red, "gone")["to"] == "/?gone=1"
    answer = ask(red, "tap", {"id": "1", "command": {"do": "gather", "seat": "red", "oil": 1}})
    assert answer["key"] == "web.seat.gone"


def test_the_thirty_third_line_is_refused(phones: Phones):
    lines = [phones.phone() for _ in range(34)]
    # Without an address of its own (a test has none) eight may come from one place.
    assert sum(line.is_connected() for line in lines) == 8


def test_a_new_table_is_shown_on_the_same_lines(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    pushed(red, "shown")
    phones.house.new_table()
    assert "before the start" in pushed(red, "shown", lambda message: message["seq"] == 0)["html"]["tag"]


def test_no_push_holds_the_secret_of_another_seat(phones: Phones):
    lit(phones)
    red, blue = phones.seat("red"), phones.seat("blue", "Ravi")
    others = [blue, phones.host(), phones.phone(**{"as": "screen"}), phones.phone(**{"as": "watch"})]
    values = phones.phone(**{"as": "watch", "wants": "values"})
    ask(red, "tap", {"id": "1", "command": {"do": "choose", "seat": "red", "wind": "north"}})
    assert "Mia chose the north wind" in pushed(red, "shown", lambda one: one["seq"] == 2)["html"]["log"]
    for line in others:
        ask(line, "sync", {"is": {}})
        frames = repr(line.get_received()) + repr(ask(line, "sync", {"is": {}}))
        assert "chose the north" not in frames
    seen = ask(values, "sync", {})
    assert seen["seq"] == 2
    assert seen["view"]["facts"] == {"own_wind": "", "winds": {}}


def test_those_who_watch_are_told_the_same_by_one_message_and_none_is_left_out(phones: Phones):
    lit(phones)
    red = phones.seat("red")
    watchers = [phones.phone(**{"as": "watch"}) for _ in range(4)]
    for line in watchers:
        pushed(line, "shown")
    *_, newest = phones.web.sockets._callers.values()
    newest.has = {}  # as if it had opened its page just now
    ask(red, "tap", {"id": "1", "command": {"do": "gather", "seat": "red", "oil": 2}})
    told = [pushed(line, "shown", lambda message: message["seq"] == 2) for line in watchers]
    assert all("Mia: 2 oil" in one["html"]["log"] for one in told)
    assert told[0] == told[1] == told[2]
    assert set(told[3]["html"]) == set(told[3]["now"])
    assert set(told[0]["html"]) < set(told[3]["html"])
