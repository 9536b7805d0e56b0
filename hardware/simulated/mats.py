"""A box whose cards lie on a mat before each seat: its flat pictures to teach the eyes from.

The form is that of ``scans``: small cards are taught as tiles, a monster card turned sideways as a card
of its own, as it shows on its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from companion.game import Game
from companion.plugins import load
from companion.ports import Pixels
from companion.spreadsheet import csv_out
from hardware.simulated.art import graveyard as art
from hardware.simulated.art.sheet import ring
from hardware.simulated.art.sprites import STICKER_MM, TAG_MM
from hardware.simulated.scans import ScansNotWritten

PX_PER_MM = 4.0
MONSTER, TURNED = "monster", "monster_turned"


def lies_on_mats(game: str) -> bool:
    """Tell whether a game's cards lie on mats: it has special parts. Raises PartUnusable."""
    return "specials" in load("companion.games", game).stand_in


def write_mat_scans(game: str, folder: Path) -> int:
    """Write all scans of a box and return how many there are. Raises ScansNotWritten."""
    plays: Game[Any, Any, Any] = load("companion.games", game)
    index = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, pixels, row in _scans(plays):
            cv2.imwrite(str(folder / file), pixels)
            index.append({"file": file, "px_per_mm": PX_PER_MM, "is_placed": True, **row})
        for name, what in (("index.json", index), ("layout.json", _layout(plays))):
            (folder / name).write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
        for sheet in plays.box.sheets:
            (folder / f"{sheet.name}.csv").write_text(
                csv_out(sheet, plays.stand_in), encoding="utf-8", newline=""
            )
    except OSError as reason:
        raise ScansNotWritten(folder, reason) from reason
    return len(index)


def small_cards(plays: Game[Any, Any, Any]) -> Iterator[tuple[str, Pixels]]:
    """Draw every part and every research card, each with its kind."""
    for form in plays.stand_in["forms"]:
        for shape in ("head", "torso", "arm", "leg"):
            yield f"{form}_{shape}", art.part_card(form, shape, PX_PER_MM)
    for special, row in plays.stand_in["specials"].items():
        yield special, art.special_card(row, PX_PER_MM)
    for card, row in plays.stand_in["research"].items():
        yield card, art.research_card(row, PX_PER_MM)


def reminders(plays: Game[Any, Any, Any]) -> dict[str, str]:
    """Return the reminder tokens of the box, each with the name of its part."""
    specials = plays.stand_in["specials"]
    return {f"token_{kind}": str(row["name"]) for kind, row in specials.items() if row.get("effect")}


def _scans(plays: Game[Any, Any, Any]) -> Iterator[tuple[str, Pixels, dict[str, Any]]]:
    for kind, pixels in small_cards(plays):
        row = {"kind": "upgrade", "upgrade_id": kind, "image_mm": list(art.SMALL_CARD_MM)}
        yield f"{kind}.png", pixels, row
    for special, name in reminders(plays).items():
        side = art.TOKEN_MM + 2
        row = {"kind": "token", "token_kind": special, "image_mm": [side, side]}
        yield f"{special}.png", art.reminder(name, PX_PER_MM), row
    first = plays.box.boards[0]
    cards = {
        MONSTER: art.monster_card(PX_PER_MM),
        TURNED: art.turned_card(first, str(plays.seats[0]), PX_PER_MM),
    }
    for kind, pixels in cards.items():
        yield f"{kind}.png", pixels, {"kind": "card", "card_id": kind, "image_mm": list(art.CARD_MM)}
    for board in plays.box.boards:
        seat = str(plays.box.owners[board.id])
        row = {"kind": "board", "board": "mat", "player": seat, "image_mm": list(board.size_mm)}
        yield f"{board.id}.png", art.mat(board, seat, PX_PER_MM), row


def _layout(plays: Game[Any, Any, Any]) -> dict[str, Any]:
    board = plays.box.boards[0]
    circle = [list(point) for point in ring((0.0, 0.0), (art.TOKEN_MM / 2, art.TOKEN_MM / 2), 0.0, 40)]
    slots = [
        {
            "id": space.id,
            "kind": "card" if space.id.startswith(MONSTER) else "upgrade",
            "center": list(space.centre_mm),
            "polygon": [list(point) for point in space.outline_mm],
        }
        for space in board.spaces.values()
    ]
    return {
        "set": "stand-in",
        "piece_sizes": {
            "token": art.TOKEN_MM,
            "card": art.CARD_MM,
            "order": 30.0,
            "upgrade": art.SMALL_CARD_MM,
        },
        "token_outlines": dict.fromkeys(reminders(plays), circle),
        "players": [str(seat) for seat in plays.seats],
        "cards": {kind: {"name": kind, "part_slots": []} for kind in (MONSTER, TURNED)},
        "upgrades": [kind for kind, _ in small_cards(plays)],
        "fiducials": {"black_square_mm": TAG_MM, "sticker_mm": STICKER_MM},
        "boards": {
            "mat": {
                "size": list(board.size_mm),
                "slots": slots,
                "tag_centers": [list(tag.centre_mm) for tag in board.tags],
            }
        },
    }
