"""A box whose cards lie on a mat before each seat: its flat pictures to teach the eyes from.

The form is that of ``scans``: small cards are taught as tiles, a monster card turned sideways as a card
of its own, as it shows on its place. Photos of thrown dice, a colour each, lie in a folder beside them.
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
from hardware.simulated.mat_scene import DICE, MatScene
from hardware.simulated.mats import MONSTER, PX_PER_MM, TURNED, reminders, small_cards
from hardware.simulated.scans import ScansNotWritten

THROWS = "throws"
"""Where photos of thrown dice lie: ``terror_1.jpg`` shows dice of one kind only."""

_THROWN = ({"part2": 3, "monster1": 5, "upgrade4": 2}, {"part5": 6, "monster3": 4, "upgrade1": 1})


def write_mat_scans(game: str, folder: Path) -> int:
    """Write all scans of a box, and throws of its dice, and return how many scans there are.

    Raises ScansNotWritten.
    """
    plays: Game[Any, Any, Any] = load("companion.games", game)
    index = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, pixels, row in _scans(plays):
            cv2.imwrite(str(folder / file), pixels)
            index.append({"file": file, "px_per_mm": PX_PER_MM, "is_placed": True, **row})
        for name, what in (("index.json", index), ("layout.json", _layout(plays))):
            (folder / name).write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
        _write_throws(plays, folder / THROWS)
        for sheet in plays.box.sheets:
            (folder / f"{sheet.name}.csv").write_text(
                csv_out(sheet, plays.stand_in), encoding="utf-8", newline=""
            )
    except OSError as reason:
        raise ScansNotWritten(folder, reason) from reason
    return len(index)


def _write_throws(plays: Game[Any, Any, Any], folder: Path) -> None:
    """Write two photos of each kind of dice, each of three dice on an empty mat."""
    folder.mkdir(exist_ok=True)
    for photo, thrown in enumerate(_THROWN, 1):
        scene = MatScene(plays, plays.seats[photo], seed=photo)
        for kind in DICE:
            pixels = scene.show({}, {space: [(kind, value)] for space, value in thrown.items()})
            cv2.imwrite(str(folder / f"{kind}_{photo}.jpg"), pixels)


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
