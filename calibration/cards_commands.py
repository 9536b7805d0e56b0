"""The commands for what a box prints: ``companion box cards export`` and ``import``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from companion.catalogue import CatalogueRefused, changes, is_complete, rows_of
from companion.game import Game, Wire
from companion.plugins import load
from companion.sentences import Speaker
from companion.settings import load as load_settings
from companion.spreadsheet import MARK, MOST_BYTES, csv_in, csv_out
from companion.table.boxes import catalogue_of, correct, new_box, taught_boxes

STAND_IN = "stand-in"
"""The game's own invented deck, by name; nothing is imported into it."""

Answer = TypeVar("Answer")


def is_stand_in(box: str) -> bool:
    """Tell whether a name means the game's own deck; a box of that name goes first."""
    return box == STAND_IN and box not in taught_boxes()


def game_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--game", "game_name", default=None, help="The box's game; else that of the settings."
    )(command)


def game_named(name: str | None) -> Game[Any, Any, Any]:
    """Return a game by name, or that of the settings. Raises PartUnusable or CannotStart."""
    game: Game[Any, Any, Any] = load("companion.games", name or load_settings().table.game)
    return game


@click.group()
def cards() -> None:
    """Take a box's cards, carts and tiles out as CSV, and bring them back corrected."""


@cards.command("export")
@click.argument("box")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--table", "table", default=None, help="Which table of the catalogue; else the first.")
@game_option
def export_rows(box: str, file: Path | None, table: str | None, game_name: str | None) -> None:
    """Write a table of BOX as CSV to FILE, or print it. The box stand-in is the game's own invention."""
    game = game_named(game_name)
    names = [sheet.name for sheet in game.box.sheets]
    if not names:
        raise click.ClickException(f"{game.name} says nothing of what its boxes print.")
    if table is not None and table not in names:
        raise click.UsageError(f"There is no table {table!r}; there are {', '.join(names)}.")
    sheet = game.box.sheets[names.index(table or names[0])]
    text = told_plainly(lambda: csv_out(sheet, _catalogue(game, box)))
    if file is None:
        click.echo(text, nl=False)
        return
    try:
        file.write_bytes((MARK + text).encode())  # the mark: spreadsheets would guess otherwise
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror or error}.") from error
    back = f"import MY-BOX {file} --new" if is_stand_in(box) else f"import {box} {file}"
    count = len(rows_of(sheet, _catalogue(game, box)))
    click.echo(
        f"{file}: {count} rows of table {sheet.name}. Correct them, then `companion box cards {back}`.",
        err=True,
    )


@cards.command("import")
@click.argument("box")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Check only; change nothing.")
@click.option("--new", "is_new", is_flag=True, help="Make the box, for play without a camera.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@game_option
def import_rows(
    box: str, file: BinaryIO, *, dry_run: bool, is_new: bool, as_json: bool, game_name: str | None
) -> None:
    """Put the rows of a CSV FILE in the place of those of BOX: all of them, or none."""
    game = game_named(game_name)
    if is_stand_in(box):
        raise click.ClickException(
            "The stand-in deck is the game's own and stays as it is. Import into a box of yours, with --new."
        )
    told = {"box": box, **_imported(game, box, file.read(MOST_BYTES + 1), dry_run=dry_run, is_new=is_new)}
    told["dry_run"] = dry_run
    if as_json:
        click.echo(json.dumps(told))
        return
    done = "would change; nothing was written" if dry_run else "changed"
    click.echo(f"{box}, table {told['table']}: {told['rows']} rows, {told['changed']} {done}.")
    if told["open"]:
        click.echo(f"{told['open']} rows are not complete; the table will ask when one is met.", err=True)
    if not dry_run:
        click.echo("A table that is being played learns of it from the host page only.", err=True)


def _imported(
    game: Game[Any, Any, Any], box: str, file: bytes, *, dry_run: bool, is_new: bool
) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def change(before: Wire) -> Wire:
        ((table, after),) = csv_in(game.box.sheets, before, file, adds=is_new).items()
        sheet = next(sheet for sheet in game.box.sheets if sheet.name == table)
        check_fits(game, after)
        rows = rows_of(sheet, after)
        found.update(table=table, rows=len(rows), changed=len(changes(sheet, before, after)))
        found.update(open=sum(1 for row in rows.values() if not is_complete(sheet, row)))
        return after

    def act() -> None:
        if is_new:
            after = change(game.stand_in)
            if not dry_run:
                new_box(box, after)
        elif dry_run:
            change(catalogue_of(box))
        else:
            correct(box, change)

    told_plainly(act)
    return found


def check_fits(game: Game[Any, Any, Any], catalogue: Wire) -> None:
    """Refuse a catalogue that the game cannot play with. Raises click's exception with the reason."""
    try:
        game.initial(catalogue)
    except (ValueError, LookupError, TypeError) as wrong:
        raise click.ClickException(str(wrong)) from wrong


def told_plainly(act: Callable[[], Answer]) -> Answer:
    """Do something with rows; what is wrong with them is said line by line, and ends the command."""
    try:
        return act()
    except CatalogueRefused as refused:
        speaker = Speaker(("companion",))
        lines = [speaker.say(fault) for fault in refused.faults]
        end = "Nothing was changed."
        raise click.ClickException("\n".join([*lines, end])) from refused


def _catalogue(game: Game[Any, Any, Any], box: str) -> Wire:
    return game.stand_in if is_stand_in(box) else catalogue_of(box)
