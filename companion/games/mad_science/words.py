"""Sentences for the things on the table; keys only, the English is in ``locale/en.po``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.game import RuleBroken, Seat, Sentence
from companion.games.mad_science.printed import Printed
from companion.games.mad_science.rulebook import section_of

Value = str | int | Sentence | tuple[Sentence, ...]

EXPERIMENT = "experiment"
"""How the Experiment is called where a seat may stand, too."""


def say(key: str, **values: Value) -> Sentence:
    """Return the sentence ``ms.<key>``."""
    return Sentence(f"ms.{key}", values)


def broken(key: str, rule: str, **values: Value) -> RuleBroken:
    """Return the refusal ``ms.no.<key>`` to be raised, with ``ms.instead.<key>``."""
    possible = say(f"instead.{key}", **values)
    return RuleBroken(say(f"no.{key}", **values), rule=rule, instead=possible, section=section_of(rule))


def seat_name(seat: Seat) -> Sentence:
    return say(f"seat.{seat}")


def seat_names(seats: Iterable[Seat]) -> tuple[Sentence, ...]:
    return tuple(seat_name(seat) for seat in seats)


def who_name(who: str) -> Sentence:
    """Return what a seat, or the Experiment, is called."""
    return say(EXPERIMENT) if who == EXPERIMENT else seat_name(Seat(who))


def kind_name(kind: str) -> Sentence:
    return say(f"kind.{kind}")


def kind_names(kinds: Iterable[str]) -> tuple[Sentence, ...]:
    return tuple(kind_name(kind) for kind in kinds)


def card_name(box: Printed, card: str) -> Sentence:
    """Return what a card is called; one that nobody named is merely a card."""
    return say("card", name=box.name(card)) if card else say("a_card")


def column_name(column: str) -> Sentence:
    return say(f"column.{column}")


def box_name(word: str, face: int = 0) -> Sentence:
    """Return what a box of a chart says; ``face`` is the number of its row, where that is known."""
    if word == "roll_twice" and face:
        return say("box.roll_face_twice", face=face)
    return say(f"box.{word}")


def option_name(name: str) -> Sentence:
    return say(f"option.{name}")


def option_value(name: str, value: str) -> Sentence:
    """Return a value of an option in plain words."""
    return say(f"option.{name}.{value}")


def option_values(options: Mapping[str, str]) -> tuple[Sentence, ...]:
    """Return what options say, each as "name: value"; "as usual" where nothing differs."""
    said = tuple(
        say("option.is", option=option_name(name), value=option_value(name, value))
        for name, value in options.items()
    )
    return said or (say("option.usual"),)
