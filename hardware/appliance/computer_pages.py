"""The page of the computer that the table runs on (entry point ``companion.pages``), for the host only.

``/computer/<token>/``: switch it off, start it anew, its own Wi-Fi on and off, and go over to a version that
somebody laid into the updates folder. Nothing is uploaded here: what runs as root is not changed by a PIN.
All of it is done by the caretaker; where there is none the page is not linked. Works without script.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint, abort, redirect, render_template, request

from companion.game import Sentence
from companion.sentences import SOURCE_LANGUAGE, Speaker, languages_in
from companion.table.caretaker import DOOR, WIFI_TOLD, CaretakerRefused, Word, ask, is_there
from hardware.appliance.places import Places

PACKAGE = "hardware.appliance"
PLACES = Places()
RADIOS = Path("/sys/class/net")
ANSWERED_AFTER_S = 1.5
"""How long a page waits for a refusal. A Wi-Fi takes longer, and may take away the phone that asked."""

WORDS = (Word.POWER_OFF, Word.REBOOT, Word.WIFI_ON, Word.WIFI_OFF, Word.UPDATE)


class Context(Protocol):
    """What the web hands to a page; the part of it that this one needs."""

    is_host: Callable[[str], bool]
    static_url: Callable[[str], str]
    language: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Computer:
    """Where this computer's caretaker, radios and own Wi-Fi are to be found."""

    door: Path = DOOR
    radios: Path = RADIOS
    wifi_told: Path = WIFI_TOLD
    updates: Path = PLACES.updates
    answered_after_s: float = ANSWERED_AFTER_S

    @property
    def offered(self) -> tuple[str, ...]:
        """The files of other versions that lie ready."""
        return tuple(sorted(path.name for path in self.updates.glob("companion-*.whl")))

    @property
    def has_radio(self) -> bool:
        """Whether there is anything to make a Wi-Fi with."""
        return any(self.radios.glob("*/wireless"))

    def begin(self, word: Word) -> Future[None]:
        """Ask the caretaker on a thread of its own; the future holds CaretakerRefused if it did not do it."""
        told: Future[None] = Future()

        def wait() -> None:
            try:
                ask(word, door=self.door)
            except CaretakerRefused as why:
                told.set_exception(why)
            else:
                told.set_result(None)

        threading.Thread(target=wait, name=f"caretaker {word}", daemon=True).start()
        return told


def page(context: Context) -> Blueprint:
    """Return the page of the computer."""
    return computer_page(context, Computer())


def computer_page(context: Context, computer: Computer) -> Blueprint:
    """Return the page of a computer."""
    pages = Blueprint("computer", __name__, url_prefix="/computer", template_folder="templates")
    speakers = {one: Speaker([PACKAGE], one) for one in languages_in(PACKAGE)}

    def tell(key: str, **values: Any) -> str:
        return speakers.get(context.language(), speakers[SOURCE_LANGUAGE]).say(Sentence(key, values))

    def host_only(token: str) -> None:
        if not context.is_host(token):
            abort(redirect("/host", 303))
        if not is_there(computer.door):
            abort(404, "This computer has no caretaker: the companion was not installed as its service.")

    def shown(token: str, *, begun: str = "", refusal: str = "") -> tuple[str, int]:
        values = {
            "language": context.language(),
            "tell": tell,
            "asset": context.static_url,
            "token": token,
            "has_radio": computer.has_radio,
            "is_wifi_on": computer.wifi_told.exists(),
            "offered": computer.offered,
            "begun": begun,
            "refusal": refusal,
        }
        return render_template("computer.html", **values), 409 if refusal else 200

    @pages.get("/<token>/")
    def look(token: str) -> tuple[str, int]:
        """How this computer may be switched off, updated, and open its own Wi-Fi."""
        host_only(token)
        return shown(token)

    @pages.post("/<token>/")
    def do(token: str) -> tuple[str, int]:
        """Ask the caretaker for one of these things."""
        host_only(token)
        word = next((one for one in WORDS if one == request.form.get("word")), None)
        if word is None:
            abort(400)
        try:
            computer.begin(word).result(computer.answered_after_s)
        except NotYet:
            pass  # under way
        except CaretakerRefused as why:
            return shown(token, refusal=str(why))
        return shown(token, begun=word)

    def host_links(token: str) -> list[tuple[str, str]]:
        return [(tell("computer.link"), f"/computer/{token}/")] if is_there(computer.door) else []

    pages.host_links = host_links  # type: ignore[attr-defined]  # the web asks every page for them
    return pages
