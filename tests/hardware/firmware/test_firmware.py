"""The firmware on CPython, MicroPython and C++, speaking to the host as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.ports import BoardTurn, DeviceState
from hardware.dice.rolls import Rolls
from hardware.line_protocol import format_line, parse_line
from hardware.line_stream import LineSplitter, LineWriter
from hardware.messages import Answer, DieStatus, Hello, HostVerb, Line, Order, RotorStatus, Turned
from hardware.simulated.die_motion import thrown
from hardware.turntables.serial_rotor import open_board_sensor
from hardware.turntables.turns import Turns
from tests.hardware.firmware.boards import (
    FIRMWARE,
    Board,
    compiled,
    on_cpython,
    on_micropython,
)
from tests.hardware.promises import is_standing
from tests.hardware.stand_ins import Desk, everything

VECTORS = [line for line in (FIRMWARE / "vectors.txt").read_text().splitlines() if line.startswith("$")]
BOOT = 0x9C21
DIE, ROTOR = "D-7F3A1C", "R-02B4E9"
ANGLES = {0: "0", 1: "900", 2: "1800", 3: "2700"}
SWITCHES = {0: "0001", 1: "0010", 2: "0100", 3: "1000"}
PYTHONS = {"CPython": on_cpython, "MicroPython": on_micropython}


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("firmware"))


@pytest.fixture(params=PYTHONS)
def die(request: pytest.FixtureRequest):
    board = PYTHONS[request.param](DIE, BOOT)
    yield board
    board.close()


@pytest.fixture(params=[*PYTHONS, "C++"])
def rotor(request: pytest.FixtureRequest):
    """A turning board, how it feels a quarter, and how it feels nothing."""
    if request.param == "C++":
        program = request.getfixturevalue("program")
        board, quarters, between = Board([str(program), ROTOR, str(BOOT)]), SWITCHES, "0000"
    else:
        board, quarters, between = PYTHONS[request.param](ROTOR, BOOT), ANGLES, "450"
    yield board, quarters, between
    board.close()


def heard(splitter: LineSplitter, said: bytes) -> list[Line]:
    lines = splitter.feed(said)
    assert not splitter.flaws, splitter.last_rejected
    return lines


def rested(board: Board, reads: str, ms: int, came: bytes = b"") -> list[Line]:
    """Let time pass and return what was said meanwhile."""
    splitter = LineSplitter()
    lines = heard(splitter, board.step(reads, came))
    for _ in range(ms // 20):
        lines += heard(splitter, board.step(reads, passing_ms=20))
    return lines


def order(device: str, verb: HostVerb, *fields: str) -> bytes:
    return LineWriter("4A70").write(device, Order(verb, fields), uptime_ms=0)


def messages(lines: list[Line], kind: type) -> list:
    return [line.message for line in lines if isinstance(line.message, kind)]


@pytest.mark.parametrize("vector", VECTORS)
def test_the_host_reads_and_writes_the_lines_that_every_end_shares(vector: str):
    line = parse_line(f"{vector}\n".encode())
    assert isinstance(line, Line)
    assert format_line(line) == f"{vector}\n".encode()


def test_the_c_library_frames_the_shared_lines_and_refuses_one_too_long(program: Path):
    board = Board([str(program), "crc"])
    for vector in VECTORS:
        assert board.ask(vector[1:-5]) == vector
    assert board.ask("x" * 113) != "too long" and board.ask("x" * 114) == "too long"
    board.close()


def test_a_die_says_who_it_is_at_once_and_every_ten_seconds_until_somebody_listens(die: Board):
    lines = rested(die, "-", 25_000)
    assert len(messages(lines, Hello)) == 3
    assert [line.seq for line in lines] == list(range(len(lines)))
    assert {line.boot for line in lines} == {"9C21"}
    lines = rested(die, "-", 25_000, order("*", HostVerb.WHO))
    assert len(messages(lines, Hello)) == 1
    assert 24 <= len(messages(lines, DieStatus)) <= 26


def test_a_rotor_says_who_it_is_and_how_it_stands(rotor):
    board, quarters, _ = rotor
    lines = rested(board, quarters[2], 3000)
    (hello,) = messages(lines, Hello)
    assert (hello.kind, hello.positions) == ("rotor", 4)
    assert messages(lines, RotorStatus)[-1].quarter == 2


def test_a_rotor_tells_each_turn_three_times_and_its_way_in_every_heartbeat(rotor):
    board, quarters, between = rotor
    turns, told = Turns("centre"), []
    path = [(quarters[0], 1000)]
    for quarter in (1, 2, 1, 0, 3):
        path += [(between if quarter != 3 else ("3150" if between == "450" else "0000"), 60)]
        path += [(quarters[quarter], 1600)]
    said = [line for reads, ms in path for line in rested(board, reads, ms)]
    for at_ms, line in enumerate(said):
        if (turn := turns.hear(line, at_ms)) is not None:
            told.append(turn.delta)
    assert told == [1, 1, -1, -1, -1]
    assert [turned.turn for turned in messages(said, Turned)] == sorted([1, 2, 3, 4, 5] * 3)
    assert messages(said, RotorStatus)[-1].net_quarters == -1


def test_a_rotor_that_comes_back_has_not_turned_and_one_between_says_so(rotor):
    board, quarters, between = rotor
    rested(board, quarters[0], 1000)
    rested(board, between, 500)
    assert not messages(rested(board, quarters[0], 1500), Turned)
    assert messages(rested(board, between, 4000), RotorStatus)[-1].state == "X"


def test_24_what_a_modem_manager_says_is_ignored_and_so_is_all_that_is_no_order(rotor):
    board, quarters, _ = rotor
    rested(board, quarters[0], 1000)
    noise = b"AT\r\nATZ\r\n~~\0\xff\x03\x04" + b"x" * 500 + b"\n$1,*,4A70,3,0,WHO*EF49\n$$$\n*\n,,,,,,\n"
    lines = rested(board, quarters[0], 500, noise + order("R-FFFF", HostVerb.ZERO))
    assert not messages(lines, Hello) and not messages(lines, Answer)
    assert messages(rested(board, quarters[0], 500, b"\n" + order("*", HostVerb.WHO)), Hello)


def test_orders_are_done_and_answered_and_senseless_ones_refused(rotor):
    board, quarters, _ = rotor
    rested(board, quarters[0], 1000)
    for fields, is_done in ((("hb=200", "later=1"), True), (("hb=10",), False), (("settle=x",), False)):
        (answer,) = messages(rested(board, quarters[0], 50, order(ROTOR, HostVerb.CFG, *fields)), Answer)
        assert (answer.seq, answer.is_ok) == (0, is_done)
    assert 9 <= len(messages(rested(board, quarters[0], 2000), RotorStatus)) <= 11
    assert messages(rested(board, quarters[0], 50, order(ROTOR, HostVerb.PING)), Answer)[0].is_ok


def test_a_thrown_die_is_a_roll_on_the_host_with_its_start(die: Board):
    scene = thrown("firmware", throws=2)
    rolls, told = Rolls("green"), []
    splitter = LineSplitter()
    for felt in scene.felt:
        spin = sum(each**2 for each in felt.spin_dps) ** 0.5
        reads = ",".join(f"{each:.4f}" for each in (*felt.force_g, spin))
        for line in heard(splitter, die.step(reads)):
            roll = rolls.hear(line, die.now_ms)
            told += [] if roll is None else [roll]
    assert tuple(roll.face for roll in told) == scene.thrown
    assert all(roll.started_ms is not None and roll.started_ms < roll.at_ms for roll in told)


def test_a_rotor_is_found_by_the_unchanged_host_on_a_real_terminal_and_its_turn_heard(rotor, tmp_path):
    board, quarters, between = rotor
    desk = Desk(tmp_path)
    cable = desk.plug_in()
    sensor = open_board_sensor("centre", {"port": desk.port()})
    reads = quarters[0]

    class Firmware:
        """Passes bytes between the terminal and the board."""

        def serve(self) -> None:
            for _ in range(5):
                said = board.step(reads, cable.received())
                if said:
                    cable.write(said)

    try:
        everything(sensor, Firmware(), until=lambda said: getattr(said, "quarter", None) == 0)
        reads = between
        everything(sensor, Firmware(), until=is_standing(DeviceState.LIVE, "turning"))
        reads = quarters[1]
        turn = everything(sensor, Firmware(), until=lambda said: isinstance(said, BoardTurn))[-1]
        assert (turn.from_quarter, turn.to_quarter, turn.delta) == (0, 1, 1)
    finally:
        sensor.close()
        desk.close()


def test_all_firmware_carries_one_version():
    texts = {
        "tlp.py": (FIRMWARE / "micropython/tlp.py").read_text(),
        "TableLine.h": (FIRMWARE / "arduino/TableLine/src/TableLine.h").read_text(),
        "library.properties": (FIRMWARE / "arduino/TableLine/library.properties").read_text(),
    }
    found = {name: re.search(r"(?:FIRMWARE = |kFirmware = |^version=)\"?([0-9.]+)", text, re.MULTILINE)
             for name, text in texts.items()}  # fmt: skip
    assert len({match.group(1) if match else name for name, match in found.items()}) == 1
