"""An evening of cards with eyes: hands lay cards before cameras, and phones take what was seen.

As ``EveningByPhones``, with a simulated table besides: what a player lays is laid there first, and told by
the proposal that the eyes make of it; after patience, by hand. What follows on the table, hands do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.board import Lying, Place
from companion.game import Dealer, Lays, Seat
from hardware.simulated.evening.by_phones import EveningByPhones, PhonesOutcome, Told
from hardware.simulated.evening.counts import Counts
from hardware.simulated.evening.evening import Wishes
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.processes import (
    DemoFailed,
    Running,
    box_of,
    start,
    teach_stand_in,
    write_settings,
)
from hardware.simulated.evening.waiting import Laid
from hardware.simulated.hands import Hands

LOOK_S = 0.5


class EveningWithCards(EveningByPhones):
    """A service, its phones, and a table of cards with a camera over each seat's."""

    def __init__(self, home: Path, wishes: Wishes, game: str) -> None:
        super().__init__(home, wishes, game)
        if not isinstance(self._game.dealer, Lays):
            raise DemoFailed(f"{self._game.name} has a dealer who lays nothing on a table.")
        self._lays: Lays[Any] = self._game.dealer
        self.counts: Counts = Counts()
        self.table: Running
        self._hands: Hands
        self._lying: dict[Place, Lying] = {}
        self._state: Any = None

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
        self._state = told.state()
        self._bring(self._lays.lying(self._state))
        return super()._command(seat, phone, told, dealer)

    def _tap(self, phone: Phone, command: Mapping[str, Any]) -> bool:
        """Lay what a command is about, and take the proposal that says so."""
        cards = {} if self._state is None else self._lays.laid(self._state, command)
        if not cards:
            return super()._tap(phone, command)
        self._bring({**self._lying, **cards})
        camera = str(next(iter(cards)).board)
        pieces = {str(place): str(one.kind) for place, one in cards.items()}
        laid = Laid(str(command["seat"]), pieces, command, camera=camera)
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

    def _bring(self, wanted: Mapping[Place, Lying]) -> None:
        """Let hands bring the table to what should lie there, in one visit to each seat's cards."""
        for deeds in visits_between(self._lying, wanted):
            self._hands.do("visit", deeds=deeds)
        self._lying = dict(wanted)

    def _outcome(self, host: Phone, told: Told) -> PhonesOutcome:
        return replace(super()._outcome(host, told), counts=self.counts)


def visits_between(
    lies: Mapping[Place, Lying], wanted: Mapping[Place, Lying]
) -> Iterator[list[Mapping[str, Any]]]:
    """Give the deeds of each visit after which the table is as wanted; what goes is taken first."""
    visits: dict[str, list[Mapping[str, Any]]] = {}
    for place in sorted({*lies, *wanted}):
        visits.setdefault(str(place.board), []).extend(_deeds(place, lies.get(place), wanted.get(place)))
    for deeds in visits.values():
        if deeds:
            yield sorted(deeds, key=lambda deed: deed["do"] != "take")


def _deeds(place: Place, lies: Lying | None, wanted: Lying | None) -> Iterator[Mapping[str, Any]]:
    """Give what hands do at a place."""
    at = str(place)
    if lies is not None and (wanted is None or wanted.kind != lies.kind):
        yield {"do": "take", "place": at}
        lies = None
    if wanted is None:
        return
    dice = [f"{kind} {value}" for kind, value in wanted.dice]
    if lies is None:
        yield {"do": "lay", "place": at, "kind": wanted.kind, "dice": dice}
    elif wanted.dice != lies.dice:
        yield {"do": "set_dice", "place": at, "dice": dice}
    if wanted.is_up != (lies is None or lies.is_up):
        yield {"do": "turn", "place": at, "to": "up" if wanted.is_up else "down"}
