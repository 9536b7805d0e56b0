"""Taking back: a seat its own last entry, the host any, and never half of what belongs together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.table.writer import Receipt
from tests.lantern.evening import BLUE, GREEN, HOST, PATIENCE_S, RED, Evening, wire
from tests.lantern.moves import Burn, ChooseWind, Gather, Give, TurnMill, Walk


@pytest.fixture
def evening() -> Iterator[Evening]:
    evening = Evening(seats=2)
    yield evening
    evening.table.close()


def why(receipt: Receipt) -> str:
    assert not receipt.is_done and receipt.why is not None
    return receipt.why.key


def walking(evening: Evening) -> None:
    for seat in (RED, BLUE):
        evening.do(seat, ChooseWind(seat, "north"))
    evening.do(HOST, TurnMill(1))


def test_a_seat_takes_back_its_own_last_entry(evening: Evening) -> None:
    position = evening.table.position()
    seq = evening.do(RED, Gather(RED, 2)).seq
    own_last = evening.look(RED).own_last
    assert own_last is not None and own_last.seq == seq
    assert evening.strike(RED, seq).is_done
    assert evening.table.position() == position


def test_what_was_struck_stays_visible_and_says_by_which_entry(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 2)).seq
    struck_by = evening.strike(RED, seq).seq
    for reader in (None, RED, BLUE):
        gathered, struck = evening.look(reader).log[-2:]
        assert (gathered.seq, gathered.is_struck, gathered.struck_by_seq) == (seq, True, struck_by)
        assert (struck.seq, struck.say.key, struck.is_struck) == (struck_by, "table.log.struck", False)
        assert struck.say.values == {"count": 1, "seqs": str(seq)}


def test_after_a_strike_the_entry_before_it_is_the_last(evening: Evening) -> None:
    first = evening.do(RED, Gather(RED, 1)).seq
    second = evening.do(RED, Gather(RED, 2)).seq
    evening.strike(RED, second)
    own_last = evening.look(RED).own_last
    assert own_last is not None and own_last.seq == first


def test_an_entry_is_struck_once(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 2)).seq
    evening.strike(HOST, seq)
    assert why(evening.strike(HOST, seq)) == "table.refused.no_such_entry"


@pytest.mark.parametrize("seqs", [(99,), (0,), ()])
def test_what_is_not_there_cannot_be_struck(evening: Evening, seqs: tuple[int, ...]) -> None:
    assert why(evening.strike(HOST, *seqs)) in (
        "table.refused.no_such_entry",
        "table.refused.nothing_named",
    )


def test_a_strike_itself_cannot_be_struck(evening: Evening) -> None:
    seq = evening.strike(HOST, evening.do(RED, Gather(RED, 2)).seq).seq
    assert why(evening.strike(HOST, seq)) == "table.refused.no_such_entry"


def test_a_seat_does_not_take_back_an_older_entry(evening: Evening) -> None:
    first = evening.do(RED, Gather(RED, 1)).seq
    evening.do(RED, Gather(RED, 2))
    assert why(evening.strike(RED, first)) == "table.refused.not_your_last"


def test_a_seat_does_not_take_back_anothers_entry(evening: Evening) -> None:
    seq = evening.do(BLUE, Gather(BLUE, 1)).seq
    evening.do(RED, Gather(RED, 1))
    assert why(evening.strike(RED, seq)) == "table.refused.not_your_last"


def test_others_entries_do_not_keep_a_seat_from_taking_back_its_own(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 1)).seq
    evening.do(BLUE, Gather(BLUE, 1))
    assert evening.strike(RED, seq).is_done
    assert (evening.score(RED), evening.score(BLUE)) == (0, 1)


def test_a_choice_is_taken_back_while_it_is_secret(evening: Evening) -> None:
    seq = evening.do(RED, ChooseWind(RED, "north")).seq
    assert evening.strike(RED, seq).is_done
    assert evening.do(RED, ChooseWind(RED, "south")).is_done


def test_a_choice_is_not_taken_back_once_revealed_not_even_by_who_chose_last(evening: Evening) -> None:
    evening.do(RED, ChooseWind(RED, "north"))
    seq = evening.do(BLUE, ChooseWind(BLUE, "north")).seq
    assert evening.look(BLUE).own_last is None
    assert why(evening.strike(BLUE, seq)) == "table.refused.phase_over"


def test_taking_back_leaves_every_other_seats_view_as_it_was(evening: Evening) -> None:
    evening.do(BLUE, Gather(BLUE, 1))
    before = {reader: repr(evening.look(reader).view) for reader in (None, RED, BLUE)}
    evening.strike(RED, evening.do(RED, ChooseWind(RED, "north")).seq)
    assert {reader: repr(evening.look(reader).view) for reader in before} == before


def test_a_seat_that_another_one_touched_since_asks_the_host(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 2)).seq
    evening.do(BLUE, Gather(BLUE, 1))
    given = evening.do(BLUE, Give(BLUE, RED)).seq
    assert evening.look(RED).own_last is None
    refused = evening.strike(RED, seq)
    assert why(refused) == "table.refused.not_your_last"
    assert refused.instead is not None and refused.instead.key == "table.ask_the_host"
    evening.strike(BLUE, given)
    assert evening.strike(RED, seq).is_done


def test_a_secret_that_was_struck_is_told_as_struck_once_it_is_told(evening: Evening) -> None:
    seq = evening.do(RED, ChooseWind(RED, "north")).seq
    struck_by = evening.strike(RED, seq).seq
    for seat in (RED, BLUE):
        evening.do(seat, ChooseWind(seat, "south"))
    line = next(line for line in evening.look(BLUE).log if line.seq == seq)
    assert (line.is_struck, line.struck_by_seq) == (True, struck_by)


def test_the_host_strikes_any_entry_with_all_that_came_of_its_command(evening: Evening) -> None:
    evening.do(RED, ChooseWind(RED, "north"))
    position = evening.table.position()
    seq = evening.do(BLUE, ChooseWind(BLUE, "north")).seq  # the reveal; the choice is one before
    assert evening.strike(HOST, seq).is_done
    assert evening.table.position() == position


def test_the_preview_shows_scores_and_what_would_break(evening: Evening) -> None:
    gathered = evening.do(RED, Gather(RED, 2)).seq
    evening.do(BLUE, Gather(BLUE, 3))
    burnt = evening.do(RED, Burn(RED, 1)).seq
    preview = evening.table.preview_strike([gathered]).result(PATIENCE_S)
    assert preview.seqs == (gathered, burnt)
    assert [line.seq for line in preview.lines] == [gathered]
    assert [line.seq for line in preview.also] == [burnt]
    assert [(score.seat, score.before, score.after) for score in preview.scores] == [
        (RED, 1, 0),
        (BLUE, 3, 3),
    ]
    assert preview.why is None


def test_what_breaks_is_struck_together_or_not_at_all(evening: Evening) -> None:
    position = evening.table.position()
    gathered = evening.do(RED, Gather(RED, 2)).seq
    burnt = evening.do(RED, Burn(RED, 1)).seq
    before = evening.table.position()
    refused = evening.strike(HOST, gathered)
    assert why(refused) == "table.refused.breaks_later"
    assert refused.why is not None and refused.why.values == {"count": 1, "seqs": str(burnt)}
    assert evening.table.position() == before
    assert evening.strike(HOST, gathered, burnt).is_done
    assert evening.table.position() == position


def test_an_entry_that_would_have_come_out_otherwise_breaks_too(evening: Evening) -> None:
    walking(evening)
    first = evening.do(HOST, Walk(RED, 3)).seq
    evening.do(BLUE, Walk(BLUE, 3))
    choice = evening.do(RED, ChooseWind(RED, "north")).seq
    preview = evening.table.preview_strike([first]).result(PATIENCE_S)
    assert choice in preview.seqs
    assert evening.strike(HOST, *preview.seqs).is_done
    assert [prompt.seat for prompt in evening.look().view.prompts] == [RED]


def test_the_preview_of_nothing_says_why(evening: Evening) -> None:
    preview = evening.table.preview_strike([99]).result(PATIENCE_S)
    assert preview.why is not None and preview.why.key == "table.refused.no_such_entry"


def test_a_seat_replaces_its_own_last_entry(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 1)).seq
    assert evening.replace(RED, seq, Gather(RED, 3)).is_done
    assert evening.score(RED) == 3


def test_a_replacement_counts_where_the_entry_stood(evening: Evening) -> None:
    choice = evening.do(RED, ChooseWind(RED, "north")).seq
    evening.do(RED, Gather(RED, 1))
    evening.do(BLUE, ChooseWind(BLUE, "north"))
    assert not evening.do(RED, ChooseWind(RED, "south")).is_done  # it is too late to choose now
    receipt = evening.replace(HOST, choice, ChooseWind(RED, "south"))
    assert receipt.is_done
    assert evening.look().view.facts["winds"] == {"red": "south", "blue": "north"}
    old, new = (
        line for line in evening.look().log if line.say.values.get("seat") == RED and "wind" in line.say.key
    )
    assert (old.struck_by_seq, new.seq) == (receipt.seq, receipt.seq)


def test_an_entry_that_comes_out_otherwise_after_a_replacement_goes_with_it(evening: Evening) -> None:
    walking(evening)
    first = evening.do(HOST, Walk(RED, 3)).seq
    evening.do(HOST, Walk(BLUE, 3))
    walking(evening)
    second = evening.do(HOST, Walk(RED, 2)).seq  # to post 5; from post 1 it would be post 3
    preview = evening.table.preview_replace(first, wire(Walk(RED, 1))).result(PATIENCE_S)
    assert [line.seq for line in preview.also] == [second]


def test_replay_meets_a_replacement_where_the_entry_stood() -> None:
    evening = Evening(seats=3)
    for seat in (RED, BLUE, GREEN):
        evening.do(seat, ChooseWind(seat, "north"))
    evening.do(HOST, TurnMill(1))
    first = evening.do(HOST, Walk(RED, 3)).seq
    evening.do(HOST, Walk(BLUE, 3))
    assert evening.replace(HOST, first, Walk(RED, 5)).is_done
    assert "posts=5,3,0" in evening.table.position()
    assert "walked=red,blue" in evening.table.position()
    evening.table.close()


def test_a_replacement_is_asked_of_the_rules_of_that_moment(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 1)).seq
    evening.do(RED, Gather(RED, 3))
    refused = evening.replace(HOST, seq, Burn(RED, 1))
    assert why(refused) == "lantern.refused.no_oil"


def test_a_replacement_that_breaks_later_entries_takes_them_along_or_is_refused(evening: Evening) -> None:
    gathered = evening.do(RED, Gather(RED, 3)).seq
    burnt = evening.do(RED, Burn(RED, 2)).seq
    assert why(evening.replace(HOST, gathered, Gather(RED, 1))) == "table.refused.breaks_later"
    preview = evening.table.preview_replace(gathered, wire(Gather(RED, 1))).result(PATIENCE_S)
    assert [line.seq for line in preview.also] == [burnt]
    assert evening.replace(HOST, gathered, Gather(RED, 1), *preview.seqs).is_done
    assert evening.score(RED) == 1


def test_a_replacement_can_be_struck_and_replaced_again(evening: Evening) -> None:
    position = evening.table.position()
    seq = evening.do(RED, Gather(RED, 1)).seq
    second = evening.replace(HOST, seq, Gather(RED, 2)).seq
    third = evening.replace(HOST, second, Gather(RED, 3)).seq
    assert evening.score(RED) == 3
    assert evening.strike(HOST, third).is_done
    assert evening.table.position() == position


def test_a_seat_replaces_nothing_for_another_seat(evening: Evening) -> None:
    seq = evening.do(RED, Gather(RED, 1)).seq
    assert why(evening.replace(RED, seq, Gather(BLUE, 1))) == "table.refused.not_your_seat"


def test_a_repeated_strike_strikes_once(evening: Evening) -> None:
    evening.do(RED, Gather(RED, 1))
    seq = evening.do(RED, Gather(RED, 2)).seq
    first = evening.strike(RED, seq, request="undo")
    again = evening.strike(RED, seq, request="undo")
    assert (again.is_done, again.seq, again.is_repeat) == (True, first.seq, True)
    assert evening.score(RED) == 1


def test_strikes_and_replacements_hold_after_a_restart(evening: Evening) -> None:
    first = evening.do(RED, Gather(RED, 1)).seq
    evening.do(RED, Gather(RED, 2))
    third = evening.do(BLUE, Gather(BLUE, 3)).seq
    evening.replace(HOST, first, Gather(RED, 3))
    evening.strike(HOST, third)
    before = [evening.look(reader) for reader in (None, RED, BLUE)]
    evening.restart()
    for reader, seen in zip((None, RED, BLUE), before, strict=True):
        again = evening.look(reader)
        assert (again.view, again.log, again.own_last) == (seen.view, seen.log, seen.own_last)
