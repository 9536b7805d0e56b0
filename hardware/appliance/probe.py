"""A slot looks at itself and at a copy of the state.

``python -I -m hardware.appliance.probe SETTINGS JOURNAL``, run with a slot's own Python, so that each version
judges what it can read. Prints one JSON object: what is wrong with settings and journal (empty: nothing), and
the parts that cannot be loaded.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

import click

from companion.journal import JournalUnusable
from companion.plugins import GROUPS, find
from companion.settings import CannotStart, load
from companion.table.sqlite_journal import open_sqlite_journal


def probed(settings: Path, journal: Path) -> dict[str, object]:
    """Return what is wrong, as JSON has it. A file that is not there is not wrong."""
    broken = {
        f"{GROUPS[group]} {part.name}": part.failure
        for group in GROUPS
        for part in find(group).values()
        if part.failure
    }
    return {"settings": _settings(settings), "journal": _journal(journal), "parts": broken}


def _settings(path: Path) -> str:
    try:
        if path.exists():
            load(path)
    except (CannotStart, OSError) as fault:
        return str(fault)
    return ""


def _journal(path: Path) -> str:
    try:
        if path.exists():
            with closing(open_sqlite_journal(path)) as journal:
                for table in journal.tables():
                    journal.read(table.id)
    except JournalUnusable as fault:
        return str(fault)
    return ""


if __name__ == "__main__":
    click.echo(json.dumps(probed(Path(sys.argv[1]), Path(sys.argv[2]))))
