"""Who does what now: one short sentence a seat, and everything that can be answered by taps alone.

``deed`` of a prompt tells hands what to do at the table before they answer:

``lay_parts`` true      lay out parts of the own hand to be discarded, and say which
``look`` n, ``deck``    look at so many cards of a research deck, and say which is played
``follow`` phase        play a phase whose rules are not ours, and say what it brought
``watch`` true          say when the village or the graveyard is empty (the whole table's deed)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.game import Choice, Prompt, Seat, Sentence, Tone, Weight
from companion.games.monster_graveyard.asking import (
    acquire_choices,
    drop_choices,
    experiment_choices,
    finish_choice,
    monster_forms,
    options_form,
    phase_choices,
    play_choices,
    reanimate_form,
    record_form,
    round_choices,
    set_up_form,
    tell_special_form,
    terrorize_choices,
)
from companion.games.monster_graveyard.components import DECKS, LOOKED_AT, Form
from companion.games.monster_graveyard.guide import guide
from companion.games.monster_graveyard.hands import hands
from companion.games.monster_graveyard.rulebook import (
    ACQUIRE,
    ACTIONS,
    OVERVIEW,
    RESTRICTIONS,
    SUMMARY,
)
from companion.games.monster_graveyard.rules import setup
from companion.games.monster_graveyard.setting_up import own_steps
from companion.games.monster_graveyard.state import Lab, Phase, Stage, State
from companion.games.monster_graveyard.words import attribute_name, card_name, say, seat_names


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the prompts of the whole table first, then one of every seat."""
    return (*table_prompts(state), *(seat_prompt(state, seat) for seat in state.labs))


def table_prompts(state: State) -> tuple[Prompt, ...]:
    """Return what anybody may do for the table: set up, say that a round is over, change the options."""
    if state.phase is Phase.OPEN:
        # Under a heading of their own they are folded: most tables never need them.
        form = (set_up_form(state), options_form(state, say("group.options")))
        return (Prompt(None, say("ask.set_up"), OVERVIEW, Tone.ACT, form, key="set_up"),)
    asked = []
    if state.is_running:
        more = hands(state, None)
        choices = round_choices(state, None)
        watch = {"watch": True}
        asked.append(Prompt(None, say("ask.rounds"), OVERVIEW, Tone.WAIT, choices, more, watch, "rounds"))
    if setup.may_choose_options(state):
        choices = (options_form(state),)
        asked.append(Prompt(None, say("ask.options"), OVERVIEW, Tone.WAIT, choices, key="options"))
    return tuple(asked)


def seat_prompt(state: State, seat: Seat) -> Prompt:
    """Return what one seat should do now, or whom it waits for."""
    lab = state.labs[seat]
    prompt = ASKING.get(lab.stage, _waiting)(state, seat, lab)
    if prompt.tone is not Tone.WAIT:
        prompt = replace(prompt, guide=guide(lab.stage))
    if not state.is_running:
        return prompt
    folded: tuple[Choice, ...] = (*round_choices(state, seat), *monster_forms(lab, seat))
    if lab.stage is not Stage.RECORD:
        folded = (*folded, record_form(state, seat, is_done=False))
    return replace(prompt, choices=(*prompt.choices, *folded))


def _key(state: State, seat: Seat, lab: Lab) -> str:
    return f"{seat}.{state.turn}.{state.phase}.{lab.stage}"


def _waiting(state: State, seat: Seat, lab: Lab) -> Prompt:
    if state.phase is Phase.OVER:
        return Prompt(seat, say("ask.over"), OVERVIEW, Tone.WAIT, more=(say("tidy.own"),), key="over")
    others = tuple(other for other in state.waited_for() if other != seat)
    waits = say("ask.wait", seats=seat_names(others))
    more = hands(state, seat)
    return Prompt(seat, waits, SUMMARY, Tone.WAIT, (), more, key=_key(state, seat, lab))


def _choose(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = phase_choices(state, seat)
    more = (*own_steps(state), *hands(state, seat))
    if Phase.LABORATORY in state.open_phases():
        more = (*more, say("more.bonus"))
    return Prompt(
        seat,
        say("ask.choose"),
        OVERVIEW,
        Tone.ACT,
        choices,
        more,
        key=f"{_key(state, seat, lab)}.{len(choices)}",
    )


def _act(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = (
        *experiment_choices(lab, seat),
        *acquire_choices(state, seat, lab),
        reanimate_form(state, seat),
        finish_choice(seat, Weight.PLAIN, "neither"),
        tell_special_form(seat),
    )
    more = (*hands(state, seat), *_forms_add(state), *_upgrades_add(state, lab), *affords(state, lab))
    deed = {"lay_parts": True}
    return Prompt(
        seat, say("ask.act"), ACTIONS, Tone.ACT, choices, more, deed, _key(state, seat, lab), why="new"
    )


def _forms_add(state: State) -> tuple[Sentence, ...]:
    """Say what a part of each form adds, as this box prints it."""
    adds = tuple(
        say("form_adds", form=say(f"form.{form}"), count=count, attribute=attribute_name(attribute))
        for form in Form
        for attribute, count in state.box.forms[form].items()
    )
    return (say("more.forms", adds=adds),) if adds else ()


def _upgrades_add(state: State, lab: Lab) -> tuple[Sentence, ...]:
    names = tuple(card_name(state.box, card) for card in lab.upgrades)
    return (say("more.upgrades", cards=names, count=len(names)),) if names else ()


def affords(state: State, lab: Lab) -> tuple[Sentence, ...]:
    """Say for which decks the research points are enough, and how many are short for the others."""
    said = []
    for deck in DECKS:
        short = int(deck) - lab.rp
        if state.decks[deck].is_empty:
            said.append(say("deck_empty", deck=deck))
        elif short > 0:
            said.append(say("deck_short", deck=deck, count=short))
        else:
            said.append(say("deck_enough", deck=deck))
    return (say("more.afford", rp=lab.rp, decks=tuple(said)),)


def _buy(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = (*acquire_choices(state, seat, lab), finish_choice(seat, Weight.PRIMARY, "no_card"))
    more = (*hands(state, seat), *affords(state, lab))
    return Prompt(
        seat, say("ask.buy"), ACQUIRE, Tone.ACT, choices, more, key=_key(state, seat, lab), why="rp"
    )


def _look(state: State, seat: Seat, lab: Lab) -> Prompt:
    count = min(LOOKED_AT, state.decks[lab.deck].cards)
    choices = play_choices(state, seat, lab)
    more = (*hands(state, None), *hands(state, seat), say("more.look"))
    deed = {"look": count, "deck": lab.deck}
    ask = say("ask.look", count=count, deck=lab.deck)
    return Prompt(seat, ask, ACQUIRE, Tone.ACT, choices, more, deed, _key(state, seat, lab))


def _drop(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = drop_choices(state, seat, lab)
    key = f"{_key(state, seat, lab)}.{len(lab.upgrades)}"
    return Prompt(seat, say("ask.drop"), RESTRICTIONS, Tone.WARN, choices, hands(state, seat), key=key)


def _record(state: State, seat: Seat, lab: Lab) -> Prompt:
    terrors = terrorize_choices(lab, seat) if state.phase is Phase.VILLAGE else ()
    choices = (*terrors, record_form(state, seat, is_done=True), finish_choice(seat, Weight.PLAIN, "nothing"))
    more = (say(f"more.{state.phase}"), *hands(state, seat))
    deed = {"follow": state.phase.value}
    ask = say("ask.record", phase=say(f"phase.{state.phase}"))
    return Prompt(seat, ask, OVERVIEW, Tone.ACT, choices, more, deed, _key(state, seat, lab))


ASKING: Mapping[Stage, Callable[[State, Seat, Lab], Prompt]] = {
    Stage.CHOOSE: _choose,
    Stage.ACT: _act,
    Stage.BUY: _buy,
    Stage.LOOK: _look,
    Stage.DROP: _drop,
    Stage.RECORD: _record,
}
