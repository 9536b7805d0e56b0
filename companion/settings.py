"""Settings: one commented TOML file, and the folder where everything that must last lives.

Lives on the ground floor. What can be set stands in ``settable``; here it is found, read and checked, and
all that is wrong is said at once. What pages chose lies in a file of its own beside it (``chosen``).
"""

from __future__ import annotations

import copy
import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import chosen
from companion.settable import (
    LISTS,
    SECTIONS,
    DeviceSettings,
    SensesSettings,
    Settings,
    example,
)
from companion.whole_files import write_whole

__all__ = [
    "FILE_NAME",
    "LISTS",
    "SECTIONS",
    "CannotStart",
    "DeviceSettings",
    "SensesSettings",
    "Settings",
    "SettingsUnreadable",
    "SettingsWrong",
    "choices",
    "choose",
    "example",
    "home",
    "is_by_hand",
    "is_said",
    "load",
    "parse",
    "settings_path",
]

FILE_NAME = "companion.toml"
OF_EVERY_DEVICE = ("name", "driver", "place")


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


def home() -> Path:
    """Return the folder of all that must last, made if it is not there.

    ``COMPANION_HOME``, else systemd's ``STATE_DIRECTORY``, else ``companion`` in the XDG data folder.
    """
    folder = _home_folder()
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

    What was chosen on pages is filled in. Raises SettingsUnreadable if a named file is missing or no
    TOML, SettingsWrong with all that is wrong in it at once.
    """
    where = path or settings_path()
    is_there = path is not None or where.exists()
    text = _text(where) if is_there else ""
    return _in_force(text, where, where if is_there else None, choices())


def choices() -> dict[str, Any]:
    """Return what was chosen on pages, as a tree. Raises SettingsUnreadable, SettingsWrong."""
    path = _home_folder() / chosen.FILE_NAME
    tree = _tree(_text(path), path) if path.exists() else {}
    if not chosen.leaves_out_names(tree):
        raise SettingsWrong(path, [f"{chosen.LEFT_OUT} must be a section of lists of texts."])
    return tree


def choose(settings: Settings, change: Callable[[dict[str, Any]], None]) -> Settings:
    """Choose something for good: ``change`` the tree of choices, and return what is in force then.

    ``settings`` are those in force, for the file that they came from. Raises SettingsWrong and keeps
    what was chosen before; raises OSError if nothing can be written.
    """
    tree = copy.deepcopy(choices())
    change(tree)
    by_hand = settings.source
    path = by_hand or settings_path()
    after = _in_force(_text(by_hand) if by_hand else "", path, by_hand, tree)
    write_whole(home() / chosen.FILE_NAME, chosen.written(tree).encode())
    return after


def is_said(settings: Settings, section: str, key: str) -> bool:
    """Tell whether a setting was written by hand or chosen, and is not merely as it comes."""
    return any(key in tree.get(section, {}) for tree in (_by_hand(settings), _if_readable(choices)))


def is_by_hand(settings: Settings, group: str, name: str) -> bool:
    """Tell whether a key of a section, or a device, stands in the file by hand: pages do not change that."""
    there = _by_hand(settings).get(group, ())
    return name in there if group in SECTIONS else any(device.get("name") == name for device in there)


def _by_hand(settings: Settings) -> Mapping[str, Any]:
    path = settings.source
    return {} if path is None else _if_readable(lambda: _tree(_text(path), path))


def _if_readable(read: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a tree; an empty one while somebody is in the middle of writing its file."""
    try:
        return read()
    except SettingsUnreadable:
        return {}


def parse(text: str, path: Path, *, source: Path | None) -> Settings:
    """Read settings from text; ``path`` is only named in what is raised (as ``load`` does)."""
    return _checked(text, _tree(text, path), path, source)


def _in_force(text: str, path: Path, source: Path | None, chosen_tree: Mapping[str, Any]) -> Settings:
    """Return what stands by hand filled in with what was chosen; each is checked by itself."""
    settings = parse(text, path, source=source)
    if not chosen_tree:
        return settings
    file = _home_folder() / chosen.FILE_NAME
    alone = {name: value for name, value in chosen_tree.items() if name != chosen.LEFT_OUT}
    _checked(chosen.written(chosen_tree), alone, file, None)
    return _checked("", chosen.merged(_tree(text, path), chosen_tree), file, source)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SettingsUnreadable(path, f"The settings {path} are no text: write them as UTF-8.") from error
    except OSError as error:
        raise SettingsUnreadable(
            path,
            f"The settings {path} cannot be read: {error.strerror}. "
            "Check the name, or leave it out to play without devices.",
        ) from error


def _tree(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsUnreadable(path, _half_written(path, text, str(error))) from error


def _checked(text: str, tree: Mapping[str, Any], path: Path, source: Path | None) -> Settings:
    problems: list[str] = []
    known = [*SECTIONS, *LISTS]
    problems += [_unknown(text, "", name, known) for name in tree if name not in known]
    sections = {name: _section(text, tree, name, problems) for name in SECTIONS}
    devices: dict[str, Any] = {name: _devices(text, tree, name, problems) for name in LISTS}
    if problems:
        raise SettingsWrong(path, problems)
    built = {name: SECTIONS[name][0](**values) for name, values in sections.items()}
    return Settings(**built, **devices, source=source)


def _home_folder() -> Path:
    state = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    named = os.environ.get("COMPANION_HOME") or state
    return Path(named).expanduser() if named else _xdg("XDG_DATA_HOME", ".local/share") / "companion"


def _xdg(variable: str, beneath_home: str) -> Path:
    named = os.environ.get(variable)
    return Path(named) if named else Path.home() / beneath_home


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
        place = item.get("place", "")
        near = [
            close for key in missing for close in difflib.get_close_matches(key, item, n=1) if close != key
        ]
        where = f"{_line(text, name, near[0] if near else '', number)}{name} number {number}"
        meant = f' Did you mean it by "{near[0]}"?' if near else ""
        problems += [f"{where} needs a {key}, a text in quotes.{meant}" for key in missing]
        if not isinstance(place, str):
            problems.append(f"{where}: place is {_written(place)}; it must be a text in quotes.")
        elif not missing:
            options = {key: value for key, value in item.items() if key not in OF_EVERY_DEVICE}
            devices.append(DeviceSettings(item["name"], item["driver"], options, place))
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
