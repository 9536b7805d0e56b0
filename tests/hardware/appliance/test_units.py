"""The units that an appliance installs: systemd's own tools find nothing wrong, and little to attack."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.appliance.pieces import ENABLED, PIECES, carried

SYSTEMD = Path(__file__).parents[3] / "systemd"
UNITS = sorted(path.name for path in SYSTEMD.glob("companion*.s*"))
MOST_EXPOSED = {  # in tenths, as systemd-analyze counts: 0 is a closed box, 96 a service that nobody hardened
    "companion.service": 20,
    "companion-caretaker@.service": 20,
    "companion-access-point.service": 20,
    "companion-screen.service": 70,  # a browser with its own sandbox, which needs what a sandbox is made of
}


def analyze(*words: object) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The units, with a program that is there in place of those that an installed companion has."""
    folder = tmp_path_factory.mktemp("units")
    for name in UNITS:
        text = (SYSTEMD / name).read_text()
        (folder / name).write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={shutil.which('true')}", text))
    return folder


def test_systemd_finds_nothing_wrong_in_any_unit(rendered: Path):
    told = analyze("verify", "--man=no", "--recursive-errors=no", *(rendered / name for name in UNITS))
    assert (told.returncode, told.stderr) == (0, "")


def test_a_misspelt_line_would_be_found(rendered: Path, tmp_path: Path):
    text = (rendered / "companion.service").read_text()
    wrong = tmp_path / "wrong.service"
    wrong.write_text(text.replace("WatchdogSec=", "WatchDogSec="))
    told = analyze("verify", "--man=no", "--recursive-errors=no", wrong)
    assert told.returncode == 1
    assert "WatchDogSec" in told.stderr


@pytest.mark.parametrize("unit", MOST_EXPOSED)
def test_a_unit_leaves_little_to_attack(rendered: Path, unit: str):
    told = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED[unit]}", rendered / unit)
    assert told.returncode == 0, told.stdout.splitlines()[-1]


def test_every_file_has_its_place_in_the_system():
    files = {str(path.relative_to(SYSTEMD)) for path in SYSTEMD.rglob("*") if path.is_file()}
    assert {piece.source for piece in PIECES} == files
    assert len({piece.target for piece in PIECES}) == len(PIECES)


def test_what_starts_with_the_computer_says_so_itself():
    for name in ENABLED:
        assert "[Install]" in (SYSTEMD / name).read_text()


def test_the_pieces_are_found_in_a_checkout():
    assert (carried() / "companion.service").is_file()


def test_udev_reads_the_rule_after_that_which_tells_serial_numbers():
    rules = [piece.target.name for piece in PIECES if "rules.d" in piece.target.parts]
    assert rules and all(name > "60-serial.rules" for name in rules)


def test_every_group_of_the_service_is_made_first():
    service = (SYSTEMD / "companion.service").read_text()
    users = (SYSTEMD / "sysusers.d/companion.conf").read_text()
    groups = re.search(r"(?m)^SupplementaryGroups=(.*)", service)
    assert groups
    for group in groups[1].split():
        assert re.search(rf"(?m)^g {group} ", users), f"{group}: systemd would stop with status=216/GROUP"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make users and give folders away")
def test_users_and_folders_are_written_as_systemd_reads_them(tmp_path: Path):
    """Both tools make them in a root of the test's own."""
    (tmp_path / "etc").mkdir()
    for tool, conf in (("systemd-sysusers", "sysusers.d"), ("systemd-tmpfiles", "tmpfiles.d")):
        words = [tool, f"--root={tmp_path}", *(["--create"] if conf == "tmpfiles.d" else [])]
        told = subprocess.run(
            [*words, SYSTEMD / conf / "companion.conf"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert told.returncode == 0, told.stderr
    assert "companion:" in (tmp_path / "etc/passwd").read_text()
    assert (tmp_path / "etc/companion").stat().st_mode & 0o7777 == 0o2770
