"""What happened, read off a history: each event with the states around it, and what it changed."""

from __future__ import annotations

from dataclasses import dataclass

from companion.history import changes, happened


@dataclass(frozen=True)
class Count:
    number: int
    round: int = 0


@dataclass(frozen=True)
class Added:
    amount: int
    seat: str | None = None


PAST = happened(Count(7, 2), [(Count(0), Added(3)), (Count(3, 1), Added(0)), (Count(3, 1), Added(4, "red"))])


def test_every_event_has_the_states_around_it():
    assert [(step.before.number, step.after.number) for step in PAST] == [(0, 3), (3, 3), (3, 7)]
    assert [(step.round, step.seat) for step in PAST] == [(1, None), (1, None), (2, "red")]


def test_only_what_changed_a_number_is_a_change_and_all_changes_add_up():
    found = list(changes(PAST, lambda state: state.number))
    assert [(step.event.amount, change) for step, change in found] == [(3, 3), (4, 4)]
    assert sum(change for _, change in found) == PAST[-1].after.number


def test_nothing_that_happened_is_no_history():
    assert happened(Count(0), []) == ()
