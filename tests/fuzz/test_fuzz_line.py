"""What the fuzzer asks of the serial line is asked here of its seeds, cut and crossed, the same each time."""

from random import Random

import pytest

from hardware.line_protocol import parse_line
from tests.fuzz.line import SEEDS, hear


@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
def test_no_damage_to_a_good_line_raises_or_is_taken_for_another_message(seed):
    chance = Random(9)
    others = list(SEEDS.values())
    for _ in range(120):
        wire = bytearray(seed + chance.choice(others)[chance.randrange(2) :])
        for _ in range(chance.randrange(4)):
            wire[chance.randrange(1, len(wire))] = chance.randrange(256)
        hear(bytes(wire))


def test_a_message_that_stands_nowhere_in_the_wire_is_a_false_one(monkeypatch):
    ghost = parse_line(b"$1,D-7F3A1C,9C21,9,9480,ROLL,4,2,98,1360*2E3E")
    monkeypatch.setattr("hardware.line_stream.parse_line", lambda raw, positions: ghost)
    with pytest.raises(AssertionError):
        hear(b"\0hello\n")
