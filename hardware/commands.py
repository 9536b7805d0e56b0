"""The command ``listen``: what a die or a rotor says, for people who build or mend one."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import asdict
from typing import Any

import click

from companion.ports import DeviceState
from hardware.clock import monotonic_ms
from hardware.contact import Wanted
from hardware.messages import (
    DeviceKind,
    DieState,
    DieStatus,
    Farewell,
    Hello,
    Line,
    Remark,
    Rolled,
    RotorState,
    RotorStatus,
    Turned,
)
from hardware.serial_port import Heard, Link, SerialPort
from hardware.tty import AUTO, LIKELY, ports_matching

READ_MS = 200
DIE_WORDS = {
    DieState.UNKNOWN: "not known yet",
    DieState.HANDLED: "in the hand",
    DieState.ROLLING: "rolls",
    DieState.SETTLING: "comes to rest",
    DieState.FLAT: "lies flat",
    DieState.COCKED: "is cocked",
    DieState.FAULT: "sensor fails",
}
ROTOR_WORDS = {
    RotorState.LOCKED: "at quarter {}",
    RotorState.MOVING: "turns, last at quarter {}",
    RotorState.BETWEEN: "rests between two quarters, last at {}",
    RotorState.FAULT: "sensor fails",
}


def in_words(line: Line) -> str | None:
    """Say a line in words; None for lines that are not about die or board."""
    words: str | None = None
    match line.message:
        case Hello(kind, positions, _, firmware, hardware, name):
            places = "faces" if kind is DeviceKind.DIE else "quarters"
            made = " ".join(
                filter(None, (hardware, firmware and f"firmware {firmware}", name and f'"{name}"'))
            )
            words = f"{kind} with {positions} {places}{made and ', '}{made}"
        case DieStatus(state, roll, face, up, _, battery):
            last = f"; last roll {roll} was {face}" if roll else ""
            charge = "" if battery is None else f"; battery {battery} %"
            words = f"{DIE_WORDS[state]}{f', {up} up' if up else ''}{last}{charge}"
        case Rolled(roll, face):
            words = f"roll {roll}: {face}"
        case RotorStatus(place, quarter, angle, turn, net):
            where = ROTOR_WORDS[place].format("?" if quarter is None else quarter)
            degrees = "" if angle is None else f" ({angle / 10:.1f} degrees)"
            words = f"{where}{degrees}; {turn} turns, {net:+d} quarters since it started"
        case Turned(turn, start, end, delta):
            words = f"turn {turn}: from quarter {start} to {end}, {delta:+d}"
        case Remark(level, text):
            words = f"remarks ({level}): {text}"
        case Farewell(reason):
            words = f"says goodbye: {reason}"
    return words


class Telling:
    """Tells each thing once; heartbeats that change nothing are silent."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._last: dict[tuple[str, type], str] = {}
        self.lines = 0
        self.device = ""

    def tell(self, said: Heard | Link) -> str | None:
        """Return what to print for it, None if it is nothing new."""
        if isinstance(said, Link):
            link = {"state": said.state.value, "detail": said.detail}
            return json.dumps(link) if self._as_json else f"{said.state.value}: {said.detail}"
        self.lines += 1
        self.device = said.line.device
        key, words = (said.line.device, type(said.line.message)), in_words(said.line)
        if words is None or self._last.get(key) == words:
            return None
        self._last[key] = words
        if not self._as_json:
            return f"{said.line.device}  {words}"
        line = said.line
        told: dict[str, Any] = {"device": line.device, "boot": line.boot, "seq": line.seq, "ms": line.ms}
        return json.dumps(told | {"says": type(line.message).__name__} | asdict(line.message))


@click.command()
@click.argument("port", default=AUTO)
@click.option("--die", "kind", flag_value="die", help="Look for a die.")
@click.option("--rotor", "kind", flag_value="rotor", help="Look for a rotor, the sensor of a turning board.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop after so many seconds.")
def listen(port: str, kind: str | None, as_json: bool, seconds: float | None) -> None:
    """Print what a die or a rotor says, one line a change.

    PORT is a serial port such as /dev/ttyACM0, a pattern in quotes such as "/dev/ttyACM*",
    or auto, which looks at all of them. Ends with Ctrl-C or after --seconds.
    """
    if port != AUTO and not ports_matching(port) and seconds is None:
        there = ", ".join(ports_matching(AUTO)) or f"none ({', '.join(LIKELY)})"
        raise click.ClickException(
            f"There is no port {port}. Plug the device in, or name one that is there: {there}."
        )
    heard = SerialPort(port, Wanted(DeviceKind(kind) if kind else None))
    telling = Telling(as_json=as_json)
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(heard):
        _listen(heard, telling, seconds)
    if not telling.lines:
        raise click.ClickException(f"No {kind or 'die and no rotor'} spoke on {port}. {_advice(heard)}")
    section = "dice" if telling.device.startswith("D") else "board_sensors"
    spoilt = sum(heard.splitter.flaws.values())
    click.echo(
        f"{telling.lines} lines from {telling.device}; {heard.order.missing} lost, {spoilt} spoilt. "
        f'Next: [[{section}]] with driver = "serial" and id = "{telling.device}" in the settings.',
        err=True,
    )


def _listen(port: SerialPort, telling: Telling, seconds: float | None) -> None:
    end_ms = math.inf if seconds is None else monotonic_ms() + seconds * 1000
    while (left_ms := end_ms - monotonic_ms()) > 0:
        said = port.read(timeout_ms=int(min(READ_MS, left_ms)))
        told = None if said is None else telling.tell(said)
        if told is not None:
            click.echo(told, err=isinstance(said, Link) and said.state is not DeviceState.LIVE)


def _advice(port: SerialPort) -> str:
    if port.splitter.chatter:
        sample = port.splitter.chatter[-1][:60]
        return f'There is other text, such as "{sample}": is the firmware one that speaks TLP/1?'
    return "Check the cable (some carry power only) and the firmware, then try again."
