"""Houses with a table of a real game, its box the stand-in, its journal in memory."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Seat
from companion.games.mad_science.game import GAME as MAD_SCIENCE
from companion.games.making_monsters.game import GAME
from companion.games.monster_graveyard.game import GAME as MONSTER_GRAVEYARD
from companion.journal import Cause, TableId, TableRow
from companion.table.writer import Submission
from tests.web.lantern_house import LanternHouse, now_utc


class MonsterHouse(LanternHouse):
    """A house whose table can play on by itself."""

    rules: Any = GAME
    has_eyes = False
    taps = 0

    def games(self) -> Mapping[str, Any]:
        return {self.rules.name: self.rules}

    def boxes(self) -> Sequence[str]:
        return ()

    def tap(self, command: Any, seat: Seat | None = None) -> bool:
        """Give a command as the host would, or as a seat; tell whether it was taken."""
        self.taps += 1
        cause = Cause("seat" if seat else "host", for_seat=seat, client="hands")
        seq = self.table.look(None).seq
        return self.table.submit(Submission(f"tap-{self.taps}", cause, seq, command)).result(10).is_done

    def step(self, chance: random.Random) -> bool:
        """Let somebody who is asked do something, hands and luck included; False when nobody can."""
        state = self.state()
        for seat in (None, *(one.seat for one in self.table.look(None).view.seats)):
            view = self.table.look(seat).view
            for prompt in view.prompts:
                if prompt.seat != seat or (seat is not None and prompt.tone == "wait"):
                    continue
                player = self.rules.players[-1]
                command = player.choose(view, prompt, chance.random()) if seat is not None else None
                if command is None:
                    command = self._dealer().deal(state, view, prompt, player, chance)
                if command is not None and self.tap(command, seat):
                    return True
        return False

    def state(self) -> Any:
        """Return the state as its position says it."""
        return self.rules.from_position(self.table.position(), self.rules.stand_in)

    def _dealer(self) -> Any:
        """Return who deals the game on the table, hands that no state knows included."""
        if getattr(self, "_dealt", None) is not self.table:
            self._dealt, self._deals = self.table, self.rules.dealer.for_one_game()
        return self._deals

    def _row(self, number: int) -> TableRow:
        name, box = self.rules.name, self.rules.stand_in
        return TableRow(TableId(f"evening-{number}"), name, "", box, now_utc())


class GraveyardHouse(MonsterHouse):
    """A house whose table plays Monster Graveyard."""

    rules: Any = MONSTER_GRAVEYARD


class ScienceHouse(MonsterHouse):
    """A house whose table plays Mad Science."""

    rules: Any = MAD_SCIENCE
