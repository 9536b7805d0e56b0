"""Does a roll count, does a turn? Values in, values out; lives on the table's thread.

A roll is a move only if a prompt asks for a die, it comes from the bound die, it began after
that prompt opened, and it was not counted before. A turn is a move only if it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from companion.game import Prompt, Seat, Sentence
from companion.journal import Cause
from companion.ports import BoardTurn, DieRoll

QUARTERS = 4


class Verdict(StrEnum):
    """What becomes of a roll."""

    COUNTS = "counts"
    NOT_AWAITED = "not_awaited"
    OTHER_DIE = "other_die"
    TOO_EARLY = "too_early"
    COUNTED_BEFORE = "counted_before"


class DieWatch:
    """Which die is bound, which prompts for a die stand open since when, what counted last.

    ``was_asked``: the game has asked for a roll before, so that one out of turn needs a word.
    """

    def __init__(self) -> None:
        self._opened_ms: dict[tuple[Seat | None, str], int] = {}
        self._bound: str | None = None
        self._counted: set[tuple[str, str, int]] = set()
        self.was_asked = False

    def recall(self, cause: Cause) -> None:
        """Remember a roll that the journal has, by itself or by a tap.

        Its die is the bound one, and it counts no second time.
        """
        if "die" not in cause.seen:
            return
        self._bound = str(cause.seen["die"])
        self._counted.add((self._bound, str(cause.seen["boot"]), int(cause.seen["roll"])))
        # The same question may stand again after it; then it is a new one.
        self._opened_ms.clear()

    def ask(self, prompts: Sequence[Prompt], now_ms: int) -> None:
        """Take in which prompts stand now."""
        self.was_asked = self.was_asked or any(prompt.expects_die for prompt in prompts)
        standing = [(prompt.seat, prompt.key) for prompt in prompts if prompt.expects_die]
        self._opened_ms = {key: self._opened_ms.get(key, now_ms) for key in standing}

    def judge(self, roll: DieRoll) -> Verdict:
        """Say whether a roll counts.

        A roll whose beginning nobody saw is not known to have begun after the prompt.
        """
        if (roll.die, roll.boot, roll.roll) in self._counted:
            return Verdict.COUNTED_BEFORE
        if not self._opened_ms:
            return Verdict.NOT_AWAITED
        if self._bound not in (None, roll.die):
            return Verdict.OTHER_DIE
        if roll.started_ms is None or roll.started_ms < min(self._opened_ms.values()):
            return Verdict.TOO_EARLY
        return Verdict.COUNTS


def cause_of_roll(roll: DieRoll) -> Cause:
    """Return the cause that lets nobody count a roll twice, in this run or the next."""
    request = f"{roll.boot}/{roll.roll}"
    return Cause(by="die", client=f"die:{roll.die}", request=request, seen=seen_of_roll(roll))


def seen_of_roll(roll: DieRoll) -> dict[str, Any]:
    """Return what a journal keeps of a roll: its name, and its face."""
    return {"die": roll.die, "boot": roll.boot, "roll": roll.roll, "face": roll.face}


def cause_of_virtual(roll: DieRoll, asked_by: Cause) -> Cause:
    """Return the cause of a roll that a phone made: marked as no real die's, for ever."""
    return replace(asked_by, by="virtual_die", seen={"roll": roll.roll, "face": roll.face})


def cause_of_extra(roll: DieRoll, let_by: Cause) -> Cause:
    """Return the cause of a roll that was no move until somebody let it count: marked so, for ever."""
    return replace(let_by, by="let_count", seen=seen_of_roll(roll))


def note_of(verdict: Verdict, roll: DieRoll) -> Sentence | None:
    """Say why a roll is no move; None if it is one, or was said before."""
    if verdict in (Verdict.COUNTS, Verdict.COUNTED_BEFORE):
        return None
    return Sentence(f"table.die.{verdict}", {"die": roll.die, "face": roll.face})


def cause_of_turn(turn: BoardTurn) -> Cause:
    """Return the cause that lets nobody count a turn twice."""
    seen: Mapping[str, Any] = {
        "sensor": turn.sensor,
        "boot": turn.boot,
        "turn": turn.turn,
        "delta": turn.delta,
        "to_quarter": turn.to_quarter,
    }
    client = f"board_sensor:{turn.sensor}"
    return Cause(by="board_sensor", client=client, request=f"{turn.boot}/{turn.turn}", seen=seen)


class TurnWatch:
    """How far the board stands from where the rules have it, after turns that nobody asked for.

    ``awaiting`` is the state that asks for a turn, None while none does; ``tapped`` a turn that
    somebody tapped, with the state before it, until the sensor reports the hands.
    """

    def __init__(self) -> None:
        self._astray = 0
        self._has_just_turned = False
        self._last: dict[str, tuple[str, int]] = {}
        self.awaiting: Any = None
        self.tapped: tuple[Any, tuple[Any, ...]] | None = None

    def ask(self, state: Any) -> None:
        """Take in the state that asks for a turn, None if it asks for none."""
        self.awaiting = state

    def heard(self, by: str, events: tuple[Any, ...]) -> None:
        """Take in what was written down: a tap may say what the hands still have to do."""
        self._has_just_turned = by == "board_sensor"
        if self.awaiting is not None and by != "board_sensor":
            self.tapped = (self.awaiting, events)

    def is_repeat(self, turn: BoardTurn) -> bool:
        """Say whether a turn was reported before, and remember it."""
        key = (turn.boot, turn.turn)
        was = self._last.get(turn.sensor)
        self._last[turn.sensor] = key
        return was == key

    def net(self, turn: BoardTurn) -> BoardTurn:
        """Return a turn as seen from where the rules have the board."""
        if self._astray == 0:
            return turn
        delta = _nearest(self._astray + turn.delta)
        return replace(turn, delta=delta, from_quarter=(turn.to_quarter - delta) % QUARTERS)

    @property
    def is_astray(self) -> bool:
        return self._astray != 0

    def took(self) -> None:
        """The rules and the board agree."""
        self._astray = 0
        self.tapped = None

    def stray(self, turn: BoardTurn) -> None:
        """Nobody asked for this turn."""
        self._astray = _nearest(self._astray + turn.delta)

    def reminders(self, wanted: int = 0) -> tuple[Sentence, ...]:
        """Say how to put the board right, nothing when it stands right.

        ``wanted`` is the turn that the rules await, in signed quarters; 0 if they await none.
        """
        if self._astray == 0:
            return ()
        to_go = _nearest(wanted - self._astray)
        if wanted and self._astray * wanted < 0:
            why, to_go = "wrong_way", wanted - self._astray
        elif wanted or self._has_just_turned:
            why = "twice"
        else:
            why = "turn"
        way = "clockwise" if to_go > 0 else "anticlockwise"
        return (Sentence(f"table.reminder.{why}_{way}", {"count": abs(to_go)}),)


def _nearest(quarters: int) -> int:
    """Return the shortest turn to the same place: -1, 0, 1 or 2 quarters."""
    return (quarters + 1) % QUARTERS - 1
