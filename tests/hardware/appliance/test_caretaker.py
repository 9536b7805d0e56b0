"""The caretaker is root: what it does for whom, and what it does for nobody."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.caretaker import CaretakerRefused, Word, ask, is_there
from hardware.appliance import caretaker
from hardware.appliance.caretaker import LONGEST, WORDS, Caretaker, Refused
from tests.hardware.appliance.caretaker_door import ME, Errands, at_the_door


def tell(said: bytes, errands: Errands, *, trusted: Sequence[int] = (ME,)) -> bytes:
    """Say something to a caretaker over a real socket and return its answer."""
    mine, its = socket.socketpair()
    with mine, its:
        mine.sendall(said)
        mine.shutdown(socket.SHUT_WR)
        Caretaker(trusted, errands).serve(its)
        its.close()
        return mine.recv(4096)


def test_service_and_caretaker_know_the_same_words():
    assert {word.encode() for word in Word} == set(WORDS)


def test_every_command_is_fixed_and_named_in_full():
    for commands in WORDS.values():
        for command in commands:
            assert Path(command[0]).parent == Path("/usr/bin")


def test_a_word_is_done_to_the_letter():
    errands = Errands()
    assert tell(b"power-off\n", errands) == b"done\n"
    assert errands.run == [("/usr/bin/systemctl", "--no-block", "--no-ask-password", "poweroff")]


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\n",
        b"power-off",
        b"power-off \n",
        b" power-off\n",
        b"POWER-OFF\n",
        b"power-off\r\n",
        b"power-off\nreboot\n",
        b"power-off; reboot\n",
        b"power-off\0\n",
        b"update --from http://elsewhere/x.whl\n",
        b"wifi-on $(reboot)\n",
        b"../../bin/sh\n",
        b"--when-alone\n",
        b"\xff\xfe\n",
        b"x" * 100_000,
    ],
)
def test_nothing_but_the_words_is_understood(said: bytes):
    errands = Errands()
    assert tell(said, errands).startswith(b"refused: ")
    assert errands.run == []


@given(st.binary(max_size=2 * LONGEST))
def test_whatever_is_said_no_command_is_made_of_it(said: bytes):
    errands = Errands()
    tell(said, errands)
    known = [command for commands in WORDS.values() for command in commands]
    assert all(command in known for command in errands.run)
    assert errands.run == [] or said.rstrip(b"\n") in WORDS


def test_for_who_is_not_trusted_nothing_is_done():
    errands = Errands()
    assert tell(b"power-off\n", errands, trusted=()) == b"refused: the caretaker does not know you\n"
    assert errands.run == []


@pytest.mark.skipif(ME != 0, reason="only root may become somebody else")
def test_the_kernel_says_who_calls_not_the_caller():
    """A stranger at a door that was left open: an abstract one, which has no file that would shut him out."""
    errands = Errands()
    with at_the_door(f"\0companion-test-{os.getpid()}", errands) as door:
        said = subprocess.run(
            [sys.executable, "-c", STRANGER, door[1:]], capture_output=True, check=True, timeout=60
        )
    assert said.stdout == b"refused: the caretaker does not know you\n"
    assert errands.run == []


STRANGER = """
import os, socket, sys
os.setgid(65534)
os.setuid(65534)
door = socket.socket(socket.AF_UNIX)
door.connect("\\0" + sys.argv[1])
door.sendall(b"reboot\\n")
sys.stdout.buffer.write(door.recv(99))
"""


def test_who_says_nothing_is_not_waited_for():
    mine, its = socket.socketpair()
    with mine, its:
        Caretaker({ME}, Errands(), listens_s=0.05).serve(its)
        assert mine.recv(4096) == b"refused: nothing was said in time\n"


def test_who_leaves_before_the_answer_harms_nobody():
    mine, its = socket.socketpair()
    with its:
        mine.sendall(b"greet\n")
        mine.close()
        assert Caretaker({ME}, Errands()).serve(its)


def test_what_cannot_be_done_is_told(tmp_path: Path):
    refusing = at_the_door(str(tmp_path / "door"), Errands("no Wi-Fi device found"))
    with refusing as door, pytest.raises(CaretakerRefused, match="no Wi-Fi device found"):
        ask(Word.WIFI_OFF, door=Path(door))


def test_the_service_asks_by_the_door(tmp_path: Path):
    errands = Errands()
    assert not is_there(tmp_path / "door")
    with at_the_door(str(tmp_path / "door"), errands) as door:
        assert is_there(Path(door))
        ask(Word.GREET, door=Path(door))
        with ThreadPoolExecutor(8) as callers:
            list(callers.map(lambda _: ask(Word.REBOOT, door=Path(door)), range(8)))
    assert errands.run == [*WORDS[b"reboot"]] * 8


def test_without_a_caretaker_the_service_is_told_so(tmp_path: Path):
    with pytest.raises(CaretakerRefused, match="cannot be reached"):
        ask(Word.REBOOT, door=tmp_path / "nobody")


def test_a_command_that_is_not_installed_is_said_in_words():
    with pytest.raises(Refused, match="is not installed"):
        caretaker.run(["/usr/bin/no-such-program"])


def test_a_command_that_fails_says_why_in_its_own_words():
    with pytest.raises(Refused, match="No such file"):
        caretaker.run(["/usr/bin/cat", "/nowhere"])


def test_by_hand_it_says_what_it_is_for():
    told = subprocess.run(
        [sys.executable, "-I", "-c", _BY_HAND], capture_output=True, text=True, check=False, timeout=60
    )
    assert told.returncode == 2
    assert "systemd starts the caretaker" in told.stderr


_BY_HAND = f"""
import sys
sys.path.insert(0, {str(Path(caretaker.__file__).parents[2])!r})
from hardware.appliance import caretaker
caretaker.USER = "root"
sys.exit(caretaker.main([]))
"""


def test_root_brings_nothing_but_the_standard_library():
    """What runs as root reads no code that is not its own or Python's."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import hardware.appliance.caretaker; "
        "print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, Path(caretaker.__file__).parents[2]],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert set(told.stdout.split()) <= {"hardware", "__main__"}
