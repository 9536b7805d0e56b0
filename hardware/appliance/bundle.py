"""The file for a report: what was found, what is set and installed, the newest lines of the log.

Without names, photos, tokens, passwords or anything of a running game, unless names or photos are asked for.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion import chosen
from companion.log_lines import newest_lines
from companion.settable import Settings, as_tree
from hardware.appliance.machine import Machine
from hardware.appliance.told import Told
from hardware.appliance.without_names import Discretion, names_of_players
from hardware.selftest import computer

RECORDINGS = "recordings"
JOURNALD = (
    "journalctl",
    "--unit=companion",
    "--lines=2000",
    "--no-pager",
    "--no-hostname",
    "--output=short-iso",
)
README = """A report of the companion, made {made}.

report.json    what was looked at and found
computer.txt   what this computer is
parts.json     what is installed
settings.toml  what is set
log.txt        the newest lines of the log
{more}
{names}
"""


@dataclass(frozen=True, slots=True)
class BundleWishes:
    """What the file shall hold besides: names of players, and the newest recording with its pictures."""

    with_names: bool = False
    with_photos: bool = False


def bundled(
    machine: Machine, found: Sequence[Told], settings: Settings | None, wishes: BundleWishes, *, parts: str
) -> bytes:
    """Return the file. ``parts`` is what ``companion parts --json`` printed. Raises OSError."""
    discreet = Discretion(() if wishes.with_names else names_of_players(machine.home))
    recording = _newest_recording(machine.home) if wishes.with_photos else None
    texts = {
        "report.json": _json(discreet.of_tree([one.as_json() for one in found])),
        "computer.txt": discreet.of("".join(f"{line.what}: {line.says}\n" for line in computer(machine))),
        "parts.json": _json(discreet.of_tree(_read_json(parts))),
        "settings.toml": discreet.of(chosen.written(as_tree(settings), head="")) if settings else "",
        "log.txt": discreet.of("\n".join([machine.ask(JOURNALD), *newest_lines()]) + "\n"),
    }
    texts["README.txt"] = README.format(
        made=datetime.now(UTC).isoformat(timespec="minutes"),
        more=f"recording/     pictures and entries of {recording.name[:10]}, as asked" if recording else "",
        names="With the names of players, as asked." if wishes.with_names else "No names of players.",
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
        for path in sorted(recording.rglob("*")) if recording else ():
            if path.is_file():
                archive.write(path, f"recording/{path.relative_to(recording or path).as_posix()}")
    return file.getvalue()


def _newest_recording(home: Path) -> Path | None:
    return max((path for path in (home / RECORDINGS).glob("*") if path.is_dir()), default=None)


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _json(tree: Any) -> str:
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"
