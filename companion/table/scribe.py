"""What happens on a table's thread: decide, append, evolve. No thread, no queue in here.

Holds everything that the table knows and answers every request, one after the other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.board import Place
from companion.game import Game, NotACommand, RuleBroken, Seat, Sentence, Wire
from companion.journal import Cause, Journal, JournalMoved, JournalUnusable, NewRecord, Record, TableRow
from companion.table.answers import Answers, Refused
from companion.table.ledger import REPLACED, STRUCK, Entry, Ledger
from companion.table.strike import Trial, is_running, try_replace, try_strike
from companion.table.told import Told
from companion.table.views import Receipt, Submission

log = logging.getLogger(__name__)

Written = tuple[str, int, Wire]
"""Kind, version and body of an entry to be."""

MAY_ACT_FOR_ANY = frozenset({"host", "system", "camera", "die", "virtual_die", "let_count", "board_sensor"})


class Scribe:
    """The book of one table. ``on_entry`` hears of every entry, with what it and its strikes touched."""

    def __init__(
        self, game: Game[Any, Any, Any], journal: Journal, row: TableRow, *, now_utc: Callable[[], str]
    ) -> None:
        self.game = game
        self.ledger = Ledger(game, row.catalogue)
        self.told = Told(game)
        self._journal = journal
        self._row = row
        self._now_utc = now_utc
        self._answers = Answers()
        self.on_entry: Callable[[Entry, frozenset[Seat | Place]], None] = lambda entry, touched: None

    @property
    def state(self) -> Any:
        return self.ledger.state

    def read_on(self) -> None:
        """Take in what the journal has and we have not."""
        self._take(self._journal.read(self._row.id, self.ledger.seq))

    def answer(self, cause: Cause, request: str, act: Callable[[Cause], int]) -> Receipt:
        """Do something once and say how it went.

        ``act`` gets the cause with the request in it and returns the seq that it led to;
        it raises RuleBroken, NotACommand or Refused.
        """
        known = self._known(cause.client, request)
        if known is not None:
            return replace(known, is_repeat=True)
        is_for_good = True
        try:
            seq = act(replace(cause, request=request))
            receipt = Receipt(True, seq)
        except RuleBroken as broken:
            receipt = _refusal(broken, self.ledger.seq)
        except NotACommand as unread:
            receipt = Receipt(False, self.ledger.seq, unread.why)
        except Refused as refused:
            receipt = Receipt(False, self.ledger.seq, refused.why, instead=refused.instead)
            is_for_good = refused.is_for_good
        if request and is_for_good and self.ledger.answered(cause.client, request) is None:
            self._answers.give(cause.client, request, receipt)
        return receipt

    def submit(self, submission: Submission) -> Receipt:
        """Decide and write down a command."""

        def act(cause: Cause) -> int:
            if submission.made_on_seq > self.ledger.seq:
                raise Refused(Sentence("table.refused.from_elsewhere"), is_for_good=False)
            return self.command(submission.command, cause)

        return self.answer(submission.cause, submission.request, act)

    def command(self, wire: Wire, cause: Cause) -> int:
        """Decide a command and write down what follows; return the seq of its last entry.

        Raises RuleBroken, NotACommand, Refused.
        """
        command = self.game.codec.command_in(wire)
        cause = self._acting(command, cause)
        events = self.game.decide(self.state, command)
        return self.write([self.game.codec.event_out(event) for event in events], cause)

    def tell_catalogue(self, catalogue: Wire, cause: Cause) -> int:
        """Let the table know what its box prints; return the seq. Raises as ``command`` does."""
        command = self.game.command_from_catalogue(self.state, catalogue)
        if command is None:
            return self.ledger.seq
        return self.command(self.game.codec.command_out(command), cause)

    def write(self, entries: Sequence[Written], cause: Cause) -> int:
        """Append entries and let them take effect. Raises Refused if the journal cannot take them."""
        if not entries:
            return self.ledger.seq
        if not cause.request:
            cause = replace(cause, request=f"entry-{self.ledger.seq + 1}")
        at_utc = self._now_utc()
        records = [NewRecord(at_utc, kind, version, body, cause) for kind, version, body in entries]
        try:
            written = self._journal.append(self._row.id, self.ledger.seq, records)
        except JournalMoved as moved:
            log.error("table %s: %s", self._row.id, moved)
            self.read_on()
            raise Refused(Sentence("table.refused.journal_moved"), is_for_good=False) from moved
        except JournalUnusable as unusable:
            log.error("table %s: %s", self._row.id, unusable)
            raise Refused(Sentence("table.refused.cannot_write"), is_for_good=False) from unusable
        self._take(written)
        return self.ledger.seq

    def strike(self, seqs: Sequence[int], cause: Cause) -> int:
        """Strike entries. Raises Refused."""
        self._check_own(seqs, cause)
        trial = try_strike(self.game, self.ledger, seqs)
        _check_complete(trial, ())
        return self.write([(STRUCK, 1, {"seqs": list(trial.seqs)})], cause)

    def replace(self, seq: int, wire: Wire, also: Sequence[int], cause: Cause) -> int:
        """Put another command in the place of an entry. Raises RuleBroken, NotACommand, Refused."""
        self._check_own([seq], cause)
        command = self.game.codec.command_in(wire)
        cause = self._acting(command, cause)
        trial = try_replace(self.game, self.ledger, seq, command)
        _check_complete(trial, also)
        events = [self.game.codec.event_out(event) for event in trial.events]
        body = {
            "seqs": list(trial.seqs),
            "counts_at": trial.counts_at,
            "events": [{"kind": kind, "version": version, "body": body} for kind, version, body in events],
        }
        return self.write([(REPLACED, 1, body)], cause)

    def check_seat(self, seat: Seat | None, cause: Cause) -> None:
        """Raise Refused unless who asks may act for a seat (None: the table)."""
        if cause.by in MAY_ACT_FOR_ANY or (seat is not None and seat == cause.for_seat):
            return
        raise Refused(Sentence("table.refused.not_your_seat", {"seat": seat or ""}))

    def _acting(self, command: Any, cause: Cause) -> Cause:
        actor = self.game.actor(command)
        if not (actor is None and self._is_offered(command, cause)):
            self.check_seat(actor, cause)
        for_seat = cause.for_seat if actor is None and cause.by == "seat" else actor
        return replace(cause, for_seat=for_seat, command=self.game.codec.command_out(command))

    def _is_offered(self, command: Any, cause: Cause) -> bool:
        """Say whether a seat that plays answers a prompt of the whole table that its own page shows."""
        if cause.by != "seat" or cause.for_seat is None:
            return False
        view = self.game.view(self.state, cause.for_seat)
        if cause.for_seat not in {one.seat for one in view.seats}:
            return False
        wired = [
            choice.command for prompt in view.prompts if prompt.seat is None for choice in prompt.choices
        ]
        return self.game.codec.command_out(command) in wired

    def _check_own(self, seqs: Sequence[int], cause: Cause) -> None:
        """Raise Refused if a seat reaches for more than its own last entry in the running phase."""
        if cause.by in MAY_ACT_FOR_ANY:
            return
        step = None if cause.for_seat is None else self.ledger.last_step_of(cause.for_seat)
        if step is None or not set(seqs) <= set(step.entry.seqs):
            raise Refused(Sentence("table.refused.not_your_last"), instead=Sentence("table.ask_the_host"))
        if not is_running(self.game, step, self.state):
            raise Refused(Sentence("table.refused.phase_over"), instead=Sentence("table.ask_the_host"))

    def _known(self, client: str, request: str) -> Receipt | None:
        if not request:
            return None
        seq = self.ledger.answered(client, request)
        return self._answers.given(client, request) if seq is None else Receipt(True, seq)

    def _take(self, records: Sequence[Record]) -> None:
        for entry in self.ledger.take(records):
            self.told.take(entry, self.state)
            self.on_entry(entry, self._touched(entry))

    def _touched(self, entry: Entry) -> frozenset[Seat | Place]:
        struck = [found for seq in entry.strikes if (found := self.ledger.entry(seq))]
        return frozenset(
            touched
            for changed in (entry, *struck)
            for event in changed.events
            for touched in self.game.touched(event)
        )


def _check_complete(trial: Trial, allowed: Sequence[int]) -> None:
    left = sorted({seq for entry in trial.also for seq in entry.seqs} - set(allowed))
    if left:
        seqs = ", ".join(str(seq) for seq in left)
        raise Refused(Sentence("table.refused.breaks_later", {"count": len(left), "seqs": seqs}))


def _refusal(broken: RuleBroken, seq: int) -> Receipt:
    return Receipt(False, seq, broken.why, broken.rule, broken.instead, section=broken.section)
