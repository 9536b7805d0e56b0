"""A table that is taken over as it stands, from its position line; and what no table can be like."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.game import Seat, Sentence
from companion.games.mad_science.components import HAND
from companion.games.mad_science.events import Event, TakenOver
from companion.games.mad_science.moves import TakeOver
from companion.games.mad_science.position import from_position, position
from companion.games.mad_science.rules.setup import LEAST_SEATS
from companion.games.mad_science.state import Creature, Phase, Stage, State, Turn, changed, untold
from companion.games.mad_science.words import broken, say

ON_TURN = frozenset(Stage) - {Stage.NOTHING, Stage.ARRIVE, Stage.COUNT}
"""Stages at which a table waits for somebody."""


def take_over(state: State, command: TakeOver) -> tuple[Event, ...]:
    if state.phase is not Phase.OPEN:
        raise broken("already_set_up", "Setup")
    try:
        there = from_position(command.position, state.box)
    except ValueError as wrong:
        raise broken("position", "Setup", what=str(wrong)) from wrong
    there = _as_told(there, command)
    impossible = why_impossible(there) or _why_not_to_play(there)
    if impossible is not None:
        raise broken("impossible", "Setup", why=impossible)
    return (TakenOver(position(there)),)


def _as_told(there: State, command: TakeOver) -> State:
    """Return a position with what was told besides: the Experiment, LIFE, whose turn it is."""
    for seat, life in command.lives.items():
        if life >= 0 and seat in there.creatures and there.creatures[seat].fights:
            there = changed(there, seat, life=life)
    if command.experiment:
        there = replace(there, experiment=command.experiment)
    if command.experiment_life >= 0:
        there = replace(there, experiment_life=command.experiment_life)
    seat = Seat(command.turn)
    if seat not in there.creatures:
        return there
    stage = Stage.ROLL if there.creatures[seat].fights else Stage.PLAY
    return replace(there, turn=Turn(seat, stage))


def taken_over(state: State, event: TakenOver) -> State:
    return from_position(event.position, state.box)


def why_impossible(state: State) -> Sentence | None:
    """Return what contradicts the box in a position; None if it is possible."""
    if state.phase is Phase.OPEN:
        return None
    box, creatures = state.box, state.creatures.values()
    laid = Counter(
        card for one in creatures for card in (*one.parts.values(), one.adaptor) if card
    ) + Counter(card for card in state.heap if card)
    over = [card for card, count in laid.items() if count > box.copies(card)]
    if over:
        return say("why.card", card=box.name(over[0]))
    bodies = [one.body for one in creatures if one.body]
    if len(bodies) != len(set(bodies)) or not set(bodies) <= set(box.bodies):
        return say("why.bodies")
    if any(kind is not box.parts[card].kind for one in creatures for kind, card in one.parts.items()):
        return say("why.kinds")
    return None


def _why_not_to_play(state: State) -> Sentence | None:
    """Return why nobody could go on from a position; None if it can be played."""
    if len(state.creatures) < LEAST_SEATS:
        return say("why.seats")
    if state.phase not in (Phase.PLAY, Phase.BREAK):
        return say("why.phase")
    if set(state.order) != set(state.creatures) or len(state.order) != len(state.creatures):
        return say("why.order")
    if state.turn.seat not in state.creatures or state.turn.stage not in ON_TURN:
        return say("why.turn")
    if state.experiment not in state.box.experiments or state.experiment_life is None:
        return say("why.experiment")
    return _why_not_to_fight(state) or next(filter(None, map(_why_creature, state.creatures.values())), None)


def _why_not_to_fight(state: State) -> Sentence | None:
    if any(one.fights and untold(state.box, one) for one in state.creatures.values()):
        return say("why.untold")
    if state.phase is Phase.PLAY:
        return None if state.experiment_life else say("why.experiment")
    has_ranks = all(one.rank is not None for one in state.creatures.values())
    is_shown = state.conflict in state.box.conflicts or state.turn.stage is Stage.REVEAL
    return None if has_ranks and is_shown and state.killer is not None else say("why.conflict")


def _why_creature(creature: Creature) -> Sentence | None:
    if not creature.body:
        return say("why.bodies")
    if not 0 <= creature.hand <= HAND + 1:
        return say("why.hand")
    return None
