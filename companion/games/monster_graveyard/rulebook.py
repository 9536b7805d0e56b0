"""Where things stand in the rulebook's excerpt: its headings, and the heading that each ruling reads.

Only headings are named here; what our readings say stands in ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

SUMMARY = "Phase Summary"
ACTIONS = "Laboratory Actions"
REANIMATE = "Reanimate"
EXPERIMENT = "Experiment"
ACQUIRE = "Acquire Research Cards"
TYPES = "Types of Research Cards"
RESTRICTIONS = "Research Upgrade Restrictions"
BONUS = "Phase Bonus"
OVERVIEW = "Overview of the game"
"""Of the game as a whole only an overview is public: five phases, two rounds, victory points."""

SECTIONS = (SUMMARY, ACTIONS, REANIMATE, EXPERIMENT, ACQUIRE, TYPES, RESTRICTIONS, BONUS, OVERVIEW)

_READ: Mapping[str, tuple[int, ...]] = {
    OVERVIEW: (1, 19, 20, 21, 22, 23),
    BONUS: (2,),
    REANIMATE: (3, 4, 16, 17),
    EXPERIMENT: (5, 6),
    ACQUIRE: (7, 8, 9, 10, 24),
    RESTRICTIONS: (11, 12, 13),
    TYPES: (14, 15),
    SUMMARY: (18,),
}

RULINGS: Mapping[str, str] = {f"MG-R{n}": section for section, numbers in _READ.items() for n in numbers}
"""Under which heading the question lies that a ruling answers."""


def section_of(rule: str) -> str:
    """Return the heading that a rule stands under: its own, or that of the ruling; the rule if unknown."""
    return RULINGS.get(rule, rule)
