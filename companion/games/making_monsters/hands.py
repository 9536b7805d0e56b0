"""What hands still have to do, in words: the chores of a seat as lines under its prompt.

Nothing is left to be remembered: each line comes from an event, with its numbers (see ``chores``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Seat, Sentence
from companion.games.making_monsters.components import Token, is_beside, under
from companion.games.making_monsters.parts import counted, total
from companion.games.making_monsters.state import Phase, State
from companion.games.making_monsters.words import heap, place_name, say

LAP = 50
"""The prestige track runs round; a fifty point token stands for each lap."""

BEFORE = {
    Phase.REANIMATE: Phase.DELIVERIES,
    Phase.REFRESH: Phase.REANIMATE,
    Phase.PREP: Phase.REANIMATE,
    Phase.FAIR: Phase.PREP,
    Phase.OVER: Phase.FAIR,
}
"""The phase whose last chores may still be under way: the tap that ended it gave them."""


def hands(state: State, seat: Seat) -> tuple[Sentence, ...]:
    """Return what a seat's hands have to do because of what was decided in this phase and the one before."""
    phases = (state.phase, BEFORE.get(state.phase))
    said = [
        line
        for chore in state.chores
        if chore.seat == seat and chore.round == state.round and chore.phase in phases
        for deed, what in chore.deed.items()
        if (line := in_words(deed, what)) is not None
    ]
    # The marker goes straight to its last place.
    stops = [line for line in said if line.key.startswith("mm.hands.marker")]
    due = tuple(line for line in said if line not in stops[:-1])
    return (say("hands.lead"), *due) if due else ()


def in_words(deed: str, what: Any) -> Sentence | None:
    """Return a deed as a sentence; None for one that says itself elsewhere."""
    speak = WORDS.get(deed)
    return speak(what) if speak else None


def _parts(key: str) -> Callable[[Mapping[str, int]], Sentence]:
    def speak(what: Mapping[str, int]) -> Sentence:
        parts = {Token(kind): count for kind, count in what.items()}
        return say(f"hands.{key}", parts=heap(parts), count=total(parts))

    return speak


def _count(key: str) -> Callable[[int], Sentence]:
    return lambda count: say(f"hands.{key}", count=count)


def _plain(key: str) -> Callable[[object], Sentence]:
    return lambda _: say(f"hands.{key}")


def _marker(reached: int) -> Sentence:
    laps, rest = divmod(reached, LAP)
    return say("hands.marker_lap", count=laps, rest=rest) if laps else say("hands.marker", count=reached)


def _clear(spaces: list[str]) -> Sentence:
    has_sorted = any(not space.startswith(("card", "reject")) for space in spaces)
    return say("hands.clear_sorting" if has_sorted else "hands.clear")


def _back(spaces: list[str]) -> Sentence:
    """Say what goes back: Yellow's Rot, or what lay on a tile that leaves or is needed."""
    if under(spaces[0]) != spaces[0]:
        return say("hands.off_tile", count=len(spaces))
    return say("hands.rot_back", space=place_name(spaces[0]))


def _take_tile(ends: Mapping[str, str]) -> Sentence:
    cart = int(ends["from"][4])
    if is_beside(ends["to"]):
        return say("hands.take_tile_beside", cart=cart)
    return say("hands.take_tile", cart=cart, number=int(ends["to"].removeprefix("upgrade")))


def _keep(moved: list[list[str]]) -> Sentence:
    return say("hands.keep", parts=heap(counted(Token(kind) for kind, _, _ in moved)), count=len(moved))


WORDS: Mapping[str, Callable[[Any], Sentence]] = {
    "turn_order": _plain("turn_order"),
    "order_back": _plain("order_back"),
    "score": _marker,
    "tokens_to_bag": _back,
    "gain": _parts("gain"),
    "rot_from_track": _count("rot_from_track"),
    "rot_from_supply": _count("rot_from_supply"),
    "remove_rot": _plain("remove_rot"),
    "play_lester": lambda card: say("hands.play_lester", card=say(f"lester.{card}")),
    "drop_tile": lambda space: say("hands.drop_tile", number=int(space[-1])),
    "take_tile": _take_tile,
    "keep": _keep,
    "cards_to_pile": lambda spaces: say("hands.cards_to_pile", count=len(spaces)),
    "clear": _clear,
}
"""Each deed of ``chores`` that a seat's own hands do after the table has begun."""
