"""What hands still have to do, in words: the chores of a seat as lines under its prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Seat, Sentence
from companion.games.monster_graveyard.components import Attribute, dice_for
from companion.games.monster_graveyard.printed import Printed
from companion.games.monster_graveyard.state import Phase, State
from companion.games.monster_graveyard.words import (
    amounts,
    attribute_name,
    card_name,
    monster_name,
    part_name,
    say,
)


def hands(state: State, seat: Seat | None) -> tuple[Sentence, ...]:
    """Return what a seat's hands, or those of the whole table, have to do since the last phase began."""
    said = [
        in_words(state.box, chore.deed)
        for chore in state.chores
        if chore.seat == seat and chore.turn == state.turn and _is_fresh(state, chore.phase)
    ]
    # Dice that were set anew since are set once, to the last numbers.
    dice = [line for line in said if line.key == "mg.hands.dice"]
    stale = [line for at, line in enumerate(dice) if any(_same(line, later) for later in dice[at + 1 :])]
    due = tuple(line for line in said if line not in stale)
    return (say("hands.lead"), *due) if due else ()


def _is_fresh(state: State, given_in: Phase) -> bool:
    """Say whether hands may still be at it: given in this phase, or in the one that has just ended."""
    last = list(state.chosen)[-1] if state.chosen else None
    return given_in is state.phase or (state.phase is Phase.CHOOSE and given_in == last)


def _same(line: Sentence, later: Sentence) -> bool:
    return line.values["monster"] == later.values["monster"]


def dice_in_words(values: Mapping[str, int]) -> tuple[Sentence, ...]:
    """Return how dice show some attributes: above six with more than one die."""
    said = []
    for attribute in Attribute:
        value = values[attribute.value]
        faces = dice_for(value)
        what = attribute_name(attribute)
        if len(faces) > 1:
            shown = tuple(say("die", face=face) for face in faces)
            said.append(say("dice.many", attribute=what, value=value, faces=shown, count=len(faces)))
        else:
            said.append(say("dice.one", attribute=what, value=value))
    return tuple(said)


def in_words(box: Printed, deed: Mapping[str, Any]) -> Sentence:
    """Return a deed as a sentence; its first word says which."""
    return WORDS[next(iter(deed))](box, deed)


def _discard(box: Printed, deed: Mapping[str, Any]) -> Sentence:
    counts = {f"to_{pile}": count for pile, count in deed["discard"].items()}
    return say("hands.discard", piles=amounts(counts))


def _dice(box: Printed, deed: Mapping[str, Any]) -> Sentence:
    return say("hands.dice", monster=monster_name(deed["monster"]), dice=dice_in_words(deed["dice"]))


def _gain(box: Printed, deed: Mapping[str, Any]) -> Sentence:
    counts = amounts(deed["gain"])
    if "card" in deed:
        return say("hands.gain_by", gains=counts, card=card_name(box, deed["card"]))
    return say("hands.gain", gains=counts)


Speak = Callable[[Printed, Mapping[str, Any]], Sentence]

WORDS: Mapping[str, Speak] = {
    "discard": _discard,
    "dice": _dice,
    "gain": _gain,
    "token": lambda box, deed: say(
        "hands.token", part=part_name(box, deed["token"]), monster=monster_name(deed["monster"])
    ),
    "turn": lambda box, deed: say("hands.turn", monster=monster_name(deed["turn"])),
    "follow": lambda box, deed: say("hands.follow", card=card_name(box, deed["card"]), words=deed["follow"]),
    "shuffle": lambda box, deed: say("hands.shuffle", deck=deed["shuffle"]),
    "pay": lambda box, deed: say("hands.pay", count=deed["pay"]),
    "lay": lambda box, deed: say("hands.lay", card=card_name(box, deed["lay"])),
    "discard_card": lambda box, deed: say(
        "hands.discard_card", card=card_name(box, deed["discard_card"]), deck=deed["deck"]
    ),
    "below": lambda box, deed: say("hands.below", count=deed["below"], deck=deed["deck"]),
    "lose": lambda box, deed: say("hands.lose", monster=monster_name(deed["lose"])),
    "ready": lambda box, deed: say("hands.ready"),
    "refill": lambda box, deed: say("hands.refill"),
    "clear": lambda box, deed: say("hands.clear"),
}
"""Each deed of ``chores``."""
