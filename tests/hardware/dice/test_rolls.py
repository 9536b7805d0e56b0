"""Which rolls a die has made, whatever gets lost between it and us."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.dice.rolls import Rolls
from hardware.messages import DieState, DieStatus, Line, Rolled

rolls_made = st.lists(
    st.tuples(st.integers(1, 6), st.lists(st.booleans(), min_size=4, max_size=4), st.booleans()), max_size=25
)


@settings(deadline=None)
@given(rolls_made)
def test_whatever_lines_are_lost_each_roll_told_is_true_and_the_last_one_is_told(made):
    rolls, told, truth, at_ms = Rolls("green"), [], {}, 0
    boot, roll, face = "9C21", 0, 0

    def hear(message, is_lost=False):
        nonlocal at_ms
        at_ms += 10
        heard = None if is_lost else rolls.hear(Line("D-7F3A1C", boot, at_ms, at_ms, message), at_ms)
        if heard is not None:
            told.append(heard)

    hear(DieStatus(DieState.FLAT, 0, 0, 5, 97))
    for shows, lost, reboots in made:
        if reboots:
            boot, roll, face = f"{int(boot, 16) + 1:04X}", 0, 0
        hear(DieStatus(DieState.ROLLING, roll, face, 0, 0), lost[0])
        roll, face = roll + 1, shows
        truth[boot, roll] = face
        for is_lost in lost[1:3]:
            hear(Rolled(roll, face, 98, 900), is_lost)
        hear(DieStatus(DieState.FLAT, roll, face, face, 98), lost[3])
    hear(DieStatus(DieState.FLAT, roll, face, face, 98))
    names = [(one.boot, one.roll) for one in told]
    assert [truth[name] for name in names] == [one.face for one in told]
    assert len(set(names)) == len(names)
    assert not made or names[-1] == (boot, roll)
    assert all(one.started_ms is None or one.started_ms <= one.at_ms for one in told)
    assert not rolls.trouble


def test_the_start_of_a_roll_does_not_carry_over_to_the_next():
    rolls = Rolls("green")

    def hear(message, at_ms):
        return rolls.hear(Line("D-7F3A1C", "9C21", at_ms, at_ms, message), at_ms)

    hear(DieStatus(DieState.FLAT, 0, 0, 5, 97), 0)
    hear(DieStatus(DieState.ROLLING, 0, 0, 0, 0), 10)
    assert hear(Rolled(1, 3, 98, 900), 20).started_ms == 10
    assert hear(Rolled(2, 3, 98, 900), 9000).started_ms is None  # its beginning was not heard
