"""Sentences become words by the PO files of packages."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.game import Sentence
from companion.sentences import Speaker, keys_in

ENGLISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "t.hello"
msgstr "Hello {name}"

msgid "t.seat.red"
msgstr "Red"

msgid "t.seat.blue"
msgstr "Blue"

msgid "t.wait"
msgstr "Waiting for {seats}"

msgid "t.draw"
msgid_plural "t.draw"
msgstr[0] "Draw {count} part"
msgstr[1] "Draw {count} parts"

msgid "t.only_english"
msgstr "Only here"

msgid "t.empty"
msgstr ""
"""

GERMAN = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "t.hello"
msgstr "Hallo {name}"

msgid "t.wait"
msgstr "Warten auf {seats}"

msgid "t.seat.red"
msgstr "Rot"

msgid "t.seat.blue"
msgstr "Blau"
"""

POLISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "t.draw"
msgid_plural "t.draw"
msgstr[0] "{count} część"
msgstr[1] "{count} części"
msgstr[2] "{count} kawałków"
"""

RED, BLUE = Sentence("t.seat.red"), Sentence("t.seat.blue")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    name = f"phrases_{abs(hash(request.node.name))}"
    folder = tmp_path / name
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    for language, text in (("en", ENGLISH), ("de", GERMAN), ("pl", POLISH)):
        (folder / f"locale/{language}.po").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_values_take_their_places(package: str):
    assert Speaker([package]).say(Sentence("t.hello", {"name": "Ada"})) == "Hello Ada"


def test_what_a_person_typed_is_never_read_as_a_template(package: str):
    assert Speaker([package]).say(Sentence("t.hello", {"name": "{name} {0} %s"})) == "Hello {name} {0} %s"


def test_sentences_within_sentences_are_said_too(package: str):
    assert Speaker([package]).say(Sentence("t.hello", {"name": RED})) == "Hello Red"


@pytest.mark.parametrize(
    ("seats", "said"),
    [((), "Waiting for "), ((RED,), "Waiting for Red"), ((RED, BLUE), "Waiting for Red and Blue")],
)
def test_several_are_said_as_a_list(package: str, seats: tuple[Sentence, ...], said: str):
    assert Speaker([package]).say(Sentence("t.wait", {"seats": seats})) == said


def test_lists_are_british_and_each_language_has_its_own(package: str):
    three = Sentence("t.wait", {"seats": (RED, BLUE, RED)})
    assert Speaker([package]).say(three) == "Waiting for Red, Blue and Red"
    assert Speaker([package], "de").say(three) == "Warten auf Rot, Blau und Rot"


@pytest.mark.parametrize(("count", "said"), [(1, "Draw 1 part"), (0, "Draw 0 parts"), (4, "Draw 4 parts")])
def test_the_count_chooses_the_plural(package: str, count: int, said: str):
    assert Speaker([package]).say(Sentence("t.draw", {"count": count})) == said


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 część"), (3, "3 części"), (5, "5 kawałków"), (22, "22 części")]
)
def test_the_plural_follows_the_rule_of_the_language(package: str, count: int, said: str):
    assert Speaker([package], "pl").say(Sentence("t.draw", {"count": count})) == said


def test_what_a_language_has_not_is_said_in_english(package: str):
    speaker = Speaker([package], "de-AT")
    assert speaker.say(Sentence("t.only_english")) == "Only here"
    assert speaker.say(Sentence("t.hello", {"name": "Ada"})) == "Hallo Ada"


def test_an_unknown_key_is_shown_in_brackets_and_complained_of_once(
    package: str, caplog: pytest.LogCaptureFixture
):
    speaker = Speaker([package])
    with caplog.at_level(logging.WARNING):
        assert speaker.say(Sentence("t.nobody")) == "[t.nobody]"
        assert speaker.say(Sentence("t.nobody")) == "[t.nobody]"
        assert speaker.say(Sentence("t.empty")) == "[t.empty]"
    assert [record.getMessage() for record in caplog.records] == [
        "no catalogue knows the sentence t.nobody (en)",
        "no catalogue knows the sentence t.empty (en)",
    ]


def test_a_missing_value_is_shown_as_its_place(package: str, caplog: pytest.LogCaptureFixture):
    assert Speaker([package]).say(Sentence("t.hello")) == "Hello {name}"
    assert "t.hello.name" in caplog.text


def test_a_package_without_words_is_no_obstacle(package: str):
    assert Speaker(["json", package]).say(RED) == "Red"


def test_the_keys_of_a_package_can_be_listed(package: str):
    assert {"t.hello", "t.draw"} <= keys_in(package)
    assert keys_in("json") == frozenset()
