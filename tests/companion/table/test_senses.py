"""The senses process, for real: started, killed, stopped in its tracks, and back again.

Its devices are strangers' parts that a folder on the path brings, so every one of them
comes in by entry point, as a driver of somebody else would.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.ports import ButtonPress, DeviceStanding, DeviceState, DieRoll, Lamp, PanelLight, Reading
from companion.settings import Settings, parse
from companion.table.senses import Patience, Senses
from companion.table.senses_messages import Backoff, Heard

PARTS = '''
import os
import time

import numpy as np

from companion.ports import *

now_ms = lambda: time.monotonic_ns() // 1_000_000


class PaintedCamera:
    """Gives one grey frame after another; ``loses_after`` frames it is gone."""

    def __init__(self, name, settings):
        if "url" in settings:
            raise ValueError("A painted camera has no url; take that line out.")
        self.name, self.count, self.loses_after = name, 0, settings.get("loses_after", 10**9)
        self.hangs = settings.get("hangs", False)

    def read(self, *, timeout_ms):
        while self.hangs:
            time.sleep(1)
        time.sleep(0.01)
        self.count += 1
        if self.count > self.loses_after:
            raise DeviceLost("The painted camera fell down; hang it up again.")
        return Frame(np.full((4, 4, 3), 128, np.uint8), self.count, now_ms(), self.name)

    def close(self):
        pass


class TickingDie:
    def __init__(self, name, settings):
        self.name, self.rolls, self.has_stood = name, 0, False

    def read(self, *, timeout_ms):
        if not self.has_stood:
            self.has_stood = True
            return DeviceStanding(self.name, "die", DeviceState.LIVE)
        time.sleep(0.05)
        self.rolls += 1
        return DieRoll(self.name, str(os.getpid()), self.rolls, 1 + self.rolls % 6, now_ms())

    def close(self):
        pass


class EchoPanel:
    """Presses a button whenever it is shown something new."""

    def __init__(self, name, settings):
        self.name, self.pressed = name, []

    def show(self, light):
        self.pressed.append(ButtonPress(f"{light.lamp} {light.waited_for}", Press.NEXT, now_ms()))

    def read(self, *, timeout_ms):
        time.sleep(0.01)
        return self.pressed.pop(0) if self.pressed else None

    def close(self):
        pass


class SteadyWatch:
    """Reads once when the third frame has come, as eyes do that wait until all is still."""

    def __init__(self, camera):
        self.camera, self.count = camera, 0
        if camera == "blind":
            self.standing = lambda: 1 / 0

    def see(self, frame):
        self.count += 1
        if self.count == 3:
            return Reading(self.camera, frame.number, frame.at_ms, {})

    def standing(self):
        state = DeviceState.LIVE if self.count >= 3 else DeviceState.SEARCHING
        return DeviceStanding(self.camera, "eyes", state)


class Recogniser:
    def __init__(self, box_folder):
        self.box = box_folder
        if not box_folder.endswith("attic"):
            raise ValueError("This folder holds no box.")

    def watch(self, camera):
        return SteadyWatch(camera)
'''

ENTRY_POINTS = """
[companion.cameras]
painted = table_strangers:PaintedCamera
[companion.dice]
ticking = table_strangers:TickingDie
[companion.panels]
echo = table_strangers:EchoPanel
[companion.recognisers]
steady = table_strangers:Recogniser
"""

SETTINGS = """
[senses]
recogniser = "steady"
[[cameras]]
name = "ceiling"
driver = "painted"
"""

DIE = """
[[dice]]
name = "bone"
driver = "ticking"
"""

WAIT_S = 30


class Listener:
    """Starts senses and waits for what they say."""

    def __init__(self) -> None:
        self._heard: queue.Queue[Heard] = queue.Queue()
        self._senses: list[Senses] = []

    def start(self, text: str, *, box: str = "attic", patience: Patience | None = None) -> Senses:
        folder = Path(box) if box else None
        senses = Senses(settings(text), on_message=self._heard.put, box_folder=folder, patience=patience)
        self._senses.append(senses)
        return senses

    def wait(self, is_it: Callable[[Heard], bool]) -> Heard:
        until = time.monotonic() + WAIT_S
        while True:
            message = self._heard.get(timeout=max(0.01, until - time.monotonic()))
            if is_it(message):
                return message

    def close(self) -> None:
        for senses in self._senses:
            senses.close()


def lives(pid: int) -> bool:
    """Tell whether a process runs; one that ended and that nobody asked for its status does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def settings(text: str) -> Settings:
    return parse(text, Path("companion.toml"), source=None)


def is_reading(message: Heard) -> bool:
    return isinstance(message, Reading)


def stands(device: str, state: DeviceState, kind: str | None = None) -> Callable[[Heard], bool]:
    def is_it(message: Heard) -> bool:
        return (
            isinstance(message, DeviceStanding)
            and (message.device, message.state) == (device, state)
            and kind in (None, message.kind)
        )

    return is_it


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    parts = tmp_path / "parts"
    dist = parts / "table_strangers-0.1.dist-info"
    dist.mkdir(parents=True)
    (parts / "table_strangers.py").write_text(PARTS)
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: table-strangers\nVersion: 0.1\n")
    (dist / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.setenv("PYTHONPATH", str(parts))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    listener = Listener()
    yield listener
    listener.close()


def test_readings_rolls_and_standings_come_over_the_pipe(listener: Listener):
    listener.start(SETTINGS + DIE)
    listener.wait(stands("senses", DeviceState.LIVE, "eyes"))
    listener.wait(stands("ceiling", DeviceState.LIVE, "eyes"))
    roll = listener.wait(lambda message: isinstance(message, DieRoll))
    assert isinstance(roll, DieRoll)
    assert roll.die == "bone"


def test_times_of_the_senses_compare_with_the_clock_of_the_service(listener: Listener):
    before_ms = time.monotonic_ns() // 1_000_000
    listener.start(SETTINGS)
    reading = listener.wait(is_reading)
    assert isinstance(reading, Reading)
    assert before_ms <= reading.at_ms <= time.monotonic_ns() // 1_000_000


def test_killed_senses_come_back_and_read_the_table_again(listener: Listener):
    senses = listener.start(SETTINGS + DIE)
    listener.wait(is_reading)
    first = senses.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    closed = listener.wait(stands("senses", DeviceState.LOST))
    assert isinstance(closed, DeviceStanding)
    assert closed.detail == "eyes closed, restarting: the process was ended by signal 9"
    listener.wait(stands("bone", DeviceState.SEARCHING, "die"))
    listener.wait(stands("senses", DeviceState.LIVE))
    listener.wait(is_reading)
    assert senses.pid not in (None, first)


def test_senses_that_hang_are_said_to_be_stalled_then_killed_and_started_anew(listener: Listener):
    senses = listener.start(SETTINGS, patience=Patience(stalled_ms=1_000, kill_ms=2_000))
    listener.wait(is_reading)
    first = senses.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    listener.wait(stands("senses", DeviceState.STALE))
    listener.wait(stands("senses", DeviceState.LOST))
    listener.wait(is_reading)
    assert senses.pid != first


def test_a_driver_that_never_comes_back_is_said_and_the_senses_start_anew(listener: Listener):
    senses = listener.start(SETTINGS + "hangs = true\n", patience=Patience(kill_ms=3_000))
    listener.wait(stands("ceiling", DeviceState.STALE, "camera"))
    first = senses.pid
    closed = listener.wait(stands("senses", DeviceState.LOST))
    assert isinstance(closed, DeviceStanding)
    assert closed.detail == "eyes closed, restarting: a driver did not come back"
    listener.wait(stands("senses", DeviceState.LIVE))
    assert senses.pid != first


def test_senses_that_only_paused_are_left_alone(listener: Listener):
    senses = listener.start(SETTINGS, patience=Patience(stalled_ms=1_000))
    listener.wait(is_reading)
    first = senses.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    listener.wait(stands("senses", DeviceState.STALE))
    os.kill(first, signal.SIGCONT)
    listener.wait(stands("senses", DeviceState.LIVE))
    assert senses.pid == first


def test_a_lost_camera_is_opened_again_and_what_it_saw_is_not_said_twice(listener: Listener):
    listener.start(SETTINGS + "loses_after = 5\n")
    listener.wait(is_reading)
    lost = listener.wait(stands("ceiling", DeviceState.LOST, "camera"))
    assert isinstance(lost, DeviceStanding)
    assert lost.detail == "The painted camera fell down; hang it up again."
    seen: list[Heard] = []
    listener.wait(
        lambda message: seen.append(message) or stands("ceiling", DeviceState.LIVE, "camera")(message)
    )
    assert not any(map(is_reading, seen))


def test_eyes_that_stumble_are_said_with_their_fault_and_tried_again(
    listener: Listener, capfd: pytest.CaptureFixture[str]
):
    listener.start(SETTINGS.replace("ceiling", "blind"))
    fault = stands("blind", DeviceState.FAULT, "camera")
    said = listener.wait(fault)
    assert isinstance(said, DeviceStanding)
    assert said.detail == "ZeroDivisionError: division by zero"
    listener.wait(stands("blind", DeviceState.LIVE, "camera"))
    listener.wait(fault)
    assert capfd.readouterr().err.count("Traceback") == 1


def test_look_now_brings_the_last_reading_once_more(listener: Listener):
    senses = listener.start(SETTINGS)
    first = listener.wait(is_reading)
    senses.look_now()
    assert listener.wait(is_reading) == first


@pytest.mark.parametrize(
    ("text", "box", "detail"),
    [
        (SETTINGS, "cellar", "This folder holds no box."),
        (SETTINGS + 'url = "http://x"\n', "attic", "A painted camera has no url; take that line out."),
        (
            SETTINGS.replace("painted", "panted"),
            "attic",
            "There is no camera driver 'panted'. Did you mean painted?",
        ),
        (
            SETTINGS.replace("steady", "stedy"),
            "attic",
            "There is no recogniser 'stedy'. Did you mean steady?",
        ),
    ],
    ids=["no-such-box", "senseless-setting", "no-such-driver", "no-such-recogniser"],
)
def test_a_camera_that_can_never_work_says_why_and_leaves_the_die_alone(
    listener: Listener, text: str, box: str, detail: str
):
    listener.start(text + DIE, box=box)
    fault = listener.wait(stands("ceiling", DeviceState.FAULT, "camera"))
    assert isinstance(fault, DeviceStanding)
    assert fault.detail.startswith(detail)
    listener.wait(lambda message: isinstance(message, DieRoll))


def test_a_camera_without_a_box_is_live_and_its_eyes_say_why_they_read_nothing(listener: Listener):
    listener.start(SETTINGS + DIE, box="")
    listener.wait(stands("ceiling", DeviceState.LIVE, "camera"))
    fault = listener.wait(stands("ceiling", DeviceState.FAULT, "eyes"))
    assert isinstance(fault, DeviceStanding)
    assert fault.detail.startswith("No box is set, so nothing can be read.")
    listener.wait(lambda message: isinstance(message, DieRoll))


def test_closing_ends_a_child_whose_driver_hangs(listener: Listener):
    senses = listener.start(SETTINGS + "hangs = true\n")
    listener.wait(stands("ceiling", DeviceState.SEARCHING, "camera"))
    pid = senses.pid
    assert pid is not None
    senses.close()
    assert not lives(pid)


def test_a_second_senses_process_waits_until_the_first_has_put_the_devices_down(listener: Listener):
    first = listener.start(SETTINGS)
    listener.wait(is_reading)
    listener.start(SETTINGS)
    listener.wait(stands("senses", DeviceState.SEARCHING))
    first.close()
    listener.wait(stands("senses", DeviceState.LIVE))
    listener.wait(is_reading)


def test_the_senses_end_when_the_service_is_killed(listener: Listener, tmp_path: Path):
    """The service here is a process of its own; its senses write their id down by their lock."""
    script = tmp_path / "service.py"
    script.write_text(
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from companion.settings import parse\n"
        "from companion.table.senses import Senses\n"
        "from companion.ports import Reading\n"
        "heard = threading.Event()\n"
        f"text = {SETTINGS!r}\n"
        "tell = lambda message: heard.set() if isinstance(message, Reading) else None\n"
        "senses = Senses(parse(text, Path('x'), source=None), on_message=tell, box_folder=Path('attic'))\n"
        "heard.wait()\n"
        "sys.stdout.write(f'{senses.pid}\\n'); sys.stdout.flush()\n"
        "threading.Event().wait()\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        senses_pid = int(service.stdout.readline())
        service.kill()
        listener.start(SETTINGS)  # waits for the lock of the orphan: it reads only when that is gone
        listener.wait(is_reading)
    assert not lives(senses_pid)


def test_panels_show_what_the_service_wants_shown_and_a_press_comes_back(listener: Listener):
    senses = listener.start('[[panels]]\nname = "buttons"\ndriver = "echo"\n', box="")
    senses.show(PanelLight(Lamp.TROUBLE, (True, False)))

    def is_echo(message: Heard) -> bool:
        return isinstance(message, ButtonPress) and message.panel == "trouble (True, False)"

    listener.wait(is_echo)
    assert senses.pid is not None
    os.kill(senses.pid, signal.SIGKILL)
    listener.wait(is_echo)  # what the last child showed the next one shows, too


def test_pauses_between_restarts_grow_and_do_not_grow_for_ever():
    assert [Backoff().pause_s(count) for count in range(1, 12)] == [0.5, 1, 2, 5, 10, 10, 10, 10, 10, 30, 30]
