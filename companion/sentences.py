"""Sentences into words: reads the PO files of packages and renders ``Sentence`` for people.

Stands beside the journal, above ``companion.game``. The rules and the table say keys and
values only; a ``Speaker`` is made for each language where words are shown.
"""

from __future__ import annotations

import gettext
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from babel.core import Locale
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from companion.game import Sentence

log = logging.getLogger(__name__)

SOURCE_LANGUAGE = "en"
"""The language that every package has; what is missing elsewhere is said in it."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Speaker:
    """Says sentences in one language, from the catalogues of some packages.

    The first package that knows a key wins, so that a game may word a generic sentence anew.
    Catalogues are read once, when the speaker is made; saying is safe from any thread.
    """

    def __init__(self, packages: Sequence[str], language: str = SOURCE_LANGUAGE) -> None:
        self.language = language
        # CLDR's "en" is American and lists "a, b, and c"; our English is British.
        self._lists_like = Locale.parse("en_GB" if language == "en" else language, sep=_separator(language))
        self._phrasebooks = [
            phrasebook
            for spoken in _fallbacks(language)
            for package in packages
            if (phrasebook := _Phrasebook.of(package, spoken)) is not None
        ]
        self._complained: set[str] = set()

    def say(self, sentence: Sentence) -> str:
        """Render a sentence; a key that nobody knows comes back in square brackets."""
        for phrasebook in self._phrasebooks:
            template = phrasebook.template(sentence)
            if template:
                return PLACEHOLDER.sub(lambda found: self._value(sentence, found[1]), template)
        self._complain(sentence.key, "no catalogue knows the sentence %s (%s)")
        return f"[{sentence.key}]"

    def say_all(self, sentences: Sequence[Sentence]) -> str:
        """Render sentences as a list: ``a, b and c``."""
        return format_list([self.say(one) for one in sentences], locale=self._lists_like)

    def _value(self, sentence: Sentence, name: str) -> str:
        if name not in sentence.values:
            self._complain(f"{sentence.key}.{name}", "the sentence %s has no value for its template (%s)")
            return f"{{{name}}}"
        value = sentence.values[name]
        if isinstance(value, Sentence):
            return self.say(value)
        return self.say_all(value) if isinstance(value, tuple) else str(value)

    def _complain(self, key: str, complaint: str) -> None:
        if key not in self._complained:
            self._complained.add(key)
            log.warning(complaint, key, self.language)


def keys_in(package: str, language: str = SOURCE_LANGUAGE) -> frozenset[str]:
    """Return all keys of a package's catalogue; empty if it has none in that language."""
    phrasebook = _Phrasebook.of(package, language)
    return frozenset() if phrasebook is None else frozenset(phrasebook.templates)


def languages_in(package: str) -> tuple[str, ...]:
    """Return the languages that a package has a catalogue for, as its files are named (``pt_BR``)."""
    folder = files(package) / "locale"
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return tuple(sorted(name.removesuffix(".po") for name in names if name.endswith(".po")))


class _Phrasebook:
    """One PO file: templates by key, in the order of its plural forms."""

    def __init__(self, catalog: Catalog) -> None:
        self.templates: Mapping[str, tuple[str, ...]] = {
            _first(message.id): _forms(message.string) for message in catalog if message.id
        }
        # The rule stands in the file's own Plural-Forms line, or is the language's.
        self._form_of: Callable[[int], int] = gettext.c2py(catalog.plural_expr)

    @classmethod
    def of(cls, package: str, language: str) -> _Phrasebook | None:
        """Read ``<package>/locale/<language>.po``, None if it is not there."""
        path: Traversable = files(package) / "locale" / f"{language}.po"
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return cls(read_po(file, locale=language, abort_invalid=True))

    def template(self, sentence: Sentence) -> str:
        """Return the words for a sentence, the plural form chosen by its ``count``; empty if unknown."""
        forms = self.templates.get(sentence.key, ())
        count = sentence.values.get("count")
        if len(forms) > 1 and isinstance(count, int):
            return forms[min(self._form_of(abs(count)), len(forms) - 1)]
        return forms[-1] if forms else ""


def _first(id_or_pair: str | Sequence[str]) -> str:
    return id_or_pair if isinstance(id_or_pair, str) else id_or_pair[0]


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    if text is None:
        return ()
    return (text,) if isinstance(text, str) else tuple(text)


def _separator(language: str) -> str:
    return "-" if "-" in language else "_"


def _fallbacks(language: str) -> list[str]:
    """Return the catalogues to ask, best first: ``de-AT`` gives ``de_AT``, ``de``, ``en``."""
    full = language.replace("-", "_")
    return list(dict.fromkeys([full, full.split("_")[0], SOURCE_LANGUAGE]))
