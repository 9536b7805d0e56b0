"""Looking at everything: the computer, what is installed, and the devices as a running service tells them."""

from __future__ import annotations

import json
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.addresses import own_addresses
from companion.game import Game, Sentence
from companion.plugins import PartUnusable
from companion.plugins import load as load_part
from companion.ports import DeviceStanding, DeviceState
from companion.settings import Settings, load
from companion.table.boxes import box_folder, has_eyes
from companion.table.cautions import cautioned
from companion.table.home_lock import told_by
from companion.table.senses import Senses
from companion.table.sqlite_journal import journal_path, newest_entry_utc
from hardware.appliance.checks_clock import check_clock
from hardware.appliance.checks_devices import check_devices
from hardware.appliance.checks_disk import check_disk
from hardware.appliance.checks_power import check_power
from hardware.appliance.checks_software import PARTS, check_network, check_settings
from hardware.appliance.finding import Finding
from hardware.appliance.machine import Machine, asked

OF_THE_SERVICE = (
    "start", "camera", "die", "board_sensor", "panel", "eyes", "light", "focus",
)  # fmt: skip
"""What a running service knows better than who looks from outside."""

REPORT = "health/report.json"
ANSWER_S = 60.0


def look_at_computer(
    machine: Machine, path: Path | None, settings: Settings | None, *, jumped_s: int = 0, page: str = ""
) -> Iterator[Finding]:
    """Look at what a service need not be asked for; ``settings`` None: they cannot be read."""
    yield from check_power(machine)
    yield from check_disk(machine)
    newest = newest_entry_utc(journal_path(settings)) if settings else ""
    yield check_clock(machine, datetime.now(UTC), newest_utc=newest, jumped_s=jumped_s)
    yield check_network(own_addresses(""), page)
    yield check_settings(lambda: load(path))


def listed_parts() -> str:
    """Return what is installed, as another process finds it; empty if one of the parts ends that process."""
    return asked([sys.executable, *PARTS])


def look_at_devices(settings: Settings, seconds: float) -> Iterator[Finding]:
    """Open all devices for some seconds, as a service would, and look at them. Nobody else may have them."""
    if not (settings.cameras or settings.dice or settings.board_sensors or settings.panels):
        yield from check_devices(settings, (), ())
        return
    listening = Listening(settings)
    eyes = settings.table.box if has_eyes(settings.table.box) else ""
    senses = Senses(settings, on_message=listening.hear, box_folder=box_folder(eyes) if eyes else None)
    try:
        listening.wait(seconds)
    finally:
        senses.close()
    standings = tuple(listening.standings.values())
    yield from check_devices(settings, standings, _plain(cautioned(standings, _owners(settings))))


class Listening:
    """What the senses say of each device, until all of them live."""

    def __init__(self, settings: Settings) -> None:
        groups = (
            ("camera", settings.cameras),
            ("die", settings.dice),
            ("board_sensor", settings.board_sensors),
            ("panel", settings.panels),
        )
        self._wanted = {(device.name, kind) for kind, devices in groups for device in devices}
        self._lives = threading.Event()
        self.standings: dict[tuple[str, str], DeviceStanding] = {}

    def hear(self, message: object) -> None:
        """Take in what the senses say."""
        if isinstance(message, DeviceStanding):
            self.standings[(message.device, message.kind)] = message
            living = {key for key, one in self.standings.items() if one.state is DeviceState.LIVE}
            if self._wanted <= living:
                self._lives.set()

    def wait(self, seconds: float) -> None:
        """Wait until everything lives, at most for some seconds."""
        self._lives.wait(seconds)


@dataclass(frozen=True, slots=True)
class RunningService:
    """The service of a home folder, as another program of this computer asks it."""

    url: str

    def report(self) -> list[dict[str, Any]]:
        """Return what it finds, in English. Raises OSError or ValueError if it does not answer so."""
        with urllib.request.urlopen(f"{self.url}{REPORT}?language=en", timeout=ANSWER_S) as answer:
            found: list[dict[str, Any]] = json.load(answer)["findings"]
            return found


def running_service(home: Path) -> RunningService:
    """Return the service that has a home folder, at the door that only this computer may use."""
    port = urlsplit(told_by(home)[1]).port or 80
    return RunningService(f"http://127.0.0.1:{port}/")


def _owners(settings: Settings) -> Any:
    try:
        game: Game[Any, Any, Any] = load_part("companion.games", settings.table.game)
    except PartUnusable:
        return {}
    return game.box.owners


def _plain(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return sentences that name boards by their ids: outside of a table nobody knows whose they are."""

    def plain(value: Any) -> Any:
        is_board = isinstance(value, Sentence) and value.key.startswith("board.")
        return value.key.removeprefix("board.") if is_board else value

    return tuple(
        Sentence(one.key, {name: plain(value) for name, value in one.values.items()}) for one in sentences
    )
