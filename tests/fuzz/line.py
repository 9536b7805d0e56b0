"""What must hold for any bytes that come over a serial line: one function for fuzzer and suite.

The first byte chooses: even, the rest is the wire as it is; odd, each line of the rest is signed with
a checksum first, so that a fuzzer need not guess one. Raises AssertionError for a false message.
"""

from __future__ import annotations

from hardware.dice.rolls import Rolls
from hardware.line_protocol import LINE_MAX_BYTES, RUN_MAX_BYTES, format_line, parse_line
from hardware.line_stream import CHATTER_LINES, LineOrder, LineSplitter
from hardware.messages import Line, Turned
from hardware.turntables.turns import Turns

SEEDS = {
    "raw": b"\0$1,D-7F3A1C,9C21,0,142,HELLO,kind=die,fw=0.3.1,hw=pico-imu1,proto=1,faces=6,hb=1000*F5AB\n",
    "die": b"\x011,D-7F3A1C,9C21,1,1142,ST,F,0,0,5,97,84\n1,D-7F3A1C,9C21,9,9480,ROLL,4,2,98,1360\n",
    "rotor": b"\x011,R-02B4E9,51D0,3,3090,ST,L,1,898,5,1,1\n1,R-02B4E9,51D0,8,6020,TURN,6,1,2,1,1610\n",
    "host": b"\x011,*,4A70,3,0,WHO\n1,D-7F3A1C,4A70,4,0,CFG,hb=500\n1,D-7F3A1C,9C21,15,13160,ACK,4,OK\n",
    "rest": b"\x011,D-7F3A1C,9C21,2,9,LOG,i,well\n1,D-7F3A1C,9C21,3,9,BYE,sleep\n1,D-7F3A1C,9C21,4,9,NEW\n",
}


def hear(given: bytes) -> None:
    """Take in a wire whole and in pieces, and doubt every message that comes of it."""
    wire = given[1:] if given[:1] < b"\1" or given[0] % 2 == 0 else _signed(given[1:])
    whole, pieces = LineSplitter(), LineSplitter()
    lines = whole.feed(wire)
    size = 1 + len(wire) % 23
    chunks = (wire[at : at + size] for at in range(0, len(wire), size))
    assert [line for chunk in chunks for line in pieces.feed(chunk)] == lines
    assert pieces.flaws == whole.flaws
    assert whole.held_bytes <= RUN_MAX_BYTES and len(whole.chatter) <= CHATTER_LINES
    for line in lines:
        _doubt(line, wire)
    _told(lines)


def _told(lines: list[Line]) -> None:
    order, rolls, turns = LineOrder(), Rolls("die"), Turns("rotor")
    seen = set()
    for at_ms, line in enumerate(lines):
        order.place(line)
        roll, turn = rolls.hear(line, at_ms), turns.hear(line, at_ms)
        if roll is not None:
            assert (roll.boot, roll.roll) not in seen and 1 <= roll.face <= 120
            seen.add((roll.boot, roll.roll))
        if turn is not None:
            assert turn.delta and (turn.from_quarter + turn.delta - turn.to_quarter) % 4 == 0


def _doubt(line: Line, wire: bytes) -> None:
    """A message must stand in the wire, signed, in so many bytes; written anew it reads the same."""
    raw = format_line(line) if _is_canonical(line) else None
    if raw is not None:
        assert parse_line(raw, positions=4 if isinstance(line.message, Turned) else 120) == line
    head = b"$1,%s,%s," % (line.device.encode(), line.boot.encode())
    stands = [at for at in _places(wire, head) if _is_signed(wire[at:].split(b"\n", 1)[0])]
    assert stands, line


def _is_canonical(line: Line) -> bool:
    """Lines may carry more fields than this version knows; what it writes it must read."""
    try:
        format_line(line)
    except ValueError:
        return False
    return True


def _places(wire: bytes, head: bytes) -> list[int]:
    places, at = [], wire.find(head)
    while at >= 0:
        places.append(at)
        at = wire.find(head, at + 1)
    return places


def _is_signed(text: bytes) -> bool:
    text = text.rpartition(b"$")[2].removesuffix(b"\r")
    body, star, said = text[:-5], text[-5:-4], text[-4:]
    return len(text) + 2 <= LINE_MAX_BYTES and star == b"*" and said == b"%04X" % _crc(body)


def _crc(body: bytes) -> int:
    """CRC-16/CCITT-FALSE bit by bit, as the standard has it: not the way of the module under test."""
    crc = 0xFFFF
    for byte in body:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _signed(text: bytes) -> bytes:
    return b"".join(b"$%s*%04X\n" % (body, _crc(body)) for body in text.split(b"\n"))
