"""A box as one .zip: written from its folder, and read back with distrust.

``companion-box.json`` says format, name and every file with its size and SHA-256; the files stand
beside it as in the box's folder. What is read is looked at before it is unpacked: only names that a
box has, plain files, within bounds, each as long as it says. A box is unpacked beside the shelf and
put there whole, or not at all. docs/reference/box-archive.md describes the format.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from calibration.archive_contents import check_art, check_picture, check_told
from calibration.archive_faults import ArchiveRefused
from companion.table.boxes import NAME
from vision.box import ART_FILE, BOX_FILE, CATALOGUE_FILE, BoxNotTaught, load_box

FORMAT = 1
MANIFEST = "companion-box.json"
MB = 1024 * 1024
MOST_ARCHIVE_BYTES = 400 * MB
MOST_BYTES = 800 * MB
MOST_FILE_BYTES = 400 * MB
MOST_JSON_BYTES = 16 * MB
MOST_PICTURE_BYTES = 40 * MB
MOST_FILES = 6000
MOST_SQUEEZED = 150  # times; a drawing of one colour is squeezed as much, a bomb a thousand times
SQUEEZED_FROM_BYTES = MB
CHUNK_BYTES = 256 * 1024

_ID = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}"
ALLOWED = re.compile(
    rf"(?:box\.json|catalogue\.json|art\.npz"
    rf"|pictures/{_ID}/{_ID}\.jpg"
    rf"|lessons/(?:layout|index|lessons|findings)\.json"
    rf"|lessons/(?:tokens|orders|cards|upgrades|boards)/{_ID}\.(?:png|jpg)"
    rf"|lessons/views/{_ID}/\d{{3}}\.png"
    rf"|corrections/(?:corrections\.json|\d{{1,6}}\.png))"
)
"""Every file that a box may have, and no other."""

LESSONS = "lessons/"


@dataclass(frozen=True, slots=True)
class Exported:
    """An archive that was written: how many files and bytes it has."""

    files: int
    bytes: int


def export_box(folder: Path, file: IO[bytes], *, with_lessons: bool = True) -> Exported:
    """Write a box's folder as an archive. Raises OSError, and ArchiveRefused for a folder without a box."""
    names = [name for name in _names_in(folder) if with_lessons or not name.startswith(LESSONS)]
    if not {CATALOGUE_FILE, "lessons/layout.json"} & set(names):
        raise ArchiveRefused("nothing", {"name": folder.name})
    listed: dict[str, tuple[int, str]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            content = (folder / name).read_bytes()
            how = zipfile.ZIP_STORED if name.endswith((".jpg", ".png")) else zipfile.ZIP_DEFLATED
            archive.writestr(_info(name), content, how)
            listed[name] = (len(content), hashlib.sha256(content).hexdigest())
        told = {"format": FORMAT, "name": folder.name, "files": listed}
        archive.writestr(_info(MANIFEST), json.dumps(told, indent=1))
    return Exported(len(names), sum(size for size, _ in listed.values()))


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same box gives the same archive
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _names_in(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and ALLOWED.fullmatch(name):
            yield name


def import_box(file: IO[bytes], boxes_folder: Path, *, name: str = "") -> str:
    """Put an archive's box on the shelf, by its own name or another; return it.

    Raises ArchiveRefused with the reason, and then the shelf is as it was; OSError for a full disk.
    """
    with _opened(file) as archive:
        listed = _look_over(archive)
        told = _manifest(archive)
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
            _unpack(archive, listed, told["files"], fresh)
            _check(fresh)
            fresh.rename(goal)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    return called


def _opened(file: IO[bytes]) -> zipfile.ZipFile:
    file.seek(0, 2)
    if file.tell() > MOST_ARCHIVE_BYTES:
        raise ArchiveRefused("too_large", {"most": MOST_ARCHIVE_BYTES // MB})
    file.seek(0)
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
        raise ArchiveRefused("no_archive") from fault


def _look_over(archive: zipfile.ZipFile) -> Mapping[str, zipfile.ZipInfo]:
    """Judge an archive by its table of contents, before anything is unpacked."""
    infos = archive.infolist()
    if len(infos) > MOST_FILES:
        raise ArchiveRefused("too_many", {"count": len(infos), "most": MOST_FILES})
    if sum(info.file_size for info in infos) > MOST_BYTES:
        raise ArchiveRefused("bomb", {"most": MOST_BYTES // MB})
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        _check_entry(info)
        if info.is_dir():
            continue
        folded = info.filename.casefold()
        if folded in found:
            raise ArchiveRefused("twice", {"file": info.filename})
        found[folded] = info
    _check_apart(infos)
    return {info.filename: info for info in found.values()}


def _check_entry(info: zipfile.ZipInfo) -> None:
    name = info.filename
    shown = {"file": name[:80]}
    # ``orig_filename`` is the name before zipfile cut it at a zero or turned its slashes.
    if info.orig_filename != name or "\\" in name or name.startswith("/") or ":" in name:
        raise ArchiveRefused("path", shown)
    if any(part in ("", ".", "..") for part in name.rstrip("/").split("/")):
        raise ArchiveRefused("path", shown)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise ArchiveRefused("link", shown)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveRefused("device", shown)
    if info.is_dir():
        return
    if name != MANIFEST and not ALLOWED.fullmatch(name):
        raise ArchiveRefused("stranger", shown)
    if info.flag_bits & 0x1:
        raise ArchiveRefused("locked", shown)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveRefused("packed", shown)
    if info.file_size > _most_bytes(name):
        raise ArchiveRefused("bomb", {"most": _most_bytes(name) // MB})
    is_large = info.file_size > SQUEEZED_FROM_BYTES
    if is_large and info.file_size > MOST_SQUEEZED * max(info.compress_size, 1):
        raise ArchiveRefused("bomb", {"most": MOST_BYTES // MB})


def _most_bytes(name: str) -> int:
    if name.endswith(".json"):
        return MOST_JSON_BYTES
    return MOST_FILE_BYTES if name == ART_FILE else MOST_PICTURE_BYTES


def _check_apart(infos: list[zipfile.ZipInfo]) -> None:
    """Refuse files that share their packed bytes: the trick by which a small archive becomes endless."""
    spans = sorted((info.header_offset, info.header_offset + info.compress_size) for info in infos)
    for (_, end), (start, _) in pairwise(spans):
        if start < end:
            raise ArchiveRefused("overlap")


def _manifest(archive: zipfile.ZipFile) -> Mapping[str, Any]:
    try:
        told = json.loads(_content(archive, archive.getinfo(MANIFEST)))
    except KeyError as fault:
        raise ArchiveRefused("no_manifest") from fault
    except (ValueError, RecursionError) as fault:
        raise ArchiveRefused("unreadable", {"file": MANIFEST}) from fault
    if not isinstance(told, dict) or not isinstance(told.get("files"), dict) or "name" not in told:
        raise ArchiveRefused("unreadable", {"file": MANIFEST})
    if told.get("format") != FORMAT:
        raise ArchiveRefused("version", {"format": str(told.get("format"))[:20], "known": FORMAT})
    return told


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack one file, never more of it than its entry says."""
    try:
        with archive.open(info) as packed:
            content = packed.read(info.file_size + 1)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as fault:
        raise ArchiveRefused("damaged", {"file": info.filename}) from fault
    except Exception as fault:  # zlib.error has no class of its own that zipfile lets through
        raise ArchiveRefused("damaged", {"file": info.filename}) from fault
    if len(content) != info.file_size:
        raise ArchiveRefused("damaged", {"file": info.filename})
    return content


def _unpack(
    archive: zipfile.ZipFile, found: Mapping[str, zipfile.ZipInfo], listed: Mapping[str, Any], folder: Path
) -> None:
    missing = sorted(set(listed) - set(found))
    if missing:
        raise ArchiveRefused("missing", {"file": missing[0][:80]})
    for name, info in found.items():
        if name == MANIFEST:
            continue
        if name not in listed:
            raise ArchiveRefused("unlisted", {"file": name})
        content = _content(archive, info)
        if listed[name] != [len(content), hashlib.sha256(content).hexdigest()]:
            raise ArchiveRefused("changed", {"file": name})
        if name.endswith((".jpg", ".png")):
            check_picture(name, content)
        elif name.endswith(".json"):
            check_told(name, content)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _check(folder: Path) -> None:
    """See that what was unpacked is a box that can be opened."""
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
