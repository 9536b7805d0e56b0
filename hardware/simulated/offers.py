"""What a person may have the hands of a seat do next, from what lies on the simulated table.

Pure: the world as JSON in, offers with their fields out, and a filled form back to a deed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board import SpaceKind
from companion.game import Sentence
from hardware.simulated.contents import ORDERS, TOKENS, Contents, lab_of

Told = Mapping[str, Any]
"""The world as ``GET /world`` tells it."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A field of an offer: choose one of ``options`` (value, label), or any number of them."""

    name: str
    options: tuple[tuple[str, str], ...]
    is_many: bool = False
    is_number: bool = False

    @property
    def says(self) -> Sentence:
        return Sentence(f"sim.field.{self.name}")


@dataclass(frozen=True, slots=True)
class Offer:
    """One deed that is possible now, with what must still be said."""

    deed: str
    blanks: tuple[Blank, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()

    @property
    def says(self) -> Sentence:
        return Sentence(f"sim.deed.{self.deed}")


def offers(told: Told, contents: Contents, seat: str) -> tuple[Offer, ...]:
    """Return what the seat's hands can do now, in the order of a round."""
    found = [*_orders(told, seat), *_tokens(told, contents, seat), *_cards(told, contents, seat)]
    return (*found, *_market(told, contents, seat))


def deed_of(form: Mapping[str, Sequence[str]], offered: Sequence[Offer], seat: str) -> dict[str, Any] | None:
    """Read a sent form; None if it names nothing that is offered (the table has moved on)."""
    named = next(iter(form.get("do", ())), "")
    offer = next((each for each in offered if each.deed == named), None)
    if offer is None:
        return None
    said: dict[str, Any] = {"do": offer.deed, "seat": seat, **dict(offer.fixed)}
    for blank in offer.blanks:
        values = [v for v in form.get(blank.name, ()) if v in dict(blank.options)]
        if blank.is_many:
            said[blank.name] = values
        elif not values:
            return None
        else:
            said[blank.name] = int(values[0]) if blank.is_number else values[0]
    return said


def _numbers(most: int, least: int = 1) -> tuple[tuple[str, str], ...]:
    return tuple((str(n), str(n)) for n in range(least, most + 1))


def _named(values: Sequence[str], label: Callable[[str], str] = str) -> tuple[tuple[str, str], ...]:
    return tuple((value, label(value)) for value in values)


def _short(place: str) -> str:
    return place.partition("/")[2].replace(".", " ").replace("_", " ")


def _orders(told: Told, seat: str) -> list[Offer]:
    if told["of"][seat]["order"] is None:
        return [Offer("lay_order", (Blank("colour", _named(ORDERS)),))]
    return [Offer("reveal"), Offer("take_order")]


def _tokens(told: Told, contents: Contents, seat: str) -> list[Offer]:
    found = []
    bag = sum(told["of"][seat]["bag"].values())
    if bag:
        found.append(Offer("draw", (Blank("count", _numbers(min(9, bag)), is_number=True),)))
    held = [kind for kind in told["of"][seat]["hand"] if kind in TOKENS]
    free = _free_token_places(told, contents, seat)
    if held and free:
        kinds = _named(sorted(set(held)))
        found.append(Offer("lay", (Blank("kind", kinds), Blank("place", _named(free, _short)))))
    sorting = [at for at in told["places"] if at.startswith(f"{lab_of(seat)}/sort")]
    if sorting and free:
        found.append(
            Offer("move", (Blank("from", _named(sorting, _short)), Blank("to", _named(free, _short))))
        )
    found.append(Offer("clear"))
    return found


def _free_token_places(told: Told, contents: Contents, seat: str) -> list[str]:
    lab = contents.lab(seat)
    free = []
    for space in lab.spaces.values():
        at = f"{lab.id}/{space.id}"
        if space.kind is SpaceKind.TOKEN:
            free.append(at)
        elif space.kind is SpaceKind.CARD:
            lying = told["places"].get(at, ())
            card = contents.cards[lying[-1]] if lying else contents.printed.get(space.id)
            free += [f"{at}.part{slot.index}" for slot in (card.slots if card else ())]
    return sorted((at for at in free if at not in told["places"]), key=lambda at: ".part" not in at)


def _cards(told: Told, contents: Contents, seat: str) -> list[Offer]:
    def named(card: str) -> str:
        return contents.cards[card].name

    spaces = [s.id for s in contents.lab(seat).spaces.values() if s.kind is SpaceKind.CARD]
    free = [s for s in spaces if f"{lab_of(seat)}/{s}" not in told["places"]]
    monsters = [s for s in spaces if s not in free or s in contents.printed]
    found = [Offer("deal", (Blank("count", _numbers(2), is_number=True),))]
    for source, deed in (("hand", "place_card"), ("pile", "take_card_from_pile")):
        held = [card for card in told["of"][seat][source] if card in contents.cards]
        if held and free:
            found.append(Offer(deed, (Blank("card", _named(held, named)), Blank("space", _named(free)))))
        if held and source == "hand":
            found.append(Offer("discard_card", (Blank("card", _named(held, named)),)))
    if monsters:
        found.append(
            Offer("pile_cards", (Blank("spaces", _named(monsters), is_many=True),), (("scored", True),))
        )
    return found


def _market(told: Told, contents: Contents, seat: str) -> list[Offer]:
    kinds = [kind for kind, left in told["supply"].items() if left]
    found = [Offer("gain", (Blank("kind", _named(kinds)), Blank("from", _named(("supply", "track")))))]
    tiles = {at: lying[-1] for at, lying in told["places"].items() if at.startswith("central/cart")}
    free = [
        f"{lab_of(seat)}/{s.id}"
        for s in contents.lab(seat).spaces.values()
        if s.kind is SpaceKind.TILE and f"{lab_of(seat)}/{s.id}" not in told["places"]
    ]
    if tiles and free:
        named = tuple((at, f"{tile.replace('_', ' ')} ({_short(at)})") for at, tile in sorted(tiles.items()))
        found.append(Offer("take_tile", (Blank("from", named), Blank("to", _named(free, _short)))))
    score = int(told["scores"].get(seat, 0))
    steps = _numbers(score + 40, max(0, score - 10))
    return [
        *found,
        Offer("set_marker", (Blank("score", steps, is_number=True),)),
        Offer("refill"),
        Offer("turn"),
    ]
