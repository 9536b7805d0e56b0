"""Sentences for the things on the table; keys only, the English is in ``locale/en.po``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.game import RuleBroken, Seat, Sentence
from companion.games.monster_graveyard.components import PLAIN_PARTS, Attribute
from companion.games.monster_graveyard.effects import Gains
from companion.games.monster_graveyard.printed import Printed
from companion.games.monster_graveyard.rulebook import section_of
from companion.games.monster_graveyard.state import Monster

Value = str | int | Sentence | tuple[Sentence, ...]


def say(key: str, **values: Value) -> Sentence:
    """Return the sentence ``mg.<key>``."""
    return Sentence(f"mg.{key}", values)


def broken(key: str, rule: str, *, instead: Sentence | None = None, **values: Value) -> RuleBroken:
    """Return the refusal ``mg.no.<key>`` to be raised, with ``mg.instead.<key>`` if nothing else is said."""
    possible = instead or say(f"instead.{key}", **values)
    return RuleBroken(say(f"no.{key}", **values), rule=rule, instead=possible, section=section_of(rule))


def seat_name(seat: Seat) -> Sentence:
    return say(f"seat.{seat}")


def seat_names(seats: Iterable[Seat]) -> tuple[Sentence, ...]:
    return tuple(seat_name(seat) for seat in seats)


def attribute_name(attribute: Attribute) -> Sentence:
    return say(f"attribute.{attribute}")


def part_name(box: Printed, part: str) -> Sentence:
    """Return what a part is called: its form and shape, or its own name."""
    if part in PLAIN_PARTS:
        return say(f"piece.{part}")
    special = box.specials.get(part)
    return say("called", name=special.name if special else part)


def card_name(box: Printed, card: str) -> Sentence:
    """Return what a research card or a special part is called."""
    found = box.research.get(card) or box.specials.get(card)
    return say("called", name=found.name if found else card)


def monster_name(number: int) -> Sentence:
    return say("monster", number=number)


def values_of(terror: int, science: int, health: int) -> Sentence:
    """Return the three attributes in a line."""
    return say("values", terror=terror, science=science, health=health)


def monster_values(monster: Monster) -> Sentence:
    return values_of(monster.terror, monster.science, monster.health)


def amounts(counts: Mapping[str, int]) -> tuple[Sentence, ...]:
    """Return counts such as "2 GP"; what is nothing is left out."""
    return tuple(say(f"amount.{unit}", count=count) for unit, count in counts.items() if count)


def gains_in_words(gains: Gains) -> tuple[Sentence, ...]:
    """Return what something brings, piece by piece."""
    units = ("gp", "rp", "vp", "draws", "minions", "terror", "science", "health")
    return amounts({unit: getattr(gains, unit) for unit in units})


def option_name(name: str) -> Sentence:
    return say(f"option.{name}")


def option_value(name: str, value: str) -> Sentence:
    return say(f"option.{name}.{value}")


def option_values(options: Mapping[str, str]) -> tuple[Sentence, ...]:
    """Return what options say, each as "name: value"; "as usual" where nothing differs."""
    said = tuple(
        say("option.is", option=option_name(name), value=option_value(name, value))
        for name, value in options.items()
    )
    return said or (say("option.usual"),)
