"""Sentences for the things on the table; keys only, the English is in ``locale/en.po``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.game import RuleBroken, Seat, Sentence
from companion.games.making_monsters.components import Order, Token
from companion.games.making_monsters.depth import Feat
from companion.games.making_monsters.moves import OVERFLOW, PILE
from companion.games.making_monsters.parts import Parts, in_order
from companion.games.making_monsters.printed import UNKNOWN_TILE, Printed
from companion.games.making_monsters.rulebook import section_of

Value = str | int | Sentence | tuple[Sentence, ...]

KNOWN_TILES = frozenset(
    {
        "sorting_table",
        "refrigeration",
        "bogo_coupon_printer",
        "meat_replicator",
        "stitches_replicator",
        "spikes_replicator",
        "goop_replicator",
        "zapper_replicator",
        "universal_replicator",
        "teleporter",
        "med_school",
        "warehouse",
        "lester_upgrade",
        UNKNOWN_TILE,
    }
)
"""Tiles that have a sentence of their own; others are called by the name in the catalogue."""


def say(key: str, **values: Value) -> Sentence:
    """Return the sentence ``mm.<key>``."""
    return Sentence(f"mm.{key}", values)


def broken(key: str, rule: str, *, instead: Sentence | None = None, **values: Value) -> RuleBroken:
    """Return the refusal ``mm.no.<key>`` to be raised, with ``mm.instead.<key>`` if nothing else is said."""
    possible = instead or say(f"instead.{key}", **values)
    return RuleBroken(say(f"no.{key}", **values), rule=rule, instead=possible, section=section_of(rule))


def seat_name(seat: Seat) -> Sentence:
    return say(f"seat.{seat}")


def seat_names(seats: Iterable[Seat]) -> tuple[Sentence, ...]:
    return tuple(seat_name(seat) for seat in seats)


def token_name(kind: Token) -> Sentence:
    return say(f"token.{kind}")


def order_name(order: Order) -> Sentence:
    return say(f"order.{order}")


def heap(parts: Parts) -> tuple[Sentence, ...]:
    """Return a list such as "2 limbs, 1 rot"."""
    return tuple(say(f"heap.{kind}", count=count) for kind, count in in_order(parts).items())


def card_name(box: Printed, card: str) -> Sentence:
    monster = box.monsters.get(card)
    return say("card", name=monster.name if monster else card)


def feat_name(box: Printed, feat: Feat) -> Sentence:
    """Return what a reported monster is called: by its card, or merely a monster."""
    return card_name(box, feat.card) if feat.card else say("panel.monster")


def tile_name(tile: str) -> Sentence:
    if tile in KNOWN_TILES:
        return say(f"tile.{tile}")
    return say("tile_called", name=tile.replace("_", " "))


def place_name(space: str) -> Sentence:
    """Return what a space of a lab is called that shows no monster."""
    if space in (OVERFLOW, PILE):
        return say(f"space.{space}")
    return say(f"space.{space.rstrip('0123456789')}", number=_number(space))


def space_name(box: Printed, cards: dict[str, str] | None, space: str) -> Sentence:
    """Return what a space of a lab is called; ``cards`` maps card spaces to the monsters shown there."""
    if space in (OVERFLOW, PILE):
        return say(f"space.{space}")
    place, dot, part = space.partition(".part")
    tile, on_tile, _ = space.partition(".hold")
    if on_tile:
        return say("space.on_tile", tile=say(f"space.{tile.rstrip('0123456789')}", number=_number(tile)))
    number = _number(place)
    if dot:
        card = (cards or {}).get(place)
        if card is None:
            return say("space.part", slot=int(part) + 1, number=number)
        return say("space.part_of", slot=int(part) + 1, monster=card_name(box, card))
    return say(f"space.{place.rstrip('0123456789')}", number=number)


def _number(space: str) -> int:
    return int(space[len(space.rstrip("0123456789")) :])


def option_name(name: str) -> Sentence:
    return say(f"option.{name}")


def option_value(name: str, value: str) -> Sentence:
    """Return a value of an option in plain words; trigger colours are called like the orders."""
    if name.startswith("trigger_"):
        return order_name(Order(value))
    return say(f"option.{name}.{value}")


def option_values(options: Mapping[str, str]) -> tuple[Sentence, ...]:
    """Return what options say, each as "name: value"; "as usual" where nothing differs."""
    said = tuple(
        say("option.is", option=option_name(name), value=option_value(name, value))
        for name, value in options.items()
    )
    return said or (say("option.usual"),)
