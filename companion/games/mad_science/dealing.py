"""Hands and luck for games without a table: a shuffled Pile, a hand for each seat, a die.

Hands are in no state, so somebody has to hold them: a dealer deals one game.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.board import Lying, Place
from companion.game import Chance, Player, Prompt, Seat, Sentence, View, Wire
from companion.games.mad_science import laying
from companion.games.mad_science.components import FACES, SEATS
from companion.games.mad_science.printed import Printed
from companion.games.mad_science.rules.setup import bodies_left
from companion.games.mad_science.state import Stage, State
from companion.games.mad_science.words import say


class Hands:
    """The Pile of Parts and the hands of one game; shuffled and dealt by the luck that is handed in."""

    def __init__(self, box: Printed, chance: Chance) -> None:
        cards = [card for card in (*box.parts, *box.adaptors) for _ in range(box.copies(card))]
        self._chance = chance
        self._pile = chance.sample(cards, len(cards))
        self._hands: dict[Seat, list[str]] = {}
        self._heap: list[str] = []

    def of(self, seat: Seat) -> list[str]:
        return self._hands.setdefault(seat, [])

    def deal(self, to: list[Seat], count: int) -> None:
        """Deal so many cards to each, one at a time, while there are any."""
        for _ in range(count):
            for seat in to:
                if self._pile:
                    self.of(seat).append(self._pile.pop())

    def play(self, seat: Seat, card: str) -> None:
        self.of(seat).remove(card)

    def draw(self, seat: Seat, source: str) -> None:
        """Take a card from the Pile, made anew from the Heap when it is empty, or the top of the Heap."""
        if source == "heap":
            self.of(seat).append(self._heap.pop())
            return
        if not self._pile:
            top = self._heap.pop()
            self._pile = self._chance.sample(self._heap, len(self._heap))
            self._heap = [top]
        self.of(seat).append(self._pile.pop())

    def discard(self, seat: Seat, card: str) -> None:
        self.of(seat).remove(card)
        self._heap.append(card)

    def lay_down(self, seat: Seat) -> None:
        """Put a whole hand on the Heap."""
        self._heap += self.of(seat)
        self._hands[seat] = []


class Dealing:
    """Deals *Mad Science*; what it remembers are the hands of the game it deals."""

    counts: Mapping[str, Sentence] = MappingProxyType(
        {"turn_lost": say("count.turns_lost"), "part_lost": say("count.parts_lost")}
    )
    advises: Wire | None = MappingProxyType({"do": "show_odds", "is_on": True})

    def __init__(self) -> None:
        self._hands: Hands | None = None

    def for_one_game(self) -> Dealing:
        return Dealing()

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
        if seat is None or not deed:
            return None
        if deed.get("roll"):
            return {"do": "roll", "seat": seat, "face": chance.sample(FACES, 1)[0]}
        if "turn_up" in deed or "deal_body" in deed:
            return _card(state, seat, chance)
        if "deal_hands" in deed:
            self._hands = Hands(state.box, chance)
            self._hands.deal([Seat(one) for one in deed["to"]], int(deed["deal_hands"]))
            return {"do": "deal_hands", "seat": seat}
        return self._built(state, view, prompt, player, chance)

    def _built(self, state: State, view: View, prompt: Prompt, player: Player, chance: Chance) -> Wire | None:
        """Let a player play, draw or discard from its hand."""
        seat, hands = Seat(str(prompt.seat)), self._held(state, chance)
        wish: Mapping[str, Any] = player.lay(view, prompt, tuple(hands.of(seat)), chance.random())
        if "play" in prompt.deed:
            return _play(state, seat, hands, wish)
        if "draw" in prompt.deed:
            source = _possible(state, str(wish["source"]))
            if source != "nothing":
                hands.draw(seat, source)
            return {"do": "draw", "seat": seat, "source": source}
        if "discard" in prompt.deed:
            hands.discard(seat, wish["discard"])
            return {"do": "discard", "seat": seat, "card": wish["discard"]}
        return None

    def _held(self, state: State, chance: Chance) -> Hands:
        """Return the hands; for a game that was begun elsewhere, dealt from what lies nowhere."""
        if self._hands is None:
            self._hands = Hands(state.box, chance)
        for seat, creature in state.creatures.items():
            if creature.fights:
                self._hands.lay_down(seat)
        return self._hands


def _card(state: State, seat: Seat, chance: Chance) -> Wire:
    """Turn up a card of the deck that is asked for."""
    match state.turn.stage:
        case Stage.BODY:
            return {"do": "deal_body", "seat": seat, "body": chance.sample(bodies_left(state), 1)[0]}
        case Stage.TURN_UP:
            cards = [card for card, one in state.box.experiments.items() if one.life is not None]
        case _:
            cards = list(state.box.conflicts)
    return {"do": "turn_up", "seat": seat, "card": chance.sample(cards, 1)[0]}


def _play(state: State, seat: Seat, hands: Hands, wish: Mapping[str, Any]) -> Wire:
    card = wish.get("play")
    if not card:
        return {"do": "skip", "seat": seat}
    hands.play(seat, card)
    return {"do": "play", "seat": seat, "card": card, "on": wish.get("on", "")}


def _possible(state: State, source: str) -> str:
    """Return where a card can come from, the wished place if there is one."""
    if source == "heap" and state.heap:
        return "heap"
    if state.pile or len(state.heap) > 1:
        return "pile"
    return "heap" if state.heap else "nothing"


DEALER = Dealing()
