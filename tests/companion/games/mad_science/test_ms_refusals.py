"""Every refusal says which rule, why, and what is possible instead."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import companion.games.mad_science as game
from companion.games.mad_science.game import GAME
from companion.games.mad_science.moves import (
    DealBody,
    DoMove,
    Finish,
    Hit,
    NameCreature,
    Play,
    Roll,
    SetLife,
    SetUp,
    Source,
    TakeOver,
    Target,
    TellBox,
    TellCard,
)
from companion.games.mad_science.rulebook import RULINGS, SECTIONS, section_of
from companion.games.mad_science.state import Stage
from companion.sentences import Speaker, keys_in
from tests.companion.games.mad_science.tables import (
    ARM,
    BARE,
    HEAD,
    A,
    B,
    C,
    breaking,
    playing,
    refused,
    told,
)
from web.words import Words

FOLDER = Path(str(game.__file__)).parent
WORDS = Speaker([GAME.package, "companion"])


def refusals() -> list[tuple[str, str]]:
    """Return every ``broken(...)`` of the rules: its key and the first rule that it names."""
    found = []
    for path in sorted(FOLDER.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "broken":
                texts = [one.value for one in ast.walk(call.args[1]) if isinstance(one, ast.Constant)]
                if isinstance(call.args[0], ast.Constant):
                    found.append((call.args[0].value, str(texts[0])))
    return found


@pytest.mark.parametrize(("key", "rule"), sorted(set(refusals())))
def test_a_refusal_names_its_rule_says_why_and_what_is_possible(key: str, rule: str):
    assert {f"ms.no.{key}", f"ms.instead.{key}"} <= keys_in(GAME.package)
    assert section_of(rule) in SECTIONS, f"{rule} is no heading of the rulebook and no ruling"


def test_nothing_else_in_the_game_refuses():
    sources = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py")}
    assert [name for name, text in sources.items() if "RuleBroken(" in text] == ["words.py"]


def test_every_ruling_has_its_heading_in_the_rulebook():
    assert set(RULINGS.values()) <= set(SECTIONS)
    assert {f"MS-R{number}" for number in range(1, 33)} == set(RULINGS)


def test_how_every_ruling_is_read_stands_in_the_rules_page():
    page = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    told = {f"MS-R{number}" for number in re.findall(r"\bR(\d+)\b", page)}
    assert set(RULINGS) <= told


BUILDING = playing({"hand": 5}, {"hand": 5}, stage=Stage.PLAY)
MOVING = playing({"life": 5}, {"life": 5}, stage=Stage.MOVE)
FIGHT = breaking({"life": 4}, {"life": 0}, {"life": 2}, target=2)

TRIED = {
    "one seat": (BARE, SetUp((A,))),
    "an option that is none": (BARE, SetUp((A, B), {"colour": "blue"})),
    "a position that is none": (BARE, TakeOver("mm1 phase=order")),
    "a table with nobody": (BARE, TakeOver("ms1 phase=play round=1")),
    "a seventh face": (playing({"life": 5}, {"life": 5}), Roll(A, 7)),
    "a roll out of turn": (playing({"life": 5}, {"life": 5}), Roll(B, 3)),
    "a roll while building": (BUILDING, Roll(A, 3)),
    "a seat that does not play": (BUILDING, Roll(C, 3)),
    "a card of another box": (BUILDING, Play(A, "head_99")),
    "a body while building": (BUILDING, DealBody(A, "body_c")),
    "the empty Heap": (BUILDING, Finish(A, Source.HEAP)),
    "an adaptor for nothing": (BUILDING, Play(A, "adaptor_1")),
    "a head with hoses on screws": (BUILDING, Play(A, "head_hoses")),
    "an effect that is none": (MOVING, Hit(A, (B,), "tickle")),
    "an effect on nobody": (MOVING, Hit(A, (), "lose_1")),
    "an adaptor loss without an adaptor": (MOVING, Hit(A, (B,), "adaptor_loss")),
    "a special move out of order": (BUILDING, DoMove(A)),
    "a target at nought": (FIGHT, Target(A, B)),
    "oneself": (FIGHT, Target(A, A)),
    "a box that nobody asks": (FIGHT, TellBox(A, "lose_1")),
    "LIFE beyond all cards": (FIGHT, SetLife(A, 99)),
    "a living Experiment in the Break": (FIGHT, SetLife("experiment", 3)),
    "a name of nothing": (FIGHT, NameCreature(A, "  ")),
    "a part of no kind": (BUILDING, TellCard(A, "parts", "", {"name": "Tail", "kind": "tail"})),
    "nothing told": (BUILDING, TellCard(A, "parts", "head_2", {"life": ""})),
    "a table that is none": (BUILDING, TellCard(A, "tails", "", {"name": "Tail"})),
    "a laid head that becomes an arm": (
        playing({"hand": 4, "parts": {HEAD: "head_2"}}, {"hand": 5}, stage=Stage.PLAY),
        told(parts={"head_2": {"name": "x", "kind": ARM.value, "connector": "screws"}}),
    ),
}


@pytest.mark.parametrize("tried", TRIED)
def test_a_refusal_is_said_whole(tried: str):
    broken = refused(*TRIED[tried])
    assert broken.instead is not None
    said = [WORDS.say(broken.why), WORDS.say(broken.instead)]
    said.append(Words(GAME.package, "en").cited(broken.rule, broken.section))
    for text in said:
        assert text and not re.search(r"[\[\]{}]", text.replace("head_2", "")), text
    assert broken.section in SECTIONS
