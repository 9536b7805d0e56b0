"""What may be done now: commands that ``decide`` would accept, one card or face at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from companion.game import RuleBroken, Seat
from companion.games.mad_science import moves as m
from companion.games.mad_science import options
from companion.games.mad_science.components import FACES, SEATS, Kind
from companion.games.mad_science.instructions import BATTLE_WORDS, BREAK_WORDS
from companion.games.mad_science.rules import setup
from companion.games.mad_science.rules.battle import HIT_WORDS
from companion.games.mad_science.rules.breaking import matching, targets
from companion.games.mad_science.rules.build import may_attach, may_draw, seen
from companion.games.mad_science.rules.course import decide
from companion.games.mad_science.rules.harm import in_turn_order
from companion.games.mad_science.state import Creature, Phase, Stage, State, life_of, untold
from companion.games.mad_science.words import EXPERIMENT


def legal(state: State, seat: Seat | None = None) -> Iterator[m.Command]:
    """Offer commands of one seat, or of every seat and of the whole table."""
    if seat is None:
        yield from _of_table(state)
    for name in state.waited_for():
        if seat in (None, name):
            yield from _of_seat(state, name, state.creatures[name])
    for name, creature in state.creatures.items():
        if seat in (None, name) and creature.fights and state.phase in (Phase.PLAY, Phase.BREAK):
            yield m.NameCreature(name, "Gustav" if creature.name != "Gustav" else "Gustav the Second")


def _of_table(state: State) -> Iterator[m.Command]:
    if setup.may_choose_options(state):
        for name, option in options.ALL.items():
            now = options.value(state.options, name)
            yield from (m.ChooseOptions({name: value}) for value in option.values if value != now)
    if state.phase is Phase.OPEN:
        yield from (m.SetUp(SEATS[:count]) for count in range(setup.LEAST_SEATS, len(SEATS) + 1))
        yield m.SetUp((SEATS[0], SEATS[3]))
        return
    if state.phase is not Phase.OVER:
        yield m.ShowOdds(not state.odds)
    if state.phase in (Phase.PLAY, Phase.BREAK):
        yield from _lives(state)


def _lives(state: State) -> Iterator[m.Command]:
    if state.phase is Phase.PLAY and state.killer is None:
        yield m.SetLife(EXPERIMENT, max(1, (state.experiment_life or 1) - 1))
    for seat, creature in state.creatures.items():
        if creature.fights and not creature.is_out:
            yield m.SetLife(seat, max(0, life_of(state, seat) - 1))


def _of_seat(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    offer = OFFERS.get(state.turn.stage)
    if offer is not None:
        yield from offer(state, seat, creature)


def _rolls(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield from (m.Roll(seat, face) for face in FACES)


def _attacks(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield from _rolls(state, seat, creature)
    if state.phase is Phase.BREAK and not state.turn.rolled:
        yield from _targets(state, seat, creature)


def _experiments(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield from (m.TurnUp(seat, card) for card, one in state.box.experiments.items() if one.life is not None)


def _bodies(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    if not creature.body:
        yield from (m.DealBody(seat, body) for body in setup.bodies_left(state))


def _plays(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield m.Skip(seat)
    yield from _draws(state, seat, creature)
    if not creature.hand:
        return
    for part in state.box.parts.values():
        if seen(state, part.id) < part.copies and may_attach(state, creature, part):
            yield m.Play(seat, part.id)
    for card in state.box.adaptors if not creature.adaptor else ():
        if seen(state, card) < state.box.copies(card):
            yield from (m.Play(seat, card, kind) for kind in Kind if kind not in creature.parts)


def _draws(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    for source in m.Source:
        if may_draw(state, source):
            yield m.Draw(seat, source)
            yield m.Finish(seat, source)


def _discards(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield m.Discard(seat)
    named = (card for card in state.box.names if seen(state, card) < state.box.copies(card))
    yield from (m.Discard(seat, card) for card in named)


def _numbers(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    for sheet, card in untold(state.box, creature):
        cells = {"life": "3"}
        if sheet == "parts":
            part = state.box.parts[card]
            cells = {"life": str(part.life or 0), "number": str(part.number or 1)}
            cells |= {"special": str(part.special or 0)} if part.kind is Kind.WEAPON else {}
        yield m.TellCard(seat, sheet, card, cells)


def _boxes(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    words = BREAK_WORDS if state.phase is Phase.BREAK else BATTLE_WORDS
    yield from (m.TellBox(seat, word) for word in words)


def _moves(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield from _rolls(state, seat, creature)
    yield m.EndMove(seat)
    if state.box.experiments[state.experiment].does:
        yield m.DoMove(seat)
    ring = in_turn_order(state, seat)
    hits = [m.Hit(seat, (EXPERIMENT, seat), "lose_1"), m.Hit(seat, ring, "lose_2")]
    hits += [m.Hit(seat, (one,), word) for one in ring for word in HIT_WORDS]
    yield from (hit for hit in hits if _is_taken(state, hit))


def _is_taken(state: State, command: m.Command) -> bool:
    """Say whether an effect would do anything: what is gone cannot drop."""
    try:
        decide(state, command)
    except RuleBroken:
        return False
    return True


def _conflicts(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield from (m.TurnUp(seat, card) for card in state.box.conflicts)


def _targets(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    yield from (m.Target(seat, other) for other in targets(state, seat))


def _takes(state: State, seat: Seat, creature: Creature) -> Iterator[m.Command]:
    if state.turn.target is not None:
        yield from (m.Take(seat, kind) for kind in matching(state, state.turn.target, state.turn.face))


OFFERS: Mapping[Stage, Callable[[State, Seat, Creature], Iterator[m.Command]]] = {
    Stage.FIRST: _rolls,
    Stage.TURN_UP: _experiments,
    Stage.BODY: _bodies,
    Stage.DEAL: lambda state, seat, creature: iter((m.DealHands(seat),)),
    Stage.PLAY: _plays,
    Stage.DRAW: _draws,
    Stage.DISCARD: _discards,
    Stage.COUNT: _numbers,
    Stage.ROLL: _attacks,
    Stage.TWICE: _rolls,
    Stage.TELL: _boxes,
    Stage.RECOVER: _rolls,
    Stage.MOVE: _moves,
    Stage.REVEAL: _conflicts,
    Stage.TARGET: _targets,
    Stage.TAKE: _takes,
}
