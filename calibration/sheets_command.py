"""The command that prints: ``companion sheets``."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.laying_sheets import CARDS, RING, card_sheet, laying_pages, ring_sheet
from calibration.sheets import PAPERS_MM, lens_page, save_pdf, stickers_of, tag_pages
from calibration.shipped_layout import Sizes
from companion.game import Game
from companion.plugins import PartUnusable, find, load
from companion.settings import home
from vision.box import BoxNotTaught, load_box

BOXES = "boxes"
TAG_MM = 16.0
SMALLEST_TAG_MM, LARGEST_TAG_MM = 8.0, 80.0


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--game", default="making_monsters", show_default=True, help="Markers of this game's boards.")
@click.option("--box", "box_name", help="Markers of a taught box instead, in their taught size.")
@click.option("--lens", is_flag=True, help="The sheet that a lens is measured with instead.")
@click.option("--teach", "laying", type=click.Choice([RING, CARDS]), help="A sheet to lay pieces on instead.")
@click.option("--paper", type=click.Choice(sorted(PAPERS_MM)), default="a4", show_default=True)
@click.option(
    "--tag-mm",
    type=click.FloatRange(SMALLEST_TAG_MM, LARGEST_TAG_MM),
    help=f"Side of the black square; {TAG_MM:g} unless a box says otherwise.",
)
def sheets(  # noqa: PLR0917 (click hands options over by name)
    file: Path,
    game: str,
    box_name: str | None,
    lens: bool,
    laying: str | None,
    paper: str,
    tag_mm: float | None,
) -> None:
    """Write sheets to print into FILE, a PDF: corner markers for all boards, or a lens sheet."""
    try:
        if lens:
            pages = [lens_page(paper)]
        elif laying is not None:
            sheet = ring_sheet(paper) if laying == RING else card_sheet(_card_mm(box_name), paper)
            pages = list(laying_pages(sheet))
        elif box_name is not None:
            box = load_box(home() / BOXES / box_name)
            stickers = stickers_of(tuple(box.layouts.values()))
            pages = list(tag_pages(stickers, tag_mm or box.tag_mm, paper))
        else:
            boards = _game(game).box.boards
            pages = list(tag_pages(stickers_of(tuple(boards)), tag_mm or TAG_MM, paper))
        save_pdf(pages, file)
    except OSError as fault:
        raise click.ClickException(f"{file} cannot be written: {fault.strerror or fault}.") from fault
    except (BoxNotTaught, PartUnusable, ValueError) as fault:
        raise click.ClickException(str(fault)) from fault
    count = f"{len(pages)} page{'s' if len(pages) > 1 else ''}"
    click.echo(f"{file}: {count} of {paper} paper. Print in real size and measure the ruler.")


def _card_mm(box_name: str | None) -> tuple[float, float]:
    """Return how large the cards of a box are; of no box, as most are."""
    return Sizes().card if box_name is None else load_box(home() / BOXES / box_name).card_mm


def _game(name: str) -> Game:  # type: ignore[type-arg]
    games = find("companion.games")
    if name not in games:
        raise click.UsageError(f"There is no game {name!r}; there is {', '.join(sorted(games))}.")
    game: Game = load("companion.games", name)  # type: ignore[type-arg]
    return game
