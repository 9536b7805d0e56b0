"""What is set and installed: the settings, the parts of others, the network, how the service started."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.game import Sentence
from companion.plugins import GROUPS
from companion.settings import CannotStart
from hardware.appliance.finding import Finding, Outcome, look, unknown, well

PARTS = ("-m", "companion", "parts", "--json")
"""Asked as a program of its own: a part that crashes takes nobody along."""


def check_settings(load: Callable[[], object]) -> Finding:
    """Look at the settings; ``load`` reads them."""
    try:
        load()
    except CannotStart as fault:
        return look("settings", "wrong", text=str(fault))
    return well("settings")


def check_parts(listed: str) -> Iterator[Finding]:
    """Look at what ``companion parts --json`` printed; empty: it printed nothing."""
    try:
        parts: list[dict[str, Any]] = json.loads(listed)["parts"]
    except (ValueError, KeyError, TypeError):
        yield look("parts", "crash")
        return
    broken = [part for part in parts if part["failure"]]
    for part in broken:
        kind = GROUPS.get(part["group"], part["group"])
        named = {"kind": kind, "name": part["name"], "package": part["package"], "text": part["failure"]}
        yield look("parts", "broken", of=part["name"], **named)
    if not broken:
        yield well("parts", count=len(parts))


def check_network(addresses: Sequence[str], page: str = "") -> Finding:
    """Look at the addresses that phones may use; ``page`` is the one that is shown, if a service runs."""
    outside = [one for one in addresses if not ipaddress.ip_address(one).is_loopback]
    if not outside:
        return look("network", "none")
    return well("network", address=page or outside[0])


def check_start(troubles: Sequence[Sentence], *, is_safe: bool) -> Iterator[Finding]:
    """Say how the running service came up."""
    for trouble in troubles:
        yield Finding("start", Outcome.LOOK, trouble)
    if is_safe and not troubles:
        yield look("start", "safe")
    if not troubles and not is_safe:
        yield well("start")


def service_not_asked(why: str, **values: Any) -> Finding:
    """Say that a service runs and could not be asked, or that none runs."""
    return unknown("start", why, **values)
