"""Setting up and tidying away, step by step (rulebook, Setup A to I, and its note on resetting the bags).

Who sits where: seats are the four sides of the table, clockwise as seen from above, so that the next
one is on the left hand of each.
"""

from __future__ import annotations

from companion.game import Panel, Seat, Sentence
from companion.games.making_monsters.components import SEATS, STARTING_BAG, Token
from companion.games.making_monsters.parts import minus, total
from companion.games.making_monsters.rules.carts import cart_before
from companion.games.making_monsters.state import Lab, Phase, State
from companion.games.making_monsters.words import heap, say, seat_name, seat_names

SIDES = {1: "left", 2: "opposite", 3: "right"}
"""Where another seat is, by quarter turns clockwise from the own one."""

Row = tuple[Sentence, Sentence | str | int]


def table_steps(state: State) -> tuple[Panel, ...]:
    """Return what is laid out for everybody, letter by letter, while the table is being set up."""
    if state.phase not in (Phase.OPEN, Phase.SETUP):
        return ()
    bag = heap(STARTING_BAG)
    steps = [
        ("A", say("setup.A") if not state.labs else say("setup.A_counts", parts=heap(_graves(state)))),
        ("B", say("setup.B", seats=seat_names(state.labs or SEATS))),
        ("C", say("setup.C", count=total(STARTING_BAG), parts=bag)),
        ("D", say("setup.D")),
        ("E", say("setup.E")),
        ("F", say("setup.F")),
        ("G", say("setup.G_count", count=state.track) if state.labs else say("setup.G")),
        ("H", say("setup.H_count", count=state.supply.get(Token.ROT, 0)) if state.labs else say("setup.H")),
    ]
    rows: tuple[Row, ...] = tuple((say("setup.step", letter=letter), what) for letter, what in steps)
    return (Panel("set_up", say("panel.set_up"), rows, is_read=True),)


def _graves(state: State) -> dict[Token, int]:
    return {kind: count for kind, count in state.supply.items() if kind is not Token.ROT}


def around(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Return who sits on which side, and which cart lies before whom, while the table is being set up."""
    if state.phase is not Phase.SETUP:
        return ()
    first = SEATS.index(seat) if seat is not None else 0
    ring = sorted(state.labs, key=lambda one: (SEATS.index(one) - first) % 4)
    rows: tuple[Row, ...] = tuple(
        (_side(one, seat), say("setup.cart", cart=cart_before(state, one) + 1)) for one in ring
    )
    return (Panel("around", say("panel.around"), rows),)


def _side(one: Seat, seat: Seat | None) -> Sentence:
    if seat is None:
        return seat_name(one)
    if one == seat:
        return say("side.you")
    return say(f"side.{SIDES[(SEATS.index(one) - SEATS.index(seat)) % 4]}", seat=seat_name(one))


def own_steps(state: State, seat: Seat) -> tuple[Sentence, ...]:
    """Return what a seat looks after itself before it draws its first tokens."""
    bag = STARTING_BAG
    return (
        say("setup.own_bag", count=total(bag), rot=bag[Token.ROT]),
        say("setup.own_beside"),
        say("setup.own_cart", cart=cart_before(state, seat) + 1),
    )


def own_tidying(state: State, lab: Lab) -> tuple[Sentence, ...]:
    """Return how a seat tidies away: the bag back to its first tokens, everything else to its place."""
    steps = (say("tidy.cards"), say("tidy.own_box"))
    if state.bags_guessed or not lab.is_followed:
        return (say("tidy.bag_count", count=total(STARTING_BAG), parts=heap(STARTING_BAG)), *steps)
    changes = (
        ("out_of_bag", minus(lab.bag, STARTING_BAG)),
        ("into_bag", minus(STARTING_BAG, lab.bag)),
    )
    moved = tuple(say(f"tidy.{key}", parts=heap(parts)) for key, parts in changes if parts)
    reset = say("tidy.bag", count=total(STARTING_BAG), parts=heap(STARTING_BAG))
    return (*moved, reset, *steps)


def table_tidying(state: State) -> tuple[Panel, ...]:
    """Return what is tidied away for everybody when the game is over."""
    if state.phase is not Phase.OVER:
        return ()
    rows: tuple[Row, ...] = tuple(
        (say(f"tidy.{what}"), say(f"tidy.{what}.where")) for what in ("rot", "parts", "upgrades", "markers")
    )
    return (Panel("tidy", say("panel.tidy"), rows, is_read=True),)
