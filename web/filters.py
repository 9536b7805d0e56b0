"""What templates can ask of values: small pure functions, one line of meaning each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from companion.board import PieceKind
from companion.game import Choice, Panel, Pick, Prompt, Seat, Sentence, View, Weight, Wire
from companion.ports import HIDDEN, UNKNOWN
from companion.table.writer import LogLine, OpenProposal
from web import ring

SCREEN_LINES = 17
"""How many lines of panels the big screen has room for; beside a ring only a gauge with its title."""

GAUGE_LINES, TITLE_LINES = 4, 2
LINES_BY_RING = GAUGE_LINES + TITLE_LINES
LOG_LINES = 8
SHORT_LABEL, SHORT_WORD = 14, 8
IN_A_ROW, ROW_LABEL = 4, 9
"""How many letters a choice, its longest word, and one of four answers in a row may have."""

LINE_LETTERS = 22
"""About how many letters of a value stand in a line of the big screen."""


def wire(command: Wire) -> str:
    """Return a command as the text of a hidden field."""
    return json.dumps(command, separators=(",", ":"), ensure_ascii=False)


def mark(value: object) -> str:
    """Return a short name for a value, stable from render to render."""
    body = value if isinstance(value, bytes) else str(value).encode()
    return hashlib.sha256(body).hexdigest()[:8]


def kind(value: object) -> str:
    """Return the name of a value's type: ``Pick``, ``Count`` or ``Line``."""
    return type(value).__name__


def is_plain(choice: Choice) -> bool:
    """Tell whether a choice is a mere button for the thumb: no heading, nothing to fill in, no drawing."""
    is_bare = choice.group is None and not choice.fields
    return is_bare and (not choice.sign or choice.weight is Weight.PRIMARY)


def plain_choices(prompts: Iterable[Prompt]) -> list[Choice]:
    """Return the choices that are mere buttons."""
    return [choice for prompt in prompts for choice in prompt.choices if is_plain(choice)]


def in_groups(choices: Iterable[Choice]) -> list[tuple[Sentence | None, list[Choice]]]:
    """Return the choices that are no mere buttons, under their headings, in their order."""
    groups: list[tuple[Sentence | None, list[Choice]]] = []
    for choice in choices:
        if is_plain(choice):
            continue
        known = next((members for group, members in groups if group == choice.group), None)
        if known is None:
            groups.append((choice.group, [choice]))
        else:
            known.append(choice)
    return groups


def picked(field: Pick, names: Mapping[Seat, str]) -> tuple[str, ...]:
    """Return what is ticked at first: of a choice of seats those where somebody sits, if they are enough."""
    wanted = field.value or ()
    chosen = (wanted,) if isinstance(wanted, str) else wanted
    sitting = tuple(option.value for option in field.options if option.value in names)
    is_of_seats = bool(sitting) and set(chosen) >= set(sitting)
    return sitting if is_of_seats and field.least <= len(sitting) <= field.most else chosen


def all_quiet(choices: Iterable[Choice]) -> bool:
    """Tell whether a group of choices is nothing that anybody waits for."""
    return all(choice.weight is Weight.QUIET for choice in choices)


def by_seat(prompts: Iterable[Prompt]) -> list[tuple[Seat, list[Prompt]]]:
    """Return the prompts of each seat."""
    seats: dict[Seat, list[Prompt]] = {}
    for prompt in prompts:
        if prompt.seat is not None:
            seats.setdefault(prompt.seat, []).append(prompt)
    return list(seats.items())


def other_than(kinds: Iterable[PieceKind], reads: PieceKind) -> list[PieceKind]:
    """Return what else a space may be, each once, likely ones first."""
    return [one for one in dict.fromkeys(kinds) if one not in (reads, HIDDEN, UNKNOWN)]


def is_short(label: str) -> bool:
    """Tell whether a choice with a drawing has room for its label beside another one: two to a row."""
    return len(label) <= SHORT_LABEL and all(len(word) <= SHORT_WORD for word in label.split())


def stands_in_a_row(pick: Pick, say: Callable[[Any], str]) -> bool:
    """Tell whether four answers are so short that all stand side by side on a phone."""
    labels = [say(option.label) for option in pick.options]
    return len(labels) == IN_A_ROW and all(len(label) <= ROW_LABEL for label in labels)


def signed(amount: int) -> str:
    """Return a number with its sign, a true minus."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


def say_with(sentence: Sentence, say: Callable[[Sentence], str]) -> str:
    """Return a sentence in words."""
    return say(sentence)


def clock(at_utc: str) -> str:
    """Return the time of day at the table, from ISO 8601 in UTC; empty if it is none."""
    try:
        return datetime.fromisoformat(at_utc).astimezone().strftime("%H:%M")
    except ValueError:
        return ""


def seat_sentence(seat: Seat) -> Sentence:
    """Return a sentence that is said as the name of who sits there."""
    return Sentence(f"seat.{seat}")


def newest(log: Sequence[LogLine]) -> list[LogLine]:
    """Return the lines of the log that a page shows, the newest first; all have a page of their own."""
    return list(log[-LOG_LINES:][::-1])


def surely_right(proposals: Iterable[OpenProposal]) -> list[OpenProposal]:
    """Return the proposals that were read surely and can be taken as they are."""
    return [one for one in proposals if one.proposal.is_sure and one.proposal.command is not None]


def screen_panels(view: View, say: Callable[[Any], str]) -> list[Panel]:
    """Return the panels that the big screen has room for, those with a gauge first."""
    left = LINES_BY_RING if view.ring else SCREEN_LINES
    fitting: list[Panel] = []
    for panel in sorted(view.panels, key=lambda one: one.gauge is None):
        rows = sum(-(-len(say(value)) // LINE_LETTERS) for _, value in panel.rows)
        size = TITLE_LINES + rows + (GAUGE_LINES if panel.gauge else 0)
        if size <= left:
            fitting.append(panel)
            left -= size
    return fitting


FILTERS: Mapping[str, Callable[..., Any]] = {
    "wire": wire,
    "mark": mark,
    "kind": kind,
    "in_groups": in_groups,
    "plain_choices": plain_choices,
    "all_quiet": all_quiet,
    "picked": picked,
    "by_seat": by_seat,
    "other_than": other_than,
    "signed": signed,
    "is_short": is_short,
    "stands_in_a_row": stands_in_a_row,
    "clock": clock,
    "say_with": say_with,
    "seat_sentence": seat_sentence,
    "as_tuple": tuple,
    "newest": newest,
    "surely_right": surely_right,
    "screen_panels": screen_panels,
    "drawn": ring.drawn,
    "short_name": ring.short_name,
}
