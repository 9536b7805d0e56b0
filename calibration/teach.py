"""Teach a box: flat scans and a layout become what the eyes compare with.

A folder of scans holds ``index.json`` (which file shows which piece, at how many px per mm) and
``layout.json`` (sizes in mm, spaces of each board, part spaces of each card, corner tags). The
taught box goes to a folder of its own, written beside it first and then renamed, so that a box is
either whole or not there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.align import Placement, place_scan, straighten
from calibration.bearing import learn_bearing
from calibration.box_folder import write_box
from calibration.confidence import fit_judgement
from calibration.doubled import doubled
from calibration.loose_cards import catalogue_beside, is_loose, read_loose, teach_loose, zones_beside
from companion.game import Wire
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, FORMAT, box_of

SPACE_KINDS = {
    "token": "token",
    "card": "card",
    "upgrade": "tile",
    "upgrade_stack": "stack",
    "pile": "pile",
    "score": "track",
}
GEOMETRY = {"x", "y", "r", "part_slots", "slots", "size", "tag_centers", "polygon", "center", "radius"}
FIRST_TAGS = {"central": 40, "mat": 44, "score": 50}
"""Our numbering of corner tags: player i's board 10 i and on, clockwise from the top left; then these."""


class NotTaught(Exception):
    """The scans do not make a box. The message says all that is wrong with them."""


@dataclass(slots=True)
class _Scans:
    """The scans while they are read; ``faults`` gathers everything that is wrong."""

    folder: Path
    layout: Mapping[str, Any]
    index: Sequence[Mapping[str, Any]]
    faults: list[str] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[Mapping[str, Any]]:
        return [entry for entry in self.index if entry.get("kind") == kind]

    def one(self, kind: str, key: str, value: str) -> Mapping[str, Any] | None:
        for entry in self.of_kind(kind):
            if entry.get(key) == value:
                return entry
        self.faults.append(f"no scan of {kind} {value}")
        return None

    def picture(self, entry: Mapping[str, Any]) -> Pixels | None:
        path = self.folder / str(entry["file"])
        if not path.is_file():
            self.faults.append(f"{entry['file']} is missing")
            return None
        pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if pixels is None:
            self.faults.append(f"{entry['file']} is no picture")
            return None
        width, height = entry["image_mm"]
        shown = (pixels.shape[1] / entry["px_per_mm"], pixels.shape[0] / entry["px_per_mm"])
        if abs(shown[0] / width - 1) > 0.05 or abs(shown[1] / height - 1) > 0.05:
            self.faults.append(
                f"{entry['file']} shows {shown[0]:.0f} x {shown[1]:.0f} mm, "
                f"expected {width:.0f} x {height:.0f}"
            )
        return np.asarray(pixels, np.uint8)


def teach_box(
    scans_folder: Path,
    name: str,
    boxes_folder: Path,
    *,
    tell: Callable[[str], None] = lambda _: None,
    complete: Callable[[Wire], Wire] = lambda catalogue: catalogue,
    part: Callable[[Wire], dict[str, Any]] | None = None,
) -> Path:
    """Teach the box and return its folder. Raises NotTaught with everything that is wrong.

    ``tell`` is given a remark now and then; ``complete`` gets the catalogue that the layout makes
    and returns what is known besides. What it raises leaves the shelf as it is.
    ``part`` returns the part of the layout that can be learnt yet; the catalogue is that of the whole.
    """
    if is_loose(scans_folder):
        return _teach_loose(scans_folder, name, boxes_folder, tell=tell, complete=complete)
    scans = _open(scans_folder)
    scans.faults += doubled(scans_folder, scans.index)
    catalogue = complete(catalogue_of(scans.layout))
    if part is not None:
        scans.layout = part(scans.layout)
    art: dict[str, Pixels] = {}
    told: dict[str, Any] = {"format": FORMAT, "name": name}
    _take_sizes(scans, told)
    _take_tokens(scans, told, art)
    _take_orders(scans, told, art)
    _take_cards(scans, told, art)
    _take_tiles(scans, told, art)
    _take_boards(scans, told, art)
    _refuse(scans_folder, scans.faults)
    tell(
        f"{len(told['boards'])} boards, {len(told['cards'])} cards, "
        f"{len(told['token_outlines'])} tokens laid out"
    )
    told["judgement"] = fit_judgement(box_of(told, art), tell=tell)
    told["bearing"] = learn_bearing(box_of(told, art), tell=tell)
    return write_box(boxes_folder, name, told, catalogue, art)


def tag_numbers(layout: Mapping[str, Any], board: str, player: str | None) -> tuple[int, ...]:
    """Return the numbers of a board's corner markers; none for a kind of board that has no numbering."""
    row, players = layout["boards"][board], list(layout["players"])
    first = row.get("first_tag", FIRST_TAGS.get(board))
    if player is not None:
        first = 10 * players.index(player)
    return () if first is None else tuple(first + i for i in range(len(row.get("tag_centers", ()))))


def _teach_loose(
    folder: Path,
    name: str,
    boxes_folder: Path,
    *,
    tell: Callable[[str], None],
    complete: Callable[[Wire], Wire],
) -> Path:
    """Teach a box that has no boards: cards that lie anywhere."""
    faults: list[str] = []
    faces, backs = read_loose(folder, faults)
    told: dict[str, Any] = {"name": name, **zones_beside(folder, faults)}
    known = catalogue_beside(folder, faults)
    _refuse(folder, faults)
    catalogue = complete(known)
    art: dict[str, Pixels] = {}
    teach_loose(faces, backs, told, art, tell=tell)
    return write_box(boxes_folder, name, told, catalogue, art)


def _refuse(folder: Path, faults: Sequence[str]) -> None:
    """Raise NotTaught if something is wrong with a folder of scans."""
    if faults:
        raise NotTaught(f"The scans in {folder} do not make a box: {'; '.join(faults)}.")


def catalogue_of(layout: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a game needs of a layout: everything that is not geometry."""
    boards = layout["boards"]
    carts = {
        s["id"].partition("_")[0]: s["cart_parts"]
        for b in boards.values()
        for s in b.get("slots", ())
        if "cart_parts" in s
    }
    printed = {
        s["id"]: s["printed_monster"]
        for b in boards.values()
        for s in b.get("slots", ())
        if "printed_monster" in s
    }
    spots = [b["rot_track_spots"] for b in boards.values() if "rot_track_spots" in b]
    cards = {
        k: {a: v for a, v in c.items() if a not in GEOMETRY} | {"part_spaces": len(c.get("part_slots", ()))}
        for k, c in layout["cards"].items()
    }
    return {
        "set": layout.get("set"),
        "players": layout.get("players", []),
        "cards": cards,
        "printed_monsters": printed,
        "carts": carts,
        "order_secondary": layout.get("order_secondary", {}),
        "upgrades": layout.get("upgrades", []),
        "lesters": layout.get("lesters", []),
        "tokens": list(layout.get("token_outlines", {})),
        "rot_track_spots": spots[0] if spots else None,
    }


def _open(folder: Path) -> _Scans:
    read: dict[str, Any] = {}
    for name in ("layout.json", "index.json"):
        path = folder / name
        if not path.is_file():
            raise NotTaught(f"{folder} holds no scans of a box: {name} is missing.")
        try:
            read[name] = json.loads(path.read_text(encoding="utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as fault:
            raise NotTaught(f"{path} cannot be read: {fault}.") from fault
    layout, index = read["layout.json"], read["index.json"]
    wanted = ("boards", "cards", "token_outlines", "piece_sizes", "fiducials", "players", "upgrades")
    missing = [k for k in wanted if not isinstance(layout, dict) or k not in layout]
    if missing or not isinstance(index, list):
        lacking = ", ".join(missing) or "a list of scans"
        raise NotTaught(f"{folder} is no layout of a box: it lacks {lacking}.")
    keys = ("file", "kind", "px_per_mm", "image_mm")
    bad = [i for i, e in enumerate(index) if not isinstance(e, dict) or any(k not in e for k in keys)]
    if bad:
        raise NotTaught(f"{folder / 'index.json'}: entry {bad[0] + 1} needs {', '.join(keys)}.")
    return _Scans(folder, layout, index)


def _take_sizes(scans: _Scans, told: dict[str, Any]) -> None:
    sizes = scans.layout["piece_sizes"]
    told["card_mm"], told["tile_mm"] = sizes["card"], sizes["upgrade"]
    told["token_mm"], told["order_mm"] = sizes["token"], sizes["order"]
    told["tag_mm"] = scans.layout["fiducials"]["black_square_mm"]
    told["sticker_mm"] = scans.layout["fiducials"]["sticker_mm"]


def _laid(
    scans: _Scans, entry: Mapping[str, Any] | None, outlines: Sequence[NDArray[np.float64]]
) -> Pixels | None:
    """Return a scan straightened on its outlines (mm from its own top left) at our scale."""
    pixels = None if entry is None else scans.picture(entry)
    if entry is None or pixels is None or scans.faults:  # with a fault only the other faults matter
        return None
    size = (float(entry["image_mm"][0]), float(entry["image_mm"][1]))
    placement = _placed(entry, pixels, outlines, size)
    return straighten(pixels, float(entry["px_per_mm"]), placement, size, ART_PX_PER_MM)


def _placed(
    entry: Mapping[str, Any],
    pixels: Pixels,
    outlines: Sequence[NDArray[np.float64]],
    size: tuple[float, float],
) -> Placement:
    """Find how a scan lies below its outlines; one that was cut out along them lies as it should."""
    known = () if entry.get("is_placed") else outlines
    return place_scan(pixels, float(entry["px_per_mm"]), known, size)


def _centred(scans: _Scans, entry: Mapping[str, Any] | None, outline: Any) -> Pixels | None:
    """Return the scan of a piece with its outline in the middle. A round outline has no turn to find."""
    if entry is None:
        return None
    middle = np.asarray(entry["image_mm"], float) / 2
    pixels = scans.picture(entry)
    if pixels is None or scans.faults:
        return None
    size = (float(entry["image_mm"][0]), float(entry["image_mm"][1]))
    shape = np.asarray(outline, float)
    placement = _placed(entry, pixels, [shape + middle], size)
    radii = np.linalg.norm(shape, axis=1)
    if radii.max() - radii.min() < 0.02 * radii.max():
        placement = Placement(0.0, placement.shift_mm, placement.middle_mm)
    return straighten(pixels, float(entry["px_per_mm"]), placement, size, ART_PX_PER_MM)


def _take_tokens(scans: _Scans, told: dict[str, Any], art: dict[str, Pixels]) -> None:
    told["token_outlines"] = scans.layout["token_outlines"]
    for kind, outline in scans.layout["token_outlines"].items():
        picture = _centred(scans, scans.one("token", "token_kind", kind), outline)
        if picture is not None:
            art[f"token/{kind}"] = picture


def _take_orders(scans: _Scans, told: dict[str, Any], art: dict[str, Pixels]) -> None:
    told["order_outline"] = scans.layout.get("order_outline", [])
    told["orders"] = []
    for entry in (*scans.of_kind("order"), *scans.of_kind("order_back")):
        picture = _centred(scans, entry, told["order_outline"])
        back = entry["kind"] == "order_back"
        kind = "order_back" if back else f"order_{entry['order_colour']}"
        told["orders"].append({"kind": kind, "player": entry.get("player"), "file": entry["file"]})
        if picture is not None:
            art[f"order/{entry['file']}"] = picture


def _ring(centre: tuple[float, float], radius: float) -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * math.pi, 32, endpoint=False)
    return np.stack([centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)], axis=1)


def _take_cards(scans: _Scans, told: dict[str, Any], art: dict[str, Pixels]) -> None:
    told["cards"] = []
    printed = {
        s["printed_monster"]
        for b in scans.layout["boards"].values()
        for s in b.get("slots", ())
        if "printed_monster" in s
    }
    for card, row in scans.layout["cards"].items():
        told["cards"].append({"id": card, "parts": row["part_slots"], "printed": card in printed})
        if card in printed:
            continue  # shown on the boards, not as a scan of its own
        outlines = [_ring((p["x"], p["y"]), p["r"]) for p in row["part_slots"]]
        picture = _laid(scans, scans.one("card", "card_id", card), outlines)
        if picture is not None:
            art[f"card/{card}"] = picture
    for entry in scans.of_kind("card_back")[:1]:
        picture = _laid(scans, entry, ())
        if picture is not None:
            art["card_back"] = picture


def _take_tiles(scans: _Scans, told: dict[str, Any], art: dict[str, Pixels]) -> None:
    told["tiles"] = list(scans.layout["upgrades"])
    for tile in scans.layout["upgrades"]:
        picture = _laid(scans, scans.one("upgrade", "upgrade_id", tile), ())
        if picture is not None:
            art[f"tile/{tile}"] = picture
    for entry in scans.of_kind("upgrade_back")[:1]:
        picture = _laid(scans, entry, ())
        if picture is not None:
            told["tiles"].append("upgrade_back")
            art["tile/upgrade_back"] = picture


def _take_boards(scans: _Scans, told: dict[str, Any], art: dict[str, Pixels]) -> None:
    told["boards"] = []
    players = list(scans.layout["players"])
    for kind, row in scans.layout["boards"].items():
        entries = [e for e in scans.of_kind("board") if e.get("board") == kind]
        if not entries:
            scans.faults.append(f"no scan of board {kind}")
        for entry in entries:
            player = entry.get("player")
            if player is not None and player not in players:
                scans.faults.append(f"{entry['file']} is of player {player}, whom the layout does not name")
                continue
            numbers = tag_numbers(scans.layout, kind, player)
            outlines = [np.asarray(s["polygon"], float) for s in row.get("slots", ())]
            picture = _laid(scans, entry, outlines)
            board = kind if player is None else f"{kind}_{player}"
            told["boards"].append(_board(board, player, row, numbers))
            if picture is None:
                continue
            art[f"board/{board}"] = picture
            for slot in row.get("slots", ()):
                if "printed_monster" in slot and f"card/{slot['printed_monster']}" not in art:
                    art[f"card/{slot['printed_monster']}"] = _cut(picture, slot)


def _cut(board: Pixels, slot: Mapping[str, Any]) -> Pixels:
    (x, y), (width, height) = slot["center"], slot["size"]
    left, top = round((x - width / 2) * ART_PX_PER_MM), round((y - height / 2) * ART_PX_PER_MM)
    right, bottom = left + round(width * ART_PX_PER_MM), top + round(height * ART_PX_PER_MM)
    return np.ascontiguousarray(board[top:bottom, left:right])


def _board(board: str, player: str | None, row: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    spaces = [
        {
            "id": s["id"],
            "kind": SPACE_KINDS[s["kind"]],
            "centre": s["center"],
            "outline": s["polygon"],
            "up_deg": s.get("up_deg", 0.0),
            "printed": s.get("printed_monster"),
            "pile_of": s.get("token_kind"),
            "value": s.get("value"),
        }
        for s in row.get("slots", ())
        if s["kind"] in SPACE_KINDS
    ]
    centres = row.get("tag_centers", ())
    tags = [{"number": number, "centre": centre} for number, centre in zip(numbers, centres, strict=False)]
    return {
        "id": board,
        "player": player,
        "size": row["size"],
        "is_round": row.get("shape") == "disc",
        "tags": tags,
        "spaces": spaces,
    }
