"""The words in the boxes of the charts, and what each means: a closed list, in place of any card's text.

``lose_2`` and its like say who loses by the column that they stand in; ``experiment_lose_2``,
``player_lose_2`` and ``everybody_lose_2`` say it themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from companion.games.mad_science.components import Column, Kind, Rank

MOST_LOST = 6


class Whom(StrEnum):
    """Who loses LIFE."""

    EXPERIMENT = "experiment"
    PLAYER = "player"  # who rolled
    EVERYBODY = "everybody"  # every creature in battle
    OTHERS = "others"  # all of those but the roller's
    TARGET = "target"  # whom the roller attacks in the Break phase


@dataclass(frozen=True, slots=True)
class Arrow:
    """Roll again, and read that roll in another column."""

    column: Column


@dataclass(frozen=True, slots=True)
class RollAgain:
    """Roll again, and read that roll in the same column."""


@dataclass(frozen=True, slots=True)
class RollTwice:
    """Roll again: the same number fires the weapon's SPECIAL."""


@dataclass(frozen=True, slots=True)
class Lose:
    whom: Whom
    amount: int


@dataclass(frozen=True, slots=True)
class SpecialMove:
    """What stands at the bottom of the Experiment's card."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The roller's part is turned over for a while."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class AdaptorLoss:
    pass


@dataclass(frozen=True, slots=True)
class FreeRide:
    pass


@dataclass(frozen=True, slots=True)
class DoubleHit:
    """Roller and Experiment lose 1 each."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The target's part is gone for good."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class DoubleStrike:
    """Roller and target lose 1 each; the target both, if the roller has none."""


Instruction = (
    Arrow
    | RollAgain
    | RollTwice
    | Lose
    | SpecialMove
    | Drop
    | AdaptorLoss
    | FreeRide
    | DoubleHit
    | Lost
    | DoubleStrike
)

AMOUNTS = range(1, MOST_LOST + 1)

_BATTLE: Mapping[str, Instruction] = {
    "arrow_purple": Arrow(Column.PURPLE),
    "arrow_red": Arrow(Column.RED),
    "roll_again": RollAgain(),
    "roll_twice": RollTwice(),
    "special_move": SpecialMove(),
    **{f"{kind}_drop": Drop(kind) for kind in Kind},
    "adaptor_loss": AdaptorLoss(),
    "free_ride": FreeRide(),
    "double_hit": DoubleHit(),
}

_LOSSES: Mapping[str, Lose] = {
    f"{whom}_lose_{amount}": Lose(whom, amount)
    for whom in (Whom.EXPERIMENT, Whom.PLAYER, Whom.EVERYBODY, Whom.OTHERS)
    for amount in AMOUNTS
}

_BREAK: Mapping[str, Instruction] = {
    "roll_again": RollAgain(),
    "roll_twice": RollTwice(),
    **{f"{kind}_lost": Lost(kind) for kind in Kind},
    "double_strike": DoubleStrike(),
    "free_ride": FreeRide(),
}

LOSES: Mapping[Column | Rank, Whom] = {
    Column.PURPLE: Whom.EXPERIMENT,
    Column.MIDDLE: Whom.PLAYER,
    Column.RED: Whom.PLAYER,
    **dict.fromkeys(Rank, Whom.TARGET),
}
"""Who loses by a box that merely says LOSE # LIFE; the middle column by MS-R29."""

PLAIN_LOSSES = tuple(f"lose_{amount}" for amount in AMOUNTS)
SAID_LOSSES = tuple(
    f"{whom}_lose_{amount}" for whom in (Whom.EXPERIMENT, Whom.PLAYER) for amount in (1, 2, 3)
)

BATTLE_WORDS = (*_BATTLE, *PLAIN_LOSSES, *SAID_LOSSES)
"""What may stand in a box of an Experiment's chart."""

BREAK_WORDS = (*PLAIN_LOSSES, *_BREAK)
"""What may stand in a box of a Final Conflict's chart."""

MOVE_WORDS = (*_LOSSES, *(f"{kind}_drop" for kind in Kind), "adaptor_loss")
"""What a special move may do, as far as these words can say it."""


def meaning(word: str, column: Column | Rank) -> Instruction:
    """Return what a word means in a column. Raises ValueError for a word that no chart has."""
    if word in PLAIN_LOSSES:
        return Lose(LOSES[column], int(word.removeprefix("lose_")))
    words = _BREAK if isinstance(column, Rank) else {**_BATTLE, **_LOSSES}
    if word not in words:
        raise ValueError(f"{word!r} is no instruction of the column {column}.")
    return words[word]


def effect(word: str) -> Lose | Drop | AdaptorLoss:
    """Return what a word of a special move does. Raises ValueError."""
    match meaning(word, Column.RED):
        case Lose() | Drop() | AdaptorLoss() as found:
            return found
        case (
            Arrow()
            | RollAgain()
            | RollTwice()
            | SpecialMove()
            | FreeRide()
            | DoubleHit()
            | Lost()
            | DoubleStrike()
        ):
            raise ValueError(f"{word!r} is no effect of a special move.")
        case never:
            assert_never(never)
