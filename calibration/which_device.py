"""Which device of the settings a command is about."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion.settings import DeviceSettings


def which_device(
    devices: Sequence[DeviceSettings], name: str | None, *, called: str, section: str
) -> DeviceSettings:
    """Return the device of that name, or the only one there is. Raises click.UsageError, naming them all."""
    known = {device.name: device for device in devices}
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name not in known:
        there = ", ".join(known) or f"none; add a [[{section}]] section"
        raise click.UsageError(f"Which {called}? In the settings there is: {there}.")
    return known[name]
