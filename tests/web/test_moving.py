"""A seat gets to another phone: once, in time, and the phone that had it is out at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.game import Seat
from tests.web.lantern_house import Clock
from web.moving import NUMBER_MS, TICKET_MS, Moving, NumberWrong, TicketSpent
from web.pin import PAUSE_MS, TRIES
from web.seats import SeatEmpty, Seats

RED, BLUE = Seat("red"), Seat("blue")


class Door:
    """Seats with two people, a clock, and the ways to another phone."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.seats = Seats(None)
        self.moving = Moving(self.seats, self.clock)
        self.mia = self.seats.sit(RED, "Mia")

    def wrong(self) -> str:
        """Return three digits that are not the number."""
        return f"{(int(self.moving.number()) + 500) % 1000:03d}"


@pytest.fixture
def door() -> Iterator[Door]:
    opened = Door()
    yield opened
    opened.seats.close()


def test_a_code_moves_a_seat_with_its_name_and_ends_the_old_phone(door: Door):
    token = door.moving.move_by_ticket(door.moving.ticket_for(RED))
    assert door.seats.seat_of(token) == RED
    assert door.seats.seat_of(door.mia) is None
    assert door.seats.names() == {RED: "Mia"}


def test_a_code_works_once(door: Door):
    ticket = door.moving.ticket_for(RED)
    token = door.moving.move_by_ticket(ticket)
    with pytest.raises(TicketSpent):
        door.moving.move_by_ticket(ticket)
    assert door.seats.seat_of(token) == RED


def test_a_code_ends_after_two_minutes(door: Door):
    ticket = door.moving.ticket_for(RED)
    door.clock.go_on(TICKET_MS - 1)
    assert door.moving.seat_on(ticket) == RED
    door.clock.go_on(1)
    assert door.moving.seat_on(ticket) is None
    with pytest.raises(TicketSpent):
        door.moving.move_by_ticket(ticket)
    assert door.seats.seat_of(door.mia) == RED


def test_a_newer_code_and_another_owner_end_a_code(door: Door):
    first = door.moving.ticket_for(RED)
    second = door.moving.ticket_for(RED)
    assert (door.moving.seat_on(first), door.moving.seat_on(second)) == (None, RED)
    door.seats.free(RED)
    assert door.moving.seat_on(second) is None
    door.seats.sit(RED, "Ravi")
    assert door.moving.seat_on(second) is None


def test_an_empty_seat_has_no_code(door: Door):
    assert door.moving.seat_on(door.moving.ticket_for(BLUE)) is None


def test_the_number_moves_a_seat_and_changes_by_it(door: Door):
    number = door.moving.number()
    token = door.moving.move_by_number(RED, f" {number} ")
    assert (door.seats.seat_of(token), door.seats.seat_of(door.mia)) == (RED, None)
    assert door.moving.number() != number
    with pytest.raises(NumberWrong):
        door.moving.move_by_number(RED, number)


def test_the_number_changes_with_time_and_the_one_before_still_counts_for_a_while(door: Door):
    number = door.moving.number()
    door.clock.go_on(NUMBER_MS)
    assert door.moving.number() != number
    assert door.seats.seat_of(door.moving.move_by_number(RED, number)) == RED


def test_five_wrong_numbers_change_it_and_end_tries_for_a_minute(door: Door):
    number = door.moving.number()
    for _ in range(TRIES):
        with pytest.raises(NumberWrong):
            door.moving.move_by_number(RED, door.wrong())
    assert door.moving.number() != number
    with pytest.raises(NumberWrong) as told:
        door.moving.move_by_number(RED, door.moving.number())
    assert told.value.why.key == "web.pin.rests"
    door.clock.go_on(PAUSE_MS)
    assert door.seats.seat_of(door.moving.move_by_number(RED, door.moving.number())) == RED


@pytest.mark.parametrize("tried", ["", "12", "1234", "abc", "٣٤٥", "007x", "\x00"])
def test_what_is_no_number_is_a_wrong_try(door: Door, tried: str):
    with pytest.raises(NumberWrong):
        door.moving.move_by_number(RED, tried)
    assert door.seats.seat_of(door.mia) == RED


def test_a_seat_where_nobody_sits_cannot_be_moved(door: Door):
    with pytest.raises(SeatEmpty):
        door.moving.move_by_number(BLUE, door.moving.number())


def test_a_seat_comes_to_stand_beside_the_one_that_the_new_phone_has(door: Door):
    ravi = door.seats.sit(BLUE, "Ravi")
    token = door.moving.move_by_ticket(door.moving.ticket_for(RED), beside=ravi)
    assert door.seats.held_with(ravi) == {RED: token, BLUE: ravi}
