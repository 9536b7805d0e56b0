"""What lies in the zones: for hands at a table that is there, before cameras."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.board import Lying, PieceKind, Place, SpaceId
from companion.game import Seat, Wire
from companion.games.mad_science.components import BODY, Kind, adaptor_of, zone_of
from companion.games.mad_science.state import Creature, State


def laid(state: State, command: Wire) -> Mapping[Place, Lying]:
    """Return the card that a command says was laid: a body, a part in its place, an adaptor before it."""
    match command:
        case {"do": "deal_body", "seat": seat, "body": card}:
            space: str = BODY
        case {"do": "play", "seat": seat, "card": card} if card in state.box.parts:
            space = str(state.box.parts[card].kind)
        case {"do": "play", "seat": seat, "card": card, "on": on}:
            space = adaptor_of(Kind(on))
        case _:
            return {}
    return {_place(seat, space): Lying(PieceKind(card))}


def lying(state: State) -> Mapping[Place, Lying]:
    """Return all creatures; what dropped or is lost lies face down."""
    return {
        _place(seat, space): one
        for seat, creature in state.creatures.items()
        for space, one in _creature(creature)
    }


def _creature(creature: Creature) -> Iterator[tuple[str, Lying]]:
    if creature.body:
        yield BODY, Lying(PieceKind(creature.body))
    for kind, card in creature.parts.items():
        yield kind, Lying(PieceKind(card), kind not in creature.dropped and kind not in creature.lost)
    is_gone = creature.is_adaptor_used and creature.adaptor_on in creature.lost
    if creature.adaptor and creature.adaptor_on is not None and not is_gone:
        on = adaptor_of(creature.adaptor_on)
        yield on, Lying(PieceKind(creature.adaptor), not creature.is_adaptor_out)


def _place(seat: str, space: str) -> Place:
    return Place(zone_of(Seat(seat)), SpaceId(space))
