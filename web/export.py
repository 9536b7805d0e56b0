"""An evening to take away: CSV for spreadsheets, JSON for programs, a play for BG Stats.

Holds what everybody at the table may know, never a token, a phone's name or what is still secret.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.journal import TableRow
from companion.spreadsheet import MARK, harmless
from companion.table.writer import TableView
from web.evening import Course
from web.words import Words, readable

FORMAT = "companion-evening"
VERSION = 1
CSV_HEADINGS = ("seat", "name", "place", "round", "what", "amount", "score", "rule")
BG_STATS = "bgstats://app.bgstatsapp.com/createPlay.html?data="
"""BG Stats takes a whole play as one address; with this scheme it needs no internet."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What an export is made of: the table, what is shown of it, and the seats' ways."""

    row: TableRow
    seen: TableView
    courses: Sequence[Course]
    words: Words

    @property
    def game(self) -> str:
        """The game's name as people write it."""
        return readable(self.row.game).title()

    @property
    def day(self) -> str:
        """The day at the table on which it was opened, as ``2026-11-30``; empty if nobody knows."""
        try:
            return datetime.fromisoformat(self.row.opened_utc).astimezone().strftime("%Y-%m-%d")
        except ValueError:
            return ""

    def file(self, ending: str) -> str:
        """Return a name for a download: letters, figures and dashes only."""
        name = "-".join(part for part in (readable(self.row.game).replace(" ", "-"), self.day) if part)
        plain = "".join(
            letter for letter in name.lower() if letter.isascii() and (letter.isalnum() or letter == "-")
        )
        return f"{plain or 'evening'}.{ending}"


def as_csv(kept: Kept) -> str:
    """Return every line of every score; no cell is one that a spreadsheet would run."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(CSV_HEADINGS)
    for one in kept.courses:
        name, place = harmless(kept.words.name(one.seat)), one.rank or ""
        score = 0
        for line in one.sum.tallies if one.sum else ():
            score += line.amount
            said = harmless(kept.words.say(line.say))
            writer.writerow(
                [
                    harmless(one.seat),
                    name,
                    place,
                    line.round or 0,
                    said,
                    line.amount,
                    score,
                    harmless(line.rule),
                ]
            )
        if one.sum is None:
            writer.writerow([harmless(one.seat), name, place, "", "", one.score, one.score, ""])
    return MARK + out.getvalue()


def as_json(kept: Kept) -> str:
    """Return the evening as JSON; ``docs/reference/evening.md`` says what each field means."""
    view, say = kept.seen.view, kept.words.say
    told: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": kept.row.game,
        "opened_utc": kept.row.opened_utc,
        "is_over": view.is_over,
        "round": view.round,
        "result": say(view.headline) if view.is_over else "",
        "seats": [_seat_out(one, kept.words) for one in kept.courses],
        "log": [
            {
                "entry": line.seq,
                "at_utc": line.at_utc,
                "says": say(line.say),
                "by": line.cause.by,
                "for_seat": line.cause.for_seat,
                "is_struck": line.is_struck,
            }
            for line in kept.seen.log
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _seat_out(one: Course, words: Words) -> dict[str, Any]:
    lines = one.sum.tallies if one.sum else ()
    return {
        "seat": one.seat,
        "name": words.name(one.seat),
        "score": one.score,
        "place": one.rank,
        "score_after_round": list(one.after),
        "why": [
            {"round": line.round, "amount": line.amount, "says": words.say(line.say), "rule": line.rule}
            for line in lines
        ],
    }


def as_play(kept: Kept) -> str:
    """Return the address that hands the play to BG Stats on the phone that scans it."""
    players = [
        {
            "name": kept.words.name(one.seat),
            "sourcePlayerId": one.seat,
            "score": str(one.score),
            "rank": one.rank or 0,
            "winner": one.rank == 1,  # written for everybody: without it the app on Android fails
        }
        for one in kept.courses
    ]
    play = {
        "sourceName": "Companion",
        "sourcePlayId": kept.row.id,
        "playDate": _play_date(kept.row.opened_utc),
        "game": {"name": kept.game, "sourceGameId": kept.row.game, "highestWins": True, "noPoints": False},
        "players": players,
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _play_date(opened_utc: str) -> str:
    try:
        return datetime.fromisoformat(opened_utc).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return ""
