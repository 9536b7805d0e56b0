"""For each seat at each moment: one short sentence, its choices, who is waited for and why."""

from __future__ import annotations

import re

import pytest

from companion.game import Tone
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.guide import STEPS
from companion.games.making_monsters.rulebook import SECTIONS
from companion.games.making_monsters.state import WAITED_FOR, Phase, State
from companion.sentences import Speaker
from tests.companion.games.making_monsters.test_mm_why import moments

WORDS = Speaker([GAME.package])
MOST_WORDS = 9


@pytest.fixture(scope="module")
def states() -> list[State]:
    return [state for seed in range(3) for state, _ in moments(seed, every=9, most=300)]


def test_every_prompt_is_one_short_sentence_under_a_heading_of_the_rulebook(states: list[State]):
    for state in states:
        for prompt in GAME.prompts(state):
            said = WORDS.say(prompt.say)
            if prompt.tone is not Tone.WAIT:  # names make a sentence long
                assert len(said.split()) <= MOST_WORDS, said
            if prompt.seat is not None:
                plain = said.replace("L.E.S.T.E.R.", "LESTER")
                assert re.fullmatch(r"[^.?!]+[.?!]( [^.?!]+[.?!])?", plain), said
            assert prompt.rule in SECTIONS, prompt.rule


def test_everything_that_a_prompt_says_has_words(states: list[State]):
    for state in states:
        for prompt in GAME.prompts(state):
            lines = (*prompt.more, *prompt.guide, *(choice.label for choice in prompt.choices))
            for said in map(WORDS.say, lines):
                assert said and not re.search(r"[\[\]{}]", said), said


def test_a_drawing_never_stands_without_its_word(states: list[State]):
    """Colours and shapes alone tell nothing to who cannot see them."""
    for state in states:
        for prompt in GAME.prompts(state):
            for choice in prompt.choices:
                assert not choice.sign or WORDS.say(choice.label).strip()
        for seat in GAME.view(state, None).seats:
            assert WORDS.say(seat.state)


def test_who_waits_reads_for_whom_and_what_they_do(states: list[State]):
    seen = 0
    for state in states:
        for prompt in GAME.prompts(state):
            others = [seat for seat in state.waited_for() if seat != prompt.seat]
            if prompt.seat is None or prompt.say.key != "mm.ask.wait" or state.phase is Phase.OVER:
                continue
            seen += 1
            lines = [line for line in prompt.more if line.key == "mm.more.waits"]
            assert [line.values["seat"].key for line in lines] == [f"mm.seat.{seat}" for seat in others]
    assert seen


def test_every_stage_that_asks_is_explained_to_who_plays_for_the_first_time(states: list[State]):
    assert set(STEPS) == WAITED_FOR
    for state in states:
        for seat in state.waited_for():
            (prompt,) = [one for one in GAME.prompts(state) if one.seat == seat]
            stage = state.labs[seat].stage
            if prompt.tone is not Tone.WAIT and state.labs[seat].is_followed:
                assert len(prompt.guide) == STEPS[stage], stage
