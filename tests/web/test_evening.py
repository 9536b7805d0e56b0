"""After the game: places, curves, sums, and files that tell no secret and run in no spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from companion.game import Seat, SeatView, Sentence, Sum, Tally, View
from companion.journal import Cause, TableId, TableRow
from companion.table.writer import Submission, TableView
from tests.web.forms_in import sit
from tests.web.lantern_house import LanternHouse, opened
from web.app import Web
from web.curves import BOTTOM, SIGN_APART, TOP, drawn_curves
from web.evening import courses
from web.export import BG_STATS, Kept, as_csv, as_play
from web.words import Words

RED, BLUE = Seat("red"), Seat("blue")


def seen(*seats: SeatView, round_: int = 3) -> TableView:
    view = View(Sentence("over"), round_, seats, (), is_over=True)
    return TableView(TableId("evening"), "lantern", 9, 9, view)


def lines(*amounts: tuple[int, int | None]) -> tuple[Tally, ...]:
    return tuple(
        Tally(amount, Sentence("web.said", {"text": "stones"}), round_) for amount, round_ in amounts
    )


def seat(name: str, score: int, rank: int | None = None) -> SeatView:
    return SeatView(Seat(name), score, Sentence("state"), False, rank=rank, why=f"score.{name}")


MIA = Sum("score.red", Sentence("score"), lines((1, None), (4, 1), (3, 1), (-2, 3)))


def test_a_course_adds_a_score_up_round_by_round_the_best_first():
    found = courses(seen(seat("red", 6, 2), seat("blue", 9, 1)), [MIA])
    assert [one.seat for one in found] == [BLUE, RED]
    assert found[1].after == (1, 8, 8, 6)
    assert found[0].after == (), "a game that does not say how a score came about has no curve"


def test_curves_stay_in_their_frame_and_their_signs_apart():
    same = [Sum(f"score.{name}", Sentence("score"), lines((5, 1), (5, 3))) for name in ("red", "blue")]
    drawing = drawn_curves(courses(seen(seat("red", 10), seat("blue", 10)), same))
    assert drawing is not None
    heights = [int(point.split(",")[1]) for line in drawing.lines for point in line.points.split()]
    assert all(TOP <= y <= BOTTOM for y in heights)
    ys = sorted(line.sign_y for line in drawing.lines)
    assert ys[1] - ys[0] >= SIGN_APART
    assert drawing.lines[0].dashes != drawing.lines[1].dashes
    assert [number for _, number in drawing.rounds] == [0, 1, 2, 3]


def test_scores_below_nothing_have_their_place_in_the_drawing():
    sums = [Sum("score.red", Sentence("score"), lines((-7, 1), (2, 2)))]
    drawing = drawn_curves(courses(seen(seat("red", -5)), sums))
    assert drawing is not None
    assert min(score for _, score in drawing.scores) <= -7


def test_there_is_no_drawing_of_one_point():
    assert drawn_curves(courses(seen(seat("red", 0), round_=0), [])) is None


NASTY = ("=1+1", "+SUM(A1)", "-2+3", "@cmd", "\uff1dnow")


@pytest.mark.parametrize("name", NASTY)
def test_no_name_is_a_formula_in_a_spreadsheet(name: str):
    words = Words("tests.web.lantern_words", "en").calling({RED: name})
    row = TableRow(TableId("evening"), "lantern", "", {}, "2026-11-30T20:00:00+00:00")
    text = as_csv(Kept(row, seen(), courses(seen(seat("red", 6, 1)), [MIA]), words))
    cells = [cell for one in csv.reader(io.StringIO(text.removeprefix("\ufeff"))) for cell in one]
    assert f"'{name}" in cells
    assert [cell for cell in cells if re.match(r"[=+@\t\uff1d]|-\D", cell)] == []


def test_a_play_for_bg_stats_names_the_winner_and_everybody_else():
    words = Words("tests.web.lantern_words", "en").calling({RED: "Mia & Co", BLUE: "Zoë"})
    row = TableRow(TableId("evening"), "lantern", "", {}, "2026-11-30T20:00:00+00:00")
    address = as_play(Kept(row, seen(), courses(seen(seat("red", 6, 2), seat("blue", 9, 1)), [MIA]), words))
    assert address.startswith(BG_STATS)
    play = json.loads(unquote(address.removeprefix(BG_STATS)))
    assert play["playDate"] == "2026-11-30 20:00:00"
    assert [(one["name"], one["score"], one["winner"]) for one in play["players"]] == [
        ("Zoë", "9", True),
        ("Mia & Co", "6", False),
    ]


@pytest.fixture
def table() -> Iterator[tuple[LanternHouse, FlaskClient, Web]]:
    house = LanternHouse()
    app, _, web = opened(house)
    yield house, app.test_client(), web
    web.close()
    house.close()


def tap(house: LanternHouse, seat: str | None, command: dict[str, object]) -> None:
    cause = Cause("seat" if seat else "host", Seat(seat) if seat else None, client=f"phone-{seat}")
    seq = house.table.look(None).seq
    given = Submission(f"tap-{seq}", cause, seq, command)
    assert house.table.submit(given).result(5).is_done, command


def test_files_have_their_names_and_types_and_hold_no_secret_and_no_token(
    table: tuple[LanternHouse, FlaskClient, Web],
):
    house, client, web = table
    token = sit(client, "Mia", "red").strip("/").rpartition("/")[2]
    sit(client, "<b>Ravi", "blue")
    tap(house, None, {"do": "open", "seats": ["red", "blue"]})
    tap(house, "red", {"do": "choose", "seat": "red", "wind": "north"})
    answers = {
        url: client.get(url) for url in ("/after", "/after/sheet", "/after/scores.csv", "/after/evening.json")
    }
    for url, answer in answers.items():
        assert answer.status_code == 200, url
        for secret in ("north", token, web.room.pin.digits, "phone-red", "tap-1"):
            assert secret not in answer.text, f"{secret} in {url}"
        assert "<b>Ravi" not in answer.text or answer.mimetype != "text/html", url
    for url, type_, ending in (
        ("/after/scores.csv", "text/csv", "csv"),
        ("/after/evening.json", "application/json", "json"),
    ):
        headers = answers[url].headers
        assert headers["Content-Type"].startswith(type_)
        assert re.fullmatch(
            rf'attachment; filename="lantern-[\d-]+\.{ending}"', headers["Content-Disposition"]
        )
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
    told = json.loads(answers["/after/evening.json"].text)
    assert (told["format"], told["is_over"], len(told["seats"])) == ("companion-evening", False, 2)
    assert "How it stands" in answers["/after"].text


def test_before_anybody_plays_the_page_says_how_it_stands(table: tuple[LanternHouse, FlaskClient, Web]):
    _, client, _ = table
    for url in ("/after", "/after/sheet", "/after/scores.csv", "/after/evening.json"):
        assert client.get(url).status_code == 200, url
