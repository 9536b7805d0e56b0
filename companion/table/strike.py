"""Taking back, tried by replay before anything is written. Pure.

What later entries said is decided again without the struck ones: an entry stays only if the
rules give the very same events for its command. The others are struck together with them,
or nothing is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import Game, RuleBroken, Sentence, Wire
from companion.table.answers import Refused
from companion.table.ledger import Entry, Ledger, Step
from companion.table.looks import phase_of


@dataclass(frozen=True, slots=True)
class Trial:
    """What a strike or a replacement would do.

    ``asked`` are the entries named, ``also`` those that would break without them;
    ``events`` what takes their place, counting from seq ``counts_at``.
    """

    asked: tuple[Entry, ...]
    also: tuple[Entry, ...]
    state: Any
    counts_at: int
    events: tuple[Any, ...] = ()

    @property
    def seqs(self) -> tuple[int, ...]:
        """Return every struck seq, in order."""
        return tuple(sorted(seq for entry in (*self.asked, *self.also) for seq in entry.seqs))


def try_strike(game: Game[Any, Any, Any], ledger: Ledger, seqs: Sequence[int]) -> Trial:
    """Try the table without some entries. Raises Refused if one is not there to be struck."""
    return _try(game, ledger, _standing(ledger, seqs), None)


def try_replace(game: Game[Any, Any, Any], ledger: Ledger, seq: int, command: Any) -> Trial:
    """Try the table with another command in the place of an entry.

    Raises Refused if there is no such entry, RuleBroken if the rules refuse the command there.
    """
    return _try(game, ledger, _standing(ledger, [seq]), command)


def is_running(game: Game[Any, Any, Any], step: Step, state: Any) -> bool:
    """Say whether the phase in which an entry was made still runs."""
    return phase(game, step.before) == phase(game, state)


def phase(game: Game[Any, Any, Any], state: Any) -> tuple[str, int | None]:
    """Return what tells one phase of a game from the next."""
    return phase_of(game.view(state, None))


def _standing(ledger: Ledger, seqs: Sequence[int]) -> tuple[Entry, ...]:
    found: dict[int, Entry] = {}
    for seq in sorted(seqs):
        entry = ledger.entry(seq)
        if entry is None or not entry.is_standing:
            raise Refused(Sentence("table.refused.no_such_entry", {"seq": seq}))
        found[entry.first] = entry
    if not found:
        raise Refused(Sentence("table.refused.nothing_named"))
    return tuple(found.values())


def _try(game: Game[Any, Any, Any], ledger: Ledger, asked: tuple[Entry, ...], instead: Any) -> Trial:
    firsts = {entry.first for entry in asked}
    start = next(place for place, step in enumerate(ledger.steps) if step.entry.first in firsts)
    head = ledger.steps[start]
    state, events = head.before, ()
    if instead is not None:
        events = tuple(game.decide(state, instead))
        state = _after(game, state, events)
    also: list[Entry] = []
    for step in ledger.steps[start:]:
        if step.entry.first in firsts:
            continue
        if _still_follows(game, state, step.entry):
            state = _after(game, state, step.entry.events)
        else:
            also.append(step.entry)
    return Trial(asked, tuple(also), state, head.entry.counts_at, events)


def _still_follows(game: Game[Any, Any, Any], state: Any, entry: Entry) -> bool:
    wire: Wire | None = entry.cause.command
    if wire is None:
        return True
    try:
        events = game.decide(state, game.codec.command_in(wire))
    except RuleBroken:
        return False
    return tuple(events) == entry.events


def _after(game: Game[Any, Any, Any], state: Any, events: Sequence[Any]) -> Any:
    for event in events:
        state = game.evolve(state, event)
    return state
