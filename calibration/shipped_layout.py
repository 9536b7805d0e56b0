"""The layout to begin teaching with: what a game ships, or nothing but names and sizes.

A game's own boards say which spaces there are and what they hold; where they lie on the owner's box is
drawn over its picture later. A game of loose cards has none to be taught: its layout names the cards, and the
zones that they lie in. What is taught so far makes a layout that can be learnt already.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.laying_sheets import ring_outline
from calibration.lessons import board_owners, pieces_of
from companion.board import BoardLayout, Lie, Space, SpaceKind
from companion.game import Game

SLOT_KINDS = {
    SpaceKind.TOKEN: "token",
    SpaceKind.CARD: "card",
    SpaceKind.TILE: "upgrade",
    SpaceKind.STACK: "upgrade_stack",
    SpaceKind.PILE: "pile",
    SpaceKind.TRACK: "score",
}
HOLDS = {"card": "cards", "upgrade": "upgrades", "upgrade_stack": "upgrades"}
TAG_MM, STICKER_MM = 16.0, 20.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the pieces of a box are, mm, as a ruler says."""

    token: float = 22.0
    card: tuple[float, float] = (63.0, 88.0)
    upgrade: float = 30.0
    order: float = 30.0


def shipped_layout(game: Game[Any, Any, Any], sizes: Sizes) -> dict[str, Any]:
    """Return the layout of a game's own boards and pieces, in the form in which scans come."""
    if game.box.lie is Lie.LOOSE:
        return _loose_layout(game, sizes)
    catalogue, owners = dict(game.stand_in), dict(game.box.owners)
    boards: dict[str, Any] = {}
    for layout in game.box.boards:
        owner = owners.get(layout.id)
        kind = layout.id.removesuffix(f"_{owner}") if owner else str(layout.id)
        row = boards.setdefault(kind, _board(layout, catalogue, is_owned=bool(owner)))
        if owner:
            row.setdefault("owners", []).append(str(owner))
    return bare_layout(
        sizes,
        tokens=_token_kinds(game, catalogue),
        players=[str(one) for one in catalogue.get("players", ())],
        boards=boards,
        cards=copy.deepcopy(dict(catalogue.get("cards", {}))),
        upgrades=list(catalogue.get("upgrades", ())),
        lesters=list(catalogue.get("lesters", ())),
        order_secondary=dict(catalogue.get("order_secondary", {})),
    )


def bare_layout(
    sizes: Sizes,
    *,
    tokens: Sequence[str] = (),
    boards: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a layout of nothing but sizes and the names of pieces."""
    named: dict[str, Any] = {"players": [], "cards": {}, "upgrades": [], "lesters": [], "order_secondary": {}}
    return {
        "units": "mm",
        "frame": "origin top-left of the printed art, x right, y down",
        "piece_sizes": {
            "token": sizes.token,
            "card": list(sizes.card),
            "upgrade": [sizes.upgrade, sizes.upgrade],
            "order": sizes.order,
        },
        "token_outlines": {kind: np.round(ring_outline(sizes.token / 2), 2).tolist() for kind in tokens},
        "order_outline": np.round(ring_outline(sizes.order / 2), 2).tolist(),
        "fiducials": {"family": "tag36h11", "black_square_mm": TAG_MM, "sticker_mm": STICKER_MM},
        "boards": dict(boards or {}),
        **named,
        **more,
    }


def _loose_layout(game: Game[Any, Any, Any], sizes: Sizes) -> dict[str, Any]:
    """Return the layout of a game whose cards lie anywhere: their names, and the zones before the seats."""
    catalogue = copy.deepcopy(dict(game.stand_in))
    tables = [table for table in catalogue.values() if isinstance(table, Mapping)]
    rows = {kind: row for table in tables for kind, row in table.items() if isinstance(row, Mapping)}
    zones = [
        {
            "id": str(zone.id),
            "size": list(zone.size_mm),
            "tags": [{"number": tag.number, "centre": list(tag.centre_mm)} for tag in zone.tags],
        }
        for zone in game.box.boards
    ]
    cards = {str(kind): {"name": rows.get(kind, {}).get("name", "")} for kind in game.box.counts}
    return bare_layout(
        sizes, cards=cards, lie=str(Lie.LOOSE), zones=zones, tag_mm=TAG_MM, catalogue=catalogue
    )


def _token_kinds(game: Game[Any, Any, Any], catalogue: Mapping[str, Any]) -> list[str]:
    """Return the kinds that are neither cards, tiles nor orders: what lies on spaces for tokens."""
    others = {*catalogue.get("cards", {}), *catalogue.get("upgrades", ()), *catalogue.get("lesters", ())}
    others |= {f"order_{colour}" for colour in catalogue.get("order_secondary", {})}
    return [str(kind) for kind in game.box.counts if kind not in others]


def _board(layout: BoardLayout, catalogue: Mapping[str, Any], *, is_owned: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "size": list(layout.size_mm),
        "slots": [_slot(space, catalogue) for space in layout.spaces.values()],
        "tag_centers": [list(tag.centre_mm) for tag in layout.tags],
    }
    if layout.is_round:
        row["shape"] = "disc"
    if layout.tags and not is_owned:
        row["first_tag"] = layout.tags[0].number
    spots = catalogue.get("rot_track_spots")
    if spots and any(str(space).startswith("rot_") for space in layout.spaces):
        row["rot_track_spots"] = spots
    return row


def _slot(space: Space, catalogue: Mapping[str, Any]) -> dict[str, Any]:
    points = np.asarray(space.outline_mm, float)
    size = (points.max(0) - points.min(0)).round(2).tolist()
    row: dict[str, Any] = {
        "id": str(space.id),
        "kind": SLOT_KINDS[space.kind],
        "center": list(space.centre_mm),
        "polygon": points.round(2).tolist(),
        "size": size,
        "up_deg": space.up_deg,
    }
    printed = catalogue.get("printed_monsters", {})
    if space.id in printed:
        row["printed_monster"] = printed[space.id]
    cart = str(space.id).partition("_")[0]
    if cart in catalogue.get("carts", {}):
        row["cart_parts"] = list(catalogue["carts"][cart])
    if space.kind is SpaceKind.PILE:
        row["token_kind"] = str(space.id).partition("_")[2]
    if space.kind is SpaceKind.TRACK:
        digits = "".join(sign for sign in space.id if sign.isdigit())
        row["value"] = int(digits) if digits else 0
    return row


def taught_part(layout: Mapping[str, Any], taught: Iterable[str]) -> dict[str, Any]:
    """Return the part of a layout that can be learnt: pieces and boards that were shown, and their spaces."""
    shown = set(taught)
    part = copy.deepcopy(dict(layout))
    part["token_outlines"] = {k: o for k, o in layout["token_outlines"].items() if f"token.{k}" in shown}
    part["upgrades"] = [name for name in layout["upgrades"] if f"upgrade.{name}" in shown]
    pieces = [piece for piece in pieces_of(layout) if piece.id in shown]
    boards = {piece.names["board"] for piece in pieces if piece.kind == "board"}
    part["boards"] = {name: row for name, row in part["boards"].items() if name in boards}
    has = {"cards": any(f"card.{k}" in shown for k in layout["cards"]), "upgrades": bool(part["upgrades"])}
    for row in part["boards"].values():
        row["slots"] = [slot for slot in row.get("slots", ()) if _can_be_read(slot, part, has)]
    slots = [slot for row in part["boards"].values() for slot in row["slots"]]
    printed = {slot["printed_monster"] for slot in slots if "printed_monster" in slot}
    part["cards"] = {k: c for k, c in layout["cards"].items() if k in printed or f"card.{k}" in shown}
    return part


def _can_be_read(slot: Mapping[str, Any], part: Mapping[str, Any], has: Mapping[str, bool]) -> bool:
    """Tell whether anything that was shown could lie on a space."""
    if slot["kind"] == "pile":
        return slot.get("token_kind") in part["token_outlines"]
    if slot["kind"] == "token":
        return bool(part["token_outlines"])
    return has.get(HOLDS.get(slot["kind"], ""), True)


def missing_for_learning(layout: Mapping[str, Any], taught: Iterable[str]) -> tuple[str, ...]:
    """Return what is missing before anything can be learnt: ``token`` and ``board``, or a loose ``card``."""
    kinds = {one.partition(".")[0] for one in taught}
    wanted = ("card",) if has_loose_cards(layout) else ("token", "board")
    return tuple(kind for kind in wanted if kind not in kinds)


def has_loose_cards(layout: Mapping[str, Any]) -> bool:
    """Tell whether a layout is of cards that lie anywhere, without boards."""
    return layout.get("lie") == Lie.LOOSE


def boards_of(layout: Mapping[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each kind of board with the players who have one."""
    return tuple((board, board_owners(layout, board)) for board in layout["boards"])
