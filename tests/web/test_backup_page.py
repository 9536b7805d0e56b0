"""Backups on the host's page: downloaded, looked into, put in place by a fresh start, and taken back."""

from __future__ import annotations

import io
import re
import threading
import time
import urllib.request
import uuid
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.journal import Cause
from companion.table.restore import wanted
from companion.table.writer import Submission
from tests.web.forms_in import be_host
from tests.web.lantern_house import LanternHouse, opened
from tests.web.serving import serving

PATIENCE_S = 60.0


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def multipart(file: bytes, **fields: str) -> tuple[bytes, dict[str, str]]:
    """Return a form with a file as browsers send it."""
    mark = uuid.uuid4().hex
    parts = [f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
             for name, value in fields.items()]  # fmt: skip
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="b.zip"\r\n\r\n'.encode()
    body = b"".join([*parts, head, file, f"\r\n--{mark}--\r\n".encode()])
    return body, {"Content-Type": f"multipart/form-data; boundary={mark}"}


def asked(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> str:
    request = urllib.request.Request(url, body, headers or {})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return words(answer.read().decode())


def until(url: str, said: str) -> str:
    end_s, pause, page = time.monotonic() + PATIENCE_S, threading.Event(), ""
    while said not in page and time.monotonic() < end_s:
        pause.wait(0.1)
        try:
            page = asked(url)
        except (OSError, ValueError):
            continue
    assert said in page, page
    return page


def test_a_backup_is_restored_by_a_real_service_and_the_page_says_how_it_ended(tmp_path: Path):
    with serving(tmp_path, "--port", "0") as (_, told):
        (url,) = told["addresses"]
        with urllib.request.urlopen(f"{url}host", b"", timeout=PATIENCE_S) as answer:
            page = f"{answer.url}backup/"
        asked(f"{url}join", b"name=Mia&seat=red")
        with urllib.request.urlopen(f"{page}companion.zip", timeout=PATIENCE_S) as answer:
            backup = answer.read()
        asked(f"{url}join", b"name=Ravi&seat=blue")
        preview = asked(page, *multipart(backup, settings="yes"))
        assert "The backup holds Made" in preview and "It replaces 0 evenings" in preview
        asked(f"{page}restore", b"")
        until(page, "Done, ")  # the host is still the host
        with urllib.request.urlopen(f"{url}screen", timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        assert "Mia" in asked(url) and "Ravi" not in asked(url)
        (aside,) = tmp_path.glob("before-restore-*")
        asked(f"{page}back", f"aside={aside.name}".encode())
        until(url, "Ravi")


def host(client: FlaskClient) -> str:
    return be_host(client).rstrip("/") + "/backup/"


def test_a_running_evening_is_not_replaced_unless_somebody_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    house = LanternHouse()
    app, _, web = opened(house, seats_path=tmp_path / "seats.sqlite")
    try:
        client = app.test_client()
        page = host(client)
        opening = Submission("open", Cause("host"), 0, {"do": "open", "seats": ["red", "blue"]})
        assert house.table.submit(opening).result(PATIENCE_S).is_done
        with client.get(f"{page}companion.zip") as answer:
            file = answer.data
        client.post(page, data={"file": (io.BytesIO(file), "b.zip")})
        assert "An evening is running. Pause it first" in client.get(page).text
        client.post(f"{page}restore")
        assert wanted(tmp_path) is None and not hasattr(house, "begun_again")
        client.post(f"{page}restore", data={"playing": "yes"})
        assert wanted(tmp_path) is not None and house.begun_again == 1
    finally:
        web.close()
        house.close()
