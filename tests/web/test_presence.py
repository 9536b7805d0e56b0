"""Presence, PIN and rate: small clocks that decide who is here and who may try again."""

from __future__ import annotations

from companion.game import Seat
from tests.web.lantern_house import Clock
from web.pin import Pin
from web.presence import AWAY_AFTER_MS, MAX_LINES, Line, Presence
from web.rate import BURST, Rate

RED, BLUE = Seat("red"), Seat("blue")


def test_a_phone_that_reloads_is_not_away():
    clock = Clock()
    presence = Presence(clock)
    presence.opened(Line("a", "10.0.0.2", frozenset({RED})))
    presence.closed("a", was_silent=False)
    assert presence.here() == {RED}
    presence.opened(Line("b", "10.0.0.2", frozenset({RED})))
    clock.go_on(AWAY_AFTER_MS * 2)
    assert presence.here() == {RED}
    assert presence.due_in_ms() is None


def test_a_phone_gone_for_ten_seconds_turns_grey():
    clock = Clock()
    presence = Presence(clock)
    presence.opened(Line("a", "10.0.0.2", frozenset({RED})))
    presence.closed("a", was_silent=False)
    assert presence.due_in_ms() == AWAY_AFTER_MS
    before = presence.version
    clock.go_on(AWAY_AFTER_MS)
    assert presence.due_in_ms() is None
    assert presence.here() == frozenset()
    assert presence.version == before + 1


def test_a_phone_that_did_not_answer_is_grey_at_once():
    presence = Presence(Clock())
    presence.opened(Line("a", "10.0.0.2", frozenset({RED})))
    presence.closed("a", was_silent=True)
    assert presence.here() == frozenset()


def test_the_second_phone_of_a_seat_keeps_it_here():
    presence = Presence(Clock())
    for sid in ("a", "b"):
        presence.opened(Line(sid, "10.0.0.2", frozenset({RED})))
    presence.closed("a", was_silent=True)
    assert presence.here() == {RED}


def test_eight_lines_come_from_one_address_and_thirty_two_in_all():
    presence = Presence(Clock())
    for number in range(8):
        presence.opened(Line(f"a{number}", "10.0.0.2"))
    assert not presence.has_room("10.0.0.2", is_own_computer=False)
    assert presence.has_room("10.0.0.3", is_own_computer=False)
    for number in range(MAX_LINES - 8):
        assert presence.has_room("127.0.0.1", is_own_computer=True)
        presence.opened(Line(f"b{number}", "127.0.0.1"))
    assert not presence.has_room("127.0.0.1", is_own_computer=True)


def test_a_pin_rests_for_a_minute_after_five_wrong_tries():
    clock = Clock()
    pin = Pin("042042", clock)
    assert [pin.is_right("1") for _ in range(5)] == [False] * 5
    assert pin.rests_for_s() == 60
    assert not pin.is_right("042042")
    clock.go_on(60_000)
    assert pin.rests_for_s() == 0
    assert pin.is_right(" 042042 ")


def test_taps_come_back_with_time():
    clock = Clock()
    rate = Rate(clock)
    assert [rate.allows() for _ in range(BURST + 1)] == [True] * BURST + [False]
    clock.go_on(100)
    assert [rate.allows(), rate.allows()] == [True, False]


def test_a_phone_with_two_seats_is_here_for_both_and_leaves_with_both():
    clock = Clock()
    presence = Presence(clock)
    presence.opened(Line("a", "10.0.0.2", frozenset({RED})))
    assert presence.holds("a", frozenset({RED, BLUE}))
    assert not presence.holds("a", frozenset({RED, BLUE}))
    assert presence.here() == {RED, BLUE}
    presence.closed("a", was_silent=True)
    assert presence.here() == frozenset()
