"""Where a token may lie in a lab (rulebook, Drawing Monster Parts and Placing Tokens)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.making_monsters.components import HELD, REJECTS, SORT_SPACES, Token
from companion.games.making_monsters.moves import OVERFLOW, PartMove, Placement
from companion.games.making_monsters.printed import Printed
from companion.games.making_monsters.state import (
    Lab,
    free_holds,
    free_rejects,
    free_sorts,
    holds,
    movable,
    open_slots,
    shown,
    slots,
)
from companion.games.making_monsters.words import broken, say, token_name


def fits(need: Token, kind: Token) -> bool:
    """Say whether a token may fill a slot: a mutation fills any, Rot none."""
    return kind in (need, Token.MUTATION)


def good_spaces(box: Printed, lab: Lab, kind: Token) -> tuple[str, ...]:
    """Return where a token may go short of the rejects: open slots it fits, the sorting table, upgrades."""
    if kind is Token.ROT:
        return ()
    fitting = tuple(space for space, need in open_slots(box, lab).items() if fits(need, kind))
    return fitting + free_sorts(lab) + free_holds(lab)


def spaces_for(box: Printed, lab: Lab, kind: Token) -> tuple[str, ...]:
    """Return every space a drawn token may be put on now, never none."""
    good = good_spaces(box, lab, kind)
    if good:
        return good
    return free_rejects(lab) or (OVERFLOW,)


def _worth(box: Printed, lab: Lab, space: str, kind: Token) -> tuple[int, int, int]:
    """Rank a slot: the monster nearest to completion first, then the most prestige."""
    card_space = space.partition(".")[0]
    monster = shown(box, lab, card_space)
    if monster is None:
        return (99, 0, 0)
    empty = sum(1 for index in range(len(monster.parts)) if f"{card_space}.part{index}" not in lab.parts)
    return (empty, -monster.worth, int(space.rpartition("part")[2]))


def best_space(box: Printed, lab: Lab, kind: Token) -> str:
    """Return where a token goes when nobody says: the monster nearest to completion, else aside.

    A mutation is kept on the sorting table unless it finishes a monster.
    """
    spaces = spaces_for(box, lab, kind)
    on_monsters = sorted((s for s in spaces if s.startswith("card")), key=lambda s: _worth(box, lab, s, kind))
    if kind is Token.MUTATION and on_monsters and _worth(box, lab, on_monsters[0], kind)[0] > 1:
        aside = [space for space in spaces if space in SORT_SPACES]
        return aside[0] if aside else on_monsters[0]
    return on_monsters[0] if on_monsters else spaces[0]


def put(box: Printed, lab: Lab, placement: Placement) -> Lab:
    """Return the lab with one drawn token on a space, the bag untouched. Raises RuleBroken."""
    kind, space = placement
    legal = spaces_for(box, lab, kind)
    if space not in legal:
        raise _why_not(box, lab, kind, space)
    if space == OVERFLOW:
        return replace(lab, overflow=(*lab.overflow, kind))
    return replace(lab, parts={**lab.parts, space: kind})


def _why_not(box: Printed, lab: Lab, kind: Token, space: str) -> Exception:
    name = token_name(kind)
    if space in lab.parts:
        return broken("taken", "Drawing Monster Parts and Placing Tokens", token=name)
    if space in REJECTS or space == OVERFLOW:
        if kind is Token.ROT or not good_spaces(box, lab, kind):
            return broken("rejects_first", "MM-R9")
        return broken("room_left", "MM-R21", token=name, instead=say("instead.room_left"))
    return _why_not_good(box, lab, kind, space)


def _why_not_good(box: Printed, lab: Lab, kind: Token, space: str) -> Exception:
    """Return why a token may not lie on a monster, the sorting table or an upgrade."""
    name, need, on_tile = token_name(kind), slots(box, lab).get(space), holds(lab, *HELD)
    if space in on_tile and kind is not Token.ROT:
        return broken("not_on_tile", "MM-R69")
    if need is None and space not in (*SORT_SPACES, *on_tile):
        return broken("no_such_space", "Lab board", space=space)
    if kind is Token.ROT or need is None:
        return broken("no_rot_there", "Lab board, section 3", instead=say("instead.to_rejects"))
    return broken("wrong_slot", "Monster Part Tokens", token=name, need=token_name(need))


def moved(box: Printed, lab: Lab, move: PartMove) -> Lab:
    """Return the lab after a part left the sorting table or a tile like it (MM-R22, R23, R44).

    Raises RuleBroken.
    """
    start, end = move
    kind = lab.parts.get(start)
    if start not in movable(lab) or kind is None:
        raise broken("only_from_table", "MM-R23", instead=say("instead.only_from_table"))
    need = open_slots(box, lab).get(end)
    if need is None or not fits(need, kind):
        raise broken("only_to_monster", "MM-R22", token=token_name(kind))
    parts = {space: token for space, token in lab.parts.items() if space != start}
    return replace(lab, parts={**parts, end: kind})


def possible_moves(box: Printed, lab: Lab) -> tuple[PartMove, ...]:
    """Return every move from the sorting table, or a tile that holds parts like it, to a monster."""
    empty = open_slots(box, lab)
    return tuple(
        (start, end) for start in movable(lab) for end, need in empty.items() if fits(need, lab.parts[start])
    )
