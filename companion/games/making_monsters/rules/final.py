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


def _key(lab: Lab) -> tuple[int, int, int]:
    return (-lab.score, lab.bag.get(Token.ROT, 0), -lab.fair)


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
