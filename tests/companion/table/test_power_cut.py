"""Kill -9 in the middle of writing: nothing that was acknowledged is lost, nothing is half there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from companion.table.sqlite_journal import open_sqlite_journal
from tests.lantern.evening import ROW, Evening

PROJECT = Path(__file__).parents[3]
KILLS = 20


def answers_of_killed_services(path: Path, kills: int) -> list[str]:
    """Let services write one after the other, kill each after some answers; return all that came out."""
    chance = Random(kills)
    answers: list[str] = []
    command = [sys.executable, "-m", "tests.companion.table.writing_process", str(path)]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as services:
        assert services.stdin is not None and services.stdout is not None
        for run in range(kills):
            services.stdin.write(f"{run}\n")
            services.stdin.flush()
            pid = int(services.stdout.readline().removeprefix("pid "))
            answers += [services.stdout.readline().strip() for _ in range(chance.randint(1, 60))]
            os.kill(pid, signal.SIGKILL)
            answers += [line.strip() for line in iter(services.stdout.readline, "gone\n")]
        services.stdin.close()
    return answers


def test_nothing_acknowledged_is_lost_in_twenty_power_cuts(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    answers = answers_of_killed_services(path, KILLS)

    journal = open_sqlite_journal(path)
    records = journal.read(ROW.id)
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    written = {f"{record.seq} {record.cause.request}" for record in records}
    assert len(answers) >= KILLS
    assert set(answers) <= written

    evening = Evening(journal)
    gathered = sum(record.body["by"] for record in records if record.kind == "lantern.oil_changed")
    assert sum(seat.score for seat in evening.look().view.seats) == gathered
    evening.table.close()
    journal.close()
