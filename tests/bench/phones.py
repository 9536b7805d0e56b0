"""Phones beside boardgame.io in the same run: ``python -m tests.bench.phones``, or ``make bench-phones``.

A tap until the last of 8 and of 50 clients has it, four of them seats with a view of their own, the others
watchers; the same driver, the same pace for all, one after the other in several rounds, of which the median
counts. ``SHARED`` is the folder with ``bench/web``, whose server of boardgame.io is the peer.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tests.bench.eyes_at_work import eyes_at_work
from tests.bench.table import Line, Section, as_markdown, at_most

DRIVER = Path(__file__).with_name("phones_driver.js")
MODULES = Path(__file__).parents[2] / ".venv/peers/node/node_modules"
PACE_MS = 27
"""Four phones in turn, each at most ten times a second, as the service allows."""

WARM = 20
"""Taps that the driver does not count."""

START_S = 30.0
BARS = {8: 1.5, 50: 2.5}
CAMERA_BAR = 1.25
Times = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Case:
    """What is measured: ``wants`` is what the companion's clients ask for, ``journal`` where it writes."""

    name: str
    kind: str = "companion"
    wants: str = "values"
    journal: str = "memory"


PEER = Case("boardgame.io", kind="boardgame")
FLOOR = Case("Flask-SocketIO alone, no table", kind="floor")
VALUES, PAGES = Case("views as values, memory"), Case("pages, memory", wants="pages")
SQLITE = Case("views as values, SQLite", journal="sqlite")
CASES = (PEER, FLOOR, VALUES, PAGES, SQLITE)


@contextmanager
def served(case: Case, shared: Path) -> Iterator[dict[str, Any]]:
    """Start a server; give its ``url`` and, of the companion, the ``tokens`` of its seats."""
    with tempfile.TemporaryDirectory(prefix="bench-") as home:
        environment = {**os.environ, "COMPANION_HOME": home, "NODE_PATH": str(MODULES)}
        if case.kind == "boardgame":
            with socket.create_server(("127.0.0.1", 0)) as found:
                port = found.getsockname()[1]
            command = ["node", str(shared / "bench/web/srv_bgio.js")]
            environment |= {"PORT": str(port), "VIEW": "1"}
        elif case.kind == "floor":
            command = [sys.executable, "-m", "tests.bench.phones_floor"]
        else:
            where = "memory" if case.journal == "memory" else f"{home}/journal.sqlite"
            command = [sys.executable, "-m", "tests.bench.phones_server", where]
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            if case.kind == "boardgame":
                wait_for(port)
                yield {"url": f"http://127.0.0.1:{port}", "tokens": [], "pid": server.pid}
            else:
                assert server.stdout is not None
                yield {**json.loads(server.stdout.readline()), "pid": server.pid}
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def wait_for(port: int) -> None:
    """Wait until somebody listens, and a moment more: its first match is made slowly."""
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            time.sleep(2)
            return
    raise TimeoutError(f"Nobody listens on port {port}.")


def drive(case: Case, told: Mapping[str, Any], clients: int, taps: int) -> Times:
    """Let the driver measure a server; return its times in ms."""
    environment = {
        **os.environ,
        "NODE_PATH": str(MODULES),
        "KIND": "boardgame" if case is PEER else "companion",
        "URL": told["url"],
        "TOKENS": json.dumps(told["tokens"]),
        "WANTS": case.wants,
        "CLIENTS": str(clients),
        "TAPS": str(taps),
        "PACE_MS": str(PACE_MS),
    }
    before_ms = worked_ms(told["pid"])
    done = subprocess.run(["node", str(DRIVER)], env=environment, capture_output=True, text=True, check=True)
    cpu_ms = (worked_ms(told["pid"]) - before_ms) / (taps + WARM)
    return {**json.loads(done.stdout), "cpu_ms": cpu_ms}


def worked_ms(pid: int) -> float:
    """Return how long a process and its children have had a core so far, threads that ended included."""
    own = Path(f"/proc/{pid}")
    user, system = (own / "stat").read_text().rpartition(")")[2].split()[11:13]
    children = (own / f"task/{pid}/children").read_text().split()
    ticks = int(user) + int(system)
    return 1000 * ticks / os.sysconf("SC_CLK_TCK") + sum(worked_ms(int(child)) for child in children)


def beside(shared: Path, clients: int, rounds: int, taps: int) -> Section:
    """Measure all cases in turn, round after round."""
    found: dict[str, list[Times]] = defaultdict(list)
    for _ in range(rounds):
        for case in CASES:
            with served(case, shared) as told:
                found[case.name].append(drive(case, told, clients, taps))
    middle = {
        name: {key: statistics.median(one[key] for one in times) for key in times[0]}
        for name, times in found.items()
    }
    peer = middle[PEER.name]
    lines = []
    for case in CASES:
        own = middle[case.name]
        told_ms = (
            f"p50 {own['p50_ms']:.2f} ms, p99 {own['p99_ms']:.1f} ms, "
            f"{own['cpu_ms']:.1f} ms of a core a tap, {own['bytes']:.0f} bytes at most"
        )
        lines.append(Line(case.name, told_ms))
        if case is not PEER:
            # The bar is one for what is like for like: a view of each seat, and nothing on a disk.
            what, ratio = f"{case.name}: p50 against boardgame.io", own["p50_ms"] / peer["p50_ms"]
            judged = at_most(what, ratio, BARS[clients], " x")
            lines.append(judged if case is VALUES else Line(what, judged.found))
    title = f"A tap until the last of {clients} clients has it"
    return Section(title, "python -m tests.bench.phones", tuple(lines))


def with_eyes(shared: Path, rounds: int, taps: int) -> Section:
    """Measure 8 clients with nothing to see and with eyes that read one picture after the other."""
    calm: list[Times] = []
    busy: list[Times] = []
    for _ in range(rounds):
        with served(VALUES, shared) as told:
            calm.append(drive(VALUES, told, 8, taps))
        with eyes_at_work(shared), served(VALUES, shared) as told:
            busy.append(drive(VALUES, told, 8, taps))
    before, after = [statistics.median(one["p99_ms"] for one in times) for times in (calm, busy)]
    lines = (
        Line("p99 without / with eyes at full work", f"{before:.1f} / {after:.1f} ms"),
        at_most("p99 with eyes against without", after / before, CAMERA_BAR, " x"),
    )
    return Section("Eyes at full work beside 8 clients", "python -m tests.bench.phones --eyes", lines)


@click.command()
@click.argument("shared", type=click.Path(exists=True, file_okay=False, path_type=Path), default="../shared")
@click.option("--rounds", default=3, help="How often everything is measured; the median counts.")
@click.option("--taps", default=300, help="Taps a round.")
@click.option("--eyes", is_flag=True, help="Measure beside eyes at full work, too.")
def main(shared: Path, rounds: int, taps: int, eyes: bool) -> None:
    """Measure phones beside boardgame.io and print the tables in Markdown."""
    for clients in BARS:
        click.echo(as_markdown(beside(shared, clients, rounds, taps)))
    if eyes:
        click.echo(as_markdown(with_eyes(shared, rounds, taps)))


if __name__ == "__main__":
    main()
