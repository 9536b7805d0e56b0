"""Taking out of a text what is nobody's business: names of players, tokens, passwords, PINs.

Better one word too many than one too few: what looks like a token goes, whoever's it is.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

NAME, SECRET = "[name]", "[secret]"
TOKEN = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[A-Za-z0-9_-]{20,64}(?![\w-])(?:\.\w+)?")
"""128 random bits in letters for addresses have a capital and a small one in all but one of a million."""

MARK = re.compile(r"\b[0-9a-f]{32,}\b")
PIN = re.compile(r"(PIN\W{1,12}(?:\w{1,4}\W{1,3})?)\d{4,8}\b", re.IGNORECASE)
IN_ADDRESS = re.compile(r"(://)[^/\s\"'@]+@")
KEYED = re.compile(
    r"([\w.-]*(?:password|passphrase|passwort|secret|token|psk|credential|api_?key)[\w.-]*[\"']?\s*[=:]\s*)"
    r"(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s,}\]]+)",
    re.IGNORECASE,
)


def names_of_players(home: Path) -> frozenset[str]:
    """Return the names that the service of a home folder knows: who sits there, and who ever sat there."""
    path = home / "seats.sqlite"
    names: set[str] = set()
    with (
        suppress(sqlite3.Error, ValueError, LookupError),
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as seats,
    ):
        names |= {str(name) for (name,) in seats.execute("select name from seats")}
        for (players,) in seats.execute("select players from evenings"):
            names |= {str(player[0]) for player in json.loads(players)}
    return frozenset(name for name in names if name)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


class Discretion:
    """Takes names and secrets out of texts. ``names`` empty: only the secrets."""

    def __init__(self, names: Iterable[str]) -> None:
        # The longest first, so that of "Mia Maria" nothing is left of either.
        spelt = sorted({form for name in names for form in (name, _escaped(name))}, key=len, reverse=True)
        whole = "|".join(re.escape(name) for name in spelt)
        self._names = re.compile(rf"(?<!\w)(?:{whole})(?!\w)", re.IGNORECASE) if spelt else None

    def of(self, text: str) -> str:
        """Return a text without what is nobody's business."""
        text = KEYED.sub(lambda found: f'{found[1]}"{SECRET}"', text)
        text = IN_ADDRESS.sub(rf"\g<1>{SECRET}@", text)
        text = PIN.sub(rf"\g<1>{SECRET}", text)
        text = MARK.sub(SECRET, TOKEN.sub(SECRET, text))
        return self._names.sub(NAME, text) if self._names else text

    def of_tree(self, tree: Any) -> Any:
        """Return a tree as JSON has it with all of its texts so; keys, which are ours, stay."""
        if isinstance(tree, dict):
            return {key: self.of_tree(value) for key, value in tree.items()}
        if isinstance(tree, list | tuple):
            return [self.of_tree(value) for value in tree]
        return self.of(tree) if isinstance(tree, str) else tree


def _escaped(name: str) -> str:
    """Return a name as JSON and Python may write it."""
    return json.dumps(name)[1:-1]
