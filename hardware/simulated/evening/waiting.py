"""What hands have laid and a phone still has to be told: it waits for the proposal that says so."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hardware.simulated.evening.counts import Fate
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.seen import are_eyes_at_work, proposal_of, reads_of

PATIENCE_S = 15.0
"""How long a player looks at the phone, once the eyes have read all, before saying it by hand."""

MOST_PATIENCE_S = 180.0
"""How long at most, should the eyes never come to rest."""

MOST_CORRECTIONS = 3


@dataclass(slots=True)
class Patience:
    """The patience of a player: it wears while the eyes rest, so that slow eyes are waited for."""

    began_s: float
    rested_s: float

    @classmethod
    def at(cls, now_s: float) -> Patience:
        return cls(now_s, now_s)

    def is_over(self, now_s: float, *, at_work: bool) -> bool:
        """Tell whether it is over; ``at_work`` says whether the eyes still look."""
        if at_work:
            self.rested_s = now_s
        return now_s - self.rested_s >= PATIENCE_S or now_s - self.began_s >= MOST_PATIENCE_S


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of something laid; ``seq`` is where the journal stood then."""

    fate: Fate
    seq: int
    note: str = ""


@dataclass(slots=True)
class Laid:
    """Pieces on places that wait to be proposed, or an answer that waits to be.

    ``by_hand`` is the command that says the same without any camera. Order tokens lie on no
    place: then only ``answer`` is held against the proposal's command.
    """

    seat: str | None
    pieces: Mapping[str, str]
    by_hand: Mapping[str, Any]
    answer: Mapping[str, Any] | None = None
    patience: Patience = field(default_factory=lambda: Patience.at(time.monotonic()))
    is_corrected: bool = False
    camera: str = ""
    _corrections: int = 0

    def agrees(self, proposal: Mapping[str, Any]) -> bool:
        """Say whether a proposal tells all that was laid, and nothing else."""
        command = proposal["proposal"]["command"]
        if command is None:
            return False
        if self.answer is not None:
            return bool(command == self.answer)
        return reads_of(proposal) == dict(self.pieces)

    def settle(self, phone: Phone, wired: Mapping[str, Any]) -> Settled | None:
        """Take, correct or type; return what became of it, None while it still waits."""
        proposal = proposal_of(wired, self.seat)
        if proposal is not None and self.agrees(proposal):
            answer = phone.tap(accept=proposal["id"])
            fate = Fate.CORRECTED if self.is_corrected else Fate.RIGHT
            return Settled(fate, int(answer["seq"])) if answer.get("ok") else None
        now_s = time.monotonic()
        if not self.patience.is_over(now_s, at_work=are_eyes_at_work(wired, self.seat, self.camera)):
            return None
        self.patience = Patience.at(now_s)
        if proposal is not None and self.answer is None and self._corrections < MOST_CORRECTIONS:
            self._correct(phone, proposal)
            return None
        return self._type(phone, proposal)

    def _correct(self, phone: Phone, proposal: Mapping[str, Any]) -> None:
        """Say space by space what really lies there; the proposal is made anew with it.

        What is said of a proposal that was made anew meanwhile is refused, and said again later.
        """
        self.is_corrected = True
        self._corrections += 1
        seen = reads_of(proposal)
        wrong = {place: kind for place, kind in self.pieces.items() if seen.get(place) != kind}
        wrong |= {place: "empty" for place in seen if place not in self.pieces}
        for place, kind in wrong.items():
            phone.tap(correct=proposal["id"], place=place, reads=kind)

    def _type(self, phone: Phone, proposal: Mapping[str, Any] | None) -> Settled | None:
        seen = None if proposal is None else (reads_of(proposal) or proposal["proposal"]["command"])
        answer = phone.tap(command=self.by_hand)
        laid = dict(self.pieces) or self.answer
        if answer.get("ok"):
            return Settled(Fate.TYPED, int(answer["seq"]), f"{self.seat}: laid {laid}, proposed {seen}")
        return None
