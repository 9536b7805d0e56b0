"""What `companion demo` cannot play is said before anything is started."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from companion.plugins import PartUnusable
from hardware.simulated.evening.command import demo


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game", "monster_graveyard", "--seats", "6"), "has 5 seats"),
        (("--game", "monster-graveyard", "--strength", "careful"), "known: dabbler, surgeon"),
        (("--people", "4", "--until-end"), "at least one seat"),
    ],
)
def test_what_the_demo_cannot_play_is_said(words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(demo, list(words))
    assert done.exit_code == 2
    assert said in done.output


def test_a_game_that_is_not_there_offers_the_near_one() -> None:
    done = CliRunner().invoke(demo, ["--game", "monster-grave"])
    assert isinstance(done.exception, PartUnusable)
    assert "monster_graveyard" in str(done.exception)
