"""What live eyes need of whatever reads pictures of one taught box."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from companion.board import BoardId, PieceKind, SpaceId
from companion.ports import BoardReading, DieReading, LoosePiece, Pixels
from vision.dice_on_boards import Region
from vision.pose import BoardPose
from vision.strain import Glimpse
from vision.whereabouts import Finds


class Eyes(Finds, Protocol):
    """What reads pictures of one taught box; ``vision.second_look.SecondLook``."""

    def read_boards(
        self,
        pixels: Pixels,
        poses: tuple[BoardPose, ...],
        *,
        spaces: Mapping[BoardId, Collection[SpaceId]],
    ) -> dict[BoardId, BoardReading]: ...

    def read_beside(self, pixels: Pixels, poses: tuple[BoardPose, ...]) -> tuple[LoosePiece, ...]: ...

    def read_dice(
        self, pixels: Pixels, poses: tuple[BoardPose, ...], *, within: Region | None = None
    ) -> tuple[DieReading, ...]: ...

    def glimpse(self, pixels: Pixels, pose: BoardPose) -> Glimpse | None: ...

    def crop(
        self, pixels: Pixels, pose: BoardPose, space_id: SpaceId, *, card: PieceKind | None = None
    ) -> bytes: ...
