"""Commands of the simulated table."""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click
import cv2

from companion.board import Lie
from hardware.simulated.contents import contents_of
from hardware.simulated.ground import LIGHTS
from hardware.simulated.loose_contents import loose_contents_of
from hardware.simulated.loose_scans import write_loose_scans
from hardware.simulated.mat_scans import write_mat_scans
from hardware.simulated.scans import ScansNotWritten, write_scans
from hardware.simulated.server import ServedTable, TableServer
from hardware.simulated.table import Setting
from hardware.simulated.tables import lie_of, table_of

log = logging.getLogger(__name__)


@click.command("simulated-table")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; 0 takes a free one."
)
@click.option("--seats", type=click.IntRange(2, 6), default=4, show_default=True, help="How many are seated.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same tokens.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 100.0),
    default=1.0,
    show_default=True,
    help="Shortens pauses of hands and the time between frames, never the number of still frames.",
)
@click.option("--light", type=click.Choice(sorted(LIGHTS)), default="day", show_default=True)
@click.option("--game", default="making_monsters", show_default=True, help="Whose box lies on the table.")
@click.option(
    "--scans", type=click.Path(path_type=Path), help="Write flat scans of the box to a folder and end."
)
@click.option("--side-views", is_flag=True, help="Let a second camera look at each lab, from the side.")
@click.option("--ready-file", type=click.Path(path_type=Path), help="Keep the address here while it is open.")
def simulated_table(
    *,
    port: int,
    seats: int,
    seed: int,
    speed: float,
    light: str,
    game: str,
    scans: Path | None,
    side_views: bool,
    ready_file: Path | None,
) -> None:
    """Run a table in software: cameras, hands, a die and a turning disc.

    Prints its address and its cameras as one line of JSON; ends with its standard input.
    """
    cv2.setNumThreads(1)  # many cameras in many threads; OpenCV's own would only get in the way
    try:
        if scans is not None:
            count = _write_scans(game, scans)
            click.echo(f"{count} scans in {scans}. Teach them: companion box teach {scans} --name stand-in")
            return
    except ScansNotWritten as no:
        raise click.ClickException(str(no)) from no
    with _signals_heeded() as over:  # before anybody can read that we are here
        table = table_of(game, seats, Setting((), seed, speed, light, side_views=side_views))
        _serve(table, port, ready_file, over)
        _leave()


def _leave() -> NoReturn:
    """End the process at once, with everything put down.

    A hand may still be painting for a visitor who is gone: a thread in OpenCV from beneath which Python
    goes ends the program by an abort, "terminate called without an active exception".
    """
    sys.stdout.flush()
    logging.shutdown()
    os._exit(0)


def _write_scans(game: str, folder: Path) -> int:
    match lie_of(game):
        case Lie.MATS:
            return write_mat_scans(game, folder)
        case Lie.LOOSE:
            return write_loose_scans(loose_contents_of(game), folder)
        case Lie.BOARDS:
            return write_scans(contents_of(game), folder)


def _serve(table: ServedTable, port: int, ready_file: Path | None, over: threading.Event) -> None:
    try:
        server = TableServer(table, port)
    except OSError as no:
        table.close()
        raise click.ClickException(
            f"Port {port} cannot be opened: {no.strerror}. Choose another with --port."
        ) from no
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    line = json.dumps(server.described())
    if ready_file is not None:
        ready_file.write_text(line + "\n", encoding="utf-8")
    click.echo(line)
    _wait_for_the_end(over)
    if ready_file is not None:
        ready_file.unlink(missing_ok=True)
    server.shutdown()
    server.server_close()
    table.close()


@contextmanager
def _signals_heeded() -> Iterator[threading.Event]:
    """Give an event that SIGTERM and SIGINT set for as long as this lasts."""
    over = threading.Event()
    before = {name: signal.signal(name, lambda *_: over.set()) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield over
    finally:
        for name, heeded in before.items():
            signal.signal(name, heeded)


def _wait_for_the_end(over: threading.Event) -> None:
    """Wait for a signal or the end of the standard input."""
    told = sys.stdin.fileno()
    while not over.is_set():
        # Unbuffered: a thread in a buffered read would hold a lock that the interpreter needs at its end.
        if select.select([told], [], [], 0.2)[0] and not os.read(told, 4096):
            return
