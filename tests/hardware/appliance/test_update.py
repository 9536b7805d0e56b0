"""Updates in two slots: over, back, and whole after a power cut at any moment."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hardware.appliance.faults import ApplianceFault, NotInstalled, Unhealthy, UpdateRunning
from hardware.appliance.places import Places
from hardware.appliance.slots import Slots
from hardware.appliance.update import CannotReadState, only_one
from tests.hardware.appliance.paper import (
    PaperSystem,
    boot,
    installed,
    paper_wheel,
    settle,
    update_of,
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where syncing costs nothing, if there is one."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(dir=memory) as name:
        yield Path(name)


def go_over(system: PaperSystem, version: str) -> bool:
    return update_of(system).to(paper_wheel(system.places.root / "given", version), [])


def test_an_update_serves_the_new_version_and_keeps_the_old_one_beside(folder: Path):
    system = installed(folder)
    assert go_over(system, "2")
    slots = Slots(system.places)
    assert system.running() == "2"
    assert slots.previous is not None and slots.previous.version == "1"
    assert (folder / "etc/unit").read_text() == "2"
    assert not system.places.under_way.exists()


def test_an_update_to_what_is_served_does_nothing(folder: Path):
    system = installed(folder)
    assert not go_over(system, "1")
    assert system.said == []
    assert not Slots(system.places).spare.folder.exists()


def test_a_version_that_fails_its_trial_is_never_served(folder: Path):
    system = installed(folder)
    system.never_well = frozenset({"2"})
    with pytest.raises(Unhealthy, match=r"companion 2 is not well.*Version 1 goes on as before"):
        go_over(system, "2")
    assert system.running() == "1"
    assert not Slots(system.places).spare.folder.exists()


def test_a_version_that_fails_when_it_is_served_makes_way_by_itself(folder: Path):
    system = installed(folder)
    system.ill_when_served = frozenset({"2"})
    with pytest.raises(Unhealthy, match=r"companion 2 is not well: it ended\. Version 1 serves again"):
        go_over(system, "2")
    assert system.running() == "1"
    assert (folder / "etc/unit").read_text() == "1"
    assert "as it was" in system.entries()


def test_a_journal_that_the_new_version_rewrote_comes_back_with_the_old_version(folder: Path):
    system = installed(folder)
    system.ill_when_served = frozenset({"2"})
    with pytest.raises(Unhealthy, match=r"as it left it; what came since is set aside in .*set-aside-2"):
        go_over(system, "2")
    assert {"as it was", "started 2"} <= set(system.entries())


def test_going_back_needs_a_word_when_the_journal_is_of_the_newer_version(folder: Path):
    system = installed(folder)
    go_over(system, "2")
    system.plays("since the update")
    with pytest.raises(CannotReadState, match="--old-state"):
        update_of(system).back(old_state=False)
    assert system.running() == "2"
    update_of(system).back(old_state=True)
    assert system.running() == "1"
    assert {"as it was", "since the update"} <= set(system.entries())


def test_settings_that_only_the_newer_version_knows_go_back_with_it(folder: Path):
    system = installed(folder)
    go_over(system, "2")
    system.places.settings.write_text('[web]\nname = "second"\n')
    update_of(system).back(old_state=True)
    assert "first" in system.places.settings.read_text()


def test_after_going_back_the_newer_version_is_one_step_away(folder: Path):
    system = installed(folder)
    go_over(system, "2")
    update_of(system).back(old_state=True)
    update_of(system).back(old_state=False)
    assert system.running() == "2"


def test_there_is_nothing_to_go_back_to_on_a_fresh_appliance(folder: Path):
    with pytest.raises(NotInstalled, match="1 is the only one here"):
        update_of(installed(folder)).back(old_state=False)


def test_a_computer_without_the_companion_is_not_updated(folder: Path):
    with pytest.raises(NotInstalled, match="companion install"):
        go_over(PaperSystem(Places(folder)), "2")


def test_a_state_that_cannot_be_kept_leaves_the_version_that_serves(folder: Path):
    system = installed(folder)
    go_over(system, "2")
    folder.joinpath("opt/companion/slot-b.state.part").write_text("in the way, as a full disk is")
    with pytest.raises(OSError, match="exists"):
        update_of(system).back(old_state=True)
    assert system.running() == "2"
    assert not system.places.under_way.exists()


def test_two_updates_do_not_step_on_each_other(folder: Path):
    system = installed(folder)
    with only_one(system.places), pytest.raises(UpdateRunning, match="Another install or update"):
        go_over(system, "2")


def test_wheels_that_no_slot_is_built_from_any_more_are_dropped(folder: Path):
    system = installed(folder)
    go_over(system, "2")
    assert [path.name for path in system.places.wheels.glob("*.whl")] == ["companion-2-py3-none-any.whl"]


WRITES = {
    "os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown",
    "shutil.rmtree", "shutil.copyfile", "sqlite3.connect",
}  # fmt: skip


def cut_off(deed: Callable[[], object], at: int) -> int:
    """Do something in a process that is killed before its nth change of a file. Returns how many it made."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        changes = 0

        def count(event: str, _: object) -> None:
            nonlocal changes
            if event in WRITES:
                if changes == at:
                    os.kill(os.getpid(), signal.SIGKILL)
                changes += 1

        sys.addaudithook(count)
        with suppress(ApplianceFault):
            deed()
        os.write(writer, changes.to_bytes(4, "big"))
        os._exit(0)
    os.close(writer)
    told = os.read(reader, 4)
    os.close(reader)
    os.waitpid(child, 0)
    return int.from_bytes(told, "big")


def deeds() -> dict[str, Callable[[PaperSystem], object]]:
    def over_to_one_that_is_ill(system: PaperSystem) -> None:
        system.ill_when_served = frozenset({"2"})
        go_over(system, "2")

    def over_and_back(system: PaperSystem) -> None:
        update_of(system).back(old_state=True)

    return {
        "over": lambda system: go_over(system, "2"),
        "over to one that is ill": over_to_one_that_is_ill,
        "back": over_and_back,
    }


EVERY = {"over to one that is ill": 1, "back": 1, "over": 3}
"""Which changes of a file it is cut off before; going over well is for the most part like going over ill."""


@pytest.mark.parametrize("deed", deeds())
def test_a_power_cut_at_any_moment_leaves_a_slot_that_serves(folder: Path, deed: str):
    whole = folder / "whole"
    system = installed(whole)
    if deed == "back":
        go_over(system, "2")
        system.plays("since the update")
    entries = set(system.entries())
    at, changes = 0, 1
    while at < changes:
        root = folder / f"cut-{at}"
        shutil.copytree(whole, root, symlinks=True)
        system = PaperSystem(Places(root))
        done = cut_off(lambda system=system: deeds()[deed](system), at)
        changes = done or at + EVERY[deed] + 1
        (boot if at % 2 else settle)(system)  # the power was cut, or only the update was killed
        slots = Slots(system.places)
        assert slots.current is not None and slots.current.is_whole
        assert system.running() == slots.current.version, f"{deed}, cut at {at}: {system.said}"
        assert entries <= set(system.entries()), f"{deed}, cut at {at}"
        assert not system.places.under_way.exists()
        assert go_over(system, "3"), "the next update goes through"
        assert system.running() == "3"
        shutil.rmtree(root)
        at += EVERY[deed]
    assert changes > 30
