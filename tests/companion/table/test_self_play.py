"""Games in memory: whole, by their seed alone, on any number of cores."""

from __future__ import annotations

import json
from random import Random

import pytest
from click.testing import CliRunner

from companion.games.making_monsters.game import GAME
from companion.table.self_play import CannotPlay, play
from companion.table.simulate import simulate
from companion.table.simulation import Plan, Spread, played, summed_up
from tests.lantern.game import LANTERN

CAREFUL = Plan("making_monsters", GAME.stand_in, 2, ("careless", "careful"), seed=7)


def simulated(*words: str) -> dict[str, object]:
    done = CliRunner().invoke(simulate, ["--json", *words])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("player", GAME.players, ids=lambda player: player.name)
def test_every_player_plays_a_game_to_its_end(player: object) -> None:
    end = play(GAME, GAME.stand_in, dict.fromkeys(GAME.seats[:2], player), Random(4))
    assert set(end.scores) == set(GAME.seats[:2])
    assert end.winners and end.rounds > 2 and max(end.scores.values()) > 10
    assert set(end.counts) == {"busted", "reanimated"}


def test_the_same_seed_plays_the_same_games_on_one_core_and_on_two() -> None:
    assert list(played(CAREFUL, 4, cores=1)) == list(played(CAREFUL, 4, cores=2))


def test_nobody_keeps_a_seat() -> None:
    plan = Plan("making_monsters", {}, 4, ("a", "b", "c"), seed=1)
    assert [plan.at(number) for number in range(2)] == [("a", "b", "c", "a"), ("b", "c", "a", "b")]
    at_red = [plan.at(number)[0] for number in range(6)]
    assert {at_red.count(name) for name in "abc"} == {2}


def test_victories_add_up_to_the_games_played() -> None:
    summary = summed_up(CAREFUL, list(played(CAREFUL, 3, cores=1)))
    for groups in (summary.by_seat, summary.by_strength):
        assert sum(group.wins for group in groups.values()) == pytest.approx(3)
        assert sum(group.played for group in groups.values()) == 6


def test_a_spread_is_a_mean_and_three_quartiles() -> None:
    assert Spread.of([1, 2, 3, 4, 10]) == Spread(4, 2, 3, 4)
    assert Spread.of([5]) == Spread(5, 5, 5, 5)


def test_the_command_prints_who_won_with_what() -> None:
    words = ["--games", "2", "--seats", "2", "--cores", "1", "--strength", "careful"]
    done = CliRunner().invoke(simulate, words)
    assert done.exit_code == 0 and "2 games" in done.stdout and "careful" in done.stdout
    assert "red" in done.stdout and "busts" in done.stdout and not done.stderr
    told = simulated(*words)
    assert told["games"] == 2 and set(told["by_seat"]) == {"red", "blue"}


def test_a_player_that_does_not_exist_is_told_with_those_that_do() -> None:
    done = CliRunner().invoke(simulate, ["--strength", "mighty"])
    assert done.exit_code == 2 and "careless, careful, strong" in done.output


def test_a_game_that_never_ends_is_called_off() -> None:
    with pytest.raises(CannotPlay, match="did not end"):
        play(LANTERN, {}, dict.fromkeys(LANTERN.seats[:2], LANTERN.players[0]), Random(1))
