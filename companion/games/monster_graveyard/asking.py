"""Choices and forms: what a tap sends, stage by stage. ``prompts`` puts them under their sentences."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Sentence, Weight
from companion.games.monster_graveyard import options
from companion.games.monster_graveyard.components import ANY, ROUNDS, SEATS, Attribute, Form, Shape
from companion.games.monster_graveyard.legal import needs_monster
from companion.games.monster_graveyard.records import COPY, SLOTS
from companion.games.monster_graveyard.rules import acquire, laboratory, setup, turns
from companion.games.monster_graveyard.rules.others import MOST_AT_ONCE, MOST_VALUE
from companion.games.monster_graveyard.sheets import DISCOVERY, MOST_ADDED, UPGRADE
from companion.games.monster_graveyard.state import Lab, Phase, State, hidden_cards
from companion.games.monster_graveyard.words import (
    attribute_name,
    card_name,
    monster_name,
    monster_values,
    option_name,
    option_value,
    say,
    seat_name,
)


def set_up_form(state: State) -> Choice:
    seats = tuple(Option(seat, seat_name(seat)) for seat in SEATS)
    first = (Option("", say("field.first.any")), *seats)
    usual = tuple(SEATS[:4])
    fields: tuple[Field, ...] = (
        Pick("seats", say("field.seats"), seats, least=setup.FEWEST, most=setup.MOST, value=usual),
        Pick("first", say("field.first"), first, value=""),
        Count("gp", say("field.gp_at_first"), 0, setup.MOST_AT_FIRST, 0),
        Count("rp", say("field.rp_at_first"), 0, setup.MOST_AT_FIRST, 0),
    )
    return Choice(say("choice.set_up"), {"do": "set_up"}, fields, Weight.PRIMARY)


def options_form(state: State, group: Sentence | None = None) -> Choice:
    """Return every option of the table with its values, filled in as the table plays now."""
    command = {"do": "choose_options"}
    return Choice(say("choice.options"), command, option_fields(state), Weight.QUIET, group)


def option_fields(state: State) -> tuple[Field, ...]:
    return tuple(
        Pick(
            f"option_{name}",
            option_name(name),
            tuple(Option(value, option_value(name, value)) for value in option.values),
            value=options.value(state.options, name),
        )
        for name, option in options.ALL.items()
    )


def phase_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            say(f"phase.{phase}"),
            {"do": "choose_phase", "seat": seat, "phase": phase.value},
            sign=f"phase-{phase}",
        )
        for phase in state.open_phases()
    )


# --- the Laboratory ------------------------------------------------------------------------


def reanimate_form(state: State, seat: Seat) -> Choice:
    """Six slots that start skeletal, so that only other parts are tapped, and the special parts."""
    forms = tuple(Option(form.value, say(f"form.{form}")) for form in Form)
    fields: list[Field] = [
        Pick(slot, say(f"field.{slot}"), forms, value=Form.SKELETAL.value) for slot in SLOTS
    ]
    specials = tuple(_special_options(state))
    if specials:
        # A form says "most 1" by a text instead of a list, so that a single special part is still a list.
        most = max(2, min(len(specials), laboratory.MOST_PARTS))
        fields.append(Pick("specials", say("field.specials"), specials, 0, most, ()))
    command = {"do": "reanimate", "seat": seat}
    return Choice(say("choice.reanimate"), command, tuple(fields), Weight.PRIMARY, sign="reanimate")


def _special_options(state: State) -> Iterator[Option]:
    for part in state.box.specials.values():
        for copy in range(1, part.count + 1):
            label = say("special", name=part.name, covers=tuple(say(f"shape.{one}") for one in part.covers))
            yield Option(part.id if copy == 1 else f"{part.id}{COPY}{copy}", label)


def experiment_choices(lab: Lab, seat: Seat) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            say("choice.experiment", monster=monster_name(one.number), count=one.science),
            {"do": "experiment", "seat": seat, "monster": one.number},
            group=say("group.experiment"),
            sign="phase-laboratory",
        )
        for one in lab.ready
    )


def acquire_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            say("choice.acquire", deck=deck, left=lab.rp - int(deck)),
            {"do": "acquire", "seat": seat, "deck": deck},
            group=say("group.acquire"),
            sign=f"deck-{deck}",
        )
        for deck in laboratory.affordable(state, lab)
    )


def finish_choice(seat: Seat, weight: Weight, key: str) -> Choice:
    return Choice(say(f"choice.{key}"), {"do": "finish", "seat": seat}, weight=weight)


def play_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Offer every card that may be one of the two, and neither; a boost asks for its monster."""
    cards = sorted(hidden_cards(state, lab.deck), key=lambda card: state.box.research[card].name)
    choices = [_play_choice(state, seat, lab, card) for card in cards]
    neither = Choice(say("choice.decline"), {"do": "decline", "seat": seat}, weight=Weight.COSTLY)
    return (*choices, neither, tell_card_form(seat))


def _play_choice(state: State, seat: Seat, lab: Lab, card: str) -> Choice:
    printed = state.box.research[card]
    kind = say("type.upgrade" if printed.is_upgrade else "type.discovery")
    label = say("choice.play", card=card_name(state.box, card), type=kind)
    command = {"do": "play", "seat": seat, "card": card}
    if not needs_monster(state.box, lab, card):
        sign = "card-upgrade" if printed.is_upgrade else "card-discovery"
        return Choice(label, command, group=say("group.play"), sign=sign)
    monsters = tuple(
        Option(
            str(one.number), say("named_values", monster=monster_name(one.number), values=monster_values(one))
        )
        for one in lab.monsters
    )
    fields = (Pick("monster", say("field.monster"), monsters),)
    return Choice(label, command, fields, Weight.QUIET, say("group.play_on", card=card_name(state.box, card)))


def drop_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            say("choice.drop", card=card_name(state.box, card), adds=adds_of(state, card)),
            {"do": "drop", "seat": seat, "card": card},
            group=say("group.drop"),
            sign="card-upgrade",
        )
        for card in dict.fromkeys(acquire.doubled(state.box, lab.upgrades))
    )


def adds_of(state: State, card: str) -> tuple[Sentence, ...]:
    """Return what an upgrade adds to new monsters, attribute by attribute."""
    added = state.box.research[card].added
    return tuple(say("adds", count=count, attribute=attribute_name(one)) for one, count in added.items())


def _added_fields() -> tuple[Field, ...]:
    counts = (Count(one.value, attribute_name(one), 0, MOST_ADDED, 0) for one in Attribute)
    return (*counts, Line("effect", say("field.effect")))


def tell_card_form(seat: Seat) -> Choice:
    types = tuple(Option(kind, say(f"type.{kind}")) for kind in (UPGRADE, DISCOVERY))
    fields: tuple[Field, ...] = (
        Line("name", say("field.card_name")),
        Pick("type", say("field.type"), types, value=UPGRADE),
        *_added_fields(),
    )
    command = {"do": "tell_card", "seat": seat}
    return Choice(say("choice.tell_card"), command, fields, Weight.QUIET, say("group.tell_card"))


def tell_special_form(seat: Seat) -> Choice:
    shapes = tuple(Option(shape, say(f"shape.{shape}")) for shape in (*Shape, ANY))
    fields: tuple[Field, ...] = (
        Line("name", say("field.card_name")),
        Pick("covers", say("field.covers"), shapes, least=1, most=len(shapes), value=()),
        *_added_fields(),
    )
    command = {"do": "tell_special", "seat": seat}
    return Choice(say("choice.tell_special"), command, fields, Weight.QUIET, say("group.tell_special"))


# --- the other phases, and corrections -----------------------------------------------------


def record_form(state: State, seat: Seat, *, is_done: bool) -> Choice:
    """Ask for what a phase brought; outside a phase's record the same form is a correction, folded away."""
    counts = tuple(
        Count(unit, say(f"field.{unit}"), -MOST_AT_ONCE, MOST_AT_ONCE, 0)
        for unit in ("gp", "rp", "vp", "minions")
    )
    command = {"do": "record", "seat": seat, "is_done": is_done}
    if is_done:
        return Choice(
            say("choice.record", phase=say(f"phase.{state.phase}")), command, counts, Weight.PRIMARY
        )
    return Choice(say("choice.correct"), command, counts, Weight.QUIET, say("group.correct"))


def terrorize_choices(lab: Lab, seat: Seat) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            say("choice.terrorize", monster=monster_name(one.number), count=one.terror),
            {"do": "terrorize", "seat": seat, "monster": one.number},
            group=say("group.terrorize"),
            sign="phase-village",
        )
        for one in lab.ready
    )


def round_choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Offer to say that village or graveyard is empty: in their phases to a seat, always to the host."""
    if state.rounds_done >= ROUNDS:
        return ()
    here = {Phase.VILLAGE: ("village",), Phase.GRAVEYARD: ("graveyard",)}.get(state.phase, ())
    emptied = turns.EMPTIED if seat is None else here
    of_whom = {} if seat is None else {"seat": seat}
    return tuple(
        Choice(
            say(f"choice.emptied.{what}"),
            {"do": "end_round", "emptied": what, **of_whom},
            weight=Weight.QUIET,
            group=say("group.round"),
        )
        for what in emptied
    )


def monster_forms(lab: Lab, seat: Seat) -> Iterator[Choice]:
    """Offer to say that a monster is not as the app has it, or left the table; folded away."""
    group = say("group.monsters")
    states = (Option("false", say("ready")), Option("true", say("exhausted")))
    for one in lab.monsters:
        command = {"seat": seat, "monster": one.number}
        fields: tuple[Field, ...] = (
            *(Count(a.value, attribute_name(a), 0, MOST_VALUE, one.of(a)) for a in Attribute),
            Pick("is_exhausted", say("field.state"), states, value="true" if one.is_exhausted else "false"),
        )
        name = monster_name(one.number)
        label = say("choice.set_monster", monster=name)
        yield Choice(label, {"do": "set_monster", **command}, fields, Weight.QUIET, group)
        lost = say("choice.lose_monster", monster=name)
        yield Choice(lost, {"do": "lose_monster", **command}, weight=Weight.QUIET, group=group)
