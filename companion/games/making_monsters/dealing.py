"""Hands and luck for games without a table: bags, decks and carts drawn from what the state leaves hidden."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.game import Chance, Player, Prompt, Sentence, View, Wire
from companion.games.making_monsters.components import SEATS
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.rules.refresh import unnamed_tiles
from companion.games.making_monsters.rules.setup import USUAL_TRACK, hidden_cards, longest_track
from companion.games.making_monsters.state import State
from companion.games.making_monsters.words import say


class Dealing:
    """Deals *Making Monsters*; holds nothing. A deck is any order of the cards that nobody has seen."""

    counts: Mapping[str, Sentence] = {"busted": say("count.busts"), "reanimated": say("count.reanimations")}
    advises: Wire | None = MappingProxyType({"do": "show_odds", "is_on": True})

    def for_one_game(self) -> Dealing:
        """Return itself: bags and decks are in the state."""
        return self

    def opening(self, state: State, seats: int) -> Wire:
        """Set up for the first so many seats, clockwise, with the usual track."""
        track = min(USUAL_TRACK[seats], longest_track(state.box, seats))
        return {"do": "set_up", "seats": list(SEATS[:seats]), "track": track}

    def deal(self, state: State, view: View, prompt: Prompt, player: Player, chance: Chance) -> Wire | None:
        """Do what a prompt's deed asks of hands, and return the command that tells it."""
        deed, seat = prompt.deed, prompt.seat
        if seat is None:
            return {"do": "turn"} if "turn" in deed else _named_tiles(state, chance)
        if "draw" in deed:
            count = int(deed["draw"]) if deed["grab"] else 1
            bag = [kind.value for kind, many in state.labs[seat].bag.items() for _ in range(many)]
            drawn = chance.sample(bag, min(count, len(bag)))
            placed = player.lay(view, prompt, drawn, chance.random())["place"]
            return {"do": "deliver", "seat": seat, "placements": placed}
        if "draw_cards" in deed:
            return _kept(state, view, prompt, player, chance)
        if "lay_five" in deed:
            five = player.lay(view, prompt, (), chance.random())["five"]
            return {"do": "choose_five", "seat": seat, "cards": [[card, at] for at, card in five.items()]}
        return None


def _kept(state: State, view: View, prompt: Prompt, player: Player, chance: Chance) -> Wire:
    count = int(prompt.deed["draw_cards"])
    hidden = sorted(hidden_cards(state))
    deck = [card for card in hidden if card not in state.discards]
    drawn = chance.sample(deck, min(count, len(deck)))
    shuffled = [card for card in hidden if card in state.discards]
    drawn += chance.sample(shuffled, min(count - len(drawn), len(shuffled)))
    kept = player.lay(view, prompt, drawn, chance.random())
    verb = "keep_card" if prompt.deed.get("keep") else "place_card"
    told = {"do": verb, "seat": prompt.seat, "card": kept["card"], "space": kept["space"]}
    return {**told, "other": kept["other"]} if kept["other"] and verb == "keep_card" else told


def _named_tiles(state: State, chance: Chance) -> Wire | None:
    """Turn up tiles for all that nobody has named: any of those not seen elsewhere, so long as there are."""
    places = unnamed_tiles(state)
    counts: Mapping[str, int] = state.box.catalogue.get("upgrade_counts") or dict.fromkeys(state.box.tiles, 9)
    seen = [*state.carts.values(), *(tile for lab in state.labs.values() for tile in lab.tiles.values())]
    stack = [
        tile
        for tile, count in counts.items()
        if tile != UNKNOWN_TILE
        for _ in range(int(count) - seen.count(tile))
    ]
    if not places or not stack:
        return None
    tiles = chance.sample(stack, min(len(places), len(stack)))
    return {"do": "name_tiles", "tiles": dict(zip(places, tiles, strict=False))}


DEALER = Dealing()
