"""Readings of the rules beyond the vectors: options, decks that run short, special parts, telling a box."""

from __future__ import annotations

import pytest

from companion.catalogue import CatalogueRefused
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import SEATS
from companion.games.monster_graveyard.effects import Gains, Trigger, read_effect
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.state import Lab, Monster, Phase, Stage
from companion.sentences import Speaker
from companion.spreadsheet import csv_in, csv_out
from tests.companion.games.monster_graveyard.mg_tables import (
    EMPTY,
    OLIVER,
    SKELETAL,
    SOPHIA,
    WENDY,
    acting,
    after,
    events_of,
    laboratory,
    refused,
    values,
)

WORDS = Speaker([GAME.package, "companion"])


def test_the_active_player_acts_first_and_the_others_follow_clockwise() -> None:
    state = after(EMPTY, m.SetUp((SOPHIA, OLIVER, WENDY), first=OLIVER), m.ChoosePhase(OLIVER, "laboratory"))
    assert state.waited_for() == (OLIVER,)
    assert refused(state, m.Finish(WENDY)).why.key == "mg.no.nothing_to_finish"
    assert refused(state, m.Reanimate(WENDY, SKELETAL)).rule == "MG-R1"
    state = after(state, m.Finish(OLIVER))
    assert state.waited_for() == (WENDY,)
    assert after(state, m.Finish(WENDY)).waited_for() == (SOPHIA,)


def test_at_a_table_that_plays_so_all_act_at_once() -> None:
    setup = m.SetUp((SOPHIA, OLIVER), options={"order": "together"})
    state = after(EMPTY, setup, m.ChoosePhase(SOPHIA, "laboratory"))
    assert state.waited_for() == (SOPHIA, OLIVER)


def test_the_game_may_end_with_the_second_round_at_once() -> None:
    setup = m.SetUp((SOPHIA, OLIVER), options={"end": "at_once"})
    state = after(EMPTY, setup, m.EndRound("village"), m.EndRound("graveyard"))
    assert state.phase is Phase.OVER
    assert [seat.rank for seat in GAME.view(state, None).seats] == [1, 1]


def test_monsters_may_leave_between_the_rounds() -> None:
    state = acting(monsters=(Monster(1, 1, 1, 1),), rp=2)
    assert after(state, m.EndRound("village")).labs[WENDY].monsters
    started = after(EMPTY, m.SetUp((SOPHIA, OLIVER), options={"reset": "no_monsters"}))
    made = after(started, m.ChoosePhase(SOPHIA, "laboratory"), m.Reanimate(SOPHIA, SKELETAL))
    assert after(made, m.EndRound("village")).labs[SOPHIA].monsters == ()
    twice = after(made, m.EndRound("village"), m.Finish(OLIVER))
    assert twice.rounds_done == 1


@pytest.mark.parametrize(("ready", "exhausted"), [("each_turn", False), ("by_hand", True)])
def test_monsters_are_turned_upright_when_a_turn_begins_or_by_hand(ready: str, exhausted: bool) -> None:
    state = after(EMPTY, m.SetUp((SOPHIA, OLIVER), options={"ready": ready}))
    state = after(state, m.ChoosePhase(SOPHIA, "laboratory"), m.Reanimate(SOPHIA, SKELETAL), m.Finish(OLIVER))
    state = after(state, m.ChoosePhase(OLIVER, "village"), m.Terrorize(SOPHIA, 1))
    state = after(state, m.Finish(SOPHIA), m.Finish(OLIVER))
    monster = state.labs[SOPHIA].monster(1)
    assert state.turn == 2
    assert monster is not None and monster.is_exhausted is exhausted


def test_the_seat_that_begins_may_move_on_each_turn() -> None:
    state = after(EMPTY, m.SetUp((SOPHIA, OLIVER), options={"first": "moves_on"}))
    for chooser, phase in ((SOPHIA, "market"), (OLIVER, "castle")):
        state = after(state, m.ChoosePhase(chooser, phase), m.Finish(SOPHIA), m.Finish(OLIVER))
    assert (state.turn, state.waited_for()) == (2, (OLIVER,))


def test_a_deck_with_one_card_is_filled_up_from_its_discards() -> None:
    nine = ("twin_theory", "sturdy_thought", "patron", "prize_medal", "open_question")
    state = laboratory(
        {WENDY: Lab(stage=Stage.ACT, rp=9), SOPHIA: Lab(stage=Stage.WAIT)}, discards={"9": nine[:4]}
    )
    looking = after(state, m.Acquire(WENDY, "9"))
    assert (looking.decks["9"].cards, looking.decks["9"].discards) == (5, ())
    assert events_of(state, m.Acquire(WENDY, "9"), e.Acquired)[0].count == 2
    lonely = laboratory(
        {WENDY: Lab(stage=Stage.ACT, rp=9, upgrades=nine[:3]), SOPHIA: Lab(stage=Stage.WAIT)},
        discards={"9": nine[3:4]},
    )
    assert events_of(lonely, m.Acquire(WENDY, "9"), e.DeckShuffled)


def test_a_deck_with_nothing_left_cannot_be_chosen() -> None:
    box = {**GAME.stand_in, "research": {}}
    state = after(GAME.initial(box), m.SetUp((SOPHIA, OLIVER), rp=9), m.ChoosePhase(SOPHIA, "laboratory"))
    assert refused(state, m.Acquire(SOPHIA, "3")).rule == "MG-R9"


def test_an_upgrade_for_two_attributes_conflicts_with_each() -> None:
    lab = Lab(upgrades=("improved_science", "improved_terror"))
    looking = after(acting(lab, rp=9), m.Acquire(WENDY, "9"), m.Play(WENDY, "twin_theory"))
    once = after(looking, m.Drop(WENDY, "improved_science"))
    assert once.labs[WENDY].stage is Stage.DROP
    assert after(once, m.Drop(WENDY, "improved_terror")).labs[WENDY].upgrades == ("twin_theory",)
    assert after(looking, m.Drop(WENDY, "twin_theory")).labs[WENDY].stage is Stage.DONE


def test_upgrades_that_add_nothing_never_conflict() -> None:
    lab = Lab(upgrades=("bone_club",))
    state = after(acting(lab, rp=6), m.Acquire(WENDY, "6"), m.Play(WENDY, "field_notes"))
    assert state.labs[WENDY].upgrades == ("bone_club", "field_notes")


def test_bonuses_come_right_after_reanimating_and_can_be_spent() -> None:
    lab = Lab(upgrades=("field_notes",), rp=2)
    state = after(acting(lab), m.Reanimate(WENDY, SKELETAL))
    assert state.labs[WENDY].rp == 3
    assert after(state, m.Acquire(WENDY, "3")).labs[WENDY].stage is Stage.LOOK


def test_an_upgrade_does_not_watch_the_action_that_brought_it() -> None:
    looking = after(acting(rp=6), m.Acquire(WENDY, "6"))
    assert not events_of(looking, m.Play(WENDY, "field_notes"), e.Gained)


def test_a_part_for_any_shape_stands_for_what_is_missing() -> None:
    five = [part for part in SKELETAL if part != "skeletal_torso"]
    state = after(acting(), m.Reanimate(WENDY, (*five, "mystery_parcel")))
    assert state.labs[WENDY].rp == 1
    assert refused(acting(), m.Reanimate(WENDY, (*SKELETAL, "mystery_parcel"))).why.key == "mg.no.wild_left"


def test_a_special_part_is_there_as_often_as_the_box_has_it() -> None:
    twice = ("pirate_hook", "pirate_hook")
    assert refused(acting(), m.Reanimate(WENDY, twice, is_filled=True)).why.key == "mg.no.special_twice"
    rows = {"specials": {"pirate_hook": {**csv_row("specials", "pirate_hook"), "count": "2"}}}
    state = after(acting(), m.TellCatalogue(rows), m.Reanimate(WENDY, twice, is_filled=True))
    monster = state.labs[WENDY].monster(1)
    assert monster is not None and monster.abilities == twice


def csv_row(sheet: str, row: str) -> dict[str, str]:
    """Return a row of the stand-in as cells."""
    [found] = [one for one in GAME.box.sheets if one.name == sheet]
    head, *lines = csv_out(found, GAME.stand_in).splitlines()
    [line] = [line for line in lines if line.startswith(f"{row},")]
    return dict(zip(head.split(",")[1:], line.split(",")[1:], strict=True))


def test_a_boost_goes_to_the_monster_that_its_owner_names() -> None:
    monsters = (Monster(1, 1, 1, 1), Monster(2, 1, 1, 1))
    looking = after(acting(monsters=monsters, rp=6), m.Acquire(WENDY, "6"))
    assert refused(looking, m.Play(WENDY, "second_wind")).why.key == "mg.no.whom"
    state = after(looking, m.Play(WENDY, "second_wind", 2))
    assert values(state.labs[WENDY].monster(2)) == (3, 1, 1)
    alone = after(acting(rp=6), m.Acquire(WENDY, "6"), m.Play(WENDY, "second_wind"))
    assert alone.labs[WENDY].stage is Stage.DONE


def test_a_card_that_the_box_does_not_list_is_told_by_whoever_looks_at_it() -> None:
    looking = after(acting(rp=3), m.Acquire(WENDY, "3"))
    told = after(looking, m.TellCard(WENDY, "Glow in the Dark", "upgrade", terror=1))
    assert told.decks["3"].cards == looking.decks["3"].cards + 1
    played = after(told, m.Play(WENDY, "told_1"))
    assert played.labs[WENDY].upgrades == ("told_1",)
    assert GAME.command_from_catalogue(played, GAME.catalogue(played)) is None
    made = m.TellSpecial(WENDY, "Tuba", ("torso",), health=3)
    built = after(acting(), made, m.Reanimate(WENDY, ("told_1",), is_filled=True))
    assert values(built.labs[WENDY].monster(1)) == (1, 1, 4)


def test_a_box_may_say_that_its_parts_add_something_else() -> None:
    rows = {"forms": {"fresh": {**csv_row("forms", "fresh"), "terror": "2", "health": "0"}}}
    state = after(acting(), m.TellCatalogue(rows), m.Reanimate(WENDY, ("fresh_head",), is_filled=True))
    assert values(state.labs[WENDY].monster(1)) == (3, 1, 1)


def test_cards_are_entered_as_a_spreadsheet_and_what_is_wrong_is_said() -> None:
    sheets = GAME.box.sheets
    head = "research,name,deck,type,terror,science,health,effect,count\n"
    rows = head + "glow,Glow,3,upgrade,1,0,0,reanimate: 1 gp,2\n"
    after_it = csv_in(sheets, GAME.stand_in, rows.encode(), adds=True)["research"]
    state = GAME.initial(after_it)
    assert state.decks["3"].cards == 2
    assert state.box.research["glow"].effect.on(Trigger.REANIMATE) == Gains(gp=1)
    with pytest.raises(CatalogueRefused):
        csv_in(sheets, GAME.stand_in, (head + "glow,Glow,4,gadget,1,0,0,,1\n").encode(), adds=True)


@pytest.mark.parametrize(
    ("text", "trigger", "gains"),
    [
        ("2 gp", Trigger.NOW, Gains(gp=2)),
        ("terrorize: 1 GP, +2 vp", Trigger.TERRORIZE, Gains(gp=1, vp=2)),
        ("reanimate: 1 draw; research: 1 rp", Trigger.REANIMATE, Gains(draws=1, rp=1)),
        ("research: 1 rp", Trigger.EXPERIMENT, Gains(rp=1)),
        ("1 minion; 1 minion", Trigger.NOW, Gains(minions=2)),
    ],
)
def test_an_effect_is_counts_by_what_sets_them_off(text: str, trigger: Trigger, gains: Gains) -> None:
    assert read_effect(text).on(trigger) == gains


@pytest.mark.parametrize("text", ["Ask the table one question", "when: 1 gp", "1 gp; dance", "2 spoons"])
def test_an_effect_that_cannot_be_counted_is_kept_in_its_words(text: str) -> None:
    assert (read_effect(text).words, read_effect(text).gains) == (text, {})


def test_other_phases_are_told_and_only_what_cannot_be_is_refused() -> None:
    state = after(EMPTY, m.SetUp((SOPHIA, OLIVER), gp=3), m.ChoosePhase(SOPHIA, "castle"))
    assert refused(state, m.Record(SOPHIA, gp=-4, is_done=True)).why.key == "mg.no.too_little"
    told = after(state, m.Record(SOPHIA, gp=-3, vp=2, is_done=True))
    assert (told.labs[SOPHIA].gp, told.labs[SOPHIA].vp, told.labs[SOPHIA].stage) == (0, 2, Stage.DONE)
    shown = {seat.seat: seat for seat in GAME.view(told, None).seats}
    assert [WORDS.say(line.say) for line in shown[SOPHIA].tallies] == ["Castle"]
    assert refused(state, m.Terrorize(SOPHIA, 1)).why.key == "mg.no.no_such_monster"
    assert refused(state, m.Experiment(SOPHIA, 1)).why.key == "mg.no.not_laboratory"


def test_a_minion_takes_part_in_no_experiment() -> None:
    state = acting(minions=1)
    assert refused(state, m.Experiment(WENDY, 1, is_minion=True)).rule == "MG-R5"


def test_why_a_number_is_what_it_is_adds_up_line_by_line() -> None:
    state, history = EMPTY, []
    commands = (
        m.SetUp(SEATS[:2], rp=6),
        m.ChoosePhase(SOPHIA, "laboratory"),
        m.Acquire(SOPHIA, "6"),
        m.Play(SOPHIA, "superior_science"),
        m.Finish(OLIVER),
        m.ChoosePhase(OLIVER, "village"),
        m.Finish(SOPHIA),
        m.Finish(OLIVER),
        m.ChoosePhase(SOPHIA, "laboratory"),
        m.Reanimate(SOPHIA, ("rotting_head", "mermaid_tail"), is_filled=True),
        m.SetMonster(SOPHIA, 1, 1, 5, 2),
    )
    for command in commands:
        for event in GAME.decide(state, command):
            history.append((state, event))
            state = GAME.evolve(state, event)
    sums = {one.key: one for one in GAME.sums(state, history, SOPHIA)}
    science = [(line.amount, WORDS.say(line.say)) for line in sums["monster1.science"].tallies]
    assert science == [
        (1, "every monster"),
        (1, "rotting head"),
        (2, "Superior Science"),
        (1, "the dice said so"),
    ]
    assert sums["monster1.science"].total == 5
    assert (sums["purse.rp"].total, state.labs[SOPHIA].rp) == (2, 2)
    assert [line.amount for line in sums["new.science"].tallies] == [1, 2]


def test_options_change_until_the_first_phase_is_chosen() -> None:
    state = after(EMPTY, m.ChooseOptions({"end": "at_once"}), m.SetUp(SEATS[:2]))
    assert state.options == {"end": "at_once"}
    state = after(state, m.ChooseOptions({"end": "after_turn"}), m.ChoosePhase(SOPHIA, "market"))
    assert state.options == {}
    assert refused(state, m.ChooseOptions({"end": "at_once"})).why.key == "mg.no.options_late"
    assert refused(EMPTY, m.ChooseOptions({"end": "never"})).why.key == "mg.no.no_such_option"


POSSIBLE = (
    "mg1 phase=choose turn=2 first=green active=green decks=3:9,6:7,9:5 | green stage=choose | red gp=2"
)


@pytest.mark.parametrize(
    ("was", "becomes", "key"),
    [
        ("mg1", "mm1", "mg.no.position"),
        ("turn=2", "turn=two", "mg.no.position"),
        ("phase=choose", "phase=lunch", "mg.no.position"),
        ("| red gp=2", "| pink gp=2", "mg.no.position"),
        (" | red gp=2", "", "mg.no.impossible"),
        ("gp=2", "gp=-2", "mg.no.impossible"),
        ("stage=choose", "stage=look", "mg.no.impossible"),
        ("stage=choose", "stage=wait", "mg.no.impossible"),
        ("stage=choose", "stage=done", "mg.no.impossible"),
        ("| red gp=2", "| red stage=choose", "mg.no.impossible"),
        ("phase=choose", "phase=village", "mg.no.impossible"),
        ("first=green", "first=blue", "mg.no.impossible"),
        ("decks=3:9", "decks=3:8", "mg.no.impossible"),
        ("gp=2", "upgrades=improved_science,superior_science", "mg.no.impossible"),
        ("gp=2", "upgrades=town_gazette", "mg.no.impossible"),
        ("gp=2", "monsters=1:1/1/1+spoon", "mg.no.impossible"),
        ("gp=2", "monsters=1:1/1/1,1:2/2/2", "mg.no.impossible"),
        ("gp=2", "monsters=1:many", "mg.no.position"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(was: str, becomes: str, key: str) -> None:
    assert after(EMPTY, m.TakeOver(POSSIBLE)).turn == 2
    assert was in POSSIBLE
    broken = refused(EMPTY, m.TakeOver(POSSIBLE.replace(was, becomes)))
    assert broken.why.key == key
    assert WORDS.say(broken.why)
