"""Pieces that were scanned twice: a box in which one of them stands for another is never right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NAMES = {
    "token": ("token_kind",),
    "card": ("card_id",),
    "upgrade": ("upgrade_id",),
    "board": ("board", "player"),
    "order": ("order_colour", "player"),
}
"""What tells the pieces of a kind apart in ``index.json``."""

ONE_OF_A_KIND = ("token", "card", "upgrade")
"""Kinds of which no two pieces look the same."""


def doubled(folder: Path, index: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what stands twice in an index of scans, and which scans are the same picture."""
    return [*_named_twice(index), *_pictured_twice(folder, index)]


def _named_twice(index: Sequence[Mapping[str, Any]]) -> list[str]:
    files: dict[str, list[str]] = defaultdict(list)
    for entry in index:
        keys = NAMES.get(str(entry["kind"]))
        if keys is not None:
            own = [str(entry[key]) for key in keys if entry.get(key) is not None]
            files[" ".join([str(entry["kind"]), *own])].append(str(entry["file"]))
    return [
        f"{len(scans)} scans of {piece} ({', '.join(scans)}), one is wanted"
        for piece, scans in files.items()
        if len(scans) > 1
    ]


def _pictured_twice(folder: Path, index: Sequence[Mapping[str, Any]]) -> list[str]:
    pictures: dict[tuple[str, bytes], list[str]] = defaultdict(list)
    for entry in index:
        path = folder / str(entry["file"])
        if entry["kind"] in ONE_OF_A_KIND and path.is_file():
            names = pictures[str(entry["kind"]), path.read_bytes()]
            if str(entry["file"]) not in names:
                names.append(str(entry["file"]))
    return [f"{' and '.join(names)} are the same picture" for names in pictures.values() if len(names) > 1]
