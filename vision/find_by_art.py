"""Find the taught boards in a picture by their printed art, without any tag.

Features of the picture made small are held against the index of all taught art. A board stands where
many of them agree on one place; then the art itself is laid there, patch by patch, and has the last
word. A picture is looked at very small first: on one seat's board that is enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout
from vision.art_index import ArtIndex, Features, matches_of, stretched
from vision.fit_planes import fit_points
from vision.light import Ground
from vision.pose import BoardPose, Lens, Points, apply
from vision.refine import NARROW_PX, WIDE_PX, Laid, lay_art

Grey = NDArray[np.uint8]

WIDTHS_PX = (480, 1000)
ENOUGH_PX_PER_MM = 0.42  # at this scale a small picture shows all boards that a larger one would
CLOSEST = 0.9  # of the next best place's distance
FEWEST_MATCHES = 7
TURN_PLAY_DEG, ZOOM_PLAY = 25.0, 1.6  # a board seen askew; features are measured roughly
FAR_PLAY = 0.25  # of the way from the feature that votes
NEAR_PLAY_PX, OFF_PX = 6.0, 3.0
CANDIDATES = 3  # places tried for each board
SHOWN_SHARE, SHOWN_FEWEST = 0.4, 12  # of the patches of art in the picture that must be found
LARGEST_STRETCH = 2.2  # of the scale from one corner of a board to another
SCALES_PX_PER_MM = (0.1, 30.0)


@dataclass(frozen=True, slots=True, eq=False)
class Stand:
    """A board of a family found by its art; which one of them is not said yet."""

    members: tuple[BoardId, ...]
    pose: BoardPose
    laid: Laid

    @property
    def outline(self) -> Points:
        return np.array(self.pose.corners_px)


class ArtFinder:
    """Finds boards of one box by their art. Keeps the index, remembers no picture."""

    def __init__(
        self, index: ArtIndex, layouts: Mapping[BoardId, BoardLayout], grounds: Mapping[BoardId, Ground]
    ) -> None:
        self._index = index
        self._layouts = layouts
        self._grounds = grounds

    def find(
        self,
        grey: Grey,
        *,
        wanted: Collection[BoardId],
        lens: Lens | None = None,
        taken: Sequence[Points] = (),
        is_quick: bool = False,
    ) -> list[Stand]:
        """Return where boards stand in a whole picture in grey; they do not lie on one another.

        ``wanted`` are the boards that may be there, ``taken`` outlines of others. The lens is
        measured on the art unless it is known. A quick look is one at the smallest size.
        """
        found: list[Stand] = []
        width = grey.shape[1]
        for small_px in WIDTHS_PX[:1] if is_quick else WIDTHS_PX:
            share = min(1.0, small_px / width)
            if share < 1 or small_px == WIDTHS_PX[0]:
                covered = [*taken, *(stand.outline for stand in found)]
                found += self._look(grey, share, wanted, found, covered)
            if found and min(s.pose.px_per_mm for s in found) * share >= ENOUGH_PX_PER_MM:
                break
        return self._exactly(grey, found, lens)

    def _look(
        self,
        grey: Grey,
        share: float,
        wanted: Collection[BoardId],
        found: Sequence[Stand],
        taken: Sequence[Points],
    ) -> list[Stand]:
        small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        seen = Features.of(stretched(np.asarray(small, np.uint8)))
        spots = (seen.spots + 0.5) / share - 0.5
        at, of = matches_of(seen, self._index, closest=CLOSEST)
        came: list[Stand] = []
        for number, members in enumerate(self._index.families):
            standing = sum(stand.members == members for stand in found)
            missing = len([m for m in members if m in wanted]) - standing
            own = self._index.family[of] == number
            votes = Votes(
                spots[at[own]],
                seen.turn_deg[at[own]],
                seen.size[at[own]] / share,
                self._index.spots_mm[of[own]],
                self._index.turn_deg[of[own]],
                self._index.size_mm[of[own]],
            )
            covered = [*taken, *(stand.outline for stand in came)]
            came += self._stand(grey, share, members, votes.beside(covered), missing)
        return came

    def _stand(
        self, grey: Grey, share: float, members: tuple[BoardId, ...], votes: Votes, missing: int
    ) -> Iterator[Stand]:
        layout, ground = self._layouts[members[0]], self._grounds[members[0]]
        for _ in range(missing * CANDIDATES):
            if missing == 0:
                return
            plane, used = votes.elect(layout.size_mm, OFF_PX / share)
            if plane is None:
                return
            lens = Lens.of_picture(grey.shape[1], grey.shape[0])
            rough = BoardPose(layout.id, plane, lens, layout.size_mm, "print", 0)
            laid = lay_art(grey, rough, ground, WIDE_PX)
            if laid.count >= SHOWN_FEWEST and laid.share >= SHOWN_SHARE:
                stand = Stand(members, rough, laid)
                votes = votes.beside([stand.outline])
                missing -= 1
                yield stand
            else:
                votes = votes.without(used)

    def _exactly(self, grey: Grey, stands: Sequence[Stand], lens: Lens | None) -> list[Stand]:
        """Fit all boards with the lens to the patches of their art, look once more nearby, fit again."""
        if not stands:
            return []
        fitted = list(stands)
        for _ in range(2):
            fitted = _fit(fitted, grey, lens)
            fitted = [
                replace(s, laid=lay_art(grey, s.pose, self._grounds[s.members[0]], NARROW_PX)) for s in fitted
            ]
        fitted = [s for s in fitted if s.laid.count >= SHOWN_FEWEST and s.laid.share >= SHOWN_SHARE]
        return _fit(fitted, grey, lens) if fitted else []


def _fit(stands: Sequence[Stand], grey: Grey, lens: Lens | None) -> list[Stand]:
    spots = {k: (s.laid.own_mm, s.laid.seen_px) for k, s in enumerate(stands)}
    if lens is None:
        flat = Lens.of_picture(grey.shape[1], grey.shape[0])
        lens, planes = fit_points(spots, flat, {k: s.pose.plane for k, s in enumerate(stands)})
    else:
        planes = {
            k: np.asarray(cv2.findHomography(mm, lens.to_straight(px), 0)[0], np.float64)
            for k, (mm, px) in spots.items()
        }
    poses = [replace(s.pose, plane=planes[k], lens=lens) for k, s in enumerate(stands)]
    return [
        replace(s, pose=replace(pose, residual_px=_miss(pose, s.laid)))
        for s, pose in zip(stands, poses, strict=True)
    ]


def _miss(pose: BoardPose, laid: Laid) -> float:
    away = np.linalg.norm(pose.project(laid.own_mm) - laid.seen_px, axis=1)
    return float(np.median(away))


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Features of a family that were recognised: as seen (px) and as on the board (mm)."""

    seen: Points
    seen_turn: NDArray[np.float64]
    seen_size: NDArray[np.float64]
    own: Points
    own_turn: NDArray[np.float64]
    own_size: NDArray[np.float64]

    def kept(self, kept: NDArray[np.bool_]) -> Votes:
        return Votes(
            self.seen[kept],
            self.seen_turn[kept],
            self.seen_size[kept],
            self.own[kept],
            self.own_turn[kept],
            self.own_size[kept],
        )

    def without(self, used: NDArray[np.bool_]) -> Votes:
        return self.kept(~used)

    def beside(self, outlines: Sequence[Points]) -> Votes:
        """Return the votes that lie on none of these outlines."""
        free = np.ones(len(self.seen), bool)
        for outline in outlines:
            contour = np.asarray(outline, np.float32)
            for k in np.flatnonzero(free):
                x, y = self.seen[k]
                free[k] = cv2.pointPolygonTest(contour, (float(x), float(y)), False) < 0
        return self.kept(free)

    def elect(
        self, size_mm: tuple[float, float], off_px: float
    ) -> tuple[NDArray[np.float64] | None, NDArray[np.bool_]]:
        """Return the plane that most votes agree on, and those votes; no plane when they are too few.

        Each vote tells turn, scale and place by itself: the one that most others follow leads, and
        a homography through its followers gathers all that lie on it.
        """
        followers = self._followers(off_px)
        if followers.sum() < FEWEST_MATCHES:
            return None, followers
        plane, inliers = cv2.findHomography(
            self.own[followers],
            self.seen[followers],
            cv2.USAC_MAGSAC,
            off_px,
            maxIters=1000,
            confidence=0.999,
        )
        if plane is None or inliers.sum() < FEWEST_MATCHES or not _is_plausible(plane, size_mm):
            return None, followers
        on_it = (
            np.linalg.norm(apply(np.asarray(plane, np.float64), self.own) - self.seen, axis=1) < 2 * off_px
        )
        again, _ = cv2.findHomography(self.own[on_it], self.seen[on_it], cv2.RANSAC, off_px)
        if again is not None and _is_plausible(again, size_mm):
            plane = again
        return np.asarray(plane, np.float64), on_it | followers

    def _followers(self, off_px: float) -> NDArray[np.bool_]:
        if len(self.seen) < FEWEST_MATCHES:
            return np.zeros(len(self.seen), bool)
        turn = self.seen_turn - self.own_turn
        zoom = self.seen_size / self.own_size
        cos, sin = np.cos(np.radians(turn)) * zoom, np.sin(np.radians(turn)) * zoom
        dx = self.own[None, :, 0] - self.own[:, None, 0]
        dy = self.own[None, :, 1] - self.own[:, None, 1]
        x = self.seen[:, :1] + cos[:, None] * dx - sin[:, None] * dy
        y = self.seen[:, 1:] + sin[:, None] * dx + cos[:, None] * dy
        off = np.hypot(x - self.seen[None, :, 0], y - self.seen[None, :, 1])
        way = np.hypot(dx, dy) * zoom[:, None]
        turned = np.abs((turn[None] - turn[:, None] + 180) % 360 - 180)
        ratio = zoom[None] / zoom[:, None]
        agree = (off < FAR_PLAY * way + 2 * off_px) & (turned < TURN_PLAY_DEG)
        agree &= (ratio < ZOOM_PLAY) & (ratio > 1 / ZOOM_PLAY)
        return np.asarray(agree[int(agree.sum(axis=1).argmax())])


def _is_plausible(plane: cv2.typing.MatLike, size_mm: tuple[float, float]) -> bool:
    """Tell whether a homography shows a board that lies on a table, not mirrored and not on edge."""
    width, height = size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    depth = corners @ plane[2, :2] + plane[2, 2]
    if depth.min() <= 0 or depth.max() > 3 * depth.min():
        return False
    there = apply(np.asarray(plane, np.float64), corners)
    arms = np.roll(there, -1, axis=0) - there
    scales = np.linalg.norm(arms, axis=1) / (width, height, width, height)
    turns = arms[:, 0] * np.roll(arms, -1, axis=0)[:, 1] - arms[:, 1] * np.roll(arms, -1, axis=0)[:, 0]
    is_sized = SCALES_PX_PER_MM[0] < scales.min() and scales.max() < SCALES_PX_PER_MM[1]
    return bool(turns.min() > 0 and is_sized and scales.max() < LARGEST_STRETCH * scales.min())
