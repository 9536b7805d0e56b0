"""A box on the shelf: corrected whole or not at all, and it learns what its table is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.catalogue import CatalogueRefused
from companion.game import Seat, Wire
from companion.games.making_monsters.game import GAME
from companion.journal import Cause
from companion.settings import parse
from companion.table import boxes
from companion.table.boxes import BoxUnusable, catalogue_of, correct, new_box, picture_of
from companion.table.host import Host, open_host
from companion.table.views import Receipt, Submission

SETTINGS = parse('[table]\nbox = "mine"\n', Path("companion.toml"), source=None)
WAIT_S = 30


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    cards = {**GAME.stand_in["cards"], "card_00": {"name": "Unpriced", "parts": ["limb", "goop"]}}
    new_box("mine", {**GAME.stand_in, "cards": cards})
    return tmp_path


@pytest.fixture
def host(home: Path) -> Iterator[Host]:
    host = open_host(SETTINGS)
    yield host
    host.close()


def tap(host: Host, command: Wire, seat: str | None = "red") -> Receipt:
    name = f"tap-{host.table.look(None).seq}-{command['do']}"
    by = "host" if seat is None else "seat"
    cause = Cause(by=by, for_seat=None if seat is None else Seat(seat), client="phone", request=name)
    return host.table.submit(Submission(name, cause, host.table.look(None).seq, command)).result(WAIT_S)


def priced(prestige: int) -> Any:
    def change(catalogue: Wire) -> Wire:
        cards = catalogue["cards"]
        return {**catalogue, "cards": {**cards, "card_00": {**cards["card_00"], "prestige": prestige}}}

    return change


def in_play(host: Host) -> None:
    assert tap(host, {"do": "set_up", "seats": ["red", "blue"], "track": 8}, None).is_done
    assert tap(host, {"do": "place_card", "seat": "red", "card": "card_00"}).is_done


def correction(host: Host, change: Any) -> Receipt:
    name = f"correction-{host.table.look(None).seq}"
    return host.correct_box("mine", change, request=name, cause=Cause("host", client="phone", request=name))


def test_what_a_seat_tells_is_kept_in_the_box_for_all_later_games(host: Host, home: Path):
    in_play(host)
    assert tap(host, {"do": "tell_card", "seat": "red", "card": "card_00", "prestige": 9}).is_done
    assert host.table.catalogue()["cards"]["card_00"]["prestige"] == 9
    assert host.row.catalogue["cards"]["card_00"].get("prestige") is None  # the table was opened without it
    host.close()
    assert catalogue_of("mine")["cards"]["card_00"] == {
        "name": "Unpriced",
        "parts": ["limb", "goop"],
        "prestige": 9,
    }
    again = open_host(SETTINGS)
    assert again.table.catalogue()["cards"]["card_00"]["prestige"] == 9
    again.new_table()
    assert again.row.catalogue["cards"]["card_00"]["prestige"] == 9
    again.close()


def test_what_the_box_says_otherwise_by_now_is_not_overwritten(host: Host):
    in_play(host)
    correct("mine", priced(4))
    assert tap(host, {"do": "tell_card", "seat": "red", "card": "card_00", "prestige": 9}).is_done
    host.close()
    assert catalogue_of("mine")["cards"]["card_00"]["prestige"] == 4


def test_a_correction_on_the_host_page_reaches_box_table_and_log(host: Host):
    in_play(host)
    assert correction(host, priced(5)).is_done
    assert catalogue_of("mine")["cards"]["card_00"]["prestige"] == 5
    assert host.table.catalogue()["cards"]["card_00"]["prestige"] == 5
    line = host.table.look(Seat("blue")).log[-1]
    assert (line.say.key, line.cause.by) == ("mm.told.catalogue", "host")


def test_a_correction_that_the_table_refuses_leaves_the_box_as_it_was(host: Host):
    in_play(host)
    tap(host, {"do": "draw", "seat": "red", "limb": 1, "goop": 1, "stitch": 3})
    assert host.table.look(Seat("red")).view.facts["labs"]["red"]["parts"]

    def other_parts(catalogue: Wire) -> Wire:
        cards = {card: {**row, "parts": ["zapper"]} for card, row in catalogue["cards"].items()}
        return {**catalogue, "cards": cards}

    receipt = correction(host, other_parts)
    assert (receipt.is_done, receipt.why and receipt.why.key) == (False, "mm.no.told_impossible")
    assert catalogue_of("mine")["cards"]["card_00"]["parts"] == ["limb", "goop"]


def test_a_correction_that_makes_the_box_unplayable_is_refused(host: Host):
    with pytest.raises(BoxUnusable, match="cart1 to cart4"):
        correction(host, lambda catalogue: {**catalogue, "carts": {}})
    assert catalogue_of("mine")["carts"]


def test_nothing_is_half_written(home: Path, monkeypatch: pytest.MonkeyPatch):
    before = (home / "boxes/mine/catalogue.json").read_bytes()

    def refuse(catalogue: Wire) -> Wire:
        raise CatalogueRefused([])

    with pytest.raises(CatalogueRefused):
        correct("mine", refuse)
    with pytest.raises(TypeError):
        correct("mine", lambda catalogue: {**catalogue, "cards": object()})
    assert (home / "boxes/mine/catalogue.json").read_bytes() == before
    assert [path.name for path in (home / "boxes/mine").glob(".cat*")] == []


@pytest.mark.parametrize("text", ['{"cards": {"card_00": {"na', "[1, 2]", "", "[" * 100_000])
def test_a_catalogue_that_cannot_be_read_says_what_to_do(home: Path, text: str):
    (home / "boxes/mine/catalogue.json").write_text(text)
    with pytest.raises(BoxUnusable, match=r"companion box teach FOLDER --name mine.*cards import mine FILE"):
        catalogue_of("mine")


def test_a_catalogue_without_its_carts_says_where_to_fill_them_in(home: Path):
    told = json.loads((home / "boxes/mine/catalogue.json").read_text())
    del told["carts"]
    (home / "boxes/mine/catalogue.json").write_text(json.dumps(told))
    with pytest.raises(BoxUnusable, match=r"part types of cart1.*What the box prints"):
        open_host(SETTINGS)


def test_a_box_is_not_made_twice_nor_under_a_path(home: Path):
    with pytest.raises(BoxUnusable, match="already"):
        new_box("mine", {})
    with pytest.raises(BoxUnusable, match="no name for a box"):
        new_box("../theirs", {})


def test_no_picture_is_read_from_elsewhere(home: Path):
    (home / "boxes/mine" / boxes.PICTURES / "cards").mkdir(parents=True)
    (home / "boxes/mine" / boxes.PICTURES / "cards" / "card_00.jpg").write_bytes(b"jpeg")
    assert picture_of("mine", "cards", "card_00") == b"jpeg"
    assert picture_of("mine", "cards", "../../catalogue") is None
    assert picture_of("mine", "cards", "card_01") is None
