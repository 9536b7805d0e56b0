"""Live eyes on loose cards: told once, when two looks agree, and only when something changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.board import PieceKind
from companion.ports import Frame, LoosePiece, Reading
from vision.loose.watching import LooseWatch

STILL = 8


def card(reads: str, x: float, *, sure: bool = True) -> LoosePiece:
    corners = ((x - 20, 40.0), (x + 20, 40.0), (x + 20, 96.0), (x - 20, 96.0))
    return LoosePiece(PieceKind(reads), (x, 68.0), 0.0, 0.95, sure, corners_px=corners)


class ScriptedEyes:
    """Reads what it was told to see; counts its looks."""

    def __init__(self) -> None:
        self.sees: list[tuple[LoosePiece, ...]] = [()]
        self.looks = 0

    def read(self, frame: Frame) -> Reading:
        seen = self.sees[min(self.looks, len(self.sees) - 1)]
        self.looks += 1
        return Reading("above", frame.number, frame.at_ms, {}, seen)


def picture(bright_from: int = 0) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    pixels = np.full((180, 320, 3), 90, np.uint8)
    pixels[::4] = 110
    if bright_from:
        pixels[60:120, bright_from : bright_from + 60] = 230
    return pixels


def shown(watch: LooseWatch, pixels: np.ndarray, frames: int = STILL) -> list[Reading]:
    readings = [watch.see(Frame(pixels, number, 0)) for number in range(frames)]
    return [reading for reading in readings if reading is not None]


def test_the_first_settled_picture_is_told_once() -> None:
    eyes = ScriptedEyes()
    eyes.sees = [(card("head_01", 100.0),)]
    watch = LooseWatch(eyes, "above")
    told = shown(watch, picture())
    assert [piece.reads for piece in told[0].loose] == ["head_01"]
    assert len(told) == 1 and eyes.looks == 2
    assert shown(watch, picture()) == []
    assert eyes.looks == 2
    assert watch.standing().detail == "settled"


def test_a_card_that_is_laid_is_told_and_a_moved_shadow_is_not() -> None:
    eyes = ScriptedEyes()
    eyes.sees = [(card("head_01", 100.0),)]
    watch = LooseWatch(eyes, "above")
    shown(watch, picture())
    assert shown(watch, picture(bright_from=120)) == []
    eyes.sees = [(card("head_01", 100.0), card("arm_01", 200.0))]
    (told,) = shown(watch, picture(bright_from=180))
    assert {str(piece.reads) for piece in told.loose} == {"head_01", "arm_01"}


def test_looks_that_never_agree_are_told_as_unsure() -> None:
    eyes = ScriptedEyes()
    one, other = card("head_01", 100.0), card("head_02", 100.0)
    eyes.sees = [(one,), (other,), (one,), (other,), (one,)]
    (told,) = shown(LooseWatch(eyes, "above"), picture(), frames=12)
    assert [piece.sure for piece in told.loose] == [False]


def test_a_card_turned_over_is_told() -> None:
    eyes = ScriptedEyes()
    eyes.sees = [(card("head_01", 100.0),)]
    watch = LooseWatch(eyes, "above")
    shown(watch, picture())
    eyes.sees = [(replace(card("card_back", 100.0), is_face_down=True),)]
    (told,) = shown(watch, picture(bright_from=120))
    assert told.loose[0].is_face_down
