"""Which five monsters to show at the Fair, by playing it with a few shuffles of the own bag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.game import Wire
from companion.games.making_monsters.components import BONUS, REJECT_SPACES

SHUFFLES = 40
ASIDE = 2


def best_five(facts: Wire) -> list[str]:
    monsters: Mapping[str, Sequence] = facts["monsters"]
    pile = sorted(facts["pile"])
    bag = [kind for kind, count in facts["bag"].items() for _ in range(count)]
    dice = Random(1)
    shuffles = [dice.sample(bag, len(bag)) for _ in range(SHUFFLES)]
    printed = [list(facts["shown"][space]) for space in ("card1", "card2") if space in facts["shown"]]

    def worth(cards):
        shown = [[int(facts["pile"][c]), *monsters[c][1:]] for c in cards]
        shown += printed[len(cards)-3:] if len(cards) > 3 else printed
        shown = sorted(shown, key=lambda m: (len(m), -m[0]))
        return sum(_scored(shown, order, ASIDE) for order in shuffles) / SHUFFLES

    chosen: list[str] = []
    best = worth(chosen)
    while len(chosen) < 5:
        options = [(worth([*chosen, c]), c) for c in pile if c not in chosen]
        if not options: break
        top, card = max(options)
        if len(chosen) >= 3 and top <= best: break
        chosen.append(card); best = top
    improved = True
    while improved:
        improved = False
        for old in list(chosen):
            for new in pile:
                if new in chosen: continue
                trial = [new if c == old else c for c in chosen]
                w = worth(trial)
                if w > best + 1e-9:
                    chosen, best, improved = trial, w, True
                    break
            if improved: break
    return chosen


def _scored(shown, order, aside):
    left = [list(m[1:]) for m in shown]
    rejects, waiting = 0, []
    for kind in order:
        if rejects >= REJECT_SPACES - 1:
            break
        if kind == "rot":
            rejects += 1
            continue
        for need in left:
            if kind in need:
                need.remove(kind)
                break
        else:
            if kind == "mutation":
                waiting.append(kind)
            elif len(waiting) < aside:
                waiting.append(kind)
            else:
                rejects += 1
    wild = waiting.count("mutation")
    done = 0; points = 0
    for m, need in sorted(zip(shown, left), key=lambda p: len(p[1])):
        if len(need) <= wild:
            wild -= len(need)
            done += 1; points += m[0]
    return points + BONUS[done]
