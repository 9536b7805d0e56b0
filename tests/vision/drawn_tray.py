"""A small box drawn by the tests: a tray with spots, a card space and a track, on a wooden table.

Every piece has a plain colour, so that a reader of a few lines knows them all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import count

import cv2
import numpy as np

from companion.board import EMPTY, BoardId, BoardLayout, PieceKind, Space, SpaceId, SpaceKind, Tag
from companion.ports import BoardReading, DieReading, Frame, LoosePiece, Pixels, Reading, SpaceReading
from vision.box import Card, PartSpace, TaughtBox, Tile, Token, parts_of
from vision.dice_on_boards import Region
from vision.find_boards import find_by_tags
from vision.find_tags import TagPatterns
from vision.finder import Found
from vision.flatten import flatten
from vision.pose import BoardPose, Points
from vision.registration import tags_of, tags_rest
from vision.strain import Glimpse
from vision.watching import LiveWatch

WIDE, HIGH = 1280, 720
PX_PER_MM = 3.0
TRAY = BoardId("tray")
SIZE_MM = (300.0, 180.0)
TAG_MM = 16.0
CARD_MM = (50.0, 70.0)
COLOURS = {
    "leaf": (60, 170, 60),
    "brick": (50, 60, 200),
    "plum": (150, 60, 130),
    "sun": (60, 210, 230),
    "sea": (190, 130, 40),
}
BARE = (120, 120, 120)
CARDS = {"sun": (0, 1), "sea": (0,)}  # the parts of each card
PARTS_MM = {0: (15.0, 50.0), 1: (35.0, 50.0)}
STEPS = 5


def space(name: str, kind: SpaceKind, centre: tuple[float, float], half: tuple[float, float]) -> Space:
    (x, y), (w, h) = centre, half
    return Space(
        SpaceId(name), kind, centre, ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    )


def tray() -> BoardLayout:
    spaces = [space(f"spot{i}", SpaceKind.TOKEN, (20.0 + 40 * i, 50.0), (11.0, 11.0)) for i in range(1, 5)]
    spaces.append(space("card", SpaceKind.CARD, (240.0, 90.0), (25.0, 35.0)))
    spaces += [
        space(f"step_{i}", SpaceKind.TRACK, (30.0 + 30 * i, 130.0), (12.0, 12.0)) for i in range(1, STEPS + 1)
    ]
    tags = tuple(
        Tag(n, at) for n, at in enumerate([(13.0, 13.0), (287.0, 13.0), (287.0, 167.0), (13.0, 167.0)])
    )
    return BoardLayout(TRAY, SIZE_MM, {s.id: s for s in spaces}, tags)


def box() -> TaughtBox:
    layout = tray()
    blank = np.zeros((1, 1, 3), np.uint8)
    cards = {
        PieceKind(k): Card(PieceKind(k), blank, tuple(PartSpace(i, PARTS_MM[i], 8.0) for i in parts))
        for k, parts in CARDS.items()
    }
    ring = 15.0 * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return TaughtBox(
        name="tray",
        layouts={TRAY: layout},
        boards={},
        owners={TRAY: "red"},
        tokens={},
        orders=(("red", Token(PieceKind("order_red"), blank, ring)),),
        cards=cards,
        card_back=None,
        card_mm=CARD_MM,
        tiles=dict[PieceKind, Tile](),
        tile_mm=(30.0, 30.0),
        printed={},
        pile_kinds={},
        track_values={(TRAY, SpaceId(f"step_{i}")): i for i in range(1, STEPS + 1)},
        tag_mm=TAG_MM,
        judgement={},
    )


class ColourEyes:
    """A small reader: every piece of this box is known by its plain colour."""

    def __init__(self) -> None:
        self.box = box()
        self.patterns = TagPatterns.of(self.box.tag_numbers)
        self.asked: list[frozenset[str]] = []
        self.misreadings: list[Mapping[str, PieceKind]] = []  # for the next looks
        self.loose: tuple[LoosePiece, ...] = ()
        self.seen: Glimpse | None = None

    def search(self, pixels: Pixels, *, missed: Collection[BoardId] = ()) -> Found:
        return Found(find_by_tags(pixels, (tray(),), self.patterns, tag_mm=TAG_MM)[0])

    def anchors(self, pose: BoardPose) -> Mapping[str, Points]:
        return {f"tag{number}": corners for number, corners in tags_of(pose, self.box).items()}

    def rests(self, pixels: Pixels, pose: BoardPose) -> bool | None:
        return tags_rest(pixels, pose, self.box, self.patterns)

    def read_boards(
        self, pixels: Pixels, poses: tuple[BoardPose, ...], *, spaces: Mapping[BoardId, Collection[SpaceId]]
    ) -> dict[BoardId, BoardReading]:
        return {pose.board: self._read(pixels, pose, spaces[pose.board]) for pose in poses}

    def read_dice(
        self, pixels: Pixels, poses: tuple[BoardPose, ...], *, within: Region | None = None
    ) -> tuple[DieReading, ...]:
        return ()

    def read_beside(self, pixels: Pixels, poses: tuple[BoardPose, ...]) -> tuple[LoosePiece, ...]:
        return self.loose

    def glimpse(self, pixels: Pixels, pose: BoardPose) -> Glimpse | None:
        return self.seen

    def crop(
        self, pixels: Pixels, pose: BoardPose, space_id: SpaceId, *, card: PieceKind | None = None
    ) -> bytes:
        return b"jpeg of " + space_id.encode()

    def _read(self, pixels: Pixels, pose: BoardPose, wanted: Iterable[SpaceId]) -> BoardReading:
        self.asked.append(frozenset(wanted))
        flat, _ = flatten(pixels, pose)
        seen: dict[SpaceId, SpaceReading] = {}
        markers = {}
        for own in tray().spaces.values():
            if own.kind is SpaceKind.TRACK:
                if self._colour_at(flat, own.centre_mm) == "brick":
                    markers["red"] = int(own.id.removeprefix("step_"))
            elif own.kind is SpaceKind.CARD:
                x, y = own.centre_mm
                kind = self._colour_at(flat, (x, y - 25))
                seen[own.id] = SpaceReading(PieceKind(kind), 0.97, sure=True)
                for index, at in (
                    parts_of(self.box.cards[kind], own.centre_mm, 0.0, CARD_MM) if kind in CARDS else ()
                ):
                    part = self._colour_at(flat, at)
                    part = EMPTY if part == kind else PieceKind(part)
                    seen[SpaceId(f"{own.id}.part{index}")] = SpaceReading(part, 0.97, sure=True)
            else:
                seen[own.id] = SpaceReading(PieceKind(self._colour_at(flat, own.centre_mm)), 0.97, sure=True)
        wrong = self.misreadings.pop(0) if self.misreadings else {}
        seen |= {SpaceId(s): SpaceReading(kind, 0.95, sure=True) for s, kind in wrong.items()}
        asked = {s: r for s, r in seen.items() if s in wanted or s.partition(".")[0] in wanted}
        return BoardReading(pose.board, "tags", pose.corners_px, pose.rotation_deg, asked, markers)

    def _colour_at(self, flat: Pixels, at_mm: tuple[float, float]) -> str:
        x, y = (round(2 * v) for v in at_mm)
        colour = flat[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3).astype(float).mean(axis=0)
        colour *= np.mean(BARE) / flat[160:180, 40:50].astype(float).mean()  # a bare corner tells the light
        near = min({**COLOURS, EMPTY: BARE}.items(), key=lambda item: np.abs(colour - item[1]).sum())
        return near[0]


def tray_art(pieces: Mapping[str, str], marker: int = 1) -> Pixels:
    """The tray from above at 3 px per mm: ``pieces`` by space, parts as ``card.part0``."""
    art = np.full((round(SIZE_MM[1] * PX_PER_MM), round(SIZE_MM[0] * PX_PER_MM), 3), BARE, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for tag in tray().tags:
        sheet = np.pad(cv2.aruco.generateImageMarker(dictionary, tag.number, 48), 6, constant_values=255)
        x, y = (round(PX_PER_MM * v) - 30 for v in tag.centre_mm)
        art[y : y + 60, x : x + 60] = sheet[..., None]
    for own in tray().spaces.values():
        x, y = (round(PX_PER_MM * v) for v in own.centre_mm)
        laid = pieces.get(own.id)
        if own.kind is SpaceKind.CARD and laid:
            cv2.rectangle(art, (x - 75, y - 105), (x + 75, y + 105), COLOURS[laid], -1)
            for index in CARDS[laid]:
                at = tuple(
                    round(PX_PER_MM * (p - s / 2)) + c
                    for p, s, c in zip(PARTS_MM[index], CARD_MM, (x, y), strict=True)
                )
                cv2.circle(art, at, 27, (30, 30, 30), 2)
                if token := pieces.get(f"card.part{index}"):
                    cv2.circle(art, at, 27, COLOURS[token], -1)
            continue
        cv2.circle(art, (x, y), 33, (90, 90, 90), 3)
        if laid or own.id == f"step_{marker}":
            cv2.circle(art, (x, y), 30, COLOURS[laid or "brick"], -1)
    return art


def table(
    pieces: Mapping[str, str] | None = None,
    *,
    marker: int = 1,
    arm: tuple[int, int] | None = None,
    shift_px: tuple[float, float] = (0.0, 0.0),
    turn_deg: float = 0.0,
    has_tray: bool = True,
    token_px: tuple[int, int] | None = None,
) -> Pixels:
    """A picture of a table with the tray; ``arm`` reaches from the lower edge to a point.

    ``token_px`` is where a token lies beside the tray.
    """
    grain = np.random.default_rng(3).integers(70, 100, (HIGH // 40, WIDE // 8, 3), dtype=np.uint8)
    picture = cv2.resize(grain, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    if has_tray:
        laid = cv2.getRotationMatrix2D((450, 270), turn_deg, 1.0)
        laid[:, 2] += (190 + shift_px[0], 90 + shift_px[1])
        art = tray_art(pieces or {}, marker)
        there = cv2.warpAffine(np.ones(art.shape[:2], np.uint8), laid, (WIDE, HIGH)) > 0
        picture = np.where(there[..., None], cv2.warpAffine(art, laid, (WIDE, HIGH)), picture)
    if token_px:
        cv2.circle(picture, token_px, 40, (40, 60, 210), -1)
    if arm:
        cv2.line(picture, arm, (arm[0] + 40, HIGH), (140, 170, 225), 100)
    return np.asarray(picture, np.uint8)


class Evening:
    """A watch and a clock: shows pictures for two seconds each and keeps what was told."""

    def __init__(self) -> None:
        self.eyes = ColourEyes()
        self.watch = LiveWatch(self.eyes, "over the table")
        self._numbers = count()
        chance = np.random.default_rng(11)
        self._grain = chance.normal(0, 1.5, (HIGH + 32, WIDE + 32, 3)).round().astype(np.int16)
        self._chance = chance

    def show(self, picture: Pixels, frames: int = 10) -> list[Reading]:
        told = []
        for _ in range(frames):
            down, right = self._chance.integers(0, 32, 2)
            grain = np.ascontiguousarray(self._grain[down : down + HIGH, right : right + WIDE])
            number = next(self._numbers)
            reading = self.watch.see(Frame(cv2.add(picture, grain, dtype=cv2.CV_8U), number, 200 * number))
            if reading is not None:
                told.append(reading)
        return told

    def begun(self, pieces: Mapping[str, str] | None = None, **how: int) -> Evening:
        self.first = self.show(table(pieces, **how))[-1]
        return self


def reads(reading: Reading) -> dict[str, str]:
    return {str(s): str(r.reads) for s, r in reading.boards[TRAY].spaces.items()}


def px_of(space_id: str) -> tuple[int, int]:
    x, y = tray().spaces[SpaceId(space_id)].centre_mm
    return round(PX_PER_MM * x) + 190, round(PX_PER_MM * y) + 90
