"""When a roll is a move, and when a turn of the board is one."""

from __future__ import annotations

from companion.game import Prompt, Sentence, Tone
from companion.ports import DeviceStanding, DeviceState, DieRoll
from companion.table.watch import DieWatch, Verdict, cause_of_roll
from tests.lantern.evening import BLUE, HOST, PATIENCE_S, RED, Evening, by_seat, posts
from tests.lantern.moves import Gather


def test_the_die_decides_and_the_journal_says_so(walk: Evening) -> None:
    walk.roll(3, roll=1)
    assert posts(walk) == [3, 0]
    record = walk.journal.read(walk.look().table)[-1]
    assert (record.cause.by, record.cause.for_seat) == ("die", RED)
    assert record.cause.seen == {"die": "bone", "boot": "b1", "roll": 1, "face": 3}


def test_fog_is_the_games_affair(walk: Evening) -> None:
    walk.roll(4, roll=1)
    assert posts(walk) == [2, 0]


def test_a_roll_that_nobody_awaited_is_shown_and_is_no_move(mill: Evening) -> None:
    seq = mill.look().seq
    mill.roll(5, roll=1)
    view = mill.look(RED)
    assert view.seq == seq
    assert view.last_roll is not None and view.last_roll.face == 5


def test_a_roll_that_began_before_the_prompt_is_no_move(walk: Evening) -> None:
    walk.roll(5, roll=1, started_ms=walk.now_ms - 1)
    assert posts(walk) == [0, 0]


def test_a_roll_whose_beginning_nobody_saw_is_no_move(walk: Evening) -> None:
    walk.roll(5, roll=1, started_ms=None)
    assert posts(walk) == [0, 0]


def test_a_roll_reported_twice_counts_once(walk: Evening) -> None:
    walk.roll(3, roll=1)
    walk.roll(3, roll=1)
    assert posts(walk) == [3, 0]


def test_the_next_roll_is_the_next_seats(walk: Evening) -> None:
    walk.roll(3, roll=1)
    walk.roll(6, roll=2)
    assert posts(walk) == [3, 6]


def test_a_roll_that_began_before_the_last_one_was_counted_is_no_move(walk: Evening) -> None:
    started_ms = walk.now_ms + 1
    walk.roll(3, roll=1)
    walk.roll(6, roll=2, started_ms=started_ms)
    assert posts(walk) == [3, 0]


def test_the_die_that_counted_first_is_the_bound_one(walk: Evening) -> None:
    walk.roll(3, roll=1, die="bone")
    walk.roll(6, roll=1, die="wood")
    assert posts(walk) == [3, 0]
    walk.roll(5, roll=2, die="bone")
    assert posts(walk) == [3, 5]


def test_after_a_restart_the_die_is_bound_and_its_last_roll_counts_no_more(walk: Evening) -> None:
    walk.roll(3, roll=7)
    walk.restart()
    walk.roll(3, roll=7)
    walk.roll(6, roll=1, die="wood")
    assert posts(walk) == [3, 0]
    walk.roll(5, roll=8)
    assert posts(walk) == [3, 5]


def test_a_roll_from_before_a_restart_is_no_move(walk: Evening) -> None:
    started_ms = walk.now_ms + 50
    walk.restart()
    walk.roll(3, roll=1, started_ms=started_ms)
    assert posts(walk) == [0, 0]


def test_a_struck_roll_is_rolled_again(walk: Evening) -> None:
    walk.roll(3, roll=1)
    walk.strike(HOST, walk.look().seq)
    walk.roll(3, roll=1)
    assert posts(walk) == [0, 0]
    walk.roll(6, roll=2)
    assert posts(walk) == [6, 0]


def test_a_face_that_the_rules_refuse_is_no_move(walk: Evening) -> None:
    walk.roll(9, roll=1)
    assert posts(walk) == [0, 0]
    walk.roll(6, roll=2)
    assert posts(walk) == [6, 0]


def test_an_awaited_turn_is_a_move(mill: Evening) -> None:
    mill.turn(1, turn=1)
    assert mill.look().view.phase.key == "lantern.phase.walk"
    assert mill.look().reminders == ()
    assert mill.journal.read(mill.look().table)[-1].cause.by == "board_sensor"


def test_an_awaited_turn_the_wrong_way_is_a_reminder_until_it_is_right(mill: Evening) -> None:
    mill.turn(-1, turn=1, to_quarter=3)
    assert mill.look().view.phase.key == "lantern.phase.mill"
    [reminder] = mill.look(RED).reminders
    assert (reminder.key, reminder.values) == ("table.reminder.wrong_way_clockwise", {"count": 2})
    mill.turn(2, turn=2, to_quarter=1)  # back, and the step that was awaited, in one go
    assert mill.look().view.phase.key == "lantern.phase.walk"
    assert mill.look().reminders == ()


def test_an_awaited_turn_that_went_too_far_is_taken_for_two_until_one_is_turned_back(mill: Evening) -> None:
    mill.turn(2, turn=1, to_quarter=2)
    [reminder] = mill.look(RED).reminders
    assert (reminder.key, reminder.values) == ("table.reminder.twice_anticlockwise", {"count": 1})
    mill.turn(-1, turn=2, to_quarter=1)
    assert mill.look().view.phase.key == "lantern.phase.walk"
    assert mill.look().reminders == ()


def test_a_second_turn_right_after_the_awaited_one_is_asked_about(mill: Evening) -> None:
    mill.turn(1, turn=1, to_quarter=1)
    mill.turn(1, turn=2, to_quarter=2)
    [reminder] = mill.look(RED).reminders
    assert (reminder.key, reminder.values) == ("table.reminder.twice_anticlockwise", {"count": 1})
    mill.turn(-1, turn=3, to_quarter=1)
    assert mill.look().reminders == ()


def test_a_turn_that_nobody_asked_for_is_a_reminder_and_no_move(walk: Evening) -> None:
    before = walk.table.position()
    walk.turn(1, turn=1, to_quarter=2)  # the tap that opened this phase owed one turn
    walk.turn(1, turn=2, to_quarter=3)
    [reminder] = walk.look(RED).reminders
    assert (reminder.key, reminder.values) == ("table.reminder.turn_anticlockwise", {"count": 1})
    walk.turn(-1, turn=3, to_quarter=2)
    assert walk.look().reminders == ()
    assert walk.table.position() == before


def test_a_board_that_is_left_as_it_was_turned_is_right_from_then_on(walk: Evening) -> None:
    walk.turn(1, turn=1, to_quarter=2)  # owed by the tap
    assert not walk.look().is_board_astray
    walk.turn(1, turn=2, to_quarter=3)
    assert walk.look(RED).is_board_astray
    seq = walk.look().seq
    assert walk.table.board_stands(cause=by_seat(RED)).result(PATIENCE_S).is_done
    assert (walk.look().reminders, walk.look().is_board_astray, walk.look().seq) == ((), False, seq)
    walk.turn(-1, turn=3, to_quarter=2)
    [reminder] = walk.look().reminders
    assert (reminder.key, reminder.values) == ("table.reminder.turn_clockwise", {"count": 1})


def test_a_board_on_its_wrong_way_while_a_turn_is_due_is_not_to_be_left_so(mill: Evening) -> None:
    mill.turn(-1, turn=1, to_quarter=3)
    assert mill.look().reminders and not mill.look().is_board_astray


def test_a_turn_that_was_tapped_before_the_hands_made_it_needs_no_reminder(walk: Evening) -> None:
    walk.turn(1, turn=1)
    assert walk.look().reminders == ()


def test_a_turn_reported_twice_is_one_turn(mill: Evening) -> None:
    mill.turn(1, turn=1)
    mill.turn(1, turn=1)
    assert mill.look().reminders == ()
    mill.restart()
    mill.turn(1, turn=1)
    assert mill.look().reminders == ()


def test_a_stray_turn_reported_twice_is_one_step_back(walk: Evening) -> None:
    walk.turn(1, turn=1)  # owed by the tap
    for _ in range(2):
        walk.turn(1, turn=2, to_quarter=2)
    [reminder] = walk.look().reminders
    assert reminder.values == {"count": 1}


def test_the_same_question_asked_again_is_a_new_one() -> None:
    watch = DieWatch()
    prompt = Prompt(RED, Sentence("lantern.ask.roll"), "2", Tone.ACT, key="again", expects_die=True)
    first = DieRoll("bone", "b1", 1, 3, at_ms=300, started_ms=200)
    hasty = DieRoll("bone", "b1", 2, 6, at_ms=500, started_ms=250)
    watch.ask([prompt], 100)
    assert watch.judge(first) is Verdict.COUNTS
    watch.recall(cause_of_roll(first))
    watch.ask([prompt], 300)
    assert watch.judge(hasty) is Verdict.TOO_EARLY


def test_how_a_device_stands_is_shown_once_it_changes(mill: Evening) -> None:
    standing = DeviceStanding("bone", "die", DeviceState.LOST, "no port")
    mill.table.stood(standing).result(PATIENCE_S)
    view = mill.look(RED)
    assert view.devices == (standing,)
    mill.table.stood(standing).result(PATIENCE_S)
    assert mill.look(RED) is view


def test_oil_may_be_gathered_while_the_die_is_awaited(walk: Evening) -> None:
    walk.do(BLUE, Gather(BLUE, 1))
    walk.roll(3, roll=1)
    assert posts(walk) == [3, 0]
