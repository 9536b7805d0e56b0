"""A position as one line of text, and back: for bug reports, tests, logs and taking over.

``mm1 phase=order round=3 track=7/16 ... | red score=monsters:9 bag=rot7,limb5 ... | blue ...``
Words are separated by spaces, labs by `` | ``; what is not written has its usual value.
Chores are not part of a position.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from re import fullmatch

from companion.game import Seat
from companion.games.making_monsters.components import SEATS, Order, Token
from companion.games.making_monsters.depth import Depth, Feat
from companion.games.making_monsters.options import TABLE
from companion.games.making_monsters.parts import Parts, in_order
from companion.games.making_monsters.printed import Printed
from companion.games.making_monsters.state import Lab, Phase, Stage, State
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

MARK = "mm1"


def heap_out(parts: Parts) -> str:
    return ",".join(f"{kind}{count}" for kind, count in in_order(parts).items()) or "-"


def heap_in(text: str) -> dict[Token, int]:
    """Read ``rot7,limb5``. Raises ValueError naming the piece that is wrong."""
    heap = {}
    for piece in list_in(text):
        found = fullmatch(r"([a-z]+)(\d+)", piece)
        if found is None or found[1] not in set(Token):
            raise ValueError(f"{piece!r} is no kind with a count; write it like limb5")
        if int(found[2]):
            heap[Token(found[1])] = int(found[2])
    return heap


def _tokens_in(text: str) -> dict[str, Token]:
    return {name: Token(value) for name, value in pairs_in(text).items()}


def _feats_out(feats: Iterable[Feat]) -> str:
    return list_out(f"{feat.prestige}:{feat.card}" if feat.card else str(feat.prestige) for feat in feats)


def _feats_in(text: str) -> tuple[Feat, ...]:
    pieces = (piece.partition(":") for piece in list_in(text))
    return tuple(Feat(int(prestige), card) for prestige, _, card in pieces)


TABLE_WORDS: Words = {
    "phase": ("phase", str, Phase),
    "round": ("round", str, int),
    "supply": ("supply", heap_out, heap_in),
    "removed": ("removed", heap_out, heap_in),
    "turns": ("quarter", str, int),
    "astray": ("astray", str, int),
    "turned": ("is_turned", flag_out, flag_in),
    "carts": ("carts", pairs_out, pairs_in),
    "stack": ("stack", str, int),
    "gone": ("tiles_out", str, int),
    "deck": ("deck", str, int),
    "discards": ("discards", list_out, lambda text: tuple(list_in(text))),
    "guessed": ("bags_guessed", flag_out, flag_in),
    "options": ("options", pairs_out, TABLE.read),
    "odds": ("odds", flag_out, flag_in),
}
"""Word of the line: field of the state, how it is written, how it is read."""

LAB_WORDS: Words = {
    "stage": ("stage", str, Stage),
    "score": ("earned", pairs_out, numbers_in),
    "bag": ("bag", heap_out, heap_in),
    "cards": ("cards", pairs_out, pairs_in),
    "parts": ("parts", pairs_out, _tokens_in),
    "over": ("overflow", list_out, lambda text: tuple(Token(kind) for kind in list_in(text))),
    "tiles": ("tiles", pairs_out, pairs_in),
    "pile": ("pile", list_out, lambda text: tuple(list_in(text))),
    "lester": ("played", list_out, lambda text: tuple(list_in(text))),
    "order": ("order", lambda order: order or "-", lambda text: None if text == "-" else Order(text)),
    "super": ("is_super", flag_out, flag_in),
    "drawn": ("drawn", str, int),
    "bust": ("is_bust", flag_out, flag_in),
    "goes": ("reanimates", flag_out, flag_in),
    "went": ("has_reanimated", flag_out, flag_in),
    "items": ("items", str, int),
    "left": ("leftovers", pairs_out, _tokens_in),
    "fair": ("fair", str, int),
    "depth": ("depth", str, Depth),
    "held": ("held", heap_out, heap_in),
    "untold": ("untold", heap_out, heap_in),
    "done": ("done", _feats_out, _feats_in),
    "unnamed": ("unnamed", str, int),
    "points": ("points_told", str, int),
    "rot": ("rot_told", str, int),
    "counted": ("rot_counted", str, int),
    "working": ("working", list_out, lambda text: tuple(list_in(text))),
    "spare": ("spare", str, int),
    "acted": ("acted", list_out, lambda text: tuple(list_in(text))),
}


def position(state: State) -> str:
    """Write a state as one line."""
    words = [MARK, *words_out(state, TABLE_WORDS, State(state.box), always=("phase", "round"))]
    words.insert(3, f"track={state.track}/{state.track_length}")
    lines = [" ".join(words)]
    for seat, lab in state.labs.items():
        lines.append(" ".join([str(seat), *words_out(lab, LAB_WORDS, Lab())]))
    return " | ".join(lines)


def from_position(line: str, box: Printed) -> State:
    """Read a line back. Raises ValueError that says which part is wrong."""
    words, labs = parts_in(line, MARK, "Making Monsters")
    tracks = [word for word in words if word.startswith("track=")]
    fields = fields_in([word for word in words if word not in tracks], TABLE_WORDS, "the table")
    state = replace(State(box), **fields)
    for word in tracks:
        found = fullmatch(r"track=(\d+)/(\d+)", word)
        if found is None:
            raise ValueError(f"{word!r} is no Rot track; write it like track=7/16.")
        state = replace(state, track=int(found[1]), track_length=int(found[2]))
    return replace(state, labs=_labs(labs, box))


def _labs(lines: list[str], box: Printed) -> dict[Seat, Lab]:
    labs: dict[Seat, Lab] = {}
    for seat, words in seats_in(lines, SEATS):
        lab = Lab(**fields_in(words, LAB_WORDS, seat))
        strange = [card for card in (*lab.cards.values(), *lab.pile) if card not in box.monsters]
        if strange:
            raise ValueError(f"{seat}: this box has no card {strange[0]}.")
        labs[seat] = lab
    return labs
