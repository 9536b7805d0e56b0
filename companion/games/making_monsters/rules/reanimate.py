"""Reanimate: by choice or bust, by the table, in order of priority, then items and the clean-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import (
    BONUS,
    ITEMS,
    ROT_TAKEN,
    SEATS,
    UPGRADE_SPACES,
    Token,
)
from companion.games.making_monsters.events import (
    Cleared,
    DecisionsShown,
    EndForced,
    Event,
    PartsGained,
    PrepBegun,
    Reanimated,
    RefreshBegun,
    TileTaken,
)
from companion.games.making_monsters.moves import TakeItems, TakeTile
from companion.games.making_monsters.parts import counted, minus, missing, plus, total
from companion.games.making_monsters.rules.refresh import spots_to_refill
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.state import Lab, Phase, Stage, State, completed, shown
from companion.games.making_monsters.words import broken, heap, say, seat_name


def cart_before(state: State, seat: Seat) -> int:
    """Return which cart (0 to 3) lies before a seat: every turn passes it to the next seat clockwise."""
    return (SEATS.index(seat) - state.quarter) % 4


def by_priority(state: State) -> tuple[Seat, ...]:
    """Return the seats, first who faces cart 1 or sits next clockwise from there (MM-R36)."""
    first = state.quarter % 4
    return tuple(sorted(state.labs, key=lambda seat: (SEATS.index(seat) - first) % 4))


def points_of(state: State, lab: Lab) -> int:
    """Return the printed prestige of the monsters that a lab has completed."""
    monsters = (shown(state.box, lab, space) for space in completed(state.box, lab))
    return sum(monster.prestige for monster in monsters if monster is not None)


def decisions_shown(state: State, event: DecisionsShown) -> State:
    """Show all decisions; who pushes on takes the order token back and keeps everything else."""
    labs = {
        seat: replace(lab, stage=Stage.PENDING if lab.reanimates else Stage.DONE)
        for seat, lab in state.labs.items()
    }
    return replace(state, phase=Phase.REANIMATE, labs=labs)


def reanimation(state: State, seat: Seat) -> Reanimated:
    """Return what the table gives a seat: points, bonus unless bust, Rot from the track first (MM-R34)."""
    lab = state.labs[seat]
    monsters = completed(state.box, lab)
    count = len(monsters)
    from_track = min(ROT_TAKEN[count], state.track)
    return Reanimated(
        seat,
        monsters,
        points=points_of(state, lab),
        bonus=0 if lab.is_bust else BONUS[count],
        from_track=from_track,
        from_supply=min(ROT_TAKEN[count] - from_track, state.supply.get(Token.ROT, 0)),
        items=ITEMS[count],
    )


def reanimated(state: State, event: Reanimated) -> State:
    lab = state.labs[event.seat]
    earned = dict(lab.earned)
    for why, amount in (("monsters", event.points), ("bonus", event.bonus)):
        if amount:
            earned[why] = earned.get(why, 0) + amount
    rot = event.from_track + event.from_supply
    lab = replace(
        lab,
        stage=Stage.ITEMS,
        items=event.items,
        earned=earned,
        bag=plus(lab.bag, {Token.ROT: rot}),
        has_reanimated=True,
    )
    return replace(
        with_lab(state, event.seat, lab),
        track=state.track - event.from_track,
        supply=minus(state.supply, {Token.ROT: event.from_supply}),
    )


def on_cart(state: State, seat: Seat) -> Mapping[str, str]:
    """Return the tiles on the cart before a seat, by spot."""
    cart = cart_before(state, seat) + 1
    return {spot: tile for spot, tile in state.carts.items() if spot.startswith(f"cart{cart}_")}


def kept_for_others(state: State, seat: Seat) -> dict[Token, int]:
    """Return what must stay in the supply because seats with priority may still want it (MM-R36)."""
    kept: dict[Token, int] = {}
    for other in by_priority(state):
        if other == seat:
            break
        lab = state.labs[other]
        if lab.stage is Stage.ITEMS:
            kept = plus(kept, dict.fromkeys(state.box.carts[cart_before(state, other)], lab.items))
    return kept


def on_offer(state: State, seat: Seat) -> dict[Token, int]:
    """Return the parts that a seat may take from the supply now, by what its cart prints."""
    free = minus(state.supply, kept_for_others(state, seat))
    kinds = dict.fromkeys(state.box.carts[cart_before(state, seat)])
    return {kind: free[kind] for kind in kinds if kind is not Token.ROT and kind in free}


def taking_items(state: State, seat: Seat) -> Lab:
    """Return a seat's lab if it takes items now; at the Fair nobody does (MM-R62). Raises RuleBroken."""
    if state.phase in (Phase.PREP, Phase.FAIR, Phase.OVER):
        raise broken("no_items_at_fair", "Mad Science Fair")
    return lab_at(state, seat, Stage.ITEMS)


def take_tile(state: State, command: TakeTile) -> tuple[Event, ...]:
    lab = taking_items(state, command.seat)
    if lab.items < 1:
        raise broken("items_used", "Reanimate Table")
    return (taking(state, command.seat, command.spot, command.space),)


def taking(state: State, seat: Seat, spot: str, space: str) -> TileTaken:
    """Return the event of taking one tile; a full lab replaces a named one (MM-R46). Raises RuleBroken."""
    lab = state.labs[seat]
    tile = on_cart(state, seat).get(spot)
    if tile is None:
        raise broken("not_your_cart", "Reanimate Table", instead=say("instead.not_your_cart"))
    free = [name for name in UPGRADE_SPACES if name not in lab.tiles]
    where = space or (free[0] if free else "")
    if where not in UPGRADE_SPACES or (free and where not in free):
        raise broken("tile_space_taken", "MM-R46", instead=say("instead.replace_tile"))
    return TileTaken(seat, spot, where, tile, replaced=lab.tiles.get(where, ""))


def take_items(state: State, command: TakeItems) -> tuple[Event, ...]:
    """Take parts and tiles as items, as many or as few as wanted, then clear the lab (MM-R33, R35)."""
    lab = taking_items(state, command.seat)
    wanted = total(command.parts) + len(command.tiles)
    if wanted > lab.items or any(count < 1 for count in command.parts.values()):
        raise broken("too_many_items", "Reanimate Table", count=lab.items)
    offer = on_offer(state, command.seat)
    lacking = missing(offer, command.parts)
    if lacking:
        raise _not_on_offer(state, command.seat, lacking)
    events: list[Event] = []
    seen = state
    for spot, space in command.tiles.items():
        taken = taking(seen, command.seat, spot, space)
        seen = with_lab(
            seen,
            command.seat,
            replace(
                seen.labs[command.seat], tiles={**seen.labs[command.seat].tiles, taken.space: taken.tile}
            ),
        )
        events.append(taken)
    if command.parts:
        events.append(PartsGained(command.seat, dict(command.parts), "items"))
    return (*events, Cleared(command.seat))


def _not_on_offer(state: State, seat: Seat, lacking: dict[Token, int]) -> Exception:
    kinds = state.box.carts[cart_before(state, seat)]
    if any(kind not in kinds for kind in lacking):
        return broken("not_on_cart", "Reanimate Table", parts=heap(lacking))
    if missing(state.supply, lacking):
        return broken("supply_out", "MM-R20", parts=heap(lacking), instead=say("instead.supply_out"))
    before = [other for other in by_priority(state) if state.labs[other].stage is Stage.ITEMS]
    return broken("others_first", "MM-R36", seat=seat_name(before[0]), parts=heap(lacking))


def cleared(state: State, event: Cleared) -> State:
    """Completed cards to the pile, all tokens to the bag, unfinished cards stay (MM-R51, R52)."""
    lab = state.labs[event.seat]
    finished = [space for space in completed(state.box, lab) if space in lab.cards]
    tokens = plus(counted(lab.parts.values()), counted(lab.overflow))
    lab = replace(
        lab,
        bag=plus(lab.bag, tokens),
        parts={},
        overflow=(),
        cards={space: card for space, card in lab.cards.items() if space not in finished},
        pile=(*lab.pile, *(lab.cards[space] for space in finished)),
        leftovers=dict(lab.parts),
        stage=Stage.DONE,
        items=0,
    )
    return with_lab(state, event.seat, lab)


def end_forced(state: State, event: EndForced) -> State:
    labs = {
        seat: replace(lab, stage=Stage.PENDING, reanimates=True) if seat in event.seats else lab
        for seat, lab in state.labs.items()
    }
    return replace(state, labs=labs)


def follow(state: State) -> tuple[Event, ...]:
    """Resolve who is due, then a second wave if the track ran out (MM-R60, R70), then go on."""
    for seat in by_priority(state):
        if state.labs[seat].stage is Stage.PENDING:
            return (reanimation(state, seat),)
    if any(lab.stage is Stage.ITEMS for lab in state.labs.values()):
        return ()
    if state.track:
        return (RefreshBegun(spots_to_refill(state)),)
    late = tuple(seat for seat in by_priority(state) if not state.labs[seat].has_reanimated)
    return (EndForced(late),) if late else (PrepBegun(),)
