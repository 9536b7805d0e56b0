"""The program of a die: copied to the board as ``main.py``, beside tlp, die, faces, imu and board."""

from board import Program, UsbLine, boot_number, device_name, must_stay, open_bus, stay
from die import STEP_MS, Die
from faces import Faces
from imu import Levelled, find_imu
from tlp import Voice

LOOK_EVERY_MS = 1000
FACES_FILE = "faces.txt"


def faces_kept() -> Faces:
    """Return the faces as they were learnt, those of a plain cube if they never were."""
    faces = Faces()
    try:
        with open(FACES_FILE) as file:
            faces.recall(file.read())
    except OSError:
        pass
    return faces


class DieProgram(Program):
    """Feels the motion sensor a hundred times a second; one that came off is looked for again."""

    step_ms = STEP_MS

    def __init__(self) -> None:
        self._bus, self._line = open_bus(), UsbLine()
        self._imu = find_imu(self._bus)
        self._die, self._levelled = Die(faces_kept()), Levelled()
        sensor = self._imu.name if self._imu else "none"
        self._voice = Voice(device_name("D"), f"pico-{sensor}", boot_number(), self._die)

    def step(self, now_ms: int) -> None:
        said = self._feel(now_ms)
        if said == "ROLL":
            self._voice.say_thrice(now_ms, "ROLL", self._die.rolled())
        if said:
            self._voice.say_status(now_ms)
        self._voice.hear(self._line.read(), now_ms)
        if self._die.faces.is_new:
            with open(FACES_FILE, "w") as file:
                file.write(self._die.faces.kept())
        self._line.write(self._voice.due(now_ms))
        if self._voice.wants_update:
            stay()

    def _feel(self, now_ms: int) -> str:
        if self._imu is None:
            if now_ms % LOOK_EVERY_MS < STEP_MS:
                self._imu = find_imu(self._bus)
            return self._die.fail()
        try:
            force, spin = self._imu.read()
        except OSError:
            self._imu = None
            return self._die.fail()
        return self._die.sense(force, self._levelled.spin_dps(spin, self._die.is_still), now_ms)


if not must_stay():
    DieProgram().run()
