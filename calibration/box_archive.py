"""A box as one .zip: written from its folder, and read back with distrust (see ``companion.table.archive``).

``companion-box.json`` says format, name and every file; the files stand beside it as in the box's folder. A
box is unpacked beside the shelf and put there whole, or not at all. docs/reference/box-archive.md describes
the format.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from companion.table.archive import (
    MB,
    PICTURES,
    Bounds,
    Exported,
    look_over,
    open_archive,
    read_manifest,
    unpack,
    write_archive,
)
from companion.table.archive_contents import check_art, check_picture, check_told
from companion.table.archive_faults import ArchiveRefused
from companion.table.boxes import NAME
from vision.box import ART_FILE, BOX_FILE, CATALOGUE_FILE, BoxNotTaught, load_box

FORMAT = 1
MANIFEST = "companion-box.json"
MOST_ARCHIVE_BYTES = 400 * MB
MOST_BYTES = 800 * MB
MOST_FILE_BYTES = 400 * MB
MOST_JSON_BYTES = 16 * MB
MOST_PICTURE_BYTES = 40 * MB
MOST_FILES = 6000

_ID = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}"
ALLOWED = re.compile(
    rf"(?:box\.json|catalogue\.json|dice\.json|art\.npz"
    rf"|pictures/{_ID}/{_ID}\.jpg"
    rf"|lessons/(?:layout|index|lessons|findings)\.json"
    rf"|lessons/(?:tokens|orders|cards|upgrades|boards)/{_ID}\.(?:png|jpg)"
    rf"|lessons/views/{_ID}/\d{{3}}\.png"
    rf"|corrections/(?:corrections\.json|\d{{1,6}}\.png))"
)
"""Every file that a box may have, and no other."""

LESSONS = "lessons/"


def _most_bytes(name: str) -> int:
    if name.endswith(".json"):
        return MOST_JSON_BYTES
    return MOST_FILE_BYTES if name == ART_FILE else MOST_PICTURE_BYTES


BOUNDS = Bounds("box", MANIFEST, FORMAT, ALLOWED, MOST_ARCHIVE_BYTES, MOST_BYTES, MOST_FILES, _most_bytes)


def export_box(folder: Path, file: IO[bytes], *, with_lessons: bool = True) -> Exported:
    """Write a box's folder as an archive. Raises OSError, and ArchiveRefused for a folder without a box."""
    names = [name for name in _names_in(folder) if with_lessons or not name.startswith(LESSONS)]
    if not {CATALOGUE_FILE, "lessons/layout.json"} & set(names):
        raise ArchiveRefused("nothing", {"name": folder.name})
    return write_archive(file, BOUNDS, {"name": folder.name}, [(name, folder / name) for name in names])


def _names_in(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and ALLOWED.fullmatch(name):
            yield name


def import_box(file: IO[bytes], boxes_folder: Path, *, name: str = "") -> str:
    """Put an archive's box on the shelf, by its own name or another; return it.

    Raises ArchiveRefused with the reason, and then the shelf is as it was; OSError for a full disk.
    """
    with open_archive(file, BOUNDS) as archive:
        found = look_over(archive, BOUNDS)
        told = read_manifest(archive, BOUNDS)
        if "name" not in told:
            raise ArchiveRefused("unreadable", {"file": MANIFEST})
        called = name or str(told["name"])
        if not NAME.fullmatch(called):
            raise ArchiveRefused("name", {"name": called[:60]})
        goal = boxes_folder / called
        if goal.exists():
            raise ArchiveRefused("exists", {"name": called})
        boxes_folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{called}-", dir=boxes_folder))
        try:
            fresh.chmod(0o755)
            unpack(archive, found, told["files"], BOUNDS, fresh)
            _check(fresh)
            fresh.rename(goal)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    return called


def _check(folder: Path) -> None:
    """See that what was unpacked is a box that can be opened."""
    for name in _names_in(folder):
        if name.endswith(PICTURES):
            check_picture(name, (folder / name).read_bytes())
        elif name.endswith(".json"):
            check_told(name, (folder / name).read_bytes())
    has_eyes = (folder / BOX_FILE).is_file()
    if not (folder / CATALOGUE_FILE).is_file() and not (folder / "lessons/layout.json").is_file():
        raise ArchiveRefused("nothing", {"name": folder.name.strip(".")})
    if has_eyes:
        if (folder / ART_FILE).is_file():
            check_art(folder / ART_FILE)
        try:
            load_box(folder)
        except BoxNotTaught as fault:
            raise ArchiveRefused(
                "no_box", {"text": str(fault).replace(f"{folder}", "the archive")}
            ) from fault
