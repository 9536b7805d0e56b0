"""Choices and forms: what a tap sends, stage by stage. ``prompts`` puts them under their sentences."""

from __future__ import annotations

from collections.abc import Iterable

from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Sentence, Weight
from companion.games.making_monsters import options
from companion.games.making_monsters.components import (
    BONUS,
    SEATS,
    USEFUL,
    Order,
    Token,
)
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.printed import Printed
from companion.games.making_monsters.rules import (
    deliveries,
    reanimate,
    refresh,
    setup,
    upgrades,
)
from companion.games.making_monsters.rules.placing import possible_moves
from companion.games.making_monsters.rules.priority import free_parts
from companion.games.making_monsters.sheets import MOST_PARTS, MOST_PRESTIGE
from companion.games.making_monsters.state import (
    Lab,
    Phase,
    Stage,
    State,
    completed,
    free_holds,
    free_rejects,
    free_sorts,
    may_move,
    open_slots,
    shown,
)
from companion.games.making_monsters.words import (
    card_name,
    option_name,
    option_value,
    order_name,
    say,
    seat_name,
    space_name,
    tile_name,
    token_name,
)


def shown_cards(box: Printed, lab: Lab) -> dict[str, str]:
    """Return which monster each card space shows, printed ones included."""
    return {**box.printed, **lab.cards}


def _spaces(box: Printed, lab: Lab, spaces: Iterable[str]) -> tuple[Option, ...]:
    cards = shown_cards(box, lab)
    return tuple(Option(space, space_name(box, cards, space)) for space in spaces)


def _cards(box: Printed, cards: Iterable[str]) -> tuple[Option, ...]:
    by_name = sorted(cards, key=lambda card: box.monsters[card].name)
    return tuple(Option(card, card_name(box, card)) for card in by_name)


def set_up_form(state: State) -> Choice:
    seats = tuple(Option(seat, seat_name(seat)) for seat in SEATS)
    depths = tuple(Option(depth, say(f"depth.{depth}.does")) for depth in Depth)
    fields: tuple[Field, ...] = (
        Pick("seats", say("field.seats"), seats, least=2, most=4, value=tuple(SEATS)),
        Count(
            "track", say("field.track"), 1, setup.longest_track(state.box, 2), setup.usual_track(state.box, 4)
        ),
        Pick("depth", say("field.depth"), depths, value=Depth.FULL.value),
    )
    return Choice(say("choice.set_up"), {"do": "set_up"}, fields, Weight.PRIMARY)


def odds_choice(state: State) -> Choice:
    key = "choice.odds_off" if state.odds else "choice.odds_on"
    return Choice(say(key), {"do": "show_odds", "is_on": not state.odds}, weight=Weight.QUIET)


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
            value=options.value(state.box, state.options, name),
        )
        for name, option in options.ALL.items()
    )


def tile_form(state: State, places: tuple[str, ...]) -> Choice:
    fields = (
        Pick("place", say("field.place"), tuple(Option(place, _tile_place(place)) for place in places)),
        Pick("tile", say("field.tile"), tuple(Option(tile, tile_name(tile)) for tile in state.box.tiles)),
    )
    return Choice(say("choice.name_tile"), {"do": "name_tiles"}, fields, Weight.QUIET)


def _tile_place(place: str) -> Sentence:
    board, _, space = place.partition("/")
    number = int(space[-1])
    if board == "central":
        return say("place.cart", cart=int(space[4]), number=number)
    return say("place.lab", seat=seat_name(Seat(board.removeprefix("lab_"))), number=number)


def card_form(state: State, seat: Seat, lab: Lab) -> Choice:
    fields = (
        Pick("card", say("field.card"), _cards(state.box, setup.hidden_cards(state))),
        Pick(
            "space",
            say("field.space"),
            _spaces(state.box, lab, setup.open_spaces(lab)),
            value=setup.usual_space(state.box, lab),
        ),
    )
    return Choice(say("choice.place_card"), {"do": "place_card", "seat": seat}, fields, Weight.PRIMARY)


def order_choices(seat: Seat, weight: Weight, group: Sentence | None) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            order_name(order),
            {"do": "choose_order", "seat": seat, "order": order.value},
            weight=weight,
            group=group,
            sign=f"order-{order}",
        )
        for order in Order
    )


def drawable(state: State, lab: Lab) -> dict[Token, int]:
    """Return what may come out of a bag: what the books say, or anything if bags were only guessed."""
    if state.bags_guessed:
        return {kind: lab.bag.get(kind, 0) + state.supply.get(kind, 0) for kind in Token}
    return {kind: lab.bag[kind] for kind in Token if kind in lab.bag}


def draw_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """A grab is one form of counts; a single draw is one tap on its kind; both may name a place."""
    kinds, due = drawable(state, lab), deliveries.grab_left(state, lab)
    draw = {"do": "draw", "seat": seat}
    choices: list[Choice] = []
    if due:
        counts = tuple(
            Count(kind.value, token_name(kind), 0, min(count, due), 0) for kind, count in kinds.items()
        )
        choices.append(Choice(say("choice.drawn", count=due), draw, counts, Weight.PRIMARY))
    elif deliveries.draws_left(state, lab):
        choices += [
            Choice(
                token_name(kind),
                {**draw, "kind": kind.value},
                group=say("group.drawn"),
                sign=f"part-{kind}",
            )
            for kind in kinds
        ]
    if kinds:
        spaces = (
            *open_slots(state.box, lab),
            *free_sorts(lab),
            *free_holds(lab),
            *free_rejects(lab),
        )
        fields = (
            Pick("kind", say("field.kind"), tuple(Option(kind, token_name(kind)) for kind in kinds)),
            Pick("space", say("field.space"), _spaces(state.box, lab, spaces)),
        )
        choices.append(Choice(say("choice.elsewhere"), draw, fields, Weight.QUIET))
    return (*choices, *_stops(state, seat, lab))


def _stops(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    if not deliveries.may_stop(state, lab):
        return ()
    if state.phase is Phase.FAIR or lab.order is Order.BLUE:
        return (Choice(say("choice.stop"), {"do": "finish", "seat": seat}, weight=Weight.PRIMARY),)
    if lab.order is Order.RED and Token.MUTATION not in free_parts(state, seat):
        return (Choice(say("choice.stop"), {"do": "finish", "seat": seat}, weight=Weight.PRIMARY),)
    return decide_choices(state, seat, lab, Weight.PLAIN)


def decide_choices(state: State, seat: Seat, lab: Lab, weight: Weight) -> tuple[Choice, ...]:
    """Reanimate with its sum written on it, or push on; ``weight`` is that of the first."""
    count, points = len(completed(state.box, lab)), reanimate.points_of(state, lab)
    school = upgrades.school_prestige(lab)
    group = say("group.stop") if lab.stage is Stage.DRAW else None
    total = points + BONUS[count] + school
    push_on = Weight.QUIET if weight is Weight.QUIET else Weight.PLAIN
    if not count:
        weight, push_on = push_on, weight  # nothing to reanimate: the other one is the likely answer
    finished = [one for space in completed(state.box, lab) if (one := shown(state.box, lab, space))]
    key = "choice.reanimate_school" if school else "choice.reanimate"
    if any(one.prestige is None for one in finished):
        key = "choice.reanimate_some"
    label = say(key, count=count, points=points, bonus=BONUS[count], school=school, total=total)
    return (
        Choice(
            label,
            {"do": "decide", "seat": seat, "reanimate": True},
            weight=weight,
            group=group,
            sign="reanimate",
        ),
        Choice(
            say("choice.push_on"),
            {"do": "decide", "seat": seat, "reanimate": False},
            weight=push_on,
            group=group,
            sign="push-on",
        ),
    )


def keep_form(state: State, seat: Seat, lab: Lab) -> Choice:
    spaces = refresh.keep_spaces(state.box, lab)
    usual = refresh.usual_keep(state, lab)
    fields = (
        Pick("card", say("field.kept"), _cards(state.box, setup.hidden_cards(state))),
        Pick("space", say("field.space"), _spaces(state.box, lab, spaces), value=usual),
    )
    return Choice(say("choice.keep"), {"do": "keep_card", "seat": seat}, fields, Weight.PRIMARY)


def tell_form(box: Printed, seat: Seat, card: str, weight: Weight) -> Choice:
    """Ask what is not known of a card; an empty ``card`` asks for one that the box does not list."""
    monster = box.monsters.get(card)
    fields: list[Field] = []
    if monster is None or monster.name == monster.id:
        fields.append(Line("name", say("field.card_name")))
    if monster is None or monster.prestige is None:
        fields.append(Count("prestige", say("field.prestige"), 0, MOST_PRESTIGE, None))
    if monster is None or not monster.parts:
        spaces = monster.part_spaces if monster else 0
        kinds = tuple(Option(kind.value, token_name(kind)) for kind in USEFUL)
        for number in range(1, (spaces or MOST_PARTS) + 1):
            options = kinds if number <= (spaces or 1) else (Option("", say("field.no_part")), *kinds)
            value = None if number <= (spaces or 1) else ""
            fields.append(Pick(f"part_{number}", say("field.part", number=number), options, value=value))
    command = {"do": "tell_card", "seat": seat, "card": card}
    if monster is None:
        return Choice(say("choice.tell_new"), command, tuple(fields), weight, say("group.tell_new"))
    label = say("choice.tell_card", monster=card_name(box, card))
    group = None if weight is Weight.PRIMARY else say("group.tell_card")
    return Choice(label, command, tuple(fields), weight, group, picture=card)


def five_form(state: State, seat: Seat, lab: Lab) -> Choice:
    best = sorted(lab.pile, key=lambda card: -state.box.monsters[card].worth)[:5]
    most = max(2, min(5, len(lab.pile)))
    field = Pick("cards", say("field.five"), _cards(state.box, lab.pile), 0, most, tuple(best))
    return Choice(say("choice.five"), {"do": "choose_five", "seat": seat}, (field,), Weight.PRIMARY)


def move_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Offer every move from the sorting table, or a tile that holds parts like it, to a monster."""
    if not may_move(state, lab):
        return ()
    cards = shown_cards(state.box, lab)
    return tuple(
        Choice(
            say("choice.move", token=token_name(lab.parts[start]), space=space_name(state.box, cards, end)),
            {"do": "move", "seat": seat, "moves": [[start, end]]},
            weight=Weight.QUIET,
            group=say("group.sorting"),
        )
        for start, end in possible_moves(state.box, lab)
    )
