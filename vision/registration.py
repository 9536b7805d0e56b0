"""Do the boards still lie where they were found; which moved, and how.

Imports numpy and OpenCV. Anchors (tags, or patches of art on a board without any) tell at the price
of a mask: one whose pixels did not change in the small picture has not moved by half a pixel of the
full one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, Place, SpaceId
from companion.ports import Pixels
from vision.box import TaughtBox
from vision.find_tags import TagPatterns, look_again, taken_by_others
from vision.footprints import Footprints
from vision.pose import BoardPose, Points
from vision.settle import Carry, Glance, Mask

ANCHOR_CHANGED = 0.15  # of its area; the shadow of an arm's edge touches less
ANCHOR_COVERED = 0.5
MOVED_PX = 2.5  # a mean of the corners; two finds of a resting board differ by .5
MOVED_WITH_FEW_TAGS_PX = 8.0
TAG_MOVED_PX = 2.5  # a tag of which a hand hides a part is laid less exactly
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def anchor_footprints(
    anchors: Mapping[BoardId, Mapping[str, Points]], *, size_wh: tuple[int, int], picture_width_px: int
) -> Footprints:
    """Draw what vouches for the boards found, by its outlines; an anchor is a place of its board."""
    outlines = {
        Place(board, SpaceId(name)): outline
        for board, own in anchors.items()
        for name, outline in own.items()
    }
    return Footprints(outlines, {}, size_wh=size_wh, picture_width_px=picture_width_px)


def suspects(glance: Glance, anchors: Footprints) -> tuple[BoardId, ...]:
    """Return the boards that may have moved: an anchor that no arm covers changed, or all of them did."""
    changed = {
        p: share for p, share in anchors.shares(whole_change(glance)).items() if share > ANCHOR_CHANGED
    }
    covered = {} if glance.arm is None else anchors.shares(glance.arm)
    bare = {place.board for place in changed if covered.get(place, 0.0) < ANCHOR_COVERED}
    whole = {board for board in {place.board for place in changed} if _are_all(board, changed, anchors)}
    return tuple(sorted(bare | whole))


def _are_all(board: BoardId, changed: Collection[Place], anchors: Footprints) -> bool:
    return all(place in changed for place in anchors.places if place.board == board)


def tags_of(pose: BoardPose, box: TaughtBox) -> dict[int, Points]:
    """Return where the corners of each tag of a board lie in the picture as stored."""
    return {
        tag.number: pose.project(np.asarray(tag.centre_mm) + box.tag_mm * SQUARE)
        for tag in box.layouts[pose.board].tags
    }


def tags_rest(pixels: Pixels, pose: BoardPose, box: TaughtBox, patterns: TagPatterns) -> bool | None:
    """Tell whether a board's tags lie where they lay; None when no tag can be seen there."""
    expected = tags_of(pose, box)
    seen = look_again(pixels, expected, patterns)
    if not seen:
        return False if taken_by_others(pixels, expected, patterns) else None
    return all(
        float(np.linalg.norm(corners.mean(0) - expected[number].mean(0))) < TAG_MOVED_PX
        for number, corners in seen.items()
    )


def whole_change(glance: Glance) -> Mask:
    """Return all that differs from the last settled picture, the arm and its shadow included."""
    assert glance.changed is not None
    differs = glance.changed
    for mask in (glance.arm, glance.shade):
        if mask is not None:
            differs = differs | mask
    return differs


def outline(pose: BoardPose) -> Points:
    return np.array(pose.corners_px)


def has_moved(before: BoardPose, now: BoardPose) -> bool:
    """Tell a move from the play between two finds; a find that rests on fewer tags has more play."""
    away = float(np.linalg.norm(outline(now) - outline(before), axis=1).mean())
    is_weaker = now.seen_tags < min(before.seen_tags, 3)
    return away > (MOVED_WITH_FEW_TAGS_PX if is_weaker else MOVED_PX)


def carries(
    moved: Sequence[tuple[BoardPose, BoardPose]], feet: Footprints, *, small_px: float
) -> tuple[Carry, ...]:
    """Return how each board (old pose, new pose) moved in the small picture, the largest first."""
    by_size = sorted(moved, key=lambda pair: -cv2.contourArea(outline(pair[1]).astype(np.float32)))
    return tuple(
        Carry(old_to_new(before, now, small_px=small_px), feet.mask([outline(now)]))
        for before, now in by_size
    )


def old_to_new(before: BoardPose, now: BoardPose, *, small_px: float) -> NDArray[np.float64]:
    """Return (3, 3) from old pixels of the small picture to new; ``small_px`` is its scale."""
    old, new = (outline(pose) * small_px for pose in (before, now))
    return np.asarray(
        cv2.getPerspectiveTransform(old.astype(np.float32), new.astype(np.float32)), dtype=np.float64
    )
