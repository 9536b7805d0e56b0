"""Installing into a folder and taking it out again: said first, done once, undone without a trace."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from hardware.appliance.faults import ApplianceFault, Unhealthy
from hardware.appliance.install import Bring, steps_of
from hardware.appliance.pieces import ENABLED, PIECES, UNITS, carried
from hardware.appliance.places import Places
from hardware.appliance.placing import place
from hardware.appliance.slots import Slot
from hardware.appliance.steps import Outcome, Step, Stepped, carry_out, take_back
from hardware.appliance.system import LiveSystem
from hardware.appliance.wheel import Wheel
from tests.hardware.appliance.paper import PaperBuilder, paper_wheel

ROOT = Path(__file__).parents[3]


class FolderSystem(LiveSystem):
    """A system in a folder, with a user file and no service manager; nothing of this computer is touched."""

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.root = places.root
        self.ill = ""
        (places.root / "etc").mkdir(parents=True)
        (places.root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")

    @property
    def has_manager(self) -> bool:
        return False

    def try_out(self, slot: Slot, beside: Slot | None) -> None:
        if self.ill:
            raise Unhealthy(self.ill)

    def place(self, slot: Slot) -> None:
        place(Places(self.root), carried())
        with (self.root / "etc/passwd").open("a") as users:
            users.write("companion:x:990:990::/var/lib/companion:/usr/sbin/nologin\n")
        (self.root / "var/lib/companion").mkdir(parents=True)

    def enable(self) -> None:
        wants = self.root / UNITS / "multi-user.target.wants"
        wants.mkdir(parents=True)
        for name in ENABLED:
            (wants / name).symlink_to(f"/{UNITS}/{name}")

    def disable(self) -> None:
        for name in ENABLED:
            (self.root / UNITS / "multi-user.target.wants" / name).unlink()


def steps(places: Places, system: FolderSystem, wheel: Wheel, *, purge: bool = False) -> list[Step]:
    bring = Bring(PaperBuilder(), (), may_apt=False)
    return list(steps_of(places, system, wheel=wheel, bring=bring, purge=purge))


def without_purge(system: FolderSystem, *, purge: bool = False) -> list[Step]:
    return list(steps_of(Places(system.root), system, wheel=None, bring=None, purge=purge))


def everything(root: Path) -> dict[str, bytes]:
    """Return every file with what is in it, and every folder and link."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        for path in root.rglob("*")
    }


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "root")


@pytest.fixture
def system(places: Places) -> FolderSystem:
    return FolderSystem(places)


@pytest.fixture
def wheel(tmp_path: Path) -> Wheel:
    return paper_wheel(tmp_path / "given", "1")


def done(told: list[Stepped]) -> set[Outcome]:
    return {one.outcome for one in told}


def test_the_commands_need_nothing_but_click_so_that_they_run_straight_out_of_wheels(tmp_path: Path):
    (tmp_path / "click").symlink_to(Path(click.__file__).parent)
    load = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]; "
        "import companion.cli, hardware.appliance.install_command, hardware.appliance.update_command"
    )
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", load], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr


def test_a_dry_run_says_every_step_and_changes_nothing(places: Places, system: FolderSystem, wheel: Wheel):
    before = everything(places.root)
    told = list(carry_out(steps(places, system, wheel), is_dry=True))
    assert done(told) == {Outcome.TO_DO}
    assert everything(places.root) == before
    real = list(carry_out(steps(places, system, wheel), is_dry=False))
    assert [one.says for one in real] == [one.says for one in told]


def test_an_installed_companion_has_its_slot_pieces_settings_and_command(
    places: Places, system: FolderSystem, wheel: Wheel
):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    assert (places.current / "slot.json").is_file()
    assert (places.root / UNITS / "companion.service").is_file()
    assert "[web]" in places.settings.read_text()
    assert str(places.current / "bin/companion") in places.command.read_text()
    assert places.command.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", places.command], check=True)


def test_a_second_run_has_nothing_to_do(places: Places, system: FolderSystem, wheel: Wheel):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    before = everything(places.root)
    told = list(carry_out(steps(places, system, wheel), is_dry=False))
    left = [one for one in told if one.outcome is not Outcome.WELL]
    # What a folder cannot have: Debian's packages without apt, and a service without systemd.
    assert [one.outcome for one in left] == [Outcome.LEFT] * 2
    assert everything(places.root) == before


def test_what_apt_does_not_bring_is_said_with_what_it_costs(
    places: Places, system: FolderSystem, wheel: Wheel
):
    first = next(iter(carry_out(steps(places, system, wheel), is_dry=False)))
    assert first.outcome is Outcome.LEFT
    assert "sudo apt-get install libgl1 libglib2.0-0 libxcb1 avahi-daemon" in first.remark
    assert "phones play all the same" in first.remark


def test_a_file_that_went_missing_is_laid_again(places: Places, system: FolderSystem, wheel: Wheel):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    places.command.unlink()
    told = list(carry_out(steps(places, system, wheel), is_dry=False))
    assert [one.says for one in told if one.outcome is Outcome.DONE] == [f"Lay the command {places.command}."]


def test_settings_that_are_there_are_left_as_they_are(places: Places, system: FolderSystem, wheel: Wheel):
    places.settings.parent.mkdir(parents=True)
    places.settings.write_text('[web]\nname = "ours"\n')
    list(carry_out(steps(places, system, wheel), is_dry=False))
    assert "ours" in places.settings.read_text()


def test_a_version_that_is_not_well_here_leaves_no_program(
    places: Places, system: FolderSystem, wheel: Wheel
):
    system.ill = "it does not serve."
    with pytest.raises(Unhealthy, match=r"companion 1 is not well here: it does not serve\."):
        list(carry_out(steps(places, system, wheel), is_dry=False))
    assert not places.current.is_symlink()


def test_another_version_is_an_update_and_is_said_so(
    places: Places, system: FolderSystem, wheel: Wheel, tmp_path: Path
):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    other = paper_wheel(tmp_path / "given", "2")
    with pytest.raises(ApplianceFault, match=r"companion update .*companion-2-"):
        list(carry_out(steps(places, system, other), is_dry=False))


def test_uninstalling_keeps_what_the_players_have_and_says_so(
    places: Places, system: FolderSystem, wheel: Wheel
):
    before = set(everything(places.root))
    list(carry_out(steps(places, system, wheel), is_dry=False))
    places.journal.write_text("an evening")
    told = list(take_back(without_purge(system), is_dry=False))
    kept = [one.says for one in told if one.outcome is Outcome.KEPT]
    assert any("1 MB in" in says and str(places.state) in says for says in kept)
    assert any(str(places.settings) in says for says in kept)
    left = set(everything(places.root)) - before
    assert {path for path in left if (places.root / path).is_file()} == {
        "etc/companion/companion.toml",
        "var/lib/companion/journal.sqlite",
    }
    assert not any(path.startswith(("etc/sysusers", "etc/tmpfiles", "etc/udev")) for path in left)


def test_a_dry_run_of_uninstalling_changes_nothing(places: Places, system: FolderSystem, wheel: Wheel):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    before = everything(places.root)
    told = list(take_back(without_purge(system, purge=True), is_dry=True))
    assert Outcome.DONE not in done(told)
    assert everything(places.root) == before


def test_an_install_in_which_the_power_failed_is_finished_by_the_next(
    places: Places, system: FolderSystem, wheel: Wheel
):
    for count in range(1, len(steps(places, system, wheel))):
        told = carry_out(steps(places, system, wheel), is_dry=False)
        for _ in range(count):
            next(told)
    told_last = list(carry_out(steps(places, system, wheel), is_dry=False))
    assert Outcome.DONE not in done(told_last[:-1])


def test_a_file_in_etc_that_somebody_changed_is_not_taken_away(
    places: Places, system: FolderSystem, wheel: Wheel
):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    changed = places.root / UNITS / "companion.service"
    changed.write_text(changed.read_text() + "# ours\n")
    told = list(take_back(without_purge(system), is_dry=False))
    assert changed.is_file()
    assert any("You changed" in one.remark and changed.name in one.remark for one in told)


def test_pieces_of_an_earlier_version_that_are_no_more_are_taken_away(
    places: Places, system: FolderSystem, wheel: Wheel
):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    before = places.placed.read_text()
    old = places.root / "etc/udev/rules.d/69-old.rules"
    old.write_text("old")
    told = json.loads(before)
    told["files"]["etc/udev/rules.d/69-old.rules"] = "x"
    places.placed.write_text(json.dumps(told))
    place(places, carried())
    assert not old.exists()


def test_pieces_of_programs_that_are_not_there_are_left_out(
    places: Places, system: FolderSystem, wheel: Wheel
):
    list(carry_out(steps(places, system, wheel), is_dry=False))
    laid = {piece.source for piece in PIECES if (places.root / piece.target).is_file()}
    assert "avahi/companion.service" not in laid
    (places.root / "etc/avahi/services").mkdir(parents=True)
    place(places, carried())
    assert (places.root / "etc/avahi/services/companion.service").is_file()
