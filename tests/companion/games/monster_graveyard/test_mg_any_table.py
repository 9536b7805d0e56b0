"""A table that is played, struck and restarted stays what the rules say of what stands."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.game import RuleBroken
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.state import Phase
from companion.journal import Cause, TableId, TableRow
from companion.table.memory_journal import MemoryJournal
from companion.table.writer import Submission, Table
from tests.chaos import so_many
from tests.companion.games.monster_graveyard.mg_play import CHANCE, OPENINGS, PICK, check, filled
from tests.companion.games.monster_graveyard.mg_tables import after

HOST = Cause("host", client="host")
NOW_UTC = "2026-11-30T20:00:00Z"
PATIENCE_S = 30


@dataclass
class Given:
    """A command that was taken: which entries it has, and what it was."""

    seqs: range
    command: Any


class AnyTable(RuleBasedStateMachine):
    """What stands is decided anew by the rules alone after every strike, and must be what the table shows."""

    @initialize(opening=OPENINGS)
    def sit_down(self, opening: Any) -> None:
        self.row = TableRow(TableId("evening"), GAME.name, "", GAME.stand_in, NOW_UTC)
        self.journal = MemoryJournal()
        self.given: list[Given] = []
        self.requests = 0
        self.open()
        self.state = GAME.initial(GAME.stand_in)
        self.say(opening)

    def open(self) -> None:
        self.table = Table(GAME, self.journal, self.row, now_utc=lambda: NOW_UTC, now_ms=lambda: 0)

    @property
    def seq(self) -> int:
        return self.table.look(None).seq

    def request(self) -> str:
        self.requests += 1
        return f"request-{self.requests}"

    def say(self, command: Any) -> None:
        seat = GAME.actor(command)
        cause = Cause("seat", for_seat=seat, client=f"phone-{seat}") if seat else HOST
        first, wire = self.seq + 1, GAME.codec.command_out(command)
        receipt = self.table.submit(Submission(self.request(), cause, self.seq, wire)).result(PATIENCE_S)
        try:
            self.state = after(self.state, command)
        except RuleBroken as broken:
            assert (receipt.is_done, receipt.why) == (False, broken.why)
            return
        assert receipt.is_done, receipt.why
        self.given.append(Given(range(first, receipt.seq + 1), command))
        self.compare()

    def compare(self) -> None:
        assert self.table.position() == GAME.position(self.state)
        for reader in (None, *GAME.seats):
            assert self.table.look(reader).view == GAME.view(self.state, reader)
        check(self.state)

    @rule(which=PICK)
    def play(self, which: int) -> None:
        commands = list(GAME.legal(self.state))
        if self.state.phase is not Phase.OVER:
            self.say(commands[which % len(commands)])

    @rule(chance=CHANCE)
    def fill_in_a_form(self, chance: random.Random) -> None:
        command = filled(self.state, chance)
        if command is not None:
            self.say(command)

    @precondition(lambda self: len(self.given) > 1)
    @rule(which=PICK)
    def host_strikes(self, which: int) -> None:
        struck = self.given[1 + which % (len(self.given) - 1)]
        preview = self.table.preview_strike([struck.seqs[0]]).result(PATIENCE_S)
        assert preview.why is None
        receipt = self.table.strike(preview.seqs, request=self.request(), cause=HOST).result(PATIENCE_S)
        assert receipt.is_done, receipt.why
        self.given = [given for given in self.given if given.seqs[0] not in preview.seqs]
        self.state = after(GAME.initial(GAME.stand_in), *(given.command for given in self.given))
        self.compare()

    @rule()
    def restart(self) -> None:
        logs = [self.table.look(reader).log for reader in (None, *GAME.seats)]
        self.table.close()
        self.open()
        assert [self.table.look(reader).log for reader in (None, *GAME.seats)] == logs
        self.compare()

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()


@pytest.mark.timeout(300)  # what fails is made small first
def test_what_stands_is_what_the_rules_say_whatever_was_struck() -> None:
    run_state_machine_as_test(AnyTable, settings=so_many(games=8, steps=40))
