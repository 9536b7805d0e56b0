"""The table's own Wi-Fi: a profile that NetworkManager takes, with a password that nobody else has."""

from __future__ import annotations

import configparser
import os
import stat
import subprocess
from pathlib import Path

import pytest

from hardware.appliance.access_point import CONNECTION, READ_ALOUD, new_password, profile, write_profile

SYSTEMD = Path(__file__).parents[3] / "systemd"
DISPATCHER = SYSTEMD / "NetworkManager/dispatcher.sh"


def test_a_profile_says_how_phones_get_in():
    told = configparser.ConfigParser()
    told.read_string(profile(0x14F7A, "abcdefgh2345"))
    assert told["wifi"]["ssid"] == "TABLE-4F7A"
    assert told["wifi"]["mode"] == "ap"
    assert told["wifi-security"]["psk"] == "abcdefgh2345"
    assert told["connection"]["id"] == CONNECTION
    assert told["ipv4"]["address1"] == "10.42.0.1/24"


def test_passwords_differ_and_can_be_read_out():
    passwords = {new_password() for _ in range(50)}
    assert len(passwords) == 50
    assert all(len(one) == 12 and set(one) <= set(READ_ALOUD) for one in passwords)


def test_a_profile_is_written_once_and_for_its_owner_alone(tmp_path: Path):
    path = tmp_path / "table.nmconnection"
    assert write_profile(path)
    first = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not write_profile(path)
    assert path.read_text() == first
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_that_somebody_laid_in_the_way_is_written_through(tmp_path: Path):
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    (tmp_path / ".table.nmconnection.new").symlink_to(victim)
    with pytest.raises(OSError):
        write_profile(tmp_path / "table.nmconnection")
    assert victim.read_text() == "as it was"


@pytest.fixture
def dispatch(tmp_path: Path):
    """The dispatcher as NetworkManager would call it, with a stand-in for nmcli and a folder for /run."""
    programs = tmp_path / "bin"
    programs.mkdir()
    nmcli = programs / "nmcli"
    nmcli.write_text('#!/bin/sh\nprintf "TABLE-4F7A\\nabcd:efgh\\n"\n')
    nmcli.chmod(0o755)
    script = tmp_path / "dispatcher"
    text = (
        DISPATCHER.read_text()
        .replace("/run/", f"{tmp_path}/run/")
        .replace("chgrp companion", "chgrp $(id -g)")
    )
    script.write_text(text)
    (tmp_path / "run").mkdir()

    def call(happened: str, connection: str = CONNECTION) -> Path:
        environment = {"PATH": f"{programs}:{os.environ['PATH']}", "CONNECTION_ID": connection}
        subprocess.run(["sh", script, "wlan0", happened], env=environment, check=True, timeout=60)
        return tmp_path / "run/companion-wifi"

    return call


def test_the_service_learns_name_and_password_while_the_wifi_is_on(dispatch):
    told = dispatch("up")
    assert told.read_text() == "TABLE-4F7A\nabcd:efgh\n"
    assert stat.S_IMODE(told.stat().st_mode) == 0o640
    assert not dispatch("down").exists()


def test_other_networks_are_nobodys_business(dispatch):
    assert not dispatch("up", "home").exists()
