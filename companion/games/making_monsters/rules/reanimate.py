"""Reanimate: by choice or bust, by the table, in order of priority, then items and the clean-up."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import BONUS, ITEMS, REPLICATES, ROT_TAKEN, Token
from companion.games.making_monsters.events import (
    Cleared,
    DecisionsShown,
    EndForced,
    Event,
    ItemsTaken,
    PartsGained,
    PrepBegun,
    Reanimated,
    RefreshBegun,
    TileTaken,
)
from companion.games.making_monsters.moves import Chill, TakeItems, TakeTile
from companion.games.making_monsters.parts import counted, minus, missing, plus, total
from companion.games.making_monsters.rules import upgrades
from companion.games.making_monsters.rules.acting import acted, reanimated_cards
from companion.games.making_monsters.rules.carts import by_priority, carts_of, within_reach
from companion.games.making_monsters.rules.lester import check_free
from companion.games.making_monsters.rules.priority import first_before, free_parts, free_spots
from companion.games.making_monsters.rules.refresh import spots_to_refill
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.state import (
    REANIMATING,
    Lab,
    Phase,
    Stage,
    State,
    asked_about,
    completed,
    shown,
)
from companion.games.making_monsters.words import broken, heap, say, seat_name


def points_of(state: State, lab: Lab) -> int:
    """Return the printed prestige of the monsters that a lab has completed, as far as it is known."""
    monsters = (shown(state.box, lab, space) for space in completed(state.box, lab))
    return sum(monster.worth for monster in monsters if monster is not None)


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
        med_school=upgrades.school_prestige(lab),
    )


def reanimated(state: State, event: Reanimated) -> State:
    lab = state.labs[event.seat]
    earned = lab.earning(("monsters", event.points), ("bonus", event.bonus), ("med_school", event.med_school))
    rot = event.from_track + event.from_supply
    lab = replace(
        lab,
        stage=Stage.ITEMS,
        items=event.items,
        earned=earned,
        bag=plus(lab.bag, {Token.ROT: rot}),
        has_reanimated=True,
        working=tuple(lab.tiles.values()),
    )
    lab = replace(lab, spare=lab.spare + upgrades.spare_at_reanimation(state, lab))
    return replace(
        with_lab(state, event.seat, lab),
        track=state.track - event.from_track,
        supply=minus(state.supply, {Token.ROT: event.from_supply}),
    )


def on_offer(state: State, seat: Seat) -> dict[Token, int]:
    """Return the parts that a seat may take from the supply now, by what its carts print."""
    free = free_parts(state, seat)
    kinds = dict.fromkeys(kind for cart in carts_of(state, seat) for kind in state.box.carts[cart])
    return {kind: free[kind] for kind in kinds if kind is not Token.ROT and kind in free}


def taking_items(state: State, seat: Seat) -> Lab:
    """Return a seat's lab if it takes items now; at the Fair nobody does (MM-R62). Raises RuleBroken."""
    if state.phase in (Phase.PREP, Phase.FAIR, Phase.OVER):
        raise broken("no_items_at_fair", "Mad Science Fair")
    return lab_at(state, seat, Stage.ITEMS)


def tiles_on_offer(state: State, seat: Seat) -> dict[str, str]:
    """Return the tiles that a seat may take as items now, by spot."""
    free = free_spots(state, seat)
    return {spot: tile for spot, tile in within_reach(state, seat).items() if spot in free}


def take_tile(state: State, command: TakeTile) -> tuple[Event, ...]:
    lab = taking_items(state, command.seat)
    if lab.items < 1:
        raise broken("items_used", "Reanimate Table")
    return taking(state, command.seat, command.spot, command.space)


def taking(state: State, seat: Seat, spot: str, space: str) -> tuple[Event, ...]:
    """Return the events of taking one tile, with what it gives at once (MM-R41, R46). Raises RuleBroken."""
    lab, tile = state.labs[seat], within_reach(state, seat).get(spot)
    if tile is None:
        raise broken("not_your_cart", "Reanimate Table", instead=say("instead.not_your_cart"))
    if spot not in free_spots(state, seat):
        raise broken("tile_claimed", "MM-R36", seat=seat_name(first_before(state, seat)))
    where = upgrades.space_for(state, lab, tile, space)
    if where is None:
        raise broken("tile_space_taken", "MM-R46", instead=say("instead.replace_tile"))
    taken = TileTaken(seat, spot, where, tile, replaced=lab.tiles.get(where, ""))
    gained = upgrades.gained_at_once(upgrades.tile_taken(state, taken), seat, tile)
    for event in gained:
        check_free(state, seat, event.parts)
    return (taken, *gained)


def take_items(state: State, command: TakeItems) -> tuple[Event, ...]:
    """Take tiles and parts as items, as many or as few as wanted; then the upgrades pay (MM-R33, R35)."""
    seat, lab = command.seat, taking_items(state, command.seat)
    wanted = total(command.parts) + len(command.tiles)
    if wanted > lab.items or any(count < 1 for count in command.parts.values()):
        raise broken("too_many_items", "Reanimate Table", count=lab.items)
    events: list[Event] = []
    for spot, space in command.tiles.items():
        for event in taking(state, seat, spot, space):
            state = _ahead(state, event)
            events.append(event)
    lacking = missing(on_offer(state, seat), command.parts)
    if lacking:
        raise _not_on_offer(state, seat, lacking)
    if command.parts:
        events.append(PartsGained(seat, dict(command.parts), "items"))
        state = _ahead(state, events[-1])
    # What the replicators give follows by itself, so it must be free now.
    check_free(state, seat, upgrades.as_far_as_there_is(state, upgrades.due(state, lab)))
    return (*events, ItemsTaken(seat))


def _ahead(state: State, event: Event) -> State:
    """Look one event of taking items ahead."""
    if isinstance(event, TileTaken):
        return upgrades.tile_taken(state, event)
    return upgrades.parts_gained(state, event) if isinstance(event, PartsGained) else state


def items_taken(state: State, event: ItemsTaken) -> State:
    lab = replace(state.labs[event.seat], items=0)
    return with_lab(state, event.seat, replace(lab, stage=upgrades.stage_after(state, lab)))


def chill(state: State, command: Chill) -> tuple[Event, ...]:
    """Keep tokens in the Refrigeration and clear the rest of the lab (MM-R44, R69)."""
    lab = lab_at(state, command.seat, Stage.CHILL)
    if len(command.kept) > upgrades.chilled(lab):
        raise broken("too_cold", "MM-R69", count=upgrades.chilled(lab))
    if len(set(command.kept)) < len(command.kept) or not set(command.kept) <= set(upgrades.chillable(lab)):
        raise broken("not_there_to_keep", "MM-R69")
    return (Cleared(command.seat, command.kept),)


def _not_on_offer(state: State, seat: Seat, lacking: dict[Token, int]) -> Exception:
    kinds = {kind for cart in carts_of(state, seat) for kind in state.box.carts[cart]}
    if any(kind not in kinds for kind in lacking):
        return broken("not_on_cart", "Reanimate Table", parts=heap(lacking))
    if missing(state.supply, lacking):
        return broken("supply_out", "MM-R20", parts=heap(lacking), instead=say("instead.supply_out"))
    first = seat_name(first_before(state, seat))
    return broken("others_first", "MM-R36", seat=first, parts=heap(lacking))


def cleared(state: State, event: Cleared) -> State:
    """Cards that are done to the pile, tokens to the bag but for the kept, other cards stay (MM-R51, R52)."""
    lab = state.labs[event.seat]
    finished = [space for space in completed(state.box, lab) if space in lab.cards]
    cold = {end: lab.parts[start] for start, end in upgrades.into_the_cold(lab, event.kept).items()}
    tokens = plus(counted(lab.parts.values()), counted(lab.overflow))
    lab = replace(
        lab,
        bag=plus(lab.bag, minus(tokens, counted(cold.values()))),
        parts=cold,
        overflow=(),
        cards={space: card for space, card in lab.cards.items() if space not in finished},
        pile=(*lab.pile, *(lab.cards[space] for space in finished)),
        leftovers={space: kind for space, kind in lab.parts.items() if space not in (*cold, *event.kept)},
        stage=Stage.DONE,
        items=0,
        working=(),
        spare=0,
        acted=(),
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
        lab = state.labs[seat]
        if lab.stage is Stage.PENDING:
            # Nobody scores before what a card is worth is known, and nobody overtakes (MM-R36).
            if asked_about(state.box, lab):
                return ()
            return (reanimation(state, seat), *acted(state, seat, reanimated_cards(state, lab)))
        if lab.stage in (Stage.COUPON, Stage.CHILL, Stage.SWEEP):
            paid = _paying(state, seat, lab)
            if paid:
                return paid
    if any(lab.stage in (*REANIMATING, Stage.REPORT) for lab in state.labs.values()):
        return ()
    if state.track:
        return (RefreshBegun(spots_to_refill(state)),)
    late = tuple(seat for seat in by_priority(state) if not state.labs[seat].has_reanimated)
    return (EndForced(late),) if late else (PrepBegun(),)


def _paying(state: State, seat: Seat, lab: Lab) -> tuple[Event, ...]:
    """Return what upgrades pay by themselves once the items are taken, then the clean-up."""
    if any(tile in REPLICATES for tile in lab.working):
        given = upgrades.as_far_as_there_is(state, upgrades.due(state, lab))
        return (PartsGained(seat, given, upgrades.AT_REANIMATION),)
    if lab.stage is Stage.COUPON and not upgrades.coupon_kinds(state):
        return (PartsGained(seat, {}, upgrades.BY_COUPON),)
    return (Cleared(seat),) if lab.stage is Stage.SWEEP else ()
