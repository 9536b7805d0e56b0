"""The odds of a turn are those of the rules: every roll tried, one after the other."""

from __future__ import annotations

import pytest

from companion.games.mad_science.components import FACES, SEATS, Column
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import DoMove, Roll, SetUp, ShowOdds
from companion.games.mad_science.odds import expected_taken, fates, share
from companion.games.mad_science.state import Dropped, Parity, Stage, State, on_turn
from tests.companion.games.mad_science.any_play import UNTOLD
from tests.companion.games.mad_science.tables import ARM, A, B, after, breaking, playing

CUT = 1e-5


def tried(state: State, chance: float = 1.0) -> list[tuple[float, State]]:
    """Return every end of A's turn by the rules with its chance, down to what hardly ever happens."""
    if state.turn.seat != A or (state.killer is not None and state.turn.stage is Stage.REVEAL):
        return [(chance, state)]
    if chance < CUT:
        return []
    if state.turn.stage is Stage.MOVE:
        return tried(after(state, DoMove(A)), chance)
    return [end for face in FACES for end in tried(after(state, Roll(A, face)), chance / 6)]


BATTLES = {
    "the first roll": playing({"life": 9}, {"hand": 5}),
    "the red column": on_turn(playing({"life": 9}, {"hand": 5}), column=Column.RED),
    "the purple column": on_turn(playing({"life": 9}, {"hand": 5}), column=Column.PURPLE),
    "a part to get back": playing(
        {"life": 9, "dropped": {ARM: Dropped(Parity.EVEN)}}, {"hand": 5}, stage=Stage.RECOVER
    ),
    "the same number again": on_turn(playing({"life": 9}, {"hand": 5}), stage=Stage.TWICE, face=3),
}


@pytest.mark.parametrize("name", BATTLES)
def test_the_odds_of_battle_are_those_of_the_rules(name: str):
    state = BATTLES[name]
    found = fates(state, A)
    assert found is not None
    ends = tried(state)
    hits = sum(chance for chance, end in ends if (end.experiment_life or 0) < 10)
    hurt = sum(chance for chance, end in ends if (end.creatures[A].life or 0) < 9)
    taken = sum(chance * (10 - (end.experiment_life or 0)) for chance, end in ends)
    assert sum(found.values()) == pytest.approx(1)
    assert share(found, taken=1) == pytest.approx(hits, abs=2e-3)
    assert share(found, lost=1) == pytest.approx(hurt, abs=2e-3)
    assert expected_taken(found) == pytest.approx(taken, abs=5e-3)


@pytest.mark.parametrize("own", [5, 0])
def test_the_odds_of_an_attack_are_those_of_the_rules(own: int):
    state = breaking({"life": own}, {"life": 20}, target=1)
    found = fates(state, A)
    assert found is not None
    ends = tried(state)
    taken = sum(chance * (20 - (end.creatures[B].life or 0)) for chance, end in ends)
    broken = sum(chance for chance, end in ends if end.creatures[B].lost)
    assert expected_taken(found) == pytest.approx(taken, abs=5e-3)
    assert sum(chance for fate, chance in found.items() if fate.breaks) == pytest.approx(broken, abs=2e-3)


def test_against_a_creature_at_nought_the_numbers_on_its_parts_decide():
    found = fates(breaking({"life": 5}, {"life": 0}, target=1), A)  # they break on 2, 2, 5 and 6
    assert found is not None
    assert sum(chance for fate, chance in found.items() if fate.breaks) == pytest.approx(3 / 6)


def test_odds_are_silent_until_the_table_agrees_and_while_a_box_is_untold():
    state = playing({"life": 9}, {"hand": 5})
    assert not any(panel.is_advice for panel in GAME.view(state, A).panels)
    assert any(panel.is_advice for panel in GAME.view(after(state, ShowOdds(True)), A).panels)
    untold = GAME.initial(UNTOLD).box
    unsure = after(playing({"life": 9}, {"hand": 5}, box=untold), ShowOdds(True))
    assert not any(panel.is_advice for panel in GAME.view(unsure, A).panels)
    assert not any(
        panel.is_advice for panel in GAME.view(after(GAME.initial(UNTOLD), SetUp(SEATS)), A).panels
    )
