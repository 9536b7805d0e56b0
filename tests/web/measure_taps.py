"""Measure a tap until the other phones have it: ``python -m tests.web.measure_taps [TAPS] [--odds]``.

The real service with its SQLite journal, four phones, the host page and the big screen, all on this
computer and all in this process, whose own work is therefore in the figures.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import threading
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import socketio

from companion.games.making_monsters.game import GAME
from companion.table.self_play import steps
from tests.evenings.service import Service

SEATS = ("red", "blue", "green", "yellow")
PACE_S = 0.11  # a phone may tap ten times a second


class Line:
    """One open line that remembers when it last had something, and up to which seq."""

    def __init__(self, url: str, **auth: str) -> None:
        self.client = socketio.Client(reconnection=False)
        self.seq, self.at_s = -1, 0.0
        self._news = threading.Condition()
        self.client.on("shown", self._shown)
        self.client.connect(url, auth=auth, transports=["websocket"], wait_timeout=10)

    def wait_for(self, seq: int) -> float:
        with self._news:
            assert self._news.wait_for(lambda: self.seq >= seq, timeout=10)
            return self.at_s

    def _shown(self, message: dict[str, Any]) -> None:
        with self._news:
            self.seq, self.at_s = message["seq"], time.perf_counter()
            self._news.notify_all()


def order_position(*, with_odds: bool) -> str:
    """Return a position in which four seats choose their orders, told their odds or not."""
    players = dict(zip(GAME.seats, cycle(GAME.players), strict=False))
    played = steps(GAME, GAME.stand_in, players, random.Random(1))
    state = next(step.state for step in played if step.state.phase == "order")
    if with_odds:
        for event in GAME.decide(state, GAME.codec.command_in({"do": "show_odds", "is_on": True})):
            state = GAME.evolve(state, event)
    return GAME.position(state)


def measure(service: Service, taps: int, *, with_odds: bool) -> None:
    host = Line(service.url, **{"as": "host"})
    take_over = {"do": "take_over", "position": order_position(with_odds=with_odds)}
    assert host.client.call("tap", {"id": "open", "command": take_over})["ok"]
    visitor = Line(service.url, **{"as": "watch"})
    phones = []
    for seat in SEATS:
        token = visitor.client.call("join", {"seat": seat, "name": seat.title()})["token"]
        phones.append(Line(service.url, **{"as": "seat", "token": token}))
    others = [*phones[1:], host, visitor, Line(service.url, **{"as": "screen"})]
    answered, last = [], []
    for number, order in zip(range(taps), cycle(("red", "yellow", "blue"))):
        command = {"do": "choose_order", "seat": "red", "order": order}
        began_s = time.perf_counter()
        receipt = phones[0].client.call("tap", {"id": f"tap-{number}", "command": command})
        answered.append(time.perf_counter() - began_s)
        last.append(max(line.wait_for(receipt["seq"]) for line in others) - began_s)
        threading.Event().wait(PACE_S)
    for words, times in (("tap to its answer", answered), (f"tap to the last of {len(others)} others", last)):
        ms = sorted(1000 * one for one in times)
        print(f"{words}: p50 {statistics.median(ms):.1f} ms, p99 {ms[int(len(ms) * 0.99) - 1]:.1f} ms")
    for line in (*phones, *others):
        line.client.disconnect()


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home) / "companion.toml"
        settings.write_text("")
        service = Service(Path(home), settings)
        try:
            taps = [int(word) for word in sys.argv[1:] if word.isdigit()]
            measure(service, taps[0] if taps else 200, with_odds="--odds" in sys.argv)
        finally:
            service.stop()


if __name__ == "__main__":
    main()
