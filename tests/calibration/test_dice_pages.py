"""The host teaches a box's dice on the phone: throw some, name their colour, see what was learnt."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from flask.testing import FlaskClient

from calibration.box_folder import write_box
from calibration.dice_job import kinds_of
from companion.ports import Pixels
from hardware.simulated.art.dice import DieLook, LaidDie, draw_dice, standing
from hardware.simulated.lens import Lens
from tests.calibration.drawn_photos import jpeg
from tests.calibration.teaching_house import TeachingHouse
from tests.web.forms_in import be_host, form_saying, send
from vision.box import DICE_FILE
from vision.dice_shelf import box_set_path

BODIES = {"terror": (40.0, 40.0, 190.0), "science": (170.0, 90.0, 20.0)}


def thrown(kind: str, seed: int) -> Pixels:
    """Draw two dice of a colour on a table."""
    chance = np.random.default_rng(seed)
    picture = np.full((360, 480, 3), (64, 74, 84), np.uint8)
    look = DieLook(body=BODIES[kind], pip=(240.0, 240.0, 240.0))
    dice = [
        LaidDie(
            int(chance.integers(1, 7)), standing(x, 55.0, 16.0), 16.0, float(chance.uniform(0, 90)), look=look
        )
        for x in (40.0, 105.0)
    ]
    draw_dice(picture, Lens((480, 360), (75.0, 55.0), 3.0, height_mm=700.0, tilt_deg=5.0, k1=0.0).above, dice)
    return np.asarray(np.clip(picture + chance.normal(0, 1.5, picture.shape), 0, 255), np.uint8)


def dice_page(host: FlaskClient) -> str:
    """Begin to teach ``ours`` and return the address of the page of its dice."""
    shelf = f"/teach/{be_host(host).split('/')[2]}/"
    send(host, shelf, form_saying(host.get(shelf).text, "Begin"), name="ours")
    assert 'href="dice"' in host.get(f"{shelf}ours/").text
    return f"{shelf}ours/dice"


def throw(host: FlaskClient, page: str, kind: str, pixels: Pixels | None) -> Any:
    photo = {} if pixels is None else {"photo": (io.BytesIO(jpeg(pixels)), "photo.jpg")}
    form = {"kind": kind, **photo}
    return host.post(page, data=form, content_type="multipart/form-data", follow_redirects=True)


def test_dice_are_taught_throw_by_throw_and_forgotten(host: FlaskClient) -> None:
    page = dice_page(host)
    first = throw(host, page, "Terror ", thrown("terror", 1))
    assert "2 dice seen." in first.text
    assert "Throw them once more" in first.text
    again = throw(host, page, "terror", thrown("terror", 2))
    assert "4 dice seen." in again.text
    throw(host, page, "science", thrown("science", 3))
    assert {kind: len(looks) for kind, looks in kinds_of("ours").items()} == {"terror": 4, "science": 2}
    assert "look alike" not in host.get(page).text
    host.post(f"{page}/terror/forget")
    assert set(kinds_of("ours")) == {"science"}
    host.post(f"{page}/science/forget")
    assert not box_set_path("ours").exists()


def test_what_teaches_nothing_is_said(host: FlaskClient, house: TeachingHouse) -> None:
    page = dice_page(host)
    assert throw(host, page, "terror", None).status_code == 409
    bare = np.full((240, 320, 3), 90, np.uint8)
    assert "No die is to be seen" in throw(host, page, "terror", bare).text
    assert "small letters" in throw(host, page, "../other", bare).text
    house.bench.shown["above"] = bare
    by_camera = host.post(page, data={"kind": "terror", "camera": "above"})
    assert "No die is to be seen" in by_camera.text
    assert kinds_of("ours") == {}
    assert host.get(page.replace("ours", "theirs")).status_code == 404


def test_dice_stay_in_a_box_that_is_taught_anew(tmp_path: Path) -> None:
    told: dict[str, Any] = {"boards": []}
    folder = write_box(tmp_path, "ours", told, {}, {})
    (folder / DICE_FILE).write_text('{"format": 1}')
    assert (write_box(tmp_path, "ours", told, {}, {}) / DICE_FILE).read_text() == '{"format": 1}'
