"""What may be done now: commands that ``decide`` would accept, one token or card at a time."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import RuleBroken, Seat
from companion.games.making_monsters import moves as m
from companion.games.making_monsters import options
from companion.games.making_monsters.components import SEATS, USEFUL, Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.legal_reports import depths, of_reporting_seat
from companion.games.making_monsters.parts import counted
from companion.games.making_monsters.rules import (
    acting,
    deliveries,
    lester,
    reanimate,
    refresh,
    setup,
    upgrades,
)
from companion.games.making_monsters.rules.course import decide
from companion.games.making_monsters.rules.placing import possible_moves, spaces_for
from companion.games.making_monsters.rules.priority import free_parts
from companion.games.making_monsters.state import Lab, Phase, Stage, State, asked_about, may_move


def legal(state: State, seat: Seat | None = None) -> Iterator[m.Command]:
    """Offer commands of one seat, or of every seat and of the whole table."""
    if seat is None:
        yield from _of_table(state)
    for name, lab in state.labs.items():
        if seat in (None, name):
            yield from (_of_seat if lab.is_followed else of_reporting_seat)(state, name, lab)
    for name, lab in state.labs.items():
        if seat in (None, name):
            yield from depths(state, name, lab)


def _of_table(state: State) -> Iterator[m.Command]:
    if setup.may_choose_options(state):
        yield from _options(state)
    if state.phase is Phase.OPEN:
        for count in (2, 3, 4):
            for track in {1, setup.usual_track(state.box, count)}:
                yield m.SetUp(SEATS[:count], min(track, setup.longest_track(state.box, count)))
        yield m.SetUp((SEATS[0], SEATS[2]), 5)
        yield from (m.SetUp(SEATS[:3], 4, depth=depth) for depth in (Depth.RESULTS, Depth.SCORE))
        return
    if state.phase is not Phase.OVER:
        yield m.ShowOdds(not state.odds)
    if state.phase is Phase.REFRESH and not state.is_turned:
        yield m.TurnBoard(None)
        yield m.TurnBoard((1 - state.astray) % 4 or 4)
    elif state.astray:
        yield m.TurnBoard(None)
    for place in refresh.unnamed_tiles(state)[:1]:
        named = (m.NameTiles({place: tile}) for tile in state.box.tiles)
        yield from (command for command in named if _is_taken(state, command))


def _options(state: State) -> Iterator[m.Command]:
    """Offer every option with every value that it does not have now."""
    for name, option in options.ALL.items():
        now = options.value(state.box, state.options, name)
        yield from (m.ChooseOptions({name: value}) for value in option.values if value != now)


def _of_seat(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    box = state.box
    for card in asked_about(box, lab):
        monster = box.monsters[card]
        parts = monster.parts or (USEFUL[0],) * (monster.part_spaces or 2)
        yield m.TellCard(seat, card, prestige=monster.worth or 1, parts=parts)
    if asked_about(box, lab):
        return
    if may_move(state, lab):
        yield from (m.MoveParts(seat, (move,)) for move in possible_moves(box, lab))
    match lab.stage:
        case Stage.CARD:
            for card in sorted(setup.hidden_cards(state)):
                yield from (m.PlaceCard(seat, card, space) for space in setup.open_spaces(lab))
        case Stage.ORDER | Stage.LAID | Stage.TELL:
            if state.phase in (Phase.ORDER, Phase.REVEAL) and not (
                state.phase is Phase.REVEAL and lab.stage is Stage.LAID
            ):
                yield from (m.ChooseOrder(seat, order) for order in Order)
            if lab.stage is Stage.ORDER:
                yield m.Ready(seat)
        case Stage.KEEP:
            for card in sorted(setup.hidden_cards(state)):
                yield from (m.KeepCard(seat, card, space) for space in refresh.keep_spaces(box, lab))
        case Stage.CHOOSE:
            yield m.ChooseFive(seat, tuple((card, "") for card in lab.pile[:5]))
            yield m.ChooseFive(seat, tuple((card, "") for card in lab.pile[-3:]))
        case _:
            yield from _of_deliveries(state, seat, lab)


def _of_deliveries(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    match lab.stage:
        case Stage.STOCK | Stage.DRAW:
            for kind in lab.bag:
                yield from (m.Deliver(seat, ((kind, space),)) for space in spaces_for(state.box, lab, kind))
            if deliveries.may_stop(state, lab):
                yield m.Finish(seat)
        case Stage.ADD | Stage.LESTER | Stage.DECIDE | Stage.DECIDED:
            yield from _after_drawing(state, seat, lab)
        case _:
            yield from (command for command in _of_upgrades(state, seat, lab) if _is_taken(state, command))


def _after_drawing(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    match lab.stage:
        case Stage.ADD:
            adding = (m.AddPart(seat, kind) for kind in deliveries.addable(state, lab))
            yield from (command for command in adding if _is_taken(state, command))
        case Stage.LESTER:
            yield from _lesters(state, seat, lab)
        case Stage.DECIDE | Stage.DECIDED:
            if not lab.is_bust and state.phase is Phase.DELIVERIES:
                yield m.Decide(seat, True)
                yield m.Decide(seat, False)


def _of_upgrades(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    match lab.stage:
        case Stage.ITEMS:
            yield from _items(state, seat, lab)
        case Stage.SPARE:
            yield from _lesters(state, seat, lab)
            yield m.LeaveLester(seat)
        case Stage.COUPON:
            yield from (m.AddPart(seat, kind) for kind in deliveries.addable(state, lab))
        case Stage.CHILL:
            may_stay = upgrades.chillable(lab)
            yield m.Chill(seat)
            yield from (m.Chill(seat, (space,)) for space in may_stay)
            yield m.Chill(seat, may_stay[: upgrades.chilled(lab)])


def _is_taken(state: State, command: m.Command) -> bool:
    """Say whether the rules take a command that a seat with priority may still stand in the way of."""
    try:
        decide(state, command)
    except RuleBroken:
        return False
    return True


def _lesters(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    for card in lester.unused(state, lab):
        offers = _of_card(state, seat, lab, card)
        yield from (command for command in offers if _is_taken(state, command))


def _of_card(state: State, seat: Seat, lab: Lab, card: str) -> Iterator[m.Command]:
    due, free = lester.chosen_kinds(state, card), free_parts(state, seat)
    heap = [kind for kind in USEFUL for _ in range(free.get(kind, 0))]
    if card == "expand" and lester.has_effect(state, lab, card):
        for spot, tile in upgrades.expandable(state, lab).items():
            yield m.PlayLester(seat, card, spot=spot, space=_space(state, lab, tile))
        return
    yield m.PlayLester(seat, card, tuple(heap[:due]))
    if due:
        yield m.PlayLester(seat, card, tuple(heap[-due:]))


def _space(state: State, lab: Lab, tile: str) -> str:
    """Return the space to name for a tile: none, unless it has to replace another."""
    if upgrades.has_room(state, lab, tile):
        return ""
    return upgrades.replaceable_tiles(state, lab)[-1]


def _items(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    yield m.TakeItems(seat)
    for card in acting.actions_left(state, lab):
        yield m.Act(seat, card, prestige=1)
        yield m.Act(seat, card, parts=counted([USEFUL[0]]))
    offer = reanimate.on_offer(state, seat)
    heap = [kind for kind, count in offer.items() for _ in range(min(count, lab.items))]
    if heap:
        yield m.TakeItems(seat, counted(heap[: lab.items]))
        yield m.TakeItems(seat, counted(heap[-lab.items :]))
    if not lab.items:
        return
    for spot, tile in reanimate.tiles_on_offer(state, seat).items():
        space = _space(state, lab, tile)
        yield m.TakeTile(seat, spot, space)
        yield m.TakeItems(seat, {}, {spot: space})
