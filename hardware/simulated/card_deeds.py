"""What hands can do with cards: deal, lay, discard, pile. Same form as the other deeds."""

from __future__ import annotations

from dataclasses import replace

from companion.board import SpaceKind
from hardware.simulated.wishes import Done, Reach, Wish
from hardware.simulated.world import Batch, Impossible, Piece, Sort, World, card_space, read_place


def deal(world: World, wish: Wish) -> Done:
    """Deal cards into the hand; the discards are shuffled when the deck runs out."""
    seat = world.require_seat(wish.text("seat"))
    dealt: list[Piece] = []
    for _ in range(wish.number("count", 1, least=1)):
        if not world.lying("deck") and world.lying("discard"):
            world, chance = world.chance("shuffle")
            discards = world.lying("discard")
            chance.shuffle(discards)
            world = world.put(discards, "deck")
        card = world.lying("deck")[-1:]
        world = world.put(card, f"hand/{seat}")
        dealt += card
    return Done(world, {"cards": [p.kind for p in dealt]})


def place_card(world: World, wish: Wish) -> Done:
    """Lay a card from the hand on a free card space of the lab."""
    return _card_to_lab(world, wish, f"hand/{wish.text('seat')}")


def take_card_from_pile(world: World, wish: Wish) -> Done:
    """Take a card from the seat's pile and lay it on a free card space."""
    return _card_to_lab(world, wish, f"pile/{wish.text('seat')}")


def _card_to_lab(world: World, wish: Wish, source: str) -> Done:
    seat = world.require_seat(wish.text("seat"))
    name, at = wish.text("card"), card_space(seat, wish.text("space"))
    card = world.find(source, Sort.CARD, name)
    if card is None:
        raise Impossible(f"{name} is not in {source}.")
    space = world.contents.space(read_place(at))
    if space is None or space.kind is not SpaceKind.CARD:
        raise Impossible(f"{at} is no space for cards.")
    if world.top(at, Sort.CARD) is not None:
        raise Impossible(f"A card already lies at {at}; put it on a pile first.")
    if _tokens_on(world, at):
        raise Impossible(f"Tokens lie on {at}; take them away first.")
    world, chance = world.chance(f"card {seat}")
    return Done(world.lay(card, at, chance), reaches=(Reach(seat, at),))


def _tokens_on(world: World, at: str) -> list[Piece]:
    return [
        p for p in world.pieces if p.sort is Sort.TOKEN and world.spots[p.number].at.startswith(f"{at}.part")
    ]


def discard_card(world: World, wish: Wish) -> Done:
    """Put a card from the hand on the discards."""
    seat = world.require_seat(wish.text("seat"))
    card = world.find(f"hand/{seat}", Sort.CARD, wish.text("card"))
    if card is None:
        raise Impossible(f"{seat} does not hold {wish.text('card')}.")
    return Done(world.put([card], "discard"))


def pile_from_hand(world: World, wish: Wish) -> Done:
    """Put a card from the hand on the seat's own pile; it scores nothing."""
    seat = world.require_seat(wish.text("seat"))
    card = world.find(f"hand/{seat}", Sort.CARD, wish.text("card"))
    if card is None:
        raise Impossible(f"{seat} does not hold {wish.text('card')}.")
    return Done(world.put([card], f"pile/{seat}"))


def pile_cards(world: World, wish: Wish) -> Done:
    """Put the cards of some spaces on the seat's own pile; tokens on them slide into the hand.

    A monster printed on a space without a card is counted and stays.
    """
    seat = world.require_seat(wish.text("seat"))
    names, reaches = [], []
    for space in wish.texts("spaces"):
        at = card_space(seat, space)
        card = world.top(at, Sort.CARD)
        printed = world.contents.printed.get(read_place(at).space)
        if card is None and printed is None:
            raise Impossible(f"No monster lies at {at}.")
        world = world.put(_tokens_on(world, at), f"hand/{seat}")
        if card is not None:
            world = world.put([card], f"pile/{seat}")
        names.append(str(card.kind) if card is not None else printed.id if printed is not None else "")
        reaches.append(Reach(seat, at))
    batch = Batch(seat, tuple(names), wish.yes("scored", default=True), wish.yes("bust"))
    return Done(replace(world, batches=(*world.batches, batch)), {"cards": names}, tuple(reaches))
