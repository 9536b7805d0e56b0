"""Vectors MG-01 to MG-30: the Laboratory phase, and the frame of turns and rounds around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.chores import discarded
from companion.games.monster_graveyard.components import dice_for
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.state import Lab, Monster, Phase, Stage
from tests.companion.games.monster_graveyard.mg_tables import (
    EMPTY,
    FOURTH,
    OLIVER,
    PUTREFIED,
    SKELETAL,
    SOPHIA,
    WENDY,
    Vectors,
    acting,
    after,
    events_of,
    refused,
    values,
)

RULES = Path(__file__).parents[4] / "../shared/rules/rules.md"
vector = Vectors()

SOPHIAS = ("putrefied_head", "fresh_torso", *["skeletal_arm"] * 2, *["skeletal_leg"] * 2)
WENDYS = ("skeletal_head", "skeletal_torso", "skeletal_arm", "pirate_hook", "mermaid_tail")
READY = Monster(1, 1, 4, 1)


@vector
def mg_01_sophias_putrefied_head_and_fresh_torso_make_2_1_2() -> None:
    state = after(acting(), m.Reanimate(WENDY, SOPHIAS))
    assert values(state.labs[WENDY].monster(1)) == (2, 1, 2)


@vector
def mg_02_four_of_her_parts_go_to_the_boneyard_and_two_to_the_graveyard() -> None:
    assert discarded(SOPHIAS) == {"boneyard": 4, "graveyard": 2}
    state = after(acting(), m.Reanimate(WENDY, SOPHIAS))
    assert {"discard": {"boneyard": 4, "graveyard": 2}} in [chore.deed for chore in state.chores]


@vector
def mg_03_olivers_rotting_head_and_superior_science_make_1_4_1() -> None:
    state = after(
        acting(upgrades=("superior_science",)), m.Reanimate(WENDY, ("rotting_head",), is_filled=True)
    )
    assert values(state.labs[WENDY].monster(1)) == (1, 4, 1)


@vector
def mg_04_wendys_five_cards_are_enough_with_a_tail_that_counts_as_two_legs() -> None:
    state = after(acting(), m.Reanimate(WENDY, WENDYS))
    monster = state.labs[WENDY].monster(1)
    assert values(monster) == (1, 1, 2)
    assert monster is not None and monster.abilities == ("pirate_hook",)


@vector
def mg_05_three_of_her_parts_go_to_the_boneyard_and_two_to_the_graveyard() -> None:
    assert discarded(WENDYS) == {"boneyard": 3, "graveyard": 2}


@vector
def mg_06_improved_and_superior_science_cannot_both_stay() -> None:
    looking = after(acting(rp=6, upgrades=("improved_science",)), m.Acquire(WENDY, "6"))
    doubled = after(looking, m.Play(WENDY, "superior_science"))
    assert doubled.labs[WENDY].stage is Stage.DROP
    settled = after(doubled, m.Drop(WENDY, "improved_science"))
    assert settled.labs[WENDY].upgrades == ("superior_science",)
    assert settled.decks["3"].discards == ("improved_science",)
    # MG-R11: the new one may go as well.
    assert after(doubled, m.Drop(WENDY, "superior_science")).labs[WENDY].upgrades == ("improved_science",)


@vector
def mg_07_six_skeletal_parts_make_1_1_1() -> None:
    state = after(acting(), m.Reanimate(WENDY, SKELETAL))
    assert values(state.labs[WENDY].monster(1)) == (1, 1, 1)


@vector
def mg_08_six_putrefied_parts_make_a_terror_that_no_die_shows() -> None:
    state = after(acting(), m.Reanimate(WENDY, PUTREFIED))
    assert values(state.labs[WENDY].monster(1)) == (7, 1, 1)
    assert dice_for(7) == (6, 1)


@vector
def mg_09_one_arm_is_not_enough() -> None:
    one_arm = ("skeletal_head", "skeletal_torso", "skeletal_arm", "skeletal_leg", "skeletal_leg")
    broken = refused(acting(), m.Reanimate(WENDY, one_arm))
    assert broken.why.key == "mg.no.missing"
    assert broken.rule == "Reanimate"


@vector
def mg_10_a_tail_leaves_no_room_for_another_leg() -> None:
    three_legs = ("skeletal_head", "skeletal_torso", *["skeletal_arm"] * 2, "mermaid_tail", "fresh_leg")
    broken = refused(acting(), m.Reanimate(WENDY, three_legs))
    assert (broken.why.key, broken.rule) == ("mg.no.surplus", "MG-R3")
    assert broken.instead is not None and broken.instead.key == "mg.instead.surplus"


@vector
def mg_11_a_hand_for_two_monsters_makes_one() -> None:
    assert refused(acting(), m.Reanimate(WENDY, SKELETAL + PUTREFIED)).why.key == "mg.no.surplus"
    state = after(acting(rp=3), m.Reanimate(WENDY, SKELETAL))
    assert refused(state, m.Reanimate(WENDY, PUTREFIED)).why.key == "mg.no.one_action"


@vector
def mg_12_a_ready_monster_of_science_4_brings_4_rp_and_is_exhausted() -> None:
    state = after(acting(monsters=(READY,), rp=1), m.Experiment(WENDY, 1))
    monster = state.labs[WENDY].monster(1)
    assert state.labs[WENDY].rp == 5
    assert monster is not None and monster.is_exhausted


@vector
def mg_13_an_exhausted_monster_takes_part_in_no_experiment() -> None:
    tired = Monster(1, 1, 4, 1, is_exhausted=True)
    assert refused(acting(monsters=(tired,)), m.Experiment(WENDY, 1)).why.key == "mg.no.exhausted"


@vector
def mg_14_no_experiment_after_reanimating_but_the_new_monster_is_ready_later() -> None:
    state = after(acting(rp=3, monsters=(READY,)), m.Reanimate(WENDY, SKELETAL))
    for number in (1, 2):
        assert refused(state, m.Experiment(WENDY, number)).why.key == "mg.no.one_action"
    village = after(
        state, m.Finish(WENDY), m.Finish(SOPHIA), m.Finish(OLIVER), m.ChoosePhase(SOPHIA, "village")
    )
    assert [one.number for one in village.labs[WENDY].ready] == [1, 2]
    assert after(village, m.Terrorize(WENDY, 2)).labs[WENDY].ready == (READY,)


@vector
def mg_15_who_did_neither_may_acquire() -> None:
    assert after(acting(rp=3), m.Acquire(WENDY, "3")).labs[WENDY].stage is Stage.LOOK
    # MG-R18: or nothing at all.
    assert after(acting(), m.Finish(WENDY)).labs[WENDY].stage is Stage.DONE


@vector
def mg_16_nothing_is_reanimated_or_experimented_after_acquiring() -> None:
    state = after(acting(rp=3, monsters=(READY,)), m.Acquire(WENDY, "3"))
    assert refused(state, m.Reanimate(WENDY, SKELETAL)).why.key == "mg.no.reanimate_after_acquiring"
    assert refused(state, m.Experiment(WENDY, 1)).why.key == "mg.no.experiment_after_acquiring"
    settled = after(state, m.Decline(WENDY))
    assert refused(settled, m.Reanimate(WENDY, SKELETAL)).why.key == "mg.no.laboratory_done"
    assert refused(settled, m.Experiment(WENDY, 1)).why.key == "mg.no.laboratory_done"


@vector
def mg_17_one_card_a_turn() -> None:
    state = after(acting(rp=9), m.Acquire(WENDY, "3"))
    assert refused(state, m.Acquire(WENDY, "6")).why.key == "mg.no.acquired_already"
    assert refused(after(state, m.Decline(WENDY)), m.Acquire(WENDY, "3")).why.key == "mg.no.acquire_done"


@vector
def mg_18_with_5_rp_deck_6_is_too_dear_and_deck_3_leaves_2() -> None:
    broken = refused(acting(rp=5), m.Acquire(WENDY, "6"))
    assert (broken.why.key, broken.rule) == ("mg.no.too_dear", "MG-R8")
    assert after(acting(rp=5), m.Acquire(WENDY, "3")).labs[WENDY].rp == 2


@vector
def mg_19_the_card_not_played_goes_below_the_deck_unseen() -> None:
    state = acting(rp=3)
    cards = state.decks["3"].cards
    played = after(state, m.Acquire(WENDY, "3"), m.Play(WENDY, "improved_terror"))
    assert played.decks["3"].cards == cards - 1
    assert {"below": 1, "deck": "3"} in [chore.deed for chore in played.chores]
    # Nobody is ever asked which card that was: no command or event can say it.
    assert not {"other", "seen", "below"} & {name for kind in e.Event.__args__ for name in kind.__slots__}


@vector
def mg_20_who_plays_neither_has_paid_all_the_same() -> None:
    state = acting(rp=9)
    declined = after(state, m.Acquire(WENDY, "9"), m.Decline(WENDY))
    assert (declined.labs[WENDY].rp, declined.labs[WENDY].stage) == (0, Stage.DONE)
    assert declined.decks == state.decks
    assert {"below": 2, "deck": "9"} in [chore.deed for chore in declined.chores]


@vector
def mg_21_a_discovery_happens_and_goes_to_its_decks_discards() -> None:
    state = after(acting(rp=6), m.Acquire(WENDY, "6"), m.Play(WENDY, "town_gazette"))
    assert state.labs[WENDY].vp == 2
    assert state.labs[WENDY].upgrades == ()
    assert state.decks["6"].discards == ("town_gazette",)


@vector
def mg_22_an_upgrade_leaves_monsters_in_play_as_they_are() -> None:
    lab = Lab(monsters=(Monster(1, 1, 2, 1),))
    state = after(acting(lab, rp=6), m.Acquire(WENDY, "6"), m.Play(WENDY, "superior_science"))
    assert values(state.labs[WENDY].monster(1)) == (1, 2, 1)


@vector
def mg_23_an_upgrade_leaves_the_monster_of_this_phase_as_it_is() -> None:
    made = after(acting(rp=6), m.Reanimate(WENDY, SKELETAL))
    state = after(made, m.Acquire(WENDY, "6"), m.Play(WENDY, "superior_science"))
    assert state.labs[WENDY].upgrades == ("superior_science",)
    assert values(state.labs[WENDY].monster(1)) == (1, 1, 1)


@vector
def mg_24_a_minion_gets_nothing_of_an_upgrade() -> None:
    lab = Lab(upgrades=("superior_science",))
    looking = after(acting(lab, rp=6), m.Acquire(WENDY, "6"))
    state = after(looking, m.Play(WENDY, "apprentice"))
    assert state.labs[WENDY].minions == 1
    assert state.labs[WENDY].monsters == ()
    happened = GAME.decide(looking, m.Play(WENDY, "apprentice"))
    assert not [event for event in happened if isinstance(event, e.Reanimated | e.Boosted)]


@vector
def mg_25_choosing_the_laboratory_pays_1_rp_before_anybody_acts() -> None:
    start = after(EMPTY, m.SetUp((SOPHIA, OLIVER, WENDY), rp=2))
    state = after(start, m.ChoosePhase(SOPHIA, "laboratory"))
    assert [lab.rp for lab in state.labs.values()] == [3, 2, 2]
    assert after(state, m.Acquire(SOPHIA, "3")).labs[SOPHIA].rp == 0


@vector
def mg_26_upgrades_of_different_attributes_live_together() -> None:
    lab = Lab(upgrades=("improved_science",))
    state = after(acting(lab, rp=6), m.Acquire(WENDY, "6"), m.Play(WENDY, "superior_health"))
    assert state.labs[WENDY].upgrades == ("improved_science", "superior_health")
    assert state.labs[WENDY].stage is Stage.DONE


@vector
def mg_27_what_watches_research_actions_sees_all_three() -> None:
    lab = Lab(upgrades=("field_notes",), monsters=(READY,), rp=3)
    for command in (m.Reanimate(WENDY, SKELETAL), m.Experiment(WENDY, 1), m.Acquire(WENDY, "3")):
        gained = events_of(acting(lab), command, e.Gained)
        assert [(one.why, one.rp) for one in gained] == [("field_notes", 1)]


@vector
def mg_28_a_pirate_hook_pays_1_gp_when_its_monster_terrorizes() -> None:
    village = after(
        EMPTY, m.SetUp((SOPHIA, OLIVER)), m.ChoosePhase(SOPHIA, "laboratory"), m.Reanimate(SOPHIA, WENDYS)
    )
    village = after(village, m.Finish(OLIVER), m.ChoosePhase(OLIVER, "village"), m.Terrorize(SOPHIA, 1))
    assert village.labs[SOPHIA].gp == 1
    # MG-R17: two tokens pay twice.
    twice = after(
        acting(Lab(monsters=(Monster(1, 1, 1, 1, ("pirate_hook", "pirate_hook")),))), m.Finish(WENDY)
    )
    twice = after(twice, m.Finish(SOPHIA), m.Finish(OLIVER), m.ChoosePhase(SOPHIA, "village"))
    assert after(twice, m.Terrorize(WENDY, 1)).labs[WENDY].gp == 2


@vector
def mg_29_a_phase_is_chosen_once_until_all_have_chosen() -> None:
    state = after(EMPTY, m.SetUp((SOPHIA, OLIVER, WENDY)), m.ChoosePhase(SOPHIA, "laboratory"))
    state = after(state, *(m.Finish(seat) for seat in (SOPHIA, OLIVER, WENDY)))
    assert refused(state, m.ChoosePhase(OLIVER, "laboratory")).why.key == "mg.no.phase_taken"
    for chooser, phase in ((OLIVER, "castle"), (WENDY, "market")):
        state = after(state, m.ChoosePhase(chooser, phase))
        state = after(state, *(m.Finish(seat) for seat in (SOPHIA, OLIVER, WENDY)))
    assert (state.turn, state.phase) == (2, Phase.CHOOSE)
    assert after(state, m.ChoosePhase(SOPHIA, "laboratory")).phase is Phase.LABORATORY


@vector
def mg_30_the_first_empty_village_ends_the_first_of_two_rounds() -> None:
    state = after(EMPTY, m.SetUp((SOPHIA, FOURTH)), m.EndRound("village"))
    assert (state.rounds_done, state.phase) == (1, Phase.CHOOSE)
    state = after(state, m.EndRound("graveyard"))
    assert state.phase is Phase.CHOOSE  # MG-R19: the turn is played to its end
    assert refused(state, m.EndRound("village")).rule == "MG-R19"
    for chooser, phase in ((SOPHIA, "village"), (FOURTH, "castle")):
        state = after(state, m.ChoosePhase(chooser, phase), m.Finish(SOPHIA), m.Finish(FOURTH))
    assert state.phase is Phase.OVER


@pytest.mark.parametrize("case", vector.cases)
def test_vector(case: Callable[[], None]) -> None:
    case()


def test_every_vector_is_a_case() -> None:
    listed = set(re.findall(r"^\| (MG-\d\d) ", RULES.read_text(), re.MULTILINE))
    cases = {
        f"MG-{number}" for number in re.findall(r"^def mg_(\d\d)_", Path(__file__).read_text(), re.MULTILINE)
    }
    assert len(listed) == 30
    assert listed == cases
