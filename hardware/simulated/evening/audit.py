"""The world's own count of the scores, from the cards in the piles and the orders on the table.

Knows the printed rules of scoring and nothing of the service, so that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

BONUS = (0, 1, 3, 6, 10, 15)
"""Reanimate Table, row 2: the bonus by the number of monsters."""

PRESTIGE_OF_RED = 3
PRESTIGE_OF_PUBLICITY = 3
PRESTIGE_OF_MED_SCHOOL = 2
PARTS_OF_MED_SCHOOL = 2


@dataclass(frozen=True, slots=True)
class Rules:
    """What the box prints that scoring needs: prestige by card, and each order's trigger colour."""

    prestige: Mapping[str, int]
    trigger: Mapping[str, str]

    @classmethod
    def of(cls, catalogue: Mapping[str, Any]) -> Rules:
        """Read them from a catalogue."""
        prestige = {name: int(card["prestige"]) for name, card in catalogue["cards"].items()}
        return cls(prestige, dict(catalogue["order_secondary"]))


@dataclass(slots=True)
class Books:
    """What was earned without a card: written down as it happens. Safe from many threads."""

    rules: Rules
    extra: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def revealed(self, orders: Mapping[str, str], ring: Sequence[str]) -> None:
        """Book what a super Red earns at once (rulebook, Order Tokens: Red).

        ``ring`` are the seats in their order around the table; with two, both neighbours are one.
        """
        for index, seat in enumerate(ring):
            if orders.get(seat) != "red":
                continue
            neighbours = {ring[index - 1], ring[(index + 1) % len(ring)]}
            if self.rules.trigger["red"] in {orders.get(other) for other in neighbours}:
                self._add(seat, PRESTIGE_OF_RED)

    def played(self, seat: str, lester: str) -> None:
        """Book a L.E.S.T.E.R. card."""
        if lester == "publicity":
            self._add(seat, PRESTIGE_OF_PUBLICITY)

    def taught(self, seat: str, *, parts: int) -> None:
        """Book a Med School that leaves its tokens to the bag at a reanimation."""
        if parts == PARTS_OF_MED_SCHOOL:
            self._add(seat, PRESTIGE_OF_MED_SCHOOL)

    def scores(self, world: Mapping[str, Any]) -> dict[str, int]:
        """Return every seat's score as cards, bonus and orders have it."""
        scores = {seat: self.extra.get(seat, 0) for seat in world["seats"]}
        for batch in world["batches"]:
            if batch["scored"]:
                points = sum(self.rules.prestige[card] for card in batch["cards"])
                bonus = 0 if batch["bust"] else BONUS[len(batch["cards"])]
                scores[batch["seat"]] += points + bonus
        return scores

    def _add(self, seat: str, amount: int) -> None:
        with self._lock:
            self.extra[seat] = self.extra.get(seat, 0) + amount
