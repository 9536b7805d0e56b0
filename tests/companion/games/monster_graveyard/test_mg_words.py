"""Every sentence has words, every prompt is short, and what is stored has a name of its own."""

from __future__ import annotations

import random
import re

import pytest

from companion.game import NotACommand, RuleBroken, Sentence, Tone
from companion.games.monster_graveyard import events, moves
from companion.games.monster_graveyard.components import PLAIN_PARTS, SEATS
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.guide import STEPS, guide
from companion.games.monster_graveyard.moves import Reanimate, SetUp
from companion.games.monster_graveyard.options import ALL
from companion.games.monster_graveyard.records import COMMANDS, EVENTS
from companion.games.monster_graveyard.rulebook import SECTIONS
from companion.games.monster_graveyard.state import Phase, Stage, State
from companion.games.monster_graveyard.words import option_name, option_value, say
from companion.sentences import Speaker, keys_in
from companion.sheets import Sheet
from companion.table.self_play import steps
from tests.companion.games.monster_graveyard.mg_play import evening
from tests.companion.games.monster_graveyard.mg_tables import EMPTY, WENDY, acting, after

WORDS = Speaker([GAME.package, "companion"])
MOST_WORDS = 9


@pytest.fixture(scope="module")
def states() -> list[State]:
    played = [evening(after(EMPTY, SetUp(SEATS[:count], rp=9)), count) for count in (2, 4)]
    return [EMPTY, *(state for one in played for state in list(one)[::5])]


def said(sentence: Sentence) -> str:
    words = WORDS.say(sentence)
    assert words and not re.search(r"[\[\]{}]", words), words
    return words


def test_every_prompt_is_one_short_sentence_under_a_heading_of_the_rulebook(states: list[State]) -> None:
    for state in states:
        for prompt in GAME.prompts(state):
            words = said(prompt.say)
            if prompt.tone is not Tone.WAIT:
                assert len(words.split()) <= MOST_WORDS, words
            assert prompt.rule in SECTIONS


def test_all_that_is_shown_has_words(states: list[State]) -> None:
    for state in states:
        for seat in (None, *GAME.seats):
            view = GAME.view(state, seat)
            said(view.phase)
            for one in view.seats:
                said(one.state)
                for mark in one.marks:
                    said(mark.say)
                for tally in one.tallies:
                    said(tally.say)
            for panel in view.panels:
                said(panel.title)
                for what, value in panel.rows:
                    said(what)
                    assert not isinstance(value, Sentence) or said(value)
            for prompt in view.prompts:
                for line in (*prompt.more, *prompt.guide):
                    said(line)
                for choice in prompt.choices:
                    said(choice.label)
                    assert choice.group is None or said(choice.group)
                    for field in choice.fields:
                        said(field.label)
                        for option in getattr(field, "options", ()):
                            said(option.label)


def test_every_entry_is_told_in_words() -> None:
    told = set()
    chance, start = random.Random(3), after(EMPTY, SetUp(SEATS[:3], rp=20))
    for _ in range(120):
        offers = [one for one in GAME.legal(start) if not isinstance(one, moves.EndRound)]
        for event in GAME.decide(start, chance.choice(offers)):
            start = GAME.evolve(start, event)
            said(GAME.told(start, event, None) or say("nothing"))
            told.add(type(event))
    seats = dict(zip(SEATS[:3], (*GAME.players, GAME.players[0]), strict=True))
    for step in steps(GAME, GAME.stand_in, seats, random.Random(5)):
        for event in step.events:
            said(GAME.told(step.state, event, SEATS[0]) or say("nothing"))
            told.add(type(event))
    assert len(told) > 17


def test_every_refusal_says_what_is_possible_instead() -> None:
    keys = keys_in(GAME.package)
    refusals = [key.removeprefix("mg.no.") for key in keys if key.startswith("mg.no.")]
    assert len(refusals) > 30
    assert not [key for key in refusals if f"mg.instead.{key}" not in keys]


def test_every_state_option_piece_and_step_has_a_name() -> None:
    keys = keys_in(GAME.package)
    wanted = {f"mg.phase.{phase}" for phase in Phase} | {f"mg.stage.{stage}" for stage in Stage}
    wanted |= {f"mg.piece.{part}" for part in PLAIN_PARTS} | {f"mg.seat.{seat}" for seat in SEATS}
    wanted |= {sentence.key for stage in STEPS for sentence in guide(stage)}
    for name, option in ALL.items():
        wanted |= {option_name(name).key} | {option_value(name, value).key for value in option.values}
    sheets: tuple[Sheet, ...] = GAME.box.sheets
    wanted |= {f"mg.sheet.{sheet.name}" for sheet in sheets}
    wanted |= {f"mg.column.{heading}" for sheet in sheets for heading in sheet.headings}
    assert wanted <= keys


def test_every_event_and_every_command_has_a_name_of_its_own() -> None:
    assert {event for event, _ in EVENTS.values()} == set(events.Event.__args__)
    assert set(COMMANDS.values()) == set(moves.Command.__args__)


@pytest.mark.parametrize(
    "wire",
    [
        {"do": "reanimate"},
        {"do": "reanimate", "seat": "red", "head": "mouldy"},
        {"do": "experiment", "seat": "red", "monster": "one"},
        {"do": "record", "seat": "red", "gp": "many"},
        {"do": "acquire", "seat": 3, "deck": "6"},
        {"do": "play", "seat": "red", "card": "x", "other": "y"},
    ],
)
def test_a_command_that_cannot_be_read_says_so(wire: dict[str, object]) -> None:
    with pytest.raises(NotACommand) as caught:
        GAME.codec.command_in(wire)
    assert said(caught.value.why)


def test_a_form_sends_six_slots_and_only_what_is_not_skeletal_is_tapped() -> None:
    slots = {"head": "skeletal", "torso": "skeletal", "arm_1": "skeletal", "arm_2": "skeletal"}
    wire = {"do": "reanimate", "seat": "green", **slots, "leg_1": "skeletal", "leg_2": "skeletal"}
    hook = GAME.codec.command_in({**wire, "specials": ["pirate_hook", "mermaid_tail"]})
    assert hook == Reanimate(WENDY, ("pirate_hook", "mermaid_tail"), is_filled=True)
    monster = after(acting(), hook).labs[WENDY].monster(1)
    assert monster is not None and (monster.terror, monster.science, monster.health) == (1, 1, 2)
    fleshy = GAME.codec.command_in(
        {**wire, "arm_1": "fresh", "arm_2": "rotting", "specials": ["pirate_hook"]}
    )
    try:
        GAME.decide(acting(), fleshy)
    except RuleBroken as broken:
        assert broken.why.key == "mg.no.surplus"
        assert said(broken.why) and broken.instead is not None and said(broken.instead)
    else:
        raise AssertionError("three arms were taken")


def test_what_is_above_six_is_said_with_its_dice() -> None:
    state = after(acting(), Reanimate(WENDY, tuple(part for part in _putrefied())))
    lines = [WORDS.say(line) for prompt in GAME.prompts(state) for line in prompt.more]
    assert any("Terror 7 with 2 dice: 6 and 1" in line for line in lines), lines


def _putrefied() -> list[str]:
    return ["putrefied_head", "putrefied_torso", *["putrefied_arm"] * 2, *["putrefied_leg"] * 2]


def test_no_sentence_is_left_over() -> None:
    """A key that nobody says is a word that nobody will translate."""
    assert not [key for key in keys_in(GAME.package) if not key.startswith(("mg.", "web."))]
    assert say("values", terror=1, science=1, health=1).key in keys_in(GAME.package)
