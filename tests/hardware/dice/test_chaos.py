"""The chaos run of hardware.md 2.3: bad channels, virtual time; no roll is ever wrong."""

import json

import pytest
from click.testing import CliRunner

from companion.cli import main
from hardware.simulated.rough_line import CHANNELS, played


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)
def test_no_roll_is_ever_wrong_or_told_twice_and_none_is_missed_on_a_bearable_channel(channel):
    for number, device in enumerate(("D-7F3A1C", "D-0BADBAD0")):
        run = played(device, channel, seed=2026 + number)
        assert run.wrong == 0
        assert len(run.rolled) > 40
        assert channel.may_miss or run.missed == 0


def test_on_the_worst_channel_nine_rolls_in_ten_still_arrive():
    run = played("D-7F3A1C", CHANNELS["1 % damaged, much garbage, replays"], seed=7)
    assert run.missed <= 0.1 * len(run.rolled)


def test_the_bench_tells_each_channel_and_fails_for_none(monkeypatch):
    monkeypatch.setattr("hardware.bench_line.CHANNELS", {"clean": CHANNELS["clean"]})
    done = CliRunner().invoke(main, ["bench", "line", "--runs", "1", "--json"])
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)
    assert (row["wrong"], row["missed"], row["damaged_lines"]) == (0, 0, 0)
    assert row["rolls"] > 80
