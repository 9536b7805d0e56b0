"""Read one picture: find the boards, look at their spaces, judge what was seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, BoardId, PieceKind, SpaceId
from companion.ports import HIDDEN, BoardReading, DieReading, LoosePiece, Obstacle, Pixels, SpaceReading
from vision.box import TaughtBox, parts_of
from vision.dice import DiceEyes
from vision.dice_on_boards import Region, read_on_boards
from vision.finder import Finder
from vision.judge import judge_board
from vision.look import Look
from vision.markers import read_markers
from vision.orders import find_orders, without_twins
from vision.pose import BoardPose
from vision.sight import BoardSight, see_board
from vision.spaces import look_at_spaces
from vision.wardrobe import Wardrobe

CROP_PX = 160
CROP_MARGIN = 0.18
TWINS_MM = 15.0  # an order seen from two boards
JPEG_QUALITY = 80

Spaces: TypeAlias = Mapping[BoardId, Collection[SpaceId]]


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """One board as it was read, and what its reading rests on; no sight when it could not be seen."""

    reading: BoardReading
    sight: BoardSight | None
    looks: tuple[Look, ...]


class Reader:
    """Reads pictures of one taught box. Keeps templates, remembers no picture."""

    def __init__(self, box: TaughtBox) -> None:
        self.box = box
        self.wardrobe = Wardrobe(box)
        self.finder = Finder(box, self.wardrobe)
        self._dice_eyes: DiceEyes | None = None  # opened by the first look: few boxes have dice

    def find(self, pixels: Pixels) -> tuple[BoardPose, ...]:
        """Return where the taught boards lie in a picture (height, width, 3), blue-green-red."""
        return self.finder.search(pixels, is_alone=True).poses

    def read_boards(
        self, pixels: Pixels, poses: tuple[BoardPose, ...], *, spaces: Spaces | None = None
    ) -> tuple[dict[BoardId, BoardReading], tuple[LoosePiece, ...]]:
        """Read the boards at these places, all spaces or only those named.

        A board not named in ``spaces`` is not read. With ``spaces``, loose pieces are not looked for.
        """
        boards: dict[BoardId, BoardReading] = {}
        sights: list[BoardSight] = []
        for pose in poses:
            if spaces is not None and pose.board not in spaces:
                continue
            wanted = None if spaces is None else spaces[pose.board]
            examined = self.examine(pixels, pose, wanted)
            boards[pose.board] = examined.reading
            if wanted is None and examined.sight is not None:
                sights.append(examined.sight)
        return boards, self.read_beside(pixels, sights, poses)

    def read_beside(
        self, pixels: Pixels, sights: Sequence[BoardSight], poses: tuple[BoardPose, ...]
    ) -> tuple[LoosePiece, ...]:
        """Return the loose pieces beside the boards of players, each once; ``poses`` are all boards found."""
        if not self.box.orders:
            return ()
        loose: list[LoosePiece] = []
        for sight in sights:
            if sight.pose.board in self.box.owners:
                templates = self.wardrobe.orders(sight.light.blur)
                loose += find_orders(pixels, sight, self.box, templates, poses)
        return without_twins(loose, TWINS_MM * min((p.px_per_mm for p in poses), default=1.0))

    def read_dice(
        self, pixels: Pixels, poses: Sequence[BoardPose], *, within: Region | None = None
    ) -> tuple[DieReading, ...]:
        """Return the dice on these boards, in a part of the picture; none where the box has no taught set."""
        if self.box.dice is None:
            return ()
        if self._dice_eyes is None:
            self._dice_eyes = DiceEyes(self.box.dice)
        return read_on_boards(pixels, poses, self.box.layouts, self._dice_eyes, within=within)

    def examine(self, pixels: Pixels, pose: BoardPose, wanted: Collection[SpaceId] | None = None) -> Examined:
        """Read one board, all spaces or the wanted ones, and keep what the reading rests on."""
        layout = self.box.layouts[pose.board]
        readings: dict[SpaceId, SpaceReading] = {}
        looks: list[Look] = []
        sight = see_board(pixels, pose, self.wardrobe) if layout.spaces else None
        if sight is not None:
            looks = look_at_spaces(sight, self.wardrobe, wanted)
            readings = judge_board(looks, sight, self.box)
        else:
            lost = SpaceReading(HIDDEN, 0.0, False, obstacle=Obstacle.NOT_REGISTERED)
            readings = dict.fromkeys(layout.spaces, lost)
        if wanted is not None:
            readings = {s: r for s, r in readings.items() if s in wanted or s.partition(".")[0] in wanted}
        markers = {} if sight is None else read_markers(sight, self.box, self.wardrobe.player_colours())
        reading = BoardReading(
            pose.board, pose.found_by, pose.corners_px, pose.rotation_deg, readings, markers
        )
        return Examined(reading, sight, tuple(looks))

    def part_place(
        self, board: BoardId, part: SpaceId, card: Look | None
    ) -> tuple[tuple[float, float], float] | None:
        """Return where a part space lies on its board and how its card is turned; None if nobody knows.

        ``card`` is the look at the card's own space.
        """
        own, _, index = part.partition(".part")
        space = self.box.layouts[board].spaces[SpaceId(own)]
        kind, centre, turn = self.box.printed.get((board, SpaceId(own))), space.centre_mm, space.up_deg
        if card is not None and card.answers[0] != EMPTY:
            kind, turn = card.answers[0], turn + card.turn_deg
            centre = (centre[0] + card.offset_mm[0], centre[1] + card.offset_mm[1])
        lying = self.box.cards.get(kind) if kind is not None else None
        places = () if lying is None else parts_of(lying, centre, turn, self.box.card_mm)
        return next(((at, turn) for number, at in places if number == int(index)), None)

    def outline_px(
        self, pose: BoardPose, space_id: SpaceId, *, card: PieceKind | None = None
    ) -> NDArray[np.float64]:
        """Return the outline of a space in the picture, (n, 2). Raises KeyError for an unknown space."""
        return pose.project(self._outline_mm(pose.board, space_id, card))

    def crop(
        self, pixels: Pixels, pose: BoardPose, space_id: SpaceId, *, card: PieceKind | None = None
    ) -> bytes:
        """Return a JPEG picture (about 160 px) of a space, upright on its board, with a little around it.

        ``card`` is the card whose part space it is, None: the printed one.
        """
        outline = self._outline_mm(pose.board, space_id, card)
        low, high = outline.min(0), outline.max(0)
        margin = CROP_MARGIN * float((high - low).max())
        low, high = low - margin, high + margin
        scale = CROP_PX / float((high - low).max())
        width, height = (max(1, round(float(s) * scale)) for s in high - low)
        corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        there = pose.project(corners).astype(np.float32)
        here = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        patch = cv2.warpPerspective(pixels, cv2.getPerspectiveTransform(there, here), (width, height))
        _, coded = cv2.imencode(".jpg", patch, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return coded.tobytes()

    def _outline_mm(self, board: BoardId, space_id: SpaceId, card: PieceKind | None) -> NDArray[np.float64]:
        own, _, part = space_id.partition(".part")
        space = self.box.layouts[board].spaces[SpaceId(own)]
        lying = self.box.cards.get(card) if card is not None else None
        printed = self.box.printed.get((board, SpaceId(own)))
        if lying is None and printed is not None:
            lying = self.box.cards[printed]
        if part and lying is not None:
            for index, (x, y) in parts_of(lying, space.centre_mm, space.up_deg, self.box.card_mm):
                if index == int(part):
                    radius = lying.parts[0].radius_mm * 1.2
                    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
                    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)
        # A part of a card that nobody has named yet: the whole space shows it.
        return np.asarray(space.outline_mm, float)
