"""Live eyes over a drawn tray: what is told, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

import cv2
import numpy as np

from companion.board import EMPTY, BoardId, BoardLayout, PieceKind, Place, Space, SpaceId, SpaceKind, Tag
from companion.ports import (
    HIDDEN,
    UNKNOWN,
    BoardReading,
    DeviceState,
    Frame,
    LoosePiece,
    Obstacle,
    Pixels,
    Reading,
    SpaceReading,
)
from vision.box import Card, PartSpace, TaughtBox, Tile, Token, parts_of
from vision.find_boards import find_by_tags
from vision.find_tags import TagPatterns
from vision.flatten import flatten
from vision.pose import BoardPose
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

    def find(self, pixels: Pixels) -> tuple[BoardPose, ...]:
        return find_by_tags(pixels, (tray(),), self.patterns, tag_mm=TAG_MM)

    def read_boards(self, pixels, poses, *, spaces=None):
        return {pose.board: self._read(pixels, pose, spaces[pose.board]) for pose in poses}, self.loose

    def crop(self, pixels: Pixels, pose: BoardPose, space_id: SpaceId) -> bytes:
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
) -> Pixels:
    """A picture of a table with the tray; ``arm`` reaches from the lower edge to a point."""
    grain = np.random.default_rng(3).integers(70, 100, (HIGH // 40, WIDE // 8, 3), dtype=np.uint8)
    picture = cv2.resize(grain, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    if has_tray:
        laid = cv2.getRotationMatrix2D((450, 270), turn_deg, 1.0)
        laid[:, 2] += (190 + shift_px[0], 90 + shift_px[1])
        art = tray_art(pieces or {}, marker)
        there = cv2.warpAffine(np.ones(art.shape[:2], np.uint8), laid, (WIDE, HIGH)) > 0
        picture = np.where(there[..., None], cv2.warpAffine(art, laid, (WIDE, HIGH)), picture)
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


LAID = {"spot1": "leaf", "spot3": "plum", "card": "sun", "card.part1": "sea"}
SEEN = {
    "spot1": "leaf",
    "spot2": "empty",
    "spot3": "plum",
    "spot4": "empty",
    "card": "sun",
    "card.part0": "empty",
    "card.part1": "sea",
}


def test_the_first_settled_picture_gives_a_whole_steady_reading():
    told = Evening().show(table(LAID))
    assert len(told) == 1
    assert reads(told[0]) == SEEN
    assert all(r.sure for r in told[0].boards[TRAY].spaces.values())
    assert told[0].boards[TRAY].markers == {"red": 1}


def test_a_laid_token_is_told_once_with_its_picture_and_only_its_space_is_read_again():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    told = evening.show(table({**LAID, "spot2": "brick"}))
    assert [reads(reading) for reading in told] == [{**SEEN, "spot2": "brick"}]
    assert list(told[0].crops) == [Place(TRAY, SpaceId("spot2"))]
    assert evening.eyes.asked == [frozenset({"spot2"})] * 3


def test_while_nothing_changes_nothing_is_read_and_nothing_told():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    assert evening.show(table(LAID), frames=40) == []
    assert evening.eyes.asked == []


def test_a_token_on_a_part_of_a_card_does_not_look_like_another_card():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    (told,) = evening.show(table({**LAID, "card.part0": "leaf"}))
    assert reads(told) == {**SEEN, "card.part0": "leaf"}
    assert set().union(*evening.eyes.asked) == {"card.part0"}


def test_another_card_brings_its_own_parts():
    evening = Evening().begun(LAID)
    (told,) = evening.show(table({**LAID, "card": "sea", "card.part1": "leaf"}))
    assert reads(told) == {**{k: v for k, v in SEEN.items() if k != "card.part1"}, "card": "sea"}


def test_a_hand_hides_the_spaces_under_it_and_no_others():
    evening = Evening().begun(LAID)
    (hidden,) = evening.show(table(LAID, arm=px_of("spot2")))
    assert reads(hidden) == {**SEEN, "spot2": HIDDEN}
    assert hidden.crops == {}
    (bare,) = evening.show(table(LAID))
    assert reads(bare) == SEEN
    assert bare.crops == {}


def test_a_token_laid_by_a_hand_is_told_when_the_hand_has_left():
    evening = Evening().begun(LAID)
    laid = {**LAID, "spot2": "brick"}
    assert [reads(r)["spot2"] for r in evening.show(table(laid, arm=px_of("spot2")))] == [HIDDEN]
    (told,) = evening.show(table(laid))
    assert reads(told) == {**SEEN, "spot2": "brick"}


def test_a_hand_that_comes_before_three_looks_delays_the_news_and_spoils_nothing():
    evening = Evening().begun(LAID)
    laid = {**LAID, "spot2": "brick"}
    assert evening.show(table(laid), frames=5) == []  # settled, looked at twice
    told = evening.show(table(laid, arm=px_of("spot2"))) + evening.show(table(laid))
    assert {reads(r)["spot2"] for r in told} == {HIDDEN, "brick"}
    assert reads(told[-1]) == {**SEEN, "spot2": "brick"}


def test_a_bumped_camera_moves_no_pieces():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    told = evening.show(table(LAID, shift_px=(17.0, -9.0), turn_deg=2.0))
    assert evening.eyes.asked == []  # all of them look as before
    assert [reads(reading) for reading in told] == [SEEN]
    before, after = (reading.boards[TRAY].corners_px[0] for reading in (evening.first, told[0]))
    assert np.hypot(after[0] - before[0], after[1] - before[1]) > 10
    assert told[0].crops == {}


def test_a_token_laid_while_the_camera_was_bumped_is_told_after_more_looks():
    evening = Evening().begun(LAID)
    laid = {**LAID, "spot2": "brick"}
    told = evening.show(table(laid, shift_px=(14.0, 6.0), turn_deg=-1.5))
    assert reads(told[-1]) == {**SEEN, "spot2": "brick"}
    (more,) = evening.show(table({**laid, "spot4": "leaf"}, shift_px=(14.0, 6.0), turn_deg=-1.5))
    assert reads(more) == {**SEEN, "spot2": "brick", "spot4": "leaf"}


def test_a_board_turned_around_takes_its_pieces_along():
    evening = Evening().begun(LAID)
    evening.eyes.asked.clear()
    told = evening.show(table({**LAID, "spot4": "leaf"}, turn_deg=180.0))
    assert [reads(reading) for reading in told] == [{**SEEN, "spot4": "leaf"}]
    assert set().union(*evening.eyes.asked) == {"spot4"}
    assert abs(told[0].boards[TRAY].rotation_deg - 180) < 1


def test_a_step_of_the_light_is_no_news():
    evening = Evening().begun(LAID)
    assert evening.show((table(LAID) * 0.75).astype(np.uint8)) == []


def test_a_marker_that_moves_is_told_with_its_new_step():
    evening = Evening().begun(LAID, marker=1)
    (told,) = evening.show(table(LAID, marker=4))
    assert told.boards[TRAY].markers == {"red": 4}
    assert reads(told) == SEEN


def test_a_board_that_was_taken_away_is_unknown_until_it_is_back():
    evening = Evening().begun(LAID)
    (gone,) = evening.show(table(has_tray=False))
    assert set(reads(gone).values()) == {UNKNOWN}
    assert gone.obstacle is Obstacle.BOARD_NOT_FOUND
    assert evening.watch.standing().state is DeviceState.SEARCHING
    back = evening.show(table(LAID), frames=16)
    assert reads(back[-1]) == SEEN
    assert evening.watch.standing().state is DeviceState.LIVE


def test_without_a_board_the_eyes_say_so_once():
    evening = Evening()
    (told,) = evening.show(table(has_tray=False), frames=20)
    assert (told.answer, told.obstacle) == ("unreadable", Obstacle.BOARD_NOT_FOUND)
    assert evening.watch.standing().detail == "no board found"


def test_in_the_dark_the_eyes_ask_for_a_lamp():
    evening = Evening()
    (told,) = evening.show((table(LAID) * 0.03).astype(np.uint8))
    assert told.obstacle is Obstacle.TOO_DARK
    assert evening.watch.standing().state is DeviceState.FAULT


def test_looks_that_contradict_each_other_end_as_unknown_with_both_answers():
    evening = Evening().begun(LAID)
    leaf, plum = PieceKind("leaf"), PieceKind("plum")
    evening.eyes.misreadings = [{"spot2": kind} for kind in (leaf, plum, leaf, plum, leaf, plum)]
    (told,) = evening.show(table({**LAID, "spot2": "brick"}))
    doubted = told.boards[TRAY].spaces[SpaceId("spot2")]
    assert (doubted.reads, doubted.sure) == (UNKNOWN, False)
    assert Place(TRAY, SpaceId("spot2")) in told.crops


def test_one_wrong_look_among_right_ones_is_not_told():
    evening = Evening().begun(LAID)
    evening.eyes.misreadings = [{}, {"spot2": PieceKind("leaf")}]
    (told,) = evening.show(table({**LAID, "spot2": "brick"}))
    assert reads(told) == {**SEEN, "spot2": "brick"}


def test_no_crop_shows_an_order_token():
    evening = Evening().begun(LAID)
    x, y = px_of("spot2")
    evening.eyes.loose = (LoosePiece(PieceKind("order_back"), (x + 40.0, y + 10.0), 0.0, 0.99, sure=True),)
    (told,) = evening.show(table({**LAID, "spot2": "brick", "card": "sea", "card.part1": ""}))
    assert reads(told)["spot2"] == "brick"
    assert [place.space for place in told.crops] == ["card"]
