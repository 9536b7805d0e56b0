"""The companion's own words: every key that its code says has words, and every state has a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.game import Sentence
from companion.ports import DeviceState, Obstacle
from companion.sentences import Speaker, keys_in

TABLE = Path(__file__).parents[2] / "companion/table"


def keys_said() -> set[str]:
    """Return the keys in the table's code; a key with a part to fill in is found by its beginning."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in TABLE.glob("*.py"))
    return set(re.findall(r'Sentence\(\s*f?"((?:table|device|obstacle)\.[\w.]+)', sources))


@pytest.mark.parametrize("key", sorted(keys_said()))
def test_what_the_table_says_has_words(key: str):
    assert any(
        known.startswith(key) if key.endswith(("_", ".")) else known == key for known in keys_in("companion")
    )


@pytest.mark.parametrize("key", [*(f"device.{s}" for s in DeviceState), *(f"obstacle.{o}" for o in Obstacle)])
def test_every_state_and_obstacle_has_words(key: str):
    assert key in keys_in("companion")


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "The board was turned. Turn it one step clockwise."),
        (2, "The board was turned. Turn it 2 steps clockwise."),
    ],
)
def test_the_reminder_counts_the_steps(count: int, said: str):
    sentence = Sentence("table.reminder.turn_clockwise", {"count": count})
    assert Speaker(["companion"]).say(sentence) == said
