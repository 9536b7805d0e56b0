"""An evening of loose cards with eyes: hands lay cards before cameras, and phones take what was seen.

As ``EveningByPhones``, with a simulated table besides: what a player lays is laid there first, and told by
the proposal that the eyes make of it; after patience, by hand. What the game turns over, hands turn over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.game import Dealer, Seat
from hardware.simulated.evening.by_phones import EveningByPhones, PhonesOutcome, Told
from hardware.simulated.evening.counts import Counts
from hardware.simulated.evening.evening import Wishes
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.processes import Running, box_of, start, teach_stand_in, write_settings
from hardware.simulated.evening.waiting import Laid
from hardware.simulated.hands import Hands

LOOK_S = 0.5
ON_TABLE = {"play": "card", "deal_body": "body"}
"""Commands that say that a card was laid, and where they name it."""


class EveningWithCards(EveningByPhones):
    """A service, its phones, and a table of loose cards with a camera over each zone."""

    def __init__(self, home: Path, wishes: Wishes, game: str) -> None:
        super().__init__(home, wishes, game)
        self.counts = Counts()
        self.table: Running
        self._hands: Hands
        self._places: dict[str, tuple[str, bool]] = {}

    def _open(self, stack: ExitStack) -> None:
        game, wishes = self._game.name, self._wishes
        teach_stand_in(self._home, game)
        words = ["--game", game, "--seats", str(wishes.seats), "--seed", str(wishes.seed)]
        self.table = start(["simulated-table", *words, "--speed", str(wishes.speed)], self._home)
        stack.callback(self.table.stop)
        self._hands = Hands(str(self.table.told["url"]))
        settings = write_settings(
            self._home,
            {**self.table.told, "devices": self._with_die(stack)},
            host=wishes.host,
            port=wishes.port,
            game=game,
            box=box_of(game),
        )
        self._serve(settings, stack)

    def _command(
        self, seat: Seat | None, phone: Phone, told: Told, dealer: Dealer[Any]
    ) -> Mapping[str, Any] | None:
        """Bring the table to what the game says of it before anybody does the next thing."""
        self._tidy(told.state())
        return super()._command(seat, phone, told, dealer)

    def _tap(self, phone: Phone, command: Mapping[str, Any]) -> bool:
        """Lay a card that a command is about, and take the proposal that says so."""
        named = ON_TABLE.get(str(command.get("do")))
        if named is None or not command.get(named):
            return super()._tap(phone, command)
        seat, card = str(command["seat"]), str(command[named])
        place = f"zone_{seat}/{self._space(card, command)}"
        self._hands.do("lay", place=place, kind=card)
        self._places[place] = card, True
        laid = Laid(seat, {place: card}, command, camera=f"zone_{seat}")
        while True:
            number, wired = phone.look(after=0, timeout_s=LOOK_S)
            became = None if wired is None else laid.settle(phone, wired)
            if became is not None:
                self._taps, self._seq = self._taps + 1, became.seq
                self.counts.add(became.fate, became.note)
                return True
            if phone.is_gone:
                return False
            phone.look(after=number, timeout_s=LOOK_S)
            time.sleep(LOOK_S / self._wishes.speed)

    def _space(self, card: str, command: Mapping[str, Any]) -> str:
        """Return where a card belongs: a body in the middle, an adaptor before the part it is for."""
        if command["do"] == "deal_body":
            return "body"
        on = str(command.get("on") or "")
        row = self._game.stand_in["parts"].get(card)
        return f"adaptor_{on}" if row is None else str(row["kind"])

    def _tidy(self, state: Any) -> None:
        """Turn over, turn back and take away what the game says."""
        wanted = dict(_lying(state))
        for place, (_, is_up) in list(self._places.items()):
            if place not in wanted:
                self._hands.do("take", place=place)
                del self._places[place]
            elif wanted[place] != is_up:
                self._hands.do("turn", place=place, to="up" if wanted[place] else "down")
                self._places[place] = self._places[place][0], wanted[place]

    def _outcome(self, host: Phone, told: Told) -> PhonesOutcome:
        return replace(super()._outcome(host, told), counts=self.counts)


def _lying(state: Any) -> Iterator[tuple[str, bool]]:
    """Give what should lie on the table by place, and whether face up."""
    for seat, creature in state.creatures.items():
        if creature.body:
            yield f"zone_{seat}/body", True
        for kind in creature.parts:
            yield f"zone_{Seat(seat)}/{kind}", kind not in creature.dropped and kind not in creature.lost
        gone = creature.is_adaptor_used and creature.adaptor_on in creature.lost
        if creature.adaptor and not gone:
            yield f"zone_{seat}/adaptor_{creature.adaptor_on}", not creature.is_adaptor_out
