"""Look again at a few spaces of a board that was read before, for a small part of the price.

The light on the board, its blur and drift, and where each card lies were measured when the board was
read whole. As long as the board has not moved, a look at one token needs only the pixels around it.
An answer that is not sure this way is sought the long way, unless the light is still the one that was
measured: then the long way would see the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import BoardId, PieceKind, Place, SpaceId, SpaceKind
from companion.ports import BoardReading, DieReading, LoosePiece, Pixels
from vision.box import ART_PX_PER_MM, TaughtBox, parts_of
from vision.dice_on_boards import Region
from vision.finder import Found
from vision.flatten import map_of, redraw
from vision.judge import judge_board
from vision.light import BLUR_LEVELS_PX, Light, to_opponent
from vision.look import Look
from vision.places import card_on
from vision.pose import BoardPose, Points
from vision.reader import Reader
from vision.sight import BoardSight, see_board
from vision.spaces import look_at_spaces
from vision.strain import Glimpse, glimpse

MARGIN_MM = 28.0  # around a middle: a turned patch with a token, a hand's play and the ring about it
FEW = 8  # spaces; more are read the long way in one go
SAMPLE_PX = 16
SAME_LIGHT = 0.02
MOST_LIGHT_STEP = 0.3  # beyond it the light is measured anew
MOST_UNEVEN = 0.1  # so is light that changed otherwise than elsewhere by so much, on a quarter of the picture
TILES_WH = (16, 9)

Window = tuple[slice, slice]


@dataclass(slots=True)
class Memory:
    """What is remembered of a board: how it was seen, and the looks at its cards."""

    sight: BoardSight
    sample: NDArray[np.float64]
    grown_field: NDArray[np.float32]  # at half of ART_PX_PER_MM
    cards: Mapping[SpaceId, Look]

    @classmethod
    def of(cls, sight: BoardSight, pixels: Pixels, cards: Mapping[SpaceId, Look]) -> Memory:
        height, width = sight.flat.shape[0] // 2, sight.flat.shape[1] // 2
        grown = cv2.resize(sight.light.field, (width, height), interpolation=cv2.INTER_LINEAR)
        return cls(sight, sampled(pixels), np.asarray(grown, np.float32), cards)

    def is_lit_alike(self, pixels: Pixels) -> bool:
        """Tell whether the light is still as it was when the board was read."""
        return bool(np.abs(self._step(pixels) - 1).max() < SAME_LIGHT)

    def _step(self, pixels: Pixels) -> NDArray[np.float64]:
        """Return by how much each channel became brighter since."""
        return np.asarray(np.median(sampled(pixels) / self.sample, axis=(0, 1)))

    def light_now(self, pixels: Pixels) -> Light | None:
        """Return the light of today: as it was, but for its strength and colour.

        None when it must be measured anew: after a great step, or when one side went darker than another.
        """
        step = self._step(pixels)
        if np.abs(step - 1).max() > MOST_LIGHT_STEP:
            return None
        tiles = tiled(sampled(pixels)) / tiled(self.sample * step)
        if np.percentile(np.abs(tiles - 1), 75) > MOST_UNEVEN:
            return None
        return replace(self.sight.light, curve=self.sight.light.curve / step[:, None] ** [[0, 1, 2]])


def sampled(pixels: Pixels) -> NDArray[np.float64]:
    """Return a coarse sample of a picture, (h, w, 3), never zero."""
    return np.asarray(pixels[::SAMPLE_PX, ::SAMPLE_PX], np.float64) + 2.0


def tiled(sample: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the brightness of a few tiles of a sample, (9, 16)."""
    return np.asarray(cv2.resize(sample.mean(axis=2), TILES_WH, interpolation=cv2.INTER_AREA))


class SecondLook:
    """Reads boards for one watch. Same manners as ``Reader``, whose looks it remembers."""

    def __init__(self, reader: Reader) -> None:
        self.box: TaughtBox = reader.box
        self._reader = reader
        self._memories: dict[BoardId, Memory] = {}

    def search(self, pixels: Pixels, *, missed: Collection[BoardId] = ()) -> Found:
        return self._reader.finder.search(pixels, missed=missed)

    def anchors(self, pose: BoardPose) -> Mapping[str, Points]:
        return self._reader.finder.anchors(pose)

    def rests(self, pixels: Pixels, pose: BoardPose) -> bool | None:
        return self._reader.finder.rests(pixels, pose)

    def crop(
        self, pixels: Pixels, pose: BoardPose, space_id: SpaceId, *, card: PieceKind | None = None
    ) -> bytes:
        return self._reader.crop(pixels, pose, space_id, card=card)

    def glimpse(self, pixels: Pixels, pose: BoardPose) -> Glimpse | None:
        """See how a board is seen, for next to nothing; its focus is that of the last whole look."""
        memory = self._memories.get(pose.board)
        blur_px = None if memory is None else BLUR_LEVELS_PX[memory.sight.light.blur]
        ground = self._reader.wardrobe.ground(pose.board)
        return glimpse(pixels, pose, self.box.layouts[pose.board], ground, blur_px=blur_px)

    def read_boards(
        self,
        pixels: Pixels,
        poses: tuple[BoardPose, ...],
        *,
        spaces: Mapping[BoardId, Collection[SpaceId]],
    ) -> dict[BoardId, BoardReading]:
        """Read spaces of boards, the short way where that is sure."""
        boards: dict[BoardId, BoardReading] = {}
        for pose in poses:
            wanted = spaces.get(pose.board)
            if wanted is None:
                continue
            boards[pose.board] = self._again(pixels, pose, wanted) or self._examine(pixels, pose, wanted)
        return boards

    def read_dice(
        self, pixels: Pixels, poses: tuple[BoardPose, ...], *, within: Region | None = None
    ) -> tuple[DieReading, ...]:
        return self._reader.read_dice(pixels, poses, within=within)

    def read_beside(self, pixels: Pixels, poses: tuple[BoardPose, ...]) -> tuple[LoosePiece, ...]:
        """Return the loose pieces beside the boards; the light is that of the boards."""
        sights = [self._sight(pixels, pose) for pose in poses if pose.board in self.box.owners]
        return self._reader.read_beside(pixels, [sight for sight in sights if sight is not None], poses)

    def _sight(self, pixels: Pixels, pose: BoardPose) -> BoardSight | None:
        """Return how a board is seen, remembered or measured anew."""
        memory = self._memories.get(pose.board)
        light = memory.light_now(pixels) if memory is not None and memory.sight.pose is pose else None
        if memory is not None and light is not None:
            return replace(memory.sight, light=light)
        return see_board(pixels, pose, self._reader.wardrobe)

    def _examine(self, pixels: Pixels, pose: BoardPose, wanted: Collection[SpaceId]) -> BoardReading:
        """Read spaces the long way, and remember the light and the cards."""
        examined = self._reader.examine(pixels, pose, wanted)
        if examined.sight is not None:
            before = self._memories.get(pose.board)
            cards = {} if before is None or before.sight.pose is not pose else before.cards
            cards = {space: look for space, look in cards.items() if space not in wanted}
            seen = {look.space: look for look in examined.looks if look.group == "card"}
            read = examined.reading.spaces
            cards |= {space: look for space, look in seen.items() if space in read and read[space].sure}
            self._memories[pose.board] = Memory.of(examined.sight, pixels, cards)
        return examined.reading

    def _again(self, pixels: Pixels, pose: BoardPose, wanted: Collection[SpaceId]) -> BoardReading | None:
        """Look at spaces the short way; None if that cannot be or is not sure."""
        memory = self._memories.get(pose.board)
        if memory is None or memory.sight.pose is not pose or not self._is_short(pose.board, wanted, memory):
            return None
        light = memory.light_now(pixels)
        if light is None:
            return None
        sight = self._glimpse(pixels, memory, light, wanted)
        looks = look_at_spaces(sight, self._reader.wardrobe, wanted, cards=memory.cards)
        readings = judge_board(looks, sight, self.box)
        if not all(space in readings for space in wanted):
            return None
        if not (memory.is_lit_alike(pixels) or all(readings[space].sure for space in wanted)):
            return None
        answers = {space: readings[space] for space in wanted}
        return BoardReading(pose.board, pose.found_by, pose.corners_px, pose.rotation_deg, answers)

    def _is_short(self, board: BoardId, wanted: Collection[SpaceId], memory: Memory) -> bool:
        """Tell whether spaces are few, and none of them a card or a step of a track."""
        spaces = self.box.layouts[board].spaces
        for space in wanted:
            own = SpaceId(space.partition(".")[0])
            if own != space and own not in memory.cards:
                return False
            if own == space and spaces[own].kind in (SpaceKind.CARD, SpaceKind.TRACK):
                return False
        return len(wanted) <= FEW

    def _glimpse(
        self, pixels: Pixels, memory: Memory, light: Light, wanted: Collection[SpaceId]
    ) -> BoardSight:
        """See only the neighbourhood of some spaces of a board."""
        known = memory.sight
        bare = self._reader.wardrobe.bare(known.pose.board, light.blur)  # corrections may have changed it
        sight = replace(known, flat=np.zeros(known.flat.shape, np.uint8), light=light, bare=bare)
        picture = np.zeros((*memory.grown_field.shape, 3), np.float32)
        for space in wanted:
            rows, columns = window = self._window(memory, space)
            flat = flat_window(pixels, known.pose, window)
            sight.flat[window] = flat
            small = slice(rows.start // 2, rows.stop // 2), slice(columns.start // 2, columns.stop // 2)
            shrunk = cv2.resize(flat, (flat.shape[1] // 2, flat.shape[0] // 2), interpolation=cv2.INTER_AREA)
            seen = through(light, np.asarray(shrunk, np.uint8), memory.grown_field[small])
            picture[small] = to_opponent(seen)
        sight.__dict__["half"] = picture  # what the property would have made of the whole board
        sight.__dict__["covered"] = None  # no arm lies over what changed in a settled frame
        return sight

    def _window(self, memory: Memory, space: SpaceId) -> Window:
        middle = np.array(self._middle_mm(memory, space))
        left, top = ((middle - MARGIN_MM) * ART_PX_PER_MM).astype(int)
        right, bottom = ((middle + MARGIN_MM) * ART_PX_PER_MM).astype(int)
        height, width = memory.sight.flat.shape[:2]
        rows = slice(max(top, 0) // 2 * 2, min(bottom, height) // 2 * 2)
        return rows, slice(max(left, 0) // 2 * 2, min(right, width) // 2 * 2)

    def _middle_mm(self, memory: Memory, space: SpaceId) -> tuple[float, float]:
        """Return where a space lies on its board; a part lies where its card was seen."""
        board = memory.sight.layout
        own, _, part = space.partition(".part")
        printed = board.spaces[SpaceId(own)]
        if not part:
            return printed.centre_mm
        look = memory.cards[SpaceId(own)]
        card = card_on(self.box, Place(board.id, printed.id), look.answers[0])
        x, y = (middle + off for middle, off in zip(printed.centre_mm, look.offset_mm, strict=True))
        parts = (
            () if card is None else parts_of(card, (x, y), printed.up_deg + look.turn_deg, self.box.card_mm)
        )
        return next((at for index, at in parts if index == int(part)), (x, y))


def flat_window(pixels: Pixels, pose: BoardPose, window: Window) -> Pixels:
    """Return a window (rows, columns) of the flattened board."""
    rows, columns = window
    size = (columns.stop - columns.start, rows.stop - rows.start)
    left_top_mm = (columns.start / ART_PX_PER_MM, rows.start / ART_PX_PER_MM)
    return redraw(pixels, map_of(pose, left_top_mm, size, ART_PX_PER_MM))


def through(light: Light, flat: Pixels, field: NDArray[np.float32]) -> NDArray[np.float32]:
    """Undo the light on a part of a flattened board, as ``Light.undo`` does on the whole."""
    values = np.arange(256.0)
    tables = light.curve[:, :1] + light.curve[:, 1:2] * values + light.curve[:, 2:] * values**2
    table = np.clip(tables.T, 0, 320).astype(np.float32).reshape(1, 256, 3)
    return np.asarray(np.minimum(cv2.LUT(flat, table) * field[..., None], 300.0), np.float32)
