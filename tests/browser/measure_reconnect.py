"""Measure how soon a phone is right again: ``python -m tests.browser.measure_reconnect [TIMES]``.

Two phones in a real Chromium; the line of one is cut, or falls silent, while the other one taps. The time
runs from the mended line until the page shows what happened meanwhile.
"""

from __future__ import annotations

import logging
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from companion.game import Seat
from companion.journal import Cause
from companion.table.writer import Submission
from tests.browser.lantern_evening import Evening
from tests.browser.served import chromium

AWAY_S = (0.5, 6.0)


def gather(evening: Evening, number: int) -> int:
    """Let the blue seat gather oil; return what it has then."""
    table = evening.house.table
    cause = Cause(by="seat", for_seat=Seat("blue"), client="measure")
    command = {"do": "gather", "seat": "blue", "oil": 1}
    table.submit(Submission(str(number), cause, table.look(None).seq, command)).result(5)
    return next(one.score for one in table.look(None).view.seats if one.seat == "blue")


def seconds_until_right(evening: Evening, phone: Page, way: str, away_s: float, number: int) -> float:
    """Lose the line, let something happen, mend it; return how long the page was wrong."""
    (evening.cable.cut if way == "cut" else evening.cable.fall_silent)()
    score = gather(evening, number)
    time.sleep(away_s)
    if way == "woken":  # a phone that sleeps notices nothing; it asks when it wakes
        evening.cable.mend()
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    else:
        evening.cable.mend()
    begun = time.perf_counter()
    seq = str(evening.house.table.look(None).seq)
    expect(phone.locator("body")).to_have_attribute("data-seq", seq, timeout=30_000)
    assert score > 0
    return time.perf_counter() - begun


def measure(browser: Browser, times: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(browser, Path(folder))
        evening.lit()
        phone = evening.phone("Mia", "red", url=evening.cable.url)
        phone.wait_for_timeout(500)
        number = 0
        for way in ("cut", "silent", "woken"):
            for away_s in AWAY_S:
                took = []
                for _ in range(times):
                    number += 1
                    took.append(seconds_until_right(evening, phone, way, away_s, number))
                    phone.wait_for_timeout(300)
                middle, most = statistics.median(took), max(took)
                print(f"{way:7} {away_s:4.1f} s away: median {middle:.2f} s, most {most:.2f} s")
        evening.close()


if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with chromium() as started:
        measure(started, int(sys.argv[1]) if len(sys.argv) > 1 else 5)
