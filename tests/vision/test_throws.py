"""A throw is one roll: after motion, at rest, agreed on; nothing else is."""

from __future__ import annotations

from dataclasses import replace

from companion.ports import DieReading, Obstacle
from vision.throws import AGREEING, MOST_LOOKS, Thrown, Throws


def die(value: int = 4, at: tuple[float, float] = (100.0, 80.0), **told: object) -> DieReading:
    x, y = at
    corners = ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))
    return replace(DieReading(value, 0.99, True, at, corners), **told)


def looked(throws: Throws, *dice: DieReading) -> Thrown | None:
    """Look as often as is due; return what was thrown."""
    thrown = None
    while throws.is_due:
        thrown = throws.look(dice) or thrown
    return thrown


def watching(*lying: DieReading, kind: str = "") -> Throws:
    throws = Throws(kind)
    looked(throws, *lying)
    return throws


def test_a_die_that_lies_there_at_the_beginning_was_not_thrown():
    throws = Throws()
    throws.move(50)
    assert looked(throws, die()) is None


def test_a_die_that_comes_to_rest_after_motion_is_a_roll_that_began_with_the_motion():
    throws = watching()
    throws.move(1000)
    throws.move(1200)
    assert looked(throws, die(5)) == Thrown(5, started_ms=1000)


def test_a_hand_that_passes_over_a_die_throws_nothing():
    throws = watching(die(3))
    throws.move(1000)
    assert looked(throws, die(3, (101.0, 80.5))) is None


def test_the_same_face_elsewhere_is_a_new_roll():
    throws = watching(die(3))
    throws.move(1000)
    assert looked(throws, die(3, (160.0, 80.0))) == Thrown(3, 1000)


def test_a_die_that_was_lifted_and_lies_where_it_lay_was_thrown():
    throws = watching(die(3))
    throws.move(1000)
    assert looked(throws) is None
    throws.move(2000)
    assert looked(throws, die(3)) == Thrown(3, 1000)


def test_looks_must_agree_before_a_roll_is_told():
    throws = watching()
    throws.move(1000)
    assert [throws.look([die(v)]) for v in (6, 5, 6, 6)] == [None] * 4
    assert throws.look([die(6)]) == Thrown(6, 1000)


def test_a_cocked_die_is_said_and_no_roll_until_it_is_thrown_again():
    throws = watching()
    throws.move(1000)
    cocked = die(value=4, sure=False, obstacle=Obstacle.COCKED)
    assert looked(throws, cocked) is None
    assert throws.trouble is Obstacle.COCKED
    throws.move(3000)
    assert looked(throws, die(2)) == Thrown(2, 1000)
    assert throws.trouble is None


def test_a_second_die_is_no_guess():
    throws = watching()
    throws.move(1000)
    assert looked(throws, die(2), die(3, (200.0, 80.0))) is None
    assert throws.count == 2


def test_of_a_taught_set_only_the_die_of_its_kind_counts():
    throws = watching(kind="red")
    throws.move(1000)
    others = die(3, (200.0, 80.0), kind="blue"), die(1, (30.0, 30.0), kind_obstacle=Obstacle.NOT_TAUGHT)
    assert looked(throws, die(6, kind="red"), *others) == Thrown(6, 1000)


def test_a_die_that_might_be_of_its_kind_is_no_guess_either():
    throws = watching(kind="red")
    throws.move(1000)
    assert looked(throws, die(6, kind="red"), die(3, kind_obstacle=Obstacle.ODD_COLOURS)) is None
    assert throws.trouble is Obstacle.ODD_COLOURS


def test_looking_ends_where_nothing_can_be_read():
    throws = watching()
    throws.move(1000)
    unread = die(sure=False, obstacle=Obstacle.GLARE)
    looks = 0
    while throws.is_due:
        throws.look([unread])
        looks += 1
    assert AGREEING < looks == MOST_LOOKS
