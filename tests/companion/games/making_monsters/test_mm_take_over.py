"""Tables taken over as they stand: from a line, a reading, and the stills of box A as truly laid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.board import EMPTY, BoardId
from companion.game import Choice, Line, Pick, Proposal
from companion.games.making_monsters.components import Order
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import TakeOver
from companion.games.making_monsters.position import position
from companion.games.making_monsters.state import Phase, Stage, State
from companion.ports import BoardReading, Reading
from tests.companion.games.making_monsters.promises import check_pieces, without_chores
from tests.companion.games.making_monsters.readings import board, reading, space
from tests.companion.games.making_monsters.tables import (
    BLUE,
    CATALOGUE,
    GOOP,
    LIMB,
    RED,
    ROT,
    after,
    drawing,
    refused,
    rejects,
)
from tests.companion.games.making_monsters.tables import (
    EMPTY as OPEN,
)

SCENES = Path(__file__).parents[4] / "../shared/scenes/A"


def form(state: State, seen: Reading | None) -> Choice:
    return GAME.take_over(state, seen)[0]


def filled(choice: Choice, **fields: Any) -> Any:
    """Return the command of a take-over form with what it starts with, and some fields typed."""
    values = {field.name: field.value for field in choice.fields}
    return GAME.codec.command_in({**choice.command, **values, **fields})


def test_a_position_line_is_taken_over_as_it_is() -> None:
    there = drawing(Order.BLUE, is_super=True, parts={"card1.part0": LIMB, **rejects(ROT)}, drawn=4)
    line = GAME.take_over(OPEN, None)[1]
    assert [type(field) for field in line.fields] == [Line]
    command = GAME.codec.command_in({**line.command, "position": position(there)})
    assert without_chores(after(OPEN, command)) == without_chores(there)


def test_a_line_that_contradicts_the_box_is_refused() -> None:
    there = drawing(Order.BLUE)
    for wrong, key in (
        (position(there).replace("limb4", "limb44"), "mm.why.too_many_tokens"),
        (position(there).replace("goop2", "goop1"), "mm.why.tokens_missing"),
    ):
        assert refused(OPEN, TakeOver(wrong)).why.values["why"].key == key
    assert refused(OPEN, TakeOver("nonsense")).why.key == "mm.no.position"
    assert refused(there, TakeOver(position(there))).why.key == "mm.no.already_set_up"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("chess e4", "begins with mm1"),
        ("mm1 phase=lunch", "'phase=lunch' cannot be read"),
        ("mm1 phase=order lunch=now", "'lunch=now' is unknown"),
        ("mm1 phase=order track=many", "no Rot track"),
        ("mm1 phase=order | purple bag=rot1", "'purple' is no seat"),
        ("mm1 phase=order | red bag=rot", "'bag=rot' cannot be read"),
        ("mm1 phase=order | red cards=card3:nobody", "no card nobody"),
    ],
)
def test_a_bad_line_says_which_part_is_wrong(line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        GAME.from_position(line, CATALOGUE)


def test_a_reading_fills_the_labs_and_leaves_the_rest_to_be_asked() -> None:
    there = drawing(Order.YELLOW, parts={"card1.part0": LIMB, "sort1": GOOP}, cards={"card4": "spiky"})
    choice = form(OPEN, reading(there))
    names = [field.name for field in choice.fields]
    assert names[:4] == ["seats", "phase", "round", "track"]
    assert {"score_red", "order_red", "bag_red", "score_blue"} <= set(names)
    command = filled(choice, score_red="12", order_red="yellow", order_blue="red", track="5", round="3")
    state = after(OPEN, command)
    check_pieces(state)
    lab = state.labs[RED]
    assert (lab.cards, lab.score, lab.order, state.track, state.round) == (
        {"card4": "spiky"},
        12,
        Order.YELLOW,
        5,
        3,
    )
    assert state.bags_guessed


def test_typed_bags_are_counted_strictly() -> None:
    there = drawing(Order.YELLOW)
    choice = form(OPEN, reading(there))
    state = after(OPEN, filled(choice, bag_red="rot5,limb6", bag_blue="rot7,limb5", phase="deliveries"))
    assert not state.bags_guessed
    assert state.labs[RED].bag == {ROT: 5, LIMB: 6}
    check_pieces(state)


def test_without_a_reading_the_form_still_stands() -> None:
    state = after(OPEN, filled(form(OPEN, None)))
    assert (state.phase, tuple(state.labs)) == (Phase.ORDER, (RED, BLUE))
    assert GAME.take_over(state, None) == ()


def true_reading(still: Path) -> Reading:
    """Return what perfect eyes read in a still, from its truth; what a hand covers is hidden."""
    truth = json.loads(still.read_text())
    boards: dict[BoardId, BoardReading] = {}
    for one in truth["boards"]:
        spaces = {}
        for slot in one["slots"]:
            content = slot["content"] or {}
            kinds = (content.get(name) for name in ("token_kind", "card_id", "upgrade_id"))
            reads = next((kind for kind in kinds if kind), EMPTY)
            spaces[slot["id"]] = seen(reads, slot["visible_fraction"])
            for part in slot.get("part_slots", ()):
                name = f"{slot['id']}.part{part['index']}"
                spaces[name] = seen(part["content"] or EMPTY, part["visible_fraction"])
        boards[BoardId(one["id"])] = board(one["id"], spaces)
    return Reading("camera", 0, 0, boards)


def seen(reads: str, visible: float) -> Any:
    return space(reads) if visible > 0.9 else space("hidden", sure=False)


def box_a() -> Any:
    layout = json.loads((SCENES / "reference/layout.json").read_text())
    slots = {slot["id"]: slot for slot in layout["boards"]["central"]["slots"]}
    carts = {f"cart{n}": slots[f"cart{n}_upgrade1"]["cart_parts"] for n in range(1, 5)}
    return {"cards": layout["cards"], "carts": carts, "upgrades": layout["upgrades"]}


@pytest.mark.parametrize("sequence", ["seq1", "seq2", "seq3", "seq4"])
def test_tokens_laid_one_by_one_grow_the_proposal_of_a_table_taken_over(sequence: str) -> None:
    stills = sorted((SCENES / "sequences" / sequence).glob("frame_*.json"))
    state = GAME.initial(box_a())
    choice = form(state, true_reading(stills[0]))
    phase = next(field for field in choice.fields if isinstance(field, Pick) and field.name == "phase")
    assert phase.value == "deliveries"
    state = after(state, filled(choice))
    sizes = []
    for still in stills[1:]:
        sightings = GAME.sighted(state, true_reading(still))
        assert all(isinstance(sighting, Proposal) for sighting in sightings), (still.name, sightings)
        sizes.append(sum(len(sighting.spaces) for sighting in sightings))
    assert sizes[-1] >= 5
    last = GAME.sighted(state, true_reading(stills[-1]))[0]
    assert isinstance(last, Proposal)
    done = after(state, GAME.codec.command_in(last.command or {}))
    assert last.seat is not None
    assert done.labs[last.seat].stage is Stage.DRAW
    assert GAME.sighted(done, true_reading(stills[-1])) == ()
