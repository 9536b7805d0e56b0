"""The commands that teach: ``companion box teach`` and ``companion box list``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from calibration.teach import NotTaught, teach_box
from companion.settings import home
from vision.box import BOX_FILE, CATALOGUE_FILE

BOXES = "boxes"


@click.group()
def box() -> None:
    """Teach a box of a game to the eyes, and see which are taught."""


@box.command()
@click.argument("scans", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What the box is called from now on.")
def teach(scans: Path, name: str) -> None:
    """Teach a box from a folder of flat SCANS (index.json and layout.json)."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise click.UsageError(f"{name!r} is no name for a box; use letters, digits, - and _.")
    if not scans.is_dir():
        raise click.ClickException(f"There is no folder {scans}.")
    try:
        folder = teach_box(scans, name, home() / BOXES, tell=lambda remark: click.echo(remark, err=True))
    except NotTaught as fault:
        raise click.ClickException(str(fault)) from fault
    click.echo(f"Box {name} is taught into {folder}. Try `companion read PHOTO --box {name}`.")


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
