"""The host's page of backups: download one, upload one, see what it holds and replaces, and how it ended."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from typing import Any

from flask import Blueprint, redirect, render_template, request, send_file, url_for
from werkzeug.exceptions import RequestEntityTooLarge

from companion.game import Sentence
from companion.settings import home
from companion.table.archive import MB
from companion.table.archive_faults import ArchiveRefused
from companion.table.backup import MOST_ARCHIVE_BYTES, Holding, holding, home_of, make_backup, now_utc
from companion.table.restore import asides, forget_staged, go_back, last_outcome, staged_about, want, wanted
from companion.table.stage_backup import stage
from web.desk import Role
from web.host_deeds import GuestOf
from web.live_pages import Answer
from web.room import Room
from web.sections import Audience

MULTIPART_BYTES = 64 * 1024


def backup_pages(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """Add the page of backups, and what is sent from it."""

    def shown(token: str, fault: Sentence | None = None, status: int = 200) -> Answer:
        values = room.sections.values(Audience(Role.HOST), room.host.table.look(None)) | room.page_facts()
        page = render_template("backup.html", **values, **_state(room), token=token, fault=fault)
        return page, status

    @pages.get("/host/<token>/backup/")
    def backups(token: str) -> Answer:
        """The page of backups: make one, take one in, how the last restore ended."""
        guest_of(token)
        return shown(token)

    @pages.get("/host/<token>/backup/companion.zip")
    def download_backup(token: str) -> Answer:
        """A backup as one archive; `pictures=yes`: with those of what the camera saw."""
        guest_of(token)
        file = tempfile.TemporaryFile(dir=home())  # noqa: SIM115 (closed by what sends it)
        try:
            make_backup(_home(room), file, with_pictures="pictures" in request.args)
        except (OSError, sqlite3.Error) as fault:
            file.close()
            return shown(token, Sentence("web.said", {"text": str(fault)}), 500)
        file.seek(0)
        name = f"companion-{now_utc()[:10]}.zip"
        return send_file(file, "application/zip", as_attachment=True, download_name=name)

    @pages.post("/host/<token>/backup/")
    def upload_backup(token: str) -> Answer:
        """Take in a backup; nothing is replaced before the page has said what it holds."""
        guest_of(token)
        request.max_content_length = MOST_ARCHIVE_BYTES + MULTIPART_BYTES
        try:
            sent = request.files.get("file")
            if sent is None or not sent.filename:
                return shown(token, Sentence("archive.no_archive"), 409)
            with closing(sent):
                stage(sent.stream, home(), with_settings="settings" in request.form)
        except RequestEntityTooLarge:
            too_large = ArchiveRefused("too_large", {"most": MOST_ARCHIVE_BYTES // MB}, kind="backup")
            return shown(token, too_large.sentence, 413)
        except ArchiveRefused as refused:
            return shown(token, refused.sentence, 409)
        except OSError as fault:
            return shown(token, Sentence("web.said", {"text": str(fault)}), 409)
        return redirect(url_for("pages.backups", token=token), 303)

    _restoring(pages, room, guest_of)


def _restoring(pages: Blueprint, room: Room, guest_of: GuestOf) -> None:
    """What replaces something: only when nobody plays, or somebody says that it shall be so."""

    @pages.post("/host/<token>/backup/restore")
    def restore_backup(token: str) -> Answer:
        """Put the backup that was taken in in the place of what is there."""
        guest_of(token)
        if staged_about(home()) and _may(room):
            want(_home(room), with_settings=True)
            room.host.begin_again()
        return redirect(url_for("pages.backups", token=token), 303)

    @pages.post("/host/<token>/backup/back")
    def back_from_backup(token: str) -> Answer:
        """Go back to what was there before a restore."""
        guest_of(token)
        aside = request.form.get("aside", "")
        if aside in asides(home()) and _may(room):
            go_back(_home(room), aside, holding(home() / aside))
            room.host.begin_again()
        return redirect(url_for("pages.backups", token=token), 303)

    @pages.post("/host/<token>/backup/leave")
    def leave_backup(token: str) -> Answer:
        """Leave everything as it is, and forget the backup that was taken in."""
        guest_of(token)
        if wanted(home()) is None:
            forget_staged(home())
        return redirect(url_for("pages.backups", token=token), 303)


def _may(room: Room) -> bool:
    return not _is_playing(room) or request.form.get("playing") == "yes"


def _is_playing(room: Room) -> bool:
    """Tell whether an evening runs here that nobody has paused."""
    seen = room.host.table.look(None)
    is_running = bool(seen.log) and not seen.view.is_over
    return is_running and not room.manner.is_paused(seen.table)


def _home(room: Room) -> Any:
    return home_of(room.host.settings.source)


def _state(room: Room) -> dict[str, Any]:
    staged = staged_about(home())
    kept = asides(home())
    return {
        "heading": "",
        "holds": Holding(**staged["holds"]) if staged else None,
        "made_utc": str(staged.get("made_utc", "")),
        "replaces": holding(home(), _home(room)) if staged else None,
        "is_under_way": wanted(home()) is not None,
        "outcome": last_outcome(home()),
        "aside": kept[-1] if kept else "",
        "is_playing": _is_playing(room),
    }
