"""The table's own Wi-Fi, as NetworkManager keeps it: a profile of its own with a name and a password.

Runs as root within the caretaker; imports no other package.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

CONNECTION = "companion-table"
"""The profile's name; ``systemd/NetworkManager/dispatcher.sh`` waits for it."""

PROFILE = Path("/etc/NetworkManager/system-connections/companion-table.nmconnection")
ADDRESS = "10.42.0.1"

READ_ALOUD = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter and no figure that is taken for another when it is read out to somebody."""

TEXT = """\
# The table's own Wi-Fi, made by its caretaker. Name and password may be changed here; then:
#   nmcli connection reload
[connection]
id={connection}
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={ssid}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
psk={password}
# Protected management frames: the radio of a Pi tells phones that it has them, and then does not let them in.
pmf=1

[ipv4]
method=shared
address1={address}/24

[ipv6]
method=disabled
"""


def new_password() -> str:
    """Return a password of 12 signs that can be read out (about 60 bits; WPA wants 8 signs at least)."""
    return "".join(secrets.choice(READ_ALOUD) for _ in range(12))


def profile(number: int, password: str) -> str:
    """Return the profile's text; the last four hexadecimal figures of ``number`` tell tables apart."""
    ssid = f"TABLE-{number & 0xFFFF:04X}"
    return TEXT.format(connection=CONNECTION, ssid=ssid, password=password, address=ADDRESS)


def write_profile(path: Path = PROFILE) -> bool:
    """Write a new profile where none is; tell whether it was written. Only its owner may read it."""
    if path.exists():
        return False
    part = path.with_name(f".{path.name}.new")
    # NetworkManager leaves out a profile that others may read.
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(profile(secrets.randbelow(1 << 16), new_password()))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return True
