"""The command line: quick, forgiving of broken parts, and clear about misspelt ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.plugins import GROUPS, find

# What starting the command may load besides the standard library.
ALLOWED = {"click", "companion"}

STRANGERS = """
import click
from companion.settings import CannotStart

@click.command()
def juggle():
    \"\"\"Throw all dice at once.

    More than the list of commands shows.
    \"\"\"
    click.echo("juggled")

@click.command()
def trip():
    \"\"\"Fall over.\"\"\"
    raise CannotStart("The floor is wet. Dry it.")

no_command = 3
"""

ENTRY_POINTS = """
[companion.commands]
juggle = circus_commands:juggle
trip = circus_door:stumble
no-command = circus_commands:no_command
cracked = circus_cracked:cracked
missing = circus_not_there:missing
"""


@pytest.fixture
def _circus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dist = tmp_path / "circus-0.3.dist-info"
    dist.mkdir()
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: circus\nVersion: 0.3\n")
    (dist / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "circus_commands.py").write_text(STRANGERS)
    (tmp_path / "circus_cracked.py").write_text("import circus_tent\ndef cracked():\n    'Fall in two.'\n")
    (tmp_path / "circus_door.py").write_text("from circus_commands import trip as stumble\n")
    monkeypatch.syspath_prepend(str(tmp_path))


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.stdout, result.stderr


def test_help_lists_every_command_with_its_first_line(_circus: None):
    code, said, _ = run("--help")
    assert code == 0
    listed = [line.split()[0] for line in said.partition("Commands:")[2].splitlines() if line.strip()]
    assert set(find("companion.commands")) <= set(listed)
    assert "Throw all dice at once.\n" in said
    assert "Fall in two." in said
    assert "Fall over." in said
    assert "(cannot be read; part of circus 0.3)" in said


def test_help_loads_no_part_and_nothing_heavy():
    script = (
        "import sys; before = set(sys.modules)\n"
        "from click.testing import CliRunner\n"
        "from companion.cli import main\n"
        "result = CliRunner().invoke(main, ['--help'])\n"
        "assert result.exit_code == 0, result.output\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))\n"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    strangers = set(loaded.stdout.split()) - set(sys.stdlib_module_names) - {"__mp_main__"}
    assert strangers == ALLOWED


def test_a_strangers_command_runs(_circus: None):
    assert run("juggle") == (0, "juggled\n", "")


def test_a_broken_command_says_why_and_the_others_go_on(_circus: None):
    code, _, said = run("cracked")
    assert code == 1
    assert "The command 'cracked' of circus 0.3 cannot be loaded: ModuleNotFoundError" in said
    assert run("juggle")[0] == 0


def test_something_that_is_no_command_is_said(_circus: None):
    code, _, said = run("no-command")
    assert (code, said) == (
        1,
        "Error: circus_commands:no_command of circus is no click command; tell its makers.\n",
    )


def test_what_keeps_a_command_from_starting_is_one_sentence_and_exit_one(_circus: None):
    assert run("trip") == (1, "", "Error: The floor is wet. Dry it.\n")


def test_a_misspelt_command_offers_the_near_match_and_is_misuse(_circus: None):
    code, _, said = run("jugle")
    assert code == 2
    assert "No such command 'jugle'. Did you mean 'juggle'?" in said


def test_parts_lists_what_is_found_and_what_failed_and_why(_circus: None):
    code, said, remarks = run("parts")
    assert code == 0
    lines = {tuple(line.split()[:3]): line for line in said.splitlines()}
    assert lines[("command", "juggle", "circus")].endswith("ok")
    assert (
        "failed: ModuleNotFoundError: No module named 'circus_tent'"
        in lines[("command", "cracked", "circus")]
    )
    assert "parts found, " in remarks


def test_parts_can_leave_strangers_out_and_print_json(_circus: None):
    code, said, _ = run("parts", "--only-built-in", "--json")
    found = json.loads(said)["parts"]
    assert code == 0
    assert {part["package"] for part in found} == {"companion"}
    assert {part["group"] for part in found} <= set(GROUPS)
    assert {"name": "parts", "failure": ""}.items() <= next(p for p in found if p["name"] == "parts").items()


def test_the_version_is_that_of_the_package():
    code, said, _ = run("--version")
    assert code == 0
    assert said.startswith("companion ")


def test_python_m_companion_is_the_same_command():
    said = subprocess.run(
        [sys.executable, "-m", "companion", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert said.startswith("Usage: companion [OPTIONS] COMMAND")


def test_every_command_that_is_there_says_what_it_does():
    with_code = [part for part in find("companion.commands", only_built_in=True).values() if not part.failure]
    for part in with_code:
        command = part.load()
        assert isinstance(command, click.Command)
        assert command.help
