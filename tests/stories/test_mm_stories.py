"""Recorded games of released versions end the same for ever.

A story is one JSON value a line: the catalogue, the events as they were stored, and how it ended.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.game import replay
from companion.games.making_monsters.game import GAME

STORIES = sorted(Path(__file__).parent.glob("making_monsters_*.jsonl"))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.stem)
def test_a_recorded_game_ends_as_it_did(story: Path) -> None:
    head, *events, tail = (json.loads(line) for line in story.read_text().splitlines())
    told = (GAME.codec.event_in(kind, version, body) for kind, version, body in events)
    assert GAME.position(replay(GAME, head["catalogue"], told)) == tail["ends"]


def test_there_is_a_story() -> None:
    assert STORIES
