"""Measure the worst odds: ``python -m tests.companion.games.making_monsters.measure_odds``.

Five empty monsters that ask for every kind, mutations, and a bag of sixty, more than games end with; the
fastest of three, in seconds of one core, with the bounds on what drawing is worth.
"""

from __future__ import annotations

import time

from companion.games.making_monsters.components import USEFUL, Token
from companion.games.making_monsters.odds import Drawing, Want
from companion.games.making_monsters.rules.order import FAIR_TERMS, TERMS
from companion.games.making_monsters.stopping import Odds, weigh

BAG = {
    Token.ROT: 14,
    Token.LIMB: 12,
    Token.STITCH: 9,
    Token.SPIKE: 8,
    Token.GOOP: 7,
    Token.ZAPPER: 7,
    Token.MUTATION: 3,
}
WANTS = tuple(Want(f"card{number}", dict.fromkeys(USEFUL, 1), 7 + number) for number in range(1, 6))


def main() -> None:
    terms = {f"{order} {'Super' if lifted else 'Base'}": one for (order, lifted), one in TERMS.items()}
    for name, limits in {**terms, "the Fair": FAIR_TERMS}.items():
        drawing = Drawing(BAG, WANTS, 2, limits.grab, limits.least, limits.most)
        took_ms, odds = min((timed(drawing) for _ in range(3)), key=lambda one: one[0])
        print(f"{name:14}{took_ms:6.1f} ms, worth {odds.draw.low:.1f} to {odds.draw.high:.1f}")


def timed(drawing: Drawing) -> tuple[float, Odds]:
    began_s = time.process_time()
    odds = weigh(drawing)
    return 1000 * (time.process_time() - began_s), odds


if __name__ == "__main__":
    main()
