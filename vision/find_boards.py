"""Find the taught boards in a picture by their corner tags (tag36h11).

The middle of a tag is trusted, its corners only for scale and for the lens: a tag stuck on by
hand may be turned a little (each tag carries its own turn in the fit).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, BoardLayout, Tag
from companion.ports import Pixels
from vision.find_tags import SeenTags, TagPatterns, look_again, see_tags
from vision.fit_planes import fit_together, packed, unpacked
from vision.pose import BoardPose, Lens, Points, apply

CENTRE_WEIGHT = 2.0  # a centre is the mean of four corners, hence more exact
CORNER_WEIGHT = 0.5
NOISE_PX = 0.05  # of a weighted miss
SHARED_USUAL = (-0.012, -0.012)  # bend of the lens (a mild barrel); tags look 1 % smaller
SHARED_SPREAD = (0.015, 0.008)
MAX_RESIDUAL_PX = 4.0
MAX_SCALE_OFF = 0.1
MAX_TURN_DEG = 12.0  # a tag stuck on worse than this is not one of ours

_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def middle_of(corners: Points) -> Points:
    """Return the middle of a seen square: where its diagonals cross."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    lines = np.array([[cx - ax, -(dx - bx)], [cy - ay, -(dy - by)]])
    share = np.linalg.solve(lines, np.array([bx - ax, by - ay]))[0]
    return np.asarray(corners[0] + share * (corners[2] - corners[0]))


def find_by_tags(
    pixels: Pixels, layouts: Sequence[BoardLayout], patterns: TagPatterns, *, tag_mm: float
) -> tuple[tuple[BoardPose, ...], SeenTags]:
    """Find every board that shows at least two of its tags (one alone would be a guess).

    Boards with three or four tags are fitted together with the lens; boards with two are laid
    on the plane of the nearest of those. Where no board shows three, poses of two are rough.
    Tags missed at first are looked for again where the boards found say. A number that is seen
    twice counts for no board.
    """
    size_px = (pixels.shape[1], pixels.shape[0])
    seen = see_tags(pixels, patterns)
    for _ in range(2):
        poses = fit_boards(seen.once, layouts, size_px, tag_mm=tag_mm)
        missed = expected_tags(poses, layouts, seen, tag_mm)
        found = look_again(pixels, missed, patterns) if missed else {}
        if not found:
            return poses, seen
        seen = replace(seen, once={**seen.once, **found})
    return fit_boards(seen.once, layouts, size_px, tag_mm=tag_mm), seen


def expected_tags(
    poses: Sequence[BoardPose], layouts: Sequence[BoardLayout], seen: SeenTags, tag_mm: float
) -> dict[int, Points]:
    """Return where tags not seen should be: those of found boards, and of boards showing one tag."""
    if not poses:
        return {}
    placed = {pose.board: pose for pose in poses}
    best = max(poses, key=lambda p: (p.seen_tags, -p.residual_px))
    expected = {}
    for layout in layouts:
        tags = [t for t in layout.tags if t.number in seen.once]
        pose = placed.get(layout.id)
        if (pose is None or pose.seen_tags < 4) and tags:
            # The plane of a whole board tells more than three tags of its own.
            pose = lay_on_plane(best, layout, tags, seen.once, tag_mm) or pose
        if pose is not None:
            for tag in layout.tags:
                if tag.number not in seen.once and tag.number not in seen.doubled:
                    expected[tag.number] = pose.project(np.asarray(tag.centre_mm) + tag_mm * _SQUARE)
    return expected


def fit_boards(
    seen: Mapping[int, Points],
    layouts: Sequence[BoardLayout],
    size_px: tuple[int, int],
    *,
    tag_mm: float,
) -> tuple[BoardPose, ...]:
    """Turn seen tags (number to four corners in px) into poses."""
    by_board = {layout.id: [t for t in layout.tags if t.number in seen] for layout in layouts}
    firm = [layout for layout in layouts if len(by_board[layout.id]) >= 3]
    if not firm:  # two tags of a board alone tell its place roughly; its art must tell the rest
        firm = [layout for layout in layouts if len(by_board[layout.id]) == 2]
    lens = Lens.of_picture(*size_px)
    planes: dict[BoardId, NDArray[np.float64]] = {}
    residuals: dict[BoardId, float] = {}
    kept: list[BoardLayout] = []
    for layout in firm:
        by_board[layout.id], plane = plausible_plane(by_board[layout.id], seen, lens, tag_mm)
        if plane is not None:
            planes[layout.id] = plane
            kept.append(layout)
    if kept:
        tags = {layout.id: by_board[layout.id] for layout in kept}
        lens, planes, residuals = refine(tags, seen, lens, planes, tag_mm)
    poses = [
        BoardPose(x.id, planes[x.id], lens, x.size_mm, "tags", len(by_board[x.id]), residuals[x.id])
        for x in kept
        if residuals[x.id] <= MAX_RESIDUAL_PX
    ]
    if poses:
        whole = [p for p in poses if p.seen_tags == 4] or poses
        poses = [p for p in poses if p.seen_tags == 4 or len(whole) == len(poses)]
        placed = {p.board for p in poses}
        for layout in layouts:
            own = by_board[layout.id]
            if layout.id not in placed and len(own) >= 2:
                pose = lay_on_plane(_nearest(whole, own, seen), layout, own, seen, tag_mm)
                if pose is not None:
                    poses.append(pose)
    order = {layout.id: i for i, layout in enumerate(layouts)}
    return tuple(sorted(poses, key=lambda p: order[p.board]))


def _nearest(poses: Sequence[BoardPose], tags: Sequence[Tag], seen: Mapping[int, Points]) -> BoardPose:
    """Return the whole board nearest to some tags: its plane is extrapolated least."""
    there = np.mean([middle_of(seen[t.number]) for t in tags], axis=0)

    def away(pose: BoardPose) -> float:
        return float(np.linalg.norm(pose.project(np.array([pose.size_mm]) / 2)[0] - there))

    return min(poses, key=away)


def plausible_plane(
    tags: Sequence[Tag], seen: Mapping[int, Points], lens: Lens, tag_mm: float
) -> tuple[list[Tag], NDArray[np.float64] | None]:
    """Return a first homography and the tags it rests on: all, or all but one that was no tag of ours."""
    choices = [list(tags)]
    if len(tags) == 4:
        choices += [[t for t in tags if t is not odd] for odd in tags]
    for chosen in choices:
        plane = first_plane(chosen, seen, lens, tag_mm)
        if plane is not None:
            return chosen, plane
    return list(tags), None


def first_plane(
    tags: Sequence[Tag], seen: Mapping[int, Points], lens: Lens, tag_mm: float
) -> NDArray[np.float64] | None:
    """Return a first homography from all corners, as if every tag were stuck on straight."""
    mm = np.concatenate([np.asarray(t.centre_mm) + tag_mm * _SQUARE for t in tags])
    px = np.concatenate([lens.to_straight(seen[t.number]) for t in tags])
    fitted, _ = cv2.findHomography(mm, px, 0)
    if fitted is None:
        return None
    plane = np.asarray(fitted, np.float64)
    for tag in tags:
        arm = np.asarray(tag.centre_mm) + tag_mm * _SQUARE
        expected = apply(plane, arm)
        got = lens.to_straight(seen[tag.number])
        turn = _angle(got[1] - got[0]) - _angle(expected[1] - expected[0])
        if abs((turn + 180) % 360 - 180) > MAX_TURN_DEG:
            return None
    return plane


def _angle(arm: Points) -> float:
    return math.degrees(math.atan2(float(arm[1]), float(arm[0])))


def refine(
    tags: Mapping[BoardId, Sequence[Tag]],
    seen: Mapping[int, Points],
    lens: Lens,
    planes: Mapping[BoardId, NDArray[np.float64]],
    tag_mm: float,
) -> tuple[Lens, dict[BoardId, NDArray[np.float64]], dict[BoardId, float]]:
    """Fit all planes, the turn of each tag and what the picture shares, by Gauss-Newton.

    Shared are the bend of the lens and how much smaller tags look than they are: blur lets their
    white flow over their black.
    """
    boards = list(tags)
    sights = [_Tags.of(tags[b], seen, lens, tag_mm) for b in boards]
    states, shared = fit_together(
        [np.concatenate([packed(planes[b]), np.zeros(len(tags[b]))]) for b in boards],
        [sight.misses for sight in sights],
        usual=SHARED_USUAL,
        spread=SHARED_SPREAD,
        limits=((-0.3, 0.3), (-0.1, 0.1)),
        noise=NOISE_PX,
    )
    residuals = {}
    for b, state, sight in zip(boards, states, sights, strict=True):
        miss = sight.misses(state[None], shared[None]).reshape(-1, 2)
        residuals[b] = float(np.sqrt((miss * miss).sum(axis=1).mean()))
    fitted = Lens(lens.centre_px, lens.half_diagonal_px, float(shared[0]))
    planes = {b: unpacked(state[:8]) for b, state in zip(boards, states, strict=True)}
    return fitted, planes, residuals


@dataclass(frozen=True, slots=True, eq=False)
class _Tags:
    """The tags of one board: where they should be and where they were seen."""

    centres_mm: Points
    corners_px: Points  # (4 n, 2)
    middles_px: Points
    lens: Lens
    tag_mm: float

    @classmethod
    def of(cls, tags: Sequence[Tag], seen: Mapping[int, Points], lens: Lens, tag_mm: float) -> _Tags:
        corners = [seen[t.number] for t in tags]
        middles = np.stack([middle_of(c) for c in corners])
        return cls(
            np.array([t.centre_mm for t in tags], float), np.concatenate(corners), middles, lens, tag_mm
        )

    def misses(self, states: NDArray[np.float64], shared: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what planes (8 numbers) and a turn a tag miss under a bend and a size shared by all.

        ``states`` (k, 8 + tags) and ``shared`` (k, 2) hold several to try.
        """
        planes, turns, bends, sizes = unpacked(states[:, :8]), states[:, 8:], shared[:, :1], shared[:, 1:]
        cos, sin = np.cos(turns), np.sin(turns)
        spin = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)  # rows times spin
        arms = self.tag_mm * (1 + sizes[..., None, None]) * (_SQUARE @ spin)
        corners = (self.centres_mm[:, None, :] + arms).reshape(len(states), -1, 2)
        off_corners = self.lens.bent(apply(planes, corners), bends[..., None]) - self.corners_px
        off_middles = self.lens.bent(apply(planes, self.centres_mm), bends[..., None]) - self.middles_px
        many = len(states)
        return np.concatenate(
            [
                off_corners.reshape(many, -1) * CORNER_WEIGHT,
                off_middles.reshape(many, -1) * CENTRE_WEIGHT,
            ],
            axis=1,
        )


def lay_on_plane(
    best: BoardPose,
    layout: BoardLayout,
    tags: Sequence[Tag],
    seen: Mapping[int, Points],
    tag_mm: float,
) -> BoardPose | None:
    """Place a board on the plane of another one by its seen tags: only turn and shift are free.

    One tag alone is placed by its corners, which turns the board as the tag was stuck on.
    """
    if len(tags) == 1:
        own = np.asarray(tags[0].centre_mm) + tag_mm * _SQUARE
        on_plane = best.locate(seen[tags[0].number])
    else:
        own = np.array([t.centre_mm for t in tags], float)
        on_plane = best.locate(np.stack([middle_of(seen[t.number]) for t in tags]))
    if abs(math.dist(on_plane[0], on_plane[1]) / math.dist(own[0], own[1]) - 1) > MAX_SCALE_OFF:
        return None
    a = own - own.mean(0)
    b = on_plane - on_plane.mean(0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    cos, sin = math.cos(turn), math.sin(turn)
    spin = np.array([[cos, -sin], [sin, cos]])
    shift = on_plane.mean(0) - spin @ own.mean(0)
    rigid = np.vstack([np.column_stack([spin, shift]), [0, 0, 1]])
    return BoardPose(
        layout.id, best.plane @ rigid, best.lens, layout.size_mm, "tags", len(tags), best.residual_px
    )
