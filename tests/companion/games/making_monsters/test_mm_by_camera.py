"""Whole games in which hands do what deeds and chores say and a camera proposes what they did."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.game import Prompt, Proposal, Puzzled, Seat
from companion.games.making_monsters.components import SEATS
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import SetUp
from companion.games.making_monsters.rules.final import winners
from companion.games.making_monsters.state import Phase, Stage, State
from companion.ports import BoardTurn
from tests.companion.games.making_monsters.tables import after
from tests.companion.games.making_monsters.world import World

MOST_STEPS = 3000


class Evening:
    """A game between players with hands; what the camera proposes is taken with one tap."""

    def __init__(self, seats: int, seed: int, player: int) -> None:
        self.player = GAME.players[player]
        self.world = World(GAME.stand_in, list(SEATS[:seats]), seed)
        self.state: State = after(GAME.initial(GAME.stand_in), SetUp(SEATS[:seats], 3 * seats))
        self.taken = 0
        self.typed = 0

    def play(self) -> None:
        for _ in range(MOST_STEPS):
            self.tidy()
            if self.state.phase is Phase.OVER:
                return
            self.look()
            self.act()
        raise AssertionError("the evening does not end")

    def tidy(self) -> None:
        for chore in GAME.view(self.state, None).facts["chores"]:
            self.world.do(chore)

    def look(self) -> None:
        """With every chore done, the camera is puzzled by nothing; what the table has to name is named."""
        sightings = GAME.sighted(self.state, self.world.reading())
        assert not [sighting for sighting in sightings if isinstance(sighting, Puzzled)], sightings
        for sighting in sightings:
            if sighting.seat is None:
                self.take(sighting)

    def take(self, sighting: Any) -> None:
        assert isinstance(sighting, Proposal) and sighting.is_sure and sighting.command, sighting
        self.state = after(self.state, GAME.codec.command_in(sighting.command))
        self.taken += 1

    def act(self) -> None:
        prompts = [p for p in GAME.prompts(self.state) if p.tone != "wait" and (p.deed or p.choices)]
        prompt = self.world.chance.choice(prompts)
        if prompt.seat is None:
            turn = BoardTurn("sensor", "boot", 1, 0, 1, prompt.deed["turn"], 0)
            self.state = after(self.state, GAME.command_from_turn(self.state, turn))
            return
        view, chance = GAME.view(self.state, prompt.seat), self.world.chance.random()
        wire = self.player.choose(view, prompt, chance)
        if wire is not None and wire["do"] == "move":
            self.move(prompt.seat, wire)
            return
        if "lay_order" in prompt.deed:
            laid = self.player.lay(view, prompt, (), chance)["order"]
            assert wire is not None and wire["order"] == laid
            bench = self.world.benches[prompt.seat]
            bench.order, bench.is_up = laid, False
        elif wire is not None:
            self.state = after(self.state, GAME.codec.command_in(wire))
            return
        else:
            self.hands(prompt, view, chance)
        self.confirm(prompt.seat)
        if "draw" in prompt.deed:
            self.tell_hidden(prompt.seat)

    def move(self, seat: Seat, wire: Any) -> None:
        """Move tokens that waited to their monsters, and say so."""
        parts = self.world.benches[seat].parts
        for start, end in wire["moves"]:
            parts[end] = parts.pop(start)
        self.state = after(self.state, GAME.codec.command_in(wire))

    def tell_hidden(self, seat: Seat) -> None:
        """Type what lies upon a token of its own kind: on a tile only the top one is seen."""
        known = self.state.labs[seat].parts
        hidden = [[kind, space] for kind, space in self.laid if space not in (*known, "overflow")]
        if hidden and self.state.labs[seat].stage in (Stage.STOCK, Stage.DRAW):
            assert all(".hold" in space for _, space in hidden)
            wire = {"do": "deliver", "seat": seat, "placements": hidden}
            self.state = after(self.state, GAME.codec.command_in(wire))
            self.typed += 1

    def hands(self, prompt: Prompt, view: Any, chance: float) -> None:
        seat, deed = prompt.seat, prompt.deed
        assert seat is not None
        bench = self.world.benches[seat]
        self.overflow = 0
        if "draw" in deed:
            drawn = self.world.draw(seat, deed["draw"] if deed["grab"] else 1)
            self.laid = self.player.lay(view, prompt, drawn, chance)["place"]
            for kind, space in self.laid:
                self.world.put(seat, kind, space)
                self.overflow += space == "overflow"
        elif "draw_cards" in deed:
            drawn = self.world.draw_cards(deed["draw_cards"])
            kept = self.player.lay(view, prompt, drawn, chance)
            self.kept = kept
            if kept["space"] == "pile":
                bench.pile.append(kept["card"])
            else:
                if kept["space"] in bench.cards:
                    bench.pile.append(bench.cards[kept["space"]])
                bench.cards[kept["space"]] = kept["card"]
            self.world.discards += [card for card in drawn if card != kept["card"]]
        elif "lay_five" in deed:
            bench.cards = dict(self.player.lay(view, prompt, (), chance)["five"])
            bench.pile = [card for card in bench.pile if card not in bench.cards.values()]

    def confirm(self, seat: Seat) -> None:
        """Take what the camera proposes for a seat; type only what no camera can see."""
        mine = [s for s in GAME.sighted(self.state, self.world.reading()) if s.seat == seat]
        if not mine:
            self.type(seat)
            return
        proposal = mine[0]
        assert isinstance(proposal, Proposal), proposal
        beside = [c for c in proposal.others if c.label.key == "mm.choice.right_overflow"]
        if getattr(self, "overflow", 0) and beside:
            kinds = Counter(self.world.benches[seat].beside)
            fitting = [
                choice
                for choice in beside
                if Counter(k for k, s in choice.command["placements"] if s == "overflow") == kinds
            ]
            if fitting:
                self.state = after(self.state, GAME.codec.command_in(fitting[0].command))
                self.taken += 1
                self.overflow = 0
                return
        self.take(proposal)
        if getattr(self, "overflow", 0):
            kinds = Counter(self.world.benches[seat].beside)
            self.overflow = 0
            self.typed += 1
            self.state = after(self.state, GAME.codec.command_in({"do": "draw", "seat": seat, **kinds}))

    def type(self, seat: Seat) -> None:
        """A card put straight on the pile, and a kind of token told at the reveal, are typed."""
        prompt = next(p for p in GAME.prompts(self.state) if p.seat == seat)
        if "draw_cards" in prompt.deed:
            self.typed += 1
            kept = {name: value for name, value in self.kept.items() if value}
            self.state = after(self.state, GAME.codec.command_in({"do": "keep_card", "seat": seat, **kept}))


@pytest.mark.parametrize(("seats", "seed", "player"), [(2, 1, 0), (3, 2, 1), (4, 3, 0), (4, 4, 1)])
def test_hands_that_follow_every_deed_and_chore_keep_world_and_books_alike(
    seats: int, seed: int, player: int
) -> None:
    evening = Evening(seats, seed, player)
    evening.play()
    world, state = evening.world, evening.state
    assert winners(state)
    for seat, lab in state.labs.items():
        bench = world.benches[seat]
        assert Counter(bench.bag) == Counter({kind.value: count for kind, count in lab.bag.items()})
        assert sorted(bench.pile) == sorted(lab.pile)
        assert bench.tiles == lab.tiles
        assert bench.score == lab.score
    assert world.track == state.track == 0
    assert +world.graves == Counter({kind.value: count for kind, count in state.supply.items()})
    assert world.carts == state.carts
    assert len(world.stack) == state.stack
    assert len(world.deck) + len(world.discards) == state.deck + len(state.discards)
    assert evening.typed <= evening.taken // 20


def test_an_evening_takes_a_bearable_number_of_rounds() -> None:
    rounds = []
    for seed in range(4):
        evening = Evening(4, seed, 0)
        evening.play()
        rounds.append(evening.state.round)
    assert 3 <= sum(rounds) / len(rounds) <= 20
