"""A whole game by taps alone: prompts, their choices and their forms, nothing else."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import chain
from typing import Any

import pytest

from companion.game import Choice, Count, Field, Line, Pick, Prompt, RuleBroken
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.state import Phase, State
from companion.sentences import Speaker, keys_in
from tests.companion.games.making_monsters.tables import after

REFUSABLE = tuple(f"mm.choice.{key}" for key in ("elsewhere", "items", "total", "resume"))
MOST_TAPS = 6000

SPEAKER = Speaker([GAME.package])


def answer(field: Field, chance: random.Random) -> Any:
    """Fill a field in as a thumb would: what it starts with, or anything it allows."""
    match field:
        case Pick():
            if field.most == 1:
                return field.value or chance.choice(field.options).value
            most = min(field.most, len(field.options))
            some = chance.sample(field.options, chance.randint(min(field.least, most), most))
            return list(field.value) if field.value else [option.value for option in some]
        case Count():
            return chance.randint(field.least, field.most) if field.value is None else field.value
        case Line():
            return "miscounted" if field.name == "reason" else field.value


def grabbed(prompt: Prompt, bag: dict[str, int], chance: random.Random) -> dict[str, int]:
    """Draw the grab of a prompt from the bag, as counts by kind."""
    tokens = list(chain.from_iterable([kind] * count for kind, count in bag.items()))
    drawn = chance.sample(tokens, prompt.deed["draw"])
    return {kind: drawn.count(kind) for kind in set(drawn)}


def tap(state: State, prompt: Prompt, choice: Choice, chance: random.Random) -> dict[str, Any]:
    """Return the wire command of a choice with its fields filled in."""
    command = {**choice.command, **{field.name: answer(field, chance) for field in choice.fields}}
    if choice.label.key == "mm.choice.drawn":
        bag = GAME.view(state, prompt.seat).facts["bag"]
        return {**choice.command, **grabbed(prompt, bag, chance)}
    return command


def taps_of_a_game(seed: int) -> tuple[State, int, set[str]]:
    """Play by taps until the end; return the last state, the taps, and all keys that were shown."""
    chance = random.Random(seed)
    state, keys = GAME.initial(GAME.stand_in), set()
    for taps in range(MOST_TAPS):
        if state.phase is Phase.OVER:
            return state, taps, keys
        view_keys(GAME.view(state, None), keys)
        asked = [
            prompt
            for prompt in GAME.prompts(state)
            if prompt.choices and (prompt.tone != "wait" or taps % 9 == 0)
        ]
        prompt = chance.choice(asked)
        if prompt.seat is not None:
            view_keys(GAME.view(state, prompt.seat), keys)
        choice = chance.choice(prompt.choices)
        if choice.command["do"] == "set_up":
            wire = {"do": "set_up", "seats": list(GAME.seats[: 2 + seed % 3]), "track": "3"}
        else:
            wire = tap(state, prompt, choice, chance)
        command = GAME.codec.command_in(wire)
        try:
            events = GAME.decide(state, command)
        except RuleBroken as broken:
            # Only a place chosen freely may be refused: any token, any space.
            # Or a form that begins with nothing counted, and was sent like that.
            assert choice.label.key in REFUSABLE, (choice, broken.why)
            continue
        for event in events:
            state = GAME.evolve(state, event)
            for seat in (None, *state.labs):
                sentence_keys(GAME.told(state, event, seat), keys)
    raise AssertionError("the game does not end by taps")


def view_keys(view: Any, keys: set[str]) -> None:
    sentence_keys(asdict(view), keys)


def sentence_keys(found: Any, keys: set[str]) -> None:
    """Collect the keys of all sentences in a value."""
    if hasattr(found, "key") and hasattr(found, "values") and not isinstance(found, dict):
        found = {"key": found.key, "values": dict(found.values)}
    if isinstance(found, dict):
        if isinstance(found.get("key"), str) and set(found) == {"key", "values"}:
            keys.add(found["key"])
        for item in found.values():
            sentence_keys(item, keys)
    elif isinstance(found, list | tuple):
        for item in found:
            sentence_keys(item, keys)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_complete_by_taps_alone_and_every_sentence_is_written_and_short(seed: int) -> None:
    state, _, keys = taps_of_a_game(seed)
    assert state.phase is Phase.OVER
    assert keys - keys_in(GAME.package) == set()


def test_a_round_of_four_without_a_camera_takes_few_taps() -> None:
    """Orders 4, deliveries 4, what Red adds, decisions 4, items, cards 4, the turn 1."""
    wires: list[dict[str, Any]] = [{"do": "set_up", "seats": list(GAME.seats), "track": 12}]
    state = GAME.initial(GAME.stand_in)
    for n, seat in enumerate(GAME.seats):
        wires.append({"do": "place_card", "seat": seat, "card": f"card_{n:02d}"})
        wires.append({"do": "draw", "seat": seat, "rot": 1, "limb": 2, "stitch": 2})
    for wire in wires:
        state = after(state, GAME.codec.command_in(wire))
    assert state.phase is Phase.ORDER
    taps: list[dict[str, Any]] = [
        {"do": "choose_order", "seat": seat, "order": "yellow"} for seat in GAME.seats
    ]
    taps += [{"do": "draw", "seat": seat, "rot": 2, "spike": 2} for seat in GAME.seats]
    taps += [{"do": "decide", "seat": seat, "reanimate": False} for seat in GAME.seats]
    taps += [{"do": "keep_card", "seat": seat, "card": f"card_{n + 20}"} for n, seat in enumerate(GAME.seats)]
    taps += [{"do": "turn"}]
    for wire in taps:
        state = after(state, GAME.codec.command_in(wire))
    assert (state.round, state.phase) == (2, Phase.ORDER)
    assert len(taps) <= 18
