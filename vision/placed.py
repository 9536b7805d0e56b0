"""Whether a camera still stands as it was set up: looked at now and then, while nothing moves.

Boards are found wherever they lie, so a camera that was moved goes on reading. But what was judged when the
table was set up (is all of each board in view, is it large enough, which lens is it) is then doubtful.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.board import BoardId
from companion.kept_setup import KeptCamera
from companion.ports import Caution, Frame, Strain
from vision.pose import BoardPose
from vision.survey import EVERY_FRAMES, PATIENCE

log = logging.getLogger(__name__)

MOVED = 0.03
"""Of the picture's width: a board that lies so far from where it was kept was moved."""


class Placed:
    """What is doubtful of one camera. ``box`` is the one that is read: another one was set up otherwise."""

    def __init__(self, kept: KeptCamera, box: str) -> None:
        self._kept = kept
        self._box = box
        self._frames = 0
        self._found: Strain | None = None
        self._times = 0
        self._said: Strain | None = None
        self._version = 0
        self._is_fickle = False

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Return what is to be said of the camera."""
        said = (self._said, Strain.FICKLE if self._is_fickle else None)
        return tuple(Caution(strain) for strain in said if strain is not None)

    def rest(self, frame: Frame, poses: Mapping[BoardId, BoardPose]) -> None:
        """Take in a settled frame, and where the boards lie in it."""
        self._is_fickle = frame.is_fickle
        self._frames += 1
        if self._frames < EVERY_FRAMES:
            return
        self._frames = 0
        kept = self._kept.look()
        if self._kept.version != self._version:  # somebody has just said that all is right
            self._version, self._said = self._kept.version, None
            self._found, self._times = None, 0
        is_ours = kept is not None and kept["box"] == self._box
        found = _doubt(kept, frame, poses) if kept is not None and is_ours else None
        self._times = self._times + 1 if found is self._found else 1
        self._found = found
        if self._times >= PATIENCE and found is not self._said:
            self._said = found
            if found is not None:
                log.warning("camera %s: its set-up is doubtful, %s", frame.camera, found)


def _doubt(kept: Mapping[str, Any], frame: Frame, poses: Mapping[BoardId, BoardPose]) -> Strain | None:
    """Say what is otherwise than it was kept; a board that was moved alone is no moved camera."""
    source = kept.get("source", "")
    if source and frame.source and source != frame.source:
        return Strain.OTHER_CAMERA
    size = frame.pixels.shape[1], frame.pixels.shape[0]
    before = {board["board"]: board["corners"] for board in kept["boards"]}
    seen = [
        (before[board], np.array(pose.corners_px) / size) for board, pose in poses.items() if board in before
    ]
    is_moved = bool(seen) and all(moved(was, now) for was, now in seen)
    return Strain.SHIFTED if is_moved else None


def moved(before: Any, now: Any) -> bool:
    """Tell whether a board lies elsewhere; a round one that was only turned does not.

    Corners are shares of the picture's width and height.
    """
    return bool(np.abs(np.mean(before, axis=0) - np.mean(now, axis=0)).max() > MOVED)
