"""Teach cards that lie loose, off all boards, from flat pictures of them.

The simplest folder is one picture a card, named as the card is called, and one of each back, named
``back`` or ``back_...``. An ``index.json`` says more: a list of ``{"file", "kind": "card" or "card_back",
"card_id"}``, with ``corners_px`` (four points, the card's own top left first, clockwise) where a picture
shows more than the card; it may name one picture several times. ``zones.json`` may name places where
cards lie, by the markers at their corners: ``{"tag_mm", "zones": [{"id", "size", "tags": [{"number",
"centre"}]}]}`` in millimetres; ``catalogue.json`` what a game needs to know of the cards. Lessons have all of
that in the one ``layout.json`` that they were begun with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.doubled import doubled
from calibration.loose_practice import learn_loose
from companion.board import Lie, PieceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, FORMAT
from vision.loose.deck import Deck

LAYOUT, INDEX, ZONES, CATALOGUE = "layout.json", "index.json", "zones.json", "catalogue.json"
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
CARD, BACK = "card", "card_back"
BACKS = "back"
CARD_WIDTH_MM = 63.0  # of most cards; what counts is how much higher than wide a card is
OTHER_SHAPE = 0.12  # share by which the sides of one card may differ from those of the others
SMALLEST_PX = 60


def is_loose(folder: Path) -> bool:
    """Tell whether a folder of scans shows loose cards alone: no layout of boards, nothing else listed."""
    if not folder.is_dir():
        return False
    if (folder / LAYOUT).is_file():
        return _beside(folder / LAYOUT, []).get("lie") == Lie.LOOSE
    if not (folder / INDEX).is_file():
        return any(path.suffix.lower() in PICTURES for path in folder.iterdir())
    try:
        listed = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return False
    kinds = {entry.get("kind") for entry in listed if isinstance(entry, dict)}
    return bool(kinds) and kinds <= {CARD, BACK, None}


def read_loose(folder: Path, faults: list[str]) -> tuple[dict[str, Pixels], list[str]]:
    """Return the flat pictures of all cards by name, and which of them are backs.

    What is wrong is added to ``faults``.
    """
    entries = _entries(folder, faults)
    faults += doubled(folder, [entry for entry in entries if "corners_px" not in entry])
    faces: dict[str, Pixels] = {}
    backs: list[str] = []
    for entry in entries:
        name = str(entry["card_id"])
        face = _face(folder, entry, faults)
        if face is None:
            continue
        if name in faces and "corners_px" in entry:
            faults.append(f"two pictures of {name}, one is wanted")
        faces[name] = face
        if entry["kind"] == BACK:
            backs.append(name)
    if not faces and not faults:
        faults.append("no picture of a card")
    faults += _odd_shapes(faces)
    return faces, backs


def catalogue_beside(folder: Path, faults: list[str]) -> dict[str, Any]:
    """Return what is told of the cards beside their pictures; nothing where nothing is."""
    told = _beside(folder / CATALOGUE, faults) or _beside(folder / LAYOUT, faults).get("catalogue", {})
    return dict(told) if isinstance(told, Mapping) else {}


def zones_beside(folder: Path, faults: list[str]) -> dict[str, Any]:
    """Return what a box tells of the zones that lie beside the pictures."""
    told = _beside(folder / ZONES, faults) or _beside(folder / LAYOUT, faults)
    if not told.get("zones"):
        return {}
    try:
        zones = [
            {
                "id": str(zone["id"]),
                "size": [float(side) for side in zone["size"]],
                "tags": [
                    {"number": int(tag["number"]), "centre": [float(x) for x in tag["centre"]]}
                    for tag in zone["tags"]
                ],
            }
            for zone in told["zones"]
        ]
        return {"zones": zones, "tag_mm": float(told["tag_mm"])}
    except (KeyError, TypeError, ValueError) as fault:
        faults.append(f"{ZONES} lacks something or holds what is no number ({fault})")
        return {}


def _beside(path: Path, faults: list[str]) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as fault:
        faults.append(f"{path.name} cannot be read: {fault}")
        return {}
    if not isinstance(told, dict):
        faults.append(f"{path.name} is no JSON object")
        return {}
    return told


def teach_loose(
    faces: Mapping[str, Pixels],
    backs: Sequence[str],
    told: dict[str, Any],
    art: dict[str, Pixels],
    *,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Put loose cards into what a box tells and its art, and practise with them."""
    ratio = float(np.median([face.shape[0] / face.shape[1] for face in faces.values()]))
    card_mm = (CARD_WIDTH_MM, round(CARD_WIDTH_MM * ratio, 1))
    size_wh = round(card_mm[0] * ART_PX_PER_MM * 2), round(card_mm[1] * ART_PX_PER_MM * 2)
    laid = {
        PieceKind(name): np.asarray(cv2.resize(face, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        for name, face in faces.items()
    }
    told |= {key: value for key, value in _NOTHING.items() if key not in told}
    told["card_mm"] = list(card_mm)
    told["loose"] = [{"id": name, "is_back": name in backs} for name in faces]
    art |= {f"loose/{name}": face for name, face in laid.items()}
    tell(f"{len(faces) - len(backs)} loose cards and {len(backs)} backs laid out")
    deck = Deck.of(laid, frozenset(PieceKind(back) for back in backs))
    told["judgement"] = {**told["judgement"], "loose": learn_loose(deck, list(laid.values()), tell=tell)}


_NOTHING: Mapping[str, Any] = {
    "format": FORMAT,
    "boards": [],
    "cards": [],
    "tiles": [],
    "orders": [],
    "token_outlines": {},
    "order_outline": [],
    "tile_mm": [0.0, 0.0],
    "tag_mm": 0.0,
    "judgement": {},
}


def _entries(folder: Path, faults: list[str]) -> list[dict[str, Any]]:
    """Return what the index says, or what the names of the pictures say where there is none."""
    if not (folder / INDEX).is_file():
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        return [
            {"file": path.name, "card_id": path.stem, "kind": BACK if _is_back(path.stem) else CARD}
            for path in files
        ]
    entries = []
    for number, entry in enumerate(json.loads((folder / INDEX).read_text(encoding="utf-8")), start=1):
        if not isinstance(entry, dict) or "file" not in entry or entry.get("kind") not in (CARD, BACK):
            faults.append(f"{INDEX}: entry {number} needs a file, and {CARD} or {BACK} as its kind")
        else:
            entries.append({"card_id": Path(str(entry["file"])).stem, **entry})
    return entries


def _is_back(stem: str) -> bool:
    return stem == BACKS or stem.startswith((f"{BACKS}_", f"{BACKS}-"))


def _face(folder: Path, entry: Mapping[str, Any], faults: list[str]) -> Pixels | None:
    path = folder / str(entry["file"])
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
    if pixels is None:
        faults.append(f"{entry['file']} is {'no picture' if path.is_file() else 'missing'}")
        return None
    face = np.asarray(pixels, np.uint8)
    if "corners_px" in entry:
        corners = np.asarray(entry["corners_px"], np.float32)
        if corners.shape != (4, 2):
            faults.append(f"{entry['file']}: corners_px of {entry['card_id']} are not four points")
            return None
        face = _flattened(face, corners)
    if min(face.shape[:2]) < SMALLEST_PX:
        faults.append(f"{entry['file']} shows {entry['card_id']} less than {SMALLEST_PX} px wide")
        return None
    return face


def _flattened(pixels: Pixels, corners: np.typing.NDArray[np.float32]) -> Pixels:
    """Return a card cut out of a picture by its corners, as large as it is seen there."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    width, height = max(1, round(float(sides[[0, 2]].mean()))), max(1, round(float(sides[[1, 3]].mean())))
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    plane = cv2.getPerspectiveTransform(corners, own)
    return np.asarray(cv2.warpPerspective(pixels, plane, (width, height), flags=cv2.INTER_LINEAR), np.uint8)


def _odd_shapes(faces: Mapping[str, Pixels]) -> list[str]:
    if not faces:
        return []
    ratios = {name: face.shape[0] / face.shape[1] for name, face in faces.items()}
    usual = float(np.median(list(ratios.values())))
    return [
        f"{name} is {ratio:.2f} times as high as wide, the others {usual:.2f}"
        for name, ratio in ratios.items()
        if abs(ratio / usual - 1) > OTHER_SHAPE
    ]
