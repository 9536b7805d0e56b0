"""What seats that are not followed token by token are asked, and what they are reminded of."""

from __future__ import annotations

from companion.game import Choice, Prompt, Seat, Sentence, Tone, Weight
from companion.games.making_monsters.asking_reports import (
    card_choices,
    complete_choices,
    count_form,
    outcome_choices,
    points_choices,
    withdraw_choices,
)
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.rules import reporting
from companion.games.making_monsters.rules.carts import cart_before
from companion.games.making_monsters.setting_up import own_steps
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.games.making_monsters.words import say

REPORTED = (Stage.DRAW, Stage.DECIDE, Stage.LESTER, Stage.REPORT, Stage.COUNT)
"""Stages in which such a seat is asked something else than a seat that is followed."""


def report_prompt(state: State, seat: Seat, lab: Lab) -> Prompt:
    """Return what a seat in depth ``results`` or ``score`` is asked in a stage of ``REPORTED``."""
    key = f"{seat}.{state.round}.{lab.stage}.{lab.depth}"
    match lab.stage:
        case Stage.LESTER:
            choices = card_choices(state, seat, lab)
            more = (say("more.card_by_hand"),)
            return Prompt(
                seat, say("ask.lester_named"), "L.E.S.T.E.R. Cards", Tone.ACT, choices, more, key=key
            )
        case Stage.COUNT:
            form = (count_form(seat, lab),)
            return Prompt(seat, say("ask.count_rot"), "Final Score", Tone.ACT, form, key=key)
        case _ if lab.depth is Depth.SCORE:
            points = points_choices(state, seat, lab)
            return Prompt(
                seat, say("ask.points"), _rule(state), Tone.ACT, points, _terms(state, lab), key=key
            )
        case _:
            return _results(state, seat, lab, key)


def _rule(state: State) -> str:
    return "Mad Science Fair" if state.phase is Phase.FAIR else "Reanimate"


def _results(state: State, seat: Seat, lab: Lab, key: str) -> Prompt:
    choices = (
        *complete_choices(state, seat, lab),
        *outcome_choices(state, seat, lab),
        *withdraw_choices(state, seat, lab),
    )
    ask = say("ask.results_decide")
    if lab.stage is Stage.DRAW:
        ask = say("ask.results_fair" if state.phase is Phase.FAIR else "ask.results")
    more = (*_terms(state, lab), *so_far(lab))
    # The question stays the same while monsters are told one by one.
    return Prompt(seat, ask, _rule(state), Tone.ACT, choices, more, key=key)


def _terms(state: State, lab: Lab) -> tuple[Sentence, ...]:
    if lab.stage is not Stage.DRAW or state.phase is not Phase.DELIVERIES or lab.order is None:
        return ()
    return (say(f"terms.{lab.order}_{'super' if lab.is_super else 'base'}"),)


def so_far(lab: Lab) -> tuple[Sentence, ...]:
    """Return how many monsters are reported, and what they are worth."""
    if not lab.done:
        return ()
    return (say("more.so_far", count=len(lab.done), points=reporting.points_of(lab)),)


def changes(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Return how a decision may still be changed."""
    if lab.is_bust or lab.stage is not Stage.DECIDED:
        return ()
    if lab.depth is Depth.SCORE:
        return tuple(_quiet(choice) for choice in points_choices(state, seat, lab))
    return outcome_choices(state, seat, lab, Weight.QUIET)


def _quiet(choice: Choice) -> Choice:
    return Choice(choice.label, choice.command, choice.fields, Weight.QUIET, choice.group, choice.sign)


def by_hand(state: State, seat: Seat, lab: Lab) -> tuple[Sentence, ...]:
    """Return what hands do now although nobody is asked about it, besides what ``hands`` says."""
    match state.phase:
        case Phase.ORDER if state.round == 1:
            return (*own_steps(state, seat), say("more.first_by_hand"))
        case Phase.REANIMATE if lab.stage is Stage.DONE:
            return _rewards(state, seat, lab)
        case Phase.REFRESH:
            rewards = () if state.is_turned else _rewards(state, seat, lab)
            return (*rewards, say("ask.keep"))
        case Phase.PREP:
            return (say("ask.five"),)
        case _:
            return ()


def _rewards(state: State, seat: Seat, lab: Lab) -> tuple[Sentence, ...]:
    if not lab.items:
        return ()
    items = say("more.items_by_hand", count=lab.items, cart=cart_before(state, seat) + 1)
    return (items, say("hands.clear"), say("more.finished_by_hand"))
