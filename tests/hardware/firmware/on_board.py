"""The firmware without a board, a step at a time; runs on CPython and on MicroPython alike.

``step("1230 898 24312C…")`` is: the time in ms, what the sensor reads, what came from the host in hex; it
returns in hex what is said. A die reads ``ax,ay,az,spin``, a rotor tenths of a degree, ``-`` is nothing.
"""

from die import Die
from rotor import Rotor
from tlp import Voice


class Board:
    """A chip with its program."""

    def __init__(self, name, boot):
        self.device = Die() if name[0] == "D" else Rotor()
        self.voice = Voice(name, "bench", boot, self.device)

    def step(self, line):
        at, read, came = line.split(" ")
        now_ms = int(at)
        said = ""
        if self.device.kind == "die" and read != "-":
            ax, ay, az, spin = (float(each) for each in read.split(","))
            said = self.device.sense((ax, ay, az), spin, now_ms)
        elif self.device.kind == "rotor":
            said = self.device.sense(None if read == "-" else int(read), 1, now_ms)
        if said == "ROLL":
            self.voice.say_thrice(now_ms, "ROLL", self.device.rolled())
        if said == "TURN":
            self.voice.say_thrice(now_ms, "TURN", self.device.turned())
        if said:
            self.voice.say_status(now_ms)
        self.voice.hear(bytes([int(came[at : at + 2], 16) for at in range(0, len(came), 2)]), now_ms)
        return "".join([f"{byte:02X}" for byte in self.voice.due(now_ms)])
