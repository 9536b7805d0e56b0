"""Words for pages: sentences of the game and of the web, with the names of the people at the table.

A game calls a seat ``<its prefix>.seat.<seat>``; where somebody sits there, its name is said instead.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence

from companion.board import PieceKind, Place
from companion.game import Seat, Sentence
from companion.sentences import Speaker, keys_in
from companion.sheets import Column, Kind
from web.languages import PACKAGES

SEAT_KEY = re.compile(r"(?:^|\.)seat\.([\w-]+)$")
BOARD_KEY = re.compile(r"board\.([\w-]+)")
Value = str | int | Sentence | tuple[Sentence, ...]
SEAT_VALUES = ("seat", "neighbour", "to_seat", "from_seat")
"""Values of a sentence that hold a bare seat."""

KINDS = (
    "seat",
    "piece",
    "token",
    "tile",
    "card",
    "space",
    "place",
    "unit",
    "order",
    "sheet",
    "column",
    "board",
    "box",
    "kind",
    "connector",
    "shape",
    "deck",
    "type",
)
PIECES = ("piece", "token", "tile", "card")
NUMBERED = re.compile(r"([a-z_]+?)_?(\d+)")
STEP = re.compile(r"(?<=[a-z])(?=\d)|[._-]")


class NamedSpeaker(Speaker):
    """A speaker that says people's names where a sentence names their seat.

    ``seat.<seat>`` alone is said by any web sentence: the name, else what the box calls the seat.
    So is ``board.<board>``: what the box calls the board, else whose it is.
    """

    def __init__(self, packages: Sequence[str], language: str, label_keys: Mapping[str, str]) -> None:
        super().__init__(packages, language)
        self._label_keys = label_keys
        self._names: Mapping[Seat, str] = {}

    def calling(self, names: Mapping[Seat, str]) -> NamedSpeaker:
        """Return the same speaker with other names; the catalogues are shared."""
        other = copy.copy(self)
        other._names = names
        return other

    def say(self, sentence: Sentence) -> str:
        found = SEAT_KEY.search(sentence.key)
        if found and Seat(found[1]) in self._names:
            return self._names[Seat(found[1])]
        if found and found[0] == sentence.key:
            key = self._label_keys.get(sentence.key)
            return super().say(Sentence(key)) if key and key != sentence.key else readable(found[1])
        if board := BOARD_KEY.fullmatch(sentence.key):
            return self._board(board[1], sentence.values)
        return super().say(Sentence(sentence.key, self._with_names(sentence.values)))

    def _board(self, board: str, values: Mapping[str, Value]) -> str:
        key = self._label_keys.get(f"board.{board}") or ("web.board_of" if "seat" in values else "")
        return super().say(Sentence(key, self._with_names(values))) if key else readable(board)

    def _with_names(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """Return the values of a sentence, a seat that stands in them bare as a sentence of its own."""
        bare = {
            name: Sentence(f"seat.{value}")
            for name, value in values.items()
            if name in SEAT_VALUES and isinstance(value, str) and value
        }
        return {**values, **bare} if bare else values


class Words:
    """What pages say in one language about one game."""

    def __init__(self, game_package: str, language: str) -> None:
        self.language = language
        packages = (game_package, *PACKAGES)
        self._keys = short_keys(packages)
        self._plain = NamedSpeaker(packages, language, self._keys)
        self._speaker = self._plain
        self._names: Mapping[Seat, str] = {}
        self._printed: Mapping[str, str] = {}

    def printing(self, names: Mapping[str, str]) -> Words:
        """Return the same words with the names that a box prints on its pieces, by their ids."""
        other = copy.copy(self)
        other._printed = names
        return other

    def calling(self, names: Mapping[Seat, str]) -> Words:
        """Return the same words with the names of who sits where."""
        other = copy.copy(self)
        other._names = names
        other._speaker = self._plain.calling(names)
        return other

    def say(self, sentence: Sentence | str | int | None) -> str:
        """Say a sentence; what is no sentence is said as it is."""
        if sentence is None:
            return ""
        return self._speaker.say(sentence) if isinstance(sentence, Sentence) else str(sentence)

    def tell(self, key: str, **values: Value) -> str:
        """Say a sentence of the web by its key."""
        return self._speaker.say(Sentence(key, values))

    def cited(self, rule: str, section: str = "") -> str:
        """Say where a rule stands in the rulebook, and which ruling of ours reads it so; empty if nowhere."""
        if not rule:
            return ""
        if section and section != rule:
            return self.tell("web.rule.ruling", section=section, ruling=rule)
        return self.tell("web.rule", rule=rule)

    def seat_label(self, seat: Seat) -> str:
        """Return what the box calls a seat."""
        return self._known("seat", seat, plain=True)

    def name(self, seat: Seat) -> str:
        """Return who sits there, else what the box calls the seat."""
        return self._names.get(seat) or self.seat_label(seat)

    def piece(self, kind: PieceKind) -> str:
        """Return the word for a piece, ``empty``, ``hidden`` and ``unknown`` included."""
        known = next((one for one in PIECES if f"{one}.{kind}" in self._keys), None)
        if known is None and kind in self._printed:
            return self._printed[kind]
        return self._known(known or "piece", kind)

    def place(self, place: Place) -> str:
        """Return the word for a space of a board."""
        if f"place.{place}" in self._keys:
            return self._known("place", str(place))
        numbered = NUMBERED.fullmatch(place.space)
        key = self._keys.get(f"space.{numbered[1]}") if numbered else None
        if numbered is not None and key is not None:
            return self._speaker.say(Sentence(key, {"number": int(numbered[2])}))
        return self._known("space", str(place.space))

    def sheet(self, name: str) -> str:
        """Return what a table of a box's catalogue is called."""
        return self._known("sheet", name)

    def column(self, name: str) -> str:
        """Return what a column of a catalogue is called."""
        return self._known("column", name)

    def row(self, row: str) -> str:
        """Return what a row without a name of its own is called: a tile, a place, an order, its id."""
        known = next((kind for kind in ("tile", "order", "piece") if f"{kind}.{row}" in self._keys), None)
        return self._known(known, row) if known else readable(row)

    def word(self, column: Column, word: str) -> str:
        """Return a word of a choice as people say it."""
        return self._known(column.said_as, word) if column.said_as else readable(word)

    def cell(self, column: Column, value: Value | None) -> str:
        """Return a value of a catalogue as people read it."""
        if isinstance(value, tuple):
            return " · ".join(self.word(column, str(one)) for one in value)
        return self.word(column, str(value)) if column.kind is Kind.CHOICE else str(value)

    def unit(self) -> str:
        """Return what the game calls its points; empty if it does not say."""
        return self._known("unit", "score") if "unit.score" in self._keys else ""

    def _known(self, kind: str, tail: str, *, plain: bool = False) -> str:
        key = self._keys.get(f"{kind}.{tail}")
        if key is None:
            return readable(tail)
        return (self._plain if plain else self._speaker).say(Sentence(key))


def readable(name: str) -> str:
    """Return a name of the rules with blanks for its joints: ``card4.part1`` is ``card 4 part 1``."""
    return " ".join(STEP.sub(" ", name).split())


def short_keys(packages: Sequence[str]) -> Mapping[str, str]:
    """Return the full keys of seats, pieces, spaces and places by their ends: ``piece.limb``."""
    found: dict[str, str] = {}
    for package in reversed(packages):
        for key in keys_in(package):
            for kind in KINDS:
                head, is_there, tail = key.rpartition(f"{kind}.")
                if is_there and (not head or head.endswith(".")):
                    found[f"{kind}.{tail}"] = key
    return found
