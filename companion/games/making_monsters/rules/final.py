"""Final Score: most prestige, then fewest Rot in the bag, then the best Fair, then shared."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.game import Seat
from companion.games.making_monsters.components import Token
from companion.games.making_monsters.events import GameOver
from companion.games.making_monsters.state import Lab, Phase, State


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's place; what set it behind the next better: ``prestige``, ``rot``, ``fair`` or ``shared``."""

    seat: Seat
    rank: int
    decided_by: str


def rot_in_bag(lab: Lab) -> int:
    """Return the Rot of a bag: by the books, or as it was counted by hand if the seat is not followed."""
    if lab.is_followed:
        return lab.bag.get(Token.ROT, 0)
    return lab.held.get(Token.ROT, 0) if lab.rot_counted is None else lab.rot_counted


def rot_wanted(state: State) -> tuple[Seat, ...]:
    """Return the seats that are tied by prestige and whose Rot nobody knows before they count it."""
    scores = [lab.score for lab in state.labs.values()]
    return tuple(
        seat
        for seat, lab in state.labs.items()
        if not lab.is_followed and lab.rot_counted is None and scores.count(lab.score) > 1
    )


def _key(lab: Lab) -> tuple[int, int, int]:
    return (-lab.score, rot_in_bag(lab), -lab.fair)


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats, best first; equal in all three, they share a rank."""
    ordered = sorted(state.labs, key=lambda seat: _key(state.labs[seat]))
    found: list[Standing] = []
    for index, seat in enumerate(ordered):
        key = _key(state.labs[seat])
        before = _key(state.labs[ordered[index - 1]]) if index else None
        if before == key:
            found.append(Standing(seat, found[-1].rank, "shared"))
            continue
        why = "prestige"
        if before is not None and before[0] == key[0]:
            why = "rot" if before[1] != key[1] else "fair"
        found.append(Standing(seat, index + 1, why))
    return tuple(found)


def winners(state: State) -> tuple[Seat, ...]:
    return tuple(place.seat for place in standings(state) if place.rank == 1)


def won_by(state: State) -> str:
    """Say what decided between the winner and the next: ``prestige``, ``rot``, ``fair`` or ``shared``."""
    places = standings(state)
    return places[1].decided_by if len(places) > 1 else "prestige"


def game_over(state: State, event: GameOver) -> State:
    return replace(state, phase=Phase.OVER)
