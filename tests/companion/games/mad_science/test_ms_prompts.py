"""For each seat at each moment: one short sentence and its choices, all of it in words; each number a sum."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.games.mad_science as game
from companion.game import Sentence, Tone
from companion.games.mad_science.components import SEATS
from companion.games.mad_science.game import GAME
from companion.games.mad_science.guide import STEPS
from companion.games.mad_science.instructions import BATTLE_WORDS, BREAK_WORDS, MOVE_WORDS
from companion.games.mad_science.moves import Roll, SetUp, ShowOdds
from companion.games.mad_science.rulebook import SECTIONS, section_of
from companion.games.mad_science.state import Phase, Stage, State
from companion.sentences import Speaker, keys_in
from tests.companion.games.mad_science.any_play import BOXES, evening
from tests.companion.games.mad_science.tables import BARE, after, playing

WORDS = Speaker([GAME.package])
MOST_WORDS = 8
SOURCES = Path(str(game.__file__)).parent


@pytest.fixture(scope="module")
def states() -> list[State]:
    found: list[State] = [BARE]
    for number, box in enumerate(BOXES):
        begun = after(GAME.initial(box), SetUp(SEATS[: 2 + number]), ShowOdds(True))
        found += evening(begun, number, after)
    return found[::3] + found[-1:]


def spoken(sentence: Sentence | None) -> str:
    assert sentence is not None
    said = WORDS.say(sentence)
    assert said and not re.search(r"[\[\]{}]", said), said
    return said


def test_every_prompt_is_one_short_sentence_under_a_heading_of_the_rulebook(states: list[State]):
    for state in states:
        for prompt in GAME.prompts(state):
            said = spoken(prompt.say)
            if prompt.tone is not Tone.WAIT:  # names make a sentence long
                assert len(said.split()) <= MOST_WORDS, said
            assert section_of(prompt.rule) in SECTIONS, prompt.rule


def test_everything_on_a_page_has_words(states: list[State]):
    for state in states:
        for prompt in GAME.prompts(state):
            for line in (*prompt.more, *prompt.guide, *(choice.label for choice in prompt.choices)):
                spoken(line)
        for seat in (None, *state.creatures):
            view = GAME.view(state, seat)
            spoken(view.phase)
            for panel in view.panels:
                spoken(panel.title)
                for what, value in panel.rows:
                    spoken(what)
                    assert not isinstance(value, Sentence) or spoken(value)
            for one in view.seats:
                spoken(one.state)
                assert all(spoken(mark.say) for mark in one.marks)
            if view.outcome is not None:
                spoken(view.outcome.say)


def test_every_sentence_that_the_code_names_is_there():
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    known = keys_in(GAME.package)
    for key in re.findall(r'\bsay\(\s*"([a-z_.]+)"', text):
        assert f"ms.{key}" in known, key
    for word in (*BATTLE_WORDS, *BREAK_WORDS, *MOVE_WORDS):
        assert f"ms.box.{word}" in known


def test_the_chart_box_of_the_newest_roll_is_said_to_everybody():
    state = playing({"life": 5}, {"life": 5})
    state = after(state, Roll(SEATS[0], 2))
    for seat in (None, *state.creatures):
        outcome = GAME.view(state, seat).outcome
        assert outcome is not None
        assert (outcome.face, spoken(outcome.say)) == (2, "middle: arrow to the red column")


def test_every_stage_that_asks_is_explained_to_who_plays_for_the_first_time(states: list[State]):
    unexplained = {Stage.NOTHING, Stage.ARRIVE, Stage.COUNT, Stage.TELL}
    assert set(STEPS) == set(Stage) - unexplained
    for state in states:
        for prompt in GAME.prompts(state):
            if prompt.seat in state.waited_for() and state.turn.stage in STEPS:
                assert prompt.guide


def test_who_is_waited_for_is_asked_and_nobody_else(states: list[State]):
    for state in states:
        asked = {prompt.seat for prompt in GAME.prompts(state) if prompt.seat and prompt.tone is Tone.ACT}
        assert asked == set(state.waited_for()) or state.phase is Phase.OPEN
