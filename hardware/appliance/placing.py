"""Laying a version's pieces into the system, and taking them away.

``python -I -m hardware.appliance.placing ROOT`` lays them. Run with a slot's own Python, so that each
version lays its own. What lies where is written down with its hash: a file that somebody changed since is
not taken away.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.whole_files import write_whole
from hardware.appliance.durable import remove
from hardware.appliance.pieces import NETWORK, PIECES, Piece, carried
from hardware.appliance.places import Places

WANTED_FOLDERS = (NETWORK, Path("etc/avahi/services"))
"""Folders of other programs: without them their pieces have no reader, and are left out."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of taking pieces away: how many, and which were changed by somebody and kept."""

    removed: int
    kept: tuple[Path, ...]


def place(places: Places, source: Path) -> tuple[Path, ...]:
    """Lay every piece of ``source`` where it belongs; what an earlier version laid besides is taken away.

    Returns the files that are new or other than before.
    """
    before = placed(places)
    made = _made(places)
    wanted = {places.root / piece.target: piece for piece in PIECES if _has_reader(places, piece)}
    changed = []
    for target, piece in wanted.items():
        text = (source / piece.source).read_text(encoding="utf-8")
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            made += [
                folder for folder in reversed(target.parents) if not folder.exists() and folder not in made
            ]
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, text.encode(), mode=piece.mode)
            changed.append(target)
    gone = [target for target in before if target not in wanted]
    for target in gone:
        remove(target)
    told = {
        "files": {str(target.relative_to(places.root)): _hash(target) for target in wanted},
        "folders": [str(folder.relative_to(places.root)) for folder in made],
    }
    write_whole(places.placed, json.dumps(told, indent=1).encode())
    return (*changed, *gone)


def placed(places: Places) -> Mapping[Path, str]:
    """Return the files that lie in the system, with the hashes that they had when they were laid."""
    return {places.root / name: digest for name, digest in _told(places).get("files", {}).items()}


def take_away(places: Places) -> Taken:
    """Take every piece away that is as it was laid."""
    removed, kept = 0, []
    for target, digest in placed(places).items():
        if not target.is_file():
            continue
        if _hash(target) != digest:
            kept.append(target)
            continue
        remove(target)
        removed += 1
    for folder in reversed(_made(places)):
        with suppress(OSError):  # somebody else has laid something there since, or it is gone
            folder.rmdir()
    remove(places.placed)
    return Taken(removed, tuple(kept))


def _made(places: Places) -> list[Path]:
    """Return the folders that were not there before our pieces were, the outer ones first."""
    return [places.root / name for name in _told(places).get("folders", ())]


def _told(places: Places) -> Mapping[str, Any]:
    try:
        told = json.loads(places.placed.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _has_reader(places: Places, piece: Piece) -> bool:
    return all(
        (places.root / folder).is_dir() for folder in WANTED_FOLDERS if piece.target.is_relative_to(folder)
    )


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    place(Places(Path(sys.argv[1])), carried())
