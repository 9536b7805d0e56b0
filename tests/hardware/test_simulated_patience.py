"""How long a player of the demo waits for a proposal."""

from __future__ import annotations

from typing import Any

from hardware.simulated.evening.seen import are_eyes_at_work
from hardware.simulated.evening.waiting import MOST_PATIENCE_S, PATIENCE_S, Patience


def seen(detail: str, *, device: str = "lab_red", state: str = "live") -> dict[str, Any]:
    return {"devices": [{"kind": "eyes", "device": device, "state": state, "detail": detail}]}


def test_patience_wears_while_the_eyes_rest():
    patience = Patience.at(0.0)
    assert not patience.is_over(PATIENCE_S / 2, at_work=False)
    assert patience.is_over(PATIENCE_S, at_work=False)


def test_eyes_that_are_slow_are_waited_for():
    patience = Patience.at(0.0)
    assert not patience.is_over(10 * PATIENCE_S, at_work=True)
    assert not patience.is_over(10.5 * PATIENCE_S, at_work=False)
    assert patience.is_over(11 * PATIENCE_S, at_work=False)


def test_eyes_that_never_rest_are_not_waited_for_without_end():
    assert Patience.at(0.0).is_over(MOST_PATIENCE_S, at_work=True)


def test_only_the_eyes_over_the_own_board_are_waited_for():
    assert are_eyes_at_work(seen("looking"), "red")
    assert are_eyes_at_work(seen("moving"), "red")
    assert not are_eyes_at_work(seen("settled"), "red")
    assert not are_eyes_at_work(
        {"devices": [*seen("settled")["devices"], *seen("looking", device="lab_blue")["devices"]]}, "red"
    )
    assert are_eyes_at_work(seen("looking", device="centre"), None)


def test_eyes_that_open_or_search_are_waited_for():
    assert are_eyes_at_work({"devices": []}, "red")
    assert are_eyes_at_work(seen("no settled picture yet", state="searching"), "red")


def test_eyes_that_cannot_see_are_not_waited_for():
    assert not are_eyes_at_work(seen("no longer found: lab_red", state="stale"), "red")
    assert not are_eyes_at_work(seen("the picture is too dark", state="fault"), "red")
