"""Whole games at the simulated table without a camera: upgrades in hands, the world's own count of scores."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.game import Prompt, Seat
from companion.games.making_monsters import components
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import NameTiles, SetUp, TurnBoard
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.state import Phase, State
from hardware.simulated.contents import read_contents
from hardware.simulated.deeds import done
from hardware.simulated.evening.audit import Books, Rules
from hardware.simulated.evening.chores import DONE_BY_SETTING_UP, Chores, place_of
from hardware.simulated.hands import Hands
from hardware.simulated.world import World, empty_table, truth

CATALOGUE = components.stand_in_catalogue()
BOX = read_contents(components.BOX.boards, CATALOGUE, components.BOX.counts)
SLOTS = {
    name: tuple(slot["index"] for slot in card["part_slots"]) for name, card in CATALOGUE["cards"].items()
}
OVERFLOW = "overflow"


class NearHands(Hands):
    """Hands that reach into a world in the same process."""

    def __init__(self, world: World) -> None:
        super().__init__("")
        self.now = world

    def do(self, deed: str, **said: Any) -> Mapping[str, Any]:
        did = done(self.now, {"do": deed, **said})
        self.now = did.world
        return did.answer

    def world(self) -> Mapping[str, Any]:
        return truth(self.now)


def to_school(facts: Mapping[str, Any], placed: list[list[str]]) -> list[list[str]]:
    """Return the same placements with parts on a Med School first: the players would rather build."""
    tiles = facts["labs"][facts["seat"]]["tiles"]
    free = [space for space in facts["free_holds"] if tiles[components.under(space)] == "med_school"]
    if any(kind != "rot" and space.startswith(("reject", OVERFLOW)) for kind, space in placed):
        return placed  # a part is rejected only while no other space takes it
    taken = {space for _, space in placed}
    free = [space for space in free if space not in taken]
    return [
        [kind, free.pop(0)] if free and kind != "rot" and ".hold" not in space else [kind, space]
        for kind, space in placed
    ]


class Game:
    """A game whose players say what their hands do."""

    def __init__(self, seed: int, track: int) -> None:
        self.chance = random.Random(seed)
        self.seats = components.SEATS[:3]
        self.hands = NearHands(empty_table(BOX, seed))
        self.first = {seat: cards[0] for seat, cards in self.hands.set_up(self.seats, track).items()}
        self.books = Books(Rules.of(CATALOGUE))
        self.chores = {
            seat: Chores(seat, self.hands, self.books, SLOTS, components.PRINTED_CARDS) for seat in self.seats
        }
        self.state: State = GAME.initial(GAME.stand_in)
        self.done = self.revealed = 0
        self.take(SetUp(self.seats, track))

    def take(self, command: Any) -> None:
        for event in GAME.decide(self.state, command):
            self.state = GAME.evolve(self.state, event)
        self.tidy()

    def tidy(self) -> None:
        for chore in GAME.view(self.state, None).facts["chores"]:
            if chore["number"] <= self.done:
                continue
            self.done = chore["number"]
            deed = {name: what for name, what in chore.items() if name not in ("number", "seat")}
            if "refill" in deed:
                self.hands.refill()
            elif "turn_order" in deed:
                self.reveal()
            elif any(name in DONE_BY_SETTING_UP for name in deed):
                continue
            else:
                hand = self.chores[chore["seat"]]
                hand.is_fair = self.state.phase in (Phase.FAIR, Phase.OVER)
                hand.do(deed)

    def reveal(self) -> None:
        """Book what the orders earn at once, when the first of them is turned over."""
        if self.revealed < self.state.round:
            self.revealed = self.state.round
            orders = {seat: str(lab.order) for seat, lab in self.state.labs.items()}
            self.books.revealed(orders, self.seats)

    def play(self) -> None:
        for _ in range(4000):
            if self.state.phase is Phase.OVER:
                return
            self.name()
            self.act()
        raise AssertionError("the game does not end")

    def name(self) -> None:
        lying = self.hands.world()["places"]
        places = [f"central/{spot}" for spot, tile in self.state.carts.items() if tile == UNKNOWN_TILE]
        if places:
            self.take(NameTiles({place: lying[place][-1] for place in places}))

    def act(self) -> None:
        waited = (None, *self.state.waited_for())
        asked = [p for p in GAME.prompts(self.state) if p.seat in waited and p.tone != "wait"]
        prompt = self.chance.choice(asked)
        if prompt.seat is None:
            self.take(TurnBoard(None))
            return
        player = GAME.players[components.SEATS.index(prompt.seat) % 2]
        view, chance = GAME.view(self.state, prompt.seat), self.chance.random()
        wire = player.choose(view, prompt, chance) or self.laid(player, view, prompt, prompt.seat, chance)
        if wire["do"] == "move":
            lab = f"lab_{prompt.seat}"
            for start, end in wire["moves"]:
                self.hands.move(place_of(lab, start), place_of(lab, end), prompt.seat)
        self.take(GAME.codec.command_in(wire))

    def laid(self, player: Any, view: Any, prompt: Prompt, seat: Seat, chance: float) -> dict[str, Any]:
        deed, lab = prompt.deed, f"lab_{seat}"
        if "draw" in deed:
            drawn = self.hands.draw(seat, deed["draw"] if deed["grab"] else 1)
            placed = to_school(view.facts, player.lay(view, prompt, drawn, chance)["place"])
            on_lab = [(kind, place_of(lab, space)) for kind, space in placed if space != OVERFLOW]
            self.hands.lay_all(seat, on_lab)
            return {"do": "deliver", "seat": seat, "placements": placed}
        if "draw_cards" in deed:
            return self.kept(player, view, prompt, seat, chance)
        five = player.lay(view, prompt, (), chance)["five"]
        for space, card in five.items():
            self.hands.take_card_from_pile(seat, card, space)
        return {"do": "choose_five", "seat": seat, "cards": [[card, space] for space, card in five.items()]}

    def kept(self, player: Any, view: Any, prompt: Prompt, seat: Seat, chance: float) -> dict[str, Any]:
        first = self.first.pop(seat, "")
        drawn = [first] if first else self.hands.deal(seat, prompt.deed["draw_cards"])
        kept = player.lay(view, prompt, drawn, chance)
        card, space = kept["card"], kept["space"]
        if kept["other"]:
            self.hands.discard_card(seat, kept["other"])
        if space == "pile":
            self.hands.pile_from_hand(seat, card)
        else:
            if f"lab_{seat}/{space}" in self.hands.world()["places"]:
                self.hands.pile_cards(seat, [space], scored=False)
            self.hands.place_card(seat, card, space)
        command = {"do": "keep_card" if prompt.deed.get("keep") else "place_card", "seat": seat}
        return {**command, "card": card, "space": space}


def check_agreement(game: Game) -> None:
    """Hold the books of the rules against everything that lies in the world."""
    world = game.hands.world()
    assert game.books.scores(world) == {seat: lab.score for seat, lab in game.state.labs.items()}
    for seat, lab in game.state.labs.items():
        assert world["of"][seat]["bag"] == {str(kind): count for kind, count in lab.bag.items()}
        places = {place_of(f"lab_{seat}", space): tile for space, tile in lab.tiles.items()}
        assert {place: world["places"][place][0] for place in places} == places
    left = {kind: count for kind, count in world["supply"].items() if count}
    assert left == {str(kind): count for kind, count in game.state.supply.items()}


def test_hands_and_rules_agree_on_every_token_tile_and_score():
    labs = []
    for seed in (1, 2, 5):
        game = Game(seed, track=14)
        game.play()
        check_agreement(game)
        labs += game.state.labs.values()
    # What is least seen happened, too: a Med School paid, and an upgrade lay beside its board.
    assert any(lab.earned.get("med_school") for lab in labs)
    assert any(components.is_beside(space) for lab in labs for space in lab.tiles)
