"""What lies on the mats: for hands at a table that is there, before cameras."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.board import Lying, PieceKind, Place, SpaceId
from companion.game import Seat, Wire
from companion.games.monster_graveyard import attributes
from companion.games.monster_graveyard.components import (
    MONSTER_CARD,
    MONSTER_SPACES,
    TURNED_CARD,
    UPGRADE_SPACES,
    Attribute,
    dice_for,
    mat_of,
    monster_place,
    part_places,
)
from companion.games.monster_graveyard.state import Lab, Monster, State


def laid(state: State, command: Wire) -> Mapping[Place, Lying]:
    """Return what a command says was laid: parts to be discarded, a monster turned, an upgrade."""
    match command:
        case {"do": "reanimate", "seat": seat, "parts": parts}:
            whole = attributes.filled(state.box, parts) if command.get("is_filled") else tuple(parts)
            cards = [Lying(PieceKind(part)) for part in whole]
            return dict(zip(part_places(Seat(seat)), cards, strict=False))
        case {"do": "experiment" | "terrorize", "seat": seat, "monster": number} if not command.get(
            "is_minion"
        ):
            monster = state.labs[Seat(seat)].monster(number)
            return {} if monster is None else dict(_monster(Seat(seat), monster, is_turned=True))
        case {"do": "play", "seat": seat, "card": card} if state.box.research[card].is_upgrade:
            number = len(state.labs[Seat(seat)].upgrades) + 1
            return dict(_upgrades(Seat(seat), {number: card}))
        case _:
            return {}


def lying(state: State) -> Mapping[Place, Lying]:
    """Return every monster with its dice, and every upgrade, as far as a mat has room."""
    return dict(each for seat, lab in state.labs.items() for each in _of_lab(seat, lab))


def _of_lab(seat: Seat, lab: Lab) -> Iterator[tuple[Place, Lying]]:
    for monster in lab.monsters:
        yield from _monster(seat, monster, is_turned=monster.is_exhausted)
    yield from _upgrades(seat, dict(enumerate(lab.upgrades, 1)))


def _monster(seat: Seat, monster: Monster, *, is_turned: bool) -> Iterator[tuple[Place, Lying]]:
    if monster.number <= MONSTER_SPACES:
        dice = tuple((PieceKind(one.value), face) for one in Attribute for face in dice_for(monster.of(one)))
        card = TURNED_CARD if is_turned else MONSTER_CARD
        yield monster_place(seat, monster.number), Lying(card, dice=dice)


def _upgrades(seat: Seat, cards: Mapping[int, str]) -> Iterator[tuple[Place, Lying]]:
    for number, card in cards.items():
        if number <= UPGRADE_SPACES:
            yield Place(mat_of(seat), SpaceId(f"upgrade{number}")), Lying(PieceKind(card))
