"""The host teaches a box on its phone: pages without script, photos of a sheet, views taken back."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.laying_sheets import card_sheet, ring_sheet
from calibration.lessons import open_lessons
from companion.settings import home
from tests.calibration.drawn_photos import Lying, Taken, jpeg, photo
from tests.calibration.teaching_house import TeachingHouse
from tests.calibration.test_laid_pieces import LAYOUT, scan, token
from tests.calibration.tiny_box import tiny_box
from tests.web.forms_in import be_host, form_saying, send

RING = ring_sheet()


def begun(host: FlaskClient) -> str:
    """Begin to teach ``ours`` and return the address of its page."""
    desk = be_host(host)
    assert "Teach a box" in host.get(desk).text
    shelf = f"/teach/{desk.split('/')[2]}/"
    made = send(host, shelf, form_saying(host.get(shelf).text, "Begin"), name="ours")
    assert made.status_code == 303, made.text
    return str(made.headers["Location"])


def sent(host: FlaskClient, address: str, pixels: Any, **more: Any) -> Any:
    file = (io.BytesIO(jpeg(pixels)), "photo.jpg")
    return host.post(address, data={"photo": file, **more}, content_type="multipart/form-data")


def test_only_the_host_sees_the_pages(host: FlaskClient) -> None:
    assert host.get("/teach/guessed/").status_code == 303
    assert host.get("/teach/guessed/ours/").headers["Location"].endswith("/host")


def test_a_token_is_taught_view_by_view_and_a_view_taken_back(host: FlaskClient) -> None:
    box = begun(host)
    page = f"{box}piece/token.limb"
    assert "in the ring" in host.get(page).text
    for turn in (0.0, 110.0):
        answer = sent(host, page, photo(RING, [token("limb", turn_deg=turn)], Taken(seed=int(turn))))
        assert answer.status_code == 303, answer.text
    assert "2 of 3 views" in host.get(page).text
    assert host.get(f"{box}view/token.limb/1").content_type == "image/png"
    dropped = send(host, page, form_saying(host.get(page).text, "Take view 1 back"))
    assert dropped.status_code == 303
    assert "1 of 3 views" in host.get(page).text
    assert host.get(f"{box}picture/token.limb").status_code == 200
    send(host, page, form_saying(host.get(page).text, "Forget"))
    assert host.get(f"{box}picture/token.limb").status_code == 404


def test_the_rigs_camera_looks_into_the_ring(host: FlaskClient, house: TeachingHouse) -> None:
    page = f"{begun(host)}piece/token.goop"
    house.bench.shown["above"] = photo(RING, [token("goop")], Taken(scale=4.0))
    assert (
        send(host, page, form_saying(host.get(page).text, "Look through above"), camera="above").status_code
        == 303
    )
    assert "1 of 3 views" in host.get(page).text


def test_a_poor_photo_is_answered_with_what_to_do(host: FlaskClient) -> None:
    page = f"{begun(host)}piece/token.limb"
    answer = sent(host, page, photo(RING, [token("limb")], Taken(blur_px=5.5)))
    assert answer.status_code == 409
    assert "Not sharp" in answer.text
    letter = host.post(page, data={"photo": (io.BytesIO(b"a letter"), "a.txt")})
    assert "I cannot use this picture" in letter.text
    assert "Take a photo first" in host.post(page, data={}).text


def test_look_alikes_and_a_view_of_another_piece_are_named(host: FlaskClient) -> None:
    box = begun(host)
    for kind, shown in (("limb", "limb"), ("goop", "goop"), ("rot", "goop")):
        for turn in (0, 50):
            sent(
                host, f"{box}piece/token.{kind}", photo(RING, [token(shown, turn_deg=turn)], Taken(seed=turn))
            )
    page = host.get(f"{box}piece/token.rot").text
    assert "goop token look alike" in page
    assert "look alike" not in host.get(f"{box}piece/token.limb").text
    answer = sent(host, f"{box}piece/token.limb", photo(RING, [token("goop", turn_deg=20)], Taken(seed=9)))
    assert answer.status_code == 303
    assert "View 3 of limb token looks like" in host.get(f"{box}piece/token.limb").text


def test_cards_are_taught_nine_at_a_time(host: FlaskClient) -> None:
    box, sheet = begun(host), card_sheet((63.0, 88.0))
    lying = [
        Lying(scan(f"cards/card_{i:02}.png"), 4.5, place.centre_mm)
        for i, place in enumerate(sheet.places[:3])
    ]
    pixels = photo(sheet, lying, Taken(scale=5.0))
    named = ["card.card_00", "card.card_01", "card.card_02", "card.card_03"]
    answer = sent(host, f"{box}cards", pixels, card=named)
    assert answer.status_code == 303, answer.text
    assert open_lessons("ours").taught() == set(named[:3])
    twice = sent(host, f"{box}cards", pixels, card=["card.card_00", "card.card_00"])
    assert "named twice" in twice.text
    fewer = sent(host, f"{box}cards", pixels, card=["card.card_00"])
    assert "I see 3 cards, 1 are named" in fewer.text


def board_photo() -> np.ndarray[Any, Any]:
    """Photograph an empty board from the side; a board's corners lie at the ends of the lines."""
    art = cv2.resize(scan("boards/lab_red.jpg"), (1260, 900))
    there = np.array([[130, 160], [1395, 90], [1455, 1010], [80, 940]], np.float32)
    here = np.array([[0, 0], [1260, 0], [1260, 900], [0, 900]], np.float32)
    table = np.full((1100, 1600, 3), (70, 95, 120), np.uint8)
    lain = cv2.warpPerspective(
        art, cv2.getPerspectiveTransform(here, there), (1600, 1100), table, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(lain, np.uint8)


def test_a_board_is_taught_from_one_photo_and_its_four_corners(host: FlaskClient) -> None:
    box = begun(host)
    page = f"{box}piece/board.lab_red"
    answer = sent(host, page, board_photo())
    address = str(answer.headers["Location"])
    assert address.endswith("/corners")
    for x, y in ((130, 160), (1395, 90), (1455, 1010), (80, 940)):
        high = 288 * 1100 / 1600
        tapped = host.post(
            address, data=_corners_so_far(host, address) | {"at.x": x * 288 / 1600, "at.y": y * high / 1100}
        )
        near = str(tapped.headers["Location"])
        assert "near=" in near
        shown = _corners_so_far(host, near)
        left, top = (
            float(v) * s - 112 for v, s in zip(str(shown["near"]).split(","), (1600, 1100), strict=True)
        )
        exact = {"at.x": (x - left) / 224 * 288, "at.y": (y - top) / 224 * 288}
        tapped = host.post(address.partition("?")[0], data=shown | exact)
        address = str(tapped.headers["Location"])
    assert address.endswith("piece/board.lab_red")
    picture = cv2.imdecode(
        np.frombuffer(host.get(f"{box}picture/board.lab_red").data, np.uint8), cv2.IMREAD_COLOR
    )
    wanted = cv2.resize(scan("boards/lab_red.jpg"), picture.shape[1::-1])
    like = cv2.matchTemplate(picture[20:-20, 20:-20], wanted[20:-20, 20:-20], cv2.TM_CCOEFF_NORMED)
    assert like.max() > 0.95


def _corners_so_far(host: FlaskClient, address: str) -> dict[str, Any]:
    fields = form_saying(host.get(address).text, "").fields
    found: dict[str, Any] = {"corner": [v for n, v in fields if n == "corner"]}
    near = [v for n, v in fields if n == "near"]
    return found | ({"near": near[0]} if near else {})


def test_nothing_is_learnt_before_a_token_and_a_board_were_shown(host: FlaskClient) -> None:
    box = begun(host)
    assert "one token at least" in host.post(f"{box}learn").text


def test_a_name_is_asked_for_once_and_sizes_must_be_sizes(host: FlaskClient) -> None:
    box = begun(host)
    shelf = box.removesuffix("ours/")
    again = send(host, shelf, form_saying(host.get(shelf).text, "Begin"), name="ours")
    assert (again.status_code, "being taught already" in again.text) == (409, True)
    odd = send(host, shelf, form_saying(host.get(shelf).text, "Begin"), name="other", token="900")
    assert "5 to 200 mm" in odd.text


def test_the_sheets_can_be_printed_from_the_page(host: FlaskClient) -> None:
    box = begun(host)
    assert host.get(f"{box}sheet/ring-a4.pdf").data.startswith(b"%PDF")
    assert host.get(f"{box}sheet/ring-napkin.pdf").status_code == 404


def test_what_was_shown_is_there_after_a_restart(host: FlaskClient) -> None:
    box = begun(host)
    sent(host, f"{box}piece/token.limb", photo(RING, [token("limb")]))
    told = json.loads((open_lessons("ours").folder / "index.json").read_text())
    assert [row["file"] for row in told] == ["tokens/limb.png"]
    assert set(LAYOUT["token_outlines"]) == {
        p.name for p in open_lessons("ours").pieces() if p.kind == "token"
    }


def test_a_box_leaves_only_by_export_and_comes_in_by_import(host: FlaskClient, tmp_path: Path) -> None:
    box = begun(host)
    sent(host, f"{box}piece/token.limb", photo(RING, [token("limb")]))
    with host.get(f"{box}box.zip") as archive:
        kept = archive.data
    shelf = box.removesuffix("ours/")
    same = host.post(f"{shelf}import", data={"file": (io.BytesIO(kept), "b.zip"), "name": ""})
    assert "There is a box ours already" in same.text
    other = host.post(f"{shelf}import", data={"file": (io.BytesIO(kept), "b.zip"), "name": "copy"})
    assert other.status_code == 303, other.text
    assert open_lessons("copy").taught() == {"token.limb"}
    assert "no .zip archive" in host.post(f"{shelf}import", data={"file": (io.BytesIO(b"x"), "b.zip")}).text


def test_eyes_at_the_table_use_a_box_that_was_learnt_anew(
    host: FlaskClient, house: TeachingHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = begun(host)
    sent(host, f"{box}piece/token.limb", photo(RING, [token("limb")]))
    lessons = open_lessons("ours")
    board = lessons.piece("board.lab_red")
    assert board is not None
    lessons.set_picture(board, scan("boards/lab_red.jpg"), 4.0)
    # Practising a real box takes 17 s of one core; what follows it is what is meant here.
    monkeypatch.setattr("calibration.teach_job.teach_box", lambda *told, **more: tmp_box("ours"))
    host.post(f"{box}learn")
    assert not house.reopened.is_set()  # another box lies on the table
    house.row = replace(house.row, box="ours")
    assert host.post(f"{box}learn").status_code == 303
    assert house.reopened.wait(5)
    assert "I know this box now" in host.get(box).text


def tmp_box(name: str) -> Path:
    """Put a small box on the shelf under a name."""
    return tiny_box(home() / "boxes", name)
