"""What a camera sees of a mat: parts laid out, monsters turned, cards laid, and dice that say otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from companion.board import PieceKind, Place, SpaceId
from companion.game import Proposal, Puzzled
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import mat, mat_of
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.state import Monster, State
from companion.journal import Cause, TableId, TableRow
from companion.ports import BoardReading, DieReading, Reading, SpaceReading
from companion.sentences import Speaker
from companion.table.memory_journal import MemoryJournal
from companion.table.writer import Submission, Table
from tests.companion.games.monster_graveyard.mg_tables import EMPTY, SOPHIA, WENDY, acting, after, values

WORDS = Speaker([GAME.package, "companion"])
SOPHIAS = ("putrefied_head", "fresh_torso", *["skeletal_arm"] * 2, *["skeletal_leg"] * 2)
MONSTER = Monster(1, 2, 4, 1)


def space(reads: str) -> SpaceReading:
    return SpaceReading(PieceKind(reads.rstrip("?")), 0.5 if "?" in reads else 0.99, sure="?" not in reads)


def seen(spaces: Mapping[str, str], dice: str = "", *, sure: bool = True) -> Reading:
    """See Wendy's mat: ``dice`` such as ``terror 2, health 1`` lie on her first monster."""
    read = {name: space(spaces.get(name, "empty")) for name in mat(WENDY).spaces}
    on_card = []
    for piece in filter(None, dice.split(", ")):
        kind, pips = piece.split()
        where = Place(mat_of(WENDY), SpaceId("monster1"))
        value = None if pips == "?" else int(pips)
        on_card.append(DieReading(value, 0.9, sure, (0.0, 0.0), kind=kind, place=where))
    board = BoardReading(mat_of(WENDY), "tags", (), 0.0, read)
    return Reading("above", 1, 1, {mat_of(WENDY): board}, dice=tuple(on_card))


def parts(*kinds: str) -> dict[str, str]:
    return {f"part{number}": kind for number, kind in enumerate(kinds, 1)}


def proposal(state: State, reading: Reading) -> Proposal:
    [found] = GAME.sighted(state, reading)
    assert isinstance(found, Proposal)
    return found


def command(found: Proposal) -> Any:
    assert found.command is not None
    return GAME.codec.command_in(found.command)


def test_six_parts_are_proposed_as_a_monster_with_its_sum() -> None:
    found = proposal(acting(), seen(parts(*SOPHIAS)))
    assert "Terror 2, Science 1, Health 2" in WORDS.say(found.say)
    assert found.is_sure
    state = after(acting(), command(found))
    assert values(state.labs[WENDY].monster(1)) == (2, 1, 2)


def test_five_parts_are_enough_where_one_counts_as_two() -> None:
    found = proposal(
        acting(),
        seen(parts("skeletal_head", "skeletal_torso", "skeletal_arm", "pirate_hook", "mermaid_tail")),
    )
    assert len(found.spaces) == 5
    assert command(found).parts[-1] == "mermaid_tail"


def test_the_sum_counts_the_upgrades() -> None:
    state = acting(upgrades=("superior_science",))
    assert "Science 3" in WORDS.say(proposal(state, seen(parts(*SOPHIAS))).say)


def test_nothing_is_said_while_parts_are_still_being_laid() -> None:
    assert GAME.sighted(acting(), seen(parts(*SOPHIAS[:4]))) == ()
    assert GAME.sighted(acting(), seen(parts(*SOPHIAS) | {"part6": "hidden"})) == ()


def test_parts_that_make_no_monster_are_a_puzzle_that_says_why() -> None:
    two_heads = ("fresh_head", "rotting_head", *SOPHIAS[1:5])
    [found] = GAME.sighted(acting(), seen(parts(*two_heads)))
    assert isinstance(found, Puzzled)
    assert "a head" in WORDS.say(found.say)


def test_a_part_that_nobody_can_name_is_asked_for_and_taken_once_it_is_said() -> None:
    found = proposal(acting(), seen(parts(*SOPHIAS[:5], "unknown?")))
    assert found.command is None
    assert PieceKind("skeletal_leg") in found.spaces[-1].may_be
    place = found.spaces[-1].place
    corrected = seen(parts(*SOPHIAS[:5], "unknown?")).corrected({place: PieceKind("skeletal_leg")})
    assert command(proposal(acting(), corrected)).parts == SOPHIAS


def test_a_part_that_was_not_read_surely_waits_for_a_tap() -> None:
    assert not proposal(acting(), seen(parts(*SOPHIAS[:5], "skeletal_leg?"))).is_sure


def test_a_monster_turned_in_the_laboratory_is_an_experiment() -> None:
    found = proposal(acting(monsters=(MONSTER,)), seen({"monster1": "monster_turned"}))
    assert command(found) == m.Experiment(WENDY, 1)
    assert "4 RP" in WORDS.say(found.say)


def test_a_monster_turned_in_the_village_terrorizes() -> None:
    state = acting(monsters=(MONSTER,))
    state = after(state, *(m.Finish(seat) for seat in state.labs))
    state = after(state, m.ChoosePhase(state.waited_for()[0], "village"))
    assert command(proposal(state, seen({"monster1": "monster_turned"}))) == m.Terrorize(WENDY, 1)


def test_an_upgrade_laid_is_the_card_that_was_played() -> None:
    state = after(acting(rp=6), m.Acquire(WENDY, "6"))
    found = proposal(state, seen({"upgrade1": "superior_terror"}))
    assert command(found) == m.Play(WENDY, "superior_terror")
    # A card of another deck cannot have been bought.
    assert GAME.sighted(state, seen({"upgrade1": "improved_terror"})) == ()


@pytest.mark.parametrize(
    "dice", ["terror 2, science 4, health 1", "", "terror 2", "science 4, health 1", "terror 2, health ?"]
)
def test_dice_that_agree_or_are_still_being_set_ask_nothing(dice: str) -> None:
    assert GAME.sighted(acting(monsters=(MONSTER,)), seen({"monster1": "monster"}, dice)) == ()


def test_dice_that_say_otherwise_are_a_question_that_no_trust_answers() -> None:
    state = acting(monsters=(MONSTER,))
    found = proposal(state, seen({"monster1": "monster"}, "terror 3, science 4, health 1"))
    assert not found.is_sure, "a table that trusts its eyes would take it by itself"
    said = WORDS.say(found.say)
    assert "Terror 3, Science 4, Health 1" in said
    assert "set them to Terror 2, Science 4 and Health 1" in said
    assert command(found) == m.SetMonster(WENDY, 1, 3, 4, 1)
    assert found.seat == WENDY


def test_dice_that_were_not_read_surely_ask_nothing() -> None:
    reading = seen({"monster1": "monster"}, "terror 3, science 4, health 1", sure=False)
    assert GAME.sighted(acting(monsters=(MONSTER,)), reading) == ()


def test_seven_is_shown_by_two_dice_and_says_so_where_one_shows_six_only() -> None:
    state = acting(monsters=(Monster(1, 7, 1, 1),))
    for right in ("terror 6, terror 1, science 1, health 1", "terror 3, terror 4", "terror 6"):
        assert GAME.sighted(state, seen({"monster1": "monster"}, right)) == ()
    found = proposal(state, seen({"monster1": "monster"}, "terror 5, science 1, health 1"))
    assert "Terror 7 with 2 dice: 6 and 1" in WORDS.say(found.say)


def test_a_seat_is_asked_one_thing_at_a_time_what_it_does_first() -> None:
    state = acting(monsters=(MONSTER,))
    reading = seen({"monster1": "monster", **parts(*SOPHIAS)}, "terror 5, science 4, health 1")
    assert isinstance(command(proposal(state, reading)), m.Reanimate)


def test_a_table_is_taken_over_with_its_monsters_as_their_dice_show_them() -> None:
    reading = seen(
        {"monster1": "monster", "monster2": "monster_turned", "upgrade1": "twin_theory"}, "terror 6, terror 2"
    )
    form, line = GAME.take_over(EMPTY, reading)
    assert [field.name for field in line.fields] == ["position"]
    fields = {field.name: field.value for field in form.fields}
    wire = {**form.command, **fields, "seats": ["green", "red"], "vp_green": 5, "rp_red": 3}
    state = after(EMPTY, GAME.codec.command_in(wire))
    lab = state.labs[WENDY]
    assert [values(one) for one in lab.monsters] == [(8, 1, 1), (1, 1, 1)]
    assert lab.monsters[1].is_exhausted
    assert (lab.upgrades, lab.vp) == (("twin_theory",), 5)
    assert [one.rp for one in state.labs.values()] == [0, 3]
    assert GAME.take_over(state, reading) == ()


def test_nothing_is_seen_before_a_game_or_after_it() -> None:
    assert GAME.sighted(EMPTY, seen(parts(*SOPHIAS))) == ()


@dataclass
class Evening:
    """A table at the real writer that plays on from a state; ``now_ms`` is when its eyes last looked."""

    table: Table
    now_ms: int = 1000

    @classmethod
    def of(cls, state: State) -> Evening:
        row = TableRow(TableId("evening"), GAME.name, "", GAME.stand_in, "2026-11-30T19:00:00Z")
        table = Table(GAME, MemoryJournal(), row, now_utc=lambda: row.opened_utc, now_ms=lambda: 0)
        over = GAME.codec.command_out(m.TakeOver(GAME.position(state)))
        assert table.submit(Submission("over", Cause("host", client="host"), 0, over)).result(10).is_done
        return cls(table)

    def see(self, reading: Reading) -> None:
        self.now_ms += 5000
        self.table.sighted(replace(reading, frame=self.now_ms, at_ms=self.now_ms)).result(10)

    @property
    def monster(self) -> tuple[int, int, int]:
        return values(GAME.from_position(self.table.position(), GAME.stand_in).labs[WENDY].monster(1))


def test_dice_change_nothing_until_their_owner_says_that_they_are_right() -> None:
    evening = Evening.of(acting(monsters=(MONSTER,)))
    evening.see(seen({"monster1": "monster"}, "terror 3, science 4, health 1"))
    assert evening.monster == (2, 4, 1)
    [question] = evening.table.look(WENDY).proposals
    assert not evening.table.look(SOPHIA).proposals
    cause = Cause("seat", for_seat=WENDY, client="phone")
    assert evening.table.accept(question.id, request="right", cause=cause).result(10).is_done
    assert evening.monster == (3, 4, 1)
    why = {one.key: one for one in evening.table.sums(WENDY)}["monster1.terror"]
    assert [WORDS.say(line.say) for line in why.tallies][-1] == "the dice said so"
    evening.table.close()


def test_a_question_about_dice_that_was_put_away_stays_away() -> None:
    evening = Evening.of(acting(monsters=(MONSTER,)))
    wrong = seen({"monster1": "monster"}, "terror 3, science 4, health 1")
    evening.see(wrong)
    [question] = evening.table.look(WENDY).proposals
    cause = Cause("seat", for_seat=WENDY, client="phone")
    assert evening.table.dismiss(question.id, cause=cause).result(10).is_done
    evening.see(wrong)
    assert not evening.table.look(WENDY).proposals
    assert evening.monster == (2, 4, 1)
    evening.table.close()
