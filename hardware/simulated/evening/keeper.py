"""Whoever keeps the table: sets it up, turns the centre, fills the carts, names what lies on them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.seen import prompt_of, proposal_of, reads_of
from hardware.simulated.evening.together import Together
from hardware.simulated.evening.waiting import PATIENCE_S, Laid
from hardware.simulated.hands import Hands

LOOK_S = 1.0
TAKEN_WITHIN_S = 30.0


class Keeper:
    """The host's phone of a demo."""

    def __init__(self, phone: Phone, hands: Hands, together: Together) -> None:
        self._phone = phone
        self._hands = hands
        self._together = together
        self._chores_done = 0
        self._turned = ""
        self._turned_at_s = 0.0
        self._naming: Laid | None = None
        self.last: Mapping[str, Any] | None = None

    def set_up(self, seats: Sequence[str], track: int) -> None:
        """Lay everything out, and tell the service who plays. Raises RuntimeError if it will not."""
        self._together.first_card.update(
            {seat: cards[0] for seat, cards in self._hands.set_up(seats, track).items()}
        )
        answer = self._phone.tap(command={"do": "set_up", "seats": list(seats), "track": track})
        if not answer.get("ok"):
            raise RuntimeError(f"The table cannot be set up: {answer.get('why')}")

    def keep(self) -> None:
        """Keep the table until the evening ends."""
        number, wired = self._phone.look(after=0, timeout_s=LOOK_S)
        while not self._together.is_over:
            if wired is not None:
                self.last = wired
                if wired["view"]["is_over"]:
                    return
                self._do_chores(wired)
                self._turn(wired)
                self._name_tiles(wired)
            number, wired = self._phone.look(after=number, timeout_s=LOOK_S)

    def _do_chores(self, wired: Mapping[str, Any]) -> None:
        for chore in wired["view"]["facts"].get("chores", ()):
            if chore["number"] > self._chores_done:
                self._chores_done = chore["number"]
                if "refill" in chore:
                    self._refill([f"central/{spot}" for spot in chore["refill"]])

    def _refill(self, spots: Sequence[str]) -> None:
        """Fill the carts, once the seats have taken the upgrades that they chose."""
        until_s = time.monotonic() + TAKEN_WITHIN_S
        while any(spot in self._hands.world()["places"] for spot in spots):
            if self._together.wait(LOOK_S / 4) or time.monotonic() > until_s:
                break
        self._hands.refill()

    def _turn(self, wired: Mapping[str, Any]) -> None:
        """Turn the centre when asked; the sensor tells it. Say it by hand only if it does not."""
        prompt = prompt_of(wired, None)
        if prompt is None or not prompt.expects_turn:
            return
        if prompt.key != self._turned:
            self._turned, self._turned_at_s = prompt.key, time.monotonic()
            self._hands.turn(int(prompt.deed["turn"]))
        elif time.monotonic() - self._turned_at_s > PATIENCE_S:
            self._turned_at_s = time.monotonic()
            self._together.counts.sensor_missed()
            self._phone.tap(command=dict(prompt.choices[0].command))

    def _name_tiles(self, wired: Mapping[str, Any]) -> None:
        """Take the proposal that names upgrades, if it names them as they lie."""
        proposal = proposal_of(wired, None)
        if proposal is None:
            self._naming = None
            return
        places = self._hands.world()["places"]
        truth = {place: places[place][-1] for place in reads_of(proposal) if place in places}
        if self._naming is None or self._naming.pieces != truth:
            is_corrected = self._naming is not None and self._naming.is_corrected
            command = {"do": "name_tiles", "tiles": truth}
            self._naming = Laid(None, truth, command, is_corrected=is_corrected)
        became = self._naming.settle(self._phone, wired)
        if became is not None:
            self._together.counts.add(became.fate, became.note)
            self._naming = None
