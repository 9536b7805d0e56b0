"""Which player's marker stands on which step of a track.

Markers are never scanned: they stand up and are known by their player's colour alone, which the
boards of the players tell. A marker's top leans away from the camera; its foot is the end of its
patch of colour that is nearest to the point right below the camera. A marker whose foot another one
may hide is not told; where two may share a step, neither is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import SpaceKind
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.pose import BoardPose
from vision.sight import BoardSight

LEAST_MM2, MOST_MM2 = 22.0, 900.0
ONE_MM = 8.0  # patches of one colour so near to each other are one marker: its edge is pale
FOOT_MM = 6.0  # the middle of a marker's foot from its near edge
BORDER_MM = 1.0  # nearer to the edge of its step than this, nobody can say on which it stands
USUAL_FOCUS = 0.8  # of the picture's width; cameras of tables see 60 to 70 degrees
ALIKE = 0.9
STRONG = 0.42
DARK = 0.55
# Of a marker in the dark behind another the hue is seen, hardly its strength.
HINT_ALIKE, HINT, HINT_DARK, HINT_MM2 = 0.94, 0.15, 0.3, 8.0
IN_THE_DARK = 0.95  # times the marker's own lightness; what is lighter and hardly coloured is print or skin
SOLID_MM, SOLID = 2.5, 0.15  # paint is wider than that almost everywhere; signs and edges of shadows are not
BESIDE_MM = 5.0
BEFORE_MM = (2.0, 5.0, 8.0)  # a marker's foot ends in a white edge
HIDES = 0.15
MARKER_MM = 22.0  # patches of one colour so near to each other may be one marker
TWICE = 2.0  # a second patch of one colour at least this much smaller does not count


def read_markers(
    sight: BoardSight, box: TaughtBox, colours: Mapping[str, NDArray[np.float32]]
) -> dict[str, int]:
    """Return the step on which each player's marker stands; players not surely seen are left out."""
    track = [s for s in sight.layout.spaces.values() if s.kind is SpaceKind.TRACK]
    if not track or not colours:
        return {}
    paints = _paints(sight, colours)
    patches = {player: largest_patch(paint.own) for player, paint in paints.items()}
    unseen = [paint.hint for player, paint in paints.items() if patches[player] is None]
    found = {}
    for player, patch in patches.items():
        step = None if patch is None else _step_under(sight, box, foot_of(patch, sight))
        if patch is not None and step is not None and not any(_is_beside(hint, patch) for hint in unseen):
            found[player] = step
    steps = list(found.values())
    return {
        player: step
        for player, step in found.items()
        if steps.count(step) == 1 and not _is_hidden(player, patches, sight.pose)
    }


@dataclass(frozen=True, slots=True, eq=False)
class _Paint:
    """Where on a board one player's colour is seen: for sure, and by a hint."""

    own: NDArray[np.bool_]
    hint: NDArray[np.bool_]


def _paints(sight: BoardSight, colours: Mapping[str, NDArray[np.float32]]) -> dict[str, _Paint]:
    """Return where on the track what lies there differs from the art towards each player's colour."""
    area = track_area(sight)
    shade = sight.picture[..., 1:] - sight.expected[..., 1:]
    darker = sight.expected[..., 0] - sight.picture[..., 0]
    likeness, strength, dark = [], [], []
    for colour in colours.values():
        way = colour[1:] - sight.expected[..., 1:]
        length = np.linalg.norm(way, axis=2) + 1e-3
        along = np.einsum("hwc,hwc->hw", shade, way) / length
        likeness.append(along / (np.linalg.norm(shade, axis=2) + 1e-3))
        strength.append(along / length)
        dark.append(sight.expected[..., 0] - colour[0])
    nearest = np.argmax(np.stack(likeness), axis=0)
    paints = {}
    for k, player in enumerate(colours):
        is_near = area & (nearest == k)
        # A lamp's coloured shadow is paler than any marker.
        own = is_near & (likeness[k] > ALIKE) & (strength[k] > STRONG) & (darker > DARK * dark[k])
        hint = is_near & (likeness[k] > HINT_ALIKE) & (strength[k] > HINT) & (darker > HINT_DARK * dark[k])
        hint &= sight.picture[..., 0] < IN_THE_DARK * colours[player][0]
        paints[player] = _Paint(own, hint)
    return paints


def _is_beside(hint: NDArray[np.bool_], patch: NDArray[np.float64]) -> bool:
    """Tell whether a hint of some size lies beside a patch (pixels)."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(hint.astype(np.uint8), connectivity=8)
    large = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= HINT_MM2 * ART_PX_PER_MM**2]
    if not large:
        return False
    near = np.zeros(hint.shape, np.uint8)
    x, y = patch.astype(int).T
    near[y, x] = 1
    wide = 2 * round(BESIDE_MM * ART_PX_PER_MM) + 1
    return bool(np.isin(labels[cv2.dilate(near, np.ones((wide, wide), np.uint8)) > 0], large).any())


def track_area(sight: BoardSight) -> NDArray[np.bool_]:
    """Return where markers may stand or lean: the track and a little around it."""
    area = np.zeros(sight.flat.shape[:2], np.uint8)
    for space in sight.layout.spaces.values():
        if space.kind is SpaceKind.TRACK:
            cv2.fillPoly(area, [np.rint(np.asarray(space.outline_mm) * ART_PX_PER_MM).astype(np.int32)], 1)
    wider = round(6 * ART_PX_PER_MM) * 2 + 1
    return np.asarray(cv2.dilate(area, np.ones((wider, wider), np.uint8)) > 0)


def largest_patch(own: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    """Return the pixels (n, 2) of the largest patch; None if it is no marker's, or has a rival."""
    wide = round(ONE_MM * ART_PX_PER_MM) + 1
    closed = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))
    count, labels, _, middles = cv2.connectedComponentsWithStats(closed, connectivity=8)
    if count < 2:
        return None
    sizes = np.bincount(labels[own], minlength=count)
    sizes[0] = 0
    best = int(sizes.argmax())
    # A face printed on a marker may part its colour in two; nobody has two markers.
    is_near = np.linalg.norm(middles - middles[best], axis=1) < MARKER_MM * ART_PX_PER_MM
    parts = is_near & (sizes * TWICE > sizes[best])
    area = sizes[parts].sum() / ART_PX_PER_MM**2
    rival = sizes[~parts].max()
    if not LEAST_MM2 <= area <= MOST_MM2 or rival * TWICE > sizes[best]:
        return None
    y, x = np.nonzero(parts[labels] & own)
    thin = round(SOLID_MM * ART_PX_PER_MM)
    solid = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    if solid[y, x].mean() < SOLID:
        return None
    return np.stack([x, y], axis=1).astype(float)


def foot_of(patch: NDArray[np.float64], sight: BoardSight) -> NDArray[np.float64]:
    """Return where a marker's foot stands (board mm)."""
    return np.asarray(np.median(_near_end(patch, sight.pose)[0], axis=0))


def _near_end(patch: NDArray[np.float64], pose: BoardPose) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the points (n, 2) of a patch about its foot, and the way from the camera to it (board mm)."""
    spots = (patch + 0.5) / ART_PX_PER_MM
    away = spots.mean(axis=0) - below_camera(pose)
    away /= np.linalg.norm(away) + 1e-6
    along = spots @ away
    near = np.percentile(along, 3)
    return spots[(along - near) < 2 * FOOT_MM], away


def _is_hidden(player: str, patches: Mapping[str, NDArray[np.float64] | None], pose: BoardPose) -> bool:
    """Tell whether another marker stands right before a player's foot, as the camera sees it."""
    own = patches[player]
    assert own is not None
    foot, away = _near_end(own, pose)
    for other, patch in patches.items():
        if patch is None or other == player:
            continue
        hull = cv2.convexHull(((patch + 0.5) / ART_PX_PER_MM).astype(np.float32))
        for before_mm in BEFORE_MM:
            spots = foot - before_mm * away
            if np.mean([cv2.pointPolygonTest(hull, (x, y), False) >= 0 for x, y in spots]) > HIDES:
                return True
    return False


def below_camera(pose: BoardPose) -> NDArray[np.float64]:
    """Return the point of the board's plane (mm) right below the camera, for a usual lens."""
    width = 2 * pose.lens.centre_px[0]
    cx, cy = pose.lens.centre_px
    focus = USUAL_FOCUS * width
    undo = np.array([[1 / focus, 0, -cx / focus], [0, 1 / focus, -cy / focus], [0, 0, 1]])
    columns = undo @ pose.plane
    columns = columns * 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
    turn = np.stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])], axis=1)
    return np.asarray((-np.linalg.inv(turn) @ columns[:, 2])[:2])


def _step_under(sight: BoardSight, box: TaughtBox, foot_mm: NDArray[np.float64]) -> int | None:
    """Return the value of the step under a foot; None off the track or on a border."""
    for space in sight.layout.spaces.values():
        value = box.track_values.get((sight.layout.id, space.id))
        if value is None:
            continue
        outline = np.asarray(space.outline_mm, np.float32).reshape(-1, 1, 2)
        inside_mm = cv2.pointPolygonTest(outline, (float(foot_mm[0]), float(foot_mm[1])), True)
        if inside_mm >= 0:
            return value if inside_mm >= BORDER_MM else None
    return None
