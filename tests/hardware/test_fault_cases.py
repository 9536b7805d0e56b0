"""Each of the 32 fault cases that a table must survive has a test that carries its number."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
NAMED = re.compile(r"^def test((?:_\d+)+)_[a-z]", re.MULTILINE)


def test_every_fault_case_has_a_test_of_its_own():
    files = [*TESTS.glob("hardware/**/test_*.py"), TESTS / "companion/table/test_missing.py"]
    found = NAMED.findall("\n".join(file.read_text(encoding="utf-8") for file in files))
    assert {int(number) for numbers in found for number in numbers.split("_") if number} >= set(range(1, 33))
