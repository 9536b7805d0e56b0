"""The command ``companion``: finds its commands by entry point and loads only the one that is run.

Stands above ``companion.table``. Imports nothing heavy, so that help is there at once: what
the list of commands says of each is read from its source, without importing it.
"""

from __future__ import annotations

import ast
import json
import logging
import os
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

import click

from companion.log_lines import begin_log
from companion.plugins import GROUPS, Found, PartUnusable, find
from companion.settings import CannotStart

log = logging.getLogger(__name__)

COMMANDS = "companion.commands"
BENCHES = "companion.benches"

CALM = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""One thread for sums of small matrices: more of them only wait for one another, and noisily."""


class Commands(click.Group):
    """A group whose commands come in by one door; a broken one does not hinder the others."""

    def __init__(self, *args: Any, door: str = COMMANDS, **more: Any) -> None:
        super().__init__(*args, **more)
        self.door = door

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, found in find(self.door).items() if not found.clash]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = find(self.door).get(cmd_name)
        if found is None:
            return None
        try:
            command = found.load()
        except PartUnusable as error:
            raise click.ClickException(str(error)) from error
        if not isinstance(command, click.Command):
            raise click.ClickException(
                f"{found.target} of {found.package} is no click command; tell its makers."
            )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=known, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(found.name, _first_line(found)) for found in find(self.door).values() if not found.clash]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        for name, threads in CALM.items():  # before a command brings numpy in
            os.environ.setdefault(name, threads)
        try:
            return super().invoke(ctx)
        except (CannotStart, PartUnusable) as error:
            raise click.ClickException(str(error)) from error


@click.group("companion", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="companion", message="%(prog)s %(version)s")
@click.option("-v", "--verbose", count=True, help="Say more while working; twice: say everything.")
def main(verbose: int) -> None:
    """The companion at the table: a camera reads the board, every phone shows its score."""
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    begin_log(level)


@click.group(cls=Commands, door=BENCHES)
def bench() -> None:
    """Measure how fast this machine is at what the companion does."""


@click.command()
@click.option("--only-built-in", is_flag=True, help="Leave out what other packages bring.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def parts(only_built_in: bool, as_json: bool) -> None:
    """List the games, drivers, pages and commands found, and what failed to load."""
    found = [part for group in GROUPS for part in find(group, only_built_in=only_built_in).values()]
    if as_json:
        click.echo(json.dumps({"parts": [_as_json(part) for part in found]}, indent=2))
        return
    for group, kind in GROUPS.items():
        for part in (part for part in found if part.group == group):
            state = f"failed: {part.failure}" if part.failure else "ok"
            click.echo(f"{kind:<20} {part.name:<16} {part.package} {part.version:<8} {state}")
    broken = [part for part in found if part.failure]
    click.echo(f"{len(found)} parts found, {len(broken)} cannot be loaded.", err=True)


def _as_json(part: Found) -> dict[str, str | bool]:
    return {
        "group": part.group,
        "name": part.name,
        "package": part.package,
        "version": part.version,
        "target": part.target,
        "built_in": part.is_built_in,
        "failure": part.failure,
    }


def _first_line(found: Found) -> str:
    """Return the first line of a command's docstring, read from its source without importing it."""
    module, _, name = found.target.partition(":")
    try:
        return _docstring(module, name).partition("\n")[0]
    except (OSError, SyntaxError, ValueError) as error:
        log.debug("%s: %s", found.target, error)
        return f"(cannot be read; part of {found.package} {found.version})"


def _docstring(module: str, name: str, *, doors: int = 3) -> str:
    """Return what a function's source says of it, through at most so many modules that pass it on.

    Raises OSError if a module is not there, SyntaxError or ValueError if it cannot be read.
    """
    spec = _spec(module.split("."))
    if spec is None or spec.origin is None:
        raise FileNotFoundError(module)
    for node in ast.parse(Path(spec.origin).read_bytes()).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
        if isinstance(node, ast.ImportFrom) and node.module and not node.level and doors:
            for passed_on in node.names:
                if (passed_on.asname or passed_on.name) == name:
                    return _docstring(node.module, passed_on.name, doors=doors - 1)
    return ""


def _spec(path: Sequence[str]) -> ModuleSpec | None:
    """Find a module without importing its packages, as ``importlib.util.find_spec`` would."""
    spec = PathFinder.find_spec(path[0])
    for depth in range(2, len(path) + 1):
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(".".join(path[:depth]), spec.submodule_search_locations)
    return spec
