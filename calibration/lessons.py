"""A box in the making: which pieces it has, what was shown of each, and what is still missing.

Lives in the box's own folder, so that a box stays one folder: ``boxes/NAME/lessons`` holds
``layout.json`` and ``index.json`` with the pictures that they name, in the form in which flat scans
come (``calibration.teach``), and all views that were taken under ``views``. Every step is on the disk
before it is answered, so that an evening's work can be put down and taken up again.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fuse import fused
from companion.ports import Pixels
from companion.settings import CannotStart, home
from companion.table.boxes import NAME

LESSONS, LAYOUT, INDEX, VIEWS, BEGUN = "lessons", "layout.json", "index.json", "views", "lessons.json"
FORMAT = 1
MOST_VIEWS = 8
WANTED_VIEWS = {"token": 3, "order": 3, "order_back": 2, "card": 1, "upgrade": 2}
"""Views asked for of each kind, one of any other: a token lies at any turn, under any lamp."""

PIECE = re.compile(r"[A-Za-z0-9_-]{1,60}")
AROUND_MM = 1.0  # kept around a piece
KINDS = ("token", "order", "order_back", "card", "card_back", "upgrade", "upgrade_back", "board")
FOLDERS = {
    "token": "tokens",
    "order": "orders",
    "order_back": "orders",
    "card": "cards",
    "card_back": "cards",
    "upgrade": "upgrades",
    "upgrade_back": "upgrades",
    "board": "boards",
}


class LessonsUnusable(CannotStart):
    """Lessons that are not there, or cannot be read or written. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to be taught. ``names`` are what ``index.json`` tells it from others by.

    ``title`` is what the box itself calls it, if it does.
    """

    kind: str
    name: str
    size_mm: tuple[float, float]
    names: Mapping[str, str] = field(default_factory=dict, hash=False)
    title: str = ""

    @property
    def id(self) -> str:
        return f"{self.kind}.{self.name}"

    @property
    def is_flat_card(self) -> bool:
        """Whether it is laid in a frame of the card sheet, not in the ring."""
        return self.kind in ("card", "card_back")

    @property
    def views_wanted(self) -> int:
        return WANTED_VIEWS.get(self.kind, 1)

    @property
    def file(self) -> str:
        suffix = "jpg" if self.kind == "board" else "png"
        return f"{FOLDERS[self.kind]}/{self.name}.{suffix}"


def pieces_of(layout: Mapping[str, Any]) -> tuple[Piece, ...]:
    """Return everything that a layout's box is made of, in the order in which it is best taught."""
    sizes, players = layout["piece_sizes"], list(layout.get("players", ()))
    printed = {
        slot["printed_monster"]
        for board in layout["boards"].values()
        for slot in board.get("slots", ())
        if "printed_monster" in slot
    }
    found = [
        Piece("token", kind, _around(outline, sizes["token"]), {"token_kind": kind})
        for kind, outline in layout["token_outlines"].items()
    ]
    order_mm = _around(layout.get("order_outline"), sizes.get("order", 0.0))
    found += [
        Piece("order", colour, order_mm, {"order_colour": colour, "order_secondary": second})
        for colour, second in layout.get("order_secondary", {}).items()
    ]
    if layout.get("order_secondary"):
        found += [Piece("order_back", f"back_{one}", order_mm, {"player": one}) for one in players]
    tile, card = _pair(sizes["upgrade"]), _pair(sizes["card"])
    found += [
        Piece("upgrade", tile_name, tile, {"upgrade_id": tile_name}) for tile_name in layout["upgrades"]
    ]
    if layout["upgrades"]:
        found.append(Piece("upgrade_back", "back", tile))
    cards = [name for name in layout["cards"] if name not in printed]
    called = {name: str(layout["cards"][name].get("name") or "") for name in cards}
    found += [Piece("card", name, card, {"card_id": name}, called[name]) for name in cards]
    if cards:
        found.append(Piece("card_back", "back", card))
    for board, row in layout["boards"].items():
        owners = board_owners(layout, board)
        for owner in owners or ("",):
            names = {"board": board} | ({"player": owner} if owner else {})
            found.append(Piece("board", f"{board}_{owner}" if owner else board, _pair(row["size"]), names))
    return tuple(found)


def board_owners(layout: Mapping[str, Any], board: str) -> tuple[str, ...]:
    """Return the players who have a board of this kind of their own, empty if all share it."""
    row = layout["boards"][board]
    if "owners" in row:
        return tuple(row["owners"])
    return tuple(layout.get("players", ())) if board == "lab" else ()


def _pair(size: Sequence[float] | float) -> tuple[float, float]:
    pair = (size, size) if isinstance(size, int | float) else size
    return float(pair[0]), float(pair[1])


def _around(outline: Any, across_mm: float) -> tuple[float, float]:
    """Return the size of the picture of a piece with an outline, with a little around it."""
    reach = across_mm / 2
    if outline is not None and len(outline):
        reach = float(np.abs(np.asarray(outline, float)).max())
    return (2 * reach + 2 * AROUND_MM,) * 2


def lessons_folder(box: str) -> Path:
    """Return where the lessons of a box lie. Raises LessonsUnusable for what is no name."""
    if not NAME.fullmatch(box):
        raise LessonsUnusable(f"{box!r} is no name for a box; use letters, digits, - and _, at most 40.")
    return home() / "boxes" / box / LESSONS


def all_lessons() -> tuple[str, ...]:
    """Return the names of the boxes that have lessons, sorted."""
    found = (path.parent.parent.name for path in (home() / "boxes").glob(f"*/{LESSONS}/{LAYOUT}"))
    return tuple(sorted(name for name in found if not name.startswith(".")))


def begin(box: str, layout: Mapping[str, Any], *, game: str) -> Lessons:
    """Begin to teach a box with a layout. Raises LessonsUnusable if lessons are there already."""
    folder = lessons_folder(box)
    if (folder / LAYOUT).exists():
        raise LessonsUnusable(
            f"The box {box} is being taught already. Go on with it, or choose another name."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_json(folder / BEGUN, {"format": FORMAT, "game": game})
        _write_json(folder / INDEX, [])
        _write_json(folder / LAYOUT, layout)
    except OSError as fault:
        raise LessonsUnusable(f"{folder} cannot be written: {fault.strerror or fault}.") from fault
    return open_lessons(box)


def open_lessons(box: str) -> Lessons:
    """Open the lessons of a box. Raises LessonsUnusable."""
    folder = lessons_folder(box)
    lessons = Lessons(folder)
    lessons.layout  # noqa: B018 (says at once what is wrong)
    return lessons


class Lessons:
    """What was taught of one box so far; every call reads and writes the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def box(self) -> str:
        return self.folder.parent.name

    @property
    def game(self) -> str:
        told = self._read(BEGUN) if (self.folder / BEGUN).is_file() else {}
        return str(told.get("game", "")) if isinstance(told, dict) else ""

    @property
    def layout(self) -> dict[str, Any]:
        told = self._read(LAYOUT)
        if not isinstance(told, dict):
            raise LessonsUnusable(f"{self.folder / LAYOUT} is no layout of a box.")
        return told

    @property
    def index(self) -> list[dict[str, Any]]:
        told = self._read(INDEX)
        return told if isinstance(told, list) else []

    def pieces(self) -> tuple[Piece, ...]:
        return pieces_of(self.layout)

    def piece(self, piece_id: str) -> Piece | None:
        return next((piece for piece in self.pieces() if piece.id == piece_id), None)

    def taught(self) -> frozenset[str]:
        """Return the ids of the pieces that have a picture."""
        rows = {row["file"] for row in self.index}
        return frozenset(piece.id for piece in self.pieces() if piece.file in rows)

    def views(self, piece: Piece) -> tuple[Path, ...]:
        """Return the views taken of a piece, oldest first."""
        return tuple(sorted((self.folder / VIEWS / piece.id).glob("*.png")))

    def picture(self, piece: Piece) -> Path | None:
        """Return the picture that a piece is taught by, None while there is none."""
        path = self.folder / piece.file
        return path if path.is_file() else None

    def change_layout(self, layout: Mapping[str, Any]) -> None:
        """Replace the layout. Pictures of pieces that it no longer has stay until they are taken away."""
        with self._alone():
            self._write(LAYOUT, layout)

    def add_view(self, piece: Piece, pixels: Pixels, px_per_mm: float) -> int:
        """Keep a view of a piece and make its picture anew; return how many views there are."""
        with self._alone():
            folder = self.folder / VIEWS / piece.id
            folder.mkdir(parents=True, exist_ok=True)
            numbers = [int(path.stem) for path in self.views(piece)]
            while len(numbers) >= MOST_VIEWS:
                (folder / f"{numbers.pop(0):03}.png").unlink(missing_ok=True)
            _write_picture(folder / f"{max(numbers, default=0) + 1:03}.png", pixels)
            self._renew(piece, px_per_mm)
            return len(self.views(piece))

    def set_picture(self, piece: Piece, pixels: Pixels, px_per_mm: float, **more: Any) -> None:
        """Give a piece its picture as it is, such as that of a board."""
        with self._alone():
            self._put(piece, pixels, px_per_mm, **more)

    def drop_view(self, piece: Piece, number: int) -> None:
        """Take a view of a piece back."""
        with self._alone():
            (self.folder / VIEWS / piece.id / f"{number:03}.png").unlink(missing_ok=True)
            self._renew(piece, self._scale(piece))

    def forget(self, piece: Piece) -> None:
        """Take back everything that was shown of a piece."""
        with self._alone():
            shutil.rmtree(self.folder / VIEWS / piece.id, ignore_errors=True)
            self._unput(piece)

    def give_outline(self, piece: Piece, outline_mm: NDArray[np.float64]) -> None:
        """Say how the outline of a token runs, about its middle."""
        with self._alone():
            layout = self.layout
            layout["token_outlines"][piece.name] = np.round(outline_mm, 2).tolist()
            self._write(LAYOUT, layout)

    def _scale(self, piece: Piece) -> float:
        rows = [row for row in self.index if row["file"] == piece.file]
        return float(rows[0]["px_per_mm"]) if rows else 1.0

    def _renew(self, piece: Piece, px_per_mm: float) -> None:
        pictures = [seen for path in self.views(piece) if (seen := cv2.imread(str(path))) is not None]
        if not pictures:
            self._unput(piece)
            return
        turns = piece.kind in ("token", "order", "order_back")
        self._put(piece, fused([np.asarray(p, np.uint8) for p in pictures], turns=turns), px_per_mm)

    def _put(self, piece: Piece, pixels: Pixels, px_per_mm: float, **more: Any) -> None:
        path = self.folder / piece.file
        path.parent.mkdir(exist_ok=True)
        _write_picture(path, pixels)
        height, width = pixels.shape[:2]
        size_mm = [round(width / px_per_mm, 2), round(height / px_per_mm, 2)]
        row = {"file": piece.file, "px_per_mm": px_per_mm, "kind": piece.kind, **piece.names, **more}
        row["is_placed"] = True  # it was cut out where its outline runs
        kept = [one for one in self.index if one["file"] != piece.file]
        self._write(INDEX, [*kept, {**row, "image_mm": size_mm}])

    def _unput(self, piece: Piece) -> None:
        self._write(INDEX, [one for one in self.index if one["file"] != piece.file])
        (self.folder / piece.file).unlink(missing_ok=True)

    def _read(self, name: str) -> Any:
        path = self.folder / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as fault:
            raise LessonsUnusable(f"The box {self.box} is not being taught: {path} is missing.") from fault
        except (OSError, ValueError, RecursionError) as fault:
            raise LessonsUnusable(f"{path} cannot be read: {fault}.") from fault

    def _write(self, name: str, told: Any) -> None:
        try:
            _write_json(self.folder / name, told)
        except OSError as fault:
            path = self.folder / name
            raise LessonsUnusable(f"{path} cannot be written: {fault.strerror or fault}.") from fault

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two phones that teach at once never lose each other's views."""
        try:
            file = (self.folder / ".lock").open("w")
        except OSError as fault:
            raise LessonsUnusable(f"{self.folder} cannot be changed: {fault.strerror or fault}.") from fault
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _write_json(path: Path, told: Any) -> None:
    """Write a file whole or not at all, also through a power cut."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _write_picture(path: Path, pixels: Pixels) -> None:
    """Write a picture by its suffix, whole or not at all. Raises LessonsUnusable."""
    quality = (cv2.IMWRITE_JPEG_QUALITY, 93) if path.suffix == ".jpg" else (cv2.IMWRITE_PNG_COMPRESSION, 3)
    done, coded = cv2.imencode(path.suffix, pixels, quality)
    assert done
    fresh = path.with_name(f".{path.name}")
    try:
        fresh.write_bytes(coded.tobytes())
        fresh.replace(path)
    except OSError as fault:
        raise LessonsUnusable(f"{path} cannot be written: {fault.strerror or fault}.") from fault
