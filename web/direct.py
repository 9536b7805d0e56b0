"""Messages go straight to the phones: written by the thread that has them, read by the one that waits.

The libraries hand each message from thread to thread: for every phone one reads the socket, a second waits
for what it read, a third waits for what shall be written. With fifty phones these hand-offs are most of the
time until the last one has a tap. Here a line has one thread that reads, and a second one that writes only
what the network did not take at once, for a phone that sleeps. Nothing else of Engine.IO is changed;
``make_direct`` says where it lets us in.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import engineio.packet
import simple_websocket
import socketio.packet
from flask_socketio import SocketIO

GIVE_UP_MS = 15_000
"""Unanswered by the network for so long, a line is closed; Engine.IO's ping gives up after ten seconds."""

SHORT, MIDDLE = 126, 1 << 16
TEXT, BINARY, CLOSE = 0x81, 0x82, 0x88


class Framed(bytes):
    """Bytes that are frames already."""


class Whole(str):
    """A message with the bytes that belong to it: nothing may come between them on a line."""

    __slots__ = ("attached",)

    def __new__(cls, text: str, attached: Sequence[bytes]) -> Whole:
        whole = super().__new__(cls, text)
        whole.attached = tuple(attached)
        return whole

    attached: tuple[bytes, ...]


class Left:
    """What the network did not take of a message; goes out before anything else."""

    def __init__(self, frames: bytes) -> None:
        self._frames = Framed(frames)

    def encode(self) -> Framed:
        return self._frames


class Message(socketio.packet.Packet):  # type: ignore[misc]
    """A Socket.IO packet of ours: bytes stand on the first level of a message, or nowhere.

    The library looks for them in every corner of what is sent; in a view of a table that takes longer than
    making it into text.
    """

    @classmethod
    def data_is_binary(cls, data: object) -> bool:
        return isinstance(data, list) and any(
            isinstance(value, bytes) for item in data if isinstance(item, dict) for value in item.values()
        )

    def encode(self) -> str:
        encoded = super().encode()
        return Whole(encoded[0], encoded[1:]) if isinstance(encoded, list) else encoded


def frame(message: str | bytes) -> bytes:
    """Return a whole message as a server sends it (RFC 6455, 5.2): not masked, not compressed."""
    if isinstance(message, Framed):
        return message
    kind, body = (BINARY, message) if isinstance(message, bytes) else (TEXT, message.encode())
    if len(body) < SHORT:
        return bytes((kind, len(body))) + body
    if len(body) < MIDDLE:
        return bytes((kind, 126)) + len(body).to_bytes(2, "big") + body
    return bytes((kind, 127)) + len(body).to_bytes(8, "big") + body


class _Unstarted:
    """Stands where the library would start a thread of its own for each socket."""

    name = ""

    def __init__(self, target: Callable[[], None]) -> None:
        self.target = target

    def start(self) -> None:
        """Leave the reading to whoever waits."""


class OneThreadSocket(simple_websocket.Server):  # type: ignore[misc]
    """A WebSocket that is read by the thread that waits for a message."""

    connected: bool

    def __init__(self, environ: dict[str, Any], most_bytes: int) -> None:
        self._writing = threading.Lock()
        # Messages are short, and the long ones are packed already: no compression is agreed upon.
        plain = {name: value for name, value in environ.items() if name != "HTTP_SEC_WEBSOCKET_EXTENSIONS"}
        super().__init__(plain, thread_class=_Unstarted, max_message_size=most_bytes)
        with suppress(OSError):  # a socket of another family has no such options
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GIVE_UP_MS)

    def receive(self, timeout: float | None = None) -> str | bytes:
        """Return the next message. Raises ConnectionClosed."""
        while self.connected and not self.input_buffer:
            self.connected = self._read_on()
        if not self.input_buffer:
            raise simple_websocket.ConnectionClosed(self.close_reason, self.close_message)
        message: str | bytes = self.input_buffer.pop(0)
        return message

    def _read_on(self) -> bool:
        try:
            read = self.sock.recv(self.receive_bytes)
            if not read:
                return False
            self.ws.receive_data(read)
            with self._writing:  # it answers pings, and a farewell
                return bool(self._handle_events())
        except (OSError, simple_websocket.ws.LocalProtocolError):
            return False

    def send(self, data: str | bytes) -> None:
        """Send a message, however long the network takes. Raises OSError."""
        with self._writing:
            self.sock.sendall(frame(data))

    def send_now(self, frames: bytes) -> bytes:
        """Send what the network takes at once; return the rest. Raises OSError."""
        with self._writing:
            try:
                taken = self.sock.send(frames, socket.MSG_DONTWAIT)
            except BlockingIOError:
                taken = 0
        return frames[taken:]

    def close(self, reason: int | None = None, message: str | None = None) -> None:
        """Say farewell and wake the thread that reads."""
        self.connected = False
        with suppress(OSError), self._writing:
            self.sock.send(bytes((CLOSE, 2)) + int(reason or 1000).to_bytes(2, "big"), socket.MSG_DONTWAIT)
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)


class Outgoing(queue.Queue[Any]):
    """What goes out on one line: at once if the network takes it, else by the thread that writes late.

    Stands where Engine.IO has a queue between those who send and a thread that writes. What was put in order
    goes out in order: nothing is written at once before all that waits is.
    """

    def __init__(self) -> None:
        super().__init__()
        self._door = threading.Lock()
        self._send_now: Callable[[bytes], bytes] | None = None
        self._may_send: Callable[[], bool] = lambda: False
        self._is_late = True
        self._was_sent = False

    def lead_to(self, send_now: Callable[[bytes], bytes], may_send: Callable[[], bool]) -> None:
        """Write by ``send_now`` from now on, whenever ``may_send`` and nothing waits."""
        with self._door:
            self._is_late = True
            self._send_now, self._may_send = send_now, may_send

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Write a packet, or let it wait; None ends the thread that writes."""
        with self._door:
            if item is not None and not self._is_late and self._send_now and self._may_send():
                left = self._written(self._send_now, item)
                if not left:
                    return
                item = Left(left)
            self._is_late = True
            for one in _parts(item):
                super().put(one)

    def _written(self, send_now: Callable[[bytes], bytes], item: Any) -> bytes:
        """Write a packet; return what the network did not take, nothing if the line is dead."""
        self._was_sent = True
        try:
            return send_now(b"".join(frame(one.encode()) for one in _parts(item)))
        except OSError:
            return b""  # the thread that reads hears of it, too, and ends the line

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Wait for what could not be written at once. Raises queue.Empty on a line where nothing goes out."""
        while True:
            with self._door:
                if block and self.empty():  # who writes late comes back for more: all is written
                    self._is_late = False
            try:
                return super().get(block, timeout)
            except queue.Empty:
                if not block or not self._was_sent:
                    raise
                self._was_sent = False


def _parts(item: Any) -> Iterable[Any]:
    """Return a packet and those with the bytes that belong to it."""
    attached = getattr(getattr(item, "data", None), "attached", ())
    more = (engineio.packet.Packet(engineio.packet.MESSAGE, part) for part in attached)
    return (item, *more)


class Line(Protocol):
    """Engine.IO's side of a line."""

    queue: Any
    upgraded: bool
    upgrading: bool


class DirectWebSocket:
    """Engine.IO's door to a WebSocket of ours: ``serve`` is its loop over the messages of one line."""

    def __init__(self, serve: Any, server: Any) -> None:
        self._serve = serve
        self._most_bytes: int = server.max_http_buffer_size
        self._line: Line = serve.__self__

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        self._ws = OneThreadSocket(environ, self._most_bytes)
        # On a line that began by polling, packets go that way until it is wholly here.
        self._line.queue.lead_to(self._ws.send_now, lambda: self._line.upgraded and not self._line.upgrading)
        try:
            self._serve(self)
        finally:
            self._ws.sock.close()
        if self._ws.mode == "gunicorn":
            raise StopIteration
        raise ConnectionError

    def wait(self) -> str | bytes | None:
        """Return the next message, None when the line is closed."""
        try:
            return self._ws.receive()
        except simple_websocket.ConnectionClosed:
            return None

    def send(self, message: str | bytes) -> None:
        self._ws.send(message)

    def close(self) -> None:
        if self._ws.connected:
            self._ws.close()


def make_direct(socketio: SocketIO) -> None:
    """Let the lines of a server that nobody called yet write directly.

    ``_async`` is where Engine.IO keeps what its mode brings along; tests hold that it still does.
    """
    engine = socketio.server.eio
    engine._async = {**engine._async, "queue": Outgoing, "websocket": DirectWebSocket}
