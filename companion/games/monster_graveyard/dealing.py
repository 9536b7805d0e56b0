"""Hands and luck for games without a table.

A hand of parts is drawn anew from the box whenever one is wanted: nobody follows hands. What the other
four phases bring is invented here, so that games have an end and a winner; it is no rule of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board import Lying, Place
from companion.game import Chance, Player, Prompt, Sentence, View, Wire
from companion.games.monster_graveyard import laying
from companion.games.monster_graveyard.components import ROUNDS, SEATS
from companion.games.monster_graveyard.state import Lab, Phase, State, hidden_cards
from companion.games.monster_graveyard.words import say

HAND = 8
TURNS_A_ROUND = 4
"""How long a village lasts that nobody counts."""

COURAGE = 6
"""How brave a villager is at most: a monster whose Terror is higher scares it for sure."""

CASTLE_GP, CASTLE_VP = 3, 2
WAGES_GP = 2


class Dealing:
    """Deals *Monster Graveyard*; holds nothing."""

    counts: Mapping[str, Sentence] = {
        "reanimated": say("count.reanimations"),
        "experimented": say("count.experiments"),
        "acquired": say("count.cards"),
    }
    advises: Wire | None = None

    def for_one_game(self) -> Dealing:
        """Return itself: a hand is drawn anew whenever one is wanted."""
        return self

    def opening(self, state: State, seats: int) -> Wire:
        """Set up for the first so many seats, clockwise."""
        return {"do": "set_up", "seats": list(SEATS[:seats])}

    def laid(self, state: State, command: Wire) -> Mapping[Place, Lying]:
        return laying.laid(state, command)

    def lying(self, state: State) -> Mapping[Place, Lying]:
        return laying.lying(state)

    def deal(self, state: State, view: View, prompt: Prompt, player: Player, chance: Chance) -> Wire | None:
        """Do what a prompt's deed asks of hands, and return the command that tells it."""
        deed, seat = prompt.deed, prompt.seat
        if seat is None:
            return _emptied(state) if "watch" in deed else None
        lab = state.labs[seat]
        if "lay_parts" in deed:
            hand = chance.sample(_all_parts(state), HAND)
            laid = player.lay(view, prompt, hand, chance.random())["parts"]
            return {"do": "reanimate", "seat": seat, "parts": list(laid), "is_filled": True}
        if "look" in deed:
            deck = [card for card, count in hidden_cards(state, lab.deck).items() for _ in range(count)]
            seen = chance.sample(deck, min(int(deed["look"]), len(deck)))
            played: Mapping[str, Any] = player.lay(view, prompt, seen, chance.random())
            if not played.get("card"):
                return {"do": "decline", "seat": seat}
            return {"do": "play", "seat": seat, "card": played["card"], "monster": played.get("monster", 0)}
        if "follow" in deed:
            brought = _brought(state.phase, lab, chance)
            return {"do": "record", "seat": seat, **brought, "is_done": True}
        return None


def _all_parts(state: State) -> list[str]:
    plain = [kind for kind, count in state.box.plain_counts.items() for _ in range(count)]
    special = [part.id for part in state.box.specials.values() for _ in range(part.count)]
    return plain + special


def _emptied(state: State) -> Wire | None:
    """Let the village run empty after some turns, as long as rounds are left."""
    is_due = state.turn > TURNS_A_ROUND * (state.rounds_done + 1) and state.rounds_done < ROUNDS
    return {"do": "end_round", "emptied": "village"} if is_due and state.is_running else None


def _brought(phase: Phase, lab: Lab, chance: Chance) -> dict[str, int]:
    """Return what a phase brings in simulations: villagers scared, work sold, a castle built."""
    match phase:
        case Phase.VILLAGE:
            scared = sum(
                one.is_exhausted and one.terror >= 1 + int(chance.random() * COURAGE) for one in lab.monsters
            )
            return {"vp": scared, "gp": scared}
        case Phase.MARKET:
            return {"gp": WAGES_GP}
        case Phase.CASTLE if lab.gp >= CASTLE_GP:
            return {"gp": -CASTLE_GP, "vp": CASTLE_VP}
        case _:
            return {}


DEALER = Dealing()
