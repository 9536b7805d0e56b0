"""Where things stand in the rulebook: its headings, and the heading that each ruling of ours reads.

Only headings are named here; what our readings say stands in ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

SECTIONS = (
    "Components",
    "Setup",
    "About Phases",
    "Starting the Game",
    "Build Phase",
    "About Connectors",
    "Battle Phase",
    "Arrows",
    "Roll Again",
    "Roll # Twice",
    "Lose # Life",
    "Special Move",
    "Part Drop",
    "Adaptor Loss",
    "Double Hit",
    "Break Phase",
    "Part Lost",
    "Double Strike",
    "We're Not Done Yet",
    "Winning And Losing The Game",
)
"""Headings and bold words of the rulebook, by which prompts and refusals name a rule."""

_READ: Mapping[str, tuple[int, ...]] = {
    "Setup": (1,),
    "Build Phase": (2, 3, 4, 5, 7, 9, 28),
    "About Connectors": (6, 32),
    "Battle Phase": (8, 12, 13, 27),
    "Roll Again": (10,),
    "Roll # Twice": (11,),
    "Lose # Life": (29,),
    "Adaptor Loss": (23,),
    "Part Drop": (24,),
    "Special Move": (25,),
    "Double Hit": (22,),
    "Break Phase": (14, 15, 16, 17, 18, 20, 26, 31),
    "Part Lost": (30,),
    "We're Not Done Yet": (19,),
    "Winning And Losing The Game": (21,),
}

RULINGS: Mapping[str, str] = {f"MS-R{n}": section for section, numbers in _READ.items() for n in numbers}
"""Under which heading the question lies that a ruling answers."""


def section_of(rule: str) -> str:
    """Return the heading that a rule stands under: its own, or that of the ruling; the rule if unknown."""
    return RULINGS.get(rule, rule)
