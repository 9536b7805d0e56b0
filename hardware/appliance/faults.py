"""What keeps an appliance from being installed or updated, each said with what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.settings import CannotStart


class ApplianceFault(CannotStart):
    """Something about installing, updating or uninstalling; the message says what stands and what to do."""


class WheelRefused(ApplianceFault):
    """A file that is no wheel of the companion, is damaged, or is for another computer."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path.name} is refused: {why}")
        self.path = path


class DiskFull(ApplianceFault):
    """There is not enough room. ``needed_mb`` and ``free_mb`` are 0 where they are not known."""

    def __init__(self, folder: Path, needed_mb: int = 0, free_mb: int = 0) -> None:
        numbers = f": {needed_mb} MB are needed, {free_mb} MB are free" if needed_mb else ""
        super().__init__(f"The disk of {folder} is full{numbers}. Make room there, then try again.")
        self.needed_mb = needed_mb
        self.free_mb = free_mb


class NotInstalled(ApplianceFault):
    """There is nothing to update, to go back from or to take away."""


class UpdateRunning(ApplianceFault):
    """Somebody else is at it; two at a time would step on each other's slots."""

    def __init__(self) -> None:
        super().__init__(
            "Another install or update is at work here. Wait until it has ended, then try again."
        )


class Unhealthy(ApplianceFault):
    """A slot that does not serve. The message says what it said itself."""


@contextmanager
def plain_words(folder: Path) -> Iterator[None]:
    """Turn what the system says of files into what to do. ``folder`` is named where it says none."""
    try:
        yield
    except OSError as error:
        where = Path(error.filename) if isinstance(error.filename, str) else folder
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(where) from error
        hint = " Run it with sudo." if error.errno in (errno.EACCES, errno.EPERM) else ""
        raise ApplianceFault(f"{where}: {error.strerror or error}.{hint}") from error
