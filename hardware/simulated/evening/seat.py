"""Somebody at a seat: reads the phone, moves the hands, takes what is proposed and says what is not.

The thread of a seat lives until the game is over, its phone is sent away, or the evening ends.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.board import PieceKind
from companion.game import Player, Prompt, Tone, View
from hardware.simulated.evening.chores import DONE_BY_SETTING_UP, Chores, place_of
from hardware.simulated.evening.counts import Counts
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.seen import prompt_of, view_of
from hardware.simulated.evening.together import Together
from hardware.simulated.evening.waiting import Laid
from hardware.simulated.hands import Hands

LOOK_S = 1.0
OVERFLOW = "overflow"


class SeatPlayer:
    """One player. ``first_card`` is the card that was dealt while setting up."""

    def __init__(
        self, phone: Phone, hands: Hands, plays: Player, chores: Chores, together: Together, *, seed: int
    ) -> None:
        self.seat = chores.seat
        self._phone = phone
        self._hands = hands
        self._plays = plays
        self._chores = chores
        self._together = together
        self._counts: Counts = together.counts
        self._chance = random.Random(f"{seed} {self.seat}")
        self._laid: Laid | None = None
        self._untold: list[str] = []
        self._order = ""
        self._chores_done = 0
        self._known_seq = 0

    def play(self) -> None:
        """Play until the game is over."""
        number, wired = self._phone.look(after=0, timeout_s=LOOK_S)
        while not (self._together.is_over or self._phone.is_gone):
            if wired is not None and wired["seq"] >= self._known_seq and self._step(wired):
                return
            number, wired = self._phone.look(after=number, timeout_s=LOOK_S)

    def leave(self) -> None:
        """Put the phone away."""
        self._phone.close()

    def _step(self, wired: Mapping[str, Any]) -> bool:
        """Do the next thing that a view asks for; return whether the game is over."""
        self._do_chores(wired)
        self._together.watch_puzzles(self.seat, wired)
        if wired["view"]["is_over"]:
            return True
        if self._laid is not None:
            self._settle(wired)
            return False
        prompt = prompt_of(wired, self.seat)
        if prompt is not None and prompt.choices and prompt.tone is not Tone.WAIT:
            self._answer(view_of(wired), prompt)
        return False

    def _do_chores(self, wired: Mapping[str, Any]) -> None:
        self._chores.is_fair = wired["view"]["facts"].get("phase") in ("fair", "over")
        for chore in wired["view"]["facts"].get("chores", ()):
            if chore["number"] <= self._chores_done or chore["seat"] != self.seat:
                continue
            self._chores_done = chore["number"]
            deed = {name: what for name, what in chore.items() if name not in ("number", "seat")}
            if "turn_order" in deed:
                self._together.reveal(wired["view"]["round"])
            elif not any(name in DONE_BY_SETTING_UP for name in deed):
                self._chores.do(deed)

    def _settle(self, wired: Mapping[str, Any]) -> None:
        assert self._laid is not None
        became = self._laid.settle(self._phone, wired)
        if became is not None:
            self._counts.add(became.fate, became.note)
            self._laid = None
            self._known_seq = became.seq  # views of before the tap may still be on their way
            self._together.swap_if_due(self.seat)

    def _answer(self, view: View, prompt: Prompt) -> None:
        chance = self._chance.random()
        if self._untold:
            self._tell_overflow()
            return
        if self._order and view.facts.get("stage") == "tell":
            # First what lies face up and waits to be told: a seat has one proposal at a time.
            told = {"do": "choose_order", "seat": self.seat, "order": self._order}
            self._laid = Laid(self.seat, {}, told, answer=told)
            return
        deed = prompt.deed
        command = None if "lay_order" in deed else self._plays.choose(view, prompt, chance)
        if command is not None and command["do"] == "move":
            self._move(command)
        elif command is not None:
            self._say(command)
        elif "lay_order" in deed:
            self._lay_order(str(self._plays.lay(view, prompt, (), chance)["order"]))
        elif "draw" in deed:
            self._draw(view, prompt, chance)
        elif "draw_cards" in deed:
            self._draw_cards(view, prompt, chance)
        elif "lay_five" in deed:
            self._lay_five(self._plays.lay(view, prompt, (), chance)["five"])

    def _say(self, command: Mapping[str, Any]) -> None:
        answer = self._phone.tap(command=command)
        if answer.get("ok"):
            self._known_seq = int(answer["seq"])

    def _move(self, command: Mapping[str, Any]) -> None:
        """Move tokens that waited to their monsters, as the eyes should see it."""
        lab = f"lab_{self.seat}"
        for start, end in command["moves"]:
            self._hands.move(place_of(lab, start), place_of(lab, end), self.seat)
        self._laid = Laid(self.seat, {}, command, answer=command)

    def _lay_order(self, colour: str) -> None:
        self._hands.lay_order(self.seat, colour)
        self._order = colour
        ready = {"do": "ready", "seat": self.seat}
        self._laid = Laid(self.seat, {}, ready, answer=ready)

    def _draw(self, view: View, prompt: Prompt, chance: float) -> None:
        count = int(prompt.deed["draw"]) if prompt.deed.get("grab") else 1
        drawn = self._hands.draw(self.seat, count)
        placed = self._plays.lay(view, prompt, drawn, chance)["place"]
        lab = f"lab_{self.seat}"
        on_lab = [(kind, space) for kind, space in placed if space != OVERFLOW]
        self._untold = [kind for kind, space in placed if space == OVERFLOW]
        for kind in (Counter(drawn) - Counter(PieceKind(kind) for kind, _ in placed)).elements():
            self._hands.move(f"hand/{self.seat}", f"bag/{self.seat}", kind=kind)
        if on_lab:
            self._hands.lay_all(self.seat, [(kind, place_of(lab, space)) for kind, space in on_lab])
            deliver = {"do": "deliver", "seat": self.seat, "placements": [list(one) for one in placed]}
            self._laid = Laid(self.seat, {f"{lab}/{space}": kind for kind, space in on_lab}, deliver)

    def _tell_overflow(self) -> None:
        """Name what lies beside the full rejects track, where no space shows it to a camera."""
        counts = {kind: self._untold.count(kind) for kind in set(self._untold)}
        self._untold = []
        self._say({"do": "draw", "seat": self.seat, **counts})

    def _draw_cards(self, view: View, prompt: Prompt, chance: float) -> None:
        count = int(prompt.deed["draw_cards"])
        first = self._together.first_card.pop(self.seat, "")
        drawn = [first] if first else self._hands.deal(self.seat, count)
        kept = self._plays.lay(view, prompt, drawn, chance)
        card, space, other = str(kept["card"]), str(kept["space"]), str(kept.get("other", ""))
        place = f"lab_{self.seat}/{space}"
        verb = "keep_card" if prompt.deed.get("keep") else "place_card"
        command = {"do": verb, "seat": self.seat, "card": card, "space": space}
        if other:
            self._hands.discard_card(self.seat, other)
        if space == "pile":
            self._hands.pile_from_hand(self.seat, card)
            self._say(command)
            return
        if place in self._hands.world()["places"]:
            self._hands.pile_cards(self.seat, [space], scored=False)
        self._hands.place_card(self.seat, card, space)
        self._laid = Laid(self.seat, {place: card}, command)

    def _lay_five(self, five: Mapping[str, str]) -> None:
        for space, card in five.items():
            self._hands.take_card_from_pile(self.seat, card, space)
        command = {"do": "choose_five", "seat": self.seat, "cards": list(five.values())}
        if five:
            self._laid = Laid(self.seat, {f"lab_{self.seat}/{s}": card for s, card in five.items()}, command)
        else:
            self._say(command)
