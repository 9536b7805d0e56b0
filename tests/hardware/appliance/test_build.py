"""Building slots with the real pip, from wheels of a few lines; and wheels that are refused."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from hardware.appliance.build import Builder, WheelsMissing, check_room
from hardware.appliance.faults import ApplianceFault, DiskFull, WheelRefused
from hardware.appliance.places import Places
from hardware.appliance.slots import Slot, Slots
from hardware.appliance.wheel import Wheel, companion_among, gather, prune, read_wheel
from tests.hardware.appliance.tiny_wheels import tiny_companion, tiny_wheel


def test_a_wheel_that_is_missing_is_named_and_the_slot_stays_empty(tmp_path: Path):
    needed = tiny_wheel(tmp_path / "elsewhere", "needed", "1.5", {"needed.py": ""})
    wheel = read_wheel(tiny_companion(tmp_path / "given", "2.0", needs=needed))
    places = Places(tmp_path / "root")
    gather([wheel.path], places.wheels)
    slot = Slots(places).spare
    with pytest.raises(WheelsMissing, match=r"no wheel of needed==1\.5 for this computer"):
        Builder(places, may_fetch=False).build(slot, wheel)
    assert not slot.folder.exists()


def test_a_wheel_that_was_tampered_with_is_not_installed(tmp_path: Path):
    needed = tiny_wheel(tmp_path / "given", "needed", "1.5", {"needed.py": ""})
    wheel = read_wheel(tiny_companion(tmp_path / "given", "2.0", needs=needed))
    tiny_wheel(tmp_path / "given", "needed", "1.5", {"needed.py": "import os\n"})
    places = Places(tmp_path / "root")
    gather(wheel.among([needed]), places.wheels)
    slot = Slots(places).spare
    with pytest.raises(ApplianceFault, match=r"(?i)hash"):
        Builder(places, may_fetch=False).build(slot, wheel)
    assert not slot.folder.exists()


def test_a_disk_that_is_too_small_is_said_before_anything_is_done(tmp_path: Path):
    path = tiny_companion(tmp_path, "2.0")
    with zipfile.ZipFile(path, "a") as packed:  # a wheel whose index speaks of 3 PB
        packed.writestr("large.bin", b"")
        packed.infolist()[-1].file_size = 3 * 10**15
    wheel = Wheel(path, "2.0", lock="", sha256="")
    with pytest.raises(DiskFull, match=r"The disk of .* is full: \d+ MB are needed, \d+ MB are free"):
        check_room(tmp_path / "opt", wheel, [])


def test_a_file_that_is_no_wheel_is_refused_in_words(tmp_path: Path):
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    with pytest.raises(WheelRefused, match=r"notes\.txt is refused: it is no wheel"):
        read_wheel(text)


def test_a_wheel_that_was_cut_off_is_refused_in_words(tmp_path: Path):
    path = tiny_companion(tmp_path, "2.0")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(WheelRefused, match="damaged or cut off"):
        read_wheel(path)


def test_a_wheel_with_a_flipped_bit_is_refused_in_words(tmp_path: Path):
    path = tiny_companion(tmp_path, "2.0")
    path.write_bytes(path.read_bytes().replace(b"the tiny companion", b"the tinY companion"))
    with pytest.raises(WheelRefused, match="damaged"):
        read_wheel(path)


def test_somebody_elses_wheel_is_refused_in_words(tmp_path: Path):
    path = tiny_wheel(
        tmp_path, "lantern", "1.0", {"lantern-1.0.data/data/share/companion/requirements.lock": ""}
    )
    with pytest.raises(WheelRefused, match="it is a wheel of lantern, not of the companion"):
        read_wheel(path)


def test_a_wheel_for_a_newer_python_is_refused_in_words(tmp_path: Path):
    path = tiny_companion(tmp_path, "2.0")
    with zipfile.ZipFile(path) as packed:
        files = {name: packed.read(name).replace(b">=3.11", b">=3.99") for name in packed.namelist()}
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    with pytest.raises(WheelRefused, match=r"it wants Python 3\.99; here is Python 3"):
        read_wheel(path)


def test_of_several_companions_in_a_folder_the_newest_is_taken(tmp_path: Path):
    for version in ("1.9", "1.10", "1.2"):
        tiny_companion(tmp_path, version)
    assert companion_among([tmp_path]).version == "1.10"


def test_a_folder_without_a_companion_is_named(tmp_path: Path):
    with pytest.raises(ApplianceFault, match="There is no wheel of the companion in"):
        companion_among([tmp_path])


def test_wheels_of_other_versions_are_dropped_and_those_of_this_one_kept(tmp_path: Path):
    needed = tiny_wheel(tmp_path, "needed", "1.5", {})
    for name, version in (("needed", "1.4"), ("unneeded", "3")):
        tiny_wheel(tmp_path, name, version, {})
    tiny_companion(tmp_path, "1.0")
    wheel = read_wheel(tiny_companion(tmp_path, "2.0", needs=needed))
    prune(tmp_path, wheel)
    assert sorted(path.name for path in tmp_path.iterdir()) == [wheel.path.name, needed.name]


def test_a_wheel_that_others_may_change_is_copied_not_linked(tmp_path: Path):
    mine, theirs = (tiny_wheel(tmp_path / "given", name, "1", {}) for name in ("mine", "theirs"))
    theirs.chmod(0o666)
    mine.chmod(0o644)
    gather([mine, theirs], tmp_path / "kept")
    assert (tmp_path / "kept" / mine.name).samefile(mine)
    assert not (tmp_path / "kept" / theirs.name).samefile(theirs)


def packages(slot: Slot) -> Path:
    return next((slot.folder / "lib").glob("python3*/site-packages"))


def test_slots_are_built_from_wheels_alone_share_what_is_the_same_and_bring_strangers_along(tmp_path: Path):
    needed = tiny_wheel(tmp_path / "given", "needed", "1.5", {"needed.py": "value = 1\n"})
    first, second = (
        read_wheel(tiny_companion(tmp_path / "given", version, needs=needed)) for version in "12"
    )
    places = Places(tmp_path / "root")
    gather([needed, first.path, second.path], places.wheels)
    slots, builder = Slots(places), Builder(places, may_fetch=False)
    old = slots.spare
    builder.build(old, first)
    assert old.is_whole and old.version == "1"
    slots.serve(old)
    stranger = tiny_wheel(tmp_path, "lantern", "3", {"lantern.py": ""})
    with zipfile.ZipFile(stranger) as packed:  # as pip would
        packed.extractall(packages(old))
    new = slots.spare
    needed.unlink()  # what is shared is not looked for
    (places.wheels / needed.name).unlink()
    builder.build(new, second)
    assert (packages(new) / "needed.py").samefile(packages(old) / "needed.py")
    assert (packages(new) / "lantern.py").is_file()
    assert not (packages(new) / "tiny.py").samefile(packages(old) / "tiny.py")
    told = subprocess.run([new.program], capture_output=True, text=True, check=True)
    assert told.stdout == "the tiny companion\n"
    old.clear()
    assert (packages(new) / "needed.py").read_text() == "value = 1\n"
