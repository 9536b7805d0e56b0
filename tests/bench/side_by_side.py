"""Ours beside what people use instead, on the same pictures in the same run.

Both sides begin with the picture and the place of the board. Time is what one core did, for all spaces
asked about on a picture; ours measures light and blur in it, too. Naming alone begins later: our board is
drawn flat and its light measured, their spaces are cut out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from companion.board import Space, SpaceId, SpaceKind
from companion.ports import Pixels
from tests.bench.peers import (
    PEER_PX_PER_MM,
    Guess,
    HashPeer,
    HistogramPeer,
    OrbPeer,
    Peer,
    as_floats,
    best_level,
    card_art,
    token_art,
)
from tests.bench.scenes import judge_of, truths_in
from tests.bench.table import Line, Section
from vision.bench import best_ms, detect_with_defaults
from vision.box import ART_PX_PER_MM
from vision.find_tags import TagPatterns, see_tags
from vision.judge import judge_board
from vision.photos import load_photo
from vision.pose import BoardPose
from vision.reader import Reader
from vision.settle import Gate
from vision.sight import BoardSight
from vision.spaces import look_at_spaces

Result = TypeVar("Result")
TOKEN_MM = 24.0


@dataclass(slots=True)
class Side:
    """What one side answered, and the seconds of one core that it took."""

    name: str
    guesses: list[tuple[Guess, str]] = field(default_factory=list)
    took_s: float = 0.0
    naming_s: float = 0.0
    pictures: int = 0

    def count(self, took_s: float, naming_s: float) -> None:
        """Count one picture, whole and from the flat board on."""
        self.took_s += took_s
        self.naming_s += naming_s
        self.pictures += 1

    @property
    def right(self) -> float:
        return 100 * sum(g.sure and g.reads == what for g, what in self.guesses) / max(1, len(self.guesses))

    @property
    def wrong(self) -> int:
        return sum(g.sure and g.reads != what for g, what in self.guesses)

    @property
    def ms(self) -> float:
        return 1000 * self.took_s / max(1, self.pictures)

    @property
    def naming_ms(self) -> float:
        return 1000 * self.naming_s / max(1, self.pictures)


@dataclass(frozen=True, slots=True)
class Asked:
    """One board of one picture: the spaces to tell, and what lies there."""

    pixels: Pixels
    pose: BoardPose
    spaces: Mapping[SpaceId, str]


def side_sections(scenes: Path, reader: Reader, photos: Path) -> Iterator[Section]:
    """Compare on all pictures with tags."""
    cv2.setNumThreads(1)
    kinds = (("card", SpaceKind.CARD), ("token", SpaceKind.TOKEN))
    peers = {kind: _peers(reader, scenes / "A/reference", kind) for kind, _ in kinds}
    sides = {kind: [Side("ours"), *(Side(peer.name) for peer in peers[kind])] for kind, _ in kinds}
    score = judge_of(scenes, "score")
    for truth in truths_in(scenes / "A/truth"):
        if not truth["fiducials_present"]:
            continue
        pixels = load_photo(scenes / "A/frames" / Path(truth["frame"]).name)
        poses = {pose.board: pose for pose in reader.find(pixels)}
        for board in truth["boards"]:
            if board["type"] != "lab" or board["id"] not in poses:
                continue
            pose = poses[board["id"]]
            for kind, space_kind in kinds:
                spaces = _told(board, kind, score, reader.box.layouts[pose.board].spaces, space_kind)
                _ask(Asked(pixels, pose, spaces), reader, sides[kind], peers[kind])
    for kind, _ in kinds:
        yield _section(kind, sides[kind])
    yield _markers(scenes, reader, photos)


def _peers(reader: Reader, scans: Path, kind: str) -> list[Peer]:
    box = reader.box
    wanted = SpaceKind.CARD if kind == "card" else SpaceKind.TOKEN
    bare = {
        f"{board}.{space.id}": _cut(art, _extent(reader, space))
        for board, art in box.boards.items()
        for space in box.layouts[board].spaces.values()
        if space.kind is wanted
    }
    if kind == "card":
        art = card_art(scans, box)
        return [OrbPeer(art, bare), HashPeer(art, bare)]
    art, masks = token_art(box)
    return [HistogramPeer(art, bare, masks)]


def _extent(reader: Reader, space: Space) -> tuple[tuple[float, float], tuple[float, float], float]:
    size = reader.box.card_mm if space.kind is SpaceKind.CARD else (TOKEN_MM, TOKEN_MM)
    return space.centre_mm, size, space.up_deg


def _told(
    board: Mapping[str, Any], kind: str, score: Any, spaces: Mapping[SpaceId, Space], wanted: SpaceKind
) -> dict[SpaceId, str]:
    """Return what lies on the spaces of one kind that can be seen."""
    return {
        SpaceId(space): str(what)
        for space, group, what, seen, _ in score.spaces_of(board)
        if group == kind and seen >= score.SEEN_ENOUGH and space in spaces and spaces[space].kind is wanted
    }


def _ask(asked: Asked, reader: Reader, sides: Sequence[Side], peers: Sequence[Peer]) -> None:
    if not asked.spaces:
        return
    ours, *theirs = sides
    examined, took_s = _timed(lambda: reader.examine(asked.pixels, asked.pose, list(asked.spaces)))
    _, naming_s = _timed(lambda: _named(examined.sight, reader, asked))
    ours.count(took_s, naming_s)
    for space, what in asked.spaces.items():
        seen = examined.reading.spaces[space]
        is_named = seen.sure and seen.reads not in ("unknown", "hidden")
        ours.guesses.append((Guess(str(seen.reads), seen.confidence, is_named), what))
    for side, peer in zip(theirs, peers, strict=True):
        guesses, took_s = _timed(lambda peer=peer: [_guess(asked, reader, peer, s) for s in asked.spaces])
        patches = [_patch(asked, reader, space) for space in asked.spaces]
        _, naming_s = _timed(lambda peer=peer, cut=patches: [peer.name_it(*one) for one in cut])
        side.count(took_s, naming_s)
        side.guesses += list(zip(guesses, asked.spaces.values(), strict=True))


def _named(sight: BoardSight | None, reader: Reader, asked: Asked) -> None:
    """Name what lies on the spaces of a board whose light is known."""
    if sight is not None:
        anew = replace(sight)  # with nothing kept from before
        judge_board(look_at_spaces(anew, reader.wardrobe, list(asked.spaces)), anew, reader.box)


def _timed(do: Callable[[], Result]) -> tuple[Result, float]:
    """Do it twice and return the shorter time: what is made once and kept stays outside the clock."""
    took_s = []
    for _ in range(2):
        began_s = time.process_time()
        result = do()
        took_s.append(time.process_time() - began_s)
    return result, min(took_s)


def _guess(asked: Asked, reader: Reader, peer: Peer, space: SpaceId) -> Guess:
    return peer.name_it(*_patch(asked, reader, space))


def _patch(asked: Asked, reader: Reader, space: SpaceId) -> tuple[Pixels, str]:
    """Return a space cut out upright, and what it is called when it is empty."""
    layout = reader.box.layouts[asked.pose.board]
    centre, size, up_deg = _extent(reader, layout.spaces[space])
    corners = _corners(centre, size, up_deg)
    there = as_floats(asked.pose.project(np.asarray(corners)).tolist())
    return _warped(asked.pixels, there, size), f"{asked.pose.board}.{space}"


def _corners(centre: tuple[float, float], size: tuple[float, float], up_deg: float) -> list[list[float]]:
    turn = np.radians(up_deg)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = np.array(size) / 2
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * half
    told: list[list[float]] = (square @ axes.T + np.array(centre)).tolist()
    return told


def _warped(pixels: Pixels, there: Any, size: tuple[float, float]) -> Pixels:
    width, height = (round(side * PEER_PX_PER_MM) for side in size)
    here = as_floats([[0, 0], [width, 0], [width, height], [0, height]])
    plane = cv2.getPerspectiveTransform(there, here)
    return np.asarray(cv2.warpPerspective(pixels, plane, (width, height)), np.uint8)


def _cut(art: Pixels, extent: tuple[tuple[float, float], tuple[float, float], float]) -> Pixels:
    centre, size, up_deg = extent
    return _warped(art, as_floats(_corners(centre, size, up_deg)) * ART_PX_PER_MM, size)


def _section(kind: str, sides: Sequence[Side]) -> Section:
    ours, *theirs = sides
    lines = [_line(ours, len(ours.guesses))]
    for side in theirs:
        _, at_best = best_level(side.guesses)
        nearest = 100 * sum(g.reads == what for g, what in side.guesses) / max(1, len(side.guesses))
        generous = f"{side.name}, with the level that the truth shows to admit nothing wrong"
        told = f"{100 * at_best:.1f} % right; its nearest is right in {nearest:.1f} %"
        lines += [_line(side, len(side.guesses)), Line(generous, told)]
        ahead = f"ours ahead of {side.name}:"
        ratio = ours.ms / side.ms
        lines.append(_ahead(f"{ahead} right", ours.right, side.right, ours.right > side.right))
        lines.append(_ahead(f"{ahead} wrong and sure", ours.wrong, side.wrong, ours.wrong <= side.wrong))
        lines.append(Line(f"{ahead} time", f"{ratio:.2f} x its time", "less", ratio < 1))
        alone = f"{ours.naming_ms:.1f} : {side.naming_ms:.1f} ms a board"
        lines.append(Line(f"ours beside {side.name}: time of naming alone", alone))
    command = "python -m tests.bench, tests/bench/peers.py"
    return Section(f"Side by side: {kind}s on boards with tags", command, tuple(lines))


def _line(side: Side, asked: int) -> Line:
    found = f"{side.right:.1f} % right, {side.wrong} wrong and sure, {side.ms:.1f} ms a board"
    return Line(f"{side.name}, {asked} spaces", found)


def _ahead(what: str, ours: float, theirs: float, is_met: bool) -> Line:
    return Line(what, f"{ours:.4g} : {theirs:.4g}", "ahead", is_met)


def _markers(scenes: Path, reader: Reader, photos: Path) -> Section:
    """Compare with markers looked for by default on every frame."""
    ours, theirs, there = 0, 0, 0
    patterns = TagPatterns.of(reader.box.tag_numbers)
    took: list[tuple[float, float, float]] = []
    for truth in truths_in(scenes / "A/truth"):
        if not truth["fiducials_present"]:
            continue
        pixels = load_photo(scenes / "A/frames" / Path(truth["frame"]).name)
        shown = {tag["id"] for tag in truth["fiducials"] if tag["visible_fraction"] > 0.95}
        there += len(shown)
        ours += len(shown & set(see_tags(pixels, patterns).once))
        theirs += len(shown & set(default_markers(pixels)))
        if truth["camera"]["name"] == "seat" and len(took) < 12:
            gate = Gate()
            for _ in range(8):
                gate.glance(pixels)
            gating = best_ms(lambda p=pixels, g=gate: g.glance(p), 3)
            defaults = best_ms(lambda p=pixels: detect_with_defaults(p), 3)
            took.append((gating, best_ms(lambda p=pixels: see_tags(p, patterns), 3), defaults))
    false_ours, false_theirs = false_markers(photos, patterns)
    gating, seeing, defaults = (float(np.median(column)) for column in zip(*took, strict=True))
    lines = (
        Line("markers of the scenes seen whole", f"ours {ours}, defaults {theirs}, of {there}"),
        _ahead("ours ahead of default ArUco: right", ours, theirs, ours > theirs),
        _ahead(
            "ours ahead of default ArUco: markers on photos without any",
            false_ours,
            false_theirs,
            false_ours <= false_theirs,
        ),
        Line(
            "ours ahead of default ArUco: time of a frame where nothing moved",
            f"{gating / defaults:.3f} x its time",
            "less",
            gating < defaults,
        ),
        Line("looking for markers in a whole picture", f"{seeing / defaults:.2f} x its time"),
    )
    return Section("Side by side: markers", "python -m tests.bench, tests/bench/peers.py", lines)


def default_markers(pixels: Pixels) -> list[int]:
    """Return the numbers that OpenCV's defaults see."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    _, numbers, _ = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters()).detectMarkers(pixels)
    return [] if numbers is None else [int(n) for n in numbers.ravel()]


def photos_without_markers(photos: Path) -> list[Path]:
    """Return all real photographs but those of markers."""
    every = sorted(p for p in photos.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    return [p for p in every if "markers" not in p.relative_to(photos).parts]


def false_markers(photos: Path, patterns: TagPatterns) -> tuple[int, int]:
    """Count markers on photos without any: ours and those of the defaults."""
    ours, theirs = 0, 0
    for path in photos_without_markers(photos):
        pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
        seen = see_tags(np.asarray(pixels, np.uint8), patterns)
        ours += len(seen.once) + len(seen.doubled)
        theirs += len(default_markers(np.asarray(pixels, np.uint8)))
    return ours, theirs
