"""A die learns which side is which by being laid up, one face after the other; on every interpreter."""

from __future__ import annotations

import math
import sys

import pytest

from hardware.line_stream import LineSplitter, LineWriter
from hardware.messages import Answer, DieState, DieStatus, Hello, HostVerb, Order
from tests.hardware.firmware.boards import MICROPYTHON, Board, on_cpython, on_micropython

DIE = "D-7F3A1C"
ASKEW = (0.48, 0.6, 0.64)
"""Which way the first face of a die looks whose sensor was glued in anyhow; and two square to it."""

ACROSS = (0.8, -0.6, 0.0)
ASIDE = (0.384, 0.512, -0.768)


def turned(by: tuple[float, float, float]) -> tuple[float, float, float]:
    return (-by[0], -by[1], -by[2])


SIDES = {1: ASKEW, 2: ACROSS, 3: ASIDE, 4: turned(ASIDE), 5: turned(ACROSS), 6: turned(ASKEW)}


class Taught:
    """A die on a bench that is laid down and told what lies up."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.writer = LineWriter("4A70")
        self.splitter = LineSplitter()
        self.statuses: list[DieStatus] = []
        self.hellos: list[Hello] = []
        self.answers: list[Answer] = []
        self.force = (0.0, 0.0, 1.0)

    def rest(self, came: bytes = b"", *, steps: int = 40) -> None:
        for step in range(steps):
            reads = ",".join(f"{axis:.4f}" for axis in self.force) + ",0"
            for line in self.splitter.feed(self.board.step(reads, came if step == 0 else b"")):
                kinds = {DieStatus: self.statuses, Hello: self.hellos, Answer: self.answers}
                kinds.get(type(line.message), []).append(line.message)

    def tell(self, *fields: str) -> tuple[bool, str]:
        self.rest(self.writer.write(DIE, Order(HostVerb.CFG, fields), uptime_ms=0), steps=2)
        answer = self.answers[-1]
        return answer.is_ok, answer.text

    def lay(self, face: int) -> tuple[bool, str]:
        self.force = SIDES[face]
        self.rest()
        return self.tell(f"face={face}")

    def shows(self) -> tuple[DieState, int]:
        self.rest(steps=110)
        return self.statuses[-1].state, self.statuses[-1].up


@pytest.fixture(params={"CPython": on_cpython, "MicroPython": on_micropython}.items(), ids=lambda one: one[0])
def taught(request: pytest.FixtureRequest):
    board = request.param[1](DIE, 0x9C21)
    yield Taught(board)
    board.close()


def test_a_die_whose_sensor_sits_askew_is_cocked_on_every_side_until_it_has_learnt_them(taught: Taught):
    taught.force = SIDES[1]
    assert taught.shows() == (DieState.COCKED, 0)
    assert taught.tell("faces=6") == (True, "left 3F")
    left = ["3E", "3C", "38", "30", "20", "0"]
    assert [taught.lay(face) for face in SIDES] == [(True, f"left {one}") for one in left]
    shown = []
    for force in SIDES.values():
        taught.force = force
        taught.rest()
        shown.append(taught.shows())
    assert shown == [(DieState.FLAT, face) for face in SIDES]


def test_what_makes_no_sense_is_refused_with_the_reason_and_loses_nothing(taught: Taught):
    assert taught.tell("faces=1") == (False, "2 to 30 faces")
    assert taught.tell("face=1") == (False, "no such face")
    taught.tell("faces=6")
    assert taught.lay(1) == (True, "left 3E")
    assert taught.tell("face=2") == (False, "as 1")
    taught.force = SIDES[2]
    assert taught.tell("face=2") == (False, "moves")
    assert taught.lay(2) == (True, "left 3C")
    assert taught.lay(1) == (True, "left 3C")


def test_a_die_of_another_number_of_faces_says_who_it_is_anew(taught: Taught):
    taught.tell("faces=4")
    for face in range(1, 5):
        taught.lay(face)
    taught.rest()
    assert taught.hellos[-1].positions == 4
    assert taught.shows() == (DieState.FLAT, 4)


def test_how_much_lean_is_cocked_can_be_set_within_reason(taught: Taught):
    leaning = math.radians(15)
    taught.force = (math.sin(leaning), 0.0, math.cos(leaning))
    assert taught.shows() == (DieState.FLAT, 1)
    assert taught.tell("cocked=10") == (True, "cocked 10")
    assert taught.shows() == (DieState.COCKED, 0)
    assert taught.tell("cocked=46") == (False, "5 to 45")


def test_what_was_learnt_is_kept_as_text_and_what_is_damaged_is_not_taken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(MICROPYTHON))
    faces = __import__("faces")
    try:
        learnt, again = faces.Faces(), faces.Faces()
        learnt.begin("6")
        assert all(learnt.lay(str(face), force, True) for face, force in SIDES.items())
        assert learnt.is_new and again.recall(learnt.kept()) and not learnt.is_new
        assert [again.best(force) for force in SIDES.values()] == [
            (face, pytest.approx(1, abs=0.001)) for face in SIDES
        ]
        for damaged in ("", "21", "21;0,0,1", "21;0,0,9;1,0,0", "x;0,0,1;1,0,0", "21;0,0;1,0"):
            assert not again.recall(damaged)
        assert again.best(ASKEW)[0] == 1
    finally:
        sys.modules.pop("faces", None)


def test_the_longest_answer_fits_a_line():
    longest = Answer(65535, True, "left 3FFFFFFF")
    said = LineWriter("9C21", first_seq=65535).write(f"{DIE}C21A04", longest, uptime_ms=2**32 - 1)
    assert [line.message for line in LineSplitter().feed(said)] == [longest]
