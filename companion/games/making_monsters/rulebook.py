"""Where things stand in the rulebook: its headings, and the heading that each ruling of ours reads.

Only headings are named here; what our readings say stands in ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

SECTIONS = (
    "Components",
    "Setup",
    *(f"Setup {letter}" for letter in "ABCDEFGHI"),
    "Object of the Game",
    "Gameplay",
    "Order Monster Parts",
    "Receive Deliveries",
    "Monster Part Tokens",
    "Drawing Monster Parts and Placing Tokens",
    "Lab board",
    *(f"Lab board, section {number}" for number in (1, 2, 3, 4)),
    "Reanimate",
    "Refresh",
    "Refresh, note",
    "Drawing Monster Cards",
    "Mad Science Fair",
    "Prep",
    "Final Score",
    "Order Tokens",
    *(f"Order Tokens, {colour}" for colour in ("Red", "Yellow", "Blue")),
    "Playing Order Tokens",
    "L.E.S.T.E.R. Cards",
    "Reanimate Table",
    "Monster Cards",
    "Laboratory Playerboard Upgrades",
    "Quick Guide Summary",
)
"""Headings of the rulebook, by which prompts and refusals name a rule."""

_READ: Mapping[str, tuple[int, ...]] = {
    "Playing Order Tokens": (1, 2, 3, 4, 5),
    "Order Monster Parts": (6,),
    "Order Tokens": (7, 12),
    "Receive Deliveries": (8, 11, 18),
    "Drawing Monster Parts and Placing Tokens": (9, 21, 23),
    "Lab board, section 4": (10,),
    "Order Tokens, Yellow": (13, 14, 15),
    "Order Tokens, Red": (16, 19),
    "Laboratory Playerboard Upgrades": (17, 37, 39, 40, 41, 42, 43, 44, 45, 46, 49, 65, 69, 72),
    "Monster Part Tokens": (20, 24),
    "Lab board, section 3": (22, 71),
    "Order Tokens, Blue": (25, 74),
    "L.E.S.T.E.R. Cards": (26, 27, 28, 29, 48),
    "Reanimate": (30, 32, 33, 36, 38, 51, 52),
    "Reanimate Table": (31, 34, 35),
    "Lab board, section 2": (47, 68),
    "Monster Cards": (50,),
    "Refresh": (53, 54, 55, 56, 57, 59),
    "Refresh, note": (58,),
    "Mad Science Fair": (60, 61, 62, 63, 70, 73),
    "Prep": (64,),
    "Final Score": (66, 67),
}

RULINGS: Mapping[str, str] = {f"MM-R{n}": section for section, numbers in _READ.items() for n in numbers}
"""Under which heading the question lies that a ruling answers."""


def section_of(rule: str) -> str:
    """Return the heading that a rule stands under: its own, or that of the ruling; the rule if unknown."""
    return RULINGS.get(rule, rule)
