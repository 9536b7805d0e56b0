"""What strains the eyes, as sentences that say what to do about it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.board import BoardId
from companion.game import Seat, Sentence
from companion.ports import DeviceStanding, DeviceState

GONE = (DeviceState.SEARCHING, DeviceState.LOST, DeviceState.FAULT)


def cautioned(
    devices: Iterable[DeviceStanding], owners: Mapping[BoardId, Seat], seat: Seat | None = None
) -> tuple[Sentence, ...]:
    """Return what a seat is warned of: what strains the view of its boards; None is warned of everything.

    A camera that is gone warns of nothing: what its eyes said last is the past.
    """
    devices = tuple(devices)
    gone = {one.device for one in devices if one.kind == "camera" and one.state in GONE}
    return tuple(
        Sentence(
            f"strain.{caution.strain}",
            {
                "camera": device.device,
                "board": _board(caution.board, owners),
                "seen": caution.seen,
                "needed": caution.needed,
            },
        )
        for device in devices
        if device.device not in gone
        for caution in device.cautions
        if seat is None or (caution.board is not None and owners.get(caution.board) == seat)
    )


def _board(board: BoardId | None, owners: Mapping[BoardId, Seat]) -> Sentence:
    """Return a board as people call it; its owner's seat is said by name."""
    if board is None:
        return Sentence("strain.table")
    owner = owners.get(board)
    return Sentence(f"board.{board}", {} if owner is None else {"seat": owner})
