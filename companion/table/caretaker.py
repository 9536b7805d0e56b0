"""Asking the caretaker: the one on this computer who may switch it off, and what else only root may do.

It is another program (``hardware.appliance.caretaker``) behind a socket of this computer's own; where
the companion was not installed as an appliance it is not there. A word is all that is sent.
"""

from __future__ import annotations

import socket
from enum import StrEnum
from pathlib import Path

DOOR = Path("/run/companion-caretaker.sock")
WIFI_TOLD = Path("/run/companion-wifi")
"""While the table's own Wi-Fi is on: its name and its password, a line each, for the service to read."""

LONGEST = 4096
PATIENCE_S = 60.0
"""A Wi-Fi takes half a minute to come up on a slow radio."""


class Word(StrEnum):
    """All that can be asked of the caretaker."""

    POWER_OFF = "power-off"
    REBOOT = "reboot"
    UPDATE = "update"
    WIFI_ON = "wifi-on"
    WIFI_OFF = "wifi-off"
    GREET = "greet"


class CaretakerRefused(Exception):
    """The caretaker did not do it, or is not there; the message says why in plain English."""


def is_there(door: Path = DOOR) -> bool:
    """Tell whether this computer has a caretaker."""
    return door.is_socket()


def ask(word: Word, *, door: Path = DOOR, patience_s: float = PATIENCE_S) -> None:
    """Ask for something and wait until it is done or under way. Raises CaretakerRefused."""
    heard = b""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caretaker:
            caretaker.settimeout(patience_s)
            caretaker.connect(str(door))
            caretaker.sendall(f"{word}\n".encode())
            while not heard.endswith(b"\n") and len(heard) < LONGEST:
                part = caretaker.recv(LONGEST)
                if not part:
                    break
                heard += part
    except OSError as error:
        raise CaretakerRefused(f"The caretaker cannot be reached: {error.strerror or error}.") from error
    answer = heard.decode(errors="replace").strip()
    if answer != "done":
        why = answer.removeprefix("refused: ").rstrip(".") or "it gave no answer"
        raise CaretakerRefused(f"The caretaker did not do it: {why}.")
