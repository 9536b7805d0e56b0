"""From readings to what they mean: proposals that explain them, and puzzles that nothing explains.

Nothing is proposed that the state already knows. A secret is not looked at before its time:
order tokens count only once every seat's token lies face up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId
from companion.game import Choice, Proposal, Puzzled, RuleBroken, Seat, Sighting, SpaceSeen
from companion.games.making_monsters import moves as m
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CENTRAL,
    SCORE,
    UPGRADE_SPACES,
    Order,
    lab_of,
)
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.records import RECORDS
from companion.games.making_monsters.rules import deliveries, refresh
from companion.games.making_monsters.rules.carts import within_reach
from companion.games.making_monsters.rules.course import decide, evolve
from companion.games.making_monsters.rules.setup import hidden_cards
from companion.games.making_monsters.sight_held import with_held_tokens
from companion.games.making_monsters.sight_tokens import is_seen_clear, sighted_tokens, still_there
from companion.games.making_monsters.state import Lab, Phase, Stage, State, tokens_on
from companion.games.making_monsters.words import card_name, order_name, say, tile_name
from companion.ports import HIDDEN, BoardReading, LoosePiece, Reading, SpaceReading

FACE_UP = {f"order_{order}": order for order in Order}
FACE_DOWN = "order_back"


def sighted(state: State, reading: Reading) -> tuple[Sighting, ...]:
    """Explain a reading: at most one sighting a seat, and one of the table."""
    if state.phase in (Phase.OPEN, Phase.OVER):
        return ()
    orders = _orders(state, reading)
    found = []
    for seat in state.labs:
        board = reading.boards.get(lab_of(seat))
        # Of a seat that only reports, a camera sees what nobody follows: its order token alone counts.
        if board is not None:
            is_followed = state.labs[seat].is_followed
            board = with_held_tokens(state.labs[seat], board) if is_followed else None
        sighting = orders.get(seat) or (_of_lab(state, seat, board, reading.loose) if board else None)
        if sighting is not None:
            found.append(sighting)
    table = next(_of_table(state, reading), None)
    return (*found, table) if table is not None else tuple(found)


def _of_lab(state: State, seat: Seat, board: BoardReading, loose: tuple[LoosePiece, ...]) -> Sighting | None:
    lab = state.labs[seat]
    match lab.stage:
        case Stage.CARD:
            return _first_lab(state, seat, board)
        case Stage.KEEP:
            return _new_card(state, seat, board) or _beside(state, seat, board, loose)
        case Stage.CHOOSE:
            return _five(state, seat, board)
        case Stage.ITEMS:
            return _tile(state, seat, board)
        case _:
            return _strange_card(state, seat, board) or sighted_tokens(state, seat, board)


def _allowed(state: State, seat: Seat | None, command: m.Command, proposal: Proposal) -> Proposal | Puzzled:
    """Return the proposal if the rules take its command, else why they do not: to be checked if unsure."""
    try:
        decide(state, command)
    except RuleBroken as broken:
        words = say("saw.not_allowed", why=broken.why)
        if proposal.is_sure:
            return Puzzled(seat, words, proposal.spaces)
        return replace(proposal, say=words, command=None, others=())
    return proposal


# --- order tokens --------------------------------------------------------------------------


def _orders(state: State, reading: Reading) -> Mapping[Seat, Sighting]:
    """Propose face-down tokens one by one, colours only when all that are due lie face up."""
    if state.phase not in (Phase.ORDER, Phase.REVEAL):
        return {}
    due = [seat for seat, lab in state.labs.items() if lab.stage in (Stage.ORDER, Stage.TELL)]
    laid = {seat: piece for seat in due if (piece := _one_token(reading, seat)) is not None}
    turned = {seat: piece for seat, piece in laid.items() if piece.reads in FACE_UP}
    if state.phase is Phase.REVEAL or len(turned) == len(due) == len(state.labs):
        return {seat: _colour(seat, piece) for seat, piece in turned.items()}
    down = {seat: piece for seat, piece in laid.items() if piece.reads == FACE_DOWN}
    return {
        seat: Proposal(seat, say("saw.laid"), RECORDS.command_out(m.Ready(seat)), (), piece.sure)
        for seat, piece in down.items()
        if state.labs[seat].stage is Stage.ORDER
    }


def _one_token(reading: Reading, seat: Seat) -> LoosePiece | None:
    """Return the only order token beside a lab; with more of them nobody knows which was played."""
    near = [p for p in reading.loose if p.near == lab_of(seat) and p.reads in (*FACE_UP, FACE_DOWN)]
    return near[0] if len(near) == 1 else None


def _colour(seat: Seat, piece: LoosePiece) -> Proposal:
    seen = FACE_UP[piece.reads]
    commands = {order: RECORDS.command_out(m.ChooseOrder(seat, order)) for order in Order}
    others = tuple(
        Choice(order_name(order), commands[order], sign=f"order-{order}") for order in Order if order != seen
    )
    return Proposal(seat, say("saw.order", order=order_name(seen)), commands[seen], (), piece.sure, others)


# --- cards ---------------------------------------------------------------------------------


def _card_changes(state: State, lab: Lab, board: BoardReading) -> dict[str, SpaceReading]:
    """Return the card spaces that show something else than the state says, hidden ones left out."""
    changed = {}
    for space in CARD_SPACES:
        seen = board.spaces.get(SpaceId(space))
        if seen is None or seen.reads in (HIDDEN, lab.cards.get(space, EMPTY)):
            continue
        changed[space] = seen
    return changed


def _card_seen(state: State, seat: Seat, space: str, seen: SpaceReading) -> SpaceSeen:
    lab = state.labs[seat]
    possible = sorted(hidden_cards(state), key=lambda card: state.box.monsters[card].name)
    may_be = dict.fromkeys([*seen.others, *map(PieceKind, possible), EMPTY])
    was = PieceKind(lab.cards.get(space, EMPTY))
    return SpaceSeen(Place(lab_of(seat), SpaceId(space)), was, seen, tuple(may_be))


def _new_card(state: State, seat: Seat, board: BoardReading) -> Sighting | None:
    """Propose the card that was laid; not before the lab was seen cleared after a reanimation."""
    lab = state.labs[seat]
    if still_there(lab, board):
        return None
    changed = _card_changes(state, lab, board)
    # What is on its way to the pile, and a card being replaced, are in somebody's hands just now.
    laid = {space: seen for space, seen in changed.items() if seen.reads not in (EMPTY, *lab.pile)}
    missed = {space: seen for space, seen in changed.items() if seen.reads == EMPTY and seen.sure}
    is_replacing = len(missed) == 1 and not laid and not tokens_on(lab, next(iter(missed)))
    if is_replacing or not (laid or missed):
        return None
    if missed or len(laid) > 1:
        return _several_cards(state, seat, laid, missed)
    ((space, seen),) = laid.items()
    return _one_card(state, seat, board, space, seen)


def _first_lab(state: State, seat: Seat, board: BoardReading) -> Sighting | None:
    """Propose the first monster, and with it the first tokens once all lie there: one tap for both."""
    card = _new_card(state, seat, board)
    if not isinstance(card, Proposal) or card.command is None:
        return card
    command = RECORDS.command_in(card.command)
    laid = state
    for event in decide(state, command):
        laid = evolve(laid, event)
    tokens = sighted_tokens(laid, seat, board)
    if not isinstance(tokens, Proposal) or tokens.command is None:
        return card
    delivery = RECORDS.command_in(tokens.command)
    if not isinstance(command, m.PlaceCard) or not isinstance(delivery, m.Deliver):
        return card
    if len(delivery.placements) < deliveries.grab_left(laid, laid.labs[seat]):
        return card
    both = RECORDS.command_out(replace(command, placements=delivery.placements))
    words = say("saw.first_lab", card=card.say, tokens=tokens.say)
    spaces, is_sure = (*card.spaces, *tokens.spaces), card.is_sure and tokens.is_sure
    return Proposal(seat, words, both, spaces, is_sure)


def _several_cards(
    state: State, seat: Seat, laid: Mapping[str, SpaceReading], missed: Mapping[str, SpaceReading]
) -> Sighting:
    """Say what nobody can have done: more than one card changed."""
    spaces = tuple(_card_seen(state, seat, space, seen) for space, seen in {**laid, **missed}.items())
    if len(laid) > 1 and not all(seen.sure for seen in laid.values()):
        return Proposal(seat, say("saw.check", count=len(spaces)), None, spaces, is_sure=False)
    return Puzzled(seat, say("saw.cards", count=len(spaces)), spaces)


def _one_card(state: State, seat: Seat, board: BoardReading, space: str, seen: SpaceReading) -> Sighting:
    lab, spaces = state.labs[seat], (_card_seen(state, seat, space, seen),)
    if seen.reads not in state.box.deck:
        return Proposal(seat, say("saw.check", count=1), None, spaces, is_sure=False)
    command: m.Command = m.PlaceCard(seat, seen.reads, space)
    if lab.stage is Stage.KEEP:
        command = m.KeepCard(seat, seen.reads, space, is_clear=is_seen_clear(lab, board))
    words = say("saw.card", monster=card_name(state.box, seen.reads))
    proposal = Proposal(seat, words, RECORDS.command_out(command), spaces, seen.sure)
    return _allowed(state, seat, command, proposal)


def _beside(state: State, seat: Seat, board: BoardReading, loose: tuple[LoosePiece, ...]) -> Sighting | None:
    """Propose a card that was put beside the lab because no space takes it (MM-R59)."""
    lab = state.labs[seat]
    if lab.stage is not Stage.KEEP or refresh.usual_keep(state, lab) != m.PILE or still_there(lab, board):
        return None
    new = [piece for piece in loose if piece.near == board.board and piece.reads in hidden_cards(state)]
    if len(new) != 1:
        return None
    command = m.KeepCard(seat, new[0].reads, m.PILE, is_clear=is_seen_clear(lab, board))
    words = say("saw.beside", monster=card_name(state.box, new[0].reads))
    return Proposal(seat, words, RECORDS.command_out(command), (), new[0].sure)


def _strange_card(state: State, seat: Seat, board: BoardReading) -> Sighting | None:
    """Say that a card is not where it should be; not while hands may still be clearing."""
    lab = state.labs[seat]
    if state.phase in (Phase.REANIMATE, Phase.REFRESH, Phase.PREP):
        return None
    changed = {
        space: seen
        for space, seen in _card_changes(state, lab, board).items()
        if seen.sure and (seen.reads == EMPTY or seen.reads in state.box.deck)
    }
    if not changed:
        return None
    spaces = tuple(_card_seen(state, seat, space, seen) for space, seen in changed.items())
    return Puzzled(seat, say("saw.cards", count=len(spaces)), spaces)


def _five(state: State, seat: Seat, board: BoardReading) -> Sighting | None:
    """Propose the monsters for the Fair once as many lie there as may."""
    lab = state.labs[seat]
    if still_there(lab, board):
        return None
    laid = {
        space: seen
        for space, seen in _card_changes(state, lab, board).items()
        if seen.reads in state.box.deck
    }
    if len(laid) < min(5, len(lab.pile)):
        return None
    spaces = tuple(_card_seen(state, seat, space, seen) for space, seen in laid.items())
    cards = tuple((str(seen.reads), space) for space, seen in laid.items())
    command = m.ChooseFive(seat, cards, is_clear=is_seen_clear(lab, board))
    is_sure = all(seen.sure for seen in laid.values())
    words = say("saw.five", count=len(laid))
    proposal = Proposal(seat, words, RECORDS.command_out(command), spaces, is_sure)
    return _allowed(state, seat, command, proposal)


# --- tiles and the Rot track ---------------------------------------------------------------


def _tile(state: State, seat: Seat, board: BoardReading) -> Sighting | None:
    """Propose the upgrade that newly lies in a lab as an item from a cart within reach, the own one first."""
    lab, offered = state.labs[seat], within_reach(state, seat)
    for space in UPGRADE_SPACES:
        seen = board.spaces.get(SpaceId(space))
        if seen is None or seen.reads not in state.box.tiles or seen.reads == lab.tiles.get(space):
            continue
        spots = [spot for spot, tile in offered.items() if tile in (seen.reads, UNKNOWN_TILE)]
        if lab.tiles.get(space) == UNKNOWN_TILE or not spots:
            continue
        command = m.TakeTile(seat, spots[0], space)
        spaces = (_tile_seen(state, lab_of(seat), space, lab.tiles.get(space), seen),)
        words = say("saw.tile", tile=tile_name(str(seen.reads)))
        proposal = Proposal(seat, words, RECORDS.command_out(command), spaces, seen.sure)
        return _allowed(state, seat, command, proposal)
    return None


def _tile_seen(state: State, board: BoardId, space: str, was: str | None, seen: SpaceReading) -> SpaceSeen:
    may_be = tuple(dict.fromkeys([*seen.others, *map(PieceKind, state.box.tiles), EMPTY]))
    return SpaceSeen(Place(board, SpaceId(space)), PieceKind(was or EMPTY), seen, may_be)


def _of_table(state: State, reading: Reading) -> Iterator[Sighting]:
    """Name upgrades that nobody has named; count the Rot track when nothing is on the move."""
    named, spaces = {}, []
    for name in refresh.unnamed_tiles(state):
        place = Place.parse(name)
        seen = reading.at(place)
        if seen is not None and seen.reads in state.box.tiles:
            named[name] = str(seen.reads)
            spaces.append(_tile_seen(state, place.board, place.space, UNKNOWN_TILE, seen))
    if named:
        command = RECORDS.command_out(m.NameTiles(named))
        is_sure = all(space.seen.sure for space in spaces)
        yield Proposal(None, say("saw.tiles", count=len(named)), command, tuple(spaces), is_sure)
    board = reading.boards.get(SCORE)
    if board is not None and state.phase is Phase.ORDER:
        yield from _rot_track(state, board)


def _rot_track(state: State, board: BoardReading) -> Iterator[Sighting]:
    spots = {space: seen for space, seen in board.spaces.items() if space.startswith("rot_")}
    if len(spots) < state.track_length or not all(seen.sure for seen in spots.values()):
        return
    taken = sum(1 for seen in spots.values() if seen.is_taken)
    if taken != state.track:
        yield Puzzled(None, say("saw.track", seen=taken, expected=state.track), ())


def carts_seen(reading: Reading) -> dict[str, str]:
    """Return the upgrades read on the carts, by spot."""
    board = reading.boards.get(CENTRAL)
    if board is None:
        return {}
    return {
        str(space): str(seen.reads)
        for space, seen in board.spaces.items()
        if space.startswith("cart") and seen.is_taken
    }
