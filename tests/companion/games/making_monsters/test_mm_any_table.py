"""A table that is played, struck, replaced and restarted stays what the rules say of what stands."""

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
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import TakeOver
from companion.games.making_monsters.state import Phase, State
from companion.table.ledger import Ledger
from tests.chaos import so_many
from tests.companion.games.making_monsters.any_play import (
    BEGINNINGS,
    CHANCE,
    PICK,
    depths,
    filled,
    naming,
    offers,
)
from tests.companion.games.making_monsters.played_table import HOST, PATIENCE_S, PlayedTable, cause_of
from tests.companion.games.making_monsters.promises import check_pieces, check_rest
from tests.companion.games.making_monsters.tables import after


@dataclass
class Given:
    """A command that was taken: from where it counts, which entries it has, and what it was."""

    counts_at: int
    seqs: range
    command: Any


class AnyTable(RuleBasedStateMachine):
    """What stands is decided anew by the rules alone after every strike, and must be what the table shows."""

    @initialize(beginning=BEGINNINGS)
    def sit_down(self, beginning: State) -> None:
        self.state = beginning
        self.at = PlayedTable(beginning)
        self.given = [Given(1, range(1, self.at.seq + 1), TakeOver(GAME.position(beginning)))]
        self.state = self.standing()

    def standing(self, until: int | None = None) -> State:
        """Return what the rules make of everything that stands, or of what counts before ``until``."""
        commands = [
            given.command
            for given in sorted(self.given, key=lambda given: (given.counts_at, given.seqs[0]))
            if until is None or given.counts_at < until
        ]
        return after(GAME.initial(self.at.row.catalogue), *commands)

    def say(self, command: Any) -> None:
        try:
            events = GAME.decide(self.state, command)
        except RuleBroken as broken:
            receipt = self.at.do(command)
            assert (receipt.is_done, receipt.why) == (False, broken.why)
            return
        first = self.at.seq + 1
        receipt = self.at.do(command)
        assert receipt.is_done, receipt.why
        if events:
            self.given.append(Given(first, range(first, receipt.seq + 1), command))
        for event in events:
            self.state = GAME.evolve(self.state, event)
        self.check()

    def check(self) -> None:
        """The table shows what the rules say: to everybody, and in the words of the position line."""
        assert self.at.table.position() == GAME.position(self.state)
        for reader in (None, *GAME.seats):
            assert self.at.table.look(reader).view == GAME.view(self.state, reader)
        check_pieces(self.state)
        check_rest(self.state)

    @rule(which=PICK)
    def play(self, which: int) -> None:
        if self.state.phase is not Phase.OVER:
            commands = offers(self.state)
            self.say(commands[which % len(commands)])

    @rule(which=PICK)
    def change_depth(self, which: int) -> None:
        commands = depths(self.state)
        if commands:
            self.say(commands[which % len(commands)])

    @rule(chance=CHANCE)
    def name_an_upgrade(self, chance: random.Random) -> None:
        for command in naming(self.state, chance):
            self.say(command)

    @rule(chance=CHANCE)
    def fill_in_a_form(self, chance: random.Random) -> None:
        command = filled(self.state, chance)
        if command is not None:
            self.say(command)

    @rule(which=PICK)
    def say_again_what_was_said(self, which: int) -> None:
        self.say(self.given[which % len(self.given)].command)

    @precondition(lambda self: len(self.given) > 1)
    @rule(which=PICK)
    def host_strikes(self, which: int) -> None:
        struck = self.given[1 + which % (len(self.given) - 1)]
        preview = self.at.preview([struck.seqs[0]])
        assert preview.why is None
        assert set(struck.seqs) <= set(preview.seqs)
        if preview.also:
            assert not self.at.strike((struck.seqs[0],)).is_done
        assert self.at.strike(preview.seqs).is_done
        self.given = [given for given in self.given if given.seqs[0] not in preview.seqs]
        self.state = self.standing()
        scores = {score.seat: score.after for score in preview.scores}
        assert scores == {seat: lab.score for seat, lab in self.state.labs.items()}
        self.check()

    @precondition(lambda self: self.state.labs)
    @rule(which=PICK)
    def seat_takes_back(self, which: int) -> None:
        seats = tuple(self.state.labs)
        seat = seats[which % len(seats)]
        last = self.at.table.look(seat).own_last
        if last is None:
            return
        cause = cause_of(next(given.command for given in self.given if last.seq in given.seqs))
        assert cause.for_seat == seat
        if self.at.strike((last.seq,), cause).is_done:
            self.given = [given for given in self.given if last.seq not in given.seqs]
            self.state = self.standing()
        self.check()

    @precondition(lambda self: len(self.given) > 1)
    @rule(which=PICK, other=PICK)
    def host_replaces(self, which: int, other: int) -> None:
        old = self.given[1 + which % (len(self.given) - 1)]
        commands = [
            c for c in offers(self.standing(old.counts_at)) if GAME.actor(c) == GAME.actor(old.command)
        ]
        if not commands:
            return
        command = commands[other % len(commands)]
        wire, first = GAME.codec.command_out(command), self.at.seq + 1
        preview = self.at.table.preview_replace(old.seqs[0], wire).result(PATIENCE_S)
        assert preview.why is None
        receipt = self.at.table.replace(
            old.seqs[0], wire, request=self.at.request(), cause=HOST, also=preview.seqs
        ).result(PATIENCE_S)
        assert receipt.is_done, receipt.why
        self.given = [given for given in self.given if given.seqs[0] not in preview.seqs]
        self.given.append(Given(old.counts_at, range(first, receipt.seq + 1), command))
        self.state = self.standing()
        self.check()

    @rule()
    def restart(self) -> None:
        logs = [self.at.table.look(reader).log for reader in (None, *GAME.seats)]
        self.at.table.close()
        self.at.open()
        assert [self.at.table.look(reader).log for reader in (None, *GAME.seats)] == logs
        self.check()

    def teardown(self) -> None:
        if not hasattr(self, "at"):
            return
        ledger = Ledger(GAME, self.at.row.catalogue)
        for _ in ledger.take(self.at.journal.read(self.at.row.id)):
            pass
        assert ledger.state == self.state
        self.at.table.close()


@pytest.mark.timeout(300)  # what fails is made small first
def test_what_stands_is_what_the_rules_say_whatever_was_struck() -> None:
    run_state_machine_as_test(AnyTable, settings=so_many(games=8, steps=40))
