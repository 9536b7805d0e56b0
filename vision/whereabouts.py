"""Where the boards lie, kept up to date while the table lives.

Boards are found once; then their tags vouch for them, or patches of their art where they wear none.
Only when one of these changed, or much changed off the boards, is the whole picture searched again.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Protocol

import numpy as np

from companion.board import BoardId, PieceKind, Place
from companion.ports import Obstacle, Pixels
from vision.box import TaughtBox
from vision.finder import Found
from vision.footprints import Footprints, lay_out
from vision.pose import BoardPose, Points
from vision.registration import anchor_footprints, carries, has_moved, outline, suspects, whole_change
from vision.settle import Gate, Glance, Mask

log = logging.getLogger(__name__)

PIECE_PX = 20  # a quarter of the smallest order token, seen with the whole table
STRANGE_SHARE = 0.03  # of the picture changed off the known boards: perhaps another board


class Finds(Protocol):
    """What finds the boards of a taught box in a picture."""

    box: TaughtBox

    def search(self, pixels: Pixels, *, missed: Collection[BoardId] = ()) -> Found:
        """Find boards in a whole picture; those ``missed`` are sought by all means."""
        ...

    def anchors(self, pose: BoardPose) -> Mapping[str, Points]:
        """Return outlines (stored px) of what vouches for a board found."""
        ...

    def rests(self, pixels: Pixels, pose: BoardPose) -> bool | None:
        """Tell whether a board lies where it lay; None when too little of it can be seen."""
        ...


class Whereabouts:
    """The boards in view of one camera.

    ``poses`` are those found, ``ever`` where each board was found last, ``lost`` those that were in
    view and are no longer, ``doubts`` what the last search could not settle. ``moved`` and ``came``
    are for the watch to take note of and clear.
    """

    def __init__(self, eyes: Finds, camera: str) -> None:
        self._eyes = eyes
        self._camera = camera
        self.poses: dict[BoardId, BoardPose] = {}
        self.ever: dict[BoardId, BoardPose] = {}
        self.lost: set[BoardId] = set()
        self.moved: set[BoardId] = set()
        self.came: set[BoardId] = set()
        self.doubts: tuple[tuple[Obstacle, tuple[BoardId, ...]], ...] = ()
        self.cards: Mapping[Place, PieceKind] = {}
        self.feet: Footprints  # of spaces
        self._anchors: Footprints
        self._boards: Mask
        self._gate = Gate()
        self._width_px = 0

    def begin(self, gate: Gate, picture_width_px: int) -> None:
        """Start anew: the first picture, or a camera that changed its size."""
        self._gate, self._width_px = gate, picture_width_px
        self.poses.clear()
        self.lost = set(self.ever)

    def search(self, pixels: Pixels) -> None:
        """Look for missing boards in the whole picture."""
        missed = self.lost or set(self._eyes.box.layouts)
        self._take_in(self._found(pixels, missed - set(self.poses)))

    def keep(self, pixels: Pixels, glance: Glance) -> Glance:
        """Find the boards again if one may have moved or another one came.

        Returns the glance as it is once boards that moved have taken their pieces along.
        """
        strange = float((whole_change(glance) & ~self._boards).mean())
        doubtful = [
            board for board in suspects(glance, self._anchors) if not self._rests(pixels, board, glance)
        ]
        if not doubtful and strange < STRANGE_SHARE:
            return glance
        found = self._found(pixels, doubtful)
        for board in doubtful:
            if board not in found and glance.arm is None:
                self._lose(board)
        pairs = [(pose, found[board]) for board, pose in self.poses.items() if board in found]
        moved = [pair for pair in pairs if has_moved(*pair)]
        if moved:
            glance = self._carry(moved)
        self._take_in(found)
        return glance

    def changed_beside(self, changed: Mask) -> bool:
        """Tell whether a piece may have come, gone or been turned over beside the boards."""
        return bool(np.count_nonzero(changed & ~self._boards) >= PIECE_PX)

    def draw(self, cards: Mapping[Place, PieceKind]) -> None:
        """Draw the footprints of all spaces; ``cards`` are known to lie there."""
        self.cards = cards
        size_wh, width_px, box = self._gate.size_wh, self._width_px, self._eyes.box
        self.feet = lay_out(box, self.poses, cards, size_wh=size_wh, picture_width_px=width_px)
        anchors = {board: self._eyes.anchors(pose) for board, pose in self.poses.items()}
        self._anchors = anchor_footprints(anchors, size_wh=size_wh, picture_width_px=width_px)
        self._boards = self.feet.mask([outline(pose) for pose in self.poses.values()])

    def _rests(self, pixels: Pixels, board: BoardId, glance: Glance) -> bool:
        """Tell whether a board lies where it lay; under an arm the benefit of the doubt."""
        answer = self._eyes.rests(pixels, self.poses[board])
        return glance.arm is not None if answer is None else answer

    def _found(self, pixels: Pixels, missed: Collection[BoardId]) -> dict[BoardId, BoardPose]:
        found = self._eyes.search(pixels, missed=missed)
        if found.doubts != self.doubts:
            self.doubts = found.doubts
            for obstacle, boards in found.doubts:
                log.warning("%s: %s: %s", self._camera, obstacle, ", ".join(boards))
        return {pose.board: pose for pose in found.poses}

    def _carry(self, moved: list[tuple[BoardPose, BoardPose]]) -> Glance:
        for _, now in moved:
            log.info("%s: board %s lies elsewhere now", self._camera, now.board)
            self.poses[now.board] = self.ever[now.board] = now
            self.moved.add(now.board)
        self.draw(self.cards)
        small_px = self._gate.size_wh[0] / self._width_px
        return self._gate.moved(carries(moved, self.feet, small_px=small_px))

    def _take_in(self, found: Mapping[BoardId, BoardPose]) -> None:
        new = {board: pose for board, pose in found.items() if board not in self.poses}
        for board, pose in new.items():
            log.info("%s: found board %s", self._camera, board)
            self.poses[board] = self.ever[board] = pose
            self.lost.discard(board)
            self.came.add(board)
        if new:
            self.draw(self.cards)

    def _lose(self, board: BoardId) -> None:
        log.warning("%s: board %s is no longer found where it lay", self._camera, board)
        self.lost.add(board)
        del self.poses[board]
        self.draw(self.cards)
