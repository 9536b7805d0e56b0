"""Other versions of the companion, for tests of updates: the same wheel under another number, changed."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

Change = tuple[str, str]
"""A text in a file, and what stands in its place."""

DIES_UNDER_SYSTEMD: Mapping[str, Change] = {
    "web/commands.py": (
        "    settings = load(path) if strict else _to_begin_with(path)\n",
        "    if os.environ.get('NOTIFY_SOCKET'):\n        sys.exit('this version cannot bear systemd')\n"
        "    settings = load(path) if strict else _to_begin_with(path)\n",
    )
}
"""Well in its trial, and only there."""

DOES_NOT_START: Mapping[str, Change] = {
    "web/service.py": ('"""The service:', 'raise SystemExit("broken")\n"""The service:')
}

WRITES_ANOTHER_JOURNAL: Mapping[str, Change] = {
    "companion/table/sqlite_journal.py": (
        "    return migrations\n",
        "    @migrations()\n    def photos(database: Database) -> None:\n"
        '        database.table("photos").create({"id": int}, pk="id")\n\n    return migrations\n',
    )
}


def as_version(wheel: Path, version: str, changes: Mapping[str, Change] | None = None) -> Path:
    """Write a wheel beside another that says it is of that version, and differs from it by ``changes``."""
    old = wheel.name.split("-")[1]
    path = wheel.with_name(wheel.name.replace(f"-{old}-", f"-{version}-"))
    left = dict(changes or {})
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name in left:
                before, after = left.pop(name)
                assert before in content.decode(), f"{name} is not as it was when this test was written"
                content = content.decode().replace(before, after, 1).encode()
            if name.endswith("METADATA"):
                content = content.replace(
                    f"\nVersion: {old}\n".encode(), f"\nVersion: {version}\n".encode(), 1
                )
            elif name.endswith("RECORD"):
                rows = [row.split(",")[0] for row in content.decode().splitlines()]
                content = "".join(f"{row},,\n" for row in rows).replace(f"-{old}.", f"-{version}.").encode()
            target.writestr(name.replace(f"companion-{old}.", f"companion-{version}."), content)
    assert not left, f"the wheel has no {', '.join(left)}"
    return path
