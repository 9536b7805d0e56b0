"""What an installed companion lays into the system: each file, where it goes, and its mode."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

CARRIED = Path("share/companion/systemd")
"""Where the wheel lays ``systemd/``, under the prefix of the Python it is installed into."""

UNITS = Path("etc/systemd/system")
NETWORK = Path("etc/NetworkManager")


@dataclass(frozen=True, slots=True)
class Piece:
    """A file: ``source`` under ``systemd/``, ``target`` in the system without its root, and its mode."""

    source: str
    target: Path
    mode: int = 0o644


PIECES = (
    Piece("companion.service", UNITS / "companion.service"),
    Piece("companion.socket", UNITS / "companion.socket"),
    Piece("companion-caretaker.socket", UNITS / "companion-caretaker.socket"),
    Piece("companion-caretaker@.service", UNITS / "companion-caretaker@.service"),
    Piece("companion-update.service", UNITS / "companion-update.service"),
    Piece("companion-settle.service", UNITS / "companion-settle.service"),
    Piece("companion-access-point.service", UNITS / "companion-access-point.service"),
    Piece("companion-screen.service", UNITS / "companion-screen.service"),
    Piece("sysusers.d/companion.conf", Path("etc/sysusers.d/companion.conf")),
    Piece("tmpfiles.d/companion.conf", Path("etc/tmpfiles.d/companion.conf")),
    Piece("70-companion.rules", Path("etc/udev/rules.d/70-companion.rules")),
    Piece("avahi/companion.service", Path("etc/avahi/services/companion.service")),
    Piece("NetworkManager/dnsmasq.conf", NETWORK / "dnsmasq-shared.d/companion.conf"),
    Piece("NetworkManager/dispatcher.sh", NETWORK / "dispatcher.d/90-companion", 0o755),
)
"""All of them. Where NetworkManager or Avahi has no folder, it is not installed."""

ENABLED = ("companion.service", "companion-settle.service", "companion-access-point.service")
"""The units that start with the computer; ``companion-screen.service`` is for whoever has a big screen."""


def carried() -> Path:
    """Return the folder of the sources, of the checkout or else of the wheel. Raises FileNotFoundError."""
    places = (Path(__file__).parents[2] / "systemd", Path(sys.prefix) / CARRIED)
    for place in places:
        if (place / "companion.service").is_file():
            return place
    raise FileNotFoundError(
        f"The system's pieces are missing from {places[1]}. Install the companion's wheel again."
    )
