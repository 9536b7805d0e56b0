"""The steps of the die and of the turning board: what speaks on a port, tried once, how it was built in."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from flask import abort, request

from calibration.page_desk import Shown
from calibration.wizard_desk import Answer, WizardDesk
from calibration.wizard_steps import Step
from companion.chosen import add_device, take_device_out
from companion.game import Sentence, Wire
from companion.ports import DeviceStanding
from companion.settings import DeviceSettings

HEAR_S = 20.0
SPEAKS = "serial"
"""The driver of dice and sensors that speak on a port."""

QUARTERS = 4
GROUPS = {Step.DIE: "dice", Step.ROTOR: "board_sensors"}
STANDINGS = {Step.DIE: "die", Step.ROTOR: "board_sensor"}
"""The kind under which a device of a step stands."""


class DeviceStep:
    """The page of the die, or of the sensor under the turning board."""

    def __init__(self, wizard: WizardDesk, step: Step) -> None:
        self._wizard = wizard
        self._desk = wizard.desk
        self.step = step
        self._group = GROUPS[step]
        self._lock = threading.Lock()
        self._found: Wire | None = None

    @property
    def _chosen(self) -> tuple[DeviceSettings, ...]:
        settings = self._wizard.house.settings
        return settings.dice if self.step is Step.DIE else settings.board_sensors

    def show(self, token: str, fault: Sentence | None = None) -> Shown:
        if not self._chosen and (self._found is None or "look" in request.args):
            fault = fault or self._listen()
        kind = STANDINGS[self.step]
        states = {one.device: one for one in self._wizard.seen.devices if one.kind == kind}
        tried = [self._tried(device, states.get(device.name)) for device in self._chosen]
        found = self._found or {}
        return self._wizard.shown(
            token,
            self.step,
            fault,
            chosen=tried,
            speakers=[one for one in found.get("speakers", ()) if one["kind"] == self.step.value],
            ports=found.get("ports", ()),
            pins=found.get("pins", ()) if self.step is Step.ROTOR else (),
            is_sent_again={"was": request.args.get("was", "")},
        )

    def do(self, token: str, form: Mapping[str, str]) -> Answer:
        deeds = {
            "use": self._use,
            "pins": self._use_pins,
            "port": self._hear_port,
            "out": self._take_out,
            "north": self._set_north,
            "reversed": self._set_reversed,
        }
        deed = deeds.get(form.get("do", "")) or abort(400)
        fault = deed(form)
        return self.show(token, fault) if fault else self._wizard.back_to(token, self.step)

    def _listen(self, **told: Any) -> Sentence | None:
        answer = self._desk.do("find", {"do": "speakers", **told}, wait_s=HEAR_S)
        with self._lock:
            self._found = answer if answer.get("ok") else None
        return self._desk.why(answer)

    def _hear_port(self, form: Mapping[str, str]) -> Sentence | None:
        """Listen at a port that nobody would think of, such as the Pi's own."""
        fault = self._listen(ports=form.get("port", "").strip())
        found = self._found or {}
        if fault is None and not found.get("speakers"):
            return Sentence(f"wizard.{self.step.value}.silent_port", {"port": form.get("port", "").strip()})
        return fault

    def _use(self, form: Mapping[str, str]) -> Sentence | None:
        heard = (self._found or {}).get("speakers", ())
        speaker = next((one for one in heard if one["id"] == form.get("id")), None) or abort(404)
        # Known by its own number, wherever it is plugged in; a port that is not looked at by itself is named.
        device = {"name": self._free_name(), "driver": SPEAKS, "id": speaker["id"], "port": speaker["at"]}
        return self._add(device)

    def _use_pins(self, form: Mapping[str, str]) -> Sentence | None:
        driver = form.get("driver", "")
        if self.step is not Step.ROTOR or driver not in (self._found or {}).get("pins", ()):
            abort(404)
        return self._add({"name": self._free_name(), "driver": driver})

    def _take_out(self, form: Mapping[str, str]) -> Sentence | None:
        name = form.get("name", "")
        by_hand = self._wizard.is_by_hand(self._group, name)
        with self._lock:
            self._found = None
        return self._wizard.choose(lambda tree: take_device_out(tree, self._group, name, is_by_hand=by_hand))

    def _set_north(self, form: Mapping[str, str]) -> Sentence | None:
        """Let north be where the board stands now."""
        device = self._named(form)
        quarter = self._quarter_of(device)
        if quarter is None:
            return Sentence("wizard.rotor.where")
        sign = -1 if device.options.get("reversed") else 1
        raw = (int(device.options.get("north", 0)) + sign * quarter) % QUARTERS
        return self._change(device.name, north=raw)

    def _set_reversed(self, form: Mapping[str, str]) -> Sentence | None:
        """Let a sensor count the other way round; north stays where it is."""
        device = self._named(form)
        return self._change(device.name, reversed=not device.options.get("reversed", False))

    def _named(self, form: Mapping[str, str]) -> DeviceSettings:
        found = next((one for one in self._chosen if one.name == form.get("name")), None)
        if found is None or self.step is not Step.ROTOR or self._wizard.is_by_hand(self._group, found.name):
            abort(404)
        return found

    def _change(self, name: str, **options: Any) -> Sentence | None:
        def change(tree: dict[str, Any]) -> None:
            for device in tree.get(self._group, ()):
                if device["name"] == name:
                    device.update(options)

        return self._wizard.choose(change)

    def _add(self, device: Mapping[str, Any]) -> Sentence | None:
        return self._wizard.choose(lambda tree: add_device(tree, self._group, device))

    def _free_name(self) -> str:
        usual = "die" if self.step is Step.DIE else "centre"
        names = {one.name for one in self._chosen}
        numbered = (f"{usual}-{number}" for number in range(2, len(names) + 3))
        return next(name for name in (usual, *numbered) if name not in names)

    def _quarter_of(self, device: DeviceSettings) -> int | None:
        standings: Sequence[DeviceStanding] = self._wizard.seen.devices
        return next((one.quarter for one in standings if one.device == device.name), None)

    def _tried(self, device: DeviceSettings, standing: DeviceStanding | None) -> dict[str, Any]:
        """Return what a page shows of a chosen device: how it is, and what it said when it was tried."""
        shown: dict[str, Any] = {
            "name": device.name,
            "id": device.options.get("id") or device.options.get("port") or device.driver,
            "standing": standing,
            "by_hand": self._wizard.is_by_hand(self._group, device.name),
        }
        if self.step is Step.DIE:
            roll = self._wizard.seen.last_roll
            face = roll.face if roll is not None and roll.die == device.name else None
            return shown | {"face": face, "learns_faces": device.driver == SPEAKS}
        quarter = None if standing is None else standing.quarter
        was = request.values.get("was", "")
        before = int(was) if was.isdecimal() and int(was) < QUARTERS else quarter
        turned = None if quarter is None or before is None else (quarter - before) % QUARTERS
        return shown | {"quarter": quarter, "was": before, "turned": turned}
