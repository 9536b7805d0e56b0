"""Count taps and waiting from first start to playing: ``python -m tests.browser.measure_first_evening``.

Twice from an empty home: with phones alone, and with a simulated table of two seats whose box a friend has
taught (three cameras at addresses, die and sensor at ports that must be typed, as no real one would be).
Hands at the table and reading what a page says are not counted; what the program lets people wait for is.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
from playwright.sync_api import Browser, Locator, Page, expect

from hardware.simulated.evening.processes import BOX, Running, command, start, teach_stand_in
from hardware.simulated.hands import Hands
from tests.browser.served import chromium

WAITS_MS = 120_000
SEATS = ("red", "blue")


@dataclass(slots=True)
class Finger:
    """Taps and types, and counts both; ``marks`` are seconds since the start by what was reached."""

    began_s: float = field(default_factory=time.monotonic)
    taps: int = 0
    typed: int = 0
    marks: list[tuple[str, float, int]] = field(default_factory=list)

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.click()

    def type(self, where: Locator, text: str) -> None:
        self.typed += 1
        where.fill(text)

    def mark(self, what: str) -> None:
        self.marks.append((what, time.monotonic() - self.began_s, self.taps))


@contextmanager
def serving(home: Path) -> Iterator[Running]:
    running = start(["serve", "--json", "--host", "127.0.0.1", "--port", "0"], home)
    try:
        yield running
    finally:
        running.stop()


def page_at(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en").new_page()
    page.set_default_timeout(WAITS_MS)
    page.goto(url)
    return page


def open_table(finger: Finger, browser: Browser, url: str, host: Page, seats: tuple[str, ...]) -> None:
    """Set the game up on the host's page and let everybody sit down, until each is asked something."""
    for other in {"red", "blue", "green", "yellow"} - {*seats}:
        finger.tap(host.locator(f"[data-part=todo] label:has(input[value={other}])").first)
    finger.tap(host.locator("[data-part=todo] .key").first)
    for seat in seats:
        phone = page_at(browser, url)
        finger.type(phone.get_by_label("Your name"), seat.title())
        finger.tap(phone.locator(f"button[value={seat}]"))
        expect(phone.locator("[data-part=todo] button").first).to_be_visible()
    finger.mark("everybody plays")


def phones_alone(browser: Browser, home: Path) -> Finger:
    finger = Finger()
    with serving(home) as service:
        url = service.told["addresses"][0]
        host = page_at(browser, f"{url}host")
        finger.mark("the host's page")
        finger.tap(host.get_by_role("link", name="Set up").first)
        finger.tap(host.get_by_role("button", name="Phones alone"))
        host.wait_for_url("**/host/**")
        finger.mark("set up")
        open_table(finger, browser, url, host, SEATS)
    return finger


def with_a_rig(browser: Browser, home: Path, archive: Path, table: Running) -> Finger:
    hands = Hands(str(table.told["url"]))
    hands.set_up(list(SEATS), 8)
    finger = Finger()
    with serving(home) as service:
        url = service.told["addresses"][0]
        page = page_at(browser, f"{url}host")
        finger.mark("the host's page")
        finger.tap(page.get_by_role("link", name="Set up").first)
        finger.tap(page.get_by_role("link", name="Begin"))
        finger.tap(page.get_by_role("button", name="English"))
        cameras(finger, page, table)
        boards(finger, page, archive)
        devices(finger, page, table, hands)
        finger.tap(page.get_by_role("button", name="To the table"))
        finger.mark("set up")
        open_table(finger, browser, url, page, SEATS)
    return finger


def cameras(finger: Finger, page: Page, table: Running) -> None:
    for number, (name, address) in enumerate(table.told["cameras"].items()):
        if number:
            finger.tap(page.locator("details", has_text="A camera at an address").locator("summary"))
        finger.type(page.get_by_label("Its address"), address)
        finger.tap(page.get_by_role("button", name="Look there"))
        finger.type(page.get_by_label("What to call it"), name)
        finger.tap(page.get_by_role("button", name="Use this camera"))
        expect(page.locator("section", has_text=name).locator(".sure")).to_have_text("working")
    finger.mark("cameras chosen, pictures shown")
    finger.tap(page.get_by_role("button", name="Next"))


def boards(finger: Finger, page: Page, archive: Path) -> None:
    finger.tap(page.get_by_role("link", name="Teach a box"))
    page.get_by_label("The .zip").set_input_files(archive)
    finger.taps += 2  # the field, and the file in a list
    finger.tap(page.get_by_role("button", name="Import"))
    back(finger, page)
    finger.tap(page.get_by_role("button", name=BOX))
    finger.tap(page.get_by_role("link", name="Set the camera up"))
    page.get_by_role("button", name="Keep it so").wait_for()
    finger.mark("boards judged")
    finger.tap(page.get_by_role("button", name="Keep it so"))
    page.wait_for_load_state()
    finger.mark("boards kept")
    back(finger, page)


def back(finger: Finger, page: Page) -> None:
    """Go on with the next step that is open."""
    finger.tap(page.get_by_role("link", name="All steps"))
    finger.tap(page.get_by_role("link", name="Go on"))


def devices(finger: Finger, page: Page, table: Running, hands: Hands) -> None:
    for name, words, use in (("die", "die", "Use the die"), ("rotor", "sensor", "Use the sensor")):
        finger.tap(page.locator("summary", has_text="another port"))
        finger.type(page.get_by_label("The port"), table.told["devices"][name]["port"])
        finger.tap(page.get_by_role("button", name="Listen there"))
        finger.tap(page.get_by_role("button", name=use))
        expect(page.locator(".sure").first).to_have_text("working")
        if name == "die":
            face = hands.do("roll")["face"]
            expect(page.get_by_text(f"Rolled: {face}")).to_be_visible()
        else:
            hands.do("turn", quarters=1)
            expect(page.get_by_text("one quarter clockwise")).to_be_visible()
        finger.mark(f"{words} tried")
        finger.tap(page.get_by_role("button", name="Next"))


def export(home: Path, archive: Path) -> None:
    """Export the box as a friend would who has taught it."""
    words = command("box", "export", BOX, str(archive))
    subprocess.run(words, env={**os.environ, "COMPANION_HOME": str(home)}, check=True, capture_output=True)


def told(title: str, finger: Finger) -> None:
    click.echo(
        f"{title}: {finger.taps} taps, {finger.typed} fields typed, {finger.marks[-1][1]:.0f} s of machine"
    )
    for what, at_s, taps in finger.marks:
        click.echo(f"  {at_s:6.1f} s  {taps:3d} taps  {what}")


def main() -> None:
    expect.set_options(timeout=WAITS_MS)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        homes = {name: Path(folder) / name for name in ("phones", "rig", "friend")}
        for home in homes.values():
            home.mkdir()
        told("Phones alone", phones_alone(browser, homes["phones"]))
        teach_stand_in(homes["friend"])
        archive = homes["friend"] / f"{BOX}.zip"
        export(homes["friend"], archive)
        table = start(["simulated-table", "--seats", "2", "--seed", "4"], homes["rig"])
        try:
            told("With a rig", with_a_rig(browser, homes["rig"], archive, table))
        finally:
            table.stop()


if __name__ == "__main__":
    main()
