"""The command that plays a recording again: ``companion replay``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from companion.plugins import load as load_part
from companion.settings import load
from companion.table.boxes import box_folder
from companion.table.recording import NoRecording, read_about
from companion.table.replay import replay


@click.command("replay")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--box", help="The taught box to read the pictures with; else the recorded one.")
@click.option("--no-pictures", is_flag=True, help="Play the table's entries alone.")
@click.option("--settings", "path", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay_command(
    folder: Path, box: str | None, no_pictures: bool, path: Path | None, as_json: bool
) -> None:
    """Play the recording in FOLDER again and show where today's code says something else.

    Exits 1 when anything differs. Pictures are read with a box of the same name, taught here.
    """
    try:
        about = read_about(folder)
        game = load_part("companion.games", about.game)
        eyes = None
        called = box or about.box
        if called and not no_pictures:
            opened = load_part("companion.recognisers", load(path).senses.recogniser)
            eyes = opened(str(box_folder(called)))
        done = replay(folder, game, eyes)
    except (NoRecording, ValueError) as fault:
        raise click.ClickException(str(fault)) from fault
    if as_json:
        click.echo(json.dumps(asdict(done)))
    else:
        for one in done.differences:
            click.echo(f"{one.where}: was {one.was}, is {one.now}")
        click.echo(
            f"{done.entries} entries, {done.pictures} pictures, {done.readings} readings: "
            f"{len(done.differences)} differences."
        )
    if done.differences:
        raise SystemExit(1)
