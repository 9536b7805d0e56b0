"""The commands that teach: ``companion box teach`` and ``list``; ``cards`` has a module of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, BinaryIO

import click

from calibration.archive_commands import export_command, import_command
from calibration.cards_commands import cards, game_named, game_option, told_plainly
from calibration.teach import NotTaught, teach_box
from companion.catalogue import is_complete, rows_of
from companion.game import Game, Wire
from companion.settings import home
from companion.spreadsheet import csv_in
from companion.table.boxes import catalogue_of
from vision.box import BOX_FILE, CATALOGUE_FILE

BOXES = "boxes"


@click.group()
def box() -> None:
    """Teach a box of a game to the eyes, and see which are taught."""


box.add_command(cards)
box.add_command(export_command)
box.add_command(import_command)


@box.command()
@click.argument("scans", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What the box is called from now on.")
@click.option(
    "--cards",
    "tables",
    type=click.File("rb"),
    multiple=True,
    help="A CSV of what the box prints; as often as there are tables. Those beside the scans are taken, too.",
)
@game_option
def teach(scans: Path, name: str, tables: tuple[BinaryIO, ...], game_name: str | None) -> None:
    """Teach a box from a folder of flat SCANS (index.json, layout.json, and its cards as CSV)."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise click.UsageError(f"{name!r} is no name for a box; use letters, digits, - and _.")
    if not scans.is_dir():
        raise click.ClickException(f"There is no folder {scans}.")
    game = game_named(game_name)
    files = [*(path.read_bytes() for path in sorted(scans.glob("*.csv"))), *(file.read() for file in tables)]

    def completed(catalogue: Wire) -> Wire:
        for file in files:
            (catalogue,) = csv_in(game.box.sheets, catalogue, file).values()
        return catalogue

    def tell(remark: str) -> None:
        click.echo(remark, err=True)

    try:
        folder = told_plainly(lambda: teach_box(scans, name, home() / BOXES, tell=tell, complete=completed))
    except NotTaught as fault:
        raise click.ClickException(str(fault)) from fault
    _tell_what_is_open(game, name, catalogue_of(name))
    click.echo(f"Box {name} is taught into {folder}. Try `companion read PHOTO --box {name}`.")


def _tell_what_is_open(game: Game[Any, Any, Any], name: str, catalogue: Wire) -> None:
    """Say which tables of a box lack something, and how to bring it; a deck of no game has none."""
    if not catalogue:
        return
    for sheet in game.box.sheets:
        count = sum(1 for row in rows_of(sheet, catalogue).values() if not is_complete(sheet, row))
        if count:
            click.echo(
                f"{count} rows of table {sheet.name} are not complete: fill them in on the host page, or "
                f"with `companion box cards export {name} FILE --table {sheet.name}`.",
                err=True,
            )


@box.command("list")
@click.option("--json", "as_values", is_flag=True, help="One JSON object.")
def list_boxes(as_values: bool) -> None:
    """List the taught boxes."""
    folder = home() / BOXES
    found = sorted(p for p in folder.iterdir() if (p / BOX_FILE).is_file()) if folder.is_dir() else []
    rows = [(p, _catalogue(p)) for p in found if not p.name.startswith(".")]
    if as_values:
        click.echo(
            json.dumps({p.name: {"folder": str(p), "cards": len(c.get("cards", {}))} for p, c in rows})
        )
        return
    if not rows:
        click.echo("No box is taught yet. Teach one with `companion box teach SCANS --name NAME`.", err=True)
    for path, catalogue in rows:
        cards, players = len(catalogue.get("cards", {})), len(catalogue.get("players", []))
        click.echo(f"{path.name}  {cards} cards, {players} players  {path}")


def _catalogue(folder: Path) -> dict[str, Any]:
    try:
        told = json.loads((folder / CATALOGUE_FILE).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return {}
    return told if isinstance(told, dict) else {}
