"""What one seat keeps secret is in no byte that anybody else gets, before the reveal and after it.

Two tables are played side by side that differ only in what a seat laid or decided in secret. Whatever
another seat, the host, a watcher or a recording gets of them must be the same, byte for byte.
"""

from __future__ import annotations

import logging
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from companion.game import RuleBroken, Seat
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.events import DecisionsShown, Revealed, TokensTurned
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import ChooseOrder, Decide, Deliver, Ready
from companion.games.making_monsters.reports import TellPoints
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.table.writer import Receipt
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
from tests.companion.games.making_monsters.played_table import Overheard, PlayedTable
from web.values import out

SHOWN = (TokensTurned, Revealed, DecisionsShown)
"""Events that show to everybody what was secret."""


def other_ways(state: State, command: Any) -> list[Any]:
    """Return what a seat might have said in secret instead, none if it is no secret."""
    match command:
        case ChooseOrder() if state.phase is Phase.ORDER:
            return [replace(command, order=order) for order in Order if order != command.order]
        case Ready() if state.phase is Phase.ORDER:
            return [ChooseOrder(command.seat, order) for order in Order]
        case Deliver(then=then) if then:
            return [replace(command, then="push_on" if then == "reanimate" else "reanimate")]
        case Decide(seat=seat) if state.labs[seat].depth is Depth.SCORE:
            return [TellPoints(seat, 7, 1), TellPoints(seat, 0, 0)]
        case Decide():
            return [replace(command, reanimate=not command.reanimate)]
        case TellPoints(seat=seat) if state.phase is Phase.DELIVERIES:
            return [Decide(seat, False), TellPoints(seat, command.points + 3, 3 - command.rot)]
    return []


def said_again(seat: Seat, lab: Lab) -> Any:
    """Return what a seat with a secret says to have it the way it has it."""
    if lab.stage is Stage.LAID:
        return ChooseOrder(seat, lab.order or Order.RED)
    if lab.depth is Depth.SCORE and lab.reanimates and lab.points_told is not None:
        return TellPoints(seat, lab.points_told, lab.rot_told)
    return Decide(seat, lab.reanimates and lab.depth is not Depth.SCORE)


class Twins(RuleBasedStateMachine):
    """Two tables, ``self.states`` what the rules say of each; ``owners`` have had a secret in one of them."""

    @initialize(beginning=BEGINNINGS)
    def sit_down(self, beginning: State) -> None:
        self.ear = Overheard()
        logging.getLogger().addHandler(self.ear)
        self.level = logging.getLogger().level
        logging.getLogger().setLevel(logging.DEBUG)
        self.tables = [PlayedTable(beginning), PlayedTable(beginning)]
        self.states = [
            GAME.from_position(table.table.position(), beginning.box.catalogue) for table in self.tables
        ]
        self.owners: set[Seat] = set()
        self.shown_at = 0
        self.folder = Path(tempfile.mkdtemp())

    @contextmanager
    def speaking_to(self, which: int) -> Iterator[PlayedTable]:
        self.ear.into = self.tables[which].lines
        yield self.tables[which]

    def differing(self) -> set[Seat]:
        one, other = self.states
        return {seat for seat in one.labs if one.labs[seat] != other.labs[seat]}

    def say(self, command: Any, pick: int = 0) -> None:
        """Say a command at both tables; where it is secret, something else at the second one."""
        try:
            events = GAME.decide(self.states[0], command)
        except RuleBroken:
            self.refused(command)
            return
        ways = other_ways(self.states[0], command)
        if any(isinstance(event, SHOWN) for event in events):
            self.agree()
            self.shown_at = self.tables[0].seq if self.owners else 0
            ways = []
        self.both(command, ways[pick % len(ways)] if ways and pick % 3 else command)

    def agree(self) -> None:
        """Let whoever has a secret say it again, the same at both tables: now it may be shown."""
        for seat in sorted(self.differing()):
            again = said_again(seat, self.states[0].labs[seat])
            self.both(again, again)
        assert not self.differing()

    def both(self, *commands: Any) -> None:
        self.owners |= {GAME.actor(commands[0])} if commands[0] != commands[1] else set()
        receipts = []
        for which, command in enumerate(commands):
            for event in GAME.decide(self.states[which], command):
                self.states[which] = GAME.evolve(self.states[which], event)
            with self.speaking_to(which) as table:
                receipts.append(table.do(command))
        assert receipts[0].is_done, receipts[0].why
        assert receipts[0] == receipts[1], commands
        assert self.differing() <= self.owners
        self.compare()

    def refused(self, command: Any) -> None:
        receipts: list[Receipt] = []
        for which in (0, 1):
            with self.speaking_to(which) as table:
                receipts.append(table.do(command))
        if GAME.actor(command) not in self.differing():
            assert receipts[0] == receipts[1]

    def compare(self) -> None:
        """Nobody but the owner of a secret can tell the tables apart."""
        one, other = self.tables
        assert one.lines == other.lines
        for reader in (None, *GAME.seats) if self.owners else ():
            if reader not in self.owners:
                assert one.pages(reader) == other.pages(reader)
                assert one.told(reader) == other.told(reader)
            elif reader not in self.differing():
                assert one.table.look(reader).view == other.table.look(reader).view

    @rule(which=PICK, pick=PICK)
    def play(self, which: int, pick: int) -> None:
        if self.states[0].phase is not Phase.OVER:
            commands = offers(self.states[0])
            secret = [command for command in commands if other_ways(self.states[0], command)]
            commands = secret if secret and which % 2 else commands
            self.say(commands[which // 2 % len(commands)], pick)

    @rule(which=PICK)
    def change_depth(self, which: int) -> None:
        commands = depths(self.states[0])
        if commands:
            self.say(commands[which % len(commands)])

    @rule(chance=CHANCE)
    def name_an_upgrade(self, chance: random.Random) -> None:
        for command in naming(self.states[0], chance):
            self.say(command)

    @rule(chance=CHANCE)
    def fill_in_a_form(self, chance: random.Random) -> None:
        command = filled(self.states[0], chance)
        if command is not None:
            self.say(command, chance.randrange(99))

    @rule(back=PICK)
    def look_what_a_strike_would_do(self, back: int) -> None:
        # Without what was said last before the reveal, an older secret would be the one that was shown.
        seq = max(1, self.shown_at + 1, self.tables[0].seq - back % 6)
        previews = [out(table.preview([seq])) for table in self.tables]
        assert previews[0] == previews[1], [
            [(one.seq, one.kind, one.cause.command) for one in table.journal.read(table.row.id)][-14:]
            for table in self.tables
        ]

    @rule()
    def save_a_recording(self) -> None:
        """A recording has nothing of the running phase, and so nothing of its secrets."""
        if self.owners and not self.shown_at:
            saved = [table.recording(self.folder / "recording") for table in self.tables]
            assert saved[0] == saved[1]

    @rule()
    def strike_the_last(self) -> None:
        """The host takes the newest entry back, at both tables alike."""
        previews = [table.preview([table.seq]) for table in self.tables]
        assert out(previews[0]) == out(previews[1])
        if previews[0].why is not None or 1 in previews[0].seqs:
            return
        for which, preview in enumerate(previews):
            with self.speaking_to(which) as table:
                assert table.strike(preview.seqs).is_done
                line = table.table.position()
                self.states[which] = GAME.from_position(line, table.row.catalogue)
        self.compare()

    def teardown(self) -> None:
        if hasattr(self, "tables"):
            logging.getLogger().setLevel(self.level)
            logging.getLogger().removeHandler(self.ear)
            for table in self.tables:
                table.table.close()


@pytest.mark.timeout(300)  # what fails is made small first
def test_nobody_can_tell_two_tables_apart_that_differ_in_a_secret() -> None:
    run_state_machine_as_test(Twins, settings=so_many(games=6, steps=40))
