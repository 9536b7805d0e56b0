"""What a look at one thing found: it is well, or somebody should do something, or nobody can know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.game import Sentence


class Outcome(StrEnum):
    OK = "ok"
    LOOK = "look"  # somebody should look at it; the sentence says what to do
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: ``what`` is its kind (``doctor.<what>`` names it), ``of`` whose it is."""

    what: str
    outcome: Outcome
    say: Sentence
    of: str = ""


def well(what: str, how: str = "ok", /, *, of: str = "", **values: Any) -> Finding:
    """Return that a thing is well, in the words of ``doctor.<what>.<how>``."""
    return Finding(what, Outcome.OK, Sentence(f"doctor.{what}.{how}", values), of)


def look(what: str, how: str, /, *, of: str = "", **values: Any) -> Finding:
    """Return that somebody should look at a thing."""
    return Finding(what, Outcome.LOOK, Sentence(f"doctor.{what}.{how}", values), of)


def unknown(what: str, how: str = "unknown", /, *, of: str = "", **values: Any) -> Finding:
    """Return that nobody can know."""
    return Finding(what, Outcome.UNKNOWN, Sentence(f"doctor.{what}.{how}", values), of)
