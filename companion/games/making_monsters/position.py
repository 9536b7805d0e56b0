"""A position as one line of text, and back: for bug reports, tests, logs and taking over.

``mm1 phase=order round=3 track=7/16 ... | red score=monsters:9 bag=rot7,limb5 ... | blue ...``
Words are separated by spaces, labs by `` | ``; what is not written has its usual value.
Chores are not part of a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from re import fullmatch
from typing import Any

from companion.game import Seat
from companion.games.making_monsters.components import SEATS, Order, Token
from companion.games.making_monsters.depth import Depth, Feat
from companion.games.making_monsters.options import ALL, unknown
from companion.games.making_monsters.parts import Parts, in_order
from companion.games.making_monsters.printed import Printed
from companion.games.making_monsters.state import Lab, Phase, Stage, State

MARK = "mm1"


def heap_out(parts: Parts) -> str:
    return ",".join(f"{kind}{count}" for kind, count in in_order(parts).items()) or "-"


def heap_in(text: str) -> dict[Token, int]:
    """Read ``rot7,limb5``. Raises ValueError naming the piece that is wrong."""
    heap = {}
    for piece in _list_in(text):
        found = fullmatch(r"([a-z]+)(\d+)", piece)
        if found is None or found[1] not in set(Token):
            raise ValueError(f"{piece!r} is no kind with a count; write it like limb5")
        if int(found[2]):
            heap[Token(found[1])] = int(found[2])
    return heap


def _list_out(items: Iterable[str]) -> str:
    return ",".join(item or "?" for item in items) or "-"


def _list_in(text: str) -> list[str]:
    return [] if text in ("-", "") else ["" if item == "?" else item for item in text.split(",")]


def pairs_out(pairs: Mapping[str, Any]) -> str:
    return _list_out(f"{name}:{value}" for name, value in pairs.items())


def pairs_in(text: str) -> dict[str, str]:
    """Read ``card3:card_07,sort1:limb``. Raises ValueError naming the piece that is wrong."""
    pairs = {}
    for piece in _list_in(text):
        name, colon, value = piece.partition(":")
        if not colon:
            raise ValueError(f"{piece!r} is no pair; write it like card3:card_07")
        pairs[name] = value
    return pairs


def _ints_in(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in pairs_in(text).items()}


def _tokens_in(text: str) -> dict[str, Token]:
    return {name: Token(value) for name, value in pairs_in(text).items()}


def _flag_in(text: str) -> bool:
    return text == "yes"


def _flag_out(value: bool) -> str:
    return "yes" if value else "no"


def _feats_out(feats: Iterable[Feat]) -> str:
    return _list_out(f"{feat.prestige}:{feat.card}" if feat.card else str(feat.prestige) for feat in feats)


def _feats_in(text: str) -> tuple[Feat, ...]:
    pieces = (piece.partition(":") for piece in _list_in(text))
    return tuple(Feat(int(prestige), card) for prestige, _, card in pieces)


Out = Callable[[Any], str]
In = Callable[[str], Any]

TABLE_WORDS: Mapping[str, tuple[str, Out, In]] = {
    "phase": ("phase", str, Phase),
    "round": ("round", str, int),
    "supply": ("supply", heap_out, heap_in),
    "removed": ("removed", heap_out, heap_in),
    "turns": ("quarter", str, int),
    "astray": ("astray", str, int),
    "turned": ("is_turned", _flag_out, _flag_in),
    "carts": ("carts", pairs_out, pairs_in),
    "stack": ("stack", str, int),
    "gone": ("tiles_out", str, int),
    "deck": ("deck", str, int),
    "discards": ("discards", _list_out, lambda text: tuple(_list_in(text))),
    "guessed": ("bags_guessed", _flag_out, _flag_in),
    "options": ("options", pairs_out, pairs_in),
    "odds": ("odds", _flag_out, _flag_in),
}
"""Word of the line: field of the state, how it is written, how it is read."""

LAB_WORDS: Mapping[str, tuple[str, Out, In]] = {
    "stage": ("stage", str, Stage),
    "score": ("earned", pairs_out, _ints_in),
    "bag": ("bag", heap_out, heap_in),
    "cards": ("cards", pairs_out, pairs_in),
    "parts": ("parts", pairs_out, _tokens_in),
    "over": ("overflow", _list_out, lambda text: tuple(Token(kind) for kind in _list_in(text))),
    "tiles": ("tiles", pairs_out, pairs_in),
    "pile": ("pile", _list_out, lambda text: tuple(_list_in(text))),
    "lester": ("played", _list_out, lambda text: tuple(_list_in(text))),
    "order": ("order", lambda order: order or "-", lambda text: None if text == "-" else Order(text)),
    "super": ("is_super", _flag_out, _flag_in),
    "drawn": ("drawn", str, int),
    "bust": ("is_bust", _flag_out, _flag_in),
    "goes": ("reanimates", _flag_out, _flag_in),
    "went": ("has_reanimated", _flag_out, _flag_in),
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
    "working": ("working", _list_out, lambda text: tuple(_list_in(text))),
    "spare": ("spare", str, int),
    "acted": ("acted", _list_out, lambda text: tuple(_list_in(text))),
}


def position(state: State) -> str:
    """Write a state as one line."""
    words = [MARK, *_words(state, TABLE_WORDS, State(state.box))]
    words.insert(3, f"track={state.track}/{state.track_length}")
    lines = [" ".join(words)]
    for seat, lab in state.labs.items():
        lines.append(" ".join([str(seat), *_words(lab, LAB_WORDS, Lab())]))
    return " | ".join(lines)


def _words(thing: Any, words: Mapping[str, tuple[str, Out, In]], usual: Any) -> list[str]:
    written = []
    for word, (field, out, _) in words.items():
        value = getattr(thing, field)
        if value != getattr(usual, field) or word in ("phase", "round"):
            written.append(f"{word}={out(value)}")
    return written


def from_position(line: str, box: Printed) -> State:
    """Read a line back. Raises ValueError that says which part is wrong."""
    table, *labs = line.strip().split(" | ")
    mark, *words = table.split()
    if mark != MARK:
        raise ValueError(f"A position of Making Monsters begins with {MARK}, this one with {mark!r}.")
    tracks = [word for word in words if word.startswith("track=")]
    fields = _fields([word for word in words if word not in tracks], TABLE_WORDS, "the table")
    state = replace(State(box), **fields)
    for word in tracks:
        found = fullmatch(r"track=(\d+)/(\d+)", word)
        if found is None:
            raise ValueError(f"{word!r} is no Rot track; write it like track=7/16.")
        state = replace(state, track=int(found[1]), track_length=int(found[2]))
    strange = unknown(state.options)
    if strange:
        raise ValueError(f"There is no option {strange}; options are {', '.join(ALL)}.")
    return replace(state, labs=_labs(labs, box))


def _labs(lines: list[str], box: Printed) -> dict[Seat, Lab]:
    labs: dict[Seat, Lab] = {}
    for line in lines:
        name, *words = line.split()
        if name not in SEATS or name in labs:
            raise ValueError(f"{name!r} is no seat of the box or stands twice; seats are {', '.join(SEATS)}.")
        lab = Lab(**_fields(words, LAB_WORDS, name))
        strange = [card for card in (*lab.cards.values(), *lab.pile) if card not in box.monsters]
        if strange:
            raise ValueError(f"{name}: this box has no card {strange[0]}.")
        labs[Seat(name)] = lab
    return labs


def _fields(words: list[str], known: Mapping[str, tuple[str, Out, In]], whose: str) -> dict[str, Any]:
    fields = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or name not in known:
            raise ValueError(f"{whose}: {word!r} is unknown; known are {', '.join(known)}.")
        field, _, read = known[name]
        try:
            fields[field] = read(text)
        except ValueError as wrong:
            raise ValueError(f"{whose}: {word!r} cannot be read: {wrong}.") from wrong
    return fields
