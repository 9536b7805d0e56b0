"""Reading a page as a phone without script does: its forms, their fields and their buttons."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin

from flask.testing import FlaskClient


@dataclass(slots=True)
class Form:
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    text: str = ""

    def filled(self, **given: str) -> list[tuple[str, str]]:
        """Return what is sent: hidden fields and what is ticked, with ``given`` in their place."""
        named = {name.replace("__", "."): value for name, value in given.items()}
        return [(name, value) for name, value in self.fields if name not in named] + list(named.items())


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select = ""
        self._chosen_at: int | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "form":
            self._open = Form(has.get("action") or "")
            self.forms.append(self._open)
        elif self._open is not None and tag == "select":
            self._select, self._chosen_at = has.get("name") or "", None
        elif self._open is not None and tag == "option" and self._select:
            if self._chosen_at is None:  # the first option is chosen unless another one says so
                self._chosen_at = len(self._open.fields)
                self._open.fields.append((self._select, has.get("value") or ""))
            elif "selected" in has:
                self._open.fields[self._chosen_at] = (self._select, has.get("value") or "")
        elif self._open is not None and tag == "input" and has.get("name"):
            if has.get("type") in ("radio", "checkbox") and "checked" not in has:
                return
            self._open.fields.append((has["name"] or "", has.get("value") or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.text += data


def forms_in(page: str) -> list[Form]:
    """Return the forms of a page."""
    reader = _Forms()
    reader.feed(page)
    return reader.forms


def form_saying(page: str, text: str) -> Form:
    """Return the first form of a page with this text in it."""
    found = [form for form in forms_in(page) if text in form.text]
    assert found, f"no form says {text!r}; there is {[form.text.split() for form in forms_in(page)]}"
    return found[0]


def send(client: FlaskClient, url: str, form: Form, **given: str) -> Any:
    """Send a form as a browser would, from the page at ``url``."""
    body = urlencode(form.filled(**given))
    target = urljoin(url, form.action)
    return client.post(target, data=body, content_type="application/x-www-form-urlencoded")


def sit(client: FlaskClient, name: str, seat: str) -> str:
    """Sit down and return the address of the seat's page."""
    answer = client.post("/join", data={"name": name, "seat": seat})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def be_host(client: FlaskClient, pin: str = "123456") -> str:
    """Become the host and return the address of the host's page."""
    answer = client.post("/host", data={"pin": pin}, environ_base={"REMOTE_ADDR": "192.168.4.20"})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])
