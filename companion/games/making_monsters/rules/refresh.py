"""Refresh: carts refilled, the centre turned one step clockwise, two cards drawn and one kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.board import Place
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CART_SPOTS,
    CENTRAL,
    seat_of,
)
from companion.games.making_monsters.events import (
    BoardAstray,
    BoardTurned,
    CardKept,
    Event,
    LesterOwed,
    RefreshBegun,
    RoundBegun,
    TilesNamed,
)
from companion.games.making_monsters.moves import PILE, KeepCard, NameTiles, TurnBoard
from companion.games.making_monsters.printed import UNKNOWN_TILE, Printed
from companion.games.making_monsters.rules.setup import check_card, lab_at, open_spaces, usual_space, with_lab
from companion.games.making_monsters.rules.upgrades import gained_at_once, parts_gained, spare_at_once
from companion.games.making_monsters.state import REANIMATING, Lab, Phase, Stage, State, tokens_on
from companion.games.making_monsters.words import broken, say, tile_name


def spots_to_refill(state: State) -> tuple[str, ...]:
    """Return the empty cart spots that the stacks can still fill (MM-R54)."""
    empty = tuple(spot for spot in CART_SPOTS if spot not in state.carts)
    return empty[: state.stack]


def refresh_begun(state: State, event: RefreshBegun) -> State:
    labs = {seat: replace(lab, stage=Stage.KEEP, order=None) for seat, lab in state.labs.items()}
    return replace(
        state,
        phase=Phase.REFRESH,
        labs=labs,
        is_turned=False,
        carts={**state.carts, **dict.fromkeys(event.refilled, UNKNOWN_TILE)},
        stack=state.stack - len(event.refilled),
    )


def tile_at(state: State, place: str) -> str | None:
    """Return the tile at ``central/cart1_upgrade1`` or ``lab_red/upgrade2``; None if none lies there."""
    try:
        where = Place.parse(place)
    except ValueError:
        return None
    if where.board == CENTRAL:
        return state.carts.get(where.space)
    seat = seat_of(where.board)
    lab = state.labs.get(seat) if seat else None
    return lab.tiles.get(where.space) if lab else None


def name_tiles(state: State, command: NameTiles) -> tuple[Event, ...]:
    for place, tile in command.tiles.items():
        if tile_at(state, place) is None:
            raise broken("no_tile_there", "Setup F", place=place)
        if tile not in state.box.tiles:
            raise broken("no_such_tile", "Components", tile=tile)
    if not command.tiles:
        raise broken("no_tile_there", "Setup F", place="")
    named = TilesNamed(dict(command.tiles))
    _check_counts(state, tiles_named(state, named))
    return (named, *_gained_by_naming(state, named))


def _check_counts(before: State, after: State) -> None:
    """Refuse to name more tiles of a kind than the box holds. Raises RuleBroken."""
    was, now = _tiles_lying(before), _tiles_lying(after)
    for tile, most in before.box.tile_counts.items():
        if now[tile] > max(most, was[tile]):
            raise broken("no_more_tiles", "Components", tile=tile_name(tile), count=most)


def _tiles_lying(state: State) -> Counter[str]:
    lying = Counter(state.carts.values())
    for lab in state.labs.values():
        lying.update(lab.tiles.values())
    return lying


def _gained_by_naming(state: State, named: TilesNamed) -> tuple[Event, ...]:
    """Give what an upgrade gives at once when it was taken before anybody said which one it is."""
    gained: list[Event] = []
    after = tiles_named(state, named)
    for place, tile in named.tiles.items():
        seat = seat_of(Place.parse(place).board)
        if seat is not None and tile_at(state, place) == UNKNOWN_TILE:
            for event in gained_at_once(after, seat, tile):
                after = parts_gained(after, event)
                gained.append(event)
            if spare_at_once(state, tile) and _is_late(state, state.labs[seat]):
                gained.append(LesterOwed(seat))
    return tuple(gained)


def _is_late(state: State, lab: Lab) -> bool:
    """Say whether a card of an upgrade must wait for the next reanimation, if there still is one."""
    has_ended = state.phase in (Phase.PREP, Phase.FAIR, Phase.OVER)
    return lab.is_followed and lab.stage not in REANIMATING and not has_ended


def tiles_named(state: State, event: TilesNamed) -> State:
    carts, labs = dict(state.carts), dict(state.labs)
    for name, tile in event.tiles.items():
        place = Place.parse(name)
        seat = seat_of(place.board)
        if seat is None:
            carts[place.space] = tile
        else:
            labs[seat] = _with_tile_named(state, labs[seat], place.space, tile)
    return replace(state, carts=carts, labs=labs)


def _with_tile_named(state: State, lab: Lab, space: str, tile: str) -> Lab:
    """Name a tile of a lab; a LESTER Upgrade taken in this reanimation lets its owner play a card."""
    is_new = lab.tiles.get(space) == UNKNOWN_TILE and lab.stage in REANIMATING
    spare = spare_at_once(state, tile) if is_new else 0
    lab = replace(lab, tiles={**lab.tiles, space: tile}, spare=lab.spare + spare)
    return replace(lab, stage=Stage.SPARE) if spare and lab.stage is not Stage.ITEMS else lab


def unnamed_tiles(state: State) -> tuple[str, ...]:
    """Return the places of tiles that nobody has named, carts first."""
    carts = tuple(f"{CENTRAL}/{spot}" for spot in CART_SPOTS if state.carts.get(spot) == UNKNOWN_TILE)
    labs = tuple(
        f"lab_{seat}/{space}"
        for seat, lab in state.labs.items()
        if lab.is_followed
        for space, tile in sorted(lab.tiles.items())
        if tile == UNKNOWN_TILE
    )
    return carts + labs


def turn_board(state: State, command: TurnBoard) -> tuple[Event, ...]:
    """Take a turn of the centre: one step clockwise in Refresh is right, all else leaves it astray."""
    is_due = state.phase is Phase.REFRESH and not state.is_turned
    if command.delta is None:
        if is_due:
            return (BoardTurned(),)
        if state.astray:
            return (BoardAstray(0),)
        raise broken("no_turn_now", "Refresh", instead=say("instead.no_turn_now"))
    if state.phase in (Phase.OPEN, Phase.SETUP, Phase.OVER):
        raise broken("no_turn_now", "Refresh", instead=say("instead.no_turn_now"))
    astray = (state.astray + command.delta) % 4
    if is_due and astray == 1:
        return (BoardTurned(),)
    if astray == state.astray:
        raise broken("no_turn_now", "Refresh")
    return (BoardAstray(astray),)


def board_turned(state: State, event: BoardTurned) -> State:
    return replace(state, quarter=(state.quarter + 1) % 4, is_turned=True, astray=0)


def board_astray(state: State, event: BoardAstray) -> State:
    return replace(state, astray=event.quarters)


def cards_left(state: State) -> int:
    """Return how many cards can still be drawn, the discards among them."""
    return state.deck + len(state.discards)


def replaceable(lab: Lab) -> tuple[str, ...]:
    """Return the card spaces whose card holds no token."""
    return tuple(space for space in CARD_SPACES if space in lab.cards and not tokens_on(lab, space))


def keep_spaces(box: Printed, lab: Lab) -> tuple[str, ...]:
    """Return where a kept card may go: an open space must be used first (MM-R57), else replace or pile."""
    free = open_spaces(lab)
    if any(space not in box.printed for space in free):
        return free
    return (*free, *replaceable(lab), PILE)


def usual_keep(state: State, lab: Lab) -> str:
    """Return where a kept card goes when nobody says: open, else in place of the poorest, else the pile."""
    if space := usual_space(state.box, lab):
        return space
    poorest = sorted(replaceable(lab), key=lambda space: state.box.monsters[lab.cards[space]].worth)
    return poorest[0] if poorest else PILE


def keep_card(state: State, command: KeepCard) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.KEEP)
    check_card(state, command.card)
    if command.other:
        check_card(state, command.other)
        if command.other == command.card:
            raise broken("same_card", "Refresh")
    space = command.space or usual_keep(state, lab)
    if space not in keep_spaces(state.box, lab):
        raise _no_room(lab, space)
    return (CardKept(command.seat, command.card, space, command.other, command.is_clear),)


def _no_room(lab: Lab, space: str) -> Exception:
    if tokens_on(lab, space):
        rule = "MM-R58" if space not in lab.cards else "Refresh, note"
        return broken("card_has_tokens", rule, instead=say("instead.card_has_tokens"))
    return broken("open_space_first", "MM-R57", instead=say("instead.open_space_first"))


def card_kept(state: State, event: CardKept) -> State:
    """Two cards leave the deck, the discards shuffled under it if it runs short (MM-R56)."""
    drawn = min(2, cards_left(state))
    deck, discards = state.deck - drawn, state.discards
    if deck < 0:
        deck, discards = deck + len(discards), ()
    if drawn == 2:
        discards = (*discards, event.other)
    lab = state.labs[event.seat]
    cards, pile = dict(lab.cards), list(lab.pile)
    if event.space == PILE:
        pile.append(event.card)
    else:
        if event.space in cards:
            pile.append(cards[event.space])
        cards[event.space] = event.card
    lab = replace(
        lab,
        cards=cards,
        pile=tuple(pile),
        stage=Stage.DONE,
        leftovers={} if event.is_clear else lab.leftovers,
    )
    return replace(with_lab(state, event.seat, lab), deck=deck, discards=discards)


def follow(state: State) -> tuple[Event, ...]:
    """Begin the next round when the centre is turned and nobody has a card to keep."""
    if not state.is_turned and state.astray == 1:
        return (BoardTurned(),)  # somebody turned it before it was asked for
    is_kept = cards_left(state) == 0 or all(lab.stage is Stage.DONE for lab in state.labs.values())
    return (RoundBegun(state.round + 1),) if state.is_turned and is_kept else ()
