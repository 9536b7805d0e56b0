"""A position as one line of text, and back: for bug reports, tests, logs and taking over.

``mg1 phase=laboratory turn=3 ... | orange stage=act gp=3 monsters=1:2/1/2+pirate_hook,2:1/1/1! ... | ...``
Words are separated by spaces, seats by `` | ``; what is not written has its usual value, ``!`` is an
exhausted monster. Chores are not part of a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from re import fullmatch

from companion.game import Seat
from companion.games.monster_graveyard.components import DECKS, SEATS
from companion.games.monster_graveyard.options import TABLE
from companion.games.monster_graveyard.printed import Printed
from companion.games.monster_graveyard.state import Deck, Lab, Monster, Phase, Stage, State
from companion.position import (
    Words,
    fields_in,
    list_in,
    list_out,
    numbers_in,
    pairs_in,
    pairs_out,
    parts_in,
    seats_in,
    words_out,
)

MARK = "mg1"


def _monster_out(monster: Monster) -> str:
    tokens = "".join(f"+{token}" for token in monster.abilities)
    turned = "!" if monster.is_exhausted else ""
    return f"{monster.number}:{monster.terror}/{monster.science}/{monster.health}{tokens}{turned}"


def _monster_in(text: str) -> Monster:
    found = fullmatch(r"(\d+):(\d+)/(\d+)/(\d+)((?:\+\w+)*)(!?)", text)
    if found is None:
        raise ValueError(f"{text!r} is no monster; write it like 1:2/1/2+pirate_hook")
    number, terror, science, health = (int(found[n]) for n in range(1, 5))
    return Monster(number, terror, science, health, tuple(found[5].split("+")[1:]), bool(found[6]))


def _monsters_in(text: str) -> tuple[Monster, ...]:
    return tuple(_monster_in(piece) for piece in list_in(text))


def _decks_out(decks: Mapping[str, Deck]) -> str:
    return list_out(
        f"{name}:{deck.cards}" + "".join(f"+{c}" for c in deck.discards) for name, deck in decks.items()
    )


def _decks_in(text: str) -> dict[str, Deck]:
    decks = dict.fromkeys(DECKS, Deck())
    for piece in list_in(text):
        found = fullmatch(r"(\d+):(\d+)((?:\+\w+)*)", piece)
        if found is None or found[1] not in DECKS:
            raise ValueError(f"{piece!r} is no research deck; write it like 3:6+lost_wallet")
        decks[found[1]] = Deck(int(found[2]), tuple(found[3].split("+")[1:]))
    return decks


def _seat_out(seat: Seat | None) -> str:
    return seat or "-"


def _seat_in(text: str) -> Seat | None:
    if text != "-" and text not in SEATS:
        raise ValueError(f"{text!r} is no seat of the box")
    return None if text == "-" else Seat(text)


def _chosen_in(text: str) -> dict[str, Seat]:
    return {phase: Seat(seat) for phase, seat in pairs_in(text).items()}


TABLE_WORDS: Words = {
    "phase": ("phase", str, Phase),
    "turn": ("turn", str, int),
    "rounds": ("rounds_done", str, int),
    "first": ("first", _seat_out, _seat_in),
    "active": ("active", _seat_out, _seat_in),
    "chosen": ("chosen", pairs_out, _chosen_in),
    "decks": ("decks", _decks_out, _decks_in),
    "options": ("options", pairs_out, TABLE.read),
}

LAB_WORDS: Words = {
    "stage": ("stage", str, Stage),
    "gp": ("gp", str, int),
    "rp": ("rp", str, int),
    "vp": ("earned", pairs_out, numbers_in),
    "minions": ("minions", str, int),
    "monsters": ("monsters", lambda many: list_out(map(_monster_out, many)), _monsters_in),
    "upgrades": ("upgrades", list_out, lambda text: tuple(list_in(text))),
    "looks": ("deck", str, str),
}


def position(state: State) -> str:
    """Write a state as one line."""
    usual = State(state.box)
    lines = [" ".join([MARK, *words_out(state, TABLE_WORDS, usual, always=("phase", "turn"))])]
    for seat, lab in state.labs.items():
        lines.append(" ".join([str(seat), *words_out(lab, LAB_WORDS, Lab())]))
    return " | ".join(lines)


def from_position(line: str, box: Printed) -> State:
    """Read a line back. Raises ValueError that says which part is wrong."""
    words, labs = parts_in(line, MARK, "Monster Graveyard")
    state = replace(State(box), **fields_in(words, TABLE_WORDS, "the table"))
    return replace(state, labs=_labs(labs, box))


def _labs(lines: list[str], box: Printed) -> dict[Seat, Lab]:
    labs: dict[Seat, Lab] = {}
    for seat, words in seats_in(lines, SEATS):
        lab = Lab(**fields_in(words, LAB_WORDS, seat))
        strange = [card for card in lab.upgrades if card not in box.research]
        if strange:
            raise ValueError(f"{seat}: this box has no research card {strange[0]}.")
        labs[seat] = lab
    return labs
