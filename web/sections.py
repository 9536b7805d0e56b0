"""Pages in sections: the same few templates make the page, the pushed fragment and its mark.

A section carries the mark of its content. A phone says which marks it has and gets the others
whole; there is no history to lose, and after any doubt it can simply ask again.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from companion.catalogue import names_of
from companion.game import Prompt, Seat, Sentence, Tone, View, Wire
from companion.journal import TableId
from companion.table.boxes import picture_of
from companion.table.past import Past
from companion.table.writer import LogLine, TableView
from web import jars
from web.desk import Role
from web.gains import Gains
from web.guard import is_loopback
from web.house import TableHost
from web.languages import Languages, called
from web.manner import Manner
from web.moving import Moving
from web.pace import Pace
from web.pin import Pin
from web.presence import Line, Presence
from web.redraw import Redraw
from web.seats import Seats
from web.signs import CREATURES, creatures
from web.whereabouts import Whereabouts
from web.words import Words, readable

FIELD_SEQ = "<!--seq-->"
"""Stands in every form; a page has the seq there, a pushed section has it elsewhere."""

SURROUNDINGS = ("names", "here", "creature", "first_game", "why_at", "languages", "box_played")
"""Values that macros and functions draw from, and that change rarely; see ``web.redraw``."""

WHY_AT: Mapping[Role, str] = {Role.SEAT: "why/", Role.HOST: "why/", Role.WATCH: "watch/why/"}
"""Where the sums are, seen from each page; the big screen cannot be tapped."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who looks: all that decides what is shown.

    ``is_here``: a screen on the computer itself; ``is_trusted``: one that the host knows. ``held``: all
    seats of the phone, if it has several. ``language`` is empty where the request in hand says it.
    """

    role: Role
    seat: Seat | None = None
    is_here: bool = False
    is_trusted: bool = False
    held: tuple[Seat, ...] = ()
    language: str = ""

    @property
    def room(self) -> str:
        return f"{self.role}:{self.seat or ''}:{'here' if self.is_here else ''}"


@dataclass(frozen=True, slots=True)
class Shown:
    """All sections of one audience: ``now`` are their marks, ``html`` their content."""

    table: TableId
    seq: int
    shown: int
    title: str
    is_waiting: bool
    now: Mapping[str, str]
    html: Mapping[str, str]

    def message(self, version: str, has: Mapping[str, Any]) -> dict[str, Any]:
        """Return what to send to a phone that has the sections with these marks already."""
        html = {name: text for name, text in self.html.items() if has.get(name) != self.now[name]}
        return {
            "version": version,
            "table": self.table,
            "seq": self.seq,
            "shown": self.shown,
            "title": self.title,
            "now": self.now,
            "html": html,
        }

    def on_page(self, name: str) -> Markup:
        """Return a section as a page holds it, with the table and its seq in its forms."""
        made_on = Markup(
            '<input type="hidden" name="seq" value="{}"><input type="hidden" name="table" value="{}">'
        )
        return Markup(self.html[name].replace(FIELD_SEQ, made_on.format(self.seq, self.table)))


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds the table: the host, who sits where, whose phone is here, how to find the page.

    ``words`` gives the words for a game's package in a language; ``language`` is that of the request
    in hand, of ``languages`` all that are offered.
    """

    host: TableHost
    seats: Seats
    presence: Presence
    manner: Manner
    moving: Moving
    whereabouts: Whereabouts
    pace: Pace
    pin: Pin
    words: Callable[[str, str], Words]
    languages: Languages
    facts: Mapping[str, Any]
    """For all templates: ``own_name``, ``signs``, ``asset``."""


class Sections:
    """Makes sections and keeps the newest of each audience."""

    def __init__(self, around: Around, jinja: Environment) -> None:
        self._around = around
        self._jinja = jinja
        self._lock = threading.Lock()
        self._kept: dict[Audience, tuple[tuple[Any, ...], Shown]] = {}
        self._redraws: dict[Audience, Redraw] = {}
        self._gains = Gains()
        self._named: tuple[Wire | None, Mapping[str, str]] = (None, {})

    def show(self, audience: Audience) -> Shown:
        """Return what an audience may see now."""
        around = self._around
        if not audience.language:
            audience = replace(audience, language=self.language())
        seen = around.host.table.look(audience.seat)
        around.pace.note(seen, is_paused=around.manner.is_paused(seen.table))
        key = (
            seen.table,
            seen.shown,
            seen.seq,
            around.seats.version,
            around.presence.version,
            around.manner.version,
            around.moving.version,
            around.whereabouts.version,
            around.pin.version,
        )
        with self._lock:
            kept = self._kept.get(audience)
        if kept is not None and kept[0] == key:
            return kept[1]
        shown = self._make(audience, seen)
        with self._lock:
            self._kept[audience] = (key, shown)
        return shown

    @property
    def facts(self) -> Mapping[str, Any]:
        """What all templates may say: the address, its code, the PIN, where files are."""
        where = self._around.whereabouts
        pin = self._around.pin.digits
        told = {"address": where.shown, "code": where.code, "wifi": where.wifi, "pin": pin}
        return {**self._around.facts, **told}

    def words(self, language: str = "") -> Words:
        """Return the words of the game on the table, with the names of who sits there.

        ``language`` empty: that of the request in hand.
        """
        around = self._around
        spoken = language or self.language()
        words = around.words(around.host.game.package, spoken).calling(around.seats.names())
        return words.printing(self._printed_names())

    def _printed_names(self) -> Mapping[str, str]:
        """Return what the box on the table calls its pieces, read anew when the table was told more."""
        host = self._around.host
        catalogue = host.table.catalogue()
        if self._named[0] is not catalogue:
            self._named = (catalogue, names_of(host.game.box.sheets, catalogue))
        return self._named[1]

    def language(self) -> str:
        """Return the language of the request in hand, outside of one what the settings say."""
        return self._around.languages.spoken_here(self._around.host.game.package)

    def settled_words(self) -> Words:
        """Return the words in which things are kept, whoever looked last."""
        return self.words(self._around.languages.settled(self._around.host.game.package))

    def settle_language(self, language: str) -> None:
        """Speak a language from now on where nobody asks for another."""
        self._around.languages.settle(language)

    def languages(self) -> tuple[str, ...]:
        """Return what the table can be shown in."""
        return self._around.languages.of(self._around.host.game.package)

    def values(self, audience: Audience, seen: TableView) -> dict[str, Any]:
        """Return all that templates of an audience draw from, macros included."""
        values = self._plain_values(audience, seen)
        return values | {"p": self._macros(values)}

    def values_then(self, past: Past, names: Mapping[Seat, str], view: View) -> dict[str, Any]:
        """Return all that templates draw a moment of an evening from that is over: in its words and names."""
        words = self._around.words(past.game.package, self.language()).calling(names)
        catalogue = past.game.catalogue(past.end.state)
        words = words.printing(names_of(past.game.box.sheets, catalogue))
        values = self._plain_values(Audience(Role.WATCH), self._around.host.table.look(None)) | {
            "w": words,
            "say": words.say,
            "tell": words.tell,
            "who": lambda line: who(line, words),
            "names": names,
            "seen": past.end.look(None),
            "view": view,
            "creature": creatures(past.game.seats, view.seats),
            "why_at": "",
        }
        return values | {"p": self._macros(values)}

    def _plain_values(self, audience: Audience, seen: TableView) -> dict[str, Any]:
        words = self.words(audience.language)
        is_first = self._around.manner.is_first_game(seen.table)
        if is_first:
            seen = without_advice(seen)
        values: dict[str, Any] = {
            **self.facts,
            "number": self._around.moving.number() if may_read_number(audience) else "",
            "is_paused": self._around.manner.is_paused(seen.table),
            "is_locked": self._around.manner.is_locked(),
            "box_played": self._around.host.row.box,
            "timer_s": self._around.manner.timer_s(seen.table),
            "w": words,
            "say": words.say,
            "tell": words.tell,
            "seen": seen,
            "view": seen.view,
            "audience": audience,
            "creature": creatures(self._around.host.game.seats, seen.view.seats),
            "names": self._around.seats.names(),
            "here": self._around.presence.here(),
            "jars": jars,
            "who": lambda line: who(line, words),
            "first_game": is_first,
            "why_at": WHY_AT.get(audience.role, ""),
            "has_picture": self._has_picture,
            "languages": [(language, called(language)) for language in self.languages()],
            "best": max((one.score for one in seen.view.seats), default=0),
            "once": lambda macro, line: macro(line),
        }
        if audience.role is Role.HOST:
            values["others"] = self._prompts_of_seats(seen)
            values["callers"] = [(line, self._is_unknown(line)) for line in self._around.presence.lines()]
        if audience.role in (Role.SCREEN, Role.OVERLAY):
            values |= self._seen_from_afar(seen)
        return values | own(audience, seen, is_paused=values["is_paused"])

    def _is_unknown(self, line: Line) -> bool:
        """Tell whether a line is a big screen of which nobody has said yet that it stands at the table."""
        is_elsewhere = bool(line.screen) and not is_loopback(line.address)
        return is_elsewhere and not self._around.seats.is_trusted(line.screen)

    def _seen_from_afar(self, seen: TableView) -> dict[str, Any]:
        """Return what only screens show: lines that scores grow by, and whether anybody is there to play."""
        around = self._around
        return {
            "gains": self._gains.of(around.host.table, seen),
            "is_attract": not seen.view.seats and not around.presence.here(),
            "creatures": CREATURES,
            "game_name": readable(around.host.game.name).title(),
        }

    def _has_picture(self, piece: str) -> bool:
        host = self._around.host
        return any(picture_of(host.row.box, sheet.name, piece) for sheet in host.game.box.sheets)

    def _prompts_of_seats(self, seen: TableView) -> list[Prompt]:
        """Return what each seat is asked, so that the host can act for one without a phone."""
        look = self._around.host.table.look
        by_seat = [(one.seat, look(one.seat).view.prompts) for one in seen.view.seats]
        return [prompt for seat, prompts in by_seat for prompt in prompts if prompt.seat == seat]

    def _macros(self, values: Mapping[str, Any]) -> Any:
        return self._jinja.get_template("macros.html").make_module(dict(values))

    def _make(self, audience: Audience, seen: TableView) -> Shown:
        values = self._plain_values(audience, seen)
        template = self._jinja.get_template(f"{audience.role}_parts.html")
        around = (
            audience,
            self._around.host.row.id,
            tuple((name, values[name]) for name in SURROUNDINGS),
        )
        with self._lock:
            redraw = self._redraws.setdefault(audience, Redraw())
        html = redraw.sections(template, values, around, self._macros)
        now = {name: hashlib.sha256(text.encode()).hexdigest()[:12] for name, text in html.items()}
        title = values["tell"]("web.title.turn" if values["is_turn"] else "web.title", what=values["title"])
        return Shown(seen.table, seen.seq, seen.shown, title, values["is_waiting"], now, html)


def without_advice(seen: TableView) -> TableView:
    """Return what is shown of a table that plays for the first time: no odds."""
    panels = tuple(panel for panel in seen.view.panels if not panel.is_advice)
    return replace(seen, view=replace(seen.view, panels=panels))


def may_read_number(audience: Audience) -> bool:
    """Tell whether a page stands where only people at the table read it."""
    return audience.role is Role.HOST or audience.is_here or audience.is_trusted


def own(audience: Audience, seen: TableView, *, is_paused: bool = False) -> dict[str, Any]:
    """Return whose turn it is to do what, as one audience sees it."""
    mine = [prompt for prompt in seen.view.prompts if prompt.seat == audience.seat]
    prompt = paused_tag(tag_of(audience, seen)) if is_paused else tag_of(audience, seen)
    is_waiting = not any(one.choices for one in mine) and not seen.proposals
    # A bust warns a seat of what is over; it is asked something only if it can answer.
    is_asked = prompt.seat is not None and (
        prompt.tone is Tone.ACT or (prompt.tone is Tone.WARN and not is_waiting)
    )
    return {
        "me": next((one for one in seen.view.seats if one.seat == audience.seat), None),
        "mine": mine,
        "prompt": prompt,
        "title": prompt.say,
        "is_waiting": is_waiting,
        "is_turn": audience.role is Role.SEAT and is_asked,
    }


def paused_tag(prompt: Prompt) -> Prompt:
    """Return what the tag says while the table rests: that it does, and what comes then."""
    then = Sentence("web.paused.then", {"what": prompt.say})
    return Prompt(None, Sentence("web.paused"), "", Tone.WAIT, more=(then,), key="paused")


def tag_of(audience: Audience, seen: TableView) -> Prompt:
    """Return what the tag says: what is to be done here, else what everybody waits for."""
    asked = foremost([one for one in seen.view.prompts if one.seat == audience.seat])
    is_asking = asked is not None and asked.tone is not Tone.WAIT
    was_seen = any(not one.is_roll for one in seen.proposals)
    if not is_asking and was_seen and audience.role in (Role.SEAT, Role.HOST):
        return Prompt(audience.seat, Sentence("web.did_i_see"), "", Tone.ACT, key="proposal")
    if asked is None or (audience.seat is None and not is_asking):
        return waiting_tag(audience, seen)
    return asked


def waiting_tag(audience: Audience, seen: TableView) -> Prompt:
    """Return what the tag says to somebody whom nothing is asked."""
    waits = waiting_for(audience, seen)
    more = () if waits is None else (waits,)
    if seen.view.headline is not None:
        return Prompt(None, seen.view.headline, "", Tone.WAIT, more=more, key="headline")
    if audience.role in (Role.SCREEN, Role.OVERLAY) and waits is not None:
        return Prompt(None, seen.view.phase, "", Tone.WAIT, more=more, key="phase")
    if waits is not None:
        return Prompt(None, waits, "", Tone.WAIT, key="waiting")
    table = foremost([one for one in seen.view.prompts if one.seat is None])
    nothing = Prompt(None, Sentence("web.nothing_to_do"), "", Tone.WAIT, key="nothing")
    return replace(table or nothing, tone=Tone.WAIT)


def foremost(prompts: list[Prompt]) -> Prompt | None:
    """Return the prompt that counts most: one that asks before one that waits."""
    return next((one for one in prompts if one.tone is not Tone.WAIT), prompts[0] if prompts else None)


def waiting_for(audience: Audience, seen: TableView) -> Sentence | None:
    """Return a sentence with the names of those who are waited for; None if nobody is."""
    waited = [one.seat for one in seen.view.seats if one.is_waited_for and one.seat != audience.seat]
    who = tuple(Sentence(f"seat.{seat}") for seat in waited)
    return Sentence("web.waiting_for", {"who": who, "count": len(who)}) if who else None


def who(line: LogLine, words: Words) -> str:
    """Say who brought a line of the log about."""
    cause = line.cause
    seat = Sentence("web.nobody") if cause.for_seat is None else Sentence(f"seat.{cause.for_seat}")
    if cause.by == "let_count":
        return words.tell("web.log.let_count", seat=seat)
    if cause.by == "seat":
        return words.say(seat)
    if cause.by == "virtual_die":
        return words.tell("web.log.virtual_die", seat=seat)
    if cause.by == "host" and cause.for_seat is not None:
        return words.tell("web.log.host_for", seat=seat)
    return words.tell(f"web.log.{cause.by}")
