"""A box of loose cards is taught on the phone like any other: cards on a sheet, no board, no token."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from calibration.laid_pieces import PX_PER_MM
from calibration.lessons import Lessons, begin
from calibration.shipped_layout import Sizes, missing_for_learning, shipped_layout
from calibration.teach_job import teach
from companion.board import EMPTY
from companion.games.mad_science.game import GAME
from companion.ports import Workbench
from companion.table.boxes import catalogue_of, has_eyes
from hardware.simulated.art.parts import part_back, part_front
from vision.box import load_box

NO_CAMERA = cast(Workbench, None)
SHOWN = ("head_01", "arm_01", "legs_01")


@pytest.fixture
def lessons(home: Path) -> Lessons:
    return begin("ours", shipped_layout(GAME, Sizes()), game=GAME.name)


def show(lessons: Lessons, *cards: str) -> None:
    for card in cards:
        piece = lessons.piece(f"card.{card}")
        assert piece is not None
        row = GAME.stand_in["parts"][card]
        lessons.add_view(piece, part_front("parts", row, PX_PER_MM), PX_PER_MM)


def test_every_card_of_the_game_is_asked_for_and_nothing_else(lessons: Lessons) -> None:
    kinds = {piece.kind for piece in lessons.pieces()}
    assert kinds == {"card", "card_back"}
    assert {piece.name for piece in lessons.pieces() if piece.kind == "card"} == set(GAME.box.counts)
    named = lessons.piece("card.head_01")
    assert named is not None and named.title == GAME.stand_in["parts"]["head_01"]["name"]
    assert EMPTY not in {piece.name for piece in lessons.pieces()}


def test_one_card_at_least_must_be_shown_and_it_is_said(lessons: Lessons) -> None:
    assert missing_for_learning(lessons.layout, lessons.taught()) == ("card",)
    answer = teach(NO_CAMERA, {"do": "learn", "box": "ours"}, b"")
    assert answer == {"ok": False, "why": {"key": "teach.learn.no_card", "values": {}}}
    assert not has_eyes("ours")


def test_what_was_shown_makes_a_box_with_its_zones_and_what_the_game_needs(
    home: Path, lessons: Lessons
) -> None:
    show(lessons, *SHOWN)
    back = lessons.piece("card_back.back")
    assert back is not None
    lessons.add_view(back, part_back(PX_PER_MM), PX_PER_MM)
    answer = teach(NO_CAMERA, {"do": "learn", "box": "ours"}, b"")
    assert answer["ok"], answer
    box = load_box(home / "boxes" / "ours")
    assert {str(kind) for kind in box.loose} == {*SHOWN, "back"}
    assert {zone.id for zone in box.zones} == {board.id for board in GAME.box.boards}
    assert all(len(zone.tags) == 4 for zone in box.zones)
    assert set(catalogue_of("ours")) == set(GAME.stand_in)
