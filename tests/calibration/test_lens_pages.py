"""The host measures a lens on its phone: look after look, what is missing, and a plain verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from hardware.cameras.lens import load_lens
from tests.calibration.lens_views import TRUE, photo, twelve_views
from tests.calibration.teaching_house import TeachingHouse
from tests.web.forms_in import be_host, form_saying, send


def shelf_of(host: FlaskClient) -> str:
    desk = be_host(host)
    assert "Measure a lens" in host.get(desk).text
    return f"/lens/{desk.split('/')[2]}/"


def test_only_the_host_measures(host: FlaskClient) -> None:
    assert host.get("/lens/guessed/").headers["Location"].endswith("/host")
    assert host.post("/lens/guessed/above").headers["Location"].endswith("/host")


def test_look_after_look_a_lens_is_measured_and_the_line_to_write_is_shown(
    host: FlaskClient, house: TeachingHouse, tmp_path: Path
) -> None:
    page = f"{shelf_of(host)}above"
    assert "Hold the lens sheet before the camera" in host.get(page).text
    said = []
    for view in twelve_views():
        house.bench.shown["above"] = view
        said.append(send(host, page, form_saying(host.get(page).text, "Look")).text)
    assert "View 1 taken. Move the sheet to the lower right" in said[0]
    assert "That is enough." in said[-1]
    assert host.get(f"{page}/drawing.png").content_type == "image/png"
    measured = send(host, page, form_saying(host.get(page).text, "Measure now")).text
    file = tmp_path / "lenses/above.json"
    assert "Good." in measured and str(file) in measured
    assert load_lens(file).focal_px == pytest.approx(TRUE.focal_px, rel=0.01)
    assert "measured" in host.get(shelf_of(host)).text


def test_what_is_wrong_with_a_look_is_said_and_views_can_be_dropped(
    host: FlaskClient, house: TeachingHouse
) -> None:
    page = f"{shelf_of(host)}above"
    look = form_saying(host.get(page).text, "Look")
    assert "There is no camera" in send(host, page, look).text
    house.bench.shown["above"] = np.full((540, 960, 3), 120, np.uint8)
    assert "Hold the lens sheet so that most of it is in view" in send(host, page, look).text
    house.bench.shown["above"] = photo((0.0, 0.0, 0.0), (0.0, 0.0, 430.0))
    assert "1 of 12 views" in send(host, page, look).text
    assert "Measure now" not in host.get(page).text
    assert "0 of 12 views" in send(host, page, form_saying(host.get(page).text, "Begin anew")).text


def test_the_sheet_is_printed_from_the_page(host: FlaskClient) -> None:
    shelf = shelf_of(host)
    assert host.get(f"{shelf}sheet-a4.pdf").data.startswith(b"%PDF")
    assert host.get(f"{shelf}sheet-napkin.pdf").status_code == 404
    assert host.get(f"{shelf}nowhere").status_code == 404
