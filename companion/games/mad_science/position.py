"""A position as one line of text, and back: for bug reports, tests, logs and taking over.

``ms1 phase=play round=3 experiment=experiment_2:14 turn=slime:roll ... | cyclops body=body_1 ... | ...``
Words are separated by spaces, creatures by `` | ``; what is not written has its usual value.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.game import Seat
from companion.games.mad_science.components import SEATS, Column, Kind, Rank
from companion.games.mad_science.options import TABLE
from companion.games.mad_science.printed import Printed
from companion.games.mad_science.state import (
    Creature,
    Dropped,
    Parity,
    Phase,
    Rest,
    Stage,
    State,
    Turn,
)
from companion.position import (
    Words,
    fields_in,
    flag_in,
    flag_out,
    list_in,
    list_out,
    numbers_in,
    pairs_in,
    pairs_out,
    parts_in,
    seats_in,
    words_out,
)

MARK = "ms1"


def _seat_in(text: str) -> Seat:
    if text not in SEATS:
        raise ValueError(f"{text!r} is no seat of the box; seats are {', '.join(SEATS)}")
    return Seat(text)


def _seats_in(text: str) -> tuple[Seat, ...]:
    return tuple(_seat_in(name) for name in list_in(text))


def _maybe_out(value: Any) -> str:
    return "-" if value is None else str(value)


def _maybe_number(text: str) -> int | None:
    return None if text == "-" else int(text)


def _maybe_seat(text: str) -> Seat | None:
    return None if text == "-" else _seat_in(text)


def _kinds_in(text: str) -> tuple[Kind, ...]:
    return tuple(Kind(word) for word in list_in(text))


def _parts_in(text: str) -> dict[Kind, str]:
    return {Kind(kind): card for kind, card in pairs_in(text).items()}


def _rolls_in(text: str) -> dict[Seat, int]:
    return {_seat_in(name): face for name, face in numbers_in(text).items()}


def _dropped_out(dropped: dict[Kind, Dropped]) -> str:
    return pairs_out({kind: f"{one.parity}{'!' if one.is_tried else ''}" for kind, one in dropped.items()})


def _dropped_in(text: str) -> dict[Kind, Dropped]:
    return {
        Kind(kind): Dropped(Parity(word.rstrip("!")), is_tried=word.endswith("!"))
        for kind, word in pairs_in(text).items()
    }


def _last_out(last: tuple[str, int, str] | None) -> str:
    return "-" if last is None else list_out((last[0], str(last[1]), last[2]))


def _last_in(text: str) -> tuple[str, int, str] | None:
    if text == "-":
        return None
    column, face, word = list_in(text)
    return (column, int(face), word)


TABLE_WORDS: Words = {
    "phase": ("phase", str, Phase),
    "round": ("round", str, int),
    "order": ("order", list_out, _seats_in),
    "rolling": ("contenders", list_out, _seats_in),
    "rolls": ("first_rolls", pairs_out, _rolls_in),
    "experiment": ("experiment", str, str),
    "life": ("experiment_life", _maybe_out, _maybe_number),
    "conflict": ("conflict", str, str),
    "killer": ("killer", _maybe_out, _maybe_seat),
    "bonus": ("is_bonus_given", flag_out, flag_in),
    "outs": ("outs", list_out, _seats_in),
    "pile": ("pile", str, int),
    "heap": ("heap", list_out, lambda text: tuple(list_in(text))),
    "last": ("last", _last_out, _last_in),
    "options": ("options", pairs_out, TABLE.read),
    "odds": ("odds", flag_out, flag_in),
}

TURN_WORDS: Words = {
    "turn": ("seat", _maybe_out, _maybe_seat),
    "stage": ("stage", str, Stage),
    "played": ("has_played", flag_out, flag_in),
    "column": ("column", str, Column),
    "face": ("face", str, int),
    "rolled": ("rolled", str, int),
    "target": ("target", _maybe_out, _maybe_seat),
    "moved": (
        "rolls",
        lambda rolls: list_out(map(str, rolls)),
        lambda text: tuple(int(face) for face in list_in(text)),
    ),
}

CREATURE_WORDS: Words = {
    "body": ("body", str, str),
    "parts": ("parts", pairs_out, _parts_in),
    "adaptor": ("adaptor", str, str),
    "on": ("adaptor_on", _maybe_out, Kind),
    "used": ("is_adaptor_used", flag_out, flag_in),
    "hand": ("hand", str, int),
    "built": ("is_built", flag_out, flag_in),
    "life": ("life", _maybe_out, _maybe_number),
    "dropped": ("dropped", _dropped_out, _dropped_in),
    "fails": ("is_adaptor_out", flag_out, flag_in),
    "rest": ("rest", str, Rest),
    "lost": ("lost", list_out, _kinds_in),
    "rank": ("rank", _maybe_out, Rank),
    "out": ("is_out", flag_out, flag_in),
    "name": (
        "name",
        lambda name: name.replace("_", "-").replace(" ", "_"),
        lambda text: text.replace("_", " "),
    ),
}


def position(state: State) -> str:
    """Write a state as one line."""
    words = words_out(state, TABLE_WORDS, State(state.box), always=("phase", "round"))
    lines = [" ".join([MARK, *words, *words_out(state.turn, TURN_WORDS, Turn())])]
    for seat, creature in state.creatures.items():
        lines.append(" ".join([str(seat), *words_out(creature, CREATURE_WORDS, Creature())]))
    return " | ".join(lines)


def from_position(line: str, box: Printed) -> State:
    """Read a line back. Raises ValueError that says which part is wrong."""
    words, creatures = parts_in(line, MARK, "Mad Science")
    of_turn = [word for word in words if word.partition("=")[0] in TURN_WORDS]
    fields = fields_in([word for word in words if word not in of_turn], TABLE_WORDS, "the table")
    turn = Turn(**fields_in(of_turn, TURN_WORDS, "the turn"))
    state = replace(State(box), **fields, turn=turn)
    return replace(state, creatures=_creatures(creatures, box))


def _creatures(lines: list[str], box: Printed) -> dict[Seat, Creature]:
    creatures: dict[Seat, Creature] = {}
    for seat, words in seats_in(lines, SEATS):
        creature = Creature(**fields_in(words, CREATURE_WORDS, seat))
        cards = (creature.body, creature.adaptor, *creature.parts.values())
        strange = [card for card in cards if card and card not in box.names]
        if strange:
            raise ValueError(f"{seat}: this box has no card {strange[0]}.")
        creatures[seat] = creature
    return creatures
