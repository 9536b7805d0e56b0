"""Buttons and lamp at the table: what a press does, and what the lamp tells. For the host's wiring.

A press does what a tap on the host page does, by the same way and with the same right to refuse.
"""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.game import Choice, Seat
from companion.journal import Cause
from companion.ports import ButtonPress, DeviceStanding, DeviceState, Lamp, PanelLight, Press
from companion.shown import Weight
from companion.table.caretaker import DOOR, CaretakerRefused, Word, ask, is_there
from companion.table.views import Submission, TableView
from companion.table.writer import Table

log = logging.getLogger(__name__)

SWITCH_OFF_S = 20.0
AS_IT_COMES = ("systemctl", "poweroff")
"""What the settings say of switching off if nobody wrote anything."""


def light_of(seen: TableView, seats: Sequence[Seat]) -> PanelLight:
    """Return what a panel shows of a table; a seat that nobody plays is waited for by nobody."""
    waited_for = {one.seat for one in seen.view.seats if one.is_waited_for}
    lamp = Lamp.TROUBLE if seen.missing else Lamp.CALM
    return PanelLight(lamp, tuple(seat in waited_for for seat in seats))


def next_choice(seen: TableView) -> Choice | None:
    """Return the one thing that the whole table may do now without filling anything in; None if unclear."""
    offered = [choice for prompt in seen.view.prompts if prompt.seat is None for choice in prompt.choices]
    loud = [choice for choice in offered if choice.weight is Weight.PRIMARY] or offered
    is_clear = len(loud) == 1 and not loud[0].fields and loud[0].weight is not Weight.COSTLY
    return loud[0] if is_clear else None


def press_next(table: Table, press: ButtonPress) -> None:
    """Do what the host's loudest key does. What the rules refuse is logged, for there is nobody to tell."""
    seen = table.look(None)
    choice = next_choice(seen)
    if choice is None:
        log.info("panel %s: there is no one thing to do next", press.panel)
        return
    request = f"{press.press}-{press.at_ms}"
    cause = Cause(by="host", client=f"panel:{press.panel}", request=request)
    answer = table.submit(Submission(request, cause, seen.seq, choice.command))
    answer.add_done_callback(
        lambda done: log.info("panel %s: next: %s", press.panel, done.exception() or done.result().is_done)
    )


class Panels:
    """All panels of a table: shows them how it goes, and does what is pressed. ``follow`` each new table."""

    def __init__(self, show: Callable[[PanelLight], None], off: Sequence[str]) -> None:
        self._show = show
        self._off = tuple(off)
        self._table: Table | None = None
        self._seats: Sequence[Seat] = ()
        self._shown = PanelLight()
        self._is_leaving = threading.Event()

    @property
    def light(self) -> PanelLight:
        """What panels show now."""
        return self._shown

    def follow(self, table: Table, seats: Sequence[Seat]) -> None:
        """Show how this table goes, from now on."""
        self._table, self._seats = table, seats
        table.on_change(lambda: self._look(table))
        self._look(table)

    def pressed(self, press: ButtonPress) -> None:
        """Do what a button asks for. Never waits."""
        table = self._table
        if press.press is Press.NEXT and table is not None:
            press_next(table, press)
        elif press.press is Press.SWITCH_OFF and not self._is_leaving.is_set():
            self._is_leaving.set()
            self._say(replace(self._shown, lamp=Lamp.LEAVING))
            threading.Thread(target=self._leave, args=(press,), name="switching off", daemon=True).start()

    def _look(self, table: Table) -> None:
        if table is self._table and not self._is_leaving.is_set():
            self._say(light_of(table.look(None), self._seats))

    def _say(self, light: PanelLight) -> None:
        if light != self._shown:
            self._shown = light
            self._show(light)

    def _leave(self, press: ButtonPress) -> None:
        """Switch off; the system then ends the service in its own order. Or say why that cannot be."""
        if not (why := switch_off(self._off)):
            return
        log.error("panel %s: %s", press.panel, why)
        self._is_leaving.clear()
        table = self._table
        if table is not None:
            table.stood(DeviceStanding(press.panel, "panel", DeviceState.FAULT, why))


def switch_off(command: Sequence[str], *, door: Path = DOOR) -> str:
    """Switch this computer off. Returns why that cannot be, in plain English; empty: it is under way.

    The caretaker does it where there is one, unless the settings say another way.
    """
    if not command:
        return "Switching off by button is not set: off is empty under [power]."
    if tuple(command) == AS_IT_COMES and is_there(door):
        try:
            ask(Word.POWER_OFF, door=door)
        except CaretakerRefused as why:
            return f"{why} Shut this computer down by hand."
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SWITCH_OFF_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        return f"{command[0]} cannot be run: {fault}."
    if done.returncode == 0:
        return ""
    said = (done.stderr or done.stdout).strip() or f"exit status {done.returncode}"
    return f"This computer could not be switched off: {said.rstrip('.')}. Shut it down by hand."
