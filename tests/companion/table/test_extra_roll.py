"""A roll that was no move is put to whoever is asked for one: one tap lets it count."""

from __future__ import annotations

from companion.table.extra_roll import KEPT_MS
from tests.lantern.evening import BLUE, HOST, RED, Evening, posts
from tests.lantern.moves import TurnMill


def early(evening: Evening, face: int, roll: int) -> None:
    evening.roll(face, roll=roll, started_ms=None)


def test_a_roll_that_came_too_early_counts_by_one_tap_of_whom_it_is_put_to(walk: Evening) -> None:
    early(walk, 3, 1)
    assert posts(walk) == [0, 0]
    assert walk.look(BLUE).proposals == ()
    found = walk.proposal(RED)
    assert found.proposal.say.values == {"face": 3, "die": "bone"}
    assert not walk.accept(found, BLUE).is_done
    assert walk.accept(found, RED).is_done
    assert posts(walk) == [3, 0]
    cause = walk.journal.read(walk.look().table)[-1].cause
    assert (cause.by, cause.for_seat) == ("let_count", RED)
    assert cause.seen == {"die": "bone", "boot": "b1", "roll": 1, "face": 3}


def test_it_counts_once_and_its_die_is_the_bound_one_after_a_restart_too(walk: Evening) -> None:
    walk.roll(6, roll=9, die="wood", started_ms=None)
    walk.accept(walk.proposal(RED), HOST)
    walk.restart()
    walk.roll(6, roll=9, die="wood")
    walk.roll(5, roll=1, die="bone")
    assert posts(walk) == [6, 0]
    walk.roll(4, roll=10, die="wood")
    assert posts(walk)[1] > 0


def test_rolled_before_anybody_was_asked_it_is_put_to_the_first_who_is(mill: Evening) -> None:
    mill.roll(5, roll=1)
    assert mill.look().proposals == ()
    mill.do(HOST, TurnMill(1))
    assert mill.proposal(RED).proposal.command is not None


def test_another_die_than_the_bound_one_counts_by_a_tap(walk: Evening) -> None:
    walk.roll(3, roll=1)
    walk.roll(6, roll=1, die="wood")
    assert posts(walk) == [3, 0]
    walk.accept(walk.proposal(BLUE), BLUE)
    assert posts(walk) == [3, 6]


def test_the_next_roll_takes_its_place(walk: Evening) -> None:
    early(walk, 3, 1)
    early(walk, 5, 2)
    first = walk.proposal(RED)
    assert first.proposal.say.values["face"] == 5
    walk.roll(6, roll=3)
    assert posts(walk) == [6, 0]
    assert walk.look().proposals == ()
    assert not walk.accept(first, RED).is_done


def test_put_away_or_overtaken_by_another_answer_it_is_gone(walk: Evening) -> None:
    early(walk, 3, 1)
    walk.dismiss(walk.proposal(RED), RED)
    assert walk.look().proposals == ()
    early(walk, 4, 2)
    walk.roll(6, roll=3)
    early(walk, 2, 4)
    walk.now_ms += KEPT_MS
    walk.see()
    assert walk.look().proposals == ()


def test_a_face_that_the_rules_refuse_is_put_to_nobody(walk: Evening) -> None:
    early(walk, 9, 1)
    assert walk.look().proposals == ()
