"""What seats may say now that are not followed token by token, and how closely any may be followed."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Seat
from companion.games.making_monsters import moves as m
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import ROT_TAKEN, SEATS, Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.rules import lester, reporting
from companion.games.making_monsters.rules.depth import RESUMING
from companion.games.making_monsters.state import Lab, Phase, Stage, State


def of_reporting_seat(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    """Offer what a seat in depth ``results`` or ``score`` may say now."""
    match lab.stage:
        case Stage.ORDER | Stage.LAID | Stage.TELL:
            yield from _orders(state, seat, lab)
        case Stage.COUNT:
            yield from (r.CountRot(seat, rot) for rot in (0, 7, 7 + SEATS.index(seat)))
        case Stage.LESTER:
            yield from (m.PlayLester(seat, card) for card in lester.unused(state, lab))
        case Stage.REPORT:
            yield from _points(state, seat, lab)
        case Stage.DRAW | Stage.DECIDE | Stage.DECIDED if not lab.is_bust:
            yield from (_points if lab.depth is Depth.SCORE else _results)(state, seat, lab)


def _orders(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    is_told = state.phase is Phase.REVEAL and lab.stage is Stage.LAID
    if state.phase in (Phase.ORDER, Phase.REVEAL) and not is_told:
        yield from (m.ChooseOrder(seat, order) for order in Order)
    if lab.stage is Stage.ORDER:
        yield m.Ready(seat)


def _results(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    if reporting.may_complete(lab):
        yield from (r.Complete(seat, card) for card in reporting.known_monsters(state, lab)[:3])
        worth = reporting.printed_worths(state)
        yield from (r.Complete(seat, prestige=n) for n in worth[:: max(1, len(worth) // 2)])
    yield from (r.NotComplete(seat, place) for place in range(len(lab.done)))
    if lab.stage is Stage.DRAW:
        yield r.GoBust(seat)
        yield m.Finish(seat)
    if state.phase is Phase.DELIVERIES and not (lab.stage is Stage.DRAW and reporting.plays_card(lab)):
        yield m.Decide(seat, True)
        yield m.Decide(seat, False)


def _points(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    yield from (r.TellPoints(seat, 5 * rot, rot) for rot in range(max(ROT_TAKEN) + 1))
    if state.phase is Phase.DELIVERIES:
        yield m.Decide(seat, False)


def depths(state: State, seat: Seat, lab: Lab) -> Iterator[m.Command]:
    """Offer the other depths, a new total where one may be entered, and the way back to every token."""
    if state.phase is Phase.OVER:
        return
    if lab.stage is not Stage.REPORT:
        others = (depth for depth in (Depth.RESULTS, Depth.SCORE) if depth is not lab.depth)
        yield from (r.SetDepth(seat, depth) for depth in others)
    if lab.is_followed:
        return
    yield r.SetTotal(seat, lab.score + 2, "miscounted")
    if lab.stage in RESUMING.get(state.phase, ()):
        yield r.Resume(seat, dict(lab.held), dict(lab.cards), {}, dict(lab.tiles))
