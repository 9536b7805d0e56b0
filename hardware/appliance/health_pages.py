"""The page of the table's health (entry point ``companion.pages``), for the host only.

``/health/<token>/``; other programs of this computer read ``/health/report.json``. Complete without script.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from flask import Blueprint, abort, jsonify, redirect, render_template, request, send_file
from werkzeug.wrappers import Response

from companion.game import Sentence
from companion.sentences import SOURCE_LANGUAGE, Speaker, keys_in, languages_in
from companion.settings import Settings
from companion.table.home_lock import told_by
from companion.table.starts import Start
from companion.table.writer import Table
from hardware.appliance.bundle import BundleWishes, bundled
from hardware.appliance.checks_clock import TwoClocks
from hardware.appliance.checks_devices import check_devices
from hardware.appliance.checks_software import check_parts, check_start
from hardware.appliance.finding import Finding, Outcome, unknown
from hardware.appliance.look_around import listed_parts, look_at_computer
from hardware.appliance.machine import this_machine
from hardware.appliance.told import PACKAGE, Told, told

PARTS_S = 4.0
"""How long the page waits for what is installed; the next look has it in any case."""


class House(Protocol):
    """The part of the host that this page needs."""

    settings: Settings
    table: Table
    start: Start


class Context(Protocol):
    """What the web hands to a page; the part of it that this one needs."""

    host: House
    is_host: Callable[[str], bool]
    is_here: Callable[[], bool]
    static_url: Callable[[str], str]
    language: Callable[[], str]
    say: Callable[[Sentence], str]


class HealthDesk:
    """What the pages of health share. Parts are looked at on a thread: that takes seconds on a Pi."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._speakers = {one: Speaker([PACKAGE], one) for one in languages_in(PACKAGE)}
        self._own = keys_in(PACKAGE)
        self._clocks = TwoClocks()
        self._looking: threading.Thread | None = None
        self.parts: str | None = None

    def say(self, sentence: Sentence) -> str:
        """Say a sentence of the doctor, or one of the table as the table's own pages do."""
        if sentence.key not in self._own:
            return self.context.say(sentence)
        return self._speakers.get(self.context.language(), self._speakers[SOURCE_LANGUAGE]).say(sentence)

    def look_at_parts(self) -> None:
        """Begin to look at what is installed, unless somebody does."""
        if self._looking is None or not self._looking.is_alive():
            self._looking = threading.Thread(target=self._look_at_parts, name="parts", daemon=True)
            self._looking.start()

    def wait_for_parts(self, at_most_s: float | None = None) -> str:
        """Return what is installed, looked at anew; empty if that takes too long."""
        self.look_at_parts()
        if self._looking is not None:
            self._looking.join(at_most_s)
        return self.parts or ""

    def _look_at_parts(self) -> None:
        self.parts = listed_parts()

    def found(self) -> Sequence[Told]:
        """Look at everything, and say it in the language of the request in hand."""
        house = self.context.host
        seen, machine = house.table.look(None), this_machine()
        parts = [unknown("parts", "later")] if self.parts is None else check_parts(self.parts)
        findings: list[Finding] = [
            *check_start(house.start.troubles, is_safe=house.start.is_safe),
            *look_at_computer(
                machine,
                house.settings.source,
                house.settings,
                jumped_s=self._clocks.jumped_s(),
                page=told_by(machine.home)[1].removeprefix("http://").rstrip("/"),
            ),
            *parts,
            *check_devices(house.settings, seen.devices, seen.cautions),
        ]
        return told(findings, self.say)


def page(context: Context) -> Blueprint:
    """Return the pages of the table's health."""
    pages = Blueprint("health", __name__, url_prefix="/health", template_folder="templates")
    desk = HealthDesk(context)

    def host_links(token: str) -> list[tuple[str, str]]:
        return [(desk.say(Sentence("doctor.link")), f"/health/{token}/")]

    pages.host_links = host_links  # type: ignore[attr-defined]  # the web asks every page for them

    @pages.get("/report.json")
    def report() -> Response:
        """What the doctor finds, as JSON, for programs of this very computer."""
        if not context.is_here():
            abort(403, "Only programs of this very computer may read this.")
        return jsonify({"findings": [one.as_json() for one in desk.found()]})

    @pages.get("/<token>/")
    def health(token: str) -> str | Response:
        """What the doctor finds, and what to do about it."""
        if not context.is_host(token):
            return redirect("/host", 303)
        desk.look_at_parts()
        if desk.parts is None:
            desk.wait_for_parts(PARTS_S)
        return _shown(desk, token, desk.found())

    @pages.get("/<token>/report.zip")
    def bundle(token: str) -> Response:
        """What a report of a fault needs, without names and photos unless they were asked for."""
        if not context.is_host(token):
            return redirect("/host", 303)
        wishes = BundleWishes(
            with_names=request.args.get("names") == "yes", with_photos=request.args.get("photos") == "yes"
        )
        parts = desk.wait_for_parts()
        content = bundled(this_machine(), desk.found(), context.host.settings, wishes, parts=parts)
        return send_file(
            io.BytesIO(content), "application/zip", as_attachment=True, download_name="companion-report.zip"
        )

    return pages


def _shown(desk: HealthDesk, token: str, found: Sequence[Told]) -> str:
    by_outcome = {outcome: [one for one in found if one.outcome is outcome] for outcome in Outcome}
    values: dict[str, Any] = {
        "language": desk.context.language(),
        "tell": lambda key, **named: desk.say(Sentence(key, named)),
        "asset": desk.context.static_url,
        "token": token,
        "to_see": by_outcome[Outcome.LOOK],
        "well": by_outcome[Outcome.OK],
        "unknown": by_outcome[Outcome.UNKNOWN],
    }
    return render_template("health.html", **values)
