"""A table that is played, struck, replaced, repeated and restarted at random stays what its journal says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.game import RuleBroken
from companion.journal import Cause
from companion.table.ledger import Ledger
from companion.table.writer import Receipt
from tests.lantern.evening import HOST, PATIENCE_S, ROW, Evening, wire
from tests.lantern.game import LANTERN, State
from tests.lantern.moves import SEATS, STONES, Burn, Gather, Lay, Open, bank_of

PICK = st.integers(0, 10_000)


@dataclass
class Given:
    """A command that was taken: where it counts, which entries it has, and what it was."""

    counts_at: int
    seqs: range
    command: Any

    @property
    def seq(self) -> int:
        return self.seqs[-1]


class TableMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening()
        self.given: list[Given] = []
        self.answered: list[tuple[Cause, Any, str, Receipt]] = []
        self.take(HOST, Open(SEATS[:3]))

    def state(self) -> State:
        """Play the commands that stand from the beginning: what the rules alone say."""
        state = LANTERN.initial({})
        for given in sorted(self.given, key=lambda given: given.counts_at):
            for event in LANTERN.decide(state, given.command):
                state = LANTERN.evolve(state, event)
        return state

    def take(self, cause: Cause, command: Any) -> None:
        state = self.state()
        try:
            events = LANTERN.decide(state, command)
        except RuleBroken as broken:
            events, expected = (), broken.why
        else:
            expected = None
        request = self.evening.request()
        seq = self.evening.look().seq + 1
        receipt = self.evening.do(cause, command, request=request)
        assert receipt.why == expected
        assert receipt.is_done == (expected is None)
        if events:
            assert receipt.seq == seq + len(events) - 1
            self.given.append(Given(seq, range(seq, receipt.seq + 1), command))
        self.answered.append((cause, command, request, receipt))

    @rule(pick=PICK)
    def do_something_legal(self, pick: int) -> None:
        offers = list(LANTERN.legal(self.state()))
        command = offers[pick % len(offers)]
        seat = LANTERN.actor(command)
        self.take(Cause("seat", for_seat=seat, client=f"phone-{seat}") if seat else HOST, command)

    @rule(seat=st.sampled_from(SEATS), oil=st.integers(-1, 4), burns=st.booleans())
    def do_anything(self, seat: Any, oil: int, burns: bool) -> None:
        command = Burn(seat, oil) if burns else Gather(seat, oil)
        self.take(Cause("seat", for_seat=seat, client=f"phone-{seat}"), command)

    @precondition(lambda self: self.answered)
    @rule(pick=PICK)
    def tap_again(self, pick: int) -> None:
        cause, command, request, receipt = self.answered[pick % len(self.answered)]
        again = self.evening.do(cause, command, request=request)
        assert again.is_repeat
        assert (again.is_done, again.seq, again.why) == (receipt.is_done, receipt.seq, receipt.why)

    @precondition(lambda self: len(self.given) > 1)
    @rule(pick=PICK)
    def host_strikes(self, pick: int) -> None:
        struck = self.given[1 + pick % (len(self.given) - 1)]
        preview = self.evening.table.preview_strike([struck.seq]).result(PATIENCE_S)
        assert preview.why is None and struck.seq in preview.seqs
        if preview.also:
            assert not self.evening.strike(HOST, struck.seq).is_done
        assert self.evening.strike(HOST, *preview.seqs).is_done
        self.given = [given for given in self.given if given.seq not in preview.seqs]
        assert {score.seat: score.after for score in preview.scores} == {
            seat.seat: seat.score for seat in self.evening.look().view.seats
        }

    @rule(seat=st.sampled_from(SEATS[:3]))
    def seat_takes_back(self, seat: Any) -> None:
        own_last = self.evening.look(seat).own_last
        if own_last is None:
            return
        receipt = self.evening.strike(Cause("seat", for_seat=seat), own_last.seq)
        if receipt.is_done:
            [gone] = [given for given in self.given if own_last.seq in given.seqs]
            assert LANTERN.actor(gone.command) == seat
            self.given.remove(gone)
        else:
            assert receipt.why is not None and receipt.why.key == "table.refused.breaks_later"

    @precondition(lambda self: len(self.given) > 1)
    @rule(pick=PICK, oil=st.integers(1, 3))
    def host_replaces(self, pick: int, oil: int) -> None:
        old = self.given[1 + pick % (len(self.given) - 1)]
        seat = LANTERN.actor(old.command)
        if seat is None:
            return
        command = Gather(seat, oil)
        preview = self.evening.table.preview_replace(old.seq, wire(command)).result(PATIENCE_S)
        assert preview.why is None
        receipt = self.evening.replace(HOST, old.seq, command, *preview.seqs)
        assert receipt.is_done
        self.given = [given for given in self.given if given.seq not in preview.seqs]
        self.given.append(Given(old.counts_at, range(receipt.seq, receipt.seq + 1), command))

    @rule(seat=st.sampled_from(SEATS[:3]), kinds=st.lists(st.sampled_from(STONES), max_size=3))
    def lay_stones_and_take_the_proposal(self, seat: Any, kinds: list[Any]) -> None:
        lying = dict(self.state().stones)
        free = [space for space in bank_of(seat) if space not in lying]
        laid = tuple(zip(free, kinds, strict=False))
        self.evening.see(**{**lying, **dict(laid)})
        if not laid:
            assert self.evening.look().proposals == ()
            return
        seq = self.evening.look().seq + 1
        assert self.evening.accept(self.evening.proposal(seat), seat).is_done
        self.given.append(Given(seq, range(seq, seq + 1), Lay(seat, laid)))

    @rule()
    def restart(self) -> None:
        views = [self.evening.look(reader) for reader in (None, *SEATS)]
        self.evening.restart()
        for view, reader in zip(views, (None, *SEATS), strict=True):
            again = self.evening.look(reader)
            assert (again.view, again.log, again.own_last) == (view.view, view.log, view.own_last)
        # Refusals are remembered while the service runs, not longer.
        self.answered = [answered for answered in self.answered if answered[-1].is_done]

    @invariant()
    def the_state_is_what_the_rules_say_of_the_standing_commands(self) -> None:
        assert self.evening.table.position() == LANTERN.position(self.state())

    @invariant()
    def the_journal_alone_gives_the_same_state(self) -> None:
        ledger = Ledger(LANTERN, {})
        for _ in ledger.take(self.evening.journal.read(ROW.id)):
            pass
        assert LANTERN.position(ledger.state) == self.evening.table.position()
        assert ledger.seq == self.evening.look().seq

    @invariant()
    def nothing_leaves_the_journal_or_the_log(self) -> None:
        records = self.evening.journal.read(ROW.id)
        assert [record.seq for record in records] == list(range(1, len(records) + 1))
        lines = {line.seq: line for line in self.evening.look().log}
        standing = {given.seq for given in self.given}
        oil = [record for record in records if record.kind == "lantern.oil_changed"]
        assert all(lines[record.seq].is_struck == (record.seq not in standing) for record in oil)

    def teardown(self) -> None:
        self.evening.table.close()


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
