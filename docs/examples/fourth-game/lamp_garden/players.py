"""Players who see what a phone shows, and a dealer with nothing to deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.game import Chance, Player, Prompt, Sentence, View, Wire
from lamp_garden.garden import SEATS
from lamp_garden.rules import State, say


class Gardener:
    """Lights a bed: the first best one by chance, or, if ``keen``, one that brings most."""

    def __init__(self, name: str, *, keen: bool) -> None:
        self.name = name
        self._is_keen = keen

    def choose(self, view: View, prompt: Prompt, chance: float) -> Wire | None:
        facts = view.facts
        if prompt.seat is None or prompt.seat != facts["on_turn"]:
            return None
        beds: list[str] = list(facts["dark"])
        if self._is_keen:
            most = max(facts["worth"].values())
            beds = [bed for bed in beds if facts["worth"][bed] == most]
        return {"do": "light", "seat": prompt.seat, "bed": beds[int(chance * len(beds))]}

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        return {}


class Nobody:
    """There is nothing to draw in a garden; the dealer only says who plays."""

    counts: Mapping[str, Sentence] = {"lit": say("count.lamps")}
    advises: Wire | None = None

    def for_one_game(self) -> Nobody:
        return self

    def opening(self, state: State, seats: int) -> Wire:
        return {"do": "open", "seats": list(SEATS[:seats])}

    def deal(self, state: State, view: View, prompt: Prompt, player: Player, chance: Chance) -> Wire | None:
        return None


PLAYERS = (Gardener("dreamer", keen=False), Gardener("gardener", keen=True))
DEALER = Nobody()
