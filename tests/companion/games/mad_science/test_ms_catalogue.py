"""What the box does not say is asked when it is needed, never guessed; what is told counts from then on."""

from __future__ import annotations

from typing import Any

from companion.catalogue import is_complete, names_of, rows_of
from companion.games.mad_science.components import FACES, Column, Rank, cell
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import Play, SetUp, TellBox, TellCard, TurnUp
from companion.games.mad_science.sheets import CONFLICTS, EXPERIMENTS, PARTS, SHEETS
from companion.games.mad_science.state import Phase, Stage
from companion.spreadsheet import csv_in, csv_out
from tests.companion.games.mad_science.tables import (
    CATALOGUE,
    HEAD,
    LEGS,
    WHOLE,
    A,
    B,
    after,
    life,
    playing,
    refused,
    rolled,
    told,
    why,
)

BOX: dict[str, Any] = CATALOGUE


def box_where(table: str, card: str, **cells: Any) -> Any:
    """Return the synthetic box as it is read with other cells of a card; None: not told."""
    row = {name: value for name, value in {**BOX[table][card], **cells}.items() if value is not None}
    return GAME.initial({**BOX, table: {**BOX[table], card: row}}).box


def test_the_stand_in_is_seventy_two_cards_told_in_full_and_named_so() -> None:
    assert GAME.stand_in["name"] == "stand-in"
    assert sum(GAME.box.counts.values()) == 72
    for sheet in SHEETS:
        assert all(is_complete(sheet, row) for row in rows_of(sheet, GAME.stand_in).values())
    assert len(names_of(SHEETS, GAME.stand_in)) == 69  # three adaptors are there twice


def test_charts_are_grids_of_six_by_three_in_a_spreadsheet() -> None:
    for sheet, columns in ((EXPERIMENTS, Column), (CONFLICTS, Rank)):
        cells = [cell(column, face) for column in columns for face in FACES]
        heading, first, *_ = csv_out(sheet, GAME.stand_in).splitlines()
        assert [name for name in heading.split(",") if name in cells] == cells
        after_it = csv_in(SHEETS, GAME.stand_in, csv_out(sheet, GAME.stand_in).encode())
        assert rows_of(sheet, after_it[sheet.name]) == rows_of(sheet, GAME.stand_in)
        assert first


def test_an_instruction_that_no_chart_has_is_refused_by_name() -> None:
    row = {**BOX["experiments"]["thing"], "middle_1": "explode"}
    wrong = refused(playing({"life": 5}, {"life": 5}), told(experiments={"thing": {**_texts(row)}}))
    assert wrong.why.key == "ms.no.catalogue_row"


def _texts(row: dict[str, Any]) -> dict[str, str]:
    return {name: " ".join(value) if isinstance(value, list) else str(value) for name, value in row.items()}


def test_a_creature_is_counted_once_its_numbers_are_told() -> None:
    three = {kind: card for kind, card in WHOLE.items() if kind is not LEGS}
    box = box_where("parts", "legs_0", life=None, number=None)
    state = playing({"hand": 3, "parts": three}, {"life": 5}, stage=Stage.PLAY, box=box)
    state = after(state, Play(A, "legs_0"))
    assert (state.turn.stage, life(state, A)) == (Stage.COUNT, None)
    [prompt] = [one for one in GAME.prompts(state) if one.seat == A]
    assert {field.name for field in prompt.choices[0].fields} == {"cell_life", "cell_number"}
    state = after(state, TellCard(A, "parts", "legs_0", {"life": "2", "number": "4"}))
    assert (life(state, A), state.turn.seat) == (11, B)


def test_the_break_waits_for_the_numbers_of_who_has_not_finished() -> None:
    box = box_where("bodies", "body_b", life=None)
    state = playing({"life": 5}, {"hand": 3, "parts": {HEAD: "head_spare"}}, experiment_life=1, box=box)
    state = rolled(state, 4)
    assert state.phase is Phase.PLAY
    assert state.waited_for() == (B,)
    state = after(state, TellCard(B, "bodies", "body_b", {"life": "7"}))
    assert (state.phase, life(state, B)) == (Phase.BREAK, 8)


def test_cards_that_the_box_does_not_list_are_told_and_then_played() -> None:
    cells = {"name": "Odd Head", "kind": "head", "connector": "screws", "life": "3", "number": "2"}
    state = playing({"hand": 5}, {"hand": 5}, stage=Stage.PLAY)
    state = after(state, TellCard(A, "parts", "", cells), Play(A, "told_1"))
    assert state.creatures[A].parts == {HEAD: "told_1"}
    assert state.box.name("told_1") == "Odd Head"


def test_a_table_without_any_catalogue_asks_for_all_of_it() -> None:
    state = after(GAME.initial({}), SetUp((A, B)))
    state = rolled(state, 1, 2)
    state = after(state, TellCard(A, "experiments", "", {"name": "Blob", "life": "5"}), TurnUp(A, "told_1"))
    assert state.experiment_life == 5


def test_a_box_once_told_is_known_to_the_next_table() -> None:
    box = box_where("experiments", "thing", middle_4=None)
    state = after(rolled(playing({"life": 7}, {"life": 7}, box=box), 4), TellBox(A, "double_hit"))
    assert GAME.catalogue(state)["experiments"]["thing"]["middle_4"] == "double_hit"
    assert rows_of(PARTS, GAME.catalogue(state)) == rows_of(PARTS, BOX)


def test_an_experiment_without_its_life_cannot_be_turned_up() -> None:
    state = rolled(after(GAME.initial({"experiments": {"blob": {"name": "Blob"}}}), SetUp((A, B))), 1, 2)
    assert why(state, TurnUp(A, "blob")) == "life_untold"
