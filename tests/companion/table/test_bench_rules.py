"""The bench of the rules measures what it says, whatever the machine."""

from __future__ import annotations

from itertools import islice
from random import Random

from click.testing import CliRunner

from companion.cli import main
from companion.games.making_monsters.game import GAME
from companion.table.bench_rules import decided_per_s, figures, replayed_ms
from companion.table.self_play import steps


def test_a_game_is_decided_again_and_its_journal_replayed() -> None:
    walked = list(steps(GAME, GAME.stand_in, dict.fromkeys(GAME.seats[:2], GAME.players[1]), Random(3)))
    assert decided_per_s(GAME, walked) > 0
    assert replayed_ms(GAME, walked) > 0


def test_the_first_figure_is_how_many_decisions_fit_into_a_second() -> None:
    first = next(islice(figures(GAME, 2), 1))
    assert first.unit == "decisions/s" and first.amount > 0


def test_benches_come_in_by_their_own_door() -> None:
    said = CliRunner().invoke(main, ["bench", "--help"])
    assert said.exit_code == 0 and "eyes" in said.stdout and "rules" in said.stdout
    assert CliRunner().invoke(main, ["bench", "ears"]).exit_code == 2
