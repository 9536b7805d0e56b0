"""Words of a position line: how a game writes a state as one line of text and reads it back.

``name=value`` words, one for each field that has not its usual value. Imports nothing of the house.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

Out = Callable[[Any], str]
In = Callable[[str], Any]
Words = Mapping[str, tuple[str, Out, In]]
"""Word of the line: field of the value, how it is written, how it is read."""

Name = TypeVar("Name", bound=str)


def words_out(thing: Any, words: Words, usual: Any, *, always: Sequence[str] = ()) -> list[str]:
    """Return the words of a value that differ from the usual one's, and those that always stand there."""
    written = []
    for word, (field, out, _) in words.items():
        value = getattr(thing, field)
        if value != getattr(usual, field) or word in always:
            written.append(f"{word}={out(value)}")
    return written


def fields_in(words: Iterable[str], known: Words, whose: str) -> dict[str, Any]:
    """Read words back, by field. Raises ValueError that says whose word is wrong."""
    fields = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or name not in known:
            raise ValueError(f"{whose}: {word!r} is unknown; known are {', '.join(known)}.")
        field, _, read = known[name]
        try:
            fields[field] = read(text)
        except ValueError as wrong:
            raise ValueError(f"{whose}: {word!r} cannot be read: {wrong}.") from wrong
    return fields


def list_out(items: Iterable[str]) -> str:
    return ",".join(item or "?" for item in items) or "-"


def list_in(text: str) -> list[str]:
    return [] if text in ("-", "") else ["" if item == "?" else item for item in text.split(",")]


def pairs_out(pairs: Mapping[str, Any]) -> str:
    return list_out(f"{name}:{value}" for name, value in pairs.items())


def pairs_in(text: str) -> dict[str, str]:
    """Read ``card3:card_07,sort1:limb``. Raises ValueError naming the piece that is wrong."""
    pairs = {}
    for piece in list_in(text):
        name, colon, value = piece.partition(":")
        if not colon:
            raise ValueError(f"{piece!r} is no pair; write it like card3:card_07")
        pairs[name] = value
    return pairs


def numbers_in(text: str) -> dict[str, int]:
    """Read pairs of a name and a whole number. Raises ValueError."""
    return {name: int(value) for name, value in pairs_in(text).items()}


def flag_out(value: bool) -> str:
    return "yes" if value else "no"


def flag_in(text: str) -> bool:
    return text == "yes"


def parts_in(line: str, mark: str, game: str) -> tuple[list[str], list[str]]:
    """Return the words of the table, without the mark, and one text a seat.

    Raises ValueError for the line of another game or version.
    """
    table, *seats = line.strip().split(" | ")
    found, *words = table.split() or [""]
    if found != mark:
        raise ValueError(f"A position of {game} begins with {mark}, this one with {found!r}.")
    return words, seats


def seats_in(texts: Iterable[str], seats: Iterable[Name]) -> Iterator[tuple[Name, list[str]]]:
    """Give each seat with its words. Raises ValueError for a stranger and for one that stands twice."""
    left = {str(seat): seat for seat in seats}
    names = ", ".join(left)
    for text in texts:
        name, *words = text.split() or [""]
        if name not in left:
            raise ValueError(f"{name!r} is no seat of the box or stands twice; seats are {names}.")
        yield left.pop(name), words
