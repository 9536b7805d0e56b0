"""Tables for the tests: a small synthetic box, positions built by hand, and what follows from a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from companion.game import RuleBroken, Seat
from companion.games.making_monsters.components import CART_SPOTS, SEATS, TOKEN_COUNTS, Order, Token
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.parts import minus
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.rules.taking_over import in_play
from companion.games.making_monsters.state import Lab, Phase, Stage, State

RED, BLUE, GREEN, YELLOW = SEATS
ROT, LIMB, STITCH, SPIKE, GOOP, ZAPPER, MUTATION = Token

PARTS = {
    "printed_1": (2, "limb stitch"),
    "printed_2": (3, "spike spike"),
    "limbs": (4, "limb limb"),
    "limb3": (5, "limb limb limb"),
    "goops": (6, "goop goop"),
    "zapping": (7, "zapper"),
    "spiky": (8, "spike"),
    "stitched": (9, "stitch"),
    "one_limb": (10, "limb"),
    **{f"spare_{n}": (n, "limb spike goop") for n in range(20)},
}
"""Synthetic monsters: prestige and parts."""

CATALOGUE = {
    "name": "synthetic",
    "cards": {
        card: {"name": card, "prestige": prestige, "parts": parts.split()}
        for card, (prestige, parts) in PARTS.items()
    },
    "carts": {
        "cart1": ["limb", "stitch", "spike"],
        "cart2": ["goop", "zapper", "limb"],
        "cart3": ["spike", "goop", "stitch"],
        "cart4": ["zapper", "limb", "goop"],
    },
    "order_secondary": {"red": "yellow", "yellow": "blue", "blue": "red"},
    "upgrades": [
        "med_school",
        "teleporter",
        "warehouse",
        "meat_replicator",
        "goop_replicator",
        "lester_upgrade",
    ],
}

BAG = {ROT: 4, LIMB: 4, STITCH: 3, SPIKE: 3, GOOP: 2, ZAPPER: 1}
"""Seventeen tokens, four of them Rot."""

EMPTY = GAME.initial(CATALOGUE)


def rejects(*kinds: Token) -> dict[str, Token]:
    return {f"reject{number + 1}": kind for number, kind in enumerate(kinds)}


def table(phase: Phase, labs: Mapping[Seat, Lab], *, track: int = 8, **more: object) -> State:
    """Return a table in the middle of a game, everything that lies nowhere else in the supply."""
    state = replace(
        EMPTY,
        phase=phase,
        round=2,
        labs=dict(labs),
        track=track,
        track_length=max(track, 8),
        carts=dict.fromkeys(CART_SPOTS, UNKNOWN_TILE),
        stack=32,
    )
    cards = sum(len(lab.cards) + len(lab.pile) for lab in labs.values())
    state = replace(state, deck=len(state.box.deck) - cards)
    supply = more.pop("supply", None)
    state = replace(state, **more)
    return replace(state, supply=supply if supply is not None else minus(TOKEN_COUNTS, in_play(state)))


def drawing(order: Order, *, is_super: bool = False, **lab: object) -> State:
    """Return red drawing by an order while blue has decided already."""
    fields: dict[str, object] = {"bag": BAG, "stage": Stage.DRAW, "order": order, "is_super": is_super}
    more = {name: lab.pop(name) for name in ("track", "supply", "carts", "options", "box") if name in lab}
    waiting = Lab(bag=BAG, stage=Stage.DECIDED, order=Order.RED)
    return table(Phase.DELIVERIES, {RED: Lab(**(fields | lab)), BLUE: waiting}, **more)


def after(state: State, *commands: object) -> State:
    """Return the state after commands, with all that follows by itself."""
    for command in commands:
        for event in GAME.decide(state, command):
            state = GAME.evolve(state, event)
    return state


def refused(state: State, command: object) -> RuleBroken:
    """Return why the rules refuse a command."""
    with pytest.raises(RuleBroken) as caught:
        GAME.decide(state, command)
    return caught.value


Vector = Callable[[], None]


class Vectors:
    """The vectors of one section: every function is one case, its id made of its name."""

    def __init__(self) -> None:
        self.cases: list[object] = []

    def __call__(self, vector: Vector) -> Vector:
        _, number, name = vector.__name__.split("_", 2)
        self.cases.append(pytest.param(vector, id=f"MM-{number}-{name.replace('_', '-')}"))
        return vector
