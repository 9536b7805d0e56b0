"""Running programs: they end with us, and what they complain of is told."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from hardware.appliance.faults import ApplianceFault, DiskFull

TOLD_LINES = 4
NO_ROOM = ("No space left on device", "Disk quota exceeded")


class ProgramFailed(ApplianceFault):
    """A program that did not do its work; ``said`` are the last lines that it printed."""

    def __init__(self, words: Sequence[str], said: str) -> None:
        super().__init__(f"`{' '.join(words)}` failed: {said or 'it said nothing'}")
        self.said = said


def ending_with_us(words: Sequence[str | Path], *, user: str | None = None) -> list[str]:
    """Return the words of a program that is killed when we are, so that nobody is left at work in a slot.

    It runs as ``user``, None: as who we are.
    """
    who = [] if user is None else ["--reuid", user, "--regid", user, "--init-groups"]
    return ["setpriv", "--pdeathsig", "KILL", *who, "--", *(str(word) for word in words)]


def run(
    words: Sequence[str | Path],
    *,
    environment: Mapping[str, str] | None = None,
    root: Path = Path("/"),
    user: str | None = None,
) -> str:
    """Run a program, as ``user`` and within ``root`` where they are not ours, and return what it printed.

    Raises ProgramFailed with the last lines that it said, DiskFull if it ran out of room.
    """
    inside = [] if root == Path("/") else ["chroot", str(root)]
    called = [*inside, *(str(word) for word in words)]
    done = subprocess.run(
        ending_with_us(called, user=user),
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    )
    if done.returncode:
        if any(words in done.stdout for words in NO_ROOM):
            raise DiskFull(root)
        last = [line.strip() for line in done.stdout.splitlines() if line.strip()][-TOLD_LINES:]
        raise ProgramFailed(called, " ".join(last))
    return done.stdout
