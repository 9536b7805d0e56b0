"""How much an evening writes to the card: ``companion bench card``.

A whole game on the simulated table, with the real service, its senses and its journal, played as fast as
this computer can; then a while in which nobody does anything. What the kernel says of every process of the
service is added up (``/proc/PID/io``, write_bytes: what goes to the disk, not what is asked for).
"""

from __future__ import annotations

import json
import tempfile
import threading
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from companion.table.sqlite_journal import open_sqlite_journal
from hardware.simulated.evening.evening import Evening, Wishes

MOST_MB_PER_HOUR = 5.0
"""A card lasts for years with that; hardware design, section 5.4."""

MOST_IDLE_MB_PER_HOUR = 0.5
MB = 1_000_000
SAMPLE_S = 0.5


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, in megabytes: by the start, by a whole game, and by an hour of nothing."""

    seats: int
    entries: int
    start_mb: float
    game_mb: float
    idle_mb_per_hour: float

    @property
    def mb_per_hour(self) -> float:
        """What an hour of playing writes at most: a whole game in it, and all that time goes by."""
        return self.game_mb + self.idle_mb_per_hour

    @property
    def holds(self) -> bool:
        return self.mb_per_hour <= MOST_MB_PER_HOUR and self.idle_mb_per_hour <= MOST_IDLE_MB_PER_HOUR


class CardCounter:
    """Adds up what a process and all that it ever started wrote. Use it as a context."""

    def __init__(self, pid: int, proc: Path = Path("/proc")) -> None:
        self._pid = pid
        self._proc = proc
        self._by_pid: dict[int, int] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> CardCounter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def bytes(self) -> int:
        """Return what was written until now; what a process wrote in its last half second may be missing."""
        self._sample(self._pid)
        return sum(self._by_pid.values())

    def _run(self) -> None:
        while not self._over.wait(SAMPLE_S):
            self._sample(self._pid)

    def _sample(self, pid: int) -> None:
        try:
            told = (self._proc / str(pid) / "io").read_text()
            children = [path.read_text() for path in (self._proc / str(pid) / "task").glob("*/children")]
        except OSError:
            return  # it has just ended
        (written,) = (line for line in told.splitlines() if line.startswith("write_bytes:"))
        self._by_pid[pid] = int(written.partition(":")[2])
        for child in " ".join(children).split():
            self._sample(int(child))


@click.command()
@click.option("--seats", type=click.IntRange(2, 4), default=4, show_default=True, help="How many play.")
@click.option("--speed", type=float, default=20.0, show_default=True, help="How fast hands are.")
@click.option("--seed", type=int, default=2026, show_default=True, help="Another seed, another evening.")
@click.option(
    "--idle", "idle_s", type=float, default=60.0, show_default=True, help="Seconds of doing nothing."
)
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="A folder on the card.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(seats: int, *, speed: float, seed: int, idle_s: float, folder: Path | None, as_json: bool) -> None:
    """Measure how much an evening writes to the card."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        written = measured(Path(home), Wishes(seats=seats, speed=speed, seed=seed), idle_s)
    if as_json:
        click.echo(json.dumps(asdict(written)))
    else:
        click.echo(in_words(written))
    if not written.holds:
        raise click.ClickException(
            f"More than {MOST_MB_PER_HOUR:g} MB an hour, or {MOST_IDLE_MB_PER_HOUR:g} MB while nobody plays."
        )


def in_words(written: Written) -> str:
    """Return what was written, a line a thing."""
    return (
        f"start of the service          {written.start_mb:8.2f} MB\n"
        f"a game of {written.seats}, {written.entries:4} entries     {written.game_mb:8.2f} MB\n"
        f"while nobody does anything    {written.idle_mb_per_hour:8.2f} MB an hour\n"
        f"an hour with a whole game     {written.mb_per_hour:8.2f} MB"
    )


def measured(home: Path, wishes: Wishes, idle_s: float) -> Written:
    """Play a game and count. Raises ClickException where nothing that is written is counted."""
    with Evening(home, wishes, _remark) as evening, CardCounter(evening.service.process.pid) as counter:
        start = counter.bytes()
        outcome = evening.play()
        if not outcome.is_over:
            raise click.ClickException(f"The game did not reach its end: {'; '.join(outcome.troubles)}")
        played = counter.bytes()
        threading.Event().wait(idle_s)
        idle = counter.bytes()
        entries = _entries(home)
    if not played:
        raise click.ClickException("This folder is no disk: nothing is counted. Name another with --folder.")
    return Written(
        seats=wishes.seats,
        entries=entries,
        start_mb=start / MB,
        game_mb=(played - start) / MB,
        idle_mb_per_hour=(idle - played) / MB * 3600 / idle_s,
    )


def _remark(words: str) -> None:
    click.echo(words, err=True)


def _entries(home: Path) -> int:
    with closing(open_sqlite_journal(home / "journal.sqlite")) as journal:
        return sum(len(journal.read(row.id)) for row in journal.tables())
