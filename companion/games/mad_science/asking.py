"""Choices and forms: what a tap sends, stage by stage. ``prompts`` puts them under their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Sentence, Weight
from companion.games.mad_science import options
from companion.games.mad_science.components import FACES, SEATS, Connector, Kind
from companion.games.mad_science.instructions import AMOUNTS, BATTLE_WORDS, BREAK_WORDS
from companion.games.mad_science.moves import Source
from companion.games.mad_science.rules.battle import HIT_WORDS
from companion.games.mad_science.rules.breaking import matching, targets
from companion.games.mad_science.rules.build import may_attach, may_draw, seen
from companion.games.mad_science.rules.harm import in_turn_order
from companion.games.mad_science.rules.setup import LEAST_SEATS, bodies_left
from companion.games.mad_science.sheets import (
    MOST_LIFE,
    MOST_PART_LIFE,
    MOST_SPECIAL,
    OF_BODIES,
    PARTS,
)
from companion.games.mad_science.state import Creature, Phase, State, life_of
from companion.games.mad_science.words import (
    EXPERIMENT,
    box_name,
    card_name,
    kind_name,
    option_name,
    option_value,
    say,
    seat_name,
)


def _cards(state: State, cards: Iterable[str]) -> tuple[Option, ...]:
    by_name = sorted(cards, key=state.box.name)
    return tuple(Option(card, card_name(state.box, card)) for card in by_name)


def set_up_form() -> Choice:
    seats = tuple(Option(seat, seat_name(seat)) for seat in SEATS)
    pick = Pick("seats", say("field.seats"), seats, LEAST_SEATS, len(SEATS), value=tuple(SEATS))
    return Choice(say("choice.set_up"), {"do": "set_up"}, (pick,), Weight.PRIMARY)


def options_form(state: State, group: Sentence | None = None) -> Choice:
    """Return every option of the table with its values, filled in as the table plays now."""
    fields = tuple(
        Pick(
            f"option_{name}",
            option_name(name),
            tuple(Option(value, option_value(name, value)) for value in option.values),
            value=options.value(state.options, name),
        )
        for name, option in options.ALL.items()
    )
    return Choice(say("choice.options"), {"do": "choose_options"}, fields, Weight.QUIET, group)


def odds_choice(state: State) -> Choice:
    key = "choice.odds_off" if state.odds else "choice.odds_on"
    return Choice(say(key), {"do": "show_odds", "is_on": not state.odds}, weight=Weight.QUIET)


def life_form(state: State) -> Choice:
    """Return the form that puts right what is written down."""
    fighters = [seat for seat, one in state.creatures.items() if one.fights and not one.is_out]
    who = tuple(Option(seat, seat_name(seat)) for seat in fighters)
    if state.phase is Phase.PLAY:
        who = (Option(EXPERIMENT, say("experiment")), *who)
    fields = (Pick("who", say("field.who"), who), Count("life", say("field.life"), 0, MOST_LIFE, None))
    return Choice(say("choice.set_life"), {"do": "set_life"}, fields, Weight.QUIET, say("group.set_right"))


def die_pad(seat: Seat) -> tuple[Choice, ...]:
    """Return one tap for each face, for a table whose die does not speak."""
    return tuple(
        Choice(
            say("choice.face", face=face),
            {"do": "roll", "seat": seat, "face": face},
            group=say("group.die_pad"),
        )
        for face in FACES
    )


def experiments(state: State, seat: Seat) -> tuple[Choice, ...]:
    cards = [card for card, one in state.box.experiments.items() if one.life is not None]
    return _turn_up(state, seat, cards)


def conflicts(state: State, seat: Seat) -> tuple[Choice, ...]:
    return _turn_up(state, seat, state.box.conflicts)


def _turn_up(state: State, seat: Seat, cards: Iterable[str]) -> tuple[Choice, ...]:
    """Return one tap for each card that may lie there."""
    return tuple(
        Choice(
            card_name(state.box, card),
            {"do": "turn_up", "seat": seat, "card": card},
            group=say("group.which"),
            picture=card,
        )
        for card in sorted(cards, key=state.box.name)
    )


def bodies(state: State, seat: Seat) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            card_name(state.box, body),
            {"do": "deal_body", "seat": seat, "body": body},
            group=say("group.which"),
            picture=body,
        )
        for body in sorted(bodies_left(state), key=state.box.name)
    )


def play_forms(state: State, seat: Seat, creature: Creature) -> Iterator[Choice]:
    """Return one tap for each part that may go on, by kind, and a form for adaptors."""
    free = [card for card in state.box.names if state.box.copies(card) > seen(state, card)]
    for kind in Kind:
        fitting = [
            card
            for card in free
            if card in state.box.parts
            and state.box.parts[card].kind is kind
            and may_attach(state, creature, state.box.parts[card])
        ]
        for card in sorted(fitting, key=state.box.name):
            command = {"do": "play", "seat": seat, "card": card}
            yield Choice(card_name(state.box, card), command, group=kind_name(kind), picture=card)
    adaptors = [card for card in free if card in state.box.adaptors]
    slots = tuple(Option(kind, kind_name(kind)) for kind in Kind if kind not in creature.parts)
    if adaptors and slots and not creature.adaptor:
        fields = (
            Pick("card", say("field.adaptor"), _cards(state, adaptors)),
            Pick("on", say("field.on"), slots),
        )
        label, group = say("choice.play_adaptor"), say("group.adaptor")
        yield Choice(label, {"do": "play", "seat": seat}, fields, Weight.QUIET, group)


def finish_choices(state: State, seat: Seat, *, has_played: bool) -> tuple[Choice, ...]:
    """Return one tap for each way to end a Build turn: where the card came from, and the discard."""
    weights = {Source.PILE: Weight.PRIMARY if has_played else Weight.PLAIN, Source.NOTHING: Weight.QUIET}
    head = "finish" if has_played else "finish_without"
    return tuple(
        Choice(
            say(f"choice.{head}_{source}"),
            {"do": "finish", "seat": seat, "source": source.value},
            weight=weights.get(source, Weight.PLAIN),
        )
        for source in Source
        if may_draw(state, source)
    )


def steps_apart(state: State, seat: Seat, *, has_played: bool) -> Iterator[Choice]:
    """Return the steps of a Build turn one by one, for who wants to name the discard."""
    group = say("group.steps")
    if not has_played:
        yield Choice(say("choice.skip"), {"do": "skip", "seat": seat}, weight=Weight.QUIET, group=group)
    for source in Source:
        if may_draw(state, source):
            command = {"do": "draw", "seat": seat, "source": source.value}
            yield Choice(say(f"choice.draw_{source}"), command, weight=Weight.QUIET, group=group)


def discard_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    free = [card for card in state.box.names if state.box.copies(card) > seen(state, card)]
    plain = Choice(say("choice.discarded"), {"do": "discard", "seat": seat}, weight=Weight.PRIMARY)
    pick = Pick("card", say("field.card"), _cards(state, free))
    label, group = say("choice.discarded_this"), say("group.name_discard")
    return (plain, Choice(label, {"do": "discard", "seat": seat}, (pick,), Weight.QUIET, group))


def target_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            say("choice.target", target=seat_name(other), life=life_of(state, other)),
            {"do": "target", "seat": seat, "target": other},
            group=say("group.target"),
        )
        for other in targets(state, seat)
    )


def take_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    attacked = state.turn.target
    if attacked is None:
        return ()
    return tuple(
        Choice(
            say(
                "choice.take",
                kind=kind_name(kind),
                card=card_name(state.box, state.creatures[attacked].parts[kind]),
            ),
            {"do": "take", "seat": seat, "kind": kind.value},
            group=say("group.take"),
        )
        for kind in matching(state, attacked, state.turn.face)
    )


def box_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return one tap for each word that may stand in the box that was rolled."""
    words = BREAK_WORDS if state.phase is Phase.BREAK else BATTLE_WORDS
    return tuple(
        Choice(
            box_name(word, state.turn.face),
            {"do": "tell_box", "seat": seat, "word": word},
            group=say("group.box"),
        )
        for word in words
    )


def move_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return how a special move is carried out: as the box says, or effect by effect; and its end."""
    does = state.box.experiments[state.experiment].does
    whom = tuple(Option(one, seat_name(one)) for one in in_turn_order(state, seat))
    whom = (*whom, Option(EXPERIMENT, say("experiment")))
    amounts = tuple(Option(f"lose_{amount}", box_name(f"lose_{amount}")) for amount in AMOUNTS)
    others = tuple(Option(word, box_name(word)) for word in HIT_WORDS)
    hit = {"do": "hit", "seat": seat}
    to_whom = Pick("whom", say("field.whom"), whom, 1, len(whom), value=(seat,))
    as_said = Choice(say("choice.do_move"), {"do": "do_move", "seat": seat}, weight=Weight.PRIMARY)
    end = Choice(
        say("choice.end_move"),
        {"do": "end_move", "seat": seat},
        weight=Weight.PLAIN if does else Weight.PRIMARY,
    )
    lose = (to_whom, Pick("does", say("field.does"), amounts))
    suffer = (to_whom, Pick("does", say("field.does"), others))
    return (
        *((as_said,) if does else ()),
        end,
        # What one tap does needs no forms in its way; who reads the card otherwise unfolds them.
        Choice(
            say("choice.hit"),
            hit,
            lose,
            Weight.QUIET if does else Weight.PLAIN,
            say("group.loses_life"),
        ),
        Choice(say("choice.hit"), hit, suffer, Weight.QUIET, say("group.suffers")),
    )


def name_form(seat: Seat, creature: Creature) -> Choice:
    line = Line("name", say("field.name"), creature.name)
    key = "group.rename" if creature.name else "group.name"
    return Choice(say("choice.name"), {"do": "name", "seat": seat}, (line,), Weight.QUIET, say(key))


# --- cards that the box does not list ------------------------------------------------------


def _words(kind: str, words: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(word, say(f"{kind}.{word}")) for word in words)


def _cell(sheet: str, column: str) -> Field:
    """Return the field in which a cell of a card is told."""
    label = say(f"column.{column}")
    of_parts = sheet == PARTS.name
    fields: Mapping[str, Field] = {
        "name": Line("cell_name", label),
        "kind": Pick("cell_kind", label, _words("kind", Kind)),
        "connector": Pick("cell_connector", label, _words("connector", Connector if of_parts else OF_BODIES)),
        "number": Count("cell_number", label, 1, 6, None),
        "special": Count("cell_special", label, 0, MOST_SPECIAL, None),
        "life": Count("cell_life", label, 0, MOST_PART_LIFE, 0)
        if of_parts
        else Count("cell_life", label, 1, MOST_LIFE, None),
    }
    return fields[column]


def new_card_form(seat: Seat, sheet: str, columns: Iterable[str]) -> Choice:
    """Return the form for a card that lies there and that the box does not list."""
    fields = tuple(_cell(sheet, column) for column in columns)
    command = {"do": "tell_card", "seat": seat, "sheet": sheet}
    return Choice(say("choice.tell_card"), command, fields, Weight.QUIET, say("group.not_listed"))


def tell_form(state: State, seat: Seat, sheet: str, card: str) -> Choice:
    """Return the form for the numbers of a card without which its creature cannot be counted."""
    columns = ["life"]
    if sheet == PARTS.name:
        part = state.box.parts[card]
        known = {"life": part.life, "number": part.number}
        known |= {"special": part.special} if part.kind is Kind.WEAPON else {}
        columns = [column for column, value in known.items() if value is None]
    fields = tuple(_cell(sheet, column) for column in columns)
    command = {"do": "tell_card", "seat": seat, "sheet": sheet, "card": card}
    label = say("choice.tell_numbers", card=card_name(state.box, card))
    return Choice(label, command, fields, group=card_name(state.box, card))
