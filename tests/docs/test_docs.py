"""The docs are tested: what exists is named in them, and what they show is what the program says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import testkit
from companion.plugins import GROUPS, find
from companion.settings import LISTS, SECTIONS
from hardware import line_protocol, messages
from web.export import CSV_HEADINGS
from web.wire import DEEDS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")


def reference(page: str) -> str:
    """Return a page as the script writes it, in a fresh interpreter: click remembers how it was called."""
    script = [sys.executable, str(DOCS / "make_reference.py"), page]
    return subprocess.run(script, capture_output=True, text=True, check=True).stdout


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["commands.md", "settings.md", "catalogue.md", "http.md"])
def test_the_reference_is_what_the_program_says(page: str) -> None:
    assert text(f"reference/{page}") == reference(page), "run: python docs/make_reference.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_every_page_of_the_docs_is_reached_from_the_index() -> None:
    reached, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or not page.is_relative_to(DOCS):
            continue
        reached.add(page)
        links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if link.endswith(".md")]
        waiting += [(page.parent / link).resolve() for link in links if "://" not in link]
    assert set(DOCS.rglob("*.md")) - reached == set()
    assert "docs/README.md" in LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def test_every_address_has_a_line() -> None:
    assert "No line:" not in text("reference/http.md"), "give the page's function a docstring"


def test_every_table_and_column_of_a_catalogue_is_named() -> None:
    page = text("reference/catalogue.md")
    for found in find("companion.games", only_built_in=True).values():
        for sheet in found.load().box.sheets:
            assert f"table `{sheet.name}`" in page
            for heading in sheet.headings:
                assert f"| `{heading}` |" in page


def test_every_door_is_named() -> None:
    for group in GROUPS:
        assert f"`{group}`" in text("add-a-part.md")


def test_every_driver_is_named() -> None:
    for group in ("companion.cameras", "companion.dice", "companion.board_sensors"):
        for name in find(group, only_built_in=True):
            assert f"`{name}`" in text("build-a-rig.md")


def test_every_setting_is_named() -> None:
    page = text("reference/settings.md")
    for section, (_, keys) in SECTIONS.items():
        assert f"[{section}]" in page
        for key in keys:
            assert f"{key.name} = " in page
    for name in LISTS:
        assert f"[[{name}]]" in page


def test_every_contract_for_strangers_is_named() -> None:
    for name in vars(testkit):
        if name.endswith("Contract"):
            assert f"`{name}`" in text("add-a-part.md")


def test_every_message_of_the_sockets_is_named() -> None:
    source = (ROOT / "web" / "sockets.py").read_text(encoding="utf-8")
    said = set(re.findall(r'\bon(?:_event)?\("(\w+)"', source)) | set(re.findall(r'emit\("(\w+)"', source))
    page = text("reference/sockets.md")
    assert {"tap", "sync", "join", "shown", "view", "gone"} <= said
    for message in said - {"connect", "disconnect"}:
        assert f"`{message}`" in page
    for deed in DEEDS:
        assert f"`{deed}`" in page


def test_every_field_of_an_evenings_files_is_named() -> None:
    page = text("reference/evening.md")
    source = (ROOT / "web" / "export.py").read_text(encoding="utf-8")
    json_half = source.partition("def as_json")[2].partition("def as_play")[0]
    fields = set(re.findall(r'"(\w+)":', json_half)) | set(CSV_HEADINGS)
    assert {"seats", "log", "amount"} <= fields
    for field in fields:
        assert f"`{field}`" in page, field


def test_every_type_of_serial_line_is_named() -> None:
    page = text("reference/serial-line.md")
    sources = (Path(module.__file__).read_text(encoding="utf-8") for module in (messages, line_protocol))
    types = {name for source in sources for name in re.findall(r'"([A-Z]{2,5})"', source)}
    assert {"HELLO", "ST", "ROLL", "TURN", "BYE", "WHO"} <= types
    for name in types:
        assert f"`{name}`" in page
