"""The addresses of this computer in the network.

Lives on the ground floor, imports nothing of the house.
"""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress

ANY = ("0.0.0.0", "::", "")
FAR_AWAY = ("192.0.2.1", "2001:db8::1")
"""Documentation addresses: a UDP socket "connected" there sends nothing, but knows its own side."""

IN_OWN_WIFI = "10.42.0.1"
"""The table in its own Wi-Fi: while it has this address, phones are there, whatever else leads far away."""

SIOCGIFADDR = 0x8915
"""Linux: the IPv4 address of an interface, see netdevice(7)."""


def own_addresses(bound_to: str) -> tuple[str, ...]:
    """Return the addresses that phones may use, the likeliest first, without a port."""
    if bound_to not in ANY:
        return (bound_to,)
    found: list[str] = []
    for family, far in zip((socket.AF_INET, socket.AF_INET6), FAR_AWAY, strict=True):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                found.append(str(probe.getsockname()[0]))
        except OSError:
            continue
    found += _of_interfaces()
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return likeliest_first(found)


def likeliest_first(found: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses that phones may use, as found, but that of the table's own Wi-Fi first."""
    usable = [address for address in dict.fromkeys(found) if not ipaddress.ip_address(address).is_link_local]
    outside = [address for address in usable if not ipaddress.ip_address(address).is_loopback]
    return tuple(sorted(outside, key=lambda address: address != IN_OWN_WIFI)) or ("127.0.0.1",)


def _of_interfaces() -> list[str]:
    """Return an address of each interface that is up: in a Wi-Fi of one's own no way leads far away."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                told = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(told[20:24]))
    return found
