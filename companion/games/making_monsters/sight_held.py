"""Tokens on upgrade tiles, from the one that eyes see on top to the spaces that the rules know.

Two tokens do not fit side by side on a tile: they lie one upon the other, and the lower one is hidden.
"""

from __future__ import annotations

from dataclasses import replace

from companion.board import EMPTY, PieceKind, SpaceId
from companion.games.making_monsters.components import HELD, UPGRADE_SPACES, Token, hold_of
from companion.games.making_monsters.state import Lab
from companion.ports import BoardReading, SpaceReading


def with_held_tokens(lab: Lab, board: BoardReading) -> BoardReading:
    """Return the reading with a space for every token that a tile of this lab may hold.

    What a person said of such a space stands. A tile that is not read as the one known says nothing.
    """
    spaces: dict[SpaceId, SpaceReading] = {}
    for space in UPGRADE_SPACES:
        seen, tile = board.spaces.get(SpaceId(space)), lab.tiles.get(space, "")
        if tile in HELD and seen is not None and seen.reads == tile:
            spaces |= _on_tile(lab, space, HELD[tile], seen)
    return replace(board, spaces={**spaces, **board.spaces}) if spaces else board


def _on_tile(lab: Lab, tile_space: str, most: int, seen: SpaceReading) -> dict[SpaceId, SpaceReading]:
    names = [hold_of(tile_space, number + 1) for number in range(most)]
    lying = {name: lab.parts[name] for name in names if name in lab.parts}
    reads: dict[str, str] = dict.fromkeys(names, EMPTY)
    if seen.on_top:
        reads |= lying
        reads |= _top_explained(lab, names, lying, str(seen.on_top[-1]))
    return {
        SpaceId(name): replace(seen, reads=PieceKind(kind), others=(), on_top=())
        for name, kind in reads.items()
    }


def _top_explained(lab: Lab, names: list[str], lying: dict[str, Token], top: str) -> dict[str, str]:
    """Return what changed if this token lies on top: nothing, one laid upon the others, or some gone."""
    if lying and list(lying.values())[-1] == top:
        return {}
    below = [name for name, kind in lying.items() if kind == top]
    if below:
        return {name: EMPTY for name in lying if name > below[-1]}
    free = [name for name in names if name not in lying]
    swept = [name for name in free if lab.leftovers.get(name) == top]
    where = (swept or free or [names[-1]])[-1 if swept else 0]
    return {where: top}
