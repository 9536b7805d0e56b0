"""Write the reference pages that come from the program itself: ``python docs/make_reference.py``.

A test compares them with what this script would write, so that they are never out of date.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click
from flask import Flask
from werkzeug.routing import Rule

from companion.cli import main as main_command
from companion.plugins import ONLY_BUILT_IN, find
from companion.settings import example, parse
from companion.sheets import Column, Kind
from companion.table.host import open_host
from web.app import create_app

FOLDER = Path(__file__).parent / "reference"


def commands_page() -> str:
    """Return the page of all commands, as their own help has it."""
    parts = ["# Commands\n", "Written by `docs/make_reference.py` from each command's own help.\n"]
    for name, found in sorted(find("companion.commands", only_built_in=True).items()):
        for words, command in _all(name, found.load()):
            # As under `companion` itself, whose settings its commands inherit.
            context = click.Context(
                command,
                info_name=f"companion {words}",
                terminal_width=98,
                help_option_names=main_command.context_settings["help_option_names"],
            )
            help_text = command.get_help(context)
            parts.append(f"## companion {words}\n\n```\n{help_text}\n```\n")
    return "\n".join(parts)


def _all(name: str, command: object) -> Iterator[tuple[str, click.Command]]:
    assert isinstance(command, click.Command)
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for under in sorted(command.list_commands(context)):
            yield from _all(f"{name} {under}", command.get_command(context, under))


def settings_page() -> str:
    """Return the page of all settings: the commented example file."""
    return (
        "# Settings\n\nWritten by `docs/make_reference.py`. One TOML file, `companion.toml`, in the home\n"
        "folder (`COMPANION_HOME`), in `CONFIGURATION_DIRECTORY`, or in the XDG configuration folder; or\n"
        "wherever `--settings` says. All that is wrong in it is said at once, with its line.\n\n"
        "What is chosen on pages (*Set up*) goes into `chosen.toml` in the home folder, written by the\n"
        "program. It fills in what your own file leaves open, adds devices, and names under `[left_out]`\n"
        "those of your file that are not to be used. Your own file is never written, and counts more.\n\n"
        f"```toml\n{example().rstrip()}\n```\n\nThe drivers' own keys: [Build a rig](../build-a-rig.md).\n"
    )


def catalogue_page() -> str:
    """Return the page of all tables that a box prints, game by game, from their declarations."""
    parts = [
        "# Catalogue\n",
        "Written by `docs/make_reference.py` from what each game declares of its boxes.\n",
    ]
    for name, found in sorted(find("companion.games", only_built_in=True).items()):
        for sheet in found.load().box.sheets:
            parts.append(f"## {name}, table `{sheet.name}`\n")
            ids = ", ".join(f"`{one}`" for one in sheet.ids) or "an id of a-z, 0-9 and _"
            rows = [f"| `{sheet.key}` | {ids} | no |"]
            rows += [
                f"| `{column.name}` | {allowed} | {'yes' if column.may_be_open else 'no'} |"
                for column, allowed in _by_column(sheet.columns)
            ]
            parts.append("\n".join(["| column | allowed | may be empty |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def _by_column(columns: Sequence[Column]) -> Iterator[tuple[Column, str]]:
    """Yield each column with what it allows; of a chart only the first box says it in full."""
    first: Column | None = None
    for column in columns:
        is_like = first is not None and column.grid is not None and column.allowed == first.allowed
        yield column, f"as `{first.name}`" if is_like and first is not None else _allowed(column)
        first = first if is_like else column if column.grid is not None else None


def _allowed(column: Column) -> str:
    """Return what a column allows, in words."""
    words = f"an id of `{column.of}`" if column.of else ", ".join(f"`{word}`" for word in column.allowed)
    match column.kind:
        case Kind.NUMBER:
            return f"{column.least} to {column.most}"
        case Kind.TEXT:
            once = "; every name once" if column.is_unique else ""
            return f"text, at most {column.most} letters{once}"
        case Kind.CHOICE:
            return words
        case Kind.CHOICES:
            return f"{column.least} to {column.most} words in their order, with blanks between: {words}"


EVERYBODY, SEAT, HOST = "Everybody in the room", "Whoever holds the token of a seat", "The host"
OF_SEATS = ("seat", "hands")
"""The first word of an address whose token is a seat's; all other tokens are a host's."""

HTTP_INTRODUCTION = """\
Written by `docs/make_reference.py` from the program itself.

Every page is complete without script, and every form is answered by the page that it came from: 303
and the page anew when it was done, 409 and the reason when it was refused. A phone is known by the
token in its address, never by a cookie. Forms that another site sent are refused (403), and so are
names that are not this table's (421): `web.allowed_hosts` in the [settings](settings.md) adds some.
What scripts do besides is in [messages of the sockets](sockets.md); files of an evening are described
in [evening](evening.md). Pages of strangers come in by `companion.pages`
([add a part](../add-a-part.md)) and are not listed here.
"""

CONVERTER = re.compile(r"<[^:<>]+:(\w+)>")
NO_PAGE = "No line: give the function a docstring."


def http_page() -> str:
    """Return the page of all addresses, from the application itself and its functions' own words."""
    rows: dict[str, list[str]] = {EVERYBODY: [], SEAT: [], HOST: []}
    for rule, says in _routes():
        methods = " ".join(sorted((rule.methods or set()) & {"GET", "POST"}))
        has_token = "<token>" in rule.rule
        room = SEAT if rule.rule.split("/")[1] in OF_SEATS else HOST if has_token else EVERYBODY
        address = CONVERTER.sub(r"<\1>", rule.rule)
        rows[room].append(f"| {methods} | `{address}` | {says} |")
    parts = ["# HTTP\n", HTTP_INTRODUCTION]
    for room, lines in rows.items():
        parts.append("\n".join([f"## {room}\n", "| | address | what |", "|---|---|---|", *lines, ""]))
    return "\n".join(parts)


def _routes() -> Iterator[tuple[Rule, str]]:
    """Yield every address of the application with what its function says of itself, files left out."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"COMPANION_HOME": folder, ONLY_BUILT_IN: "1"}
        with closing(open_host(parse("", Path(folder), source=None))) as host:
            app: Flask = create_app(host)[0]
            for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, str(rule.methods))):
                if not rule.endpoint.endswith(".static"):
                    said = app.view_functions[rule.endpoint].__doc__ or NO_PAGE
                    yield rule, said.partition("\n")[0]
            app.extensions["companion"].close()


PAGES = {
    "commands.md": commands_page,
    "settings.md": settings_page,
    "catalogue.md": catalogue_page,
    "http.md": http_page,
}


def main() -> None:
    """Write all pages, or print the one that is named."""
    if len(sys.argv) > 1:
        sys.stdout.write(PAGES[sys.argv[1]]())
        return
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
