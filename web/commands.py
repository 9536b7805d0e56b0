"""The command ``companion serve``: phones, host and big screen on one port until it is stopped."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from companion.settings import load
from web.addresses import code_for_terminal, own_addresses, url
from web.pin import new_pin
from web.service import Service, listen, options_for


@click.command()
@click.option(
    "--settings", "path", type=click.Path(path_type=Path), help="The settings file; else the usual one."
)
@click.option("--host", default=None, help="The address to listen on; 127.0.0.1: this computer only.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=None, help="The port; 0 lets the system choose."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: addresses, port, pin, pid.")
def serve(path: Path | None, host: str | None, port: int | None, as_json: bool) -> None:
    """Serve the table to phones, host and big screen."""
    settings = load(path)
    bound_to = settings.web.host if host is None else host
    listener = listen(bound_to, settings.web.port if port is None else port)
    number = int(listener.getsockname()[1])
    pin = new_pin()
    addresses = [url(address, number) for address in own_addresses(bound_to)]
    options = options_for(settings, addresses[0], pin, lambda: url(own_addresses(bound_to)[0], number))

    def announce() -> None:
        told = {"addresses": addresses, "port": number, "pin": pin, "pid": os.getppid()}
        click.echo(json.dumps(told) if as_json else greeting(addresses, settings.web.name, number, pin))

    sys.exit(Service(settings, listener, options, announce).serve())


def greeting(addresses: list[str], name: str, port: int, pin: str) -> str:
    """Return what a person at the console needs."""
    lines = [code_for_terminal(addresses[0]), *(f"Phones:      {address}" for address in addresses)]
    if name:
        lines.append(f"             {url(name, port)} on most phones")
    lines += [
        f"Host:        {addresses[0]}host with the PIN {pin}",
        f"Big screen:  {url('localhost', port)}screen",
        "Stop with Ctrl-C.",
    ]
    return "\n".join(lines)
