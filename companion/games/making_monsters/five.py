"""Which five monsters to show at the Fair: tried out on a few shuffles of the own bag.

A Fair takes twenty draws, more than exact odds can follow in the time, so it is played: the same shuffles for
every choice of monsters, each drawn until the fifth reject.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Wire
from companion.games.making_monsters.components import BONUS, CARD_SPACES, REJECT_SPACES, SORT_SPACES, Token
from companion.games.making_monsters.odds import Want
from companion.games.making_monsters.parts import Parts, counted, total

SHUFFLES = 40

LEAST = len(CARD_SPACES) - 2
"""Cards on the other two spaces cover the printed monsters."""


def best_five(facts: Wire) -> list[str]:
    """Return the monsters of the own pile that score most together, those first that cover nothing."""
    pile = [
        Want(card, counted(Token(kind) for kind in facts["monsters"][card][1:]), prestige)
        for card, prestige in sorted(facts["pile"].items())
    ]
    printed = [
        Want(card, counted(Token(kind) for kind in kinds), prestige)
        for card, (prestige, *kinds) in facts["shown"].items()
    ]
    fair = _Fair({Token(kind): count for kind, count in facts["bag"].items()}, printed)
    return [want.space for want in fair.improved(fair.grown(pile), pile)]


class _Fair:
    """The Fair of one bag, played with the same shuffles for any monsters."""

    def __init__(self, bag: Parts, printed: Sequence[Want]) -> None:
        heap = [kind for kind, count in bag.items() for _ in range(count)]
        self._shuffles = [shuffled(heap, number) for number in range(SHUFFLES)]
        self._printed = tuple(printed)

    def worth(self, chosen: Sequence[Want]) -> float:
        """Return what monsters score on average, the printed ones that they leave uncovered with them."""
        shown = [*chosen, *self._printed[max(0, len(chosen) - LEAST) :]]
        shown.sort(key=lambda want: (total(want.needs), -want.prestige))
        return sum(scored(shown, drawn) for drawn in self._shuffles) / SHUFFLES

    def grown(self, pile: Sequence[Want]) -> list[Want]:
        """Choose one monster after the other, those that would cover a printed one only if it pays."""
        chosen: list[Want] = []
        while len(chosen) < min(len(CARD_SPACES), len(pile)):
            ways = [[*chosen, want] for want in pile if want not in chosen]
            best = max(ways, key=self.worth)
            if len(chosen) >= LEAST and self.worth(best) <= self.worth(chosen):
                break
            chosen = best
        return chosen

    def improved(self, chosen: list[Want], pile: Sequence[Want]) -> list[Want]:
        """Exchange single monsters, once over the pile, as long as each exchange pays."""
        best = self.worth(chosen)
        for new in pile:
            for at in range(len(chosen)):
                changed = [*chosen[:at], new, *chosen[at + 1 :]]
                if new not in chosen and self.worth(changed) > best:
                    chosen, best = changed, self.worth(changed)
        return chosen


def shuffled(heap: Sequence[Token], number: int) -> list[Token]:
    """Return tokens in an order that only looks like chance: the same view must give the same choice."""
    keys, key = [], number
    for _ in range(len(heap) + 1):
        key = (6364136223846793005 * key + 1442695040888963407) % 2**64  # Knuth's linear congruence
        keys.append(key >> 33)
    return [kind for _, kind in sorted(zip(keys[1:], heap, strict=True))]


def scored(shown: Sequence[Want], drawn: Sequence[Token]) -> int:
    """Return what monsters score with tokens in this order, stopping at the fifth reject.

    Each part goes to the first monster that needs its kind, else aside while there is room.
    """
    left = [dict(want.needs) for want in shown]
    rejects = aside = wild = 0
    for kind in drawn:
        if rejects == REJECT_SPACES - 1:
            break
        asking = next((needs for needs in left if needs.get(kind)), None)
        if asking:
            asking[kind] -= 1
        elif kind is not Token.ROT and aside < len(SORT_SPACES):
            aside += 1
            wild += kind is Token.MUTATION
        else:
            rejects += 1
    done: list[int] = []
    for want, needs in sorted(zip(shown, left, strict=True), key=lambda both: total(both[1])):
        if total(needs) <= wild:
            wild -= total(needs)
            done.append(want.prestige)
    return sum(done) + BONUS[len(done)]
