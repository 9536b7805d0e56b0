"""Find the boards of a taught box in a picture: by their tags, else by their printed art.

Tags are exact and cheap, and name the board. Art is asked where tags are missing: none on the boards,
hidden, or worn twice. What stays open is said, never guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.board import BoardId
from companion.ports import Obstacle, Pixels
from vision.art_index import ArtIndex
from vision.box import TaughtBox
from vision.find_boards import find_by_tags, middle_of
from vision.find_by_art import ArtFinder, Stand
from vision.find_tags import SeenTags, TagPatterns, as_grey
from vision.light import Ground
from vision.pose import BoardPose, Points
from vision.refine import NARROW_PX, art_mm, lay_art, refine_on_art
from vision.registration import tags_of, tags_rest
from vision.tones import is_colourless
from vision.wardrobe import Wardrobe
from vision.which_board import Likenesses, in_reduced, misfits, name_boards, reduced_for_naming

TAG_OFF_MM = 6.0  # a tag stuck on by hand, seen with a board found by its art
ANCHORS = 8  # patches of art that vouch for a board without tags
RESTS_SHARE, RESTS_FEWEST = 0.25, 5
RESTS_MM = 1.0
ROOM_PX, ROOM = 240, 0.85  # a board seen so much narrower may still be found


@dataclass(frozen=True, slots=True)
class Found:
    """The boards found.

    ``doubts`` are what else was seen and could not be settled, with the boards that it may be.
    """

    poses: tuple[BoardPose, ...] = ()
    doubts: tuple[tuple[Obstacle, tuple[BoardId, ...]], ...] = ()


class Finder:
    """Finds the boards of one box. Makes the index of their art at first need; remembers no picture."""

    def __init__(self, box: TaughtBox, wardrobe: Wardrobe) -> None:
        self._box = box
        self._wardrobe = wardrobe
        self._patterns = TagPatterns.of(box.tag_numbers)

    @cached_property
    def _grounds(self) -> Mapping[BoardId, Ground]:
        return {board: self._wardrobe.ground(board) for board in self._box.boards}

    @cached_property
    def _index(self) -> ArtIndex:
        return ArtIndex.of(self._box, self._grounds)

    @cached_property
    def _by_art(self) -> ArtFinder:
        return ArtFinder(self._index, self._box.layouts, self._grounds)

    @cached_property
    def _likenesses(self) -> Mapping[tuple[BoardId, ...], Likenesses]:
        return {
            members: Likenesses.of(members, self._grounds)
            for members in self._index.families
            if len(members) > 1
        }

    def search(self, pixels: Pixels, *, missed: Collection[BoardId] = (), is_alone: bool = False) -> Found:
        """Look for all boards in a picture (height, width, 3), blue-green-red.

        Art is asked when no board shows its tags, for boards of which too few tags are seen, and for
        those ``missed``; in a picture that ``is_alone``, not one of many, also for all for which it has room
        left. In a picture without colours nothing is found: its pieces could not be told apart.
        """
        if is_colourless(pixels):
            return Found((), ((Obstacle.COLOURLESS, ()),))
        grey = as_grey(pixels)
        poses, tags = self._find_by_tags(pixels, grey)
        doubled = self._boards_of(tags.doubled)
        doubts = [(Obstacle.SAME_TAGS, doubled)] if doubled else []
        placed = {pose.board for pose in poses}
        hinted = {*self._boards_of({*tags.once, *tags.doubled}), *missed}
        wanted = set(self._box.boards) if not poses else hinted
        wanted = {b for b in wanted - placed if self._box.layouts[b].spaces}
        if is_alone and poses:
            sizes = {b: self._box.layouts[b].size_mm for b in set(self._box.boards) - placed}
            wanted |= {b for b in room_for(sizes, poses, pixels.shape[:2]) if self._box.layouts[b].spaces}
        if wanted:
            named, unnamed = self._find_by_art(pixels, grey, wanted, poses, tags.once)
            poses = [*poses, *named]
            doubts += [(Obstacle.WHICH_BOARD, stand.members) for stand in unnamed]
        order = list(self._box.layouts)
        return Found(tuple(sorted(poses, key=lambda p: order.index(p.board))), tuple(doubts))

    def is_mirrored(self, pixels: Pixels) -> bool:
        """Tell whether a picture shows a board of the box as in a mirror. For pictures that show none."""
        grey = np.ascontiguousarray(as_grey(pixels)[:, ::-1])
        return bool(self._by_art.find(grey, wanted=set(self._box.boards), is_quick=True))

    # One board that was found before

    def anchors(self, pose: BoardPose) -> dict[str, Points]:
        """Return outlines (stored px) of what vouches for a board: its tags, else patches of its art."""
        if pose.found_by == "tags":
            return {f"tag{number}": corners for number, corners in tags_of(pose, self._box).items()}
        ground = self._grounds[pose.board]
        half = ground.landmark_art[0].shape[0] / 2 if ground.landmark_art else 0.0
        square = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
        marks = _spread(np.array(ground.landmarks, float).reshape(-1, 2), ANCHORS)
        return {f"art{k}": pose.project(art_mm(mark + square)) for k, mark in enumerate(marks)}

    def rests(self, pixels: Pixels, pose: BoardPose) -> bool | None:
        """Tell whether a board lies where it lay; None when too little of it can be seen."""
        if pose.found_by == "tags":
            answer = tags_rest(pixels, pose, self._box, self._patterns)
            if answer is not None or pose.board not in self._box.boards:
                return answer
        grey, ground = as_grey(pixels), self._grounds[pose.board]
        laid = lay_art(grey, pose, ground, NARROW_PX)
        if laid.count < RESTS_FEWEST or laid.share < RESTS_SHARE:
            return None
        if self._box.layouts[pose.board].is_round:  # much of its art may look alike after a quarter turn
            turned = (lay_art(grey, pose.turned(quarters), ground, NARROW_PX) for quarters in (1, 2, 3))
            if any(one.count > laid.count for one in turned):
                return False
        away = np.median(np.linalg.norm(pose.locate(laid.seen_px) - laid.own_mm, axis=1))
        return bool(away < RESTS_MM)

    # Tags

    def _find_by_tags(self, pixels: Pixels, grey: Pixels) -> tuple[list[BoardPose], SeenTags]:
        layouts = tuple(self._box.layouts.values())
        poses, tags = find_by_tags(grey, layouts, self._patterns, tag_mm=self._box.tag_mm)
        only_rough = all(p.seen_tags < 3 for p in poses)
        found = []
        for pose in poses:
            exact = pose
            if pose.seen_tags < 4:
                exact = refine_on_art(pixels, pose, self._wardrobe.ground(pose.board))
            if not only_rough or exact is not pose:
                found.append(exact)
        return found, tags

    def _boards_of(self, numbers: Iterable[int]) -> tuple[BoardId, ...]:
        wanted = set(numbers)
        return tuple(
            board
            for board, layout in self._box.layouts.items()
            if any(tag.number in wanted for tag in layout.tags)
        )

    # Art

    def _find_by_art(
        self,
        pixels: Pixels,
        grey: Pixels,
        wanted: set[BoardId],
        poses: Sequence[BoardPose],
        tags: Mapping[int, Points],
    ) -> tuple[list[BoardPose], list[Stand]]:
        taken = [np.array(p.corners_px) for p in poses if self._box.layouts[p.board].spaces]
        lens = poses[0].lens if poses else None
        stands = self._by_art.find(grey, wanted=wanted, lens=lens, taken=taken)
        named: list[BoardPose] = []
        unnamed: list[Stand] = []
        for members in self._index.families:
            own = [stand for stand in stands if stand.members == members]
            names = self._names(pixels, own, wanted, tags) if own else ()
            for stand, name in zip(own, names, strict=True):
                if name is None:
                    unnamed.append(stand)
                else:
                    named.append(replace(stand.pose, board=name))
        return named, unnamed

    def _names(
        self, pixels: Pixels, stands: Sequence[Stand], wanted: set[BoardId], tags: Mapping[int, Points]
    ) -> tuple[BoardId | None, ...]:
        """Name boards that share their art: by a tag that is seen on one, else by what differs."""
        members = stands[0].members
        names: list[BoardId | None] = [self._named_by_tag(stand, tags) for stand in stands]
        free = [m in wanted and m not in names for m in members]
        open_stands = [k for k, name in enumerate(names) if name is None]
        if len(members) == 1:
            return members
        if open_stands:
            small, share = reduced_for_naming(pixels)
            likenesses = self._likenesses[members]
            off = [misfits(small, in_reduced(stands[k].pose, share), likenesses) for k in open_stands]
            for k, answer in zip(open_stands, name_boards(off, free), strict=True):
                names[k] = None if answer is None else members[answer]
        return tuple(names)

    def _named_by_tag(self, stand: Stand, tags: Mapping[int, Points]) -> BoardId | None:
        for member in stand.members:
            for tag in self._box.layouts[member].tags:
                if tag.number in tags:
                    at_mm = stand.pose.locate(middle_of(tags[tag.number])[None])[0]
                    if np.linalg.norm(at_mm - np.array(tag.centre_mm)) < TAG_OFF_MM:
                        return member
        return None


def room_for(
    sizes_mm: Mapping[BoardId, tuple[float, float]], poses: Sequence[BoardPose], shape_hw: tuple[int, ...]
) -> set[BoardId]:
    """Return the boards that a picture has room for beside those found in it."""
    share = ROOM_PX / shape_hw[1]
    free = np.ones((max(1, round(shape_hw[0] * share)), ROOM_PX), np.uint8)
    for pose in poses:
        outline = np.rint(np.array(pose.corners_px) * share).astype(np.int32)
        cv2.fillConvexPoly(free, outline, 0)
    edged = cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    reach_px = float(cv2.distanceTransform(edged, cv2.DIST_L2, 3).max()) / share
    reach_mm = reach_px / float(np.median([pose.px_per_mm for pose in poses]))
    return {board for board, size in sizes_mm.items() if reach_mm >= ROOM * min(size) / 2}


def _spread(spots: Points, count: int) -> Points:
    """Return spots far from one another: each the furthest from those taken."""
    if len(spots) <= count:
        return spots
    taken = [0]
    while len(taken) < count:
        away = np.linalg.norm(spots[:, None] - spots[taken], axis=2).min(axis=1)
        taken.append(int(away.argmax()))
    return spots[taken]


def other_tags(pixels: Pixels) -> bool:
    """Tell whether a picture shows several markers of a family that is not ours."""
    settings = cv2.aruco.DetectorParameters()
    settings.errorCorrectionRate = 0.0
    settings.minMarkerPerimeterRate = 0.05
    for family in OTHER_FAMILIES:
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(family), settings)
        _, numbers, _ = detector.detectMarkers(as_grey(pixels))
        if numbers is not None and len(set(numbers.ravel().tolist())) >= OTHER_FEWEST:
            return True
    return False


OTHER_FAMILIES = (
    cv2.aruco.DICT_APRILTAG_25h9,
    cv2.aruco.DICT_APRILTAG_16h5,
    cv2.aruco.DICT_5X5_1000,
    cv2.aruco.DICT_6X6_1000,
    cv2.aruco.DICT_4X4_250,
)
OTHER_FEWEST = 3
