"""A taught box: layouts of the boards and the art of boards and pieces, all at one scale.

Written by ``calibration.teach``, read here. Nothing in this package knows a box beyond what is in
the folder: ``box.json`` (layouts, sizes, outlines), ``catalogue.json`` (what a game needs, no
geometry; for games, not for the eyes), ``art.npz`` (pictures, uint8, blue-green-red) and, where dice
lie on its boards, ``dice.json`` (their colours).
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout, PieceKind, Space, SpaceId, SpaceKind, Tag
from companion.ports import Pixels
from vision.dice_colours import DiceSet, load_set

ART_PX_PER_MM = 2.0
"""Scale of all taught art, and of every flattened board."""

FORMAT = 2
BOX_FILE, CATALOGUE_FILE, ART_FILE, DICE_FILE = "box.json", "catalogue.json", "art.npz", "dice.json"

Outline = NDArray[np.float64]
"""(n, 2) points in mm."""


class BoxNotTaught(ValueError):
    """There is no taught box in a folder, or it cannot be read."""


@dataclass(frozen=True, slots=True)
class PartSpace:
    """A place for a token on a card, mm from the card's top left."""

    index: int
    centre_mm: tuple[float, float]
    radius_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Token:
    """A flat piece with an outline: a token or an order. ``outline_mm`` is about the art's middle."""

    kind: PieceKind
    art: Pixels
    outline_mm: Outline


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    kind: PieceKind
    art: Pixels
    parts: tuple[PartSpace, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    kind: PieceKind
    art: Pixels


@dataclass(frozen=True)
class TaughtBox:
    """Everything that the eyes know of one box.

    ``printed`` names the card printed on a card space; ``pile_kinds`` the token that a heap is
    made of; ``track_values`` the number of a step of a track; ``owners`` the player of a board.
    ``bearing`` says how much strain reading bears (see ``vision.strain``); empty if it was never tried.
    ``loose`` is the art of cards that lie anywhere, off all boards, ``loose_backs`` which of them are backs,
    ``zones`` are places without a print where they lie, known by the tags at their corners.
    ``dice`` are the colours of its dice, None where none were taught: then none are looked for.
    """

    name: str
    layouts: Mapping[BoardId, BoardLayout]
    boards: Mapping[BoardId, Pixels]
    owners: Mapping[BoardId, str]
    tokens: Mapping[PieceKind, Token]
    orders: tuple[tuple[str, Token], ...]
    cards: Mapping[PieceKind, Card]
    card_back: Pixels | None
    card_mm: tuple[float, float]
    tiles: Mapping[PieceKind, Tile]
    tile_mm: tuple[float, float]
    printed: Mapping[tuple[BoardId, SpaceId], PieceKind]
    pile_kinds: Mapping[tuple[BoardId, SpaceId], PieceKind]
    track_values: Mapping[tuple[BoardId, SpaceId], int]
    tag_mm: float
    judgement: Mapping[str, Any]
    bearing: Mapping[str, float] = field(default_factory=dict)
    loose: Mapping[PieceKind, Pixels] = field(default_factory=dict)
    loose_backs: frozenset[PieceKind] = frozenset()
    zones: tuple[BoardLayout, ...] = ()
    dice: DiceSet | None = None

    @cached_property
    def tag_numbers(self) -> tuple[int, ...]:
        return tuple(t.number for layout in self.layouts.values() for t in layout.tags)


def load_box(folder: Path | str) -> TaughtBox:
    """Read a taught box. Raises BoxNotTaught, a ValueError, in plain words."""
    folder = Path(folder)
    if not (folder / BOX_FILE).is_file():
        raise BoxNotTaught(
            f"{folder} holds no taught box ({BOX_FILE} is missing). Teach it with `companion box teach`."
        )
    missing = [name for name in (CATALOGUE_FILE, ART_FILE) if not (folder / name).is_file()]
    if missing:
        raise BoxNotTaught(
            f"The taught box in {folder} is not whole: {' and '.join(missing)} missing. "
            "Copy the whole folder once more, or teach it again with `companion box teach`."
        )
    try:
        told = json.loads((folder / BOX_FILE).read_text(encoding="utf-8"))
        with (folder / ART_FILE).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            art = {name: np.ascontiguousarray(stored[name]) for name in stored.files}
        if told.get("format") != FORMAT:
            raise BoxNotTaught(
                f"The box in {folder} was taught by another version. "
                "Teach it again with `companion box teach`."
            )
        box = box_of(told, art)
        return replace(box, dice=load_set(folder / DICE_FILE)) if (folder / DICE_FILE).is_file() else box
    except BoxNotTaught:
        raise
    except (OSError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as fault:
        raise BoxNotTaught(
            f"The taught box in {folder} cannot be read ({fault}). Teach it again with `companion box teach`."
        ) from fault


def box_of(told: Mapping[str, Any], art: Mapping[str, Pixels]) -> TaughtBox:
    """Build a box from what ``box.json`` tells and its art. Raises KeyError for what is missing."""
    layouts = {BoardId(b["id"]): _layout(b) for b in told["boards"]}
    spaces = [(BoardId(b["id"]), s) for b in told["boards"] for s in b["spaces"]]
    return TaughtBox(
        name=told["name"],
        layouts=layouts,
        boards={b: art[f"board/{b}"] for b in layouts},
        owners={BoardId(b["id"]): b["player"] for b in told["boards"] if b["player"]},
        tokens={PieceKind(k): _token(k, o, art[f"token/{k}"]) for k, o in told["token_outlines"].items()},
        orders=tuple(
            (o["player"] or "", _token(o["kind"], told["order_outline"], art[f"order/{o['file']}"]))
            for o in told["orders"]
        ),
        cards={PieceKind(c["id"]): _card(c, art[f"card/{c['id']}"]) for c in told["cards"]},
        card_back=art.get("card_back"),
        card_mm=_pair(told["card_mm"]),
        tiles={PieceKind(k): Tile(PieceKind(k), art[f"tile/{k}"]) for k in told["tiles"]},
        tile_mm=_pair(told["tile_mm"]),
        printed={(b, SpaceId(s["id"])): PieceKind(s["printed"]) for b, s in spaces if s.get("printed")},
        pile_kinds={(b, SpaceId(s["id"])): PieceKind(s["pile_of"]) for b, s in spaces if s.get("pile_of")},
        track_values={(b, SpaceId(s["id"])): s["value"] for b, s in spaces if s.get("value") is not None},
        tag_mm=float(told["tag_mm"]),
        judgement=told.get("judgement", {}),
        bearing=told.get("bearing", {}),
        loose={PieceKind(c["id"]): art[f"loose/{c['id']}"] for c in told.get("loose", ())},
        loose_backs=frozenset(PieceKind(c["id"]) for c in told.get("loose", ()) if c["is_back"]),
        zones=tuple(_layout({**zone, "spaces": (), "is_round": False}) for zone in told.get("zones", ())),
    )


def _pair(values: Any) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _token(kind: str, outline: Any, art: Pixels) -> Token:
    return Token(PieceKind(kind), art, np.asarray(outline, float))


def _card(told: Mapping[str, Any], art: Pixels) -> Card:
    parts = tuple(PartSpace(p["index"], (p["x"], p["y"]), p["r"]) for p in told["parts"])
    return Card(PieceKind(told["id"]), art, parts)


def _layout(told: Mapping[str, Any]) -> BoardLayout:
    spaces = {
        SpaceId(s["id"]): Space(
            SpaceId(s["id"]),
            SpaceKind(s["kind"]),
            _pair(s["centre"]),
            tuple(_pair(p) for p in s["outline"]),
            float(s["up_deg"]),
        )
        for s in told["spaces"]
    }
    tags = tuple(Tag(t["number"], _pair(t["centre"])) for t in told["tags"])
    return BoardLayout(BoardId(told["id"]), _pair(told["size"]), spaces, tags, bool(told["is_round"]))


def parts_of(
    card: Card, centre_mm: tuple[float, float], turn_deg: float, card_mm: tuple[float, float]
) -> tuple[tuple[int, tuple[float, float]], ...]:
    """Return where a card's part spaces lie on its board (index, centre in mm) for a card so laid."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    places = []
    for part in card.parts:
        x, y = part.centre_mm[0] - card_mm[0] / 2, part.centre_mm[1] - card_mm[1] / 2
        places.append((part.index, (centre_mm[0] + cos * x - sin * y, centre_mm[1] + sin * x + cos * y)))
    return tuple(places)
