"""Recorded games of *Mad Science* end the same for ever; the form is that of ``test_mm_stories``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.mad_science.game import GAME
from companion.journal import Record, TableId
from companion.table.ledger import Ledger
from companion.table.stored import cause_in

TABLES = sorted(Path(__file__).parent.glob("mad_science_*.jsonl"))


@pytest.mark.parametrize("story", TABLES, ids=lambda story: story.stem)
def test_a_recorded_table_ends_as_it_did_with_all_that_was_struck(story: Path) -> None:
    head, *lines, tail = (json.loads(line) for line in story.read_text().splitlines())
    ledger = Ledger(GAME, head["catalogue"])
    records = [
        Record(
            TableId("story"), seq, "2026-11-30T20:00:00Z", kind, version, body, cause_in(json.dumps(cause))
        )
        for seq, (kind, version, body, cause) in enumerate(lines, 1)
    ]
    for _ in ledger.take(records):
        pass
    assert GAME.position(ledger.state) == tail["ends"]
    seats = GAME.view(ledger.state, None).seats
    assert {seat.seat: seat.score for seat in seats} == tail["scores"]
    assert [seat.seat for seat in seats if seat.rank == 1] == tail["winners"]


def test_there_are_stories_of_every_kind() -> None:
    told = {json.loads(line)[0] for story in TABLES for line in story.read_text().splitlines()[1:-1]}
    wanted = {"table.struck", "catalogue_told", "box_asked", "part_dropped", "parts_back", "parts_stayed"}
    assert (
        wanted | {"adaptor_lost", "regenerated", "take_asked", "part_lost", "life_set", "game_over"} <= told
    )
