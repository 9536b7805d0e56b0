"""Whatever happens on the tray, once it rests the eyes have told what lies there."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.ports import Pixels, Reading
from tests.vision.drawn_tray import CARDS, STEPS, TRAY, Evening, px_of, reads, table

SPOTS = ("spot1", "spot2", "spot3", "spot4")
PARTS = ("card.part0", "card.part1")
TOKENS = st.sampled_from(["leaf", "brick", "plum"])
TIME_TO_REST = 12  # frames


class TrayMachine(RuleBasedStateMachine):
    """A tray on which people lay, take, lean over, bump and switch lamps."""

    @initialize()
    def begin(self) -> None:
        self.laid = {"spot1": "leaf", "card": "sun"}
        self.marker, self.light = 1, 1.0
        self.shift_px, self.turn_deg = (0.0, 0.0), 0.0
        self.evening = Evening()
        self.told: Reading | None = None
        self.show(TIME_TO_REST)

    def picture(self, arm: tuple[int, int] | None = None) -> Pixels:
        drawn = table(self.laid, marker=self.marker, arm=arm, shift_px=self.shift_px, turn_deg=self.turn_deg)
        return np.clip(drawn * self.light, 0, 255).astype(np.uint8)

    def show(self, frames: int, arm: tuple[int, int] | None = None) -> None:
        told = self.evening.show(self.picture(arm), frames)
        self.told = told[-1] if told else self.told

    @rule(space=st.sampled_from(SPOTS + PARTS), token=TOKENS)
    def lay(self, space: str, token: str) -> None:
        self.laid[space] = token
        self.show(TIME_TO_REST)

    @rule(space=st.sampled_from(SPOTS + PARTS))
    def take(self, space: str) -> None:
        self.laid.pop(space, None)
        self.show(TIME_TO_REST)

    @rule(card=st.sampled_from(sorted(CARDS)))
    def change_the_card(self, card: str) -> None:
        self.laid["card"] = card
        self.show(TIME_TO_REST)

    @rule(step=st.integers(1, STEPS))
    def move_the_marker(self, step: int) -> None:
        self.marker = step
        self.show(TIME_TO_REST)

    @rule(space=st.sampled_from(SPOTS), token=TOKENS, rests=st.integers(1, 9))
    def lay_by_hand(self, space: str, token: str, rests: int) -> None:
        self.show(rests, arm=px_of(space))
        self.laid[space] = token
        self.show(rests, arm=px_of(space))
        self.show(TIME_TO_REST)

    @rule(light=st.floats(0.65, 1.15))
    def turn_the_lamp(self, light: float) -> None:
        self.light = light
        self.show(TIME_TO_REST)

    @rule(right=st.floats(-18, 18), down=st.floats(-12, 12), turn=st.floats(-4, 4))
    def bump_the_camera(self, right: float, down: float, turn: float) -> None:
        self.shift_px, self.turn_deg = (right, down), turn
        self.show(TIME_TO_REST)

    @rule(space=st.sampled_from(SPOTS), token=TOKENS, frames=st.integers(1, 7))
    def lay_and_lay_again_before_it_was_read(self, space: str, token: str, frames: int) -> None:
        self.laid[space] = token
        self.show(frames)
        self.laid[space] = "plum"
        self.show(TIME_TO_REST)

    @invariant()
    def what_was_told_last_is_what_lies_there(self) -> None:
        assert self.told is not None
        spaces = (*SPOTS, *(f"card.part{part}" for part in CARDS[self.laid["card"]]))
        expected = {space: self.laid.get(space, "empty") for space in spaces}
        assert reads(self.told) == {**expected, "card": self.laid["card"]}
        assert self.told.boards[TRAY].markers == {"red": self.marker}


TestTray = TrayMachine.TestCase
TestTray.settings = settings(
    max_examples=12, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck)
)
