"""Ports that come and go: the fault cases of hardware.md 2.4 that need a pseudo-terminal or a clock."""

import errno
import grp
import os
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from companion.ports import DeviceState
from hardware.contact import Wanted
from hardware.dice.serial_die import open_die
from hardware.line_protocol import crc16
from hardware.messages import DeviceKind, DieState, DieStatus, Farewell, HostVerb, Order, Remark
from hardware.serial_port import Heard, Link, SerialPort, World
from hardware.simulated.virtual_time import VirtualClock, VirtualPort, virtual_world
from hardware.tty import is_bridge, why_unusable
from tests.hardware.stand_ins import (
    Desk,
    SkippingClock,
    StandIn,
    everything,
    wait_until,
)

A_DIE = Wanted(DeviceKind.DIE)


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.close()


@pytest.fixture
def opened():
    """Open ports that are closed when the test ends."""
    ports = []

    def open_one(setting, wanted=A_DIE, *, world=None, **more):
        port = SerialPort(setting, wanted, world=world or SkippingClock().world(), **more)
        ports.append(port)
        return port

    yield open_one
    for port in ports:
        port.close()


def is_link(state, *words):
    return lambda said: (
        isinstance(said, Link) and said.state is state and all(word in said.detail for word in words)
    )


def is_heard(kind):
    return lambda said: isinstance(said, Heard) and isinstance(said.line.message, kind)


def test_a_die_is_asked_who_it_is_and_is_live_at_its_first_valid_line(desk, opened):
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    said = everything(opened(desk.port()), die, until=is_heard(DieStatus))
    assert said[0] == Link(DeviceState.LIVE, f"D-7F3A1C on {desk.port()}")
    assert [line.message for line in die.heard] == [Order(HostVerb.WHO)]


def test_a_port_that_is_not_there_is_said_and_taken_when_it_comes(desk, opened):
    port = opened(desk.port())
    said = everything(port, until=is_link(DeviceState.SEARCHING))
    assert said[-1].detail.startswith(f"There is no port {desk.port()}. Plug the device in")
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    everything(port, die, until=is_link(DeviceState.LIVE))


def test_5_an_unplugged_die_is_lost_at_once_and_said_so(desk, opened):
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port())
    everything(port, die, until=is_link(DeviceState.LIVE))
    die.cable.write(b"$1,D-7F3A")  # in the middle of a line
    die.cable.unplug()
    said = everything(port, until=is_link(DeviceState.LOST))
    assert said[-1].detail == f"The die on {desk.port()} went away; plug it in again."


def test_5_half_a_line_from_before_is_not_joined_to_one_from_after(desk, opened):
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port())
    everything(port, die, until=is_heard(DieStatus))
    line = die.line(Remark("i", "halved"))
    die.cable.write(line[:20])
    while port.splitter.held_bytes < 20:
        port.read(timeout_ms=20)
    die.cable.unplug()
    everything(port, until=is_link(DeviceState.LOST))
    die.on(desk.plug_in())
    die.cable.write(line[20:])
    said = everything(port, die, until=is_heard(DieStatus))
    assert not any(map(is_heard(Remark), said))


def test_6_a_die_that_comes_back_under_another_name_is_known_by_its_id(desk, opened):
    clock = SkippingClock()
    die = StandIn("D-7F3A1C").on(desk.plug_in("ttyACM0"))
    port = opened(desk.port("ttyACM0"), world=clock.world([desk.port("ttyACM1")]))
    everything(port, die, until=is_link(DeviceState.LIVE, "ttyACM0"))
    die.cable.unplug()
    everything(port, until=is_link(DeviceState.LOST))
    die.on(desk.plug_in("ttyACM1"))
    everything(port, die, until=is_link(DeviceState.LIVE, "D-7F3A1C", "ttyACM1"))


def test_6_a_die_is_back_within_two_seconds_however_long_it_was_away():
    clock, plugged = VirtualClock(), set()
    die = StandIn("D-7F3A1C")

    def opens(path, speed_baud):
        return VirtualPort(clock, lambda now_ms: die.line(die.status) if now_ms % 100 < 10 else b"")

    world = virtual_world(clock, opens, ())
    world = World(world.now_ms, world.pause, world.open_port, lambda wanted: sorted(plugged))
    port = SerialPort("/dev/ttyACM0", A_DIE, world=world)
    port.read(timeout_ms=60_000)  # there is no such port
    assert port.read(timeout_ms=60_000) is None
    came_ms = clock.ms
    plugged.add("/dev/ttyACM0")
    assert is_link(DeviceState.LIVE)(port.read(timeout_ms=5000))
    assert clock.ms - came_ms <= 2000


def test_7_once_the_other_die_is_gone_the_port_is_said_to_be_missing_again(desk, opened):
    clock = SkippingClock()
    mine, other = StandIn("D-7F3A1C").on(desk.plug_in()), StandIn("D-0BADBAD0")
    rotor = StandIn("R-02B4E9").on(desk.plug_in("ttyACM1"))
    port = opened(desk.port(), world=clock.world([desk.port("ttyACM1")]))
    everything(port, mine, until=is_link(DeviceState.LIVE))
    mine.cable.unplug()
    other.on(desk.plug_in())
    everything(port, other, rotor, until=is_link(DeviceState.FAULT))
    other.cable.unplug()
    everything(port, rotor, until=is_link(DeviceState.LOST, "There is no port"))


def test_7_another_die_under_the_old_name_is_not_taken_silently(desk, opened):
    clock = SkippingClock()
    mine, other = StandIn("D-7F3A1C"), StandIn("D-0BADBAD0")
    mine.on(desk.plug_in())
    port = opened(desk.port(), world=clock.world())
    everything(port, mine, until=is_link(DeviceState.LIVE))
    mine.cable.unplug()
    other.on(desk.plug_in())
    said = everything(port, other, until=is_link(DeviceState.FAULT, "D-0BADBAD0", 'set id = "D-0BADBAD0"'))
    assert not any(isinstance(heard, Heard) and heard.line.device == "D-0BADBAD0" for heard in said)


def test_9_two_adapters_are_told_apart_by_the_id_of_what_speaks(desk, opened):
    clock = SkippingClock()
    first, second = (
        StandIn("D-AAAA0001").on(desk.plug_in("ttyUSB0")),
        StandIn("D-AAAA0002").on(desk.plug_in("ttyUSB1")),
    )
    port = opened(str(desk.folder / "ttyUSB*"), Wanted(DeviceKind.DIE, "D-AAAA0002"), world=clock.world())
    said = everything(port, first, second, until=is_link(DeviceState.LIVE))
    assert said[-1].detail == f"D-AAAA0002 on {desk.port('ttyUSB1')}"


def test_a_search_for_a_die_leaves_a_rotor_to_others(desk, opened):
    rotor, die = (
        StandIn("R-02B4E9").on(desk.plug_in("ttyACM0")),
        StandIn("D-7F3A1C").on(desk.plug_in("ttyACM1")),
    )
    world = SkippingClock().world([desk.port("ttyACM0"), desk.port("ttyACM1")])
    said = everything(opened("auto", world=world), rotor, die, until=is_link(DeviceState.LIVE))
    assert "D-7F3A1C" in said[-1].detail


def test_a_die_and_a_rotor_that_are_both_searched_for_find_their_own_ports(desk):
    devices = [
        StandIn("R-02B4E9").on(desk.plug_in("ttyACM0")),
        StandIn("D-7F3A1C").on(desk.plug_in("ttyACM1")),
    ]
    world = SkippingClock().world([desk.port("ttyACM0"), desk.port("ttyACM1")])
    ends, found = Event(), {}

    def search(kind):
        with closing(SerialPort("auto", Wanted(kind), world=world)) as port:
            while not is_link(DeviceState.LIVE)(said := port.read(timeout_ms=50)) and not ends.is_set():
                pass
            found[kind] = said.detail
            ends.wait(5)

    searching = [Thread(target=search, args=(kind,)) for kind in DeviceKind]
    for thread in searching:
        thread.start()
    try:
        wait_until(lambda: [device.serve() for device in devices] and len(found) == 2)
    finally:
        ends.set()
        for thread in searching:
            thread.join()
    assert found[DeviceKind.DIE] == f"D-7F3A1C on {desk.port('ttyACM1')}"
    assert found[DeviceKind.ROTOR] == f"R-02B4E9 on {desk.port('ttyACM0')}"


def test_10_a_die_at_another_speed_is_found_and_its_speed_said(desk, opened):
    clock = SkippingClock()
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port(), world=clock.world())
    said = []
    for _ in range(500):
        if die.cable.speed_baud() == 38400:
            die.beat()
        else:
            die.cable.write(b"\x80\xfe\x00\xf8x\x9c\n")
        clock.skip(100)
        said.append(port.read(timeout_ms=20))
        if is_link(DeviceState.LIVE)(said[-1]):
            break
    assert said[-1] == Link(DeviceState.LIVE, f"D-7F3A1C on {desk.port()} at 38400 baud")
    assert any(is_link(DeviceState.SEARCHING, "9600 baud is tried")(one) for one in said)


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_11_a_flooded_port_is_closed_for_thirty_seconds_after_five(kind):
    clock, opened_ms = VirtualClock(), []
    die = StandIn("D-7F3A1C")

    def flood(now_ms):
        return b"".join(die.line(die.status) if kind == "valid" else b"\xff" * 40 + b"\n" for _ in range(100))

    def opens(path, speed_baud):
        opened_ms.append(clock.ms)
        return VirtualPort(clock, flood)

    port = SerialPort("/dev/ttyACM0", A_DIE, world=virtual_world(clock, opens, ["/dev/ttyACM0"]))
    while not is_link(DeviceState.FAULT, "flooded")(said := port.read(timeout_ms=100)):
        assert clock.ms < 8000, said
    closed_ms = clock.ms
    assert 5000 <= closed_ms - opened_ms[0] <= 7000
    while len(opened_ms) == 1:
        port.read(timeout_ms=500)
    assert opened_ms[1] - closed_ms >= 30_000


def test_22_a_port_that_may_not_be_opened_names_the_group_that_may(tmp_path):
    port = tmp_path / "ttyUSB0"
    port.touch()
    with suppress(PermissionError, KeyError):
        os.chown(port, -1, grp.getgrnam("dialout").gr_gid)
    group = grp.getgrgid(port.stat().st_gid).gr_name
    sentence = why_unusable(str(port), PermissionError(errno.EACCES, "Permission denied"))
    assert f"belongs to the group {group}: run `sudo usermod -aG {group} $USER` and log in again" in sentence


def test_11_a_port_that_has_calmed_down_is_taken_back_after_its_quarantine():
    clock, die = VirtualClock(), StandIn("D-7F3A1C")

    def calms_down(now_ms):
        return b"\xff" * 4000 if now_ms < 8000 else die.line(die.status) if now_ms % 500 < 10 else b""

    world = virtual_world(clock, lambda path, speed: VirtualPort(clock, calms_down), ["/dev/ttyACM0"])
    port = SerialPort("/dev/ttyACM0", A_DIE, world=world)
    states = [said.state for _ in range(80) if isinstance(said := port.read(timeout_ms=1000), Link)]
    assert states == [DeviceState.FAULT, DeviceState.LIVE]
    assert clock.ms >= 35_000


@pytest.mark.parametrize("timeout_ms", [0, 1, 50, 333, 5000])
@pytest.mark.parametrize("ports", [[], ["/dev/ttyACM0"]])
def test_a_read_waits_no_longer_than_it_is_told_whatever_comes(ports, timeout_ms):
    clock = VirtualClock()
    world = virtual_world(clock, lambda path, speed: VirtualPort(clock, lambda now_ms: b"\xff$1,"), ports)
    port = SerialPort("/dev/ttyACM0", A_DIE, world=world)
    for _ in range(20):
        before_ms = clock.ms
        port.read(timeout_ms=timeout_ms)
        assert clock.ms - before_ms <= timeout_ms + 10


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "There is no port /dev/ttyACM9. Plug the device in or correct the port"),
        (errno.ENODEV, "There is no port /dev/ttyACM9."),
        (errno.EBUSY, "is in use by another program. Close that program"),
        (errno.EIO, "is no serial port"),
    ],
)
def test_22_whatever_keeps_a_port_shut_is_said_with_what_to_do(number, words):
    assert words in why_unusable("/dev/ttyACM9", OSError(number, os.strerror(number)))


def test_a_uart_bridge_is_known_behind_any_link_so_that_its_board_is_not_reset(tmp_path):
    (tmp_path / "die").symlink_to("/dev/ttyUSB7")
    (tmp_path / "pico").symlink_to("/dev/ttyACM7")
    assert is_bridge(str(tmp_path / "die")) and not is_bridge(str(tmp_path / "pico"))


def test_22_a_port_that_another_program_holds_names_the_program(desk, opened):
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    first, second = opened(desk.port()), opened(desk.port())
    everything(first, die, until=is_link(DeviceState.LIVE))
    said = everything(second, die, until=is_link(DeviceState.SEARCHING))
    assert "is in use by this companion itself" in said[-1].detail
    first.close()
    everything(second, die, until=is_link(DeviceState.LIVE))


def test_a_file_that_is_no_port_is_refused_in_plain_words(tmp_path, opened):
    (tmp_path / "notes.txt").write_text("4\n")
    said = everything(opened(str(tmp_path / "notes.txt")), until=is_link(DeviceState.SEARCHING))
    assert "notes.txt is no serial port" in said[-1].detail


def test_23_a_port_that_never_speaks_is_no_table_device_and_is_tried_again(desk, opened):
    clock = SkippingClock()
    cable = desk.plug_in()
    port = opened(desk.port(), world=clock.world())
    assert port.read(timeout_ms=50) is None
    clock.skip(3000)
    said = everything(port, until=is_link(DeviceState.SEARCHING))
    assert said[-1].detail == f"{desk.port()} is not a table device: nothing answers there."
    die = StandIn("D-7F3A1C").on(cable)
    everything(port, die, until=is_link(DeviceState.LIVE))


def test_25_a_board_that_reboots_when_its_port_is_opened_is_waited_for(desk, opened):
    clock = SkippingClock()
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port(), world=clock.world())
    for _ in range(28):  # 2.8 s of boot loader
        die.cable.write(b"ets Jul 29 2019 12:21:46\r\n")
        clock.skip(100)
        assert port.read(timeout_ms=5) is None
    die.say(die.hello)
    everything(port, until=is_link(DeviceState.LIVE))


def test_26_a_die_that_does_not_read_is_still_heard(desk, opened):
    clock = SkippingClock()
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port(), world=clock.world())
    port.read(timeout_ms=0)
    die.beat()
    everything(port, until=is_link(DeviceState.LIVE))
    while port.unsent == 0:  # every question fills the pipe a little more
        clock.skip(2000)
        die.beat()
        everything(port, until=is_heard(DieStatus))
    die.beat()
    everything(port, until=is_heard(DieStatus))


def test_27_a_silent_die_is_stale_after_three_heartbeats_and_lost_after_ten_seconds(desk, opened):
    clock = SkippingClock()
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port(), world=clock.world())
    everything(port, die, until=is_heard(DieStatus))
    clock.skip(3100)
    everything(port, until=is_link(DeviceState.STALE, "D-7F3A1C"))
    clock.skip(7000)
    everything(port, until=is_link(DeviceState.LOST, "opened anew"))
    everything(port, die, until=is_link(DeviceState.LIVE))


def test_28_a_die_that_goes_to_sleep_says_so_and_is_waited_for(desk, opened):
    clock = SkippingClock()
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port(), world=clock.world())
    everything(port, die, until=is_heard(DieStatus))
    die.say(Farewell("sleep"))
    everything(port, until=is_link(DeviceState.STALE, "pick it up to wake it"))
    clock.skip(3_600_000)
    assert not any(map(is_link(DeviceState.LOST), filter(None, [port.read(timeout_ms=50)])))
    die.beat()
    everything(port, until=is_link(DeviceState.LIVE))


def test_29_a_die_of_a_newer_protocol_is_told_apart_from_one_that_is_silent(desk, opened):
    clock = SkippingClock()
    cable = desk.plug_in()
    port = opened(desk.port(), world=clock.world())
    port.read(timeout_ms=10)
    body = b"2,D-7F3A1C,9C21,0,142,HELLO,kind=die,proto=2,faces=6,hb=1000"
    cable.write(b"$%s*%04X\n" % (body, crc16(body)))
    port.read(timeout_ms=50)
    clock.skip(3000)
    said = everything(port, until=is_link(DeviceState.SEARCHING))
    assert "version 2 of the protocol, known is 1" in said[-1].detail


def test_our_own_words_echoed_by_a_terminal_are_not_a_device(desk, opened):
    clock = SkippingClock()
    cable = desk.plug_in()
    port = opened(desk.port(), world=clock.world())
    cable.write(b"$1,*,4A70,3,0,WHO*EF48\n")
    port.read(timeout_ms=50)
    clock.skip(3000)
    said = everything(port, until=is_link(DeviceState.SEARCHING))
    assert "not a table device" in said[-1].detail


def test_a_gap_in_the_numbers_makes_the_host_ask_how_the_die_is(desk, opened):
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port())
    everything(port, die, until=is_heard(DieStatus))
    die.line(Remark("i", "lost on the way"))
    die.beat()
    everything(port, die, until=is_heard(DieStatus))
    everything(port, die, until=is_heard(DieStatus))
    assert HostVerb.STATE in [line.message.verb for line in die.heard]
    assert port.order.missing == 1


def test_a_failing_port_is_tried_ever_more_patiently_but_at_least_every_three_seconds():
    clock, tries_ms = VirtualClock(), []

    def opens(path, speed_baud):
        tries_ms.append(clock.ms)

    port = SerialPort("/dev/ttyACM0", A_DIE, world=virtual_world(clock, opens, ["/dev/ttyACM0"]))
    while clock.ms < 60_000:
        port.read(timeout_ms=1000)
    waits_ms = [later - sooner for sooner, later in pairwise(tries_ms)]
    assert waits_ms == sorted(waits_ms)
    assert 200 <= waits_ms[0] <= 300 and 3000 <= waits_ms[-1] <= 3200


def test_closing_from_another_thread_ends_a_read(desk):
    port = SerialPort(desk.port(), A_DIE)
    ended = SimpleNamespace(said="not yet")
    reading = Thread(
        target=lambda: setattr(ended, "said", [port.read(timeout_ms=60_000) for _ in range(2)][1])
    )
    reading.start()
    port.close()
    reading.join(timeout=10)
    assert ended.said is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prot": "/dev/ttyACM0"}, ["prot is no setting of it; did you mean port?"]),
        (
            {"port": 3, "baud": "fast"},
            ["port is 3; it must be a text", "baud is 'fast'; it must be a whole number"],
        ),
    ],
)
def test_all_that_is_wrong_with_a_die_s_settings_is_said_at_once(settings, words):
    with pytest.raises(ValueError) as raised:
        open_die("green", settings)
    assert all(word in str(raised.value) for word in ["settings of die green", *words])


def test_18_states_reach_the_reader_in_the_order_they_were_said(desk, opened):
    die = StandIn("D-7F3A1C").on(desk.plug_in())
    port = opened(desk.port())
    everything(port, die, until=is_heard(DieStatus))
    for state in (DieState.HANDLED, DieState.ROLLING, DieState.COCKED):
        die.become(state)
    said = everything(
        port, until=lambda heard: is_heard(DieStatus)(heard) and heard.line.message.state == "C"
    )
    assert [heard.line.message.state for heard in said] == ["H", "R", "C"]


def test_no_file_is_left_open_after_many_losses(desk, opened):
    port = opened(desk.port())
    counts = set()
    for _ in range(5):
        die = StandIn("D-7F3A1C").on(desk.plug_in())
        everything(port, die, until=is_link(DeviceState.LIVE))
        die.cable.unplug()
        everything(port, until=is_link(DeviceState.LOST))
        counts.add(len(list(Path("/proc/self/fd").iterdir())))
    assert len(counts) == 1
