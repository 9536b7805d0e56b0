"""Which language a page speaks: each phone has its own, chosen on the page or by what its browser asks for.

A language is offered as soon as the web, the companion or the game has a catalogue for it, so a third one
comes by adding a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from urllib.parse import urlsplit

from babel.core import Locale, UnknownLocaleError, negotiate_locale
from flask import Blueprint, has_request_context, redirect, request
from werkzeug.wrappers import Response

from companion.sentences import SOURCE_LANGUAGE, languages_in

COOKIE = "language"
"""Holds a language and nothing else; who sits where is in the page's own address, never in a cookie."""

KEPT_S = 400 * 24 * 3600
PACKAGES = ("web", "companion")
"""Whose catalogues every table is shown by, besides that of its game."""


def offered(packages: Sequence[str]) -> tuple[str, ...]:
    """Return the languages that any of some packages has, the source language first."""
    found = sorted({language for package in packages for language in languages_in(package)})
    return tuple(sorted(found, key=lambda one: one != SOURCE_LANGUAGE))


class Languages:
    """The languages of a service; ``settled`` is spoken where no phone and no browser asks for one."""

    def __init__(self, settled: str) -> None:
        self._settled = settled
        self._offered: dict[str, tuple[str, ...]] = {}

    def of(self, package: str) -> tuple[str, ...]:
        """Return what a table with the game of a package can be shown in."""
        if package not in self._offered:
            self._offered[package] = offered((package, *PACKAGES))
        return self._offered[package]

    def settled(self, package: str) -> str:
        """Return the language of what is kept, and of whoever asks for none."""
        return self._settled if self._settled in self.of(package) else SOURCE_LANGUAGE

    def settle(self, language: str) -> None:
        """Speak a language from now on where nobody asks for another."""
        self._settled = language

    def spoken_here(self, package: str) -> str:
        """Return the language of the request in hand; outside of one the settled one."""
        return spoken_here(self.of(package), self.settled(package))


@cache
def called(language: str) -> str:
    """Return what speakers of a language call it; its code if nobody has told Babel."""
    try:
        name = Locale.parse(language, sep="_").get_display_name()
    except (ValueError, UnknownLocaleError):
        name = None
    return name[:1].upper() + name[1:] if name else language


def spoken_here(among: Sequence[str], otherwise: str) -> str:
    """Return the language of the request in hand among those offered.

    What was named in the address counts most, then what was chosen on this phone, then what its
    browser asks for.
    """
    if not has_request_context():
        return otherwise
    for named in (request.args.get("language", ""), request.cookies.get(COOKIE, "")):
        if (known := named.replace("-", "_")) in among:
            return known
    asked = [tag.replace("-", "_") for tag, quality in request.accept_languages if quality > 0]
    return negotiate_locale(asked, among) or otherwise


def keep_on_phone(answer: Response, language: str) -> None:
    """Let the phone that gets this answer speak a language from now on."""
    answer.set_cookie(COOKIE, language, max_age=KEPT_S, samesite="Strict", httponly=True)


def language_pages(pages: Blueprint, among: Callable[[], Sequence[str]]) -> None:
    """Add the form by which a phone chooses its language."""

    @pages.post("/language")
    def choose() -> Response:
        # The page that it was sent from; only its path, so that nobody is led away.
        """Choose the language of this phone."""
        back = urlsplit(request.referrer or "").path
        answer = redirect(back if back.startswith("/") and back[1:2] != "/" else "/", 303)
        chosen = request.form.get("language", "")
        if chosen in among():
            keep_on_phone(answer, chosen)
        return answer
