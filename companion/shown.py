"""What people are shown and asked: sentences, questions with their choices, numbers with their sums, views.

Values only, in no language yet; imports nothing of the house. Part of what a game promises,
see ``companion.game``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NewType

Seat = NewType("Seat", str)
"""A place at the table, named as the box names it (``red``); never a person."""

Wire = Mapping[str, Any]
"""A command or an event body as JSON can carry it: str, int, bool, None, lists and objects."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something to say, before any language: a key of the catalogue and its values.

    A value may be a Sentence itself, or a tuple of Sentences (rendered as a list). The
    value ``count`` chooses the plural form.
    """

    key: str
    values: Mapping[str, str | int | Sentence | tuple[Sentence, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer of a Pick."""

    value: str
    label: Sentence


@dataclass(frozen=True, slots=True)
class Pick:
    """A form field: exactly one of the options, or between ``least`` and ``most`` of them.

    With ``most`` 1 the wire value is a string, else a list of strings.
    """

    name: str
    label: Sentence
    options: tuple[Option, ...]
    least: int = 1
    most: int = 1
    value: str | tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """A form field: a whole number from ``least`` to ``most``; it starts with ``value``, None: empty."""

    name: str
    label: Sentence
    least: int
    most: int
    value: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A form field: a line of text (a position, a name)."""

    name: str
    label: Sentence
    value: str = ""


Field = Pick | Count | Line


class Weight(StrEnum):
    """How loud a choice is: one PRIMARY a prompt at most; COSTLY ones cost the player something."""

    PRIMARY = "primary"
    PLAIN = "plain"
    COSTLY = "costly"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing a seat may do now: the wire command a tap sends, with the fields it still needs.

    ``group`` puts like choices under one heading. ``sign`` names a drawing of the design
    (``order-red``, ``part-limb``) or is empty; ``picture`` names a piece whose taught picture helps.
    """

    label: Sentence
    command: Wire
    fields: tuple[Field, ...] = ()
    weight: Weight = Weight.PLAIN
    group: Sentence | None = None
    sign: str = ""
    picture: str = ""


class Tone(StrEnum):
    ACT = "act"  # this seat must do something
    WAIT = "wait"  # others are waited for
    WARN = "warn"  # a bust, the last round


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a seat should do now, in one sentence of few words; seat None: the whole table (host).

    ``more`` is a second, longer line or a checklist; ``deed`` tells a player client in
    words of the game what the hands have to do at the table (``{"draw": 4}``); pages ignore it.
    ``expects_die`` waits for a die; with ``may_roll_here`` a phone may roll a fair one that nobody holds.
    ``key`` is stable while the same question stands (a page keeps its focus by it). ``why`` is the key
    of the sums (``Game.sums``) behind its numbers, here and below; empty if there are none. ``guide``
    says the same one step at a time, to people who play for the first time.
    """

    seat: Seat | None
    say: Sentence
    rule: str
    tone: Tone
    choices: tuple[Choice, ...] = ()
    more: tuple[Sentence, ...] = ()
    deed: Wire = field(default_factory=dict)
    key: str = ""
    expects_die: bool = False
    expects_turn: bool = False
    why: str = ""
    guide: tuple[Sentence, ...] = ()
    may_roll_here: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A line of a sum: why a number is what it is; ``round`` None is before the first.

    ``rule`` is the heading of the rulebook that says so, empty if none does.
    """

    amount: int
    say: Sentence
    round: int | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """A number and the lines that add up to it.

    ``key`` is what a page finds it by; ``bag.rot`` stands under ``bag``.
    """

    key: str
    title: Sentence
    tallies: tuple[Tally, ...]

    @property
    def total(self) -> int:
        return sum(tally.amount for tally in self.tallies)


class Standing(StrEnum):
    """How one of the things of a seat stands."""

    OPEN = "open"  # not there yet
    ON = "on"
    OFF = "off"  # for a while
    GONE = "gone"  # for good


@dataclass(frozen=True, slots=True)
class Mark:
    """A small sign of how one thing of a seat stands; ``more`` is what changes that, in a word or two."""

    say: Sentence
    standing: Standing
    more: Sentence | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know of a seat. ``title`` is what its score belongs to, besides the person."""

    seat: Seat
    score: int
    state: Sentence
    is_waited_for: bool
    tallies: tuple[Tally, ...] = ()
    sign: str = ""
    rank: int | None = None
    why: str = ""
    title: Sentence | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the newest roll came to, to be said large: the face of the die and what it means."""

    face: int
    say: Sentence


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled list of facts: a lab, the Rot track, the carts. Rows are (what, value).

    ``gauge`` draws a panel as a count out of a total. ``is_advice``: odds and the like, which a table
    that plays for the first time is not shown. ``is_read``: its rows are sentences to be read in order.
    """

    key: str
    title: Sentence
    rows: tuple[tuple[Sentence, Sentence | str | int], ...] = ()
    gauge: tuple[int, int] | None = None
    why: str = ""
    is_advice: bool = False
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class RingPlace:
    """A place at the table: who sits there (None: nobody), and what lies before it.

    ``sign`` names the drawing of what lies open there, ``say`` says it; ``is_lifted``: it stands out.
    ``sector`` is the part of the centre before this place, in as few letters as may be.
    """

    seat: Seat | None = None
    sign: str = ""
    say: Sentence | None = None
    is_lifted: bool = False
    sector: str = ""


@dataclass(frozen=True, slots=True)
class Ring:
    """The table from above, for big screens: places clockwise around a centre that turns.

    ``sparks`` are pairs of places, by index, where one lifts the other; the second follows clockwise.
    ``centre`` says how the centre stands; ``turn`` what hands have to do about it, None: nothing.
    """

    title: Sentence
    places: tuple[RingPlace, ...]
    centre: Sentence
    sparks: tuple[tuple[int, int], ...] = ()
    turn: Sentence | None = None


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat (or a watcher) may know. Nothing secret is in here to be hidden later.

    ``ring`` is for those who watch from afar; None for a seat, and for a game that has none.
    """

    phase: Sentence
    round: int | None
    seats: tuple[SeatView, ...]
    prompts: tuple[Prompt, ...]
    panels: tuple[Panel, ...] = ()
    headline: Sentence | None = None
    is_over: bool = False
    ring: Ring | None = None
    outcome: Outcome | None = None
    facts: Wire = field(default_factory=dict)
    """Game words for player clients and tests (own lab, counts); pages of the game may draw from it."""
