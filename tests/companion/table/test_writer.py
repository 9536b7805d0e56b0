"""The single writer: order, idempotence, refusals, and what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier, Thread

import pytest

from companion.game import Seat, Sighting
from companion.journal import Cause, JournalUnusable, NewRecord
from companion.ports import Reading
from companion.table.memory_journal import MemoryJournal
from companion.table.sqlite_journal import open_sqlite_journal
from companion.table.writer import Receipt, Submission, TableClosed
from tests.lantern.evening import BLUE, HOST, PATIENCE_S, RED, WHITE, Evening, by_seat, wire
from tests.lantern.game import Lantern, State
from tests.lantern.moves import SEATS, Burn, ChooseWind, Gather, Open, TakeOver, Walk


@pytest.fixture
def evening() -> Iterator[Evening]:
    evening = Evening(seats=2)
    yield evening
    evening.table.close()


def test_a_command_is_written_and_then_shown(evening: Evening) -> None:
    before = evening.look()
    receipt = evening.do(RED, Gather(RED, 2))
    assert receipt == Receipt(True, before.seq + 1)
    assert evening.look().seq == receipt.seq
    assert evening.look().shown > before.shown
    assert evening.score(RED) == 2


def test_a_refusal_says_why_by_which_rule(evening: Evening) -> None:
    receipt = evening.do(RED, Burn(RED, 1))
    assert not receipt.is_done
    assert receipt.why is not None and receipt.why.key == "lantern.refused.no_oil"
    assert receipt.rule == "3"


def test_what_cannot_be_read_is_refused(evening: Evening) -> None:
    nonsense = Submission("r", by_seat(RED), 0, {"do": "fly"})
    receipt = evening.table.submit(nonsense).result(PATIENCE_S)
    assert receipt.why is not None and receipt.why.key == "lantern.not_a_command"


def test_a_command_for_another_seat_is_refused(evening: Evening) -> None:
    receipt = evening.do(BLUE, Gather(RED, 2))
    assert receipt.why is not None and receipt.why.key == "table.refused.not_your_seat"
    assert evening.score(RED) == 0


def test_a_seat_does_not_set_up_the_table() -> None:
    evening = Evening()
    assert not evening.do(RED, Open(SEATS)).is_done
    evening.table.close()


def test_the_host_acts_for_a_seat_and_the_log_says_so(evening: Evening) -> None:
    assert evening.do(HOST, Gather(BLUE, 3)).is_done
    line = evening.look(RED).log[-1]
    assert (line.cause.by, line.cause.for_seat) == ("host", BLUE)


def test_a_stale_but_harmless_command_is_taken(evening: Evening) -> None:
    seq = evening.look().seq
    evening.do(BLUE, Gather(BLUE, 1))
    assert evening.do(RED, Gather(RED, 1), on_seq=seq).is_done


def test_a_stale_and_contradictory_command_gets_the_reason_of_the_rules(evening: Evening) -> None:
    evening.do(RED, Gather(RED, 1))
    seq = evening.look().seq
    assert evening.do(RED, Burn(RED, 1), on_seq=seq).is_done
    again = evening.do(RED, Burn(RED, 1), on_seq=seq)
    assert again.why is not None and again.why.key == "lantern.refused.no_oil"


def test_a_command_made_on_a_future_of_another_table_is_refused(evening: Evening) -> None:
    receipt = evening.do(RED, Gather(RED, 1), on_seq=999)
    assert receipt.why is not None and receipt.why.key == "table.refused.from_elsewhere"


def test_a_repeated_tap_counts_once_and_gets_the_same_answer(evening: Evening) -> None:
    first = evening.do(RED, Gather(RED, 1), request="tap")
    evening.do(BLUE, Gather(BLUE, 1))
    again = evening.do(RED, Gather(RED, 1), request="tap")
    assert (again.is_done, again.seq, again.is_repeat) == (True, first.seq, True)
    assert evening.score(RED) == 1


def test_a_refused_tap_stays_refused_when_repeated(evening: Evening) -> None:
    first = evening.do(RED, Burn(RED, 1), request="tap")
    evening.do(RED, Gather(RED, 3))
    again = evening.do(RED, Burn(RED, 1), request="tap")
    assert (again.why, again.is_repeat) == (first.why, True)
    assert evening.score(RED) == 3


def test_two_phones_may_make_the_same_request_id(evening: Evening) -> None:
    assert evening.do(by_seat(RED, "one"), Gather(RED, 1), request="1").is_done
    assert evening.do(by_seat(RED, "two"), Gather(RED, 1), request="1").is_done
    assert evening.score(RED) == 2


def test_a_tap_repeated_after_a_restart_counts_once(tmp_path: Path) -> None:
    journal = open_sqlite_journal(tmp_path / "journal.db")
    evening = Evening(journal, seats=2)
    first = evening.do(RED, Gather(RED, 2), request="tap")
    evening.table.close()
    journal.close()

    journal = open_sqlite_journal(tmp_path / "journal.db")
    evening = Evening(journal)
    again = evening.do(RED, Gather(RED, 2), request="tap")
    assert (again.is_done, again.seq, again.is_repeat) == (True, first.seq, True)
    assert evening.score(RED) == 2
    evening.table.close()
    journal.close()


def test_four_seats_command_at_the_same_seq_a_thousand_times() -> None:
    rounds = 1000
    evening = Evening(seats=4)
    start = Barrier(len(SEATS))
    seqs: dict[Seat, list[int]] = {seat: [] for seat in SEATS}

    def tap(seat: Seat) -> None:
        for number in range(rounds):
            start.wait(PATIENCE_S)
            seq = 1 + number * len(SEATS)
            submission = Submission(f"{number}", by_seat(seat), seq, wire(Gather(seat, 1)))
            receipt = evening.table.submit(submission).result(PATIENCE_S)
            assert receipt.is_done
            seqs[seat].append(receipt.seq)
            start.wait(PATIENCE_S)

    phones = [Thread(target=tap, args=[seat]) for seat in SEATS]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()

    assert [evening.score(seat) for seat in SEATS] == [rounds] * 4
    assert sorted(seq for own in seqs.values() for seq in own) == list(range(2, 2 + 4 * rounds))
    journal = [(record.seq, record.cause.for_seat) for record in evening.journal.read(evening.look().table)]
    assert [seq for seq, seat in journal if seat == WHITE] == seqs[WHITE]
    for seat in (None, *SEATS):
        assert [(line.seq, line.cause.for_seat) for line in evening.look(seat).log] == journal
    evening.table.close()


def test_three_hundred_commands_of_one_seat_arrive_in_order(evening: Evening) -> None:
    amounts = [1 + number % 3 for number in range(300)]
    futures = [
        evening.table.submit(Submission(f"{number}", by_seat(RED), 1, wire(Gather(RED, amount))))
        for number, amount in enumerate(amounts)
    ]
    seqs = [future.result(PATIENCE_S).seq for future in futures]
    assert seqs == list(range(seqs[0], seqs[0] + 300))
    said = [line.say.values["by"] for line in evening.look().log if line.say.key == "lantern.log.oil"]
    assert said == amounts


def test_a_listener_that_fails_does_not_undo_what_is_written(evening: Evening) -> None:
    heard: list[int] = []

    def fall_over() -> None:
        raise OSError("The big screen is gone.")

    evening.table.on_change(fall_over)
    evening.table.on_change(lambda: heard.append(evening.look().seq))
    receipt = evening.do(RED, Gather(RED, 1))
    assert receipt.is_done
    assert heard == [receipt.seq]


class BlindLantern(Lantern):
    """A game whose eyes fall over every picture."""

    def sighted(self, state: State, reading: Reading) -> Sequence[Sighting]:
        raise ArithmeticError("There are no such spaces.")


def test_a_game_that_cannot_explain_a_reading_is_played_on_by_taps() -> None:
    evening = Evening(seats=2, game=BlindLantern())
    with pytest.raises(ArithmeticError):
        evening.see(red1="pebble")
    assert evening.do(RED, Gather(RED, 2)).is_done
    assert evening.score(RED) == 2
    evening.table.close()


def test_a_listener_may_stop_listening(evening: Evening) -> None:
    heard: list[int] = []
    end = evening.table.on_change(lambda: heard.append(1))
    end()
    evening.do(RED, Gather(RED, 1))
    assert heard == []


def test_a_refusal_changes_nothing_that_is_shown(evening: Evening) -> None:
    before = evening.look(RED)
    evening.do(RED, Burn(RED, 1))
    assert evening.look(RED) is before


def test_no_view_of_another_seat_differs_by_a_secret_choice() -> None:
    evenings = [Evening(seats=2) for _ in ("north", "south")]
    for evening, wind in zip(evenings, ("north", "south"), strict=True):
        evening.do(RED, ChooseWind(RED, wind), request="same")
    for reader in (None, BLUE):
        assert repr(evenings[0].look(reader)) == repr(evenings[1].look(reader))
        assert [line.say.key for line in evenings[0].look(reader).log] == ["lantern.log.opened"]
    assert evenings[0].look(RED).log != evenings[1].look(RED).log
    for evening in evenings:
        evening.table.close()


def test_what_was_secret_is_told_after_the_reveal_in_its_place(evening: Evening) -> None:
    evening.do(RED, ChooseWind(RED, "south"))
    evening.do(BLUE, Gather(BLUE, 1))
    evening.do(BLUE, ChooseWind(BLUE, "north"))
    keys = [line.say.key for line in evening.look(None).log]
    assert keys == ["lantern.log.opened", "lantern.log.wind", "lantern.log.oil", "lantern.log.wind"]
    evening.restart()
    assert [line.say.key for line in evening.look(None).log] == keys


def test_an_untouched_table_can_be_taken_over_as_it_stands() -> None:
    evening = Evening()
    assert evening.look(RED).opening == ()
    [offer] = evening.look(None).opening
    receipt = evening.table.submit(Submission("r", HOST, 0, offer.command)).result(PATIENCE_S)
    assert receipt.is_done
    assert evening.table.position() == offer.command["line"]
    assert evening.look(None).opening == ()
    evening.restart()
    assert evening.table.position() == offer.command["line"]
    evening.table.close()


def test_a_position_is_one_line(evening: Evening) -> None:
    assert evening.table.position() == "wind 1 red,blue posts=0,0 oil=0,0 stones=- winds=, walked=-"


def test_an_unknown_seat_is_named(evening: Evening) -> None:
    with pytest.raises(ValueError, match="no seat purple"):
        evening.look(Seat("purple"))


def test_a_closed_table_answers_so(evening: Evening) -> None:
    evening.table.close()
    with pytest.raises(TableClosed, match="evening"):
        evening.do(RED, Gather(RED, 1))


def test_when_another_service_wrote_first_the_table_reads_on_and_refuses(tmp_path: Path) -> None:
    journals = [open_sqlite_journal(tmp_path / "journal.db") for _ in range(2)]
    ours = Evening(journals[0], seats=2)
    theirs = Evening(journals[1])
    theirs.do(BLUE, Gather(BLUE, 3))
    refused = ours.do(RED, Gather(RED, 1), request="tap")
    assert refused.why is not None and refused.why.key == "table.refused.journal_moved"
    assert ours.score(BLUE) == 3
    assert ours.do(RED, Gather(RED, 1), request="tap").is_done
    for evening in (ours, theirs):
        evening.table.close()
    for journal in journals:
        journal.close()


def test_a_journal_that_cannot_write_is_a_refusal_and_may_be_tried_again(evening: Evening) -> None:
    journal = evening.journal
    assert isinstance(journal, MemoryJournal)
    journal.close()
    refused = evening.do(RED, Gather(RED, 1), request="tap")
    assert refused.why is not None and refused.why.key == "table.refused.cannot_write"
    journal._is_closed = False
    assert evening.do(RED, Gather(RED, 1), request="tap").is_done
    assert evening.score(RED) == 1


def test_a_table_is_not_opened_on_a_closed_journal() -> None:
    journal = MemoryJournal()
    journal.close()
    with pytest.raises(JournalUnusable):
        Evening(journal)


def test_an_entry_that_the_game_does_not_know_is_named(evening: Evening) -> None:
    entry = NewRecord("2026-11-30T20:00:00Z", "lantern.eclipse", 1, {}, HOST)
    evening.journal.append(evening.look().table, evening.look().seq, [entry])
    with pytest.raises(JournalUnusable, match=r"lantern\.eclipse"):
        evening.restart()


def test_one_command_may_bring_about_several_entries(evening: Evening) -> None:
    evening.do(HOST, TakeOver("walk"))  # refused: the table is open
    for seat in (RED, BLUE):
        evening.do(seat, ChooseWind(seat, "north"))
    [chosen, shown] = evening.journal.read(evening.look().table)[-2:]
    assert (chosen.kind, shown.kind) == ("lantern.wind_chosen", "lantern.winds_shown")
    assert chosen.cause == shown.cause
    assert not evening.do(RED, Walk(RED, 3)).is_done


def test_what_a_phone_sees_of_a_cause_holds_no_secret(evening: Evening) -> None:
    evening.do(RED, ChooseWind(RED, "south"))
    line = evening.look(RED).log[-1]
    assert line.cause == Cause("seat", for_seat=RED)
