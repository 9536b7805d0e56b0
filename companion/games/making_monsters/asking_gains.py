"""What a seat takes, plays and keeps: parts for the bag, L.E.S.T.E.R. cards, items, what stays cold."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Choice, Count, Field, Option, Pick, Seat, Sentence, Weight
from companion.games.making_monsters.asking import shown_cards
from companion.games.making_monsters.components import USEFUL, Token
from companion.games.making_monsters.rules import carts, deliveries, lester, reanimate, upgrades
from companion.games.making_monsters.rules.acting import MOST_PARTS, actions_left
from companion.games.making_monsters.rules.priority import free_parts, free_spots
from companion.games.making_monsters.sheets import MOST_PRESTIGE
from companion.games.making_monsters.state import Lab, State
from companion.games.making_monsters.words import card_name, say, space_name, tile_name, token_name


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
    items = Choice(say("choice.items"), command, tuple(fields), Weight.PRIMARY)
    return (items, *(action_form(state, seat, card) for card in actions_left(state, lab)))


def action_form(state: State, seat: Seat, card: str) -> Choice:
    """Return the form for what the reanimate action of a card brought, as its owner reads it."""
    free = free_parts(state, seat)
    parts = (
        Count(kind.value, token_name(kind), 0, min(n, MOST_PARTS), 0)
        for kind, n in free.items()
        if kind is not Token.ROT
    )
    fields = (Count("prestige", say("field.prestige"), 0, MOST_PRESTIGE, 0), *parts)
    label = say("choice.action", monster=card_name(state.box, card))
    return Choice(label, {"do": "act", "seat": seat, "card": card}, fields, Weight.PLAIN)
