"""Who does what now: one short sentence a seat, and everything that can be answered by taps alone.

``deed`` of a prompt tells hands what to do at the table before they answer:

``turn_up`` deck        turn up a card of the ``experiments``, or the Final Conflict that lies there
``deal_body`` true      take a body from the deck, face up
``deal_hands`` n        deal n parts to each, one at a time, in the order of ``to``
``play`` true           play a part or an adaptor from the hand, or none
``draw`` true           take a card from the Pile, or the top of the Heap
``discard`` true        put a card of the hand on the Heap
``roll`` true           roll the die
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from companion.game import Choice, Prompt, Seat, Sentence, Tone, Weight
from companion.games.mad_science import asking, options
from companion.games.mad_science.components import HAND, Kind
from companion.games.mad_science.guide import guide
from companion.games.mad_science.rules import setup
from companion.games.mad_science.rules.charts import column_of
from companion.games.mad_science.state import Creature, Phase, Rest, Stage, State, untold
from companion.games.mad_science.words import (
    box_name,
    card_name,
    column_name,
    kind_names,
    say,
    seat_name,
    seat_names,
)

ROLLS = {"roll": True}


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the prompts of the whole table first, then one of every seat."""
    return (*table_prompts(state), *(seat_prompt(state, seat) for seat in state.creatures))


def table_prompts(state: State) -> tuple[Prompt, ...]:
    """Return what anybody may do for the table: set up, choose options, put LIFE right."""
    if state.phase is Phase.OPEN:
        # Under a heading of their own the options are folded: most tables never need them.
        form = (asking.set_up_form(), asking.options_form(state, say("group.options")))
        return (Prompt(None, say("ask.set_up"), "Setup", Tone.ACT, form, key="set_up"),)
    return tuple(_of_table(state))


def _of_table(state: State) -> Iterator[Prompt]:
    if setup.may_choose_options(state):
        form = (asking.options_form(state),)
        yield Prompt(None, say("ask.options"), "Setup", Tone.WAIT, form, key="options")
    if state.phase in (Phase.PLAY, Phase.BREAK):
        form = (asking.life_form(state),)
        yield Prompt(None, say("ask.set_right"), "Battle Phase", Tone.WAIT, form, key="set_right")
    if state.phase is not Phase.OVER:
        odds = (asking.odds_choice(state),)
        yield Prompt(None, say("ask.odds"), "Setup", Tone.WAIT, odds, key="odds")


def seat_prompt(state: State, seat: Seat) -> Prompt:
    """Return what one seat should do now, or whom it waits for."""
    creature, stage = state.creatures[seat], state.turn.stage
    if seat not in state.waited_for():
        prompt = _waiting(state, seat, creature)
    else:
        prompt = replace(ASKING[stage](state, seat, creature), guide=guide(stage, state.phase))
    return _with_name(state, seat, creature, prompt)


def _with_name(state: State, seat: Seat, creature: Creature, prompt: Prompt) -> Prompt:
    """Let a seat name its creature at any time, once it is whole or fights."""
    if state.phase not in (Phase.PLAY, Phase.BREAK) or not creature.fights:
        return prompt
    return replace(prompt, choices=(*prompt.choices, asking.name_form(seat, creature)))


def _key(state: State, seat: Seat) -> str:
    turn = state.turn
    return f"{seat}.{state.round}.{turn.stage}.{turn.rolled}"


def _waiting(state: State, seat: Seat, creature: Creature) -> Prompt:
    if state.phase is Phase.OVER:
        left = next(other for other in state.order if not state.creatures[other].is_out)
        ask = say("ask.won" if seat == left else "ask.over", seat=seat_name(left))
        return Prompt(seat, ask, "Winning And Losing The Game", Tone.WAIT, key="over")
    others = tuple(other for other in state.waited_for() if other != seat)
    if creature.is_out:
        return Prompt(seat, say("ask.out"), "Winning And Losing The Game", Tone.WAIT, key="out")
    more = tuple(_comes_back(creature))
    return Prompt(seat, say("ask.wait", seats=seat_names(others)), "Setup", Tone.WAIT, more=more, key="wait")


def _comes_back(creature: Creature) -> Iterator[Sentence]:
    """Say what a creature gets back, and how: what tables forget."""
    if creature.rest is Rest.LOSES_TURN:
        yield say("more.loses_turn")
    if creature.rest is Rest.COMES_BACK:
        yield say("more.comes_back")
    for kind, dropped in creature.dropped.items():
        key = "more.back_by_itself" if dropped.is_tried else "more.back_by_roll"
        yield say(key, kind=say(f"kind.{kind}"), parity=say(f"parity.{dropped.parity}"))
    if creature.is_adaptor_out:
        yield say("more.adaptor_back")


def _rolling(state: State, seat: Seat, ask: Sentence, rule: str, more: tuple[Sentence, ...] = ()) -> Prompt:
    """Ask for a roll of the die; a pad of faces answers, too."""
    may_roll_here = options.value(state.options, options.VIRTUAL_DIE) == "yes"
    return Prompt(
        seat,
        ask,
        rule,
        Tone.ACT,
        asking.die_pad(seat),
        more,
        ROLLS,
        _key(state, seat),
        expects_die=True,
        may_roll_here=may_roll_here,
    )


def _first(state: State, seat: Seat, creature: Creature) -> Prompt:
    tied = len(state.contenders) < len(state.creatures)
    prompt = _rolling(state, seat, say("ask.first_again" if tied else "ask.first"), "Setup")
    return replace(prompt, key=f"{prompt.key}.{'.'.join(state.contenders)}.{len(state.first_rolls)}")


def _turn_up(state: State, seat: Seat, creature: Creature) -> Prompt:
    new = asking.new_card_form(seat, "experiments", ("name", "life"))
    choices = (*asking.experiments(state, seat), new)
    more, deed = (say("more.conflict_face_down"),), {"turn_up": "experiments"}
    return Prompt(
        seat, say("ask.experiment"), "Starting the Game", Tone.ACT, choices, more, deed, _key(state, seat)
    )


def _body(state: State, seat: Seat, creature: Creature) -> Prompt:
    new = asking.new_card_form(seat, "bodies", ("name", "connector", "life"))
    choices = (*asking.bodies(state, seat), new)
    second = state.order[1]
    more = (say("more.deals_bodies", seat=seat_name(second)),)
    deed = {"deal_body": True}
    return Prompt(seat, say("ask.body"), "Starting the Game", Tone.ACT, choices, more, deed, f"{seat}.body")


def _deal(state: State, seat: Seat, creature: Creature) -> Prompt:
    to = setup.dealt_in_order(state)
    done = Choice(say("choice.dealt"), {"do": "deal_hands", "seat": seat}, weight=Weight.PRIMARY)
    more = (say("more.deal_order", first=seat_name(to[0]), last=seat_name(to[-1])),)
    deed = {"deal_hands": HAND, "to": list(to)}
    ask = say("ask.deal", count=HAND)
    return Prompt(seat, ask, "Starting the Game", Tone.ACT, (done,), more, deed, _key(state, seat))


def _play(state: State, seat: Seat, creature: Creature) -> Prompt:
    forms = tuple(asking.play_forms(state, seat, creature)) if creature.hand else ()
    ends = asking.finish_choices(state, seat, has_played=False)
    columns = ("name", "kind", "connector", "life", "number", "special")
    new = asking.new_card_form(seat, "parts", columns)
    choices = (*forms, *ends, *asking.steps_apart(state, seat, has_played=False), new)
    missing = tuple(kind for kind in Kind if kind not in creature.parts)
    more = [say("more.missing", kinds=kind_names(missing))]
    if creature.adaptor and creature.adaptor_on not in creature.parts and creature.adaptor_on is not None:
        more.append(say("more.adaptor_waits", kind=say(f"kind.{creature.adaptor_on}")))
    ask = say("ask.play" if creature.hand else "ask.play_empty")
    return Prompt(seat, ask, "Build Phase", Tone.ACT, choices, tuple(more), {"play": True}, _key(state, seat))


def _draw(state: State, seat: Seat, creature: Creature) -> Prompt:
    ends = asking.finish_choices(state, seat, has_played=True)
    choices = (*ends, *asking.steps_apart(state, seat, has_played=True))
    more = tuple(_top_of_heap(state))
    return Prompt(
        seat, say("ask.draw"), "Build Phase", Tone.ACT, choices, more, {"draw": True}, _key(state, seat)
    )


def _top_of_heap(state: State) -> Iterator[Sentence]:
    if state.heap and state.heap[-1]:
        yield say("more.top_of_heap", card=card_name(state.box, state.heap[-1]))


def _discard(state: State, seat: Seat, creature: Creature) -> Prompt:
    choices = asking.discard_choices(state, seat)
    return Prompt(
        seat,
        say("ask.discard"),
        "Build Phase",
        Tone.ACT,
        choices,
        deed={"discard": True},
        key=_key(state, seat),
    )


def _count(state: State, seat: Seat, creature: Creature) -> Prompt:
    forms = tuple(asking.tell_form(state, seat, sheet, card) for sheet, card in untold(state.box, creature))
    return Prompt(seat, say("ask.count"), "Battle Phase", Tone.ACT, forms, key=_key(state, seat))


def _roll(state: State, seat: Seat, creature: Creature) -> Prompt:
    column = column_name(column_of(state, seat))
    if state.phase is Phase.BREAK:
        return _attack(state, seat)
    if state.turn.rolled and state.last is not None and state.last[0]:
        box = box_name(state.last[2], state.last[1])
        more = (say("more.box", box=box), say("more.column", column=column))
        return _rolling(state, seat, say("ask.roll_again"), "Battle Phase", more)
    return _rolling(state, seat, say("ask.roll"), "Battle Phase", (say("more.column", column=column),))


def _attack(state: State, seat: Seat) -> Prompt:
    target = state.turn.target
    assert target is not None
    other = state.creatures[target]
    name = seat_name(target)
    if other.life:
        column = column_name(column_of(state, seat))
        more = (say("more.attack_column", column=column, count=other.life),)
        prompt = _rolling(state, seat, say("ask.attack", target=name), "Break Phase", more)
    else:
        numbers = tuple(
            say(
                "more.breaks_on",
                kind=say(f"kind.{kind}"),
                number=state.box.parts[other.parts[kind]].number or 0,
            )
            for kind in other.standing
        )
        ask = say("ask.attack_parts", target=name)
        prompt = _rolling(state, seat, ask, "We're Not Done Yet", (say("more.numbers", numbers=numbers),))
    return replace(prompt, key=f"{prompt.key}.{target}")


def _twice(state: State, seat: Seat, creature: Creature) -> Prompt:
    return _rolling(state, seat, say("ask.twice", face=state.turn.face), "Roll # Twice")


def _recover(state: State, seat: Seat, creature: Creature) -> Prompt:
    kinds = tuple(creature.dropped)
    parities = tuple(dict.fromkeys(one.parity for one in creature.dropped.values()))
    wanted = tuple(say(f"parity.{parity}") for parity in parities)
    more = (say("more.recover", kinds=kind_names(kinds)),)
    return _rolling(state, seat, say("ask.recover", parities=wanted), "Part Drop", more)


def _move(state: State, seat: Seat, creature: Creature) -> Prompt:
    experiment = state.box.experiments[state.experiment]
    more = [say("more.move", move=experiment.move) if experiment.move else say("more.move_on_card")]
    more += (
        [say("more.does", does=tuple(box_name(word) for word in experiment.does))] if experiment.does else []
    )
    more += [say("more.move_roll", face=face) for face in state.turn.rolls]
    prompt = _rolling(state, seat, say("ask.move"), "Special Move", tuple(more))
    pad = tuple(replace(choice, weight=Weight.QUIET) for choice in prompt.choices)
    choices = (*asking.move_choices(state, seat), *pad)
    return replace(prompt, choices=choices, deed={"roll": not experiment.does and not state.turn.rolls})


def _reveal(state: State, seat: Seat, creature: Creature) -> Prompt:
    choices = (*asking.conflicts(state, seat), asking.new_card_form(seat, "conflicts", ("name",)))
    deed = {"turn_up": "conflicts"}
    return Prompt(
        seat, say("ask.conflict"), "Break Phase", Tone.ACT, choices, deed=deed, key=_key(state, seat)
    )


def _target(state: State, seat: Seat, creature: Creature) -> Prompt:
    choices = asking.target_choices(state, seat)
    return Prompt(seat, say("ask.target"), "Break Phase", Tone.ACT, choices, key=_key(state, seat))


def _take(state: State, seat: Seat, creature: Creature) -> Prompt:
    choices = asking.take_choices(state, seat)
    ask = say("ask.take", face=state.turn.face)
    return Prompt(seat, ask, "We're Not Done Yet", Tone.ACT, choices, key=_key(state, seat))


def _tell(state: State, seat: Seat, creature: Creature) -> Prompt:
    column = column_name(column_of(state, seat))
    ask, rule = say("ask.box", column=column, face=state.turn.face), "Battle Phase"
    return Prompt(
        seat,
        ask,
        rule,
        Tone.ACT,
        asking.box_choices(state, seat),
        (say("more.box_learned"),),
        key=_key(state, seat),
    )


ASKING: Mapping[Stage, Callable[[State, Seat, Creature], Prompt]] = {
    Stage.FIRST: _first,
    Stage.TURN_UP: _turn_up,
    Stage.BODY: _body,
    Stage.DEAL: _deal,
    Stage.PLAY: _play,
    Stage.DRAW: _draw,
    Stage.DISCARD: _discard,
    Stage.COUNT: _count,
    Stage.ROLL: _roll,
    Stage.TWICE: _twice,
    Stage.TELL: _tell,
    Stage.RECOVER: _recover,
    Stage.MOVE: _move,
    Stage.REVEAL: _reveal,
    Stage.TARGET: _target,
    Stage.TAKE: _take,
}
