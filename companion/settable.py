"""What can be set: every section and key with what it starts as, and the file that shows them all.

``SECTIONS`` and ``LISTS`` are the only list of it: reading, checking and the example file all come from
them. Lives on the ground floor beneath ``settings``, which reads the file; imports nothing of the house.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Which game is played with which taught box, and how far the camera is trusted."""

    game: str
    box: str
    trust: str


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where phones find the table. ``allowed_hosts`` are names besides ``name`` and the addresses.

    ``language`` is spoken where nobody chose one.
    """

    host: str
    port: int
    name: str
    allowed_hosts: tuple[str, ...]
    lines: int
    language: str


@dataclass(frozen=True, slots=True)
class SensesSettings:
    """How the senses process works: who reads pictures, with how many threads, how much it remembers."""

    recogniser: str
    threads: int
    recorder_mb: int


@dataclass(frozen=True, slots=True)
class JournalSettings:
    """Where the journal lies; empty: ``journal.sqlite`` in the home folder."""

    path: str


@dataclass(frozen=True, slots=True)
class PowerSettings:
    """How this computer is switched off: a program and its words; empty: it is not."""

    off: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """A camera, die, board sensor or panel: ``options`` are its driver's own keys, as written.

    ``place`` says in people's words where it hangs or lies, such as ``on the lamp``.
    """

    name: str
    driver: str
    options: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set. ``source`` is the file it came from, None: defaults, no devices."""

    table: TableSettings
    web: WebSettings
    senses: SensesSettings
    journal: JournalSettings
    power: PowerSettings
    cameras: tuple[DeviceSettings, ...] = ()
    dice: tuple[DeviceSettings, ...] = ()
    board_sensors: tuple[DeviceSettings, ...] = ()
    panels: tuple[DeviceSettings, ...] = ()
    source: Path | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: what it starts as, what it says, and what it may be.

    ``among`` are the only allowed texts; ``between`` the least and the most of a whole number.
    """

    name: str
    default: str | int | tuple[str, ...]
    says: str
    among: tuple[str, ...] = ()
    between: tuple[int, int] | None = None

    def wants(self) -> str:
        """Say what is allowed."""
        if self.among:
            return " or ".join(f'"{word}"' for word in self.among)
        if self.between:
            return f"a whole number from {self.between[0]} to {self.between[1]}"
        return "a list of texts" if isinstance(self.default, tuple) else "a text in quotes"

    def accepts(self, value: object) -> bool:
        """Tell whether a value may stand here. True and false are no numbers."""
        if isinstance(self.default, tuple):
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        if self.between:
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            return is_whole and self.between[0] <= int(str(value)) <= self.between[1]
        return isinstance(value, str) and (not self.among or value in self.among)


SECTIONS: Mapping[str, tuple[type, tuple[Key, ...]]] = {
    "table": (
        TableSettings,
        (
            Key("game", "making_monsters", "The game on the table; `companion parts` lists all."),
            Key(
                "box",
                "",
                "The box that was taught with `companion box teach`; empty: play without a camera.",
            ),
            Key(
                "trust",
                "ask",
                '"ask": what the camera sees waits for a tap.',
                among=("ask",),
            ),
        ),
    ),
    "web": (
        WebSettings,
        (
            Key("host", "0.0.0.0", "The address to listen on; 127.0.0.1: this computer only."),
            Key("port", 8080, "The port to listen on.", between=(1, 65535)),
            Key("name", "companion.local", "The name that this computer has in the network."),
            Key("allowed_hosts", (), "More names under which phones may ask for pages."),
            Key("lines", 32, "How many pages may look on at once.", between=(8, 200)),
            Key("language", "en", "What is spoken where no phone and no browser asks for another language."),
        ),
    ),
    "senses": (
        SensesSettings,
        (
            Key("recogniser", "opencv", "Who reads the pictures; `companion parts` lists all."),
            Key("threads", 1, "How many threads OpenCV may use at once.", between=(1, 16)),
            Key(
                "recorder_mb",
                24,
                "Memory for the pictures of the last minutes; the host can save them. 0: none.",
                between=(0, 1000),
            ),
        ),
    ),
    "journal": (
        JournalSettings,
        (Key("path", "", "The journal's file; empty: journal.sqlite in the home folder."),),
    ),
    "power": (
        PowerSettings,
        (
            Key(
                "off",
                ("systemctl", "poweroff"),
                "What a button runs to switch off, unless a caretaker does; empty: nothing.",
            ),
        ),
    ),
}

LISTS: Mapping[str, tuple[str, str]] = {
    "cameras": (
        "Cameras. Drivers: mjpeg (url), usb (device), pi (number), folder (path), video (path).",
        '[[cameras]]\nname = "ceiling"\ndriver = "mjpeg"\nurl = "http://127.0.0.1:8081/camera.mjpg"',
    ),
    "dice": (
        'Dice. Drivers: serial (port, "auto" looks for it), keyed (path), '
        "camera (camera, area, set, kind, tilt).",
        '[[dice]]\nname = "die"\ndriver = "serial"\nport = "auto"',
    ),
    "board_sensors": (
        'Turning boards. Drivers: serial (port, "auto" looks for it), hall (pins), as5600 (bus).',
        '[[board_sensors]]\nname = "centre"\ndriver = "serial"\nport = "auto"',
    ),
    "panels": (
        "Buttons and lights at the table. Drivers: gpio (next_pin, off_pin, lamp_pin, ring_pins).",
        '[[panels]]\nname = "buttons"\ndriver = "gpio"',
    ),
}
"""Lists of devices: what the example file says of them, and one written out."""


OF_DEVICES = (
    "# Each has a name, a driver, the driver's own keys, and if you like a place, "
    'for people: place = "on the lamp".'
)


def as_tree(settings: Settings) -> dict[str, Any]:
    """Return settings as the tree of a file that says all of them."""
    tree: dict[str, Any] = {name: asdict(getattr(settings, name)) for name in SECTIONS}
    for name in LISTS:
        devices: tuple[DeviceSettings, ...] = getattr(settings, name)
        if devices:
            tree[name] = [_device_as_tree(device) for device in devices]
    return tree


def _device_as_tree(device: DeviceSettings) -> dict[str, Any]:
    place = {"place": device.place} if device.place else {}
    return {"name": device.name, "driver": device.driver, **place, **device.options}


def example() -> str:
    """Return the settings file with every setting, explained and as it comes."""
    parts = ["# Settings of the companion. What is left out is as it stands here; # begins a remark."]
    for section, (_, keys) in SECTIONS.items():
        lines = [f"[{section}]"]
        for key in keys:
            lines += [f"# {key.says} Allowed: {key.wants()}.", f"{key.name} = {_as_toml(key.default)}"]
        parts.append("\n".join(lines))
    for remark, written in LISTS.values():
        commented = "\n".join(f"# {line}" for line in written.splitlines())
        parts.append(f"# {remark}\n{OF_DEVICES}\n{commented}")
    return "\n\n".join(parts) + "\n"


def _as_toml(value: str | int | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
