"""Flat scans of every piece and board of a box, in the form in which a box is taught.

The folder has the form of ``scenes/A/reference``: ``index.json`` (file, piece, pixels per
millimetre), ``layout.json`` (spaces of each board in millimetres, part spaces of each card).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.board import BoardLayout, Space, SpaceKind
from companion.ports import Pixels
from hardware.simulated.art import boards, cards, tiles, tokens
from hardware.simulated.art.sheet import ring
from hardware.simulated.contents import (
    CARD_MM,
    LESTER_MM,
    ORDER_MM,
    ORDERS,
    TILE_MM,
    TOKEN_MM,
    TOKENS,
    Contents,
)

_FAST_PNG = (cv2.IMWRITE_PNG_COMPRESSION, 1)
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 93)

_KINDS = {
    SpaceKind.CARD: "card",
    SpaceKind.TOKEN: "token",
    SpaceKind.TILE: "upgrade",
    SpaceKind.PILE: "pile",
    SpaceKind.STACK: "upgrade_stack",
    SpaceKind.TRACK: "score",
}


@dataclass(frozen=True, slots=True)
class Scan:
    """One scanned thing: where it is filed, its pixels and what the index says of it."""

    file: str
    pixels: Pixels
    row: dict[str, Any]


class ScansNotWritten(OSError):
    """The folder of the scans cannot be written."""

    def __init__(self, folder: Path, reason: OSError) -> None:
        super().__init__(
            f"The scans cannot be written to {folder}: {reason.strerror}. Choose another folder."
        )


def write_scans(contents: Contents, folder: Path) -> int:
    """Write all scans of a box and return how many there are. Raises ScansNotWritten."""
    index = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for scan in scans_of(contents):
            path = folder / scan.file
            path.parent.mkdir(exist_ok=True)
            _, packed = cv2.imencode(path.suffix, scan.pixels, _JPEG if path.suffix == ".jpg" else _FAST_PNG)
            path.write_bytes(packed.tobytes())
            index.append({"file": scan.file, **scan.row})
        (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
        layout = json.dumps(layout_of(contents), indent=1)
        (folder / "layout.json").write_text(layout + "\n", encoding="utf-8")
    except OSError as reason:
        raise ScansNotWritten(folder, reason) from reason
    return len(index)


def scans_of(contents: Contents) -> Iterator[Scan]:
    """Draw every piece and board of a box, one after the other."""
    for kind in TOKENS:
        row = _row("token", 8, (24.0, 24.0), token_kind=kind)
        yield Scan(f"tokens/{kind}.png", tokens.token(kind, 8), row)
    for card in contents.cards.values():
        yield Scan(
            f"cards/{card.id}.png", cards.card_front(card, 4.5), _row("card", 4.5, CARD_MM, card_id=card.id)
        )
    yield Scan("cards/back.png", cards.card_back(4.5), _row("card_back", 4.5, CARD_MM))
    order_mm = (ORDER_MM + 2, ORDER_MM + 2)
    for colour in ORDERS:
        second = contents.secondary[colour]
        row = _row("order", 7, order_mm, order_colour=colour, order_secondary=second)
        yield Scan(f"orders/{colour}.png", tokens.order_front(colour, second, 7), row)
    for seat in contents.players:
        row = _row("order_back", 7, order_mm, player=seat)
        yield Scan(f"orders/back_{seat}.png", tokens.order_back(seat, 7), row)
    tile_mm = (TILE_MM, TILE_MM)
    for name in contents.upgrades:
        yield Scan(
            f"upgrades/{name}.png", tiles.tile_front(name, 6), _row("upgrade", 6, tile_mm, upgrade_id=name)
        )
    yield Scan("upgrades/back.png", tiles.tile_back(6), _row("upgrade_back", 6, tile_mm))
    for seat in contents.players:
        for name in contents.lesters:
            row = _row("lester", 4.5, LESTER_MM, lester_id=name, player=seat)
            yield Scan(f"lester/{name}_{seat}.png", tiles.lester_front(name, seat, 4.5), row)
        yield Scan(
            f"lester/back_{seat}.png",
            tiles.lester_back(seat, 4.5),
            _row("lester_back", 4.5, LESTER_MM, player=seat),
        )
    for layout in contents.boards.values():
        name = layout.id.split("_")[0]
        row = _row("board", 4, layout.size_mm, board=name)
        if name == "lab":
            row["player"] = layout.id.removeprefix("lab_")
        yield Scan(f"boards/{layout.id}.jpg", boards.board(layout, contents, 4), row)


def _row(kind: str, px_per_mm: float, size_mm: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"px_per_mm": px_per_mm, "kind": kind, **more, "image_mm": list(size_mm)}


def layout_of(contents: Contents) -> dict[str, Any]:
    """Return what ``layout.json`` says: sizes, boards with their spaces, cards, tiles, tags."""
    catalogue = contents.catalogue
    labs = [b for b in contents.boards.values() if b.id.startswith("lab_")]
    named = {"lab": labs[0]} | {b.id: b for b in contents.boards.values() if b not in labs}
    circle = [list(p) for p in ring((0.0, 0.0), (TOKEN_MM / 2, TOKEN_MM / 2), 0.0, 40)]
    order = [list(p) for p in ring((0.0, 0.0), (ORDER_MM / 2, ORDER_MM / 2), 0.0, 44)]
    return {
        "set": str(catalogue.get("name", "stand-in")),
        "units": "mm",
        "frame": "origin top-left of the printed art, x right, y down",
        "piece_sizes": {
            "token": TOKEN_MM,
            "card": list(CARD_MM),
            "order": ORDER_MM,
            "upgrade": [TILE_MM, TILE_MM],
            "lester": list(LESTER_MM),
        },
        "token_outlines": {kind: circle for kind in TOKENS},
        "order_outline": order,
        "order_secondary": dict(contents.secondary),
        "players": list(contents.players),
        "cards": dict(catalogue["cards"]),
        "carts": catalogue.get("carts", {}),
        "upgrades": list(contents.upgrades),
        "lesters": list(contents.lesters),
        "fiducials": {"family": "tag36h11", "black_square_mm": 16.0, "sticker_mm": 20.0},
        "boards": {name: _board(board, contents) for name, board in named.items()},
    }


def _board(board: BoardLayout, contents: Contents) -> dict[str, Any]:
    said: dict[str, Any] = {
        "size": list(board.size_mm),
        "slots": [_slot(s, contents) for s in board.spaces.values()],
    }
    if board.is_round:
        said["shape"] = "disc"
    if board.id == "score":
        said["rot_track_spots"] = sum(1 for s in board.spaces if s.startswith("rot_"))
    said["tag_centers"] = [list(tag.centre_mm) for tag in board.tags]
    return said


def _slot(space: Space, contents: Contents) -> dict[str, Any]:
    said: dict[str, Any] = {"id": space.id, "kind": _KINDS[space.kind], "center": list(space.centre_mm)}
    said["polygon"] = [list(point) for point in space.outline_mm]
    across = max(abs(p[0] - space.centre_mm[0]) for p in space.outline_mm)
    if space.kind in (SpaceKind.TOKEN, SpaceKind.PILE):
        said["radius"] = across
    elif space.kind is SpaceKind.CARD:
        said["size"] = list(CARD_MM)
        if space.id in contents.printed:
            said["printed_monster"] = contents.printed[space.id].id
    elif space.kind is SpaceKind.TRACK:
        high = max(abs(p[1] - space.centre_mm[1]) for p in space.outline_mm)
        said["size"] = [2 * across, 2 * high]
        said["value"] = int("".join(c for c in space.id if c.isdigit()))
    else:
        said["size"] = [TILE_MM, TILE_MM]
    if space.id.startswith("cart"):
        said["up_deg"] = space.up_deg
        said["cart_parts"] = list(contents.carts[int(space.id[4]) - 1])
    if space.kind is SpaceKind.PILE:
        said["token_kind"] = space.id.removeprefix("grave_")
    return said
