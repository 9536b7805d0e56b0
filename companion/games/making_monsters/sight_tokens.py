"""What newly lies in a lab, read straight off the spaces: tokens drawn, parts moved, what is out of place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.board import EMPTY, PieceKind, Place, SpaceId
from companion.game import Choice, Proposal, Puzzled, RuleBroken, Seat, Sighting, SpaceSeen
from companion.games.making_monsters.components import (
    HELD,
    REJECTS,
    SORT_SPACES,
    USEFUL,
    Order,
    Token,
    lab_of,
)
from companion.games.making_monsters.events import Delivered
from companion.games.making_monsters.moves import OVERFLOW, Command, Deliver, MoveParts, PartMove, Placement
from companion.games.making_monsters.records import RECORDS
from companion.games.making_monsters.rules import deliveries
from companion.games.making_monsters.rules.course import decide
from companion.games.making_monsters.rules.placing import moved, put, spaces_for
from companion.games.making_monsters.state import REANIMATING, Lab, Phase, Stage, State, holds, movable, slots
from companion.games.making_monsters.words import say, token_name
from companion.ports import HIDDEN, UNKNOWN, BoardReading, SpaceReading

KINDS: Mapping[str, Token] = {kind.value: kind for kind in Token}
LAGGING = frozenset({Phase.REANIMATE, Phase.REFRESH, Phase.PREP})
"""Phases in which hands are still clearing what the rules have cleared."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """How a lab differs from the state: spaces with what is read there, or what is missed there."""

    fresh: Mapping[str, SpaceReading]  # expected empty, a token is read
    doubtful: Mapping[str, SpaceReading]  # expected empty, something unknown is there
    gone: Mapping[str, SpaceReading]  # expected a token, surely empty or surely another one


def token_spaces(state: State, lab: Lab) -> tuple[str, ...]:
    return (*slots(state.box, lab), *SORT_SPACES, *holds(lab, *HELD), *REJECTS)


def expected_at(lab: Lab, space: str) -> PieceKind:
    """Return what a token space should read."""
    kind = lab.parts.get(space)
    return EMPTY if kind is None else PieceKind(kind.value)


def kind_read(seen: SpaceReading) -> Token | None:
    return KINDS.get(seen.reads)


def sift(state: State, lab: Lab, board: BoardReading) -> Sifted:
    """Hold a lab's reading against the state. Hidden spaces and unsure absences say nothing."""
    fresh: dict[str, SpaceReading] = {}
    doubtful: dict[str, SpaceReading] = {}
    gone: dict[str, SpaceReading] = {}
    for space in token_spaces(state, lab):
        seen = board.spaces.get(SpaceId(space))
        expected = expected_at(lab, space)
        if seen is None or seen.reads in (HIDDEN, expected):
            continue
        if expected != EMPTY:
            if seen.sure and seen.reads != UNKNOWN:
                gone[space] = seen
                if space in movable(lab) and seen.reads in KINDS:
                    fresh[space] = seen  # a part left for a monster and another took its space
        elif seen.reads in KINDS:
            fresh[space] = seen
        else:
            doubtful[space] = seen
    return _rejects_matched(lab, Sifted(fresh, doubtful, gone))


def _rejects_matched(lab: Lab, found: Sifted) -> Sifted:
    """Drop rejects that only changed places among the rejects: it makes no difference there."""
    fresh, gone = dict(found.fresh), dict(found.gone)
    for space in [space for space in gone if space in REJECTS]:
        same = [s for s in fresh if s in REJECTS and kind_read(fresh[s]) is lab.parts[space]]
        if same:
            del fresh[same[0]]
            del gone[space]
    return Sifted(fresh, found.doubtful, gone)


def still_there(lab: Lab, board: BoardReading) -> tuple[str, ...]:
    """Return the spaces where leftovers of the last reanimation are still seen."""
    return tuple(
        space
        for space, kind in lab.leftovers.items()
        if (seen := board.spaces.get(SpaceId(space))) is not None and kind_read(seen) is kind
    )


def is_seen_clear(lab: Lab, board: BoardReading) -> bool:
    """Say whether every space with leftovers was seen without them."""
    return all(
        (seen := board.spaces.get(SpaceId(space))) is None or seen.reads == EMPTY for space in lab.leftovers
    )


def sighted_tokens(state: State, seat: Seat, board: BoardReading) -> Sighting | None:
    """Explain what newly lies in a lab by draws and moves, or say what nothing explains."""
    lab = state.labs[seat]
    is_clearing = state.phase in LAGGING and (lab.has_reanimated or lab.leftovers)
    if is_clearing or lab.stage in (*REANIMATING, Stage.PENDING) or state.phase is Phase.OVER:
        return None
    left = still_there(lab, board)
    if left and len(left) == len(lab.leftovers):
        return Puzzled(seat, say("saw.leftovers", count=len(left)), _seen(lab, board, seat, left))
    moves, found = _moves(state, lab, _returned_rot(lab, sift(state, lab, board)))
    if found.gone:
        return Puzzled(seat, say("saw.changed", count=len(found.gone)), _seen(lab, board, seat, found.gone))
    if lab.stage in deliveries.DRAWING:
        return _drawn(state, seat, board, moves, found)
    return _not_drawing(state, seat, board, moves, found)


def _returned_rot(lab: Lab, found: Sifted) -> Sifted:
    """Forgive the one Rot that Yellow's Super is just taking back into the bag."""
    if not (lab.order is Order.YELLOW and lab.is_super and lab.stage in (Stage.DECIDE, Stage.DECIDED)):
        return found
    rots = [space for space, seen in found.fresh.items() if space in REJECTS and kind_read(seen) is Token.ROT]
    if len(rots) != 1:
        return found
    return replace(found, fresh={space: seen for space, seen in found.fresh.items() if space != rots[0]})


def _moves(state: State, lab: Lab, found: Sifted) -> tuple[tuple[PartMove, ...], Sifted]:
    """Explain parts missing from where they may move by the same kinds newly on monsters."""
    fresh, gone = dict(found.fresh), dict(found.gone)
    moves: list[PartMove] = []
    for start in [space for space in gone if space in movable(lab)]:
        for end in [
            s for s, seen in fresh.items() if s.startswith("card") and kind_read(seen) is lab.parts[start]
        ]:
            try:
                lab = moved(state.box, lab, (start, end))
            except RuleBroken:
                continue
            moves.append((start, end))
            del gone[start], fresh[end]
            break
    for start in gone:
        fresh.pop(start, None)
    return tuple(moves), Sifted(fresh, found.doubtful, gone)


def _not_drawing(
    state: State, seat: Seat, board: BoardReading, moves: tuple[PartMove, ...], found: Sifted
) -> Sighting | None:
    lab = state.labs[seat]
    strange = {space: seen for space, seen in found.fresh.items() if seen.sure}
    if strange:
        say_it = say("saw.undrawn", count=len(strange))
        return Puzzled(seat, say_it, _seen(lab, board, seat, strange))
    if not moves:
        return None
    spaces = _seen(lab, board, seat, [space for move in moves for space in move])
    return _proposal(state, seat, MoveParts(seat, moves), spaces)


def _drawn(
    state: State, seat: Seat, board: BoardReading, moves: tuple[PartMove, ...], found: Sifted
) -> Sighting | None:
    """Make the one growing proposal of a seat that draws."""
    lab = state.labs[seat]
    if not found.fresh and not found.doubtful:
        return _not_drawing(state, seat, board, moves, found)
    placements = in_legal_order((Token(seen.reads), space) for space, seen in found.fresh.items())
    spaces = _seen(
        lab, board, seat, [*(s for _, s in placements), *found.doubtful, *(s for m in moves for s in m)]
    )
    if found.doubtful:
        return Proposal(seat, say("saw.check", count=len(found.doubtful)), None, spaces, is_sure=False)
    wrong = _illegal(state, lab, moves, placements)
    if wrong:
        if all(found.fresh[space].sure for space in wrong):
            return Puzzled(seat, say("saw.illegal", count=len(wrong)), _seen(lab, board, seat, wrong))
        return Proposal(seat, say("saw.check", count=len(wrong)), None, spaces, is_sure=False)
    return _proposal(state, seat, Deliver(seat, placements, moves), spaces)


def in_legal_order(placements: Iterable[Placement]) -> tuple[Placement, ...]:
    """Order tokens as they may have been placed: rejects last, Rot after everything else."""
    return tuple(
        sorted(placements, key=lambda p: (p[1] in REJECTS, p[0] is Token.MUTATION, p[0] is Token.ROT, p[1]))
    )


def _illegal(
    state: State, lab: Lab, moves: tuple[PartMove, ...], placements: tuple[Placement, ...]
) -> tuple[str, ...]:
    """Return the spaces whose token may not lie there."""
    wrong = []
    for move in moves:
        lab = moved(state.box, lab, move)
    for placement in placements:
        try:
            lab = put(state.box, lab, placement)
        except RuleBroken:
            wrong.append(placement[1])
    return tuple(wrong)


def _proposal(
    state: State, seat: Seat, command: Deliver | MoveParts, spaces: tuple[SpaceSeen, ...]
) -> Sighting:
    """Return the proposal of a command; what speaks against it if the eyes are sure, else what to check."""
    is_sure = all(space.seen.sure for space in spaces)
    try:
        decide(state, command)
    except RuleBroken as broken:
        words = say("saw.not_allowed", why=broken.why)
        if is_sure:
            return Puzzled(seat, words, spaces)
        return Proposal(seat, words, None, spaces, is_sure=False)
    wire = RECORDS.command_out(command)
    if isinstance(command, MoveParts):
        return Proposal(seat, say("saw.moved", count=len(command.moves)), wire, spaces, is_sure)
    words = say("saw.tokens", count=len(command.placements))
    return Proposal(seat, words, wire, spaces, is_sure, _others(state, command))


def _others(state: State, command: Deliver) -> tuple[Choice, ...]:
    """Offer what may go with the same tap: the decision, or a token of the grab that found no place."""
    choices = [*_with_overflow(state, command)]
    for then in ("reanimate", "push_on"):
        both = replace(command, then=then)
        if _is_allowed(state, both):
            choices.append(Choice(say(f"choice.right_{then}"), RECORDS.command_out(both), sign=then))
    return tuple(choices)


def _is_allowed(state: State, command: Command) -> bool:
    try:
        decide(state, command)
    except RuleBroken:
        return False
    return True


def _with_overflow(state: State, command: Deliver) -> Iterable[Choice]:
    lab = state.labs[command.seat]
    left = deliveries.grab_left(state, lab) - len(command.placements)
    after = deliveries.delivered(state, command_as_event(command)).labs[command.seat]
    if left < 1 or not deliveries.is_full(after):
        return
    for kind in (Token.ROT, *USEFUL, Token.MUTATION):
        fits_nowhere = spaces_for(state.box, after, kind) == (OVERFLOW,)
        if fits_nowhere and after.bag.get(kind, 0) >= left and (left == 1 or kind is Token.ROT):
            more = replace(command, placements=(*command.placements, *[(kind, OVERFLOW)] * left))
            label = say("choice.right_overflow", count=left, token=token_name(kind))
            yield Choice(label, RECORDS.command_out(more), sign=f"part-{kind}")


def command_as_event(command: Deliver) -> Delivered:
    """Return the event of a legal delivery, to look one step ahead."""
    return Delivered(command.seat, command.placements, command.moves)


def _seen(lab: Lab, board: BoardReading, seat: Seat, spaces: Iterable[str]) -> tuple[SpaceSeen, ...]:
    return tuple(
        token_seen(lab, seat, space, board.spaces[SpaceId(space)])
        for space in dict.fromkeys(spaces)
        if SpaceId(space) in board.spaces
    )


def token_seen(lab: Lab, seat: Seat, space: str, seen: SpaceReading) -> SpaceSeen:
    """Return one space of a sighting; every kind is on offer, the likely ones first, then nothing."""
    kinds = [*seen.others, *(PieceKind(kind.value) for kind in Token), EMPTY]
    if space not in REJECTS:
        kinds = [kind for kind in kinds if KINDS.get(kind) is not Token.ROT]
    may_be = tuple(dict.fromkeys(kind for kind in kinds if kind in KINDS or kind == EMPTY))
    return SpaceSeen(Place(lab_of(seat), SpaceId(space)), expected_at(lab, space), seen, may_be)
