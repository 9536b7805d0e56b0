"""Findings as people and programs read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from companion.game import Sentence
from hardware.appliance.finding import Finding, Outcome

Say = Callable[[Sentence], str]
PACKAGE = "hardware.appliance"


@dataclass(frozen=True, slots=True)
class Told:
    """A finding in words: ``called`` is what was looked at, with whose it is; ``says`` what came of it."""

    what: str
    of: str
    outcome: Outcome
    called: str
    says: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def told(findings: Iterable[Finding], say: Say) -> tuple[Told, ...]:
    """Say findings in words."""
    return tuple(
        Told(
            one.what,
            one.of,
            one.outcome,
            say(Sentence(f"doctor.{one.what}")) + (f" {one.of}" if one.of else ""),
            say(one.say).strip(),
        )
        for one in findings
    )


def read_told(tree: Any) -> tuple[Told, ...]:
    """Read findings that another program told. Raises ValueError, KeyError or TypeError."""
    return tuple(Told(**{**one, "outcome": Outcome(one["outcome"])}) for one in tree)
