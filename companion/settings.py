"""Settings: one commented TOML file, and the folder where everything that must last lives.

Lives on the ground floor, imports nothing of the house. ``SECTIONS`` and ``LISTS`` are the
only list of what can be set: reading, checking and the example file all come from them.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE_NAME = "companion.toml"


class CannotStart(Exception):
    """What keeps the companion from starting. The message says what happened and what to do."""


class SettingsWrong(CannotStart):
    """A settings file that cannot be used; ``problems`` holds one sentence for each thing wrong."""

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        count = len(problems)
        lead = "One thing is" if count == 1 else f"{count} things are"
        super().__init__(
            f"{lead} wrong in the settings {path}:\n" + "\n".join(f"  {say}" for say in problems)
        )
        self.path = path
        self.problems = tuple(problems)


class SettingsUnreadable(CannotStart):
    """A settings file that is missing, half written or no TOML."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(why)
        self.path = path


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
    """A camera, die, board sensor or panel: ``options`` are its driver's own keys, as written."""

    name: str
    driver: str
    options: Mapping[str, Any] = field(default_factory=dict)


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
        (Key("off", ("systemctl", "poweroff"), "What the button runs that switches off; empty: nothing."),),
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


def home() -> Path:
    """Return the folder of all that must last, made if it is not there.

    ``COMPANION_HOME``, else systemd's ``STATE_DIRECTORY``, else ``companion`` in the XDG data folder.
    """
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    named = os.environ.get("COMPANION_HOME") or state
    folder = Path(named).expanduser() if named else _xdg("XDG_DATA_HOME", ".local/share") / "companion"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(
            f"The folder {folder} cannot be made: {error.strerror}. "
            "Set COMPANION_HOME to a folder that may be written."
        ) from error
    return folder


def settings_path() -> Path:
    """Return where the settings file is looked for when none is named; it need not exist."""
    folders = [
        Path(value.split(":")[0]).expanduser()
        for variable in ("COMPANION_HOME", "CONFIGURATION_DIRECTORY")
        if (value := os.environ.get(variable))
    ]
    folders.append(_xdg("XDG_CONFIG_HOME", ".config") / "companion")
    found = [folder / FILE_NAME for folder in folders if (folder / FILE_NAME).exists()]
    return found[0] if found else folders[0] / FILE_NAME


def load(path: Path | None = None) -> Settings:
    """Read the settings; without a file in the usual place all is as it comes, without devices.

    Raises SettingsUnreadable if a named file is missing or no TOML, SettingsWrong with all that
    is wrong in it at once.
    """
    where = path or settings_path()
    try:
        if path is None and not where.exists():
            return parse("", where, source=None)
        text = where.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SettingsUnreadable(where, f"The settings {where} are no text: write them as UTF-8.") from error
    except OSError as error:
        raise SettingsUnreadable(
            where,
            f"The settings {where} cannot be read: {error.strerror}. "
            "Check the name, or leave it out to play without devices.",
        ) from error
    return parse(text, where, source=where)


def parse(text: str, path: Path, *, source: Path | None) -> Settings:
    """Read settings from text; ``path`` is only named in what is raised (as ``load`` does)."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsUnreadable(path, _half_written(path, text, str(error))) from error
    problems: list[str] = []
    known = [*SECTIONS, *LISTS]
    problems += [_unknown(text, "", name, known) for name in tree if name not in known]
    sections = {name: _section(text, tree, name, problems) for name in SECTIONS}
    devices: dict[str, Any] = {name: _devices(text, tree, name, problems) for name in LISTS}
    if problems:
        raise SettingsWrong(path, problems)
    built = {name: SECTIONS[name][0](**values) for name, values in sections.items()}
    return Settings(**built, **devices, source=source)


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
        parts.append(f"# {remark}\n# Each has a name, a driver, and the driver's own keys.\n{commented}")
    return "\n\n".join(parts) + "\n"


def _xdg(variable: str, beneath_home: str) -> Path:
    named = os.environ.get(variable)
    return Path(named) if named else Path.home() / beneath_home


def _as_toml(value: str | int | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _half_written(path: Path, text: str, message: str) -> str:
    at = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(at[1]) if at else max(1, len(text.splitlines()))
    column = int(at[2]) if at else len(text.splitlines()[-1]) + 1 if text else 1
    what = message.partition(" (at ")[0]
    return (
        f"The settings {path} break off or are no TOML at line {line}, column {column}: {what}. "
        f"Finish or take out line {line}, then start again."
    )


def _section(text: str, tree: Mapping[str, Any], section: str, problems: list[str]) -> dict[str, Any]:
    keys = SECTIONS[section][1]
    given = tree.get(section, {})
    if not isinstance(given, dict):
        problems.append(
            f"{_line(text, '', section)}{section} must be a section; write [{section}] on a line."
        )
        return {}
    names = [key.name for key in keys]
    problems += [_unknown(text, section, name, names) for name in given if name not in names]
    values: dict[str, Any] = {}
    for key in keys:
        value = given.get(key.name, key.default)
        if key.name in given and not key.accepts(value):
            near = difflib.get_close_matches(str(value), key.among, n=1)
            meant = f' Did you mean "{near[0]}"?' if near else ""
            where = f"{_line(text, section, key.name)}{section}.{key.name}"
            problems.append(f"{where} is {_written(value)}; it must be {key.wants()}.{meant}")
        values[key.name] = tuple(value) if isinstance(value, list) else value
    return values


def _devices(
    text: str, tree: Mapping[str, Any], name: str, problems: list[str]
) -> tuple[DeviceSettings, ...]:
    given = tree.get(name, [])
    if not (isinstance(given, list) and all(isinstance(item, dict) for item in given)):
        problems.append(f"{_line(text, '', name)}{name} must be a list; write [[{name}]] above each.")
        return ()
    devices: list[DeviceSettings] = []
    for number, item in enumerate(given, 1):
        missing = [key for key in ("name", "driver") if not (isinstance(item.get(key), str) and item[key])]
        near = [
            close for key in missing for close in difflib.get_close_matches(key, item, n=1) if close != key
        ]
        where = f"{_line(text, name, near[0] if near else '', number)}{name} number {number}"
        meant = f' Did you mean it by "{near[0]}"?' if near else ""
        problems += [f"{where} needs a {key}, a text in quotes.{meant}" for key in missing]
        if not missing:
            options = {key: value for key, value in item.items() if key not in ("name", "driver")}
            devices.append(DeviceSettings(item["name"], item["driver"], options))
    names = [device.name for device in devices]
    problems += [f'{name} has two of the name "{one}".' for one in sorted(set(names)) if names.count(one) > 1]
    return tuple(devices)


def _unknown(text: str, section: str, name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else f" Known here: {', '.join(known)}."
    full = f"{section}.{name}" if section else name
    return f"{_line(text, section, name)}{full} is no setting.{meant}"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _line(text: str, section: str, key: str, number: int = 1) -> str:
    """Return ``line 7: `` for a key of a section (the nth of its name), nothing if it is not found.

    ``tomllib`` keeps no line numbers, so they are looked up in the text.
    """
    here, seen = section == "", 0
    for count, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?", line)
        if header:
            seen += header[1] == section
            here = header[1] == section and seen == number
            is_it = here if not key else (not section and header[1] == key)
        else:
            is_it = here and key != "" and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line) is not None
        if is_it:
            return f"line {count}: "
    return ""
