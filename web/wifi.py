"""The table's own Wi-Fi while it is on: its name, its password, and the code that lets a phone in.

NetworkManager's dispatcher writes them (``systemd/NetworkManager/dispatcher.sh``) for the service alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from segno.helpers import make_wifi_data

from companion.table.caretaker import WIFI_TOLD
from web.addresses import code_path


@dataclass(frozen=True, slots=True)
class Wifi:
    """A Wi-Fi that phones may join."""

    name: str
    password: str

    @property
    def code(self) -> tuple[int, str]:
        """Return the QR code that a phone's camera joins by, as ``code_path`` draws it."""
        return code_path(make_wifi_data(ssid=self.name, password=self.password, security="WPA"))


def own_wifi(told: Path = WIFI_TOLD) -> Wifi | None:
    """Return the Wi-Fi of this computer's own, None while there is none."""
    try:
        name, password = told.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    return Wifi(name, password)
