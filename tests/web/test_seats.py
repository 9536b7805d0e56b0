"""Seats: a name, a token that only the phone has, and a way back after a restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import Seat
from web.seats import HOSTS_KEPT, NameRefused, Seats, SeatTaken, clean_name

RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture
def seats() -> Iterator[Seats]:
    kept = Seats(None)
    yield kept
    kept.close()


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Mia", "Mia"),
        ("  Mia   Moth ", "Mia Moth"),
        ("Zoe\u0308", "Zoë"),
        ("<img src=x>", "<img src=x>"),
        ("😀", "😀"),
        ("x" * 20, "x" * 20),
    ],
)
def test_a_name_is_kept_in_its_composed_form(written: str, kept: str):
    assert clean_name(written) == kept


@pytest.mark.parametrize(
    "written", ["", "   ", "x" * 21, "a\u202eb", "a\x00b", "\u200b", "a\u2028b\u200f", "\u0301"]
)
def test_a_name_has_one_to_twenty_letters_that_can_be_seen(written: str):
    with pytest.raises(NameRefused):
        clean_name(written)


def test_a_token_holds_its_seat(seats: Seats):
    token = seats.sit(RED, "Mia")
    assert seats.seat_of(token) == RED
    assert seats.names() == {RED: "Mia"}
    assert seats.seat_of("") is None
    assert seats.seat_of(token + "x") is None


def test_a_taken_seat_is_not_given_away(seats: Seats):
    seats.sit(RED, "Mia")
    with pytest.raises(SeatTaken):
        seats.sit(RED, "Ravi")
    assert seats.names() == {RED: "Mia"}


def test_a_phone_that_changes_seats_leaves_its_old_one(seats: Seats):
    token = seats.sit(RED, "Mia")
    other = seats.sit(BLUE, "Mia", leaving=token)
    assert seats.names() == {BLUE: "Mia"}
    assert seats.seat_of(token) is None
    assert seats.seat_of(other) == BLUE


def test_a_seat_given_free_ends_its_token(seats: Seats):
    token = seats.sit(RED, "Mia")
    seats.free(RED)
    assert seats.seat_of(token) is None
    assert seats.seat_of(seats.sit(RED, "Ravi")) == RED


def test_a_phone_holds_several_seats_and_each_finds_the_others(seats: Seats):
    mia = seats.sit(RED, "Mia")
    ravi = seats.sit(BLUE, "Ravi", beside=mia)
    assert seats.held_with(mia) == seats.held_with(ravi) == {RED: mia, BLUE: ravi}
    assert (seats.seat_of(mia), seats.seat_of(ravi)) == (RED, BLUE)


def test_a_seat_that_leaves_a_phone_leaves_the_others_there(seats: Seats):
    mia = seats.sit(RED, "Mia")
    ravi = seats.sit(BLUE, "Ravi", beside=mia)
    elsewhere = seats.move(RED)
    assert seats.held_with(mia) == {BLUE: ravi}
    assert seats.held_with(elsewhere) == {RED: elsewhere}
    assert seats.names() == {RED: "Mia", BLUE: "Ravi"}


def test_a_token_of_nobody_brings_no_seats_along(seats: Seats):
    mia = seats.sit(RED, "Mia", beside="guess.blue")
    assert seats.held_with("guess.blue") == {}
    assert seats.held_with("") == {}
    assert seats.held_with(mia) == {RED: mia}


def test_phones_and_hosts_come_back_after_a_restart(tmp_path: Path):
    path = tmp_path / "seats.sqlite"
    first = Seats(path)
    token, host = first.sit(RED, "Mia"), first.admit_host()
    first.close()
    second = Seats(path)
    assert second.seat_of(token) == RED
    assert second.names() == {RED: "Mia"}
    assert second.is_host(host)
    second.close()


def test_the_file_holds_no_token(tmp_path: Path):
    path = tmp_path / "seats.sqlite"
    seats = Seats(path)
    token, host = seats.sit(RED, "Mia"), seats.admit_host()
    seats.close()
    connection = sqlite3.connect(path)
    dump = "\n".join(connection.iterdump())
    connection.close()
    assert "Mia" in dump
    assert token not in dump
    assert host not in dump


def test_only_the_newest_hosts_are_remembered(seats: Seats):
    tokens = [seats.admit_host() for _ in range(HOSTS_KEPT + 2)]
    assert [seats.is_host(token) for token in tokens] == [False, False] + [True] * HOSTS_KEPT
