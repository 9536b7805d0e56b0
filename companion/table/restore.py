"""Restoring a backup: checked and unpacked beside what is there, then put in its place whole, or not at all.

What was there is kept aside, to go back. The moves are written down before the first of them: a start
that finds them half done puts everything back before anything is opened, so that whatever ends the
process in the middle leaves the state as it was. Only who holds the lock of the home folder moves anything.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from companion.chosen import FILE_NAME as CHOSEN
from companion.settings import FILE_NAME as SETTINGS
from companion.table.backup import (
    DATABASES,
    FOLDERS,
    JOURNAL,
    SEATS,
    SETUP,
    Holding,
    Home,
    fold_in_log,
    now_utc,
)
from companion.table.restored_seats import carry_hosts
from companion.whole_files import sync_folder, write_whole

log = logging.getLogger(__name__)

STAGED = ".restore"
FRESH, ABOUT = "fresh", "about.json"
INTENT, OUTCOME = "restore.json", "restored.json"
ASIDE = "before-restore-"
ASIDES_KEPT = 2
TAILS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Intent:
    """What is to be put in place. ``had`` is what was there, ``gets`` what comes, both by name.

    ``journal`` and ``settings`` are where those lie; ``with_settings``: with what was chosen on pages,
    ``with_file``: with the file by hand, too. ``is_begun``: moves may have been made. ``came_from`` is the
    folder kept aside that is gone back to.
    """

    aside: str
    journal: str
    settings: str
    had: tuple[str, ...]
    gets: tuple[str, ...]
    with_settings: bool
    with_file: bool
    is_begun: bool = False
    came_from: str = ""

    def home(self, folder: Path) -> Home:
        """Return the home that it is about."""
        return Home(folder, Path(self.journal), Path(self.settings))

    @property
    def names(self) -> tuple[str, ...]:
        """What is moved, in this order."""
        by_hand = (SETTINGS,) if self.with_file else ()
        settings = (CHOSEN,) if self.with_settings else ()
        return (*DATABASES, *SETUP, *FOLDERS, *by_hand, *settings)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the last restore ended; ``aside`` is where the state before it lies."""

    is_done: bool
    at_utc: str
    aside: str = ""
    made_utc: str = ""
    why: str = ""


def quiet(step: str) -> None:
    """Say nothing of a step."""


def want(home: Home, *, with_settings: bool, came_from: str = "") -> None:
    """Ask for what is staged to be put in place by whoever has the lock next. Raises OSError.

    A settings file by hand that may not be written here, as in ``/etc``, stays as it is.
    """
    fresh = home.folder / STAGED / FRESH
    brings_settings = any((fresh / name).exists() for name in (SETTINGS, CHOSEN))
    aside = f"{ASIDE}{now_utc()[:19].replace(':', '-')}"
    is_with = with_settings and brings_settings
    with_file = is_with and os.access(home.settings.parent, os.W_OK)
    # A file by hand that comes with it keeps the journal in the home folder, wherever it lies now.
    journal = home.folder / JOURNAL if with_file else home.journal
    with_chosen = is_with and (with_file or (fresh / CHOSEN).exists())
    intent = Intent(
        aside, str(journal), str(home.settings), (), (), with_chosen, with_file, came_from=came_from
    )
    _keep(home.folder, intent)


def wanted(folder: Path) -> Intent | None:
    """Return what is to be put in place in a home folder, or was begun; None if nothing is."""
    try:
        told = json.loads((folder / INTENT).read_text(encoding="utf-8"))
        return Intent(**{**told, "had": tuple(told["had"]), "gets": tuple(told["gets"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def put_in_place(folder: Path, intent: Intent, step: Callable[[str], None] = quiet) -> Intent:
    """Move what is there aside, and what is staged to where it was. Raises OSError, sqlite3.Error."""
    home, fresh, aside = intent.home(folder), folder / STAGED / FRESH, folder / intent.aside
    if (fresh / SEATS).exists():
        carry_hosts(home.path_of(SEATS), fresh / SEATS)
    begun = replace(
        intent,
        had=tuple(name for name in intent.names if home.path_of(name).exists()),
        gets=tuple(name for name in intent.names if (fresh / name).exists()),
        is_begun=True,
    )
    _keep(folder, begun)
    step("")
    aside.mkdir(exist_ok=True)
    for name in begun.names:
        path = home.path_of(name)
        for tail in _tails(name):  # before the database itself: one without its log was never opened
            _move(_tailed(path, tail), _tailed(aside / name, tail))
        step(name)
        _move(path, aside / name)
        step(name)
        _move(fresh / name, path)
    sync_folder(folder)
    step("")
    return begun


def put_back(folder: Path, intent: Intent, why: str, step: Callable[[str], None] = quiet) -> Outcome:
    """Undo what was moved, however far it went, and say why. Raises OSError."""
    for name in intent.names if intent.is_begun else ():
        step(name)
        _put_back_one(folder, intent, name)
    aside, fresh = folder / intent.aside, folder / STAGED / FRESH
    if aside.exists() and not any(aside.iterdir()):
        aside.rmdir()
    if intent.came_from and fresh.exists():
        fresh.rename(folder / intent.came_from)
    forget_staged(folder)
    return _end(folder, Outcome(False, now_utc(), why=why))


def _put_back_one(folder: Path, intent: Intent, name: str) -> None:
    """Put one thing back. Whatever was done of it before, doing it again ends the same."""
    path, kept = intent.home(folder).path_of(name), folder / intent.aside / name
    fresh = folder / STAGED / FRESH / name
    is_fresh = name in intent.gets and not fresh.exists()
    if kept.exists() or name not in intent.had:
        # What lies there now came with the backup, or was begun by a service that tried it.
        for tail in _tails(name):
            _tailed(path, tail).unlink(missing_ok=True)
        if is_fresh:
            _move(path, fresh)
        elif name in DATABASES or kept.exists():
            _remove(path)
    _move(kept, path)
    for tail in _tails(name):
        _move(_tailed(kept, tail), _tailed(path, tail))


def settle(folder: Path, intent: Intent) -> Outcome:
    """Let it be: what was put in place works. Raises OSError."""
    made = str(staged_about(folder).get("made_utc", ""))
    outcome = _end(folder, Outcome(True, now_utc(), intent.aside, made))
    forget_staged(folder)
    for old in asides(folder)[:-ASIDES_KEPT]:
        shutil.rmtree(folder / old, ignore_errors=True)
    return outcome


def last_outcome(folder: Path) -> Outcome | None:
    """Return how the last restore ended, None if there was none."""
    try:
        return Outcome(**json.loads((folder / OUTCOME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def asides(folder: Path) -> list[str]:
    """Return the names of the folders with states before a restore, the newest last."""
    return sorted(path.name for path in folder.glob(f"{ASIDE}*") if path.is_dir())


def go_back(home: Home, aside: str, held: Holding) -> None:
    """Ask for a state that was kept aside to be put in place. Raises OSError; LookupError: it is gone."""
    if aside not in asides(home.folder):
        raise LookupError(aside)
    forget_staged(home.folder)
    staged = home.folder / STAGED
    staged.mkdir()
    keep_about(home.folder, {"made_utc": "", "holds": held.as_json()})
    for name in DATABASES:  # its log was kept beside it, and would be left behind
        if (home.folder / aside / name).exists():
            fold_in_log(home.folder / aside / name)
    (home.folder / aside).rename(staged / FRESH)
    want(home, with_settings=True, came_from=aside)


def keep_about(folder: Path, about: Mapping[str, Any]) -> None:
    """Write down what is staged. Raises OSError."""
    write_whole(folder / STAGED / ABOUT, json.dumps(about).encode())


def staged_about(folder: Path) -> Mapping[str, Any]:
    """Return what is staged; empty if nothing is."""
    try:
        told = json.loads((folder / STAGED / ABOUT).read_text(encoding="utf-8"))
        return told if isinstance(told, dict) else {}
    except (OSError, ValueError):
        return {}


def forget_staged(folder: Path) -> None:
    """Delete what was unpacked and not put in place."""
    shutil.rmtree(folder / STAGED, ignore_errors=True)


def _keep(folder: Path, intent: Intent) -> None:
    write_whole(folder / INTENT, json.dumps(asdict(intent)).encode())


def _end(folder: Path, outcome: Outcome) -> Outcome:
    sync_folder(folder)
    write_whole(folder / OUTCOME, json.dumps(asdict(outcome)).encode())
    (folder / INTENT).unlink(missing_ok=True)
    sync_folder(folder)
    log.warning("restore: %s", "done" if outcome.is_done else f"all is as before: {outcome.why}")
    return outcome


def _tails(name: str) -> tuple[str, ...]:
    return TAILS if name in DATABASES else ()


def _tailed(path: Path, tail: str) -> Path:
    return path.with_name(path.name + tail)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _move(old: Path, new: Path) -> None:
    """Move a file or folder if it is there; over a border between disks by a whole copy."""
    if not old.exists():
        return
    try:
        old.rename(new)
    except OSError:
        if old.is_dir():
            raise
        write_whole(new, old.read_bytes())
        old.unlink()
