"""What a box prints, read from its catalogue: forms of parts, special parts, research cards.

The catalogue comes from a taught box or is the stand-in; nothing that a box prints is a constant
of the rules. What it does not say counts as nothing until somebody tells it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.board import PieceKind
from companion.game import Wire
from companion.games.monster_graveyard.components import (
    ANY,
    DECKS,
    PLAIN_PARTS,
    Attribute,
    Form,
    Shape,
)
from companion.games.monster_graveyard.effects import Effect, read_effect
from companion.games.monster_graveyard.sheets import DISCOVERY, UPGRADE

Added = Mapping[Attribute, int]
"""What something adds to each attribute; attributes that it leaves alone are not in it."""

USUAL: Mapping[Form, Added] = {
    Form.SKELETAL: {},
    Form.FRESH: {Attribute.HEALTH: 1},
    Form.ROTTING: {Attribute.SCIENCE: 1},
    Form.PUTREFIED: {Attribute.TERROR: 1},
}
"""From the rulebook's examples 1 and 2; a box that says otherwise goes first."""

COLUMN_OF: Mapping[Shape, str] = {
    Shape.HEAD: "heads",
    Shape.TORSO: "torsos",
    Shape.ARM: "arms",
    Shape.LEG: "legs",
}


@dataclass(frozen=True, slots=True)
class Special:
    """A special part. ``covers`` are shapes, ``any`` among them for one of any shape."""

    id: str
    name: str
    covers: tuple[str, ...]
    added: Added
    effect: Effect
    text: str
    count: int = 1

    @property
    def is_star(self) -> bool:
        """Say whether the new monster gets a reminder token: for something later, or that only words say."""
        return bool(self.effect.words) or any(trigger != "now" for trigger in self.effect.gains)


@dataclass(frozen=True, slots=True)
class Research:
    """A research card: ``is_upgrade`` stays before its owner, else it is a discovery."""

    id: str
    name: str
    deck: str
    is_upgrade: bool
    added: Added
    effect: Effect
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Printed:
    """A read catalogue. ``plain_counts`` are how many there are of each part that is not special."""

    forms: Mapping[Form, Added]
    plain_counts: Mapping[PieceKind, int]
    specials: Mapping[str, Special]
    research: Mapping[str, Research]
    catalogue: Wire

    def added_by(self, part: str) -> Added:
        """Return what a part adds. Raises KeyError for one that the box does not have."""
        if part in PLAIN_PARTS:
            return self.forms[PLAIN_PARTS[part][0]]
        return self.specials[part].added

    def covered_by(self, part: str) -> tuple[str, ...]:
        """Return the shapes that a part counts as. Raises KeyError for one that the box does not have."""
        return (PLAIN_PARTS[part][1].value,) if part in PLAIN_PARTS else self.specials[part].covers

    def knows_part(self, part: str) -> bool:
        return part in PLAIN_PARTS or part in self.specials

    def in_deck(self, deck: str) -> dict[str, int]:
        """Return the cards of a research deck and how many there are of each."""
        return {card.id: card.count for card in self.research.values() if card.deck == deck and card.count}


def read_catalogue(catalogue: Wire) -> Printed:
    """Read what a box prints. Raises ValueError that says which part of the catalogue is wrong."""
    forms: Mapping[str, Mapping[str, Any]] = catalogue.get("forms") or {}
    try:
        return Printed(
            forms={form: _form(form, forms.get(form)) for form in Form},
            plain_counts={
                PieceKind(kind): int((forms.get(form) or {}).get(COLUMN_OF[shape]) or 0)
                for kind, (form, shape) in PLAIN_PARTS.items()
            },
            specials={key: _special(key, row) for key, row in (catalogue.get("specials") or {}).items()},
            research={key: _research(key, row) for key, row in (catalogue.get("research") or {}).items()},
            catalogue=catalogue,
        )
    except (AttributeError, KeyError, TypeError) as wrong:
        raise ValueError(f"The catalogue cannot be read: {wrong!r}.") from wrong


def _form(form: Form, row: Mapping[str, Any] | None) -> Added:
    return _added(row) if row and any(row.get(one) is not None for one in Attribute) else USUAL[form]


def _added(row: Mapping[str, Any]) -> dict[Attribute, int]:
    return {one: int(row[one]) for one in Attribute if row.get(one)}


def _special(key: str, row: Mapping[str, Any]) -> Special:
    covers = tuple(str(word) for word in row.get("covers") or ())
    strange = [word for word in covers if word not in (*Shape, ANY)]
    if strange or key in PLAIN_PARTS:
        raise ValueError(f"The special part {key} cannot be read: {', '.join(strange) or 'its id is taken'}.")
    text = str(row.get("effect") or "")
    count = row.get("count")
    return Special(
        key,
        str(row.get("name") or key),
        covers,
        _added(row),
        read_effect(text),
        text,
        1 if count is None else int(count),
    )


def _research(key: str, row: Mapping[str, Any]) -> Research:
    deck, kind, text = str(row.get("deck") or DECKS[0]), row.get("type") or UPGRADE, row.get("effect") or ""
    if deck not in DECKS or kind not in (UPGRADE, DISCOVERY):
        raise ValueError(f"The research card {key} cannot be read: deck {deck}, type {kind}.")
    count = row.get("count")
    return Research(
        key,
        str(row.get("name") or key),
        deck,
        kind == UPGRADE,
        _added(row),
        read_effect(str(text)),
        str(text),
        1 if count is None else int(count),
    )
