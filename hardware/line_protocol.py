"""TLP/1, the Table Line Protocol: one line a message, the same for die, rotor and host.

Pure: bytes in, messages out, and back. Both ends use it, the companion and the simulated
devices. Imports the standard library only. A line is ``$body*crc`` with a newline, at most
120 bytes of printable ASCII; the checksum is CRC-16/CCITT-FALSE of the body.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from typing import TypeVar, assert_never

from hardware.messages import (
    Answer,
    DeviceKind,
    DieState,
    DieStatus,
    Farewell,
    Flaw,
    Hello,
    HostVerb,
    Line,
    Magnet,
    Message,
    Order,
    Rejected,
    Remark,
    Rolled,
    RotorState,
    RotorStatus,
    Strange,
    Turned,
)

VERSION = 1
LINE_MAX_BYTES = 120  # with "$" and newline
RUN_MAX_BYTES = 160  # a longer run without newline is dropped, and counted
SEQ_RANGE = 1 << 16
MS_RANGE = 1 << 32
COUNT_MAX = (1 << 32) - 1  # rolls and turns of one boot
EVERYONE = "*"
SPEEDS_BAUD = (115200, 9600, 57600, 38400, 19200, 230400)  # in the order to try them

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,9})", re.ASCII)
_DEVICE = re.compile(r"[DR]-[0-9A-Fa-f]{4,12}", re.ASCII)
_BOOT = re.compile(r"[0-9A-Fa-f]{4}", re.ASCII)
_CRC = re.compile(r"[0-9A-F]{4}", re.ASCII)
_TYPE = re.compile(r"[A-Z][A-Z0-9]*", re.ASCII)
_BODY = re.compile(rb"[\x20-\x7e]+")
_TEXT = re.compile(r"[\x20-\x23\x25-\x29\x2b-\x7e]*", re.ASCII)  # printable, without "$" and "*"


class _Unfit(Exception):
    def __init__(self, detail: str, flaw: Flaw = Flaw.BAD_FIELD) -> None:
        super().__init__(detail)
        self.rejected = Rejected(flaw, detail)


def crc16(body: bytes) -> int:
    """Return CRC-16/CCITT-FALSE (check value 0x29B1), as MicroPython and C devices compute it."""
    return binascii.crc_hqx(body, 0xFFFF)


def parse_line(raw: bytes, *, positions: int | None = None) -> Line | Rejected:
    """Read one line, with or without its newline; what stands before the last ``$`` is dropped.

    ``positions`` is what the device's HELLO said (faces, quarters); None: 6 and 4. Never raises.
    """
    try:
        return _line(_body(raw), positions)
    except _Unfit as unfit:
        return unfit.rejected


def _body(raw: bytes) -> str:
    _, start, text = raw.rstrip(b"\n").rpartition(b"$")
    if not start:
        raise _Unfit("no $ in the line", Flaw.NO_START)
    text = text.removesuffix(b"\r")
    if len(text) + 2 > LINE_MAX_BYTES:
        raise _Unfit(f"{len(text) + 2} bytes, at most {LINE_MAX_BYTES}", Flaw.TOO_LONG)
    body, star, crc = text[:-5], text[-5:-4], text[-4:].decode("ascii", "replace")
    if star != b"*" or not _CRC.fullmatch(crc):
        raise _Unfit("the line does not end in * and four upper-case hex digits", Flaw.NO_CHECKSUM)
    if int(crc, 16) != crc16(body):
        raise _Unfit(f"checksum {crc}, computed {crc16(body):04X}", Flaw.WRONG_CHECKSUM)
    if not _BODY.fullmatch(body):
        raise _Unfit("bytes outside printable ASCII", Flaw.BAD_BYTE)
    return body.decode("ascii")


def _line(body: str, positions: int | None) -> Line:
    version, *parts = body.split(",")
    if _whole(version, "version", 1, COUNT_MAX) > VERSION:
        raise _Unfit(f"version {version} of the protocol, known is {VERSION}", Flaw.NEWER_VERSION)
    if len(parts) < 5:
        raise _Unfit(f"{len(parts) + 1} fields, at least 6")
    device, boot, seq, ms, kind, *fields = parts
    if not (device == EVERYONE or _DEVICE.fullmatch(device)):
        raise _Unfit(f"device {device!r}, wanted D- or R- and 4 to 12 hex digits")
    if not _BOOT.fullmatch(boot) or boot == "0000":
        raise _Unfit(f"boot {boot!r}, wanted 4 hex digits, not 0000")
    if not _TYPE.fullmatch(kind) or not all(map(_TEXT.fullmatch, fields)):
        raise _Unfit(f"type or text with signs that do not belong there: {kind!r}")
    message = _message(device, kind, fields, positions)
    seq_read = _whole(seq, "seq", 0, SEQ_RANGE - 1)
    return Line(device, boot, seq_read, _whole(ms, "ms", 0, MS_RANGE - 1), message)


def _message(device: str, kind: str, fields: Sequence[str], positions: int | None) -> Message:
    if kind in HostVerb.__members__:
        return Order(HostVerb(kind), tuple(fields))
    if device == EVERYONE:
        raise _Unfit(f"{kind} to everyone; only the host may say *")
    message: Message
    match (kind, device[0]):
        case ("HELLO", which):
            message = _hello(fields, DeviceKind.DIE if which == "D" else DeviceKind.ROTOR)
        case ("ST", "D"):
            message = _die_status(fields, positions or 6)
        case ("ST", "R"):
            message = _rotor_status(fields, positions or 4)
        case ("ROLL", "D"):
            message = _rolled(fields, positions or 6)
        case ("TURN", "R"):
            message = _turned(fields, positions or 4)
        case ("ROLL" | "TURN", _):
            raise _Unfit(f"{kind} from {device}")
        case ("ACK", _):
            seq, answer = _first(fields, 2)
            is_ok = _one_of(answer, "answer", ("OK", "ERR")) == "OK"
            message = Answer(_whole(seq, "seq", 0, SEQ_RANGE - 1), is_ok, ",".join(fields[2:]))
        case ("LOG", _):
            message = Remark(_first(fields, 1)[0], ",".join(fields[1:]))
        case ("BYE", _):
            message = Farewell(_first(fields, 1)[0])
        case _:
            message = Strange(kind, tuple(fields))
    return message


def _rolled(fields: Sequence[str], faces: int) -> Rolled:
    roll, face, confidence, took_ms = _first(fields, 4)
    return Rolled(
        _whole(roll, "roll", 1, COUNT_MAX),
        _whole(face, "face", 1, faces),
        _whole(confidence, "conf", 0, 100),
        _whole(took_ms, "ms", 0, MS_RANGE - 1),
    )


def _hello(fields: Sequence[str], kind: DeviceKind) -> Hello:
    said = dict(field.split("=", 1) for field in fields if "=" in field)
    proto = _whole(said.get("proto", ""), "proto", 1, COUNT_MAX)
    if proto > VERSION:
        raise _Unfit(f"protocol {proto}, known is {VERSION}; update the companion", Flaw.NEWER_VERSION)
    if said.get("kind") not in tuple(DeviceKind):
        raise _Unfit(f"a device of kind {said.get('kind', '')!r}", Flaw.UNKNOWN_KIND)
    if said["kind"] != kind:
        raise _Unfit(f"kind {said['kind']} in a HELLO of a {kind}")
    places = "faces" if kind is DeviceKind.DIE else "pos"
    return Hello(
        kind,
        _whole(said.get(places, ""), places, 2, 120),
        _whole(said.get("hb", "1000"), "hb", 50, 60_000),
        firmware=said.get("fw", ""),
        hardware=said.get("hw", ""),
        name=said.get("name", ""),
        battery_percent=_whole_or_none(said.get("bat", "-"), "bat", 0, 100),
    )


def _die_status(fields: Sequence[str], faces: int) -> DieStatus:
    state, roll, face, up, confidence, battery = _first(fields, 6)
    status = DieStatus(
        DieState(_one_of(state, "state", tuple(DieState))),
        _whole(roll, "roll", 0, COUNT_MAX),
        _whole(face, "face", 0, faces),
        _whole(up, "up", 0, faces),
        _whole(confidence, "conf", 0, 100),
        _whole_or_none(battery, "bat", 0, 100),
    )
    if (status.roll == 0) != (status.face == 0):
        raise _Unfit(f"roll {status.roll} with face {status.face}")
    return status


def _rotor_status(fields: Sequence[str], quarters: int) -> RotorStatus:
    state, quarter, angle, turn, net, magnet = _first(fields, 6)
    return RotorStatus(
        RotorState(_one_of(state, "state", tuple(RotorState))),
        _whole_or_none(quarter, "pos", 0, quarters - 1),
        _whole_or_none(angle, "angle10", 0, 3599),
        _whole(turn, "turn", 0, COUNT_MAX),
        _whole(net, "net", -COUNT_MAX, COUNT_MAX),
        Magnet(_whole(magnet, "mag", 0, 2)),
    )


def _turned(fields: Sequence[str], quarters: int) -> Turned:
    turn, start, end, delta, took_ms = _first(fields, 5)
    turned = Turned(
        _whole(turn, "turn", 1, COUNT_MAX),
        _whole(start, "from", 0, quarters - 1),
        _whole(end, "to", 0, quarters - 1),
        _whole(delta, "delta", -COUNT_MAX, COUNT_MAX),
        _whole(took_ms, "ms", 0, MS_RANGE - 1),
    )
    if turned.delta == 0 or (turned.from_quarter + turned.delta - turned.to_quarter) % quarters:
        raise _Unfit(f"delta {delta} does not lead from {start} to {end}")
    return turned


def _first(fields: Sequence[str], count: int) -> Sequence[str]:
    if len(fields) < count:
        raise _Unfit(f"{len(fields)} fields after the type, at least {count}")
    return fields[:count]


def _whole(text: str, what: str, least: int, most: int) -> int:
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise _Unfit(f"{what} {text!r}, wanted {least} to {most}")
    return int(text)


def _whole_or_none(text: str, what: str, least: int, most: int) -> int | None:
    return None if text == "-" else _whole(text, what, least, most)


_Name = TypeVar("_Name", bound=str)


def _one_of(text: str, what: str, names: Sequence[_Name]) -> _Name:
    for name in names:
        if text == name:
            return name
    raise _Unfit(f"{what} {text!r}, wanted one of {' '.join(names)}")


def format_line(line: Line) -> bytes:
    """Write a line with its newline. Raises ValueError for what the protocol cannot carry."""
    kind, fields = _words(line.message)
    body = ",".join((str(VERSION), line.device, line.boot, str(line.seq), str(line.ms), kind, *fields))
    raw = b"$%s*%04X\n" % (body.encode("ascii", "replace"), crc16(body.encode("ascii", "replace")))
    # The sender knows how many faces it has; quarters of a turn must add up, and are four.
    positions = None if isinstance(line.message, Turned) else 120
    read = parse_line(raw, positions=positions)
    if read != line:
        why = read.detail if isinstance(read, Rejected) else f"it would be read as {read}"
        raise ValueError(f"{line} cannot be sent as a line of TLP/{VERSION}: {why}.")
    return raw


def _or_dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def _words(message: Message) -> tuple[str, Sequence[str]]:
    words: tuple[str, Sequence[str]]
    match message:
        case Hello():
            words = "HELLO", _hello_words(message)
        case DieStatus(state, roll, face, up, confidence, battery):
            words = "ST", (state, str(roll), str(face), str(up), str(confidence), _or_dash(battery))
        case RotorStatus(place, quarter, angle, turn, net, magnet):
            words = "ST", (place, _or_dash(quarter), _or_dash(angle), str(turn), str(net), str(int(magnet)))
        case Rolled(roll, face, confidence, took_ms):
            words = "ROLL", tuple(map(str, (roll, face, confidence, took_ms)))
        case Turned(turn, start, end, delta, took_ms):
            words = "TURN", tuple(map(str, (turn, start, end, delta, took_ms)))
        case Answer(seq, is_ok, text):
            words = "ACK", (str(seq), "OK" if is_ok else "ERR", *([text] if text else []))
        case Remark(level, text):
            words = "LOG", (level, text) if text else (level,)
        case Farewell(reason):
            words = "BYE", (reason,)
        case Order(kind, fields) | Strange(kind, fields):
            words = kind, fields
        case _:
            assert_never(message)
    return words


def _hello_words(hello: Hello) -> Sequence[str]:
    said = {"kind": hello.kind, "fw": hello.firmware, "hw": hello.hardware, "proto": str(VERSION)}
    said["faces" if hello.kind is DeviceKind.DIE else "pos"] = str(hello.positions)
    said["hb"] = str(hello.heartbeat_ms)
    said |= {"name": hello.name} if hello.name else {}
    said |= {} if hello.battery_percent is None else {"bat": str(hello.battery_percent)}
    return [f"{key}={value}" for key, value in said.items() if value]
