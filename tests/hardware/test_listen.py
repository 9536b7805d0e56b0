"""The command ``companion listen``."""

import json
import threading

import pytest
from click.testing import CliRunner

from hardware.commands import in_words, listen
from hardware.line_protocol import parse_line
from hardware.messages import DieState, Remark
from tests.hardware.stand_ins import Desk, StandIn, pause
from tests.hardware.test_line_protocol import VECTORS


class TalkingDie:
    """A die on a pseudo-terminal that answers from a thread of its own."""

    def __init__(self, desk, *, says):
        self.die = StandIn("D-7F3A1C").on(desk.plug_in())
        self._says, self._ends = says, threading.Event()
        self._thread = threading.Thread(target=self._talk)

    def _talk(self):
        has_said = False
        while not self._ends.is_set():
            self.die.serve()
            if self.die.heard and not has_said:
                has_said = True
                self._says(self.die)
            pause(5)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def ran(*words):
    return CliRunner().invoke(listen, words)


def test_a_die_is_told_in_words_one_line_a_change_with_what_to_do_next(desk):
    def says(die):
        die.beat()
        die.beat()
        die.roll(4)

    with TalkingDie(desk, says=says):
        result = ran(desk.port(), "--seconds", "1.5")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        f"live: D-7F3A1C on {desk.port()}",
        "D-7F3A1C  die with 6 faces",
        "D-7F3A1C  lies flat, 5 up; battery 84 %",
        "D-7F3A1C  rolls; battery 84 %",
        "D-7F3A1C  comes to rest; battery 84 %",
        "D-7F3A1C  roll 1: 4",
        "D-7F3A1C  lies flat, 4 up; last roll 1 was 4; battery 84 %",
    ]
    assert result.stderr.endswith(
        'Next: [[dice]] with driver = "serial" and id = "D-7F3A1C" in the settings.\n'
    )


def test_with_json_every_line_is_an_object(desk):
    with TalkingDie(desk, says=lambda die: die.become(DieState.ROLLING)):
        result = ran(desk.port(), "--json", "--seconds", "1")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert told[0]["state"] == "live"
    assert told[-1]["says"] == "DieStatus" and told[-1]["state"] == "R"


def test_a_port_that_is_not_there_is_one_clear_sentence_and_exit_1(tmp_path):
    result = ran(str(tmp_path / "ttyACM7"))
    assert result.exit_code == 1
    assert f"There is no port {tmp_path}/ttyACM7. Plug the device in" in result.stderr


def test_a_silent_port_says_what_to_check(desk):
    desk.plug_in()
    result = ran(desk.port(), "--seconds", "0.1")
    assert result.exit_code == 1
    assert "No die and no rotor spoke" in result.stderr and "Check the cable" in result.stderr


def test_text_that_is_not_the_protocol_is_shown_so_that_one_sees_what_speaks(desk):
    def says(die):
        die.cable.write(b"Marlin 1.1.9 echo: start\n")

    with TalkingDie(desk, says=says) as talking:
        talking.die.is_mute = True
        result = ran(desk.port(), "--seconds", "1", "--die")
    assert 'There is other text, such as "Marlin 1.1.9' in result.stderr


def test_an_unknown_option_is_misuse():
    assert ran("--loud").exit_code == 2


@pytest.mark.parametrize("name", [name for name in VECTORS if name not in ("who", "config", "ack")])
def test_every_message_of_a_device_has_words(name):
    line = parse_line(VECTORS[name][0])
    assert in_words(line)


def test_a_remark_is_told_as_it_was_written(desk):
    with TalkingDie(desk, says=lambda die: die.say(Remark("warn", "gyro, again"))):
        result = ran(desk.port(), "--seconds", "1")
    assert "D-7F3A1C  remarks (warn): gyro, again" in result.stdout
