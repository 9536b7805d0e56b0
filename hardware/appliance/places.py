"""Where an appliance keeps what, beneath a root: ``/``, or a folder that holds a system's image."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

USER = "companion"


@dataclass(frozen=True, slots=True)
class Places:
    """All paths of an appliance.

    ``root`` is ``/``, but for tests and for an image, whose programs see it as their own ``/``.
    """

    root: Path = Path("/")
    is_image: bool = False

    @property
    def opt(self) -> Path:
        """The folder of the program itself: slots, links, wheels."""
        return self.root / "opt/companion"

    @property
    def current(self) -> Path:
        """The link to the slot that is served."""
        return self.opt / "current"

    @property
    def previous(self) -> Path:
        """The link to the slot that was served before; it judges the current one after a power cut."""
        return self.opt / "previous"

    @property
    def wheels(self) -> Path:
        """Every wheel that a slot was built from: an update without internet needs only its own."""
        return self.opt / "wheels"

    @property
    def under_way(self) -> Path:
        """What an update was at; there only while one is under way or was cut off."""
        return self.opt / "update.json"

    @property
    def placed(self) -> Path:
        """The list of files that were put into the system, to be taken away again."""
        return self.opt / "placed.json"

    @property
    def last(self) -> Path:
        """What came of the last update, for a page to show."""
        return self.opt / "last.json"

    @property
    def lock(self) -> Path:
        """Held by whoever installs, updates or uninstalls."""
        return self.opt / "update.lock"

    @property
    def trial(self) -> Path:
        """A copy of the state, for a slot to be tried with."""
        return self.opt / "trial"

    @property
    def state(self) -> Path:
        """The players' journals, boxes and recordings: the service's home folder."""
        return self.root / "var/lib/companion"

    @property
    def chosen(self) -> Path:
        """What was chosen on pages, beside the settings that were written by hand."""
        return self.state / "chosen.toml"

    @property
    def journal(self) -> Path:
        """The journal where the settings name no other place."""
        return self.state / "journal.sqlite"

    @property
    def updates(self) -> Path:
        """Where root lays a wheel for the host's page to ask for; the service cannot write there."""
        return self.opt / "updates"

    @property
    def settings(self) -> Path:
        return self.root / "etc/companion/companion.toml"

    @property
    def command(self) -> Path:
        return self.root / "usr/local/bin/companion"

    @property
    def program_root(self) -> Path:
        """What the programs that build a slot have as their root."""
        return self.root if self.is_image else Path("/")

    def named(self, path: Path) -> str:
        """Return a path as those programs see it, and as it is called once the image runs."""
        return f"/{path.relative_to(self.root)}" if self.is_image else str(path)
