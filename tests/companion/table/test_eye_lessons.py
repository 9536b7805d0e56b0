"""What a person says against the eyes is passed on to them; the table does not wait for it."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Event
from typing import Any

from companion.board import PieceKind, Place
from companion.journal import Cause
from companion.table.eye_lessons import Corrected, EyeLessons
from companion.table.senses_asked import EyesClosed, TooManyAsked
from tests.lantern.game import BANK, Lantern
from tests.web.lantern_house import LanternHouse, bank_reading

SPACE = next(iter(Lantern().box.boards[0].spaces))
HOST = Cause("host", client="desk")
LAMP = Place(BANK, SPACE)


def test_a_correction_names_what_was_seen_and_by_which_camera() -> None:
    house, heard = LanternHouse(), list[Corrected]()
    house.table.on_corrected(heard.append)
    house.table.sighted(bank_reading({SPACE: ("stone", False)})).result(5)
    assert house.table.say(LAMP, PieceKind("empty"), cause=HOST).result(5).is_done
    assert heard == [Corrected(LAMP, PieceKind("stone"), PieceKind("empty"), "ceiling")]
    house.close()


def test_nobody_is_told_what_the_eyes_were_sure_of_anyway() -> None:
    house, heard = LanternHouse(), list[Corrected]()
    house.table.on_corrected(heard.append)
    house.table.sighted(bank_reading({SPACE: ("empty", True)})).result(5)
    house.table.say(LAMP, PieceKind("empty"), cause=HOST).result(5)
    assert heard == []
    house.close()


def test_eyes_that_are_closed_or_busy_lose_a_correction_and_nothing_else() -> None:
    asked, all_asked = list[dict[str, Any]](), Event()

    def do_job(job: str, told: Any) -> Future[Any]:
        asked.append(dict(told))
        if len(asked) == 3:
            all_asked.set()
        if len(asked) == 1:
            raise TooManyAsked
        answer: Future[Any] = Future()
        answer.set_exception(EyesClosed("restarting"))
        return answer

    lessons = EyeLessons(do_job, lambda: "2026-11-30T20:00:00Z")
    for said in ("stone", "shell", "empty"):
        lessons.take(Corrected(LAMP, PieceKind("unknown"), PieceKind(said), "ceiling"))
    assert all_asked.wait(5)
    lessons.close()
    assert [one["said"] for one in asked] == ["stone", "shell", "empty"]
    assert asked[0] | {"said": ""} == {
        "do": "learn",
        "place": str(LAMP),
        "seen": "unknown",
        "said": "",
        "source": "ceiling",
        "at_utc": "2026-11-30T20:00:00Z",
    }
