"""The command ``firmware``: which boards there are, how to flash them, and what runs on one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from hardware.boards import board_plans, plan_of, shipped_version
from hardware.clock import monotonic_ms
from hardware.contact import Wanted
from hardware.messages import Farewell, Hello, HostVerb, Line, Order
from hardware.serial_port import Heard, SerialPort
from hardware.tty import AUTO

READ_MS = 200
ANSWER_S = 12.0  # a board says who it is at least every ten seconds
RELEASE = Order(HostVerb.CFG, ("update=1",))

Found = TypeVar("Found")


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a board.")
@click.pass_context
def firmware(ctx: click.Context, as_json: bool) -> None:
    """Say which boards make dice and turning boards smart, and how to flash them."""
    if ctx.invoked_subcommand is not None:
        return
    version = shipped_version()
    for plan in board_plans():
        if as_json:
            files = [str(file) for file in plan.files]
            row: dict[str, Any] = {"board": plan.name, "says": plan.says, "version": version}
            click.echo(json.dumps(row | {"files": files, "steps": plan.steps}))
            continue
        click.echo(f"{plan.name}  {version}  {plan.says}")
        for number, step in enumerate(plan.steps, 1):
            click.echo(f"  {number}. {step}")
    click.echo("Next: plug the board in and run `companion firmware check`.", err=True)


@firmware.command()
@click.argument("port", default=AUTO)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--seconds", type=click.FloatRange(min=0), default=ANSWER_S, help="How long to wait for it.")
def check(port: str, as_json: bool, seconds: float) -> None:
    """Say what runs on the board at PORT, and whether it is the version that comes with this companion."""
    with contextlib.closing(SerialPort(port, Wanted(None))) as heard:
        line, hello = _first(heard, _hello, seconds) or _nobody(port)
    version, plan = shipped_version(), plan_of(hello.hardware)
    is_ours = plan is not None
    is_current = is_ours and hello.firmware == version
    if as_json:
        told = {"device": line.device, "hardware": hello.hardware, "firmware": hello.firmware}
        board = plan.name if plan is not None else None
        click.echo(json.dumps(told | {"board": board, "shipped": version, "is_current": is_current}))
    else:
        click.echo(f"{line.device}  {hello.kind}  {hello.hardware}  firmware {hello.firmware}")
    if is_current:
        return
    if not is_ours:
        click.echo("This firmware is not one of ours; it speaks the protocol, and that is enough.", err=True)
        return
    raise click.ClickException(
        f"The companion brings {version}. Flash {plan.name if plan else 'it'} as `companion firmware` says."
    )


@firmware.command()
@click.argument("port")
@click.option("--seconds", type=click.FloatRange(min=0), default=ANSWER_S, help="How long to wait for it.")
def release(port: str, seconds: float) -> None:
    """Tell the board at PORT to start anew and wait for new files."""
    with contextlib.closing(SerialPort(port, Wanted(None))) as heard:
        line, hello = _first(heard, _hello, seconds) or _nobody(port)
        heard.tell(line.device, RELEASE)
        if _first(heard, _farewell, seconds) is None:
            raise click.ClickException(
                f"{line.device} ({hello.hardware}) did not let go of its port. Boards that are programmed in "
                "C++ need no release; a Pico can be started with BOOTSEL held."
            )
    click.echo(
        f"{line.device} waits for new files. Next: the `mpremote` line of `companion firmware`.", err=True
    )


def _hello(line: Line) -> tuple[Line, Hello] | None:
    return (line, line.message) if isinstance(line.message, Hello) else None


def _farewell(line: Line) -> Farewell | None:
    return line.message if isinstance(line.message, Farewell) else None


def _first(port: SerialPort, wanted: Callable[[Line], Found | None], seconds: float) -> Found | None:
    """Return the first line that is wanted, None if none came in time."""
    end_ms = monotonic_ms() + seconds * 1000
    while monotonic_ms() < end_ms:
        said = port.read(timeout_ms=READ_MS)
        if isinstance(said, Heard) and (found := wanted(said.line)) is not None:
            return found
    return None


def _nobody(port: str) -> tuple[Line, Hello]:
    raise click.ClickException(
        f"No board said who it is on {port}. Check the cable (some carry power only), and flash it as "
        "`companion firmware` says."
    )
