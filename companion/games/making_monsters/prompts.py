"""Who does what now: one short sentence a seat, and everything that can be answered by taps alone.

``deed`` of a prompt tells hands what to do at the table before they answer:

``draw_cards`` n           draw n monster cards; with ``keep`` 1 lay one on a card space and put the
                           other on the common discards (a card that is replaced goes to the own
                           pile first; a kept one may go to the pile, too); without it, lay it
``draw`` n, ``grab``       draw n tokens (``grab``: all at once, then place them; otherwise one after
                           the other, each placed before the next; ``may_stop`` says that nobody must)
``lay_order`` face         lay an order token ``face_down``
``take_items`` n, ``cart`` choose up to n items; what was chosen comes back as chores
``lay_five`` true          lay up to five cards of the own pile on the card spaces
``turn`` n                 turn the centre n steps clockwise (the whole table's deed)

What follows from an answer stands in the view's facts as numbered chores (see ``chores``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from companion.game import Choice, Prompt, Seat, Tone, Weight
from companion.games.making_monsters.asking import (
    card_form,
    decide_choices,
    draw_choices,
    five_form,
    keep_form,
    move_choices,
    odds_choice,
    options_form,
    order_choices,
    set_up_form,
    tell_form,
    tile_form,
)
from companion.games.making_monsters.asking_gains import (
    add_choices,
    chill_form,
    items_form,
    lester_choices,
    spare_choices,
)
from companion.games.making_monsters.asking_reports import depth_choices
from companion.games.making_monsters.guide import guide
from companion.games.making_monsters.hands import hands
from companion.games.making_monsters.hints import (
    actions_in_words,
    cards_that_stay,
    cards_that_wait,
    from_where,
    items_due,
    rejects_of,
    terms_of,
    waits_because,
)
from companion.games.making_monsters.report_prompts import REPORTED, by_hand, changes, report_prompt
from companion.games.making_monsters.rulebook import section_of
from companion.games.making_monsters.rules import carts, deliveries, refresh, setup, upgrades
from companion.games.making_monsters.rules.priority import first_before
from companion.games.making_monsters.setting_up import own_steps, own_tidying
from companion.games.making_monsters.state import Lab, Phase, Stage, State, asked_about, unknown_cards
from companion.games.making_monsters.words import card_name, say, seat_names


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return the prompts of the whole table first, then one of every seat."""
    return (*table_prompts(state), *(seat_prompt(state, seat) for seat in state.labs))


def table_prompts(state: State) -> tuple[Prompt, ...]:
    """Return what anybody may do for the table: set up, turn the centre, name upgrades."""
    if state.phase is Phase.OPEN:
        # Under a heading of their own they are folded: most tables never need them.
        form = (set_up_form(state), options_form(state, say("group.options")))
        return (Prompt(None, say("ask.set_up"), "Setup", Tone.ACT, form, key="set_up"),)
    return (*_turning(state), *_naming(state), *_options(state), *_odds(state))


def _odds(state: State) -> Iterator[Prompt]:
    """Let the host switch the odds, at any time before the end."""
    if state.phase is not Phase.OVER:
        yield Prompt(None, say("ask.odds"), "Setup", Tone.WAIT, (odds_choice(state),), key="odds")


def _options(state: State) -> Iterator[Prompt]:
    """Offer to change how the table plays, until the first order lies there."""
    if setup.may_choose_options(state):
        form = (options_form(state),)
        yield Prompt(None, say("ask.options"), "Setup", Tone.WAIT, form, key="options")


def _turning(state: State) -> Iterator[Prompt]:
    is_due = state.phase is Phase.REFRESH and not state.is_turned
    steps = ((1 if is_due else 0) - state.astray) % 4
    if not steps and not is_due:
        return
    key = "ask.turn_right" if state.astray else "ask.turn"
    done = Choice(say("choice.turned"), {"do": "turn"}, weight=Weight.PRIMARY, sign="turn")
    yield Prompt(
        None,
        say(key, count=steps),
        "Refresh",
        Tone.WARN if state.astray else Tone.ACT,
        (done,),
        deed={"turn": steps},
        key=f"turn.{state.round}.{steps}",
        expects_turn=True,
    )


def _naming(state: State) -> Iterator[Prompt]:
    unnamed = refresh.unnamed_tiles(state)
    if unnamed and state.box.tiles and state.phase is not Phase.OVER:
        form = (tile_form(state, unnamed),)
        say_it = say("ask.name_tiles", count=len(unnamed))
        yield Prompt(None, say_it, "Setup F", Tone.WAIT, form, key=f"tiles.{len(unnamed)}")


def seat_prompt(state: State, seat: Seat) -> Prompt:
    """Return what one seat should do now, or whom it waits for."""
    lab = state.labs[seat]
    ask = ASKING.get(lab.stage, _waiting)
    if not lab.is_followed and lab.stage in REPORTED:
        ask = report_prompt
    prompt = ask(state, seat, lab)
    prompt = replace(prompt, rule=section_of(prompt.rule))
    if prompt.tone is not Tone.WAIT and ask is not report_prompt:
        prompt = replace(prompt, guide=guide(lab.stage))
    prompt = _with_questions(state, seat, lab, prompt)
    if not lab.is_followed and lab.stage not in REPORTED:
        prompt = replace(prompt, more=(*prompt.more, *by_hand(state, seat, lab)))
    moves = move_choices(state, seat, lab) if lab.is_followed else ()
    return _with_choices(prompt, (*moves, *depth_choices(state, seat, lab)))


def _with_questions(state: State, seat: Seat, lab: Lab, prompt: Prompt) -> Prompt:
    """Ask what a card prints that the box does not know; before all else if nothing goes on without it."""
    stops = asked_about(state.box, lab)
    if stops:
        name = card_name(state.box, stops[0])
        form = tell_form(state.box, seat, stops[0], Weight.PRIMARY)
        key = f"{seat}.tell.{stops[0]}"
        return Prompt(
            seat,
            say("ask.tell_card", monster=name),
            "Monster Cards",
            Tone.ACT,
            (form,),
            (say("more.tell_card"),),
            key=key,
        )
    if state.phase is Phase.OVER:
        return prompt
    forms = [tell_form(state.box, seat, card, Weight.PLAIN) for card in unknown_cards(state.box, lab)[:1]]
    if lab.stage in (Stage.CARD, Stage.KEEP):
        forms.append(tell_form(state.box, seat, "", Weight.QUIET))
    return _with_choices(prompt, tuple(forms)) if forms else prompt


def _with_choices(prompt: Prompt, more: tuple[Choice, ...]) -> Prompt:
    return replace(prompt, choices=(*prompt.choices, *more))


def _key(state: State, seat: Seat, lab: Lab) -> str:
    return f"{seat}.{state.round}.{lab.stage}"


def _waiting(state: State, seat: Seat, lab: Lab) -> Prompt:
    if state.phase is Phase.OVER:
        more = own_tidying(state, lab)
        return Prompt(seat, say("ask.over"), "Final Score", Tone.WAIT, more=more, key="over")
    others = tuple(other for other in state.waited_for() if other != seat)
    tone, waits = Tone.WAIT, say("ask.wait", seats=seat_names(others))
    if not others:
        waits = say("ask.wait_board")
    if lab.is_bust and lab.stage is Stage.DECIDED:
        tone, waits = Tone.WARN, say("ask.bust", seats=seat_names(others))
    change: tuple[Choice, ...] = ()
    if lab.stage is Stage.LAID and state.phase is Phase.ORDER:
        change = order_choices(seat, Weight.QUIET, say("group.change_order"))
    if not lab.is_followed:
        change = change or changes(state, seat, lab)
    elif lab.stage is Stage.DECIDED and not lab.is_bust:
        change = decide_choices(state, seat, lab, Weight.QUIET)
    more = (*waits_because(state, others), *hands(state, seat))
    return Prompt(seat, waits, "Gameplay", tone, change, more, key=_key(state, seat, lab))


def _card(state: State, seat: Seat, lab: Lab) -> Prompt:
    form = (card_form(state, seat, lab),)
    more, deed = own_steps(state, seat), {"draw_cards": 1}
    return Prompt(seat, say("ask.card"), "Setup E", Tone.ACT, form, more, deed, _key(state, seat, lab))


def _order(state: State, seat: Seat, lab: Lab) -> Prompt:
    ready = Choice(say("choice.ready"), {"do": "ready", "seat": seat}, weight=Weight.QUIET, sign="order-back")
    choices = (*order_choices(seat, Weight.PLAIN, None), ready)
    deed = {"lay_order": "face_down"}
    more = (say("more.order"), say("more.cart", cart=carts.cart_before(state, seat) + 1))
    return Prompt(
        seat, say("ask.order"), "Order Monster Parts", Tone.ACT, choices, more, deed, _key(state, seat, lab)
    )


def _tell(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = order_choices(seat, Weight.PLAIN, None)
    return Prompt(seat, say("ask.tell"), "Order Monster Parts", Tone.ACT, choices, key=_key(state, seat, lab))


def _draw(state: State, seat: Seat, lab: Lab) -> Prompt:
    due = deliveries.grab_left(state, lab)
    left = deliveries.draws_left(state, lab)
    may_stop = deliveries.may_stop(state, lab)
    if due:
        ask = say("ask.grab", count=due)
        deed: Mapping[str, object] = {"draw": due, "grab": True, "may_stop": False}
    else:
        ask = say("ask.draw_or_stop" if may_stop else "ask.draw_one", count=left)
        deed = {"draw": left, "grab": False, "may_stop": may_stop}
    more = [*hands(state, seat), *terms_of(state, seat, lab), *rejects_of(lab)]
    if not due and state.phase is Phase.DELIVERIES:
        more.append(say("more.left", count=left))
    tone = Tone.WARN if lab.rejects == 5 and not due else Tone.ACT
    if state.phase is Phase.SETUP:
        more.insert(0, say("setup.own_five"))
    rule = {Phase.FAIR: "Mad Science Fair", Phase.SETUP: "Setup I"}.get(state.phase, "Receive Deliveries")
    choices = draw_choices(state, seat, lab)
    key = f"{_key(state, seat, lab)}.{lab.drawn}"
    why = "reanimation" if lab.stage is Stage.DRAW else ""
    return Prompt(seat, ask, rule, tone, choices, tuple(more), deed, key, why=why)


def _add(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = add_choices(state, seat, lab)
    if not choices:
        return _after(state, seat, lab)
    return Prompt(seat, say("ask.add"), "Order Tokens, Red", Tone.ACT, choices, key=_key(state, seat, lab))


def _after(state: State, seat: Seat, lab: Lab) -> Prompt:
    """Say whom a seat waits for before it may take what is scarce (MM-R36)."""
    first = seat_names((first_before(state, seat),))
    return Prompt(seat, say("ask.wait", seats=first), "MM-R36", Tone.WAIT, key=_key(state, seat, lab))


def _lester(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = lester_choices(state, seat, lab)
    if not choices:
        return _after(state, seat, lab)
    more = cards_that_wait(state, seat, lab)
    key = _key(state, seat, lab)
    return Prompt(seat, say("ask.lester"), "L.E.S.T.E.R. Cards", Tone.ACT, choices, more, key=key)


def _spare(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices, more = spare_choices(state, seat, lab), cards_that_wait(state, seat, lab)
    return Prompt(seat, say("ask.spare"), "MM-R48", Tone.ACT, choices, more, key=_key(state, seat, lab))


def _coupon(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = add_choices(state, seat, lab)
    if not choices:
        return _after(state, seat, lab)
    key = f"{_key(state, seat, lab)}.{len(lab.working)}"
    return Prompt(seat, say("ask.coupon"), "MM-R17", Tone.ACT, choices, key=key)


def _chill(state: State, seat: Seat, lab: Lab) -> Prompt:
    form = chill_form(state, seat, lab)
    return Prompt(
        seat,
        say("ask.chill", count=upgrades.chilled(lab)),
        "MM-R69",
        Tone.ACT,
        form,
        key=_key(state, seat, lab),
    )


def _decide(state: State, seat: Seat, lab: Lab) -> Prompt:
    choices = decide_choices(state, seat, lab, Weight.PRIMARY)
    more = hands(state, seat)
    key = _key(state, seat, lab)
    return Prompt(seat, say("ask.decide"), "Reanimate", Tone.ACT, choices, more, key=key, why="reanimation")


def _items(state: State, seat: Seat, lab: Lab) -> Prompt:
    cart = carts.cart_before(state, seat) + 1
    more = (*hands(state, seat), *actions_in_words(state, lab))
    return Prompt(
        seat,
        say("ask.items", count=lab.items),
        "Reanimate Table",
        Tone.ACT,
        items_form(state, seat, lab),
        (*more, *items_due(state, lab), from_where(state, lab, cart)),
        {"take_items": lab.items, "cart": f"cart{cart}"},
        f"{_key(state, seat, lab)}.{lab.items}",
        why="reanimation",
    )


def _keep(state: State, seat: Seat, lab: Lab) -> Prompt:
    if not refresh.cards_left(state):
        return _waiting(state, seat, lab)
    cart = carts.cart_before(state, seat) + 1
    more = (*hands(state, seat), *cards_that_stay(lab))
    if state.is_turned:
        more = (*more, say("more.cart", cart=cart))
    form = (keep_form(state, seat, lab),)
    deed = {"draw_cards": min(2, refresh.cards_left(state)), "keep": 1}
    return Prompt(seat, say("ask.keep"), "Refresh", Tone.ACT, form, more, deed, _key(state, seat, lab))


def _choose(state: State, seat: Seat, lab: Lab) -> Prompt:
    form = (five_form(state, seat, lab),)
    deed = {"lay_five": True}
    more = hands(state, seat)
    return Prompt(seat, say("ask.five"), "Prep", Tone.ACT, form, more, deed, _key(state, seat, lab))


ASKING: Mapping[Stage, Callable[[State, Seat, Lab], Prompt]] = {
    Stage.CARD: _card,
    Stage.STOCK: _draw,
    Stage.ORDER: _order,
    Stage.TELL: _tell,
    Stage.DRAW: _draw,
    Stage.ADD: _add,
    Stage.LESTER: _lester,
    Stage.DECIDE: _decide,
    Stage.ITEMS: _items,
    Stage.SPARE: _spare,
    Stage.COUPON: _coupon,
    Stage.CHILL: _chill,
    Stage.KEEP: _keep,
    Stage.CHOOSE: _choose,
}
