"""Choices and forms: what a tap sends, stage by stage. ``prompts`` puts them under their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.game import Choice, Count, Field, Option, Pick, Seat, Sentence, Weight
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
    carts,
    deliveries,
    lester,
    reanimate,
    refresh,
    setup,
    upgrades,
)
from companion.games.making_monsters.rules.placing import possible_moves
from companion.games.making_monsters.rules.priority import free_parts, free_spots
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
        Count("track", say("field.track"), 1, setup.longest_track(state.box, 2), setup.USUAL_TRACK[4]),
        Pick("depth", say("field.depth"), depths, value=Depth.FULL.value),
    )
    return Choice(say("choice.set_up"), {"do": "set_up"}, fields, Weight.PRIMARY)


def odds_choice(state: State) -> Choice:
    key = "choice.odds_off" if state.odds else "choice.odds_on"
    return Choice(say(key), {"do": "show_odds", "is_on": not state.odds}, weight=Weight.QUIET)


def options_form(state: State) -> Choice:
    """Return every option of the table with its values, filled in as the table plays now."""
    return Choice(say("choice.options"), {"do": "choose_options"}, option_fields(state), Weight.QUIET)


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
    key = "choice.reanimate_school" if school else "choice.reanimate"
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


def add_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    return tuple(
        Choice(token_name(kind), {"do": "add_part", "seat": seat, "kind": kind.value}, sign=f"part-{kind}")
        for kind in deliveries.addable(state, lab)
        if kind in free_parts(state, seat)
    )


def spare_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Offer the cards that an upgrade lets a seat play, and to play none (MM-R74)."""
    none = Choice(say("choice.leave_lester"), {"do": "leave_lester", "seat": seat}, weight=Weight.QUIET)
    return (*lester_choices(state, seat, lab), none)


def chill_form(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """One tap keeps one part where one may stay; more of them are picked in a form."""
    cards, most = shown_cards(state.box, lab), upgrades.chilled(lab)
    words = {
        space: say(
            "choice.token_at",
            token=token_name(lab.parts[space]),
            space=space_name(state.box, cards, space),
        )
        for space in upgrades.chillable(lab)
    }
    command = {"do": "chill", "seat": seat}
    none = Choice(say("choice.chill_none"), {**command, "kept": []}, weight=Weight.QUIET)
    if most > 1 and len(words) > 1:
        fields = (Pick("kept", say("field.kept_cold"), _options(words), 0, min(most, len(words)), ()),)
        return (Choice(say("choice.chill"), command, fields, Weight.PRIMARY),)
    one_tap = tuple(
        Choice(label, {**command, "kept": [space]}, sign=f"part-{lab.parts[space]}")
        for space, label in words.items()
    )
    return (*one_tap, none)


def _options(words: Mapping[str, Sentence]) -> tuple[Option, ...]:
    return tuple(Option(value, label) for value, label in words.items())


def lester_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    return tuple(
        _lester(state, seat, lab, card)
        for card in lester.unused(state, lab)
        if not lester.must_wait(state, seat, card)
    )


def _lester(state: State, seat: Seat, lab: Lab, card: str) -> Choice:
    command = {"do": "play_lester", "seat": seat, "card": card}
    if not lester.has_effect(state, lab, card):
        label = say("choice.lester_idle", card=say(f"lester.{card}"))
        return Choice(label, command, weight=Weight.COSTLY, sign=f"lester-{card}")
    fields: tuple[Field, ...] = ()
    due = lester.chosen_kinds(state, card)
    if due:
        free = free_parts(state, seat)
        kinds = [kind for kind in USEFUL if free.get(kind)]
        heap = [kind for kind in kinds for _ in range(free[kind])][:due]
        fields = tuple(
            Count(kind.value, token_name(kind), 0, min(due, free[kind]), heap.count(kind)) for kind in kinds
        )
    if card == "expand":
        fields = _expand_fields(state, seat, lab)
    label = say("choice.lester", card=say(f"lester.{card}"), does=say(f"lester.{card}.does", count=due))
    return Choice(label, command, fields, sign=f"lester-{card}")


def _expand_fields(state: State, seat: Seat, lab: Lab) -> tuple[Field, ...]:
    tiles = upgrades.expandable(state, lab)
    free = free_spots(state, seat)
    spots = _spots({spot: tile for spot, tile in tiles.items() if spot in free})
    field = Pick("spot", say("field.tile"), spots, value=spots[0].value)
    if upgrades.free_tile_spaces(state, lab):
        return (field,)
    held = _held(state, lab)
    return (field, Pick("space", say("field.replace_one"), held, value=held[0].value)) if held else (field,)


def _spots(tiles: Mapping[str, str]) -> tuple[Option, ...]:
    return tuple(
        Option(spot, say("place.on_cart", cart=int(spot[4]), tile=tile_name(tile)))
        for spot, tile in tiles.items()
    )


def _held(state: State, lab: Lab) -> tuple[Option, ...]:
    return tuple(
        Option(space, say("place.held", number=int(space.removeprefix("upgrade")), tile=tile_name(tile)))
        for space in upgrades.replaceable_tiles(state, lab)
        if (tile := lab.tiles.get(space))
    )


def items_form(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """One form for all items: a count of each part the cart prints, and its tiles."""
    offer, tiles = reanimate.on_offer(state, seat), reanimate.tiles_on_offer(state, seat)
    fields: list[Field] = [
        Count(kind.value, token_name(kind), 0, min(count, lab.items), 0) for kind, count in offer.items()
    ]
    if tiles and lab.items:
        most = min(len(tiles), lab.items)
        named = tuple(Option(spot, tile_name(tile)) for spot, tile in tiles.items())
        on_carts = _spots(tiles) if carts.teleports(state, lab) else named
        fields.append(Pick("tiles", say("field.tiles"), on_carts, least=0, most=max(2, most), value=()))
        if len(upgrades.free_tile_spaces(state, lab)) < most:
            held = _held(state, lab)
            fields.append(Pick("replace", say("field.replace"), held, least=0, most=max(2, most), value=()))
    command = {"do": "take_items", "seat": seat}
    return (Choice(say("choice.items"), command, tuple(fields), Weight.PRIMARY),)


def keep_form(state: State, seat: Seat, lab: Lab) -> Choice:
    spaces = refresh.keep_spaces(state.box, lab)
    usual = refresh.usual_keep(state, lab)
    fields = (
        Pick("card", say("field.kept"), _cards(state.box, setup.hidden_cards(state))),
        Pick("space", say("field.space"), _spaces(state.box, lab, spaces), value=usual),
    )
    return Choice(say("choice.keep"), {"do": "keep_card", "seat": seat}, fields, Weight.PRIMARY)


def five_form(state: State, seat: Seat, lab: Lab) -> Choice:
    best = sorted(lab.pile, key=lambda card: -state.box.monsters[card].prestige)[:5]
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
