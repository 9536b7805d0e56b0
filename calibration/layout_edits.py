"""Changes of a layout, one at a time: spaces moved, renamed, copied; markers; what a box is made of. Pure.

A layout is what ``layout.json`` holds; every function returns a new one. Spaces of boards are its
``slots``, spaces on cards its ``part_slots``. Lengths are mm from the top left of the printed art.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calibration.laying_sheets import ring_outline

Layout = dict[str, Any]
ROUND_KINDS = ("token", "pile")
KINDS = ("token", "card", "upgrade", "upgrade_stack", "pile", "score")
PART = "part"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
LEAST_MM, MOST_MM = 2.0, 2000.0
MOST_SPACES = 300
NUMBERED = ("lab", "central", "mat", "score")
"""Boards whose markers have numbers of their own (``teach.tag_numbers``)."""

SIZES = {"card": "card", "upgrade": "upgrade", "upgrade_stack": "upgrade"}


class EditRefused(Exception):
    """A change that makes no layout; ``reason`` is rendered as ``layout.refused.<reason>``."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.values = values


@dataclass(frozen=True, slots=True)
class Sheet:
    """What spaces are drawn on: a kind of board, or a card."""

    name: str
    is_card: bool
    size_mm: tuple[float, float]
    is_round: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """One space as the editor shows it. ``more`` is what its slot says besides."""

    id: str
    kind: str
    centre_mm: tuple[float, float]
    size_mm: tuple[float, float]
    up_deg: float = 0.0
    is_round: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def polygon_mm(self) -> tuple[tuple[float, float], ...]:
        """Return its outline, clockwise."""
        (x, y), (w, h) = self.centre_mm, (self.size_mm[0] / 2, self.size_mm[1] / 2)
        if self.is_round:
            return tuple((x + px, y + py) for px, py in ring_outline(w, 24).tolist())
        cos, sin = math.cos(math.radians(self.up_deg)), math.sin(math.radians(self.up_deg))
        corners = ((-w, -h), (w, -h), (w, h), (-w, h))
        return tuple((x + cos * a - sin * b, y + sin * a + cos * b) for a, b in corners)


def sheet_of(layout: Mapping[str, Any], name: str, *, is_card: bool) -> Sheet:
    """Return a board or card by name. Raises EditRefused."""
    rows = layout["cards"] if is_card else layout["boards"]
    if name not in rows:
        raise EditRefused("no_sheet", name=name[:40])
    if is_card:
        width, height = layout["piece_sizes"]["card"]
        return Sheet(name, True, (float(width), float(height)))
    width, height = rows[name]["size"]
    return Sheet(name, False, (float(width), float(height)), rows[name].get("shape") == "disc")


def spots_of(layout: Mapping[str, Any], sheet: Sheet) -> tuple[Spot, ...]:
    """Return the spaces of a board or card in their order."""
    if sheet.is_card:
        parts = layout["cards"][sheet.name].get("part_slots", ())
        return tuple(
            Spot(
                f"part{p['index']}",
                PART,
                (float(p["x"]), float(p["y"])),
                (2 * float(p["r"]), 2 * float(p["r"])),
                is_round=True,
                more={key: value for key, value in p.items() if key not in ("index", "x", "y", "r")},
            )
            for p in parts
        )
    return tuple(_spot(slot) for slot in layout["boards"][sheet.name].get("slots", ()))


def _spot(slot: Mapping[str, Any]) -> Spot:
    xs, ys = zip(*slot["polygon"], strict=True)
    is_round = slot["kind"] in ROUND_KINDS and len(slot["polygon"]) > 6
    wide, high = slot.get("size") or (max(xs) - min(xs), max(ys) - min(ys))
    if is_round:
        wide = high = 2 * float(slot["radius"]) if "radius" in slot else max(xs) - min(xs)
    known = ("id", "kind", "center", "polygon", "size", "radius", "up_deg")
    more = {key: value for key, value in slot.items() if key not in known}
    x, y = slot["center"]
    size = (round(float(wide), 2), round(float(high), 2))
    return Spot(
        slot["id"], slot["kind"], (float(x), float(y)), size, float(slot.get("up_deg", 0)), is_round, more
    )


def with_spots(layout: Mapping[str, Any], sheet: Sheet, spots: Sequence[Spot]) -> Layout:
    """Return a layout with these spaces on a board or card. Raises EditRefused for too many."""
    if len(spots) > MOST_SPACES:
        raise EditRefused("too_many", most=MOST_SPACES)
    fresh: Layout = copy.deepcopy(dict(layout))
    if sheet.is_card:
        rows = [
            {
                "index": index,
                "x": round(spot.centre_mm[0], 2),
                "y": round(spot.centre_mm[1], 2),
                "r": round(spot.size_mm[0] / 2, 2),
                **spot.more,
            }
            for index, spot in enumerate(spots)
        ]
        fresh["cards"][sheet.name]["part_slots"] = rows
        return fresh
    fresh["boards"][sheet.name]["slots"] = [_slot(spot) for spot in spots]
    return fresh


def _slot(spot: Spot) -> dict[str, Any]:
    slot: dict[str, Any] = {
        "id": spot.id,
        "kind": spot.kind,
        "center": [round(c, 2) for c in spot.centre_mm],
        "polygon": [[round(x, 2), round(y, 2)] for x, y in spot.polygon_mm],
        "up_deg": spot.up_deg,
        **spot.more,
    }
    if spot.is_round:
        slot["radius"] = round(spot.size_mm[0] / 2, 2)
    else:
        slot["size"] = [round(side, 2) for side in spot.size_mm]
    return slot


def changed(layout: Mapping[str, Any], sheet: Sheet, spot_id: str, **values: Any) -> Layout:
    """Return a layout with one space changed: its id, kind, centre, size, turn or what it says besides."""
    spots = list(spots_of(layout, sheet))
    at = _index(spots, spot_id)
    fresh = replace(spots[at], **values)
    if not sheet.is_card:
        fresh = replace(fresh, is_round=fresh.kind in ROUND_KINDS)
        if not NAME.fullmatch(fresh.id):
            raise EditRefused("name", name=fresh.id[:40])
        if any(one.id == fresh.id for i, one in enumerate(spots) if i != at):
            raise EditRefused("twice", name=fresh.id)
        if fresh.kind not in KINDS:
            raise EditRefused("kind", name=str(fresh.kind)[:40])
    if not all(LEAST_MM <= side <= MOST_MM for side in fresh.size_mm):
        raise EditRefused("size", least=int(LEAST_MM), most=int(MOST_MM))
    spots[at] = fresh
    return with_spots(layout, sheet, spots)


def added(
    layout: Mapping[str, Any], sheet: Sheet, kind: str, centre_mm: tuple[float, float]
) -> tuple[Layout, str]:
    """Return a layout with one space more, and the space's id."""
    spots = list(spots_of(layout, sheet))
    if sheet.is_card:
        across = spots[0].size_mm[0] if spots else float(layout["piece_sizes"]["token"]) - 2
        fresh = Spot(f"part{len(spots)}", PART, centre_mm, (across, across), is_round=True)
    else:
        if kind not in KINDS:
            raise EditRefused("kind", name=kind[:40])
        size = layout["piece_sizes"].get(SIZES.get(kind, "token"), 22.0)
        wide, high = (size, size) if isinstance(size, int | float) else size
        fresh = Spot(
            free_name(spots, "space"), kind, centre_mm, (float(wide), float(high)), 0.0, kind in ROUND_KINDS
        )
    return with_spots(layout, sheet, [*spots, fresh]), fresh.id


def copied(
    layout: Mapping[str, Any], sheet: Sheet, spot_id: str, by_mm: tuple[float, float]
) -> tuple[Layout, str]:
    """Return a layout with a copy of a space beside it, numbered on, and the copy's id."""
    spots = list(spots_of(layout, sheet))
    one = spots[_index(spots, spot_id)]
    centre = (one.centre_mm[0] + by_mm[0], one.centre_mm[1] + by_mm[1])
    name = f"part{len(spots)}" if sheet.is_card else free_name(spots, one.id.rstrip("0123456789") or "space")
    more = dict(one.more)
    if one.kind == "score" and isinstance(more.get("value"), int):
        more["value"] += 1
    more.pop("printed_monster", None)
    return with_spots(layout, sheet, [*spots, replace(one, id=name, centre_mm=centre, more=more)]), name


def removed(layout: Mapping[str, Any], sheet: Sheet, spot_id: str) -> Layout:
    spots = list(spots_of(layout, sheet))
    del spots[_index(spots, spot_id)]
    return with_spots(layout, sheet, spots)


def like(layout: Mapping[str, Any], sheet: Sheet, other: str) -> Layout:
    """Return a layout in which a card has its part spaces where another card has them."""
    source = spots_of(layout, sheet_of(layout, other, is_card=sheet.is_card))
    own = spots_of(layout, sheet)
    mine = [own[i].more if i < len(own) else {} for i in range(len(source))]
    return with_spots(
        layout, sheet, [replace(one, more=more) for one, more in zip(source, mine, strict=True)]
    )


def free_name(spots: Sequence[Spot], stem: str) -> str:
    taken = {spot.id for spot in spots}
    return next(f"{stem}{n}" for n in range(1, MOST_SPACES + 2) if f"{stem}{n}" not in taken)


def _index(spots: Sequence[Spot], spot_id: str) -> int:
    for at, spot in enumerate(spots):
        if spot.id == spot_id:
            return at
    raise EditRefused("gone", name=spot_id[:40])


def with_tags(layout: Mapping[str, Any], sheet: Sheet, edge_mm: float | None) -> Layout:
    """Return a layout with markers at the corners of a board, so far from its edges; None: without any."""
    fresh: Layout = copy.deepcopy(dict(layout))
    row, (width, height) = fresh["boards"][sheet.name], sheet.size_mm
    if edge_mm is None:
        row["tag_centers"] = []
        return fresh
    if not 4 <= edge_mm <= min(width, height) / 2:
        raise EditRefused("edge", most=int(min(width, height) / 2))
    low, right, bottom = edge_mm, width - edge_mm, height - edge_mm
    if sheet.is_round:  # on the rim, a little turned: a disc's markers show how it lies
        reach, middle = width / 2 - edge_mm, width / 2
        angles = [math.radians(45 + 90 * k) for k in (2, 3, 0, 1)]
        row["tag_centers"] = [
            [round(middle + reach * math.cos(a), 2), round(middle + reach * math.sin(a), 2)] for a in angles
        ]
    else:
        row["tag_centers"] = [[low, low], [right, low], [right, bottom], [low, bottom]]
    if not row.get("owners") and "first_tag" not in row and sheet.name not in NUMBERED:
        taken = [other.get("first_tag", 0) for other in fresh["boards"].values()]
        row["first_tag"] = max(60, *(first + 4 for first in taken))
    return fresh


def with_board(
    layout: Mapping[str, Any], name: str, size_mm: tuple[float, float], *, is_round: bool
) -> Layout:
    """Return a layout with one board more, without spaces. Raises EditRefused."""
    if not NAME.fullmatch(name):
        raise EditRefused("name", name=name[:40])
    if name in layout["boards"]:
        raise EditRefused("twice", name=name)
    if not all(20 <= side <= MOST_MM for side in size_mm):
        raise EditRefused("size", least=20, most=int(MOST_MM))
    fresh: Layout = copy.deepcopy(dict(layout))
    fresh["boards"][name] = {"size": list(size_mm), "slots": [], "tag_centers": []}
    if is_round:
        fresh["boards"][name]["shape"] = "disc"
    return fresh


def with_piece(layout: Mapping[str, Any], kind: str, name: str) -> Layout:
    """Return a layout with one kind of piece more: a token, a card or a tile. Raises EditRefused."""
    if not NAME.fullmatch(name):
        raise EditRefused("name", name=name[:40])
    if name in (*layout["token_outlines"], *layout["cards"], *layout["upgrades"]):
        raise EditRefused("twice", name=name)
    fresh: Layout = copy.deepcopy(dict(layout))
    if kind == "token":
        fresh["token_outlines"][name] = []
    elif kind == "card":
        fresh["cards"][name] = {"name": "", "part_slots": []}
    elif kind == "upgrade":
        fresh["upgrades"].append(name)
    else:
        raise EditRefused("kind", name=kind[:40])
    return fresh
