"""A turning board as a sensor on this computer tells of it: samples in, turns and standings out.

Pure but stateful; the waiting and the wires are the sensor's. Imports ``companion.ports`` and ``turning``.
"""

from __future__ import annotations

from collections import deque

from companion.ports import BoardTurn, DeviceStanding, DeviceState, Need
from hardware.turntables.turning import Completed, LeftBetween, Phase, Sample, Turning, follow


class ToldTurns:
    """What is to be said of one board, in order, each thing once. ``detail`` says what the sensor is."""

    def __init__(self, name: str, boot: str, detail: str) -> None:
        self._name = name
        self._boot = boot
        self._board = Turning()
        self._turns = 0
        self._standing: DeviceStanding | None = None
        self.detail = detail
        self.out: deque[BoardTurn | DeviceStanding] = deque()

    @property
    def is_locked(self) -> bool:
        return self._board.phase is Phase.LOCKED

    def take(self, angle_deg: float | None, now_ms: int) -> None:
        """Take in where the board is; None: in no detent, and no more is known."""
        self._board, happened = follow(self._board, Sample(angle_deg, now_ms))
        if isinstance(happened, Completed):
            self._turns += 1
            self.out.append(
                BoardTurn(
                    self._name, self._boot, self._turns, happened.from_quarter, happened.to_quarter,
                    happened.delta, now_ms,
                )
            )  # fmt: skip
        if self._board.phase is Phase.LOCKED:
            self.stand(DeviceState.LIVE, self.detail, self._board.quarter)
        elif isinstance(happened, LeftBetween):
            said = "The board stands between two quarters; turn on until it clicks."
            at_deg = None if happened.angle_deg is None else round(happened.angle_deg)
            self.stand(DeviceState.FAULT, said, need=Need.BETWEEN, angle_deg=at_deg)
        elif self._board.phase is Phase.MOVING:
            self.stand(DeviceState.LIVE, "turning")

    def stand(
        self,
        state: DeviceState,
        detail: str,
        quarter: int | None = None,
        *,
        need: Need | None = None,
        angle_deg: int | None = None,
    ) -> None:
        """Say how the sensor is, if that is news."""
        standing = DeviceStanding(
            self._name, "board_sensor", state, detail, quarter, need=need, angle_deg=angle_deg
        )
        if standing != self._standing:
            self._standing = standing
            self.out.append(standing)
