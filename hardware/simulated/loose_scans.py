"""Flat pictures of all cards of a box of loose cards, in the form in which it is taught."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2

from hardware.simulated.art.parts import part_back, part_front
from hardware.simulated.art.sprites import TAG_MM
from hardware.simulated.contents import CARD_BACK
from hardware.simulated.loose_contents import LooseContents
from hardware.simulated.scans import ScansNotWritten

_PX_PER_MM = 4.5
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 93)


def write_loose_scans(contents: LooseContents, folder: Path) -> int:
    """Write a picture a card, the back, the zones and the catalogue; return how many pictures there are.

    Raises ScansNotWritten.
    """
    index: list[dict[str, Any]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for card, (table, row) in contents.cards.items():
            cv2.imwrite(str(folder / f"{card}.jpg"), part_front(table, row, _PX_PER_MM), _JPEG)
            index.append({"file": f"{card}.jpg", "kind": "card", "card_id": card})
        cv2.imwrite(str(folder / "back.jpg"), part_back(_PX_PER_MM), _JPEG)
        index.append({"file": "back.jpg", "kind": "card_back", "card_id": CARD_BACK})
        told = {"index": index, "zones": zones_of(contents), "catalogue": dict(contents.catalogue)}
        for name, what in told.items():
            (folder / f"{name}.json").write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
    except OSError as reason:
        raise ScansNotWritten(folder, reason) from reason
    return len(index)


def zones_of(contents: LooseContents) -> dict[str, Any]:
    """Return what ``zones.json`` says."""
    zones = [
        {
            "id": zone.id,
            "size": list(zone.size_mm),
            "tags": [{"number": tag.number, "centre": list(tag.centre_mm)} for tag in zone.tags],
        }
        for zone in contents.zones.values()
    ]
    return {"tag_mm": TAG_MM, "zones": zones}
