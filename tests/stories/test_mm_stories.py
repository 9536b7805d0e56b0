"""Recorded games of released versions end the same for ever.

A story is one JSON value a line: the catalogue, the events as they were stored, and how it ended. Those
of whole tables have what the journal holds besides: who said what, and what was struck.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.game import replay
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.state import State
from companion.journal import Record, TableId
from companion.table.ledger import Ledger
from companion.table.stored import cause_in

HERE = Path(__file__).parent
GAMES = sorted(HERE.glob("making_monsters_*.jsonl"))
TABLES = sorted(HERE.glob("table_*.jsonl"))


def read(story: Path) -> tuple[Any, list[Any], Any]:
    head, *lines, tail = (json.loads(line) for line in story.read_text().splitlines())
    return head, lines, tail


@pytest.mark.parametrize("story", GAMES, ids=lambda story: story.stem)
def test_a_recorded_game_ends_as_it_did(story: Path) -> None:
    head, events, tail = read(story)
    told = (GAME.codec.event_in(kind, version, body) for kind, version, body in events)
    assert GAME.position(replay(GAME, head["catalogue"], told)) == tail["ends"]


@pytest.mark.parametrize("story", TABLES, ids=lambda story: story.stem)
def test_a_recorded_table_ends_as_it_did_with_all_that_was_struck(story: Path) -> None:
    head, lines, tail = read(story)
    state = played_again(head["catalogue"], lines)
    assert GAME.position(state) == tail["ends"]
    seats = GAME.view(state, None).seats
    assert {seat.seat: seat.score for seat in seats} == tail["scores"]
    assert [seat.seat for seat in seats if seat.rank == 1] == tail["winners"]


def played_again(catalogue: Any, lines: Sequence[Any]) -> State:
    """Return the state that a journal leads to, as a service that starts on it reads it."""
    ledger = Ledger(GAME, catalogue)
    records = [
        Record(
            TableId("story"), seq, "2026-11-30T20:00:00Z", kind, version, body, cause_in(json.dumps(cause))
        )
        for seq, (kind, version, body, cause) in enumerate(lines, 1)
    ]
    for _ in ledger.take(records):
        pass
    state: State = ledger.state
    return state


def test_there_are_stories_of_every_kind() -> None:
    told = {line[0] for story in TABLES for line in read(story)[1]}
    assert GAMES
    assert {"table.struck", "options_chosen", "depth_set", "resumed", "lester_played", "end_forced"} <= told
    assert {"rot_asked", "total_set", "tile_taken", "busted"} <= told
