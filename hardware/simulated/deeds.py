"""What hands can do, one function a deed: a world and a wish in, the world after it out.

A deed says where the arm reaches, too. Deeds know what is physically possible, never
what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.board import SpaceKind
from hardware.simulated.card_deeds import (
    deal,
    discard_card,
    pile_cards,
    pile_from_hand,
    place_card,
    take_card_from_pile,
)
from hardware.simulated.contents import lab_of
from hardware.simulated.wishes import Done, Reach, Wish
from hardware.simulated.world import (
    TRACK_STEPS,
    Impossible,
    Piece,
    Seating,
    Sort,
    World,
    is_beside,
    read_place,
    set_up,
)


def draw(world: World, wish: Wish) -> Done:
    """Draw tokens from the seat's bag into its hand; fewer if the bag holds fewer."""
    seat = world.require_seat(wish.text("seat"))
    world, chance = world.chance(f"draw {seat}")
    # By kind, so that what is drawn follows from what is in the bag, not from how it got there.
    bag = sorted(world.lying(f"bag/{seat}", Sort.TOKEN), key=lambda p: (p.kind, p.number))
    drawn = chance.sample(bag, min(wish.number("count", 1, least=1), len(bag)))
    return Done(world.put(drawn, f"hand/{seat}"), {"drawn": [p.kind for p in drawn]})


def lay(world: World, wish: Wish) -> Done:
    """Lay one token from the hand."""
    token = {"kind": wish.text("kind"), "place": wish.text("place")}
    return lay_all(world, Wish({"seat": wish.text("seat"), "tokens": [token]}))


def lay_all(world: World, wish: Wish) -> Done:
    """Lay several tokens from the hand in one visit of the arm."""
    seat = world.require_seat(wish.text("seat"))
    tokens = wish.said.get("tokens")
    if not isinstance(tokens, list) or not all(isinstance(t, Mapping) for t in tokens):
        raise Impossible("Say 'tokens' as a list of objects with kind and place.")
    reaches = []
    for each in map(Wish, tokens):
        kind, at = each.text("kind"), each.text("place")
        token = world.find(f"hand/{seat}", Sort.TOKEN, kind)
        if token is None:
            raise Impossible(f"{seat} holds no {kind}.")
        world.token_place(at)
        world, chance = world.chance(f"lay {seat}")
        world = world.lay(token, at, chance)
        reaches.append(Reach(seat, at))
    return Done(world, reaches=tuple(reaches))


def move(world: World, wish: Wish) -> Done:
    """Move the upper token or tile of a place, or a token of a kind, to another place, a bag or the box."""
    source, goal, kind = wish.text("from"), wish.text("to"), wish.text("kind", "")
    token = world.find(source, Sort.TOKEN, kind) if kind else world.top(source, Sort.TOKEN)
    piece = token or (None if kind else world.top(source, Sort.TILE))
    if piece is None:
        raise Impossible(f"Nothing lies at {source} that could be moved.")
    seat = world.require_seat(wish.text("seat", _seat_of(world, source, goal)))
    reaches = [Reach(seat, source)] if _is_seen(world, source) else []
    if (
        goal == "box"
        or goal in (f"bag/{s}" for s in world.seats)
        or goal in (f"hand/{s}" for s in world.seats)
    ):
        return Done(world.put([piece], goal), reaches=tuple(reaches))
    if piece.sort is Sort.TILE:
        _require_free_tile_space(world, goal)
    else:
        world.token_place(goal)
    world, chance = world.chance(f"lay {seat}")
    return Done(world.lay(piece, goal, chance), reaches=(*reaches, Reach(seat, goal)))


def clear(world: World, wish: Wish) -> Done:
    """Sweep the tokens of the seat's lab, and what its hand still holds, into its bag."""
    seat = world.require_seat(wish.text("seat"))
    keep = wish.texts("keep", ())
    swept = [p for p in world.tokens_of_lab(seat) if world.spots[p.number].at not in keep]
    at = [world.spots[p.number].at for p in swept]
    reaches = tuple(Reach(seat, place) for place in dict.fromkeys([*at[:1], *at[-1:]]))
    swept += world.lying(f"hand/{seat}", Sort.TOKEN)
    return Done(world.put(swept, f"bag/{seat}"), {"cleared": len(swept)}, reaches)


def gain(world: World, wish: Wish) -> Done:
    """Take tokens of a kind from the supply or the Rot track into the seat's bag."""
    seat = world.require_seat(wish.text("seat"))
    kind, count, source = wish.text("kind"), wish.number("count", 1, least=1), wish.text("from", "supply")
    if source == "supply":
        found = world.lying(f"central/grave_{kind}", Sort.TOKEN)[-count:]
    elif source == "track":
        found = _track(world, kind)[-count:]
    else:
        raise Impossible("Say 'from' as supply or track.")
    if len(found) < count:
        raise Impossible(f"There are only {len(found)} {kind} in the {source}, not {count}.")
    at = world.spots[found[-1].number].at
    return Done(world.put(found, f"bag/{seat}"), {"gained": count}, (Reach(seat, at),))


def _track(world: World, kind: str) -> list[Piece]:
    on_track = [
        p for p in world.pieces if world.spots[p.number].at.startswith("score/rot_") and p.kind == kind
    ]
    return sorted(on_track, key=lambda p: int(world.spots[p.number].at.removeprefix("score/rot_")))


def throw_out(world: World, wish: Wish) -> Done:
    """Take tokens of a kind from the seat's bag out of the game."""
    seat = world.require_seat(wish.text("seat"))
    kind, count = wish.text("kind"), wish.number("count", 1, least=1)
    found = [p for p in world.lying(f"bag/{seat}", Sort.TOKEN) if p.kind == kind][:count]
    if len(found) < count:
        raise Impossible(f"There are only {len(found)} {kind} in the bag of {seat}, not {count}.")
    return Done(world.put(found, "box"), {"thrown_out": count})


def lay_order(world: World, wish: Wish) -> Done:
    """Lay an order token beside the lab, face down."""
    seat = world.require_seat(wish.text("seat"))
    at = f"beside/{lab_of(seat)}"
    if world.top(at, Sort.ORDER) is not None:
        raise Impossible(f"An order already lies beside {lab_of(seat)}.")
    order = world.find(f"drawer/{seat}", Sort.ORDER, f"order_{wish.text('colour')}")
    if order is None:
        raise Impossible(f"{seat} has no {wish.text('colour')} order.")
    world, chance = world.chance(f"order {seat}")
    return Done(world.lay(order, at, chance, is_up=False), reaches=(Reach(seat, at),))


def reveal(world: World, wish: Wish) -> Done:
    """Turn over every order that lies beside a lab; all seats at once."""
    del wish
    spots, reaches, shown = dict(world.spots), [], {}
    for seat in world.seats:
        order = world.top(f"beside/{lab_of(seat)}", Sort.ORDER)
        if order is not None:
            spots[order.number] = replace(spots[order.number], is_up=True)
            reaches.append(Reach(seat, f"beside/{lab_of(seat)}"))
            shown[seat] = order.kind.removeprefix("order_")
    return Done(replace(world, spots=spots), {"orders": shown}, tuple(reaches))


def take_order(world: World, wish: Wish) -> Done:
    """Take the seat's order token back."""
    seat = world.require_seat(wish.text("seat"))
    at = f"beside/{lab_of(seat)}"
    order = world.top(at, Sort.ORDER)
    if order is None:
        raise Impossible(f"No order lies beside {lab_of(seat)}.")
    return Done(world.put([order], f"drawer/{seat}"), reaches=(Reach(seat, at),))


def take_tile(world: World, wish: Wish) -> Done:
    """Take a tile from a cart to a free upgrade space of the lab."""
    seat = world.require_seat(wish.text("seat"))
    source, goal = wish.text("from"), wish.text("to")
    tile = world.top(source, Sort.TILE)
    if tile is None:
        raise Impossible(f"No upgrade lies at {source}.")
    _require_free_tile_space(world, goal)
    world, chance = world.chance(f"tile {seat}")
    world = world.lay(tile, goal, chance)
    return Done(world, {"tile": tile.kind}, (Reach(seat, source), Reach(seat, goal)))


def _require_free_tile_space(world: World, goal: str) -> None:
    space = world.contents.space(read_place(goal))
    if not is_beside(goal) and (space is None or space.kind is not SpaceKind.TILE):
        raise Impossible(f"{goal} is no space for upgrades.")
    if world.top(goal, Sort.TILE) is not None:
        raise Impossible(f"An upgrade already lies at {goal}.")


def refill(world: World, wish: Wish) -> Done:
    """Fill the empty spots of the carts from the stacks, as far as they reach."""
    seat = world.require_seat(wish.text("seat", next(iter(world.seats), "")))
    filled, reaches = {}, []
    stacks = sorted(f"central/{s.id}" for s in _central_spaces(world, SpaceKind.STACK))
    for space in _central_spaces(world, SpaceKind.TILE):
        at = f"central/{space.id}"
        if world.top(at, Sort.TILE) is not None:
            continue
        stack = max(stacks, key=lambda s: len(world.lying(s)), default="")
        tile = world.top(stack, Sort.TILE)
        if tile is None:
            break
        world, chance = world.chance("refill")
        world = world.lay(tile, at, chance)
        filled[at] = str(tile.kind)
        reaches.append(Reach(seat, at))
    return Done(world, {"filled": filled}, tuple(reaches))


def _central_spaces(world: World, kind: SpaceKind) -> list[Any]:
    central = next(b for b in world.contents.boards.values() if b.id == "central")
    return [s for s in central.spaces.values() if s.kind is kind]


def turn(world: World, wish: Wish) -> Done:
    """Turn the disc clockwise by quarters (negative: back)."""
    quarters = wish.said.get("quarters", 1)
    if (
        not isinstance(quarters, int)
        or isinstance(quarters, bool)
        or not -3 <= quarters <= 3
        or quarters == 0
    ):
        raise Impossible("Say 'quarters' as 1 to 3, or -1 to -3 to turn back.")
    seat = world.require_seat(wish.text("seat", next(iter(world.seats), "")))
    turned = replace(world, quarter=(world.quarter + quarters) % 4)
    return Done(
        turned, {"quarter": turned.quarter}, (Reach(seat, "central/upgrade_supply1"),), turned=quarters
    )


def roll(world: World, wish: Wish) -> Done:
    """Roll the die."""
    del wish
    world, chance = world.chance("die")
    face = chance.randint(1, 6)
    return Done(world, {"face": face}, rolled=face)


def set_marker(world: World, wish: Wish) -> Done:
    """Put the seat's prestige marker on its score; past 49 it begins again."""
    seat = world.require_seat(wish.text("seat"))
    score = wish.number("score")
    marker = next(p for p in world.pieces if p.sort is Sort.MARKER and p.owner == seat)
    at = f"score/prestige_{score % TRACK_STEPS}"
    reaches = (Reach(seat, world.spots[marker.number].at), Reach(seat, at))
    world, chance = world.chance(f"marker {seat}")
    world = world.lay(marker, at, chance)
    return Done(replace(world, scores={**world.scores, seat: score}), reaches=reaches)


def swap_unseen(world: World, wish: Wish) -> Done:
    """Exchange two tokens while nobody looks: no arm, no word."""
    one, other = (world.top(wish.text(name), Sort.TOKEN) for name in ("a", "b"))
    if one is None or other is None:
        raise Impossible("A token must lie at both places to be swapped.")
    spots = dict(world.spots)
    spots[one.number], spots[other.number] = spots[other.number], spots[one.number]
    return Done(replace(world, spots=spots))


def lay_out(world: World, wish: Wish) -> Done:
    """Set the table up (deed ``set_up``): everything is laid out anew from the box."""
    seats = wish.texts("seats")
    if len(set(seats)) != len(seats) or not seats:
        raise Impossible("Say 'seats' as a list of different seats.")
    places = wish.said.get("places") or list(range(len(seats)))
    if not isinstance(places, list) or not all(isinstance(p, int) for p in places):
        raise Impossible("Say 'places' as a list of whole numbers from 0 to 3.")
    world = set_up(world, Seating(seats, tuple(places), wish.number("rot_track", least=1)))
    hands = {seat: [p.kind for p in world.lying(f"hand/{seat}", Sort.CARD)] for seat in seats}
    return Done(world, {"cards": hands})


def _seat_of(world: World, *places: str) -> str:
    """Return whose lab, bag or hand a move is about."""
    for place in places:
        for seat in world.seats:
            if place.startswith(f"{lab_of(seat)}/") or place in (f"bag/{seat}", f"hand/{seat}"):
                return seat
    return next(iter(world.seats), "")


def _is_seen(world: World, at: str) -> bool:
    return at.split("/", maxsplit=1)[0] in world.contents.boards


Deed = Callable[[World, Wish], Done]

DEEDS: Mapping[str, Deed] = {
    "clear": clear,
    "deal": deal,
    "discard_card": discard_card,
    "draw": draw,
    "gain": gain,
    "lay": lay,
    "lay_all": lay_all,
    "lay_order": lay_order,
    "move": move,
    "pile_cards": pile_cards,
    "pile_from_hand": pile_from_hand,
    "place_card": place_card,
    "refill": refill,
    "reveal": reveal,
    "roll": roll,
    "set_marker": set_marker,
    "set_up": lay_out,
    "swap_unseen": swap_unseen,
    "take_card_from_pile": take_card_from_pile,
    "take_order": take_order,
    "take_tile": take_tile,
    "throw_out": throw_out,
    "turn": turn,
}


def done(world: World, said: Mapping[str, Any]) -> Done:
    """Do what a wish says. Raises Impossible and changes nothing."""
    name = Wish(said).text("do")
    if name not in DEEDS:
        raise Impossible(f"Hands know no deed {name!r}; they know {', '.join(DEEDS)}.")
    return DEEDS[name](world, Wish(said))
