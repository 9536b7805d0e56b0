"""The desk: takes what phones ask for to the table, and brings back the receipt.

Whether somebody may ask is decided here; whether the rules allow it is decided by the table.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from companion.game import Seat, Sentence
from companion.journal import Cause
from companion.table.writer import Receipt, Submission, Table, TableClosed
from web.wire import Accept, Command, Correct, Dismiss, Replace, Say, Stands, Strike, Tap, Throw

ANSWER_S = 10.0
"""How long the table may take to answer; it never does, but a thread must not hang for ever."""


class Role(StrEnum):
    """As what a phone looks at the table."""

    SEAT = "seat"
    HOST = "host"
    WATCH = "watch"
    SCREEN = "screen"
    OVERLAY = "overlay"


@dataclass(frozen=True, slots=True)
class Guest:
    """Who asks: ``seat`` is set for a seat only; ``client`` is an opaque name of the phone."""

    role: Role
    seat: Seat | None = None
    client: str = ""


class Desk:
    """Carries out taps. ``table`` gives the table that is played now."""

    def __init__(self, table: Callable[[], Table]) -> None:
        self._table = table

    def take(self, tap: Tap, guest: Guest) -> Receipt:
        """Carry out a tap and return the table's receipt, or the desk's own refusal."""
        table = self._table()
        seen = table.look(None)
        seq = seen.seq
        if tap.table not in (None, seen.table):  # kept on a phone since another evening
            return Receipt(False, seq, why=Sentence("web.refused.other_table"))
        if guest.role not in (Role.SEAT, Role.HOST):
            return Receipt(False, seq, why=Sentence("web.refused.watching"))
        if guest.role is Role.SEAT and tap.seat not in (None, guest.seat):
            return Receipt(False, seq, why=Sentence("web.refused.not_yours"))
        try:
            if isinstance(tap.deed, Accept):
                return self._accept(table, tap, tap.deed, self._cause(tap, guest))
            return self._ask(table, tap, self._cause(tap, guest), seq).result(ANSWER_S)
        except TableClosed:
            return Receipt(False, seq, why=Sentence("web.refused.other_table"))

    @staticmethod
    def _cause(tap: Tap, guest: Guest) -> Cause:
        by, for_seat = ("seat", guest.seat) if guest.role is Role.SEAT else ("host", tap.seat)
        return Cause(by=by, for_seat=for_seat, client=guest.client, request=tap.id)

    @staticmethod
    def _accept(table: Table, tap: Tap, deed: Accept, cause: Cause) -> Receipt:
        """Take proposals one after the other. Done if one was: what it settled besides asks anew."""
        receipts = [
            table.accept(proposal, request=f"{tap.id}.{number}" if number else tap.id, cause=cause).result(
                ANSWER_S
            )
            for number, proposal in enumerate(deed.proposals)
        ]
        return next((one for one in reversed(receipts) if one.is_done), receipts[0])

    @staticmethod
    def _ask(table: Table, tap: Tap, cause: Cause, seq: int) -> Future[Receipt]:
        made_on = seq if tap.seq is None else tap.seq
        answer: Future[Receipt]
        match tap.deed:
            case Command(command):
                answer = table.submit(Submission(tap.id, cause, made_on, command))
            case Correct(proposal, place, reads):
                answer = table.correct(proposal, place, reads, cause=cause)
            case Say(place, reads):
                answer = table.say(place, reads, cause=cause)
            case Dismiss(proposal):
                answer = table.dismiss(proposal, cause=cause)
            case Strike(entries):
                answer = table.strike(entries, request=tap.id, cause=cause)
            case Replace(entry, command, also):
                answer = table.replace(entry, command, request=tap.id, cause=cause, also=also)
            case Throw():
                answer = table.throw(request=tap.id, cause=cause)
            case Stands():
                answer = table.board_stands(cause=cause)
            case Accept():
                raise AssertionError("Proposals are taken one after the other.")
            case _:
                assert_never(tap.deed)
        return answer
