"""What is handed out: a bundle of wheels for each Python, and a package of Debian made of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from release.bundle import PYTHONS, lock_for
from release.deb import SCRIPTS, build
from tests.hardware.appliance.tiny_wheels import tiny_companion

PINNED = re.compile(r"^([a-z0-9-]+)==(\S+) \\$", re.MULTILINE)


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_of_a_python_names_every_package_once_and_leaves_nothing_to_judge(python: str):
    names = [name for name, _ in PINNED.findall(lock_for(python))]
    assert len(names) == len(set(names)) > 30
    assert {"numpy", "opencv-python", "click", "pip"} <= set(names)
    assert ";" not in lock_for(python)


def test_each_python_gets_the_numpy_that_was_locked_for_it():
    old, new = (dict(PINNED.findall(lock_for(python)))["numpy"] for python in PYTHONS)
    assert old != new


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="only Debian has dpkg-deb")
def test_a_package_carries_its_wheels_and_is_of_the_kind_of_computer_that_they_are_for(tmp_path: Path):
    bundle = tmp_path / "bundle"
    tiny_companion(bundle, "1.2")
    (bundle / "numpy-2-cp311-cp311-manylinux_2_28_aarch64.whl").write_text("")
    package = build(bundle, tmp_path / "out")
    assert package.name == "companion_1.2_arm64.deb"
    words = ["dpkg-deb", "--field", package, "Package", "Version", "Architecture"]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told.stdout == "Package: companion\nVersion: 1.2\nArchitecture: arm64\n"
    inside = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True)
    assert "./usr/share/companion/wheels/companion-1.2-py3-none-any.whl" in inside.stdout


@pytest.mark.parametrize("script", sorted(SCRIPTS.iterdir()), ids=lambda path: path.name)
def test_what_dpkg_runs_is_a_shell_script_that_stops_at_the_first_fault(script: Path):
    assert script.stat().st_mode & 0o111
    assert "\nset -e\n" in script.read_text()
    subprocess.run(["sh", "-n", script], check=True)


def test_the_script_in_a_bundle_says_when_the_folder_is_not_whole(tmp_path: Path):
    shutil.copy(SCRIPTS.parent / "companion", tmp_path)
    told = subprocess.run([tmp_path / "companion", "install"], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "the folder is not whole" in told.stderr
