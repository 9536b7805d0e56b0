"""What cameras see becomes one proposal a seat, waits for a tap, and never acts by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.board import PieceKind, Place, SpaceId
from companion.game import Proposal, Seat
from companion.ports import Obstacle, Reading
from companion.table.merge import QUIET_MS
from companion.table.writer import Receipt
from tests.lantern.evening import BLUE, HOST, PATIENCE_S, RED, Evening, by_seat, reading
from tests.lantern.moves import BANK, SEATS, ChooseWind, Gather, Lay, place_of


@pytest.fixture
def evening() -> Iterator[Evening]:
    evening = Evening(seats=2)
    evening.see()
    yield evening
    evening.table.close()


def why(receipt: Receipt) -> str:
    assert not receipt.is_done and receipt.why is not None
    return receipt.why.key


def seen(proposal: Proposal) -> dict[str, str]:
    return {space.place.space: space.seen.reads for space in proposal.spaces}


def puzzles(evening: Evening, seat: Seat | None = None) -> list[str]:
    return [str(space.place) for puzzle in evening.look(seat).puzzles for space in puzzle.spaces]


def test_an_unchanged_bank_proposes_nothing(evening: Evening) -> None:
    assert evening.look().proposals == ()
    assert evening.look().puzzles == ()


def test_laid_stones_are_proposed_to_their_seat_and_the_host_only(evening: Evening) -> None:
    evening.see(red1="pebble")
    assert seen(evening.proposal(RED).proposal) == {"red1": "pebble"}
    assert evening.look(BLUE).proposals == ()
    assert len(evening.look(None).proposals) == 1


def test_a_sighting_never_writes(evening: Evening) -> None:
    seq = evening.look().seq
    evening.see(red1="pebble", blue2="shell")
    assert evening.look().seq == seq


def test_a_proposal_grows_and_shrinks_under_one_name(evening: Evening) -> None:
    evening.see(red1="pebble")
    first = evening.proposal(RED)
    evening.see(red1="pebble", red2="shell")
    grown = evening.proposal(RED)
    assert (grown.id, seen(grown.proposal)) == (first.id, {"red1": "pebble", "red2": "shell"})
    evening.see(red2="shell")
    shrunk = evening.proposal(RED)
    assert (shrunk.id, seen(shrunk.proposal)) == (first.id, {"red2": "shell"})
    evening.see()
    assert evening.look(RED).proposals == ()


def test_one_tap_takes_all_of_it(evening: Evening) -> None:
    evening.see(red1="pebble", red2="shell")
    assert evening.accept(evening.proposal(RED), RED).is_done
    assert evening.look(RED).proposals == ()
    assert evening.score(RED) == 2
    record = evening.journal.read(evening.look().table)[-1]
    assert record.cause.seen == {
        "camera": "above",
        "spaces": {"bank/red1": "pebble", "bank/red2": "shell"},
        "by_hand": {},
    }


def test_a_tap_repeated_takes_it_once(evening: Evening) -> None:
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    first = evening.accept(found, RED, request="tap")
    again = evening.accept(found, RED, request="tap")
    assert (again.is_done, again.seq, again.is_repeat) == (True, first.seq, True)
    assert why(evening.accept(found, RED)) == "table.refused.proposal_gone"


def test_nobody_takes_the_proposal_of_another_seat_but_the_host(evening: Evening) -> None:
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    assert why(evening.accept(found, BLUE)) == "table.refused.not_your_seat"
    assert why(evening.correct(found, "red1", "shell", BLUE)) == "table.refused.not_your_seat"
    assert why(evening.dismiss(found, BLUE)) == "table.refused.not_your_seat"
    assert evening.accept(found, HOST).is_done


def test_two_seats_have_a_proposal_each(evening: Evening) -> None:
    evening.see(red1="pebble", blue1="shell")
    assert evening.accept(evening.proposal(RED), RED).is_done
    assert seen(evening.proposal(BLUE).proposal) == {"blue1": "shell"}
    assert evening.accept(evening.proposal(BLUE), BLUE).is_done


def test_what_cannot_be_read_cannot_be_taken_but_corrected(evening: Evening) -> None:
    evening.see(red1="unknown?", red2="shell")
    found = evening.proposal(RED)
    assert not found.proposal.is_sure
    assert why(evening.accept(found, RED)) == "table.refused.proposal_unclear"
    assert evening.correct(found, "red1", "pebble", RED).is_done
    corrected = evening.proposal(RED)
    assert corrected.id == found.id
    assert seen(corrected.proposal) == {"red1": "pebble", "red2": "shell"}
    assert corrected.by_hand == {place_of(SpaceId("red1")): "pebble"}
    assert evening.accept(corrected, RED).is_done


def test_a_correction_is_written_down_with_what_was_seen(evening: Evening) -> None:
    evening.see(red1="pebble?")
    evening.correct(evening.proposal(RED), "red1", "shell", RED)
    evening.accept(evening.proposal(RED), RED)
    record = evening.journal.read(evening.look().table)[-1]
    assert record.cause.seen["spaces"] == {"bank/red1": "pebble"}
    assert record.cause.seen["by_hand"] == {"bank/red1": "shell"}
    assert record.body["stones"] == [["red1", "shell"]]


def test_a_corrected_space_may_be_said_to_be_empty_and_corrected_again(evening: Evening) -> None:
    evening.see(red1="pebble", red2="shell")
    found = evening.proposal(RED)
    evening.correct(found, "red1", "empty", RED)
    assert seen(evening.proposal(RED).proposal) == {"red2": "shell"}
    assert evening.proposal(RED).by_hand == {place_of(SpaceId("red1")): "empty"}
    evening.correct(found, "red1", "shell", RED)
    assert seen(evening.proposal(RED).proposal) == {"red1": "shell", "red2": "shell"}


def test_a_correction_holds_while_the_eyes_are_no_surer_than_before(evening: Evening) -> None:
    evening.see(red1="pebble?")
    evening.correct(evening.proposal(RED), "red1", "shell", RED)
    for reads in ("unknown?", "pebble?", "hidden"):
        evening.see(red1=reads, red2="pebble")
        assert seen(evening.proposal(RED).proposal)["red1"] == "shell"
    evening.see(red2="pebble")  # the stone is surely gone
    assert seen(evening.proposal(RED).proposal) == {"red2": "pebble"}


def test_what_was_corrected_and_taken_is_no_puzzle_even_after_a_restart(evening: Evening) -> None:
    evening.see(red1="pebble?")
    evening.correct(evening.proposal(RED), "red1", "shell", RED)
    evening.accept(evening.proposal(RED), RED)
    evening.see(red1="pebble?", red2="pebble")
    assert puzzles(evening) == []
    evening.restart()
    evening.see(red1="pebble?")
    assert puzzles(evening) == []


def test_a_correction_is_forgotten_with_the_entry_that_it_led_to(evening: Evening) -> None:
    evening.see(red1="pebble?")
    evening.correct(evening.proposal(RED), "red1", "shell", RED)
    evening.accept(evening.proposal(RED), RED)
    evening.strike(HOST, evening.look().seq)
    evening.see(red1="pebble?")
    assert seen(evening.proposal(RED).proposal) == {"red1": "pebble"}
    evening.restart()
    evening.see(red1="pebble?")
    assert seen(evening.proposal(RED).proposal) == {"red1": "pebble"}


@pytest.mark.parametrize(
    ("space", "reads", "key"),
    [("red1", "dragon", "table.refused.no_such_piece"), ("red9", "shell", "table.refused.no_such_space")],
)
def test_a_correction_that_makes_no_sense_is_refused(
    evening: Evening, space: str, reads: str, key: str
) -> None:
    evening.see(red1="pebble")
    assert why(evening.correct(evening.proposal(RED), space, reads, RED)) == key


def test_a_proposal_is_void_once_its_space_is_typed(evening: Evening) -> None:
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    evening.do(RED, Lay(RED, ((SpaceId("red1"), PieceKind("pebble")),)))
    assert evening.look(RED).proposals == ()
    assert why(evening.accept(found, RED)) == "table.refused.proposal_gone"


def test_a_proposal_is_void_once_its_seat_did_something_else(evening: Evening) -> None:
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    evening.do(RED, Gather(RED, 1))
    anew = evening.proposal(RED)
    assert anew.id != found.id
    assert why(evening.accept(found, RED)) == "table.refused.proposal_gone"
    assert evening.accept(anew, RED).is_done


def test_a_proposal_stays_valid_while_others_do_things(evening: Evening) -> None:
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    evening.do(BLUE, Gather(BLUE, 1))
    assert evening.accept(found, RED).is_done


def test_a_new_phase_makes_a_new_proposal(evening: Evening) -> None:
    evening.do(RED, ChooseWind(RED, "north"))
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    evening.do(BLUE, ChooseWind(BLUE, "north"))
    assert evening.proposal(RED).id != found.id


def test_ids_of_proposals_are_not_used_again_after_a_restart(evening: Evening) -> None:
    evening.see(red1="pebble")
    found = evening.proposal(RED)
    evening.restart()
    evening.see(red1="pebble")
    assert evening.proposal(RED).id != found.id


def test_a_dismissed_proposal_stays_away_until_its_spaces_read_otherwise(evening: Evening) -> None:
    evening.see(red1="pebble")
    assert evening.dismiss(evening.proposal(RED), RED).is_done
    assert evening.look(RED).proposals == ()
    evening.see(red1="pebble", blue1="shell")
    evening.see(red1="hidden")
    evening.see(red1="pebble")
    assert evening.look(RED).proposals == ()
    evening.see(red1="shell")
    assert seen(evening.proposal(RED).proposal) == {"red1": "shell"}


def test_a_dismissed_proposal_comes_back_when_more_is_laid(evening: Evening) -> None:
    evening.see(red1="pebble")
    evening.dismiss(evening.proposal(RED), RED)
    evening.see(red1="pebble", red2="shell")
    assert seen(evening.proposal(RED).proposal) == {"red1": "pebble", "red2": "shell"}


def test_a_hand_hides_and_changes_nothing(evening: Evening) -> None:
    evening.see(red1="pebble")
    evening.accept(evening.proposal(RED), RED)
    evening.see(red1="hidden", red2="hidden", blue1="hidden")
    assert evening.look().proposals == ()
    assert evening.look().puzzles == ()


def test_a_stone_that_went_missing_is_a_puzzle_of_its_seat(evening: Evening) -> None:
    evening.see(red1="pebble")
    evening.accept(evening.proposal(RED), RED)
    evening.see()
    assert puzzles(evening, RED) == puzzles(evening, None) == ["bank/red1"]
    assert puzzles(evening, BLUE) == []
    evening.see(red1="pebble")
    assert puzzles(evening) == []


def test_a_puzzle_is_solved_by_what_its_seat_says_until_the_space_reads_otherwise(evening: Evening) -> None:
    place = place_of(SpaceId("red1"))
    evening.see(red1="pebble")
    evening.accept(evening.proposal(RED), RED)
    evening.see(red1="shell")
    said = evening.table.say(place, PieceKind("pebble"), cause=by_seat(BLUE)).result(PATIENCE_S)
    assert why(said) == "table.refused.not_your_seat"
    said = evening.table.say(place, PieceKind("pebble"), cause=by_seat(RED)).result(PATIENCE_S)
    assert said.is_done
    assert puzzles(evening) == []
    evening.see(red1="shell", red2="shell")
    assert puzzles(evening) == []
    evening.see()
    assert puzzles(evening) == ["bank/red1"]


def test_the_host_says_what_lies_on_any_space_and_a_seat_only_where_it_is_puzzled(evening: Evening) -> None:
    place, shell = place_of(SpaceId("red1")), PieceKind("shell")
    assert why(evening.table.say(place, shell, cause=by_seat(RED)).result(PATIENCE_S))
    assert evening.table.say(place, shell, cause=HOST).result(PATIENCE_S).is_done
    assert seen(evening.proposal(RED).proposal) == {"red1": "shell"}


def test_a_struck_entry_is_proposed_again_by_what_still_lies_there(evening: Evening) -> None:
    evening.see(red1="pebble")
    evening.accept(evening.proposal(RED), RED)
    evening.strike(HOST, evening.look().seq)
    evening.see(red1="pebble")
    assert seen(evening.proposal(RED).proposal) == {"red1": "pebble"}


def test_a_picture_from_before_a_tap_says_nothing_against_it(evening: Evening) -> None:
    evening.now_ms += 1000
    evening.do(RED, Lay(RED, ((SpaceId("red1"), PieceKind("pebble")),)))  # typed before it is laid
    late = reading(evening.now_ms - 500)
    evening.table.sighted(late).result(PATIENCE_S)
    assert puzzles(evening) == []
    evening.see()
    assert puzzles(evening) == ["bank/red1"]


def test_an_old_picture_holds_again_when_the_eyes_stay_quiet(evening: Evening) -> None:
    evening.do(RED, Lay(RED, ((SpaceId("red1"), PieceKind("pebble")),)))
    assert puzzles(evening) == []
    evening.now_ms += QUIET_MS
    evening.table.sighted(Reading("side", 1, evening.now_ms, {}, obstacle=Obstacle.TOO_DARK)).result(
        PATIENCE_S
    )
    assert puzzles(evening) == ["bank/red1"]


def test_the_newest_reading_of_a_board_counts_whichever_camera_saw_it(evening: Evening) -> None:
    evening.see(camera="above", red1="pebble")
    evening.see(camera="side", red1="shell")
    assert seen(evening.proposal(RED).proposal) == {"red1": "shell"}
    assert evening.proposal(RED).camera == "side"
    evening.table.sighted(reading(evening.now_ms - 50, camera="above", red1="pebble")).result(PATIENCE_S)
    assert seen(evening.proposal(RED).proposal) == {"red1": "shell"}


def test_a_camera_that_finds_no_board_takes_no_proposal_away(evening: Evening) -> None:
    evening.see(red1="pebble")
    dark = Reading("side", 1, evening.now_ms + 1, {}, obstacle=Obstacle.BOARD_NOT_FOUND)
    evening.table.sighted(dark).result(PATIENCE_S)
    assert seen(evening.proposal(RED).proposal) == {"red1": "pebble"}


def test_a_proposal_shows_pictures_of_its_own_spaces_only(evening: Evening) -> None:
    places = [Place(BANK, SpaceId(space)) for space in ("red1", "red2", "blue1")]
    crops: dict[Place, Any] = {place: str(place).encode() for place in places}
    evening.see(red1="pebble", red2="shell", blue1="pebble", crops=crops)
    assert evening.proposal(RED).crops == {place: crops[place] for place in places[:2]}


def test_a_reading_that_changes_nothing_is_not_shown(evening: Evening) -> None:
    evening.see(red1="pebble")
    view = evening.look(RED)
    evening.see(red1="pebble")
    assert evening.look(RED) is view


def test_every_seat_can_be_proposed_to() -> None:
    evening = Evening(seats=4)
    evening.see(**{f"{seat}1": "pebble" for seat in SEATS})
    for seat in SEATS:
        assert (
            evening.table.accept(evening.proposal(seat).id, request="tap", cause=by_seat(seat))
            .result(PATIENCE_S)
            .is_done
        )
    assert [evening.score(seat) for seat in SEATS] == [1, 1, 1, 1]
    evening.table.close()


def test_the_offer_to_take_a_table_over_follows_what_is_seen() -> None:
    evening = Evening()
    shown = evening.look(None).shown
    evening.see(red1="pebble")
    assert evening.look(None).shown > shown
    evening.table.close()
