"""Which turns a rotor has made, whatever gets lost between it and us."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.messages import Line, RotorState, RotorStatus, Turned
from hardware.turntables.turns import Turns

turns_made = st.lists(
    st.tuples(st.integers(-5, 5).filter(bool), st.booleans(), st.booleans(), st.booleans()), max_size=25
)


@settings(deadline=None)
@given(turns_made)
def test_whatever_lines_are_lost_the_ways_told_add_up_to_the_way_gone(made):
    turns, told, seq = Turns("centre"), [], 0
    turn = net = quarter = 0

    def hear(message, is_lost):
        nonlocal seq
        seq += 1
        heard = None if is_lost else turns.hear(Line("R-02B4E9", boot, seq, seq, message), seq)
        if heard is not None:
            told.append(heard)

    boot, gone = "9C21", 0
    hear(RotorStatus(RotorState.LOCKED, 0, 0, 0, 0), False)
    for delta, is_turn_lost, is_status_lost, reboots in made:
        turn, net, quarter, before = turn + 1, net + delta, (quarter + delta) % 4, quarter
        gone += delta
        for _ in range(3):
            hear(Turned(turn, before, quarter, delta, 900), is_turn_lost)
        hear(RotorStatus(RotorState.LOCKED, quarter, quarter * 900, turn, net), is_status_lost)
        if reboots:
            hear(RotorStatus(RotorState.LOCKED, quarter, quarter * 900, turn, net), False)
            boot, turn, net = f"{int(boot, 16) + 1:04X}", 0, 0
    hear(RotorStatus(RotorState.LOCKED, quarter, quarter * 900, turn, net), False)
    assert sum(one.delta for one in told) == gone
    assert len({(one.boot, one.turn) for one in told}) == len(told)
    assert all((one.from_quarter + one.delta) % 4 == one.to_quarter for one in told)
    assert turns.quarter == quarter
