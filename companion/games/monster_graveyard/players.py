"""Players who know nothing but a view and its prompts: for the demo, simulations and absent seats.

``choose`` answers a prompt, or returns None where hands must act first; ``lay`` says what the hands
do with what they drew, for the deeds of ``prompts``:

- ``{"lay_parts": true}`` with the parts of a hand: ``{"parts": [...]}``, those to be discarded
- ``{"look": n, "deck": ...}`` with the cards seen: ``{"card": ..., "monster": 0}``, no card for neither
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.game import Prompt, View, Wire

NEEDED = {"head": 1, "torso": 1, "arm": 2, "leg": 2}
TERROR, SCIENCE = 0, 1


class Assistant:
    """Plays a lab. Who is not ``keen`` takes parts and cards as they come and forgets the research.

    A keen one makes monsters of its best parts, experiments with the cleverest when that buys a card,
    and keeps the upgrade that adds more.
    """

    def __init__(self, name: str, *, keen: bool) -> None:
        self.name = name
        self._is_keen = keen

    def choose(self, view: View, prompt: Prompt, chance: float) -> Wire | None:
        """Return the wire command to send, None to leave it to the hands."""
        facts = view.facts
        if prompt.seat is None or prompt.seat != facts.get("seat"):
            return None
        answers: Mapping[str, Callable[[], Wire | None]] = {
            "choose": lambda: self._phase(facts, chance),
            "act": lambda: self._act(facts, chance),
            "buy": lambda: self._buy(facts),
            "drop": lambda: self._drop(facts, prompt),
            "record": lambda: self._terrorize(facts, prompt),
        }
        answer = answers.get(facts["stage"])
        return answer() if answer else None

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        """Return what the hands do with the parts or cards drawn, empty if nothing."""
        if "lay_parts" in prompt.deed:
            return {"parts": self.parts(view.facts, drawn)}
        if "look" in prompt.deed:
            return self._card(view.facts, drawn)
        return {}

    def parts(self, facts: Wire, hand: Sequence[str]) -> list[str]:
        """Return parts of a hand that fit one monster, the best first if keen; the rest is skeletal."""
        known: Mapping[str, Any] = facts["parts"]
        wanted = sorted(hand, key=lambda part: -known[part][1]) if self._is_keen else hand
        room, chosen = dict(NEEDED), list[str]()
        for part in wanted:
            covers = known[part][0]
            if all(covers.count(shape) <= room.get(shape, 0) for shape in covers):
                chosen.append(part)
                for shape in covers:
                    room[shape] -= 1
        return chosen

    def _phase(self, facts: Wire, chance: float) -> Wire:
        phases = list(facts["open_phases"])
        wanted = "village" if any(one["is_ready"] for one in facts["monsters"]) else "laboratory"
        phase = wanted if self._is_keen and wanted in phases else phases[int(chance * len(phases))]
        return {"do": "choose_phase", "seat": facts["seat"], "phase": phase}

    def _act(self, facts: Wire, chance: float) -> Wire | None:
        ready = [one for one in facts["monsters"] if one["is_ready"]]
        cleverest = max(ready, key=lambda one: one["values"][SCIENCE], default=None)
        experiment = None
        if cleverest is not None:
            experiment = {"do": "experiment", "seat": facts["seat"], "monster": cleverest["number"]}
        if not self._is_keen:
            return experiment if chance < 0.3 else None
        wants_card = len(facts["upgrades"]) < 3 and cleverest is not None
        buys = cleverest is not None and facts["rp"] + cleverest["values"][SCIENCE] >= 3
        return experiment if wants_card and buys and len(facts["monsters"]) >= 2 else None

    def _buy(self, facts: Wire) -> Wire:
        if self._is_keen and facts["affordable"]:
            return {"do": "acquire", "seat": facts["seat"], "deck": facts["affordable"][-1]}
        return {"do": "finish", "seat": facts["seat"]}

    def _card(self, facts: Wire, seen: Sequence[str]) -> Wire:
        """Play the card that is worth more, or any; a boost goes to the first monster."""
        if not seen:
            return {"card": "", "monster": 0}

        def worth(card: str) -> tuple[int, str]:
            is_upgrade, *adds = facts["cards"][card]
            return (sum(adds) if is_upgrade else 1, card)

        card = max(seen, key=worth) if self._is_keen else seen[0]
        numbers = [one["number"] for one in facts["monsters"]]
        return {"card": card, "monster": numbers[0] if numbers else 0}

    def _drop(self, facts: Wire, prompt: Prompt) -> Wire:
        offers = [choice.command for choice in prompt.choices if choice.command.get("do") == "drop"]
        if not self._is_keen:
            return offers[0]
        return min(offers, key=lambda offer: sum(facts["upgrades"][offer["card"]][1:]))

    def _terrorize(self, facts: Wire, prompt: Prompt) -> Wire | None:
        """Send the most terrible monster into the village, one after the other; then the hands record."""
        offers = [choice.command for choice in prompt.choices if choice.command.get("do") == "terrorize"]
        terror = {one["number"]: one["values"][TERROR] for one in facts["monsters"]}
        if not offers or (not self._is_keen and len(offers) < len(terror)):
            return None
        return max(offers, key=lambda offer: terror[offer["monster"]])


PLAYERS = (Assistant("dabbler", keen=False), Assistant("surgeon", keen=True))
"""From the weakest to the strongest."""
