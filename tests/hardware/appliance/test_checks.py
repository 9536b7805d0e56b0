"""Each check on folders made like those of a Raspberry Pi: it is well, or the sentence says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.game import Sentence
from companion.ports import DeviceStanding, DeviceState, Need
from companion.sentences import Speaker, keys_in
from companion.settings import SettingsUnreadable, parse
from hardware.appliance.checks_clock import check_clock
from hardware.appliance.checks_devices import check_devices
from hardware.appliance.checks_disk import check_disk
from hardware.appliance.checks_power import FIRMWARE, check_power
from hardware.appliance.checks_software import check_network, check_parts, check_settings, check_start
from hardware.appliance.finding import Finding, Outcome
from hardware.appliance.machine import Machine
from hardware.appliance.told import PACKAGE

NOW = datetime(2030, 1, 1, 20, 0, tzinfo=UTC)
SAY = Speaker([PACKAGE, "companion"]).say


class Pi:
    """A computer made of files, and of programs that say what a test wants."""

    def __init__(self, root: Path, **programs: str) -> None:
        self.root = root
        self.programs = programs
        self.free_mb = 20_000
        (root / "home").mkdir()

    def has(self, path: str, text: str) -> Pi:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return self

    def asked(self, words: Sequence[str]) -> str:
        return self.programs.get(words[0], "")

    @property
    def machine(self) -> Machine:
        return Machine(self.root, self.root / "home", self.asked, lambda _: self.free_mb * 1_000_000)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def keys(findings: Sequence[Finding]) -> list[str]:
    """Return what was found, each of which has words and a name."""
    for one in findings:
        assert {one.say.key, f"doctor.{one.what}"} <= keys_in(PACKAGE) | keys_in("companion")
        assert "[" not in SAY(one.say) and "{" not in SAY(one.say)
    return [one.say.key.removeprefix("doctor.") for one in findings]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("throttled=0x0", ["power.ok", "throttling.ok"]),
        ("throttled=0x50005", ["power.now", "throttling.now"]),
        ("throttled=0x50000", ["power.once", "throttling.once"]),
        ("throttled=0x80000", ["power.ok", "throttling.once"]),
        ("throttled=0x8", ["power.ok", "throttling.now"]),
        ("", ["power.unknown", "throttling.unknown"]),
        ("VCHI initialization failed", ["power.unknown", "throttling.unknown"]),
    ],
)
def test_what_the_firmware_says_of_power_and_speed(tmp_path: Path, said: str, found: list[str]):
    assert keys(list(check_power(Pi(tmp_path, vcgencmd=said).machine)))[:2] == found


def test_who_may_not_ask_the_firmware_reads_the_kernels_file(pi: Pi):
    pi.has(FIRMWARE, "50000\n")
    assert keys(list(check_power(pi.machine)))[:2] == ["power.once", "throttling.once"]


@pytest.mark.parametrize(("alarm", "found"), [("1\n", "power.now"), ("0\n", "power.ok")])
def test_the_voltage_alarm_of_the_kernel_is_heard(pi: Pi, alarm: str, found: str):
    pi.has("sys/class/hwmon/hwmon1/name", "rpi_volt\n").has("sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
    assert keys(list(check_power(pi.machine)))[0] == found


@pytest.mark.parametrize(
    ("said", "found"),
    [("48312\n", "temperature.ok"), ("81000\n", "temperature.hot"), ("", "temperature.unknown")],
)
def test_the_temperature_is_told_in_degrees(pi: Pi, said: str, found: str):
    pi.has("sys/class/thermal/thermal_zone0/temp", said)
    assert keys(list(check_power(pi.machine)))[2] == found


def test_a_card_that_is_full_worn_or_broken_asks_for_a_backup_or_room(pi: Pi):
    assert keys(list(check_disk(pi.machine))) == ["disk.ok", "wear.unknown"]
    pi.free_mb = 120
    pi.has("sys/block/mmcblk0/device/life_time", "0x01 0x03\n").has(
        "sys/block/mmcblk0/device/pre_eol_info", "0x01\n"
    )
    full, worn = check_disk(pi.machine)
    assert full.say == Sentence("doctor.disk.full", {"free": 120, "least": 500})
    assert worn.say == Sentence("doctor.wear.ok", {"percent": 30})
    pi.has("sys/block/mmcblk0/device/pre_eol_info", "0x02\n")
    assert keys(list(check_disk(pi.machine)))[1] == "wear.worn"
    pi.has("sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    assert keys(list(check_disk(pi.machine)))[1] == "wear.errors"


@pytest.mark.parametrize(
    ("programs", "newest", "jumped_s", "found"),
    [
        ({"timedatectl": "yes"}, "2030-01-01T19:00:00+00:00", 0, "clock.ok"),
        ({"timedatectl": "no"}, "", 0, "clock.alone"),
        ({}, "", 0, "clock.unknown"),
        ({"timedatectl": "yes"}, "2030-01-02T19:00:00+00:00", 0, "clock.behind"),
        ({"timedatectl": "yes"}, "", -3600, "clock.jumped"),
        ({"timedatectl": "yes"}, "no time", 0, "clock.ok"),
    ],
)
def test_the_clock_is_set_alone_behind_or_was_set_in_between(
    tmp_path: Path, programs: dict[str, str], newest: str, jumped_s: int, found: str
):
    machine = Pi(tmp_path, **programs).machine
    assert keys([check_clock(machine, NOW, newest_utc=newest, jumped_s=jumped_s)]) == [found]


def test_a_computer_in_no_network_is_told_to_join_one():
    assert keys([check_network(["127.0.0.1"])]) == ["network.none"]
    assert check_network(["192.168.1.7"], "192.168.1.7:8080").say.values == {"address": "192.168.1.7:8080"}


def test_parts_that_fail_are_named_with_their_package_and_a_crash_is_told():
    part = {"group": "companion.dice", "name": "odd", "package": "odd-dice", "failure": "ImportError: no"}
    (broken,) = check_parts(f'{{"parts": [{str(part).replace(chr(39), chr(34))}]}}')
    assert "die driver odd of odd-dice cannot be loaded: ImportError: no" in SAY(broken.say)
    assert keys(list(check_parts(""))) == ["parts.crash"]
    assert keys(list(check_parts('{"parts": []}'))) == ["parts.ok"]


def test_settings_say_what_is_wrong_in_their_own_words():
    def load() -> None:
        raise SettingsUnreadable(Path("x"), "The settings x break off.")

    assert SAY(check_settings(load).say) == "The settings x break off."
    assert check_settings(lambda: None).outcome is Outcome.OK


RIG = parse(
    '[[cameras]]\nname = "ceiling"\ndriver = "usb"\n[[dice]]\nname = "green"\ndriver = "serial"\n'
    '[[board_sensors]]\nname = "centre"\ndriver = "serial"\n[[panels]]\nname = "buttons"\ndriver = "gpio"\n',
    Path("rig.toml"),
    source=None,
)


def test_every_device_of_the_settings_is_looked_at_and_what_strains_the_eyes():
    standings = (
        DeviceStanding("ceiling", "camera", DeviceState.LIVE),
        DeviceStanding("ceiling", "eyes", DeviceState.LIVE),
        DeviceStanding("green", "die", DeviceState.SEARCHING, "looking at no port"),
        DeviceStanding("centre", "board_sensor", DeviceState.LIVE, need=Need.CONTRADICTS),
    )
    cautions = (Sentence("strain.dim", {"board": "lab"}), Sentence("strain.blurred", {}))
    found = list(check_devices(RIG, standings, cautions))
    assert [(one.what, one.of, one.outcome) for one in found] == [
        ("camera", "ceiling", Outcome.OK),
        ("die", "green", Outcome.LOOK),
        ("board_sensor", "centre", Outcome.LOOK),
        ("panel", "buttons", Outcome.UNKNOWN),
        ("light", "", Outcome.LOOK),
        ("focus", "", Outcome.LOOK),
    ]
    assert "tap the face. looking at no port" in SAY(found[1].say)


def test_senses_that_break_again_and_again_are_told():
    closed = DeviceStanding("senses", "eyes", DeviceState.LOST, "the process ended with 11")
    found = keys(list(check_devices(RIG, (closed,), ())))
    assert "eyes.closed" in found and "light.unknown" in found


def test_a_table_without_devices_is_well_and_says_how_to_go_on():
    none = parse("", Path("x"), source=None)
    assert keys(list(check_devices(none, (), ()))) == ["camera.none", "die.none", "board_sensor.none"]


def test_a_safe_start_is_told_with_its_troubles():
    trouble = Sentence("safe.asked")
    assert [one.say for one in check_start([trouble], is_safe=True)] == [trouble]
    assert keys(list(check_start([], is_safe=False))) == ["start.ok"]
