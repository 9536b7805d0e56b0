"""What each seat, and a watcher, may know.

Everything that this game tells the app lies open on the table. What is hidden there is never told: the
card that a buyer puts below a deck, the order of a deck, the parts in a hand.
"""

from __future__ import annotations

from typing import Any

from companion.game import Mark, Panel, Seat, SeatView, Sentence, Standing, Tally, View, Wire
from companion.games.monster_graveyard import options
from companion.games.monster_graveyard.asking import adds_of
from companion.games.monster_graveyard.components import DECKS, ROUNDS, Attribute
from companion.games.monster_graveyard.effects import Effect
from companion.games.monster_graveyard.prompts import seat_prompt, table_prompts
from companion.games.monster_graveyard.rules import laboratory, turns
from companion.games.monster_graveyard.setting_up import table_steps, table_tidying
from companion.games.monster_graveyard.state import PHASES, Lab, Monster, Phase, Stage, State, hidden_cards
from companion.games.monster_graveyard.words import (
    card_name,
    gains_in_words,
    monster_name,
    monster_values,
    option_name,
    option_value,
    part_name,
    say,
    seat_name,
    seat_names,
)

Row = tuple[Sentence, Sentence | str | int]

MARKS_SHOWN = 6
"""How many monsters have room on a seat's tag."""


def view(state: State, seat: Seat | None) -> View:
    """Return all that a seat may know; None or a seat that does not play: a watcher."""
    lab = state.labs.get(seat) if seat is not None else None
    own: tuple[Panel, ...] = ()
    if seat is None or lab is None:
        seat, prompts = None, table_prompts(state)
    else:
        prompts, own = (seat_prompt(state, seat),), _own_panels(state, lab)
    return View(
        phase=say(f"phase.{state.phase}"),
        round=state.turn or None,
        seats=_seats(state),
        prompts=prompts,
        panels=(*table_steps(state), *own, *_common_panels(state, seat), *_options_panel(state, seat)),
        headline=_headline(state),
        is_over=state.phase is Phase.OVER,
        facts=_facts(state, seat),
    )


def _headline(state: State) -> Sentence | None:
    if state.phase is Phase.OVER:
        won = turns.winners(state)
        return say("won", seats=seat_names(won), count=len(won), vp=state.labs[won[0]].vp)
    if state.rounds_done >= ROUNDS:
        return say("last_turn")
    return None


def _seats(state: State) -> tuple[SeatView, ...]:
    ranks = turns.ranks(state) if state.phase is Phase.OVER else {}
    waited = state.waited_for()
    return tuple(
        SeatView(
            seat=seat,
            score=lab.vp,
            state=say(f"stage.{lab.stage}"),
            is_waited_for=seat in waited,
            tallies=tuple(Tally(amount, say(f"earned.{why}")) for why, amount in lab.earned.items()),
            rank=ranks.get(seat),
            why=f"score.{seat}",
            marks=_marks(lab),
        )
        for seat, lab in state.labs.items()
    )


def _marks(lab: Lab) -> tuple[Mark, ...]:
    """Return the monsters as small signs: Terror, Science, Health, and whether one is exhausted."""
    shown = lab.monsters[:MARKS_SHOWN]
    marks = tuple(
        Mark(
            say("mark", terror=one.terror, science=one.science, health=one.health),
            Standing.OFF if one.is_exhausted else Standing.ON,
        )
        for one in shown
    )
    left = len(lab.monsters) - len(shown)
    return (*marks, Mark(say("mark.more", count=left), Standing.ON)) if left else marks


# --- panels --------------------------------------------------------------------------------


def _own_panels(state: State, lab: Lab) -> tuple[Panel, ...]:
    purse: tuple[Row, ...] = (
        (say("panel.rp"), lab.rp),
        (say("panel.gp"), lab.gp),
        (say("panel.minions"), lab.minions),
    )
    monsters = tuple(_monster_panel(state, one) for one in lab.monsters)
    upgrades: tuple[Row, ...] = tuple(
        (card_name(state.box, card), _upgrade_in_words(state, card)) for card in lab.upgrades
    )
    shown = (Panel("upgrades", say("panel.upgrades"), upgrades),) if upgrades else ()
    return (Panel("purse", say("panel.purse"), purse, why="purse"), *monsters, *shown)


def _monster_panel(state: State, monster: Monster) -> Panel:
    title = say("named_values", monster=monster_name(monster.number), values=monster_values(monster))
    rows: list[Row] = [(say("field.state"), say("exhausted" if monster.is_exhausted else "ready"))]
    for part in monster.abilities:
        special = state.box.specials[part]
        rows.append((part_name(state.box, part), effect_in_words(special.effect)))
    key = f"monster{monster.number}"
    return Panel(key, title, tuple(rows), why=key)


def effect_in_words(effect: Effect) -> Sentence:
    """Return what a card does, clause by clause, or in its own words."""
    if effect.words:
        return say("words", words=effect.words)
    clauses = tuple(
        say(f"trigger.{trigger}", gains=gains_in_words(gains)) for trigger, gains in effect.gains.items()
    )
    return say("list", items=clauses)


def _upgrade_in_words(state: State, card: str) -> Sentence:
    adds, effect = adds_of(state, card), state.box.research[card].effect
    does = (effect_in_words(effect),) if effect.words or effect.gains else ()
    return say("list", items=(*adds, *does))


def _common_panels(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    if state.phase is Phase.OPEN:
        return ()
    phases: tuple[Row, ...] = tuple(
        (
            say(f"phase.{phase}"),
            seat_name(state.chosen[phase]) if phase in state.chosen else say("panel.open"),
        )
        for phase in PHASES
    )
    others = [(one, lab) for one, lab in state.labs.items() if one != seat]
    table: tuple[Row, ...] = tuple((seat_name(one), _in_short(lab)) for one, lab in others)
    decks: tuple[Row, ...] = tuple(
        (say("deck", deck=name), say("panel.cards", count=deck.cards, discards=len(deck.discards)))
        for name, deck in state.decks.items()
    )
    rounds: Row = (say("panel.rounds"), say("panel.rounds_of", done=state.rounds_done, all=ROUNDS))
    return (
        Panel("phases", say("panel.phases"), (*phases, rounds)),
        Panel("table", say("panel.table"), (*table, *_legend(state))),
        Panel("decks", say("panel.decks"), decks),
        *table_tidying(state),
    )


def _legend(state: State) -> tuple[Row, ...]:
    """Say what the signs on the seats' tags stand for, once there are any."""
    has_marks = any(lab.monsters for lab in state.labs.values())
    return ((say("panel.marks"), say("panel.marks_are")),) if has_marks else ()


def _in_short(lab: Lab) -> Sentence:
    """Return what a seat has in a line; what its monsters are made of stands with the seat itself."""
    return say(
        "panel.in_short", gp=lab.gp, rp=lab.rp, monsters=say("panel.monsters", count=len(lab.monsters))
    )


def _options_panel(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Return how the table plays: all of it for the host and a watcher, for a seat what is unusual."""
    shown = options.ALL if seat is None else options.settled(state.options)
    rows: tuple[Row, ...] = tuple(
        (option_name(name), option_value(name, options.value(state.options, name))) for name in shown
    )
    return (Panel("options", say("panel.options"), rows),) if rows else ()


# --- facts ---------------------------------------------------------------------------------


def _facts(state: State, seat: Seat | None) -> Wire:
    """Return the game's words for player clients: counts and places, as JSON carries them."""
    facts: dict[str, Any] = {
        "phase": state.phase.value,
        "turn": state.turn,
        "rounds_done": state.rounds_done,
        "chosen": dict(state.chosen),
        "seats": list(state.labs),
        "waited_for": list(state.waited_for()),
        "options": dict(state.options),
        "hidden": {deck: hidden_cards(state, deck) for deck in DECKS},
    }
    mine = [chore for chore in state.chores if seat is None or chore.seat in (None, seat)]
    facts["chores"] = [{"number": one.number, "seat": one.seat, **one.deed} for one in mine[-16:]]
    if seat is not None:
        facts |= _own_facts(state, seat, state.labs[seat])
    return facts


def _own_facts(state: State, seat: Seat, lab: Lab) -> dict[str, Any]:
    looks = hidden_cards(state, lab.deck) if lab.stage is Stage.LOOK else {}
    return {
        "seat": seat,
        "stage": lab.stage.value,
        "gp": lab.gp,
        "rp": lab.rp,
        "vp": lab.vp,
        "minions": lab.minions,
        "deck": lab.deck,
        "open_phases": [phase.value for phase in state.open_phases()],
        "monsters": [
            {
                "number": one.number,
                "values": [one.terror, one.science, one.health],
                "abilities": list(one.abilities),
                "is_ready": not one.is_exhausted,
            }
            for one in lab.monsters
        ],
        "upgrades": {card: _values(state, card) for card in lab.upgrades},
        "affordable": list(laboratory.affordable(state, lab)),
        "cards": {card: _values(state, card) for card in looks},
        "parts": {
            part: [list(state.box.covered_by(part)), sum(state.box.added_by(part).values())]
            for part in (*state.box.plain_counts, *state.box.specials)
        },
    }


def _values(state: State, card: str) -> list[Any]:
    """Return whether a card is an upgrade, and what it adds to Terror, Science and Health."""
    printed = state.box.research[card]
    return [printed.is_upgrade, *(printed.added.get(one, 0) for one in Attribute)]
