"""The command ``companion serve``: phones, host and big screen on one port until it is stopped."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from companion.addresses import own_addresses
from companion.game import Sentence
from companion.settings import CannotStart, Settings, home, load, parse
from companion.table.host import Host, open_host
from companion.table.safe_mode import last_good, open_at_any_rate
from companion.table.starts import Starts
from web.addresses import code_for_terminal, url
from web.doors import handed_over
from web.pin import new_pin
from web.service import Service, listen, listen_near, options_for


@click.command()
@click.option(
    "--settings", "path", type=click.Path(path_type=Path), help="The settings file; else the usual one."
)
@click.option("--host", default=None, help="The address to listen on; 127.0.0.1: this computer only.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=None, help="The port; 0 lets the system choose."
)
@click.option("--safe", is_flag=True, help="Start without devices and strangers' parts.")
@click.option("--strict", is_flag=True, help="End with the reason where a page would come up and say it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: addresses, port, pin, pid.")
def serve(
    path: Path | None, host: str | None, port: int | None, *, safe: bool, strict: bool, as_json: bool
) -> None:
    """Serve the table to phones, host and big screen.

    What cannot be used, such as settings with a slip, is left out, and the host's page says so.
    """
    settings = load(path) if strict else _to_begin_with(path)
    bound_to = settings.web.host if host is None else host
    is_given = port is not None or strict
    listener = (listen if is_given else listen_near)(bound_to, settings.web.port if port is None else port)
    own = int(listener.getsockname()[1])
    moved = not is_given and own != settings.web.port
    listeners = (*handed_over(), listener)
    # A door that systemd opened is port 80: an address without a number.
    number = int(listeners[0].getsockname()[1])
    pin = new_pin()
    addresses = [url(address, number) for address in own_addresses(bound_to)]
    if not strict:
        _ask(is_safe=safe)

    def opens(begin_again: Callable[[], None]) -> Host:
        if strict:
            return open_host(load(path))
        told = (Sentence("safe.port", {"wanted": settings.web.port, "port": own}),) if moved else ()
        return open_at_any_rate(path, begin_again=begin_again, also=told)

    def announce() -> None:
        told = {"addresses": addresses, "port": number, "pin": pin, "pid": os.getppid()}
        code = code_for_terminal(addresses[0]) if sys.stdout.isatty() else ""
        words = greeting(addresses, settings.web.name, number, pin)
        click.echo(json.dumps(told) if as_json else code + words)

    service = Service(
        opens,
        listeners,
        lambda chosen: options_for(
            chosen, addresses[0], pin, lambda: url(own_addresses(bound_to)[0], number)
        ),
        announce,
        lines=settings.web.lines,
        is_strict=strict,
    )
    sys.exit(service.serve())


def _to_begin_with(path: Path | None) -> Settings:
    """Return the settings for the port; the worker reads them anew, and says what is wrong with them."""
    try:
        return load(path)
    except CannotStart:
        pass
    try:
        return last_good(home()) or parse("", Path(), source=None)
    except CannotStart:
        return parse("", Path(), source=None)


def _ask(*, is_safe: bool) -> None:
    """Ask for a safe start, or no longer."""
    try:
        starts = Starts(home())
    except CannotStart:
        return  # the page will say it
    starts.keep(replace(starts.marks(), is_safe_asked=is_safe))


def greeting(addresses: list[str], name: str, port: int, pin: str) -> str:
    """Return what a person at the console needs."""
    lines = [f"Phones:      {address}" for address in addresses]
    if name:
        lines.append(f"             {url(name, port)} on most phones")
    lines += [
        f"Host:        {addresses[0]}host with the PIN {pin}",
        f"Big screen:  {url('localhost', port)}screen",
        "Stop with Ctrl-C.",
    ]
    return "\n".join(lines)
