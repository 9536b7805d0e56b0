"""The table's own Wi-Fi: while it is on, its code stands before that of the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from segno.helpers import make_wifi_data

from companion.addresses import likeliest_first, own_addresses
from hardware.appliance.access_point import ADDRESS
from tests.web.forms_in import be_host
from tests.web.lantern_house import LanternHouse, opened
from web.addresses import code_path
from web.wifi import Wifi, own_wifi


def test_name_and_password_are_read_as_they_were_written(tmp_path: Path):
    told = tmp_path / "companion-wifi"
    told.write_text("TABLE-4F7A\nsecret word;,:\\\n")
    wifi = own_wifi(told)
    assert wifi == Wifi("TABLE-4F7A", "secret word;,:\\")
    assert wifi is not None
    assert wifi.code == code_path(r"WIFI:T:WPA;S:TABLE-4F7A;P:secret word\;,\:\\;;")


@pytest.mark.parametrize("written", ["", "only a name\n", "a\nb\nc\n"])
def test_what_is_half_written_is_no_wifi(tmp_path: Path, written: str):
    told = tmp_path / "companion-wifi"
    assert own_wifi(told) is None
    told.write_text(written)
    assert own_wifi(told) is None


def test_both_codes_are_on_every_page_that_lets_phones_in_and_go_with_the_wifi():
    on: list[Wifi] = []
    house = LanternHouse()
    app, _, web = opened(house, find_wifi=lambda: on[0] if on else None)
    client = app.test_client()
    pages = ("/", "/screen", be_host(client))
    assert all("TABLE-4F7A" not in client.get(page).text for page in pages)
    on.append(Wifi("TABLE-4F7A", "k7mq2xw9hdte"))
    assert web.room.whereabouts.look()
    for page in pages:
        shown = client.get(page).text
        assert shown.index(on[0].code[1]) < shown.index(web.room.whereabouts.code[1])
        assert "k7mq2xw9hdte" in shown
    assert "k7mq2xw9hdte" not in client.get("/overlay").text
    on.clear()
    assert web.room.whereabouts.look()
    assert all("TABLE-4F7A" not in client.get(page).text for page in pages)
    web.close()
    house.close()


def test_what_a_phone_scans_is_what_it_understands():
    assert make_wifi_data(ssid="a;b", password="c", security="WPA") == r"WIFI:T:WPA;S:a\;b;P:c;;"


def test_addresses_of_this_computer_are_found_without_a_way_to_the_internet():
    assert own_addresses("0.0.0.0")
    assert own_addresses("10.42.0.1") == ("10.42.0.1",)


def test_in_the_tables_own_wifi_its_address_there_is_the_one_to_scan():
    found = ["192.168.4.20", "fd00::2", ADDRESS, "127.0.1.1", "fe80::1"]
    assert likeliest_first(found) == (ADDRESS, "192.168.4.20", "fd00::2")
    assert likeliest_first(found[:2]) == ("192.168.4.20", "fd00::2")
    assert likeliest_first(["127.0.0.1"]) == ("127.0.0.1",)
