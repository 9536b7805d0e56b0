"""Spaces are drawn over a board: moved, renamed, copied; what is wrong is said in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from calibration.layout_checks import problems
from calibration.layout_edits import (
    EditRefused,
    added,
    changed,
    copied,
    like,
    removed,
    sheet_of,
    spots_of,
    with_board,
    with_piece,
    with_tags,
)
from calibration.lessons import open_lessons
from calibration.shipped_layout import Sizes, bare_layout, shipped_layout, taught_part
from calibration.teach import catalogue_of, tag_numbers
from companion.games.making_monsters.game import GAME
from tests.calibration.teaching_house import TeachingHouse
from tests.calibration.test_teach_pages import begun
from tests.web.forms_in import form_saying, send
from tests.web.lantern_house import opened

SHIPPED = shipped_layout(GAME, Sizes())
LAB = sheet_of(SHIPPED, "lab", is_card=False)


def said(layout: dict[str, Any], name: str = "tray", **more: Any) -> list[tuple[str, ...]]:
    sheet = sheet_of(layout, name, is_card=False)
    found = problems(sheet, spots_of(layout, sheet), **more)
    return [(one.key.removeprefix("layout.check."), *map(str, one.values.values())) for one in found]


def tray(*centres: tuple[float, float]) -> dict[str, Any]:
    layout = with_board(bare_layout(Sizes()), "tray", (120.0, 80.0), is_round=False)
    sheet = sheet_of(layout, "tray", is_card=False)
    for centre in centres:
        layout, _ = added(layout, sheet, "token", centre)
    return layout


def test_the_shipped_layout_says_what_the_game_itself_says() -> None:
    catalogue = catalogue_of(SHIPPED)
    for key in ("carts", "printed_monsters", "order_secondary", "upgrades", "rot_track_spots"):
        assert catalogue[key] == GAME.stand_in[key], key
    GAME.initial(catalogue)
    boards = {layout.id: layout for layout in GAME.box.boards}
    assert tag_numbers(SHIPPED, "lab", "blue") == tuple(tag.number for tag in boards["lab_blue"].tags)
    assert tag_numbers(SHIPPED, "central", None) == tuple(tag.number for tag in boards["central"].tags)


def test_nothing_is_wrong_with_what_is_shipped() -> None:
    for name in SHIPPED["boards"]:
        expected = [slot["id"] for slot in SHIPPED["boards"][name]["slots"]]
        assert said(SHIPPED, name, expected=expected, tokens=SHIPPED["token_outlines"]) == []


def test_a_space_is_moved_resized_renamed_and_nothing_else_changes() -> None:
    fresh = changed(SHIPPED, LAB, "reject1", id="refuse1", centre_mm=(50.0, 60.0), size_mm=(24.0, 24.0))
    spots = {spot.id: spot for spot in spots_of(fresh, LAB)}
    assert (spots["refuse1"].centre_mm, spots["refuse1"].size_mm) == ((50.0, 60.0), (24.0, 24.0))
    before = {spot.id: spot for spot in spots_of(SHIPPED, LAB)}
    assert {k: v for k, v in spots.items() if k != "refuse1"} == {
        k: v for k, v in before.items() if k != "reject1"
    }
    assert fresh["boards"]["central"] == SHIPPED["boards"]["central"]


def test_a_copy_is_numbered_on_and_lies_beside() -> None:
    layout = tray((20.0, 20.0))
    sheet = sheet_of(layout, "tray", is_card=False)
    layout = changed(layout, sheet, "space1", id="shelf1")
    layout, name = copied(layout, sheet, "shelf1", (30.0, 0.0))
    assert name == "shelf2"
    assert {s.id: s.centre_mm for s in spots_of(layout, sheet)} == {
        "shelf1": (20.0, 20.0),
        "shelf2": (50.0, 20.0),
    }
    assert [s.id for s in spots_of(removed(layout, sheet, "shelf1"), sheet)] == ["shelf2"]


def test_what_is_wrong_is_said() -> None:
    assert said(tray((20.0, 20.0), (32.0, 20.0)))[2:] == [("overlap", "space1", "space2")]
    assert ("outside", "space1") in said(tray((5.0, 40.0)))
    assert ("unnamed", "space1") in said(tray((40.0, 40.0)))
    assert said(tray(), expected=["sort1"]) == [("missing", "sort1")]
    assert said(tray(), expected=[f"s{n}" for n in range(10)])[-1] == ("missing_more", "2")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"id": "../etc"}, "name"),
        ({"id": "reject2"}, "twice"),
        ({"kind": "dragon"}, "kind"),
        ({"size_mm": (0.0, 0.0)}, "size"),
    ],
)
def test_a_change_that_makes_no_layout_is_refused(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(EditRefused) as caught:
        changed(SHIPPED, LAB, "reject1", **values)
    assert caught.value.reason == reason


def test_the_spaces_of_one_card_serve_another() -> None:
    cards = list(SHIPPED["cards"])
    three = next(c for c in cards if len(SHIPPED["cards"][c]["part_slots"]) == 3)
    sheet = sheet_of(SHIPPED, three, is_card=True)
    moved = changed(SHIPPED, sheet, "part0", centre_mm=(12.0, 13.0))
    other = next(c for c in cards if c != three and len(SHIPPED["cards"][c]["part_slots"]) == 3)
    fresh = like(moved, sheet_of(moved, other, is_card=True), three)
    assert fresh["cards"][other]["part_slots"][0]["x"] == 12.0
    needs = [part["needs"] for part in SHIPPED["cards"][other]["part_slots"]]
    assert [part["needs"] for part in fresh["cards"][other]["part_slots"]] == needs


def test_markers_are_placed_at_the_corners_or_not_at_all() -> None:
    assert with_tags(SHIPPED, LAB, None)["boards"]["lab"]["tag_centers"] == []
    placed = with_tags(tray(), sheet_of(tray(), "tray", is_card=False), 10.0)
    assert placed["boards"]["tray"]["tag_centers"] == [
        [10.0, 10.0],
        [110.0, 10.0],
        [110.0, 70.0],
        [10.0, 70.0],
    ]
    assert len(tag_numbers(placed, "tray", None)) == 4
    with pytest.raises(EditRefused):
        with_tags(SHIPPED, LAB, 400.0)


def test_what_was_not_shown_is_left_out_of_what_is_learnt() -> None:
    part = taught_part(SHIPPED, ["token.limb", "board.lab_red"])
    assert (list(part["token_outlines"]), list(part["boards"])) == (["limb"], ["lab"])
    assert {slot["kind"] for slot in part["boards"]["lab"]["slots"]} == {"token"}
    assert part["cards"] == {}
    with_card = taught_part(SHIPPED, ["token.limb", "board.lab_red", "card.card_00"])
    assert set(with_card["cards"]) == {"card_00", "printed_1", "printed_2"}


def test_a_box_is_made_of_nothing() -> None:
    layout = with_piece(with_piece(bare_layout(Sizes()), "token", "gem"), "card", "fool")
    assert (list(layout["token_outlines"]), list(layout["cards"])) == (["gem"], ["fool"])
    for kind, name in (("token", "gem"), ("dragon", "x"), ("token", "No Name")):
        with pytest.raises(EditRefused):
            with_piece(layout, kind, name)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    house = TeachingHouse()
    app, _, web = opened(house)
    yield app.test_client()
    web.close()
    house.close()


def test_a_space_is_moved_on_the_page_by_its_numbers_or_by_a_tap(host: FlaskClient) -> None:
    page = f"{begun(host)}layout/board/lab/"
    form = form_saying(host.get(page).text, "Save")
    moved = send(host, page, form, name="first", x="77,5", do="save")
    assert moved.headers["Location"].endswith("?chosen=first")
    spots = {s.id: s for s in spots_of(open_lessons("ours").layout, LAB)}
    assert spots["first"].centre_mm[0] == 77.5
    assert "Tap where first belongs" in host.get(f"{page}?chosen=first").text
    assert host.post(page, data={"space": "first", "at.x": "170", "at.y": "100"}).status_code == 303
    x, y = {s.id: s for s in spots_of(open_lessons("ours").layout, LAB)}["first"].centre_mm
    assert (x, y) == pytest.approx((210.0, 123.5), abs=0.2)
    assert "The game plays with" in host.get(page).text
    refused = host.post(page, data={"space": "first", "do": "move", "x": "left", "y": "1"})
    assert (refused.status_code, "left is no number" in refused.text) == (409, True)


def test_boards_and_pieces_are_added_on_the_page(host: FlaskClient) -> None:
    page = f"{begun(host)}layout/"
    assert (
        host.post(page, data={"kind": "board", "name": "My Tray", "wide": "120", "high": "80"}).status_code
        == 303
    )
    assert (
        host.post(f"{page}board/my_tray/", data={"at.x": "100", "at.y": "100", "kind": "token"}).status_code
        == 303
    )
    assert "space1 has no name of its own yet" in host.get(f"{page}board/my_tray/").text
    assert host.post(page, data={"kind": "token", "name": "gem"}).status_code == 303
    assert open_lessons("ours").piece("token.gem") is not None
    assert host.get(f"{page}board/nowhere/").status_code == 404
