"""A roll that was no move, and may become one by a tap. Lives on the table's thread.

Rolled too early, with another die, or while nobody looked: the table decides whether it counts. It is a
proposal like what the eyes see, put to whoever is asked for a roll.
"""

from __future__ import annotations

from typing import Any

from companion.game import Game, Proposal, RuleBroken, Sentence
from companion.journal import Cause
from companion.ports import DieRoll
from companion.table.views import OpenProposal
from companion.table.watch import cause_of_extra

KEPT_MS = 120_000
"""A roll that lies longer was for something else."""


class ExtraRoll:
    """The newest roll that was no move. ``open`` holds at most one proposal.

    ``run`` tells the proposals of this run of the service from those of the last one.
    """

    def __init__(self, game: Game[Any, Any, Any], *, run: str) -> None:
        self._game = game
        self._run = run
        self._roll: DieRoll | None = None
        self._count = 0
        self.open: tuple[OpenProposal, ...] = ()

    def note(self, roll: DieRoll | None) -> None:
        """Keep a roll that was no move; None: what was rolled last was one."""
        self._roll = roll
        self._count += roll is not None

    def cause(self, proposal: OpenProposal, let_by: Cause) -> Cause | None:
        """Return the cause of letting the roll of a proposal count, None if it is none of ours."""
        return cause_of_extra(self._roll, let_by) if self._roll and proposal in self.open else None

    def due_ms(self) -> int | None:
        """Return when to look again, None if there is no need."""
        return self._roll.at_ms + KEPT_MS if self._roll is not None else None

    def look_again(self, state: Any, now_ms: int) -> bool:
        """Put the roll to whoever is asked for one now. True if anything changed by it."""
        if self._roll is not None and now_ms >= self._roll.at_ms + KEPT_MS:
            self._roll = None
        before, proposal = self.open, self._proposal(state)
        self.open = () if proposal is None else (self._opened(proposal),)
        return before != self.open

    def _opened(self, proposal: Proposal) -> OpenProposal:
        name = f"roll-{self._run}-{self._count}"
        return OpenProposal(name, proposal, crops={}, by_hand={}, camera="", is_roll=True)

    def _proposal(self, state: Any) -> Proposal | None:
        roll = self._roll
        if roll is None or not any(one.expects_die for one in self._game.prompts(state)):
            return None
        command = self._game.command_from_die(state, roll)
        try:
            if command is None or not self._game.decide(state, command):
                return None
        except RuleBroken:
            return None
        say = Sentence("table.die.counts_too", {"face": roll.face, "die": roll.die})
        wired = self._game.codec.command_out(command)
        return Proposal(self._game.actor(command), say, wired, (), is_sure=False)

    def heard(self, cause: Cause) -> None:
        """Forget the roll when whom it was put to has answered otherwise."""
        if any(one.proposal.seat == cause.for_seat for one in self.open):
            self._roll = None
