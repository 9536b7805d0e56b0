"""Updates in two slots: a new version is built and tried beside the old one, which can take over again.

At any moment ``current`` leads to a whole slot, so a computer that starts after a power cut has one to start.
What was under way is written down before the first thing that would be missed, and finished by ``settle``.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol

from companion.whole_files import write_whole
from hardware.appliance.build import clear_parts
from hardware.appliance.durable import point, remove
from hardware.appliance.faults import ApplianceFault, NotInstalled, Unhealthy, UpdateRunning
from hardware.appliance.places import Places
from hardware.appliance.slots import Slot, Slots
from hardware.appliance.state import keep_state, put_back_state
from hardware.appliance.system import System
from hardware.appliance.wheel import Wheel, gather, prune


class Builds(Protocol):
    """Builds a slot from a wheel; see ``build.Builder``."""

    def build(self, slot: Slot, wheel: Wheel) -> None: ...


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What an update is at: from which slot to which.

    ``serves``: the service is to be started afterwards; ``old_state``: the state is still to be put back.
    """

    from_slot: str
    to_slot: str
    serves: bool
    old_state: bool = False


class CannotReadState(ApplianceFault):
    """An older version that cannot read what the newer one wrote."""


class Update:
    """Takes an appliance from one version to another. ``tell`` hears each step in plain words."""

    def __init__(self, places: Places, builder: Builds, system: System, tell: Callable[[str], None]) -> None:
        self._places = places
        self._builder = builder
        self._system = system
        self._tell = tell
        self._slots = Slots(places)

    def to(self, wheel: Wheel, beside: list[Path]) -> bool:
        """Go over to a wheel; what it needs is in ``beside`` or kept. False: it is served already.

        Raises ApplianceFault if it cannot be built or is not well; the version before then serves as before.
        """
        with only_one(self._places):
            current = self._settled()
            if current.sha256 == wheel.sha256:
                return False
            clear_parts(self._places)
            point(self._places.previous, current.name)  # what was there before is about to be gone
            spare = self._slots.spare
            self._tell(f"Build {spare.name} from companion {wheel.version}.")
            gather(wheel.among(beside), self._places.wheels)
            self._builder.build(spare, wheel)
            self._tell(f"Try {spare.name} on a spare port, with a copy of the state.")
            try:
                self._system.try_out(spare, current)
            except Unhealthy as why:
                spare.clear()
                raise Unhealthy(
                    f"companion {wheel.version} is not well: {why} "
                    f"Version {current.version} goes on as before."
                ) from why
            self._take_over(current, spare, old_state=False)
            prune(self._places.wheels, wheel)
            return True

    def back(self, *, old_state: bool) -> None:
        """Go back to the version before; with ``old_state`` to the journal and settings as it left them.

        Raises NotInstalled if there is none, CannotReadState if it needs its old state and may not have it.
        """
        with only_one(self._places):
            current, before = self._settled(), self._slots.previous
            if before is None:
                raise NotInstalled(
                    f"There is no version to go back to: {current.version} is the only one here. "
                    "`companion update WHEEL` goes to any other."
                )
            self._tell(f"Try {before.name} with companion {before.version} on a spare port.")
            try:
                self._system.try_out(before, None)
            except Unhealthy as why:
                if not old_state:
                    raise CannotReadState(
                        f"companion {before.version} is not well with what is here now: {why} With "
                        "`companion update --back --old-state` it goes back to journal and settings as it "
                        "left them; what came since is set aside and not lost."
                    ) from why
            self._take_over(current, before, old_state=old_state)

    def settle(self) -> bool:
        """Finish what a power cut cut off; return whether there was anything. Raises ApplianceFault."""
        with only_one(self._places):
            if not self._places.under_way.exists():
                return False
            self._settled()
            return True

    def _settled(self) -> Slot:
        """Return the slot that is served, after finishing what was cut off."""
        under_way = self._under_way()
        current = self._slots.current
        if current is None or not current.is_whole:
            raise NotInstalled("The companion is not installed here. `companion install` does that.")
        if under_way is None:
            return current
        if current.name == under_way.from_slot:
            self._tell(f"An update was cut off before it took over; companion {current.version} goes on.")
            self._tell(self._serve_as_before(current, under_way) or "It is well.")
        else:
            self._tell(f"An update was cut off while companion {current.version} took over; is it well?")
            self._start_or_go_back(under_way)
        settled = self._slots.current
        assert settled is not None
        return settled

    def _take_over(self, current: Slot, other: Slot, *, old_state: bool) -> None:
        under_way = UnderWay(current.name, other.name, self._system.serves(), old_state)
        point(self._places.previous, current.name)  # first: it is who settles
        self._write(under_way)
        self._tell(f"Stop companion {current.version}, and keep the state as it leaves it.")
        try:
            self._system.stop()
            keep_state(self._places, current.kept_state)
            self._slots.serve(other)
        except (ApplianceFault, OSError):  # a full disk, say: the service must not stay stopped for that
            self._slots.serve(current)
            self._serve_as_before(current, under_way)
            raise
        self._start_or_go_back(under_way)

    def _start_or_go_back(self, under_way: UnderWay) -> None:
        """Start the slot that took over; if it is not well, serve the one before and raise Unhealthy."""
        current, before = (
            Slot(self._places.opt / under_way.to_slot),
            Slot(self._places.opt / under_way.from_slot),
        )
        self._tell(f"Start companion {current.version} and look whether it is well.")
        try:
            if under_way.old_state:
                self._system.stop()
                put_back_state(self._places, current.kept_state, before.version)
                self._write(replace(under_way, old_state=False))
            self._system.place(current)
            if under_way.serves:
                self._system.start()
                self._system.check()
        except (ApplianceFault, OSError) as why:
            told = self._go_back(before, under_way)
            raise Unhealthy(f"companion {current.version} is not well: {why} {told}") from why
        remove(self._places.under_way)

    def _go_back(self, before: Slot, under_way: UnderWay) -> str:
        """Let the version before serve again; return what to say of it."""
        self._tell(f"Go back to companion {before.version}.")
        self._system.stop()
        told = f"Version {before.version} serves again."
        try:
            self._system.try_out(before, None)
        except Unhealthy:
            aside = put_back_state(
                self._places, before.kept_state, Slot(self._places.opt / under_way.to_slot).version
            )
            told = f"{told} Its state is as it left it; what came since is set aside in {aside}."
        point(self._places.current, before.name)
        return self._serve_as_before(before, under_way) or told

    def _serve_as_before(self, slot: Slot, under_way: UnderWay) -> str:
        """Serve the version that was served before an update; return what to say if it is not well either."""
        told = ""
        try:
            self._system.place(slot)
            if under_way.serves:
                self._system.start()
                self._system.check()
        except Unhealthy as why:
            told = f"Version {slot.version} is not well either: {why}"
        remove(self._places.under_way)  # last, yet in any case: what can be done has been done
        return told

    def _write(self, under_way: UnderWay) -> None:
        write_whole(self._places.under_way, json.dumps(asdict(under_way)).encode())

    def _under_way(self) -> UnderWay | None:
        try:
            return UnderWay(**json.loads(self._places.under_way.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None


@contextmanager
def only_one(places: Places) -> Iterator[None]:
    """Hold the appliance for oneself. Raises UpdateRunning if somebody else does."""
    places.opt.mkdir(parents=True, exist_ok=True)
    with places.lock.open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UpdateRunning from None
        yield
