"""Kill -9 in the middle of writing: nothing that was acknowledged is lost, nothing is half there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

from companion.table.sqlite_journal import open_sqlite_journal
from tests.lantern.evening import ROW, Evening

PROJECT = Path(__file__).parents[3]
KILLS = 20


def killed_after(acknowledged: int, path: Path, run: int) -> list[str]:
    """Let a service write, kill it after some answers, return every answer that came out."""
    command = [sys.executable, "-m", "tests.companion.table.writing_process", str(path), str(run)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        answers = [service.stdout.readline() for _ in range(acknowledged)]
        service.kill()
        answers += service.stdout.readlines()
    return [answer.strip() for answer in answers if answer.endswith("\n")]


def test_nothing_acknowledged_is_lost_in_twenty_power_cuts(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    chance = Random(20)
    answers: list[str] = []
    for run in range(KILLS):
        answers += killed_after(chance.randint(1, 60), path, run)

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
