"""Trying a slot: it judges settings and journal, and serves a page from a copy of the state on a spare port.

The service goes on meanwhile; no camera and no die is opened.
"""

from __future__ import annotations

import json
import os
import pwd
import select
import subprocess
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from hardware.appliance.durable import clear_folder
from hardware.appliance.faults import Unhealthy
from hardware.appliance.places import Places
from hardware.appliance.programs import ProgramFailed, ending_with_us, run
from hardware.appliance.slots import Slot
from hardware.appliance.state import SETTINGS, copy_for_trial

START_S = 90.0
"""How long the first page may take; a Pi of the slow kind with a full card needs 20."""

STATE = ("settings", "journal")
STOP_S = 10.0
PAGE_S = 10.0
TOLD_BYTES = 400


def try_out(places: Places, slot: Slot, user: str | None, beside: Slot | None = None) -> None:
    """Raise Unhealthy with the reason unless a slot can use the state and all its parts, and serves a page.

    What the slot ``beside``, which serves now, cannot use either is not held against it; without one only the
    state counts. It runs as ``user``, None: as who we are.
    """
    try:
        copy_for_trial(places, _ids(user))
        faults = _faults(places, slot, user)
        known = _faults(places, beside, user) if faults and beside is not None else {}
        for what, why in faults.items():
            is_new = what not in known if beside is not None else what in STATE
            if is_new:
                raise Unhealthy(f"it cannot use the {what}: {why}")
        _serve_once(places, slot, user, is_strict=not faults)
    finally:
        clear_folder(places.trial)


def page_answers(port: int) -> str:
    """Ask a page of this computer; return why it is none, empty if it is."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PAGE_S) as page:
            page.read()
    except (OSError, urllib.error.URLError) as fault:
        return f"the page on port {port} does not come: {getattr(fault, 'reason', fault)}"
    return ""


def _faults(places: Places, slot: Slot, user: str | None) -> Mapping[str, str]:
    """Return what a slot cannot use of itself and of the copied state, with the reasons."""
    python, settings = slot.folder / "bin/python", places.trial / SETTINGS
    words: list[str | Path] = [
        python,
        "-I",
        "-m",
        "hardware.appliance.probe",
        settings / places.settings.name,
    ]
    try:
        said = run(
            [*words, places.trial / places.journal.name],
            user=user,
            environment={**os.environ, "COMPANION_HOME": str(settings)},
        )
        told: Mapping[str, str] = json.loads(said.splitlines()[-1])
    except (ProgramFailed, ValueError, IndexError) as failed:
        raise Unhealthy(f"it cannot look at itself: {failed}") from failed
    return told


def _serve_once(places: Places, slot: Slot, user: str | None, *, is_strict: bool) -> None:
    words: list[str | Path] = [slot.program, "serve", "--host", "127.0.0.1", "--port", "0", "--json"]
    if is_strict:
        words.append("--strict")  # or a page would come up whatever is broken
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    said = places.trial / "said.txt"
    with (
        said.open("wb") as complaints,
        subprocess.Popen(
            ending_with_us(words, user=user),
            cwd=places.trial,
            env={**kept, "COMPANION_HOME": str(places.trial), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
        ) as service,
    ):
        assert service.stdout is not None
        try:
            port = _port_of(service.stdout)
            why = page_answers(port) if port else _last(said)
        finally:
            _stop(service)
    if why:
        raise Unhealthy(f"it does not serve: {why}")


def _port_of(said: IO[bytes]) -> int:
    """Return the port that a service says it has, 0 if it ends or says nothing in time."""
    ready, _, _ = select.select([said], [], [], START_S)
    line = said.readline() if ready else b""
    try:
        return int(json.loads(line)["port"])
    except (ValueError, KeyError, TypeError):
        return 0


def _last(said: Path) -> str:
    text = said.read_text(encoding="utf-8", errors="replace").strip()
    return text[-TOLD_BYTES:] or f"nothing came from it in {START_S:.0f} s"


def _stop(service: subprocess.Popen[bytes]) -> None:
    service.terminate()
    try:
        service.wait(STOP_S)
    except subprocess.TimeoutExpired:
        service.kill()


def _ids(user: str | None) -> tuple[int, int] | None:
    if user is None:
        return None
    found = pwd.getpwnam(user)
    return found.pw_uid, found.pw_gid
