"""Lines that are written directly: in order, whole, and never held up by a phone that does not listen."""

from __future__ import annotations

import json
import queue
import socket
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.request import Request, urlopen

import pytest
from engineio.packet import MESSAGE, Packet
from websocket import WebSocket, WebSocketException, create_connection
from werkzeug.serving import make_server

from tests.web.lantern_house import LanternHouse, opened
from web.direct import Framed, Message, Outgoing, Whole, frame


@pytest.mark.parametrize(("length", "head"), [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)])
def test_a_frame_says_its_length_as_rfc_6455_wants_it(length: int, head: int):
    framed = frame("a" * length)
    assert len(framed) == head + length
    assert framed[0] == 0x81
    said = framed[1] if head == 2 else int.from_bytes(framed[2:head], "big")
    assert said == length
    assert frame(b"a" * length)[0] == 0x82
    assert frame(Framed(framed)) == framed


MANY = 60


def text(packet: str) -> Packet:
    return Packet(MESSAGE, packet)


class Network:
    """Takes so many bytes, and no more."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = b""

    def send_now(self, frames: bytes) -> bytes:
        now, left = frames[: self.room], frames[self.room :]
        self.room -= len(now)
        self.taken += now
        return left


def line_to(network: Network) -> Outgoing:
    """Return a line whose late writer has come for the first time and found nothing."""
    line = Outgoing()
    line.lead_to(network.send_now, lambda: True)
    with pytest.raises(queue.Empty):
        line.get(timeout=0.001)
    return line


def test_what_the_network_takes_goes_out_at_once():
    network = Network(1000)
    line = line_to(network)
    line.put(text("one"))
    line.put(text("two"))
    assert network.taken == frame("4one") + frame("4two")
    assert line.empty()


def test_what_it_does_not_take_waits_and_nothing_overtakes_it():
    network = Network(3)
    line = line_to(network)
    line.put(text("one"))
    network.room = 1000
    line.put(text("two"))
    late = [line.get(), line.get()]
    assert network.taken + b"".join(frame(one.encode()) for one in late) == frame("4one") + frame("4two")
    with pytest.raises(queue.Empty):
        line.get(block=False)  # the writer looks whether there is more before it writes: not done yet
    line.put(text("three"))
    assert line.get().data == "three"
    with pytest.raises(queue.Empty):
        line.get(timeout=0.001)
    line.put(text("four"))
    assert network.taken.endswith(frame("4four"))


def test_a_message_and_its_bytes_go_out_in_one_piece():
    encoded = Message(data=["shown", {"zip": b"packed", "seq": 1}]).encode()
    assert isinstance(encoded, Whole) and encoded.attached == (b"packed",)
    network = Network(1000)
    line_to(network).put(text(encoded))
    assert network.taken == frame("4" + encoded) + frame(b"packed")
    slow = line_to(Network(0))
    slow.lead_to(Network(0).send_now, lambda: False)  # a line that polls
    slow.put(text(encoded))
    assert [one.data for one in (slow.get(), slow.get())] == [encoded, b"packed"]


class House:
    """The invented game behind a real server."""

    def __init__(self) -> None:
        self._house = LanternHouse()
        app, self.io, self.web = opened(self._house)
        self._server = make_server("127.0.0.1", 0, app, threaded=True)
        self._server.daemon_threads = True  # type: ignore[attr-defined]
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self.web.close()
        self._house.close()


@pytest.fixture
def house() -> Iterator[House]:
    served = House()
    yield served
    served.close()


def raw_line(house: House, **options: Any) -> WebSocket:
    """Open a line by hand, up to the first message."""
    address = f"ws://127.0.0.1:{house.port}/socket.io/?EIO=4&transport=websocket"
    line = create_connection(address, timeout=10, **options)
    assert str(line.recv()).startswith("0")
    line.send("40{}")
    while not str(line.recv()).startswith("40"):
        pass
    return line


def test_a_line_has_two_threads_and_agrees_upon_no_compression(house: House):
    first = raw_line(house)
    before = threading.active_count()
    line = raw_line(house, header={"Sec-WebSocket-Extensions": "permessage-deflate"})
    assert threading.active_count() - before <= 3  # one that reads, one that writes late, one that pings
    assert "sec-websocket-extensions" not in line.getheaders()
    line.close()
    first.close()


def test_a_phone_that_does_not_listen_holds_up_nobody(house: House):
    deaf = raw_line(house, sockopt=((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),))
    with closing(deaf), closing(raw_line(house)) as ears:
        for number in range(MANY):
            house.io.emit("news", {"number": number, "rest": "x" * 60_000})
        for line, count in ((ears, MANY), (deaf, 3)):
            heard = [json.loads(str(line.recv())[2:])[1]["number"] for _ in range(count)]
            assert heard == list(range(count))


def test_a_line_that_polls_gets_the_same(house: House):
    address = f"http://127.0.0.1:{house.port}/socket.io/?EIO=4&transport=polling"
    sid = json.loads(asked(address)[1:])["sid"]
    assert asked(f"{address}&sid={sid}", b"40{}") == "OK"
    assert asked(f"{address}&sid={sid}").startswith('42["shown"')
    house.io.emit("news", {"zip": b"packed"})
    news, packed = asked(f"{address}&sid={sid}").split("\x1e")
    assert news.startswith("451-")
    assert packed == "b" + b64encode(b"packed").decode()


def asked(address: str, body: bytes | None = None) -> str:
    with urlopen(Request(address, body), timeout=10) as answer:
        return str(answer.read().decode())


def test_a_message_that_is_too_long_ends_the_line_before_it_is_read_whole(house: House):
    with closing(raw_line(house)) as line, pytest.raises((OSError, WebSocketException)):
        for _ in range(64):
            line.send("x" * 65_536)
            line.recv()


def test_engineio_still_has_the_door_that_we_come_in_by(house: House):
    with closing(raw_line(house)):
        (line,) = house.io.server.eio.sockets.values()
        assert isinstance(line.queue, Outgoing) and line.upgraded
