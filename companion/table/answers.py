"""Answers: a refusal of the table, and the memory that gives the same request the same answer."""

from __future__ import annotations

from collections import OrderedDict

from companion.game import Sentence
from companion.table.views import Receipt

# Two hours of a phone that sends a refused tap each second, and no more memory than that.
MOST_ANSWERS = 8192


class Refused(Exception):
    """Something that the table, not the rules of the game, refuses.

    ``is_for_good``: the same request again gets the same answer.
    """

    def __init__(self, why: Sentence, *, instead: Sentence | None = None, is_for_good: bool = True) -> None:
        super().__init__(why.key)
        self.why = why
        self.instead = instead
        self.is_for_good = is_for_good


class Answers:
    """What was answered without an entry in the journal: refusals, and commands that changed nothing.

    The journal itself remembers the others.
    """

    def __init__(self) -> None:
        self._given: OrderedDict[tuple[str, str], Receipt] = OrderedDict()

    def given(self, client: str, request: str) -> Receipt | None:
        return self._given.get((client, request))

    def give(self, client: str, request: str, receipt: Receipt) -> None:
        """Remember an answer; the oldest is forgotten."""
        self._given[(client, request)] = receipt
        if len(self._given) > MOST_ANSWERS:
            self._given.popitem(last=False)
