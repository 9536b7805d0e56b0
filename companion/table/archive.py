"""One .zip written from files, and read back with distrust: what boxes and backups share.

A manifest says format and every file with its size and SHA-256. What is read is looked at before it is
unpacked: only names that may be there, plain files, within bounds, each as long as it says.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from companion.table.archive_faults import ArchiveRefused

MB = 1024 * 1024
MOST_SQUEEZED = 150  # times; a drawing of one colour is squeezed as much, a bomb a thousand times
SQUEEZED_FROM_BYTES = MB
CHUNK_BYTES = 256 * 1024
PICTURES = (".jpg", ".png")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an archive of a kind (``box``, ``backup``) may be; ``most_of`` is how large a file may be."""

    kind: str
    manifest: str
    format: int
    allowed: re.Pattern[str]
    most_archive_bytes: int
    most_bytes: int
    most_files: int
    most_of: Callable[[str], int]

    def refused(self, reason: str, values: Mapping[str, Any] | None = None) -> ArchiveRefused:
        """Return why an archive of this kind is refused."""
        return ArchiveRefused(reason, values, kind=self.kind)


@dataclass(frozen=True, slots=True)
class Exported:
    """An archive that was written: how many files and bytes it has."""

    files: int
    bytes: int


def write_archive(
    file: IO[bytes], bounds: Bounds, about: Mapping[str, Any], files: Iterable[tuple[str, Path]]
) -> Exported:
    """Write files under their names, and a manifest that says ``about`` besides. Raises OSError."""
    listed: dict[str, tuple[int, str]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files:
            how = zipfile.ZIP_STORED if name.endswith(PICTURES) else zipfile.ZIP_DEFLATED
            listed[name] = _pack(archive, _info(name, how), path)
        told = {"format": bounds.format, **about, "files": listed}
        archive.writestr(_info(bounds.manifest, zipfile.ZIP_DEFLATED), json.dumps(told, indent=1))
    return Exported(len(listed), sum(size for size, _ in listed.values()))


def _pack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> tuple[int, str]:
    size, digest = 0, hashlib.sha256()
    with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as packed:
        while chunk := source.read(CHUNK_BYTES):
            packed.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()


def _info(name: str, how: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same files give the same archive
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    info.compress_type = how
    return info


def open_archive(file: IO[bytes], bounds: Bounds) -> zipfile.ZipFile:
    """Open an archive; close it in the end. Raises ArchiveRefused."""
    file.seek(0, 2)
    if file.tell() > bounds.most_archive_bytes:
        raise bounds.refused("too_large", {"most": bounds.most_archive_bytes // MB})
    file.seek(0)
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
        raise bounds.refused("no_archive") from fault


def look_over(archive: zipfile.ZipFile, bounds: Bounds) -> Mapping[str, zipfile.ZipInfo]:
    """Judge an archive by its table of contents, before anything is unpacked. Raises ArchiveRefused."""
    infos = archive.infolist()
    if len(infos) > bounds.most_files:
        raise bounds.refused("too_many", {"count": len(infos), "most": bounds.most_files})
    if sum(info.file_size for info in infos) > bounds.most_bytes:
        raise bounds.refused("bomb", {"most": bounds.most_bytes // MB})
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        _check_entry(info, bounds)
        if info.is_dir():
            continue
        folded = info.filename.casefold()
        if folded in found:
            raise bounds.refused("twice", {"file": info.filename})
        found[folded] = info
    _check_apart(infos, bounds)
    return {info.filename: info for info in found.values()}


def _check_entry(info: zipfile.ZipInfo, bounds: Bounds) -> None:
    name = info.filename
    shown = {"file": name[:80]}
    # ``orig_filename`` is the name before zipfile cut it at a zero or turned its slashes.
    if info.orig_filename != name or "\\" in name or name.startswith("/") or ":" in name:
        raise bounds.refused("path", shown)
    if any(part in ("", ".", "..") for part in name.rstrip("/").split("/")):
        raise bounds.refused("path", shown)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise bounds.refused("link", shown)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise bounds.refused("device", shown)
    if info.is_dir():
        return
    if name != bounds.manifest and not bounds.allowed.fullmatch(name):
        raise bounds.refused("stranger", shown)
    if info.flag_bits & 0x1:
        raise bounds.refused("locked", shown)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise bounds.refused("packed", shown)
    most = bounds.most_of(name)
    if info.file_size > most:
        raise bounds.refused("bomb", {"most": most // MB})
    is_large = info.file_size > SQUEEZED_FROM_BYTES
    if is_large and info.file_size > MOST_SQUEEZED * max(info.compress_size, 1):
        raise bounds.refused("bomb", {"most": bounds.most_bytes // MB})


def _check_apart(infos: list[zipfile.ZipInfo], bounds: Bounds) -> None:
    """Refuse files that share their packed bytes: the trick by which a small archive becomes endless."""
    spans = sorted((info.header_offset, info.header_offset + info.compress_size) for info in infos)
    for (_, end), (start, _) in pairwise(spans):
        if start < end:
            raise bounds.refused("overlap")


def read_manifest(archive: zipfile.ZipFile, bounds: Bounds) -> Mapping[str, Any]:
    """Return what an archive says of itself; its files are a table. Raises ArchiveRefused."""
    unreadable = bounds.refused("unreadable", {"file": bounds.manifest})
    try:
        told = json.loads(content_of(archive, archive.getinfo(bounds.manifest), bounds))
    except KeyError as fault:
        raise bounds.refused("no_manifest", {"file": bounds.manifest}) from fault
    except (ValueError, RecursionError) as fault:
        raise unreadable from fault
    if not isinstance(told, dict) or not isinstance(told.get("files"), dict):
        raise unreadable
    if told.get("format") != bounds.format:
        raise bounds.refused("version", {"format": str(told.get("format"))[:20], "known": bounds.format})
    return told


def content_of(archive: zipfile.ZipFile, info: zipfile.ZipInfo, bounds: Bounds) -> bytes:
    """Unpack one file into memory, never more of it than its entry says. Raises ArchiveRefused."""
    pieces: list[bytes] = []
    _pour(archive, info, bounds, pieces.append)
    return b"".join(pieces)


def unpack(
    archive: zipfile.ZipFile,
    found: Mapping[str, zipfile.ZipInfo],
    listed: Mapping[str, Any],
    bounds: Bounds,
    folder: Path,
) -> None:
    """Unpack every file that the manifest lists into a folder, and nothing else. Raises ArchiveRefused."""
    missing = sorted(set(listed) - set(found))
    if missing:
        raise bounds.refused("missing", {"file": missing[0][:80]})
    for name, info in found.items():
        if name == bounds.manifest:
            continue
        if name not in listed:
            raise bounds.refused("unlisted", {"file": name})
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        with path.open("wb") as out:

            def take(chunk: bytes, out: IO[bytes] = out, digest: Any = digest) -> None:
                out.write(chunk)
                digest.update(chunk)

            size = _pour(archive, info, bounds, take)
        if listed[name] != [size, digest.hexdigest()]:
            raise bounds.refused("changed", {"file": name})


def _pour(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, bounds: Bounds, take: Callable[[bytes], object]
) -> int:
    damaged = bounds.refused("damaged", {"file": info.filename})
    poured = 0
    try:
        with archive.open(info) as packed:
            while chunk := packed.read(min(CHUNK_BYTES, info.file_size + 1 - poured)):
                poured += len(chunk)
                if poured > info.file_size:
                    raise damaged
                take(chunk)
    except OSError as fault:
        if fault.errno is not None:
            raise  # the disk's, not the archive's
        raise damaged from fault
    except ArchiveRefused:
        raise
    except Exception as fault:  # zlib.error has no class of its own that zipfile lets through
        raise damaged from fault
    if poured != info.file_size:
        raise damaged
    return poured
