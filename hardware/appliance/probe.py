"""A slot looks at itself and at a copy of the state.

``python -I -m hardware.appliance.probe SETTINGS JOURNAL``, run with a slot's own Python, so that each version
judges what it can read. Prints one JSON object: settings, journal and parts that cannot be used, and why.
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


def probed(settings: Path, journal: Path) -> dict[str, str]:
    """Return what cannot be used, by its name, with the reason. A file that is not there is not wrong."""
    faults = {"settings": _settings(settings), "journal": _journal(journal)}
    for group, kind in GROUPS.items():
        faults |= {f"{kind} {part.name}": part.failure for part in find(group).values()}
    return {what: why for what, why in faults.items() if why}


def _settings(path: Path) -> str:
    try:
        load(path if path.exists() else None)
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
