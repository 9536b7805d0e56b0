"""What each seat, and a watcher, may know. Secrets of others are never put in, so none is hidden later.

Secret are the colour of an order until the reveal and a decision until all have decided.
What a bag holds is shown to its own seat only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.game import Panel, Seat, SeatView, Sentence, Tally, View, Wire
from companion.games.making_monsters import advice, options
from companion.games.making_monsters.asking import shown_cards
from companion.games.making_monsters.parts import in_order
from companion.games.making_monsters.prompts import seat_prompt, table_prompts
from companion.games.making_monsters.ring import ring
from companion.games.making_monsters.rules import carts, deliveries, final, reanimate, upgrades
from companion.games.making_monsters.rules.depth import least_supply
from companion.games.making_monsters.rules.setup import hidden_cards
from companion.games.making_monsters.setting_up import around, table_steps, table_tidying
from companion.games.making_monsters.state import (
    Lab,
    Phase,
    Stage,
    State,
    completed,
    free_holds,
    free_rejects,
    free_sorts,
    open_slots,
    shown,
)
from companion.games.making_monsters.words import (
    card_name,
    feat_name,
    option_name,
    option_value,
    order_name,
    say,
    seat_name,
    seat_names,
    tile_name,
    token_name,
)

CHORES_SHOWN = 16


def view(state: State, seat: Seat | None) -> View:
    """Return all that a seat may know; None or a seat that does not play: a watcher."""
    lab = state.labs.get(seat) if seat is not None else None
    table = table_prompts(state)
    if seat is None or lab is None:
        prompts, panels = table, (*around(state, None), *_common_panels(state), *_options_panel(state, None))
    else:
        # Naming upgrades is the host's errand: phones see only what cannot wait.
        prompts = (seat_prompt(state, seat), *(prompt for prompt in table if prompt.expects_turn))
        panels = (
            *around(state, seat),
            *advice.panels(state, seat),
            *_own_panels(state, seat, lab),
            *_common_panels(state),
            *_options_panel(state, seat),
        )
    return View(
        phase=say(f"phase.{state.phase}"),
        round=state.round or None,
        seats=_seats(state),
        prompts=prompts,
        panels=panels,
        headline=_headline(state),
        is_over=state.phase is Phase.OVER,
        ring=ring(state) if lab is None else None,
        facts=_facts(state, seat if lab is not None else None),
    )


def _headline(state: State) -> Sentence | None:
    if state.phase is Phase.OVER:
        won = final.winners(state)
        return say(f"won.{final.won_by(state)}", seats=seat_names(won), count=len(won))
    if state.track == 0 and state.phase in (Phase.DELIVERIES, Phase.REANIMATE):
        return say("last_round")
    return None


def _seats(state: State) -> tuple[SeatView, ...]:
    ranks = {}
    if state.phase is Phase.OVER:
        ranks = {place.seat: place.rank for place in final.standings(state)}
    waited = state.waited_for()
    return tuple(
        SeatView(
            seat=seat,
            score=lab.score,
            state=_standing(state, lab),
            is_waited_for=seat in waited,
            tallies=tuple(Tally(amount, say(f"why.{why}")) for why, amount in lab.earned.items()),
            sign=f"seat-{seat}",
            rank=ranks.get(seat),
            why=f"score.{seat}",
        )
        for seat, lab in state.labs.items()
    )


def _standing(state: State, lab: Lab) -> Sentence:
    """Return a seat's state in words; a decision stays out of it."""
    if lab.is_bust and lab.stage is not Stage.DONE:
        return say("state.bust")
    if not lab.is_followed and lab.stage in (Stage.DRAW, Stage.REPORT):
        return say("stage.report")
    if lab.stage is Stage.DRAW and state.phase is Phase.DELIVERIES and lab.order is not None:
        key = "state.draws_super" if lab.is_super else "state.draws_base"
        return say(key, order=order_name(lab.order), drawn=lab.drawn)
    return say(f"stage.{lab.stage}")


def _common_panels(state: State) -> tuple[Panel, ...]:
    if state.phase is Phase.OPEN:
        return table_steps(state)
    track = Panel("track", say("panel.track"), gauge=(state.track, state.track_length), why="track")
    rows: list[tuple[Sentence, Sentence | str | int]] = []
    facing = {carts.cart_before(state, seat): seat for seat in state.labs}
    for cart, kinds in enumerate(state.box.carts):
        tiles = [tile for spot, tile in state.carts.items() if spot.startswith(f"cart{cart + 1}_")]
        what = (*(token_name(kind) for kind in kinds), *(tile_name(tile) for tile in tiles))
        label = say("panel.cart", cart=cart + 1)
        if cart in facing:
            label = say("panel.cart_of", cart=cart + 1, seat=seat_name(facing[cart]))
        rows.append((label, say("list", items=what)))
    least = least_supply(state)
    supply = tuple(
        (token_name(kind), _bounds(least.get(kind, 0), most)) for kind, most in in_order(state.supply).items()
    )
    return (
        *table_steps(state),
        *table_tidying(state),
        track,
        Panel("carts", say("panel.carts"), tuple(rows)),
        Panel("supply", say("panel.supply"), supply, why="supply"),
    )


def _bounds(least: int, most: int) -> Sentence | int:
    """Return a count, or between what and what it lies where not everything is told."""
    if least == most:
        return most
    return say("panel.between" if least else "panel.at_most", least=least, most=most)


def _reported_panels(state: State, lab: Lab) -> tuple[Panel, ...]:
    """Return what is known of a lab that is not followed: no bag, no rejects, no tokens."""
    rows: list[tuple[Sentence, Sentence | str | int]] = [
        (feat_name(state.box, feat), feat.prestige) for feat in lab.done
    ]
    rows += [(say("panel.bag"), say("panel.not_followed"))]
    return (Panel("lab", say("panel.depth", depth=say(f"depth.{lab.depth}")), tuple(rows)),)


def _own_panels(state: State, seat: Seat, lab: Lab) -> tuple[Panel, ...]:
    if not lab.is_followed:
        return _reported_panels(state, lab)
    rows: list[tuple[Sentence, Sentence | str | int]] = []
    for space in shown_cards(state.box, lab):
        monster = shown(state.box, lab, space)
        if monster is None:
            continue
        need = sum(1 for index in range(len(monster.parts)) if f"{space}.part{index}" not in lab.parts)
        label = card_name(state.box, monster.id)
        rows.append((label, say("panel.missing", count=need) if need else say("panel.complete")))
    sorting = tuple(token_name(lab.parts[space]) for space in ("sort1", "sort2") if space in lab.parts)
    rows.append((say("panel.sorting"), say("list", items=sorting) if sorting else say("panel.empty")))
    rows += [(say("panel.upgrade"), _tile_with_tokens(lab, space)) for space in lab.tiles]
    bag = tuple((token_name(kind), count) for kind, count in in_order(lab.bag).items())
    return (
        Panel("rejects", say("panel.rejects"), gauge=(min(lab.rejects, 6), 6), why="rejects"),
        Panel("lab", say("panel.lab"), tuple(rows)),
        Panel("bag", say("panel.bag_guessed" if state.bags_guessed else "panel.bag"), bag, why="bag"),
        Panel("pile", say("panel.pile", count=len(lab.pile)), why="pile"),
    )


def _tile_with_tokens(lab: Lab, space: str) -> Sentence:
    tile = tile_name(lab.tiles[space])
    on_it = tuple(token_name(kind) for kind in upgrades.held_on(lab, space).values())
    return say("panel.tile_with", tile=tile, tokens=on_it) if on_it else tile


def _options_panel(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Return how the table plays: all of it for the host and a watcher, for a seat what is unusual."""
    shown_names = options.ALL if seat is None else options.settled(state.box, state.options)
    rows = tuple(
        (option_name(name), option_value(name, options.value(state.box, state.options, name)))
        for name in shown_names
    )
    return (Panel("options", say("panel.options"), rows),) if rows else ()


def _facts(state: State, seat: Seat | None) -> Wire:
    """Return the game's words for player clients: counts and places, as JSON carries them."""
    facts: dict[str, Any] = {
        "phase": state.phase.value,
        "track": [state.track, state.track_length],
        "quarter": state.quarter,
        "seats": list(state.labs),
        "waited_for": list(state.waited_for()),
        "options": dict(state.options),
    }
    if state.phase not in (Phase.OPEN, Phase.SETUP, Phase.ORDER, Phase.REVEAL):
        facts["orders"] = {s: lab.order.value for s, lab in state.labs.items() if lab.order}
        facts["supers"] = [s for s, lab in state.labs.items() if lab.is_super]
    facts["depths"] = {s: lab.depth.value for s, lab in state.labs.items()}
    facts["labs"] = {
        s: {
            "cards": dict(lab.cards),
            "parts": dict(lab.parts),
            "tiles": dict(lab.tiles),
            "pile": len(lab.pile),
        }
        for s, lab in state.labs.items()
        if seat in (None, s) and lab.is_followed
    }
    if seat is not None:
        facts |= _own_facts(state, seat, state.labs[seat])
    mine = [chore for chore in state.chores if seat is None or chore.seat in (None, seat)]
    shown_chores = mine if seat is None else mine[-CHORES_SHOWN:]
    facts["chores"] = [{"number": chore.number, "seat": chore.seat, **chore.deed} for chore in shown_chores]
    return facts


def _reported_facts(seat: Seat, lab: Lab) -> dict[str, Any]:
    """Return the facts of a seat that is not followed: what nobody tells is not there at all."""
    return {
        "seat": seat,
        "depth": lab.depth.value,
        "stage": lab.stage.value,
        "order": lab.order.value if lab.order else None,
        "done": [[feat.prestige, feat.card] for feat in lab.done],
        "is_bust": lab.is_bust,
    }


def _cards_at_hand(state: State, lab: Lab) -> dict[str, list[Any]]:
    """Return prestige and parts of the cards that a seat chooses from now, as anybody can read on them."""
    cards: Iterable[str] = ()
    if lab.stage in (Stage.CARD, Stage.KEEP):
        cards = sorted(hidden_cards(state))
    elif lab.stage is Stage.CHOOSE:
        cards = lab.pile
    monsters = (state.box.monsters[card] for card in cards)
    return {monster.id: [monster.worth, *monster.parts] for monster in monsters}


def _own_facts(state: State, seat: Seat, lab: Lab) -> dict[str, Any]:
    if not lab.is_followed:
        return _reported_facts(seat, lab)
    cart = carts.cart_before(state, seat)
    return {
        "seat": seat,
        "depth": lab.depth.value,
        "stage": lab.stage.value,
        "order": lab.order.value if lab.order else None,
        "bag": in_order(lab.bag),
        "monsters": _cards_at_hand(state, lab),
        "pile": {card: state.box.monsters[card].worth for card in lab.pile},
        "shown": {
            space: [monster.worth, *monster.parts]
            for space in shown_cards(state.box, lab)
            if (monster := shown(state.box, lab, space))
        },
        "slots": open_slots(state.box, lab),
        "free_sorts": list(free_sorts(lab)),
        "free_holds": list(free_holds(lab)),
        "free_rejects": list(free_rejects(lab)),
        "rejects": lab.rejects,
        "drawn": lab.drawn,
        "grab_left": deliveries.grab_left(state, lab) if lab.stage in deliveries.DRAWING else 0,
        "left": deliveries.draws_left(state, lab) if lab.stage in deliveries.DRAWING else 0,
        "may_stop": deliveries.may_stop(state, lab),
        "completed": len(completed(state.box, lab)),
        "points": reanimate.points_of(state, lab),
        "school": upgrades.school_prestige(lab),
        "tile_spaces": list(upgrades.free_tile_spaces(state, lab)),
        "is_bust": lab.is_bust,
        "items": lab.items,
        "cart": {
            "name": f"cart{cart + 1}",
            "offer": reanimate.on_offer(state, seat) if lab.stage is Stage.ITEMS else {},
            "tiles": reanimate.tiles_on_offer(state, seat) if lab.stage is Stage.ITEMS else {},
        },
    }
