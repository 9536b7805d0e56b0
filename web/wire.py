"""What comes in over the wire, checked once: envelopes from sockets, fields from forms.

Both become the same ``Tap``. Whatever is malformed raises NotATap with a sentence; nothing
from outside gets past this module unchecked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.board import PieceKind, Place
from companion.game import Seat, Sentence, Wire

MAX_ID = 64
MAX_TEXT = 4000
MAX_DEPTH = 6
MAX_ITEMS = 400
MAX_SEQ = 2**53
MAX_SEVERAL = 16
"""How many proposals one tap may take: one a seat is usual."""


class NotATap(Exception):
    """A message that cannot be read; ``why`` says which part."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.why = Sentence("web.refused.malformed", {"part": part})


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the game."""

    command: Wire


@dataclass(frozen=True, slots=True)
class Accept:
    """Take all of a proposal, or of several, one after the other."""

    proposals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Say what lies on one space of a proposal."""

    proposal: str
    place: Place
    reads: PieceKind


@dataclass(frozen=True, slots=True)
class Say:
    """Say what lies on a space that nobody can explain."""

    place: Place
    reads: PieceKind


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Put a proposal away."""

    proposal: str


@dataclass(frozen=True, slots=True)
class Strike:
    """Strike entries of the log."""

    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replace:
    """Put another command in an entry's place, and strike what goes with it."""

    entry: int
    command: Wire
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Throw:
    """Let the service roll a fair die for the seat."""


@dataclass(frozen=True, slots=True)
class Stands:
    """Take the turning board as it stands for right."""


Deed = Command | Accept | Correct | Say | Dismiss | Strike | Replace | Throw | Stands


@dataclass(frozen=True, slots=True)
class Tap:
    """One deed of one phone: ``seq`` is the one it was made on, None if the phone did not say.

    ``seat`` is whom it is for: None is the phone's own seat, or the table if a host taps. ``table`` is
    the one that the page showed, None if the phone did not say.
    """

    id: str
    seq: int | None
    seat: Seat | None
    deed: Deed
    table: str | None = None


def read_tap(message: object) -> Tap:
    """Read an envelope ``{id, seq, table, seat, <deed>}`` (docs/reference/sockets.md). Raises NotATap."""
    if not isinstance(message, Mapping):
        raise NotATap("envelope")
    request = _text(message, "id", MAX_ID)
    table = _text(message, "table", MAX_ID) if message.get("table") is not None else None
    if "fields" in message:
        tap = _fields_tap(message["fields"], request, _number_or_none(message, "seq"))
        return replace(tap, table=table or tap.table)
    deeds = ["replace"] if "replace" in message else [name for name in DEEDS if name in message]
    if len(deeds) != 1:
        raise NotATap("deed")
    seat = message.get("seat")
    if not (seat is None or (isinstance(seat, str) and 0 < len(seat) <= MAX_ID)):
        raise NotATap("seat")
    deed = DEEDS[deeds[0]](message)
    return Tap(request, _number_or_none(message, "seq"), Seat(seat) if seat else None, deed, table)


def read_form(fields: Sequence[tuple[str, str]]) -> Tap:
    """Read the fields of a posted form. Raises NotATap.

    A form has no id of its own: the same form sent twice from the same seq is the same tap.
    """
    digest = hashlib.sha256(json.dumps([list(field) for field in fields]).encode()).hexdigest()
    values = dict(fields)
    seq = _whole(values["seq"], "seq") if values.get("seq") else None
    return _fields_tap([list(field) for field in fields], f"form-{digest[:24]}", seq)


def _fields_tap(fields: object, request: str, seq: int | None) -> Tap:
    pairs = _pairs(fields)
    values = dict(pairs)
    name = values.get("deed", "")
    deed: dict[str, Any]
    match name:
        case "command":
            deed = {"command": filled_in(_json(values, "command"), pairs)}
        case "replace":
            deed = {"replace": _whole(values.get("entry", ""), "entry")}
            deed["command"] = filled_in(_json(values, "command"), pairs)
            deed["also"] = [_whole(text, "also") for key, text in pairs if key == "also"]
        case "accept":
            deed = {name: [text for key, text in pairs if key == "proposal"]}
        case "dismiss":
            deed = {name: values.get("proposal")}
        case "correct":
            deed = {"correct": values.get("proposal"), "place": values.get("place")}
            deed["reads"] = values.get("reads")
        case "say":
            deed = {"say": values.get("place"), "reads": values.get("reads")}
        case "strike":
            deed = {"strike": [_whole(text, "entry") for key, text in pairs if key == "entry"]}
        case "throw" | "stands":
            deed = {name: True}
        case _:
            raise NotATap("deed")
    seat = values.get("seat") or None
    table = values.get("table") or None
    return Tap(request, seq, Seat(seat) if seat else None, DEEDS[name](deed), table)


def filled_in(command: Wire, fields: Sequence[tuple[str, str]]) -> Wire:
    """Put what was filled in into a command. A field's name says what it is: ``count.monsters``.

    ``pick`` is one text, ``picks`` a list of texts, ``count`` a whole number, ``line`` a text.
    """
    full: dict[str, Any] = dict(command)
    full |= {name.partition(".")[2]: [] for name, _ in fields if name.startswith("picks.")}
    for name, text in fields:
        kind, dot, key = name.partition(".")
        if not dot or kind not in ("pick", "picks", "count", "line"):
            continue
        if kind == "picks":
            full[key] += [text] if text else []  # a hidden empty one stands for "none of them"
        else:
            full[key] = _whole(text, key) if kind == "count" else text
    return full


def _command(message: Mapping[str, Any]) -> Command:
    return Command(_wire(message, "command"))


def _accept(message: Mapping[str, Any]) -> Accept:
    value = message.get("accept")
    names = value if isinstance(value, list) else [value]
    if not 0 < len(names) <= MAX_SEVERAL:
        raise NotATap("accept")
    return Accept(tuple(_text({"accept": name}, "accept", MAX_ID) for name in names))


def _dismiss(message: Mapping[str, Any]) -> Dismiss:
    return Dismiss(_text(message, "dismiss", MAX_ID))


def _correct(message: Mapping[str, Any]) -> Correct:
    proposal = _text(message, "correct", MAX_ID)
    return Correct(proposal, _place(message, "place"), PieceKind(_text(message, "reads", MAX_ID)))


def _say(message: Mapping[str, Any]) -> Say:
    return Say(_place(message, "say"), PieceKind(_text(message, "reads", MAX_ID)))


def _place(message: Mapping[str, Any], key: str) -> Place:
    try:
        return Place.parse(_text(message, key, MAX_ID))
    except ValueError:
        raise NotATap(key) from None


def _throw(message: Mapping[str, Any]) -> Throw:
    if message["throw"] is not True:
        raise NotATap("throw")
    return Throw()


def _stands(message: Mapping[str, Any]) -> Stands:
    if message["stands"] is not True:
        raise NotATap("stands")
    return Stands()


def _strike(message: Mapping[str, Any]) -> Strike:
    return Strike(_entries(message, "strike"))


def _replace(message: Mapping[str, Any]) -> Replace:
    entry = _number_or_none(message, "replace")
    if entry is None:
        raise NotATap("replace")
    also = _entries(message, "also") if message.get("also") else ()
    return Replace(entry, _wire(message, "command"), also)


DEEDS: Mapping[str, Callable[[Mapping[str, Any]], Deed]] = {
    "replace": _replace,
    "command": _command,
    "accept": _accept,
    "correct": _correct,
    "say": _say,
    "dismiss": _dismiss,
    "strike": _strike,
    "throw": _throw,
    "stands": _stands,
}
"""What a phone may ask for, by the key that carries it."""


def _wire(message: Mapping[str, Any], key: str) -> Wire:
    value = message.get(key)
    if not isinstance(value, Mapping) or not is_plain(value):
        raise NotATap(key)
    return value


def is_plain(value: object, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a value is JSON that a command may be: no fractions, not deep, not long."""
    match value:
        case None | bool():
            return True
        case int():
            return abs(value) < MAX_SEQ
        case str():
            return len(value) <= MAX_TEXT
        case Mapping():
            names = all(isinstance(key, str) and len(key) <= MAX_ID for key in value)
            items = list(value.values())
        case list():
            names, items = True, value
        case _:
            return False
    is_short = depth > 0 and names and len(items) <= MAX_ITEMS
    return is_short and all(is_plain(item, depth - 1) for item in items)


def _text(message: Mapping[str, Any], key: str, longest: int) -> str:
    value = message.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise NotATap(key)
    return value


def _number_or_none(message: Mapping[str, Any], key: str) -> int | None:
    value = message.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MAX_SEQ:
        raise NotATap(key)
    return value


def _entries(message: Mapping[str, Any], key: str) -> tuple[int, ...]:
    value = message.get(key)
    numbers = value if isinstance(value, list) else [value]
    if not 0 < len(numbers) <= MAX_ITEMS:
        raise NotATap(key)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 < number < MAX_SEQ:
            raise NotATap(key)
    return tuple(numbers)


def _whole(text: str, part: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise NotATap(part)
    return int(text)


def _json(values: Mapping[str, str], key: str) -> Wire:
    text = values.get(key, "")
    try:
        value = json.loads(text) if 0 < len(text) <= MAX_TEXT else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, Mapping) or not is_plain(value):
        raise NotATap(key)
    return value


def _pairs(fields: object) -> list[tuple[str, str]]:
    if not isinstance(fields, list) or len(fields) > MAX_ITEMS:
        raise NotATap("fields")
    pairs: list[tuple[str, str]] = []
    for item in fields:
        match item:
            case [str(name), str(text)] if len(name) <= MAX_ID and len(text) <= MAX_TEXT:
                pairs.append((name, text))
            case _:
                raise NotATap("fields")
    return pairs
