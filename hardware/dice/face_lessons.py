"""Teaches a die on a serial line which side is which, while somebody else reads it.

Wishes go out by ``CFG``; what the die answers is heard by the reader and told here. A die whose firmware
does not know these wishes says OK and nothing more, and has learnt nothing.
"""

from __future__ import annotations

import re
import threading

from companion.ports import Lesson
from hardware.messages import Answer, DieState, DieStatus, Hello, HostVerb, Line, Order
from hardware.serial_port import SerialPort

ANSWER_S = 2.0
KEPT = 8  # answers that nobody has taken yet
SIX = 6


class FaceLessons:
    """One die as a pupil. ``hear`` is called by whoever reads the line, all else from any thread."""

    def __init__(self, port: SerialPort) -> None:
        self._port = port
        self._heard = threading.Condition()
        self._answers: dict[int, Answer] = {}
        self._lies: int | None = None
        self.faces = SIX

    @property
    def lies(self) -> int | None:
        """The face that lies up; 0: it leans; None: it moves, or nobody knows."""
        return self._lies

    def hear(self, line: Line) -> None:
        """Take in a fresh line of the die."""
        match line.message:
            case Hello(_, positions):
                self.faces = positions
            case DieStatus(state, _, _, up):
                known = {DieState.FLAT: up or None, DieState.COCKED: 0}
                self._lies = known.get(state)
            case Answer(seq) as answer:
                with self._heard:
                    self._answers[seq] = answer
                    for old in list(self._answers)[:-KEPT]:
                        del self._answers[old]
                    self._heard.notify_all()

    def lose_sight(self) -> None:
        """The connection broke: nobody knows how the die lies."""
        self._lies = None

    def ask(self, wish: str) -> Lesson:
        """Tell the die a wish such as ``face=3``, and wait for what comes of it."""
        device = self._port.device
        seq = None if device is None else self._port.tell(device, Order(HostVerb.CFG, (wish,)))
        if seq is None:
            return Lesson(why="silent")
        with self._heard:
            self._heard.wait_for(lambda: seq in self._answers, ANSWER_S)
            answer = self._answers.pop(seq, None)
        return Lesson(why="silent") if answer is None else lesson_of(answer)


def lesson_of(answer: Answer) -> Lesson:
    """Return what an answer means."""
    text = answer.text
    if answer.is_ok and (left := re.fullmatch(r"left ([0-9A-F]{1,8})", text)):
        bits = int(left[1], 16)
        return Lesson(tuple(face for face in range(1, bits.bit_length() + 1) if bits >> (face - 1) & 1))
    if answer.is_ok and text.startswith("cocked "):
        return Lesson()
    if answer.is_ok or not text:
        return Lesson(why="other_firmware")
    if alike := re.fullmatch(r"as (\d+)", text):
        return Lesson(why="alike", about=alike[1])
    whys = {"moves": "moves", "no such face": "forgot"}
    return Lesson(why=whys[text]) if text in whys else Lesson(why="refused", about=text)
