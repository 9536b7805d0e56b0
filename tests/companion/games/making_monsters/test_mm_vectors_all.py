"""No vector is forgotten: every id of the list is a case of ours or is said to come later."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[3] / "../shared/rules/rules.md"
LATER = {*(f"MM-{number}" for number in range(60, 74)), "MM-77"}
"""Effects of upgrade tiles."""


def test_every_vector_is_a_case_or_comes_later() -> None:
    listed = set(re.findall(r"^\| (MM-\d\d) ", RULES.read_text(), re.MULTILINE))
    sources = "".join(source.read_text() for source in HERE.glob("test_mm_*.py"))
    cases = {f"MM-{number}" for number in re.findall(r"^def mm_(\d\d)_", sources, re.MULTILINE)} | {"MM-94"}
    assert len(listed) == 97
    assert listed - cases == LATER
    assert cases <= listed
