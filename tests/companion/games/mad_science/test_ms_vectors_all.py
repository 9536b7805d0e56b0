"""No vector is forgotten: every id of the list is a case of ours."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[3] / "../shared/rules/rules.md"


def test_every_vector_is_a_case() -> None:
    listed = set(re.findall(r"^\| (MS-\d\d) ", RULES.read_text(), re.MULTILINE))
    sources = "".join(source.read_text() for source in HERE.glob("test_ms_*.py"))
    cases = {f"MS-{number}" for number in re.findall(r"^def ms_(\d\d)_", sources, re.MULTILINE)}
    assert len(listed) == 56
    assert listed == cases
