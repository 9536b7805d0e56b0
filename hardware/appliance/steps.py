"""Steps, shared by dry run, install and uninstall: each can be looked at, done and undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Step(Protocol):
    """One thing that an installed companion needs. Every text is a sentence for a person."""

    def says(self) -> str:
        """Say what it does."""

    def is_done(self) -> bool:
        """Tell whether there is nothing to do. Looks only."""

    def do(self) -> str:
        """Do it; return a remark, empty if all went as it was said."""

    def undo_says(self) -> str:
        """Say what undoing does; empty where there is nothing to undo. Looks only."""
        return ""

    def undo(self) -> str:
        """Undo it; return a remark, empty if all went as it was said."""
        return ""

    def keeps(self) -> str:
        """Say what undoing leaves, and why; empty where it leaves nothing. Looks only."""
        return ""


class Outcome(StrEnum):
    DONE = "done"  # just now
    WELL = "well"  # it was done already
    TO_DO = "to do"  # a dry run
    LEFT = "left"  # it could not be done, and the rest goes on without it
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Stepped:
    """What came of a step. ``remark`` is what a person should know besides."""

    says: str
    outcome: Outcome
    remark: str = ""


def carry_out(steps: Sequence[Step], *, is_dry: bool) -> Iterator[Stepped]:
    """Do what is not done yet, in order; a dry run only says what it would do."""
    for step in steps:
        says = step.says()
        if step.is_done():
            yield Stepped(says, Outcome.WELL)
        elif is_dry:
            yield Stepped(says, Outcome.TO_DO)
        else:
            remark = step.do()
            yield Stepped(says, Outcome.DONE if step.is_done() else Outcome.LEFT, remark)


def take_back(steps: Sequence[Step], *, is_dry: bool) -> Iterator[Stepped]:
    """Undo every step, the last one first; a dry run only says what it would do."""
    for step in reversed(steps):
        keeps, says = step.keeps(), step.undo_says()
        if says:
            yield Stepped(says, Outcome.TO_DO if is_dry else Outcome.DONE, "" if is_dry else step.undo())
        if keeps:
            yield Stepped(keeps, Outcome.KEPT)
