"""Every refusal says which rule, why, and what is possible instead."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import companion.games.making_monsters as game
from companion.game import RuleBroken
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import Deliver, Finish, SetUp, TakeItems, TurnBoard
from companion.games.making_monsters.rulebook import RULINGS, SECTIONS, section_of
from companion.games.making_monsters.state import Phase
from companion.sentences import Speaker, keys_in
from tests.companion.games.making_monsters.tables import BLUE, EMPTY, GOOP, LIMB, RED, ROT, drawing, refused
from tests.companion.games.making_monsters.tables import Order as Colour
from web.words import Words

FOLDER = Path(str(game.__file__)).parent
WORDS = Speaker([GAME.package])


@dataclass(frozen=True)
class Refusal:
    """One ``broken(...)`` in the rules: where it stands, its key, and every rule that it may name."""

    place: str
    key: str
    rules: tuple[str, ...]


def refusals() -> list[Refusal]:
    found = []
    for path in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {
            target.id: [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in ast.walk(tree):
            if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") == "broken"):
                continue
            key, rule = call.args[:2]
            assert isinstance(key, ast.Constant), f"{path.name}:{call.lineno} hides its key"
            if isinstance(rule, ast.Constant):
                rules = [rule.value]
            else:
                rules = [text for text in texts.get(getattr(rule, "id", ""), []) if str(text)[:1].isupper()]
            found.append(Refusal(f"{path.name}:{call.lineno}", key.value, tuple(rules)))
    return found


@pytest.mark.parametrize("refusal", refusals(), ids=lambda one: f"{one.place}-{one.key}")
def test_a_refusal_names_its_rule_says_why_and_what_is_possible(refusal: Refusal):
    known = keys_in(GAME.package)
    assert f"mm.no.{refusal.key}" in known
    assert f"mm.instead.{refusal.key}" in known or says_instead(refusal)
    assert refusal.rules
    for rule in refusal.rules:
        assert section_of(rule) in SECTIONS, f"{rule} is no heading of the rulebook and no ruling"


def says_instead(refusal: Refusal) -> bool:
    """Tell whether the call itself says what is possible."""
    name, _, line = refusal.place.partition(":")
    path = next(FOLDER.rglob(name))
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(call, ast.Call)
            and call.lineno == int(line)
            and getattr(call.func, "id", "") == "broken"
        ):
            return any(word.arg == "instead" for word in call.keywords)
    return False


def test_nothing_else_in_the_game_refuses():
    sources = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py")}
    makers = [name for name, text in sources.items() if "RuleBroken(" in text]
    assert makers == ["words.py"]


def test_every_ruling_of_ours_has_its_heading_in_the_rulebook():
    assert set(RULINGS.values()) <= set(SECTIONS)
    assert {f"MM-R{number}" for number in range(1, 75)} == set(RULINGS)


LAYING = drawing(Colour.YELLOW, cards={"card3": "goops"})

TRIED = {
    "a seat too few": lambda: refused(EMPTY, SetUp((RED,), 8)),
    "a track too long": lambda: refused(EMPTY, SetUp((RED, BLUE), 500)),
    "a turn while drawing": lambda: refused(EMPTY, TurnBoard(1)),
    "Rot on the sorting table": lambda: refused(LAYING, Deliver(RED, ((ROT, "sort1"),))),
    "a part to the rejects": lambda: refused(LAYING, Deliver(RED, ((GOOP, "reject1"),))),
    "a limb for goop": lambda: refused(LAYING, Deliver(RED, ((LIMB, "card3.part0"),))),
    "a stop too early": lambda: refused(LAYING, Finish(RED)),
    "items while drawing": lambda: refused(LAYING, TakeItems(RED)),
    "a seat that does not play": lambda: refused(LAYING, Finish(GAME.seats[2])),
}


@pytest.mark.parametrize("tried", TRIED)
def test_a_refusal_is_said_whole(tried: str):
    broken: RuleBroken = TRIED[tried]()
    assert broken.instead is not None
    said = [WORDS.say(broken.why), WORDS.say(broken.instead)]
    said.append(Words(GAME.package, "en").cited(broken.rule, broken.section))
    for text in said:
        assert text and not re.search(r"[\[\]{}]", text), text
    assert broken.section in SECTIONS


def test_items_at_the_fair_are_refused_by_name():
    state = drawing(Colour.RED)
    for phase in (Phase.PREP, Phase.FAIR, Phase.OVER):
        assert refused(replace(state, phase=phase), TakeItems(RED)).why.key == "mm.no.no_items_at_fair"
