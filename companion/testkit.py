"""The promises of games, journals and devices as test classes, for ours and for strangers.

Subclass a contract in your tests, say what is to be tested, and pytest runs every promise:

    class TestMyGame(GameContract):
        game = MY_GAME
        opening = (SetUp(seats=2),)

Stands above ``companion.table`` and is the only module of the product that may import pytest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from companion.board import Place, SpaceId
from companion.catalogue import rows_of
from companion.game import Game, NotACommand, Seat, Sentence, Weight, Wire, replay
from companion.journal import Cause, Journal, JournalMoved, JournalUnusable, NewRecord, TableId, TableRow
from companion.ports import BoardSensor, BoardTurn, Camera, Die, DieRoll
from companion.spreadsheet import csv_in, csv_out
from companion.table.self_play import steps

PATIENCE_MS = 5000
SEEDS = range(8)


def new_record(number: int, *, request: str = "") -> NewRecord:
    """Return an entry for a journal, with a number in it to know it again."""
    cause = Cause(by="host", client="phone", request=request, seen={"number": number})
    return NewRecord("2026-11-30T20:00:00Z", "test.counted", 1, {"number": number, "pair": [1, None]}, cause)


def row(name: str = "evening") -> TableRow:
    """Return a table to open in a journal."""
    return TableRow(TableId(name), "lantern", "A", {"cards": [1, 2]}, "2026-11-30T19:00:00Z")


class JournalContract:
    """What every journal promises. ``open_journal(folder)`` opens the same journal each time."""

    def open_journal(self, folder: Path) -> Journal:
        raise NotImplementedError

    @pytest.fixture
    def journal(self, tmp_path: Path) -> Iterator[Journal]:
        journal = self.open_journal(tmp_path)
        yield journal
        journal.close()

    def test_a_new_table_is_empty_and_listed(self, journal: Journal) -> None:
        journal.open_table(row())
        assert list(journal.tables()) == [row()]
        assert list(journal.read(row().id)) == []

    def test_the_newest_table_is_listed_last(self, journal: Journal) -> None:
        for name in ("zebra", "ape", "monkey"):
            journal.open_table(row(name))
        assert [table.id for table in journal.tables()] == ["zebra", "ape", "monkey"]

    def test_a_table_is_opened_once(self, journal: Journal) -> None:
        journal.open_table(row())
        with pytest.raises(ValueError, match="evening"):
            journal.open_table(row())

    def test_entries_come_back_as_they_went_in_and_count_from_one(self, journal: Journal) -> None:
        journal.open_table(row())
        written = journal.append(row().id, 0, [new_record(7), new_record(8)])
        assert [record.seq for record in written] == [1, 2]
        assert [record.body["number"] for record in written] == [7, 8]
        assert written[0].cause == new_record(7).cause
        assert list(journal.read(row().id)) == list(written)

    def test_reading_starts_after_an_entry(self, journal: Journal) -> None:
        journal.open_table(row())
        journal.append(row().id, 0, [new_record(number) for number in range(5)])
        assert [record.seq for record in journal.read(row().id, after_seq=3)] == [4, 5]

    def test_tables_do_not_see_each_other(self, journal: Journal) -> None:
        journal.open_table(row("one"))
        journal.open_table(row("two"))
        journal.append(TableId("one"), 0, [new_record(1)])
        journal.append(TableId("two"), 0, [new_record(2)])
        assert [record.body["number"] for record in journal.read(TableId("two"))] == [2]

    @pytest.mark.parametrize("after_seq", [0, 1, 3])
    def test_who_appends_in_the_wrong_place_is_told_and_nothing_is_written(
        self, journal: Journal, after_seq: int
    ) -> None:
        journal.open_table(row())
        journal.append(row().id, 0, [new_record(1), new_record(2)])
        with pytest.raises(JournalMoved) as moved:
            journal.append(row().id, after_seq, [new_record(3)])
        assert (moved.value.after_seq, moved.value.at_seq) == (after_seq, 2)
        assert len(journal.read(row().id)) == 2

    def test_all_entries_of_an_append_are_written_or_none(self, journal: Journal) -> None:
        journal.open_table(row())
        unwritable = NewRecord("2026-11-30T20:00:00Z", "test.counted", 1, {"number": object()}, Cause("host"))
        with pytest.raises(TypeError):
            journal.append(row().id, 0, [new_record(1), unwritable])
        assert list(journal.read(row().id)) == []
        assert len(journal.append(row().id, 0, [new_record(1)])) == 1

    def test_a_table_that_was_never_opened_takes_nothing(self, journal: Journal) -> None:
        with pytest.raises(KeyError):
            journal.append(TableId("nowhere"), 0, [new_record(1)])

    def test_a_cause_keeps_everything_it_says(self, journal: Journal) -> None:
        journal.open_table(row())
        cause = Cause("seat", Seat("red"), "phone-7", "tap-1", {"spaces": {"a/b": "limb"}}, {"do": "Zähle"})
        journal.append(row().id, 0, [NewRecord("2026-11-30T20:00:00Z", "test", 2, {}, cause)])
        assert journal.read(row().id)[0].cause == cause

    def test_a_closed_journal_says_so(self, tmp_path: Path) -> None:
        journal = self.open_journal(tmp_path)
        journal.open_table(row())
        journal.close()
        with pytest.raises(JournalUnusable, match="closed"):
            journal.append(row().id, 0, [new_record(1)])


class KeptJournalContract(JournalContract):
    """What a journal promises that outlives its process."""

    def test_what_was_written_is_there_after_closing(self, tmp_path: Path) -> None:
        journal = self.open_journal(tmp_path)
        journal.open_table(row())
        written = journal.append(row().id, 0, [new_record(number) for number in range(3)])
        journal.close()
        again = self.open_journal(tmp_path)
        assert list(again.read(row().id)) == list(written)
        assert list(again.tables()) == [row()]
        again.close()


class GameContract:
    """What every game promises, tried on games that are played at random through ``legal``.

    ``opening`` are commands that bring the table to where play begins; ``catalogue`` is what
    the box prints, the game's stand-in if not said. ``steps`` is the length of a game played,
    ``offers`` how many of the legal commands are looked at each time.
    """

    game: ClassVar[Game[Any, Any, Any]]
    opening: ClassVar[Sequence[Any]] = ()
    steps: ClassVar[int] = 30
    offers: ClassVar[int] = 60

    @property
    def catalogue(self) -> Wire:
        return self.game.stand_in

    def played(self, seed: int) -> Iterator[tuple[Any, Any, Sequence[Any]]]:
        """Play at random; give the state before, the command and the events of each step."""
        chance = Random(seed)
        state = self.game.initial(self.catalogue)
        for step in range(len(self.opening) + self.steps):
            if step < len(self.opening):
                command = self.opening[step]
            else:
                offers = list(islice(self.game.legal(state), self.offers))
                if not offers:
                    return
                command = chance.choice(offers)
            events = self.game.decide(state, command)
            yield state, command, events
            for event in events:
                state = self.game.evolve(state, event)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_what_is_offered_is_accepted(self, seed: int) -> None:
        for state, _, _ in self.played(seed):
            for command in islice(self.game.legal(state), self.offers):
                self.game.decide(state, command)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_an_offer_to_a_seat_acts_for_that_seat(self, seed: int) -> None:
        for state, _, _ in self.played(seed):
            for seat in self.game.seats:
                for command in islice(self.game.legal(state, seat), self.offers):
                    assert self.game.actor(command) == seat

    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_number_has_a_sum_that_adds_up_to_it(self, seed: int) -> None:
        history: list[tuple[Any, Any]] = []
        state = self.game.initial(self.catalogue)
        for before, _, events in self.played(seed):
            state = before
            for event in events:
                history.append((state, event))
                state = self.game.evolve(state, event)
        for seat in (None, *self.game.seats):
            view = self.game.view(state, seat)
            sums = {one.key: one for one in self.game.sums(state, history, seat)}
            for shown in view.seats:
                assert not shown.why or sums[shown.why].total == shown.score
            named = [panel.why for panel in view.panels] + [prompt.why for prompt in view.prompts]
            for why in filter(None, named):
                assert any(key == why or key.startswith(f"{why}.") for key in sums), why

    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_same_events_give_the_same_state(self, seed: int) -> None:
        events: list[Any] = []
        for state, _, followed in self.played(seed):
            assert replay(self.game, self.catalogue, events) == state
            events.extend(followed)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_deciding_twice_gives_the_same_events(self, seed: int) -> None:
        for state, command, events in self.played(seed):
            assert tuple(self.game.decide(state, command)) == tuple(events)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_commands_survive_the_wire(self, seed: int) -> None:
        for _, command, _ in self.played(seed):
            wire = json.loads(json.dumps(self.game.codec.command_out(command)))
            assert self.game.codec.command_in(wire) == command

    @pytest.mark.parametrize("seed", SEEDS)
    def test_events_survive_the_journal(self, seed: int) -> None:
        for _, _, events in self.played(seed):
            for event in events:
                kind, version, body = self.game.codec.event_out(event)
                assert self.game.codec.event_in(kind, version, json.loads(json.dumps(body))) == event

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_game_goes_on_from_its_position_line(self, seed: int) -> None:
        for state, command, events in self.played(seed):
            line = self.game.position(state)
            assert len(line.splitlines()) == 1
            again = self.game.from_position(line, self.catalogue)
            assert self.game.position(again) == line
            assert tuple(self.game.decide(again, command)) == tuple(events)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_seat_and_a_watcher_have_a_view(self, seed: int) -> None:
        for state, _, _ in self.played(seed):
            for seat in (None, *self.game.seats):
                view = self.game.view(state, seat)
                json.dumps(dict(view.facts))
                assert {seen.seat for seen in view.seats} <= set(self.game.seats)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_ready_choice_is_a_legal_command(self, seed: int) -> None:
        for state, _, _ in self.played(seed):
            for prompt in self.game.prompts(state):
                assert prompt.seat is None or prompt.seat in self.game.seats
                assert sum(choice.weight is Weight.PRIMARY for choice in prompt.choices) <= 1
                for choice in prompt.choices:
                    if not choice.fields:
                        self.game.decide(state, self.game.codec.command_in(choice.command))

    @pytest.mark.parametrize("seed", SEEDS)
    def test_events_touch_seats_and_places_of_the_box(self, seed: int) -> None:
        spaces = {Place(board.id, space) for board in self.game.box.boards for space in board.spaces}
        for _, _, events in self.played(seed):
            for event in events:
                touched = set(self.game.touched(event))
                # A part space such as card4.part1 is on the layout through its card space.
                places = {thing for thing in touched if isinstance(thing, Place)}
                assert {Place(at.board, SpaceId(at.space.partition(".")[0])) for at in places} <= spaces
                assert {thing for thing in touched if not isinstance(thing, Place)} <= set(self.game.seats)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_entry_can_be_told_or_kept_secret(self, seed: int) -> None:
        for state, _, events in self.played(seed):
            after = state
            for event in events:
                after = self.game.evolve(after, event)
                for seat in (None, *self.game.seats):
                    assert isinstance(self.game.told(after, event, seat), Sentence | None)

    @pytest.mark.parametrize("seed", range(2))
    def test_its_players_play_by_their_views_and_a_seed_decides_all(self, seed: int) -> None:
        if self.game.dealer is None:
            pytest.skip("nobody deals in this game")
        kinds: set[str] = set()
        for player in self.game.players:
            seats = dict.fromkeys(self.game.seats[:2], player)
            first, again = (
                list(islice(steps(self.game, self.catalogue, seats, Random(seed)), 120)) for _ in range(2)
            )
            assert [step.command for step in first] == [step.command for step in again]
            kinds |= {self.game.codec.event_out(event)[0] for step in first for event in step.events}
        assert len(self.game.players) == len({player.name for player in self.game.players})
        assert len(kinds) > 1

    def test_the_stand_in_is_what_the_sheets_allow_and_survives_a_spreadsheet(self) -> None:
        sheets, stand_in = self.game.box.sheets, self.game.stand_in
        for sheet in sheets:
            after = csv_in(sheets, stand_in, csv_out(sheet, stand_in).encode())
            assert rows_of(sheet, after[sheet.name]) == rows_of(sheet, stand_in)

    def test_the_stand_in_can_be_stored_with_a_table(self) -> None:
        assert json.loads(json.dumps(self.game.stand_in)) == self.game.stand_in

    def test_a_table_knows_the_catalogue_that_it_was_given(self) -> None:
        state = self.game.initial(self.catalogue)
        assert self.game.command_from_catalogue(state, self.game.catalogue(state)) is None

    def test_an_unknown_entry_is_named(self) -> None:
        with pytest.raises(ValueError, match=r"nonsense\.kind"):
            self.game.codec.event_in("nonsense.kind", 1, {})

    @pytest.mark.parametrize("wire", [{}, {"do": "nonsense"}, {"do": 7}, {"do": None, "seat": []}])
    def test_nonsense_is_not_a_command(self, wire: Mapping[str, Any]) -> None:
        with pytest.raises(NotACommand):
            self.game.codec.command_in(wire)


class DieContract:
    """What every die promises. ``open_die()`` gives the die and a hand that rolls a face with it."""

    def open_die(self) -> tuple[Die, Callable[[int], None]]:
        raise NotImplementedError

    def test_a_roll_is_reported_once_with_its_face(self) -> None:
        die, roll = self.open_die()
        roll(4)
        rolls = [_next(die, DieRoll), *_rest(die, DieRoll)]
        assert [reported.face for reported in rolls] == [4]
        die.close()

    def test_every_roll_has_its_own_name(self) -> None:
        die, roll = self.open_die()
        names = set()
        for face in (3, 3, 3):
            roll(face)
            reported = _next(die, DieRoll)
            names.add((reported.die, reported.boot, reported.roll))
        assert len(names) == 3
        die.close()

    def test_nothing_comes_when_nothing_happened(self) -> None:
        die, _ = self.open_die()
        assert _rest(die, DieRoll) == []
        die.close()


class BoardSensorContract:
    """What every board sensor promises. ``open_sensor()`` gives it and a hand that turns the board."""

    def open_sensor(self) -> tuple[BoardSensor, Callable[[int], None]]:
        raise NotImplementedError

    @pytest.mark.parametrize("delta", [1, -1])
    def test_a_turn_is_reported_once_with_its_way(self, delta: int) -> None:
        sensor, turn = self.open_sensor()
        turn(delta)
        turns = [_next(sensor, BoardTurn), *_rest(sensor, BoardTurn)]
        assert [reported.delta for reported in turns] == [delta]
        assert (turns[0].from_quarter + delta) % 4 == turns[0].to_quarter
        sensor.close()


class CameraContract:
    """What every camera promises. ``open_camera(folder)`` gives one that has at least two frames to come.

    ``folder`` is empty and goes away after the test.
    """

    def open_camera(self, folder: Path) -> Camera:
        raise NotImplementedError

    def test_frames_are_colour_pictures_and_never_go_back(self, tmp_path: Path) -> None:
        camera = self.open_camera(tmp_path)
        first, second = camera.read(timeout_ms=PATIENCE_MS), camera.read(timeout_ms=PATIENCE_MS)
        assert first is not None and second is not None
        for frame in (first, second):
            assert frame.pixels.dtype == np.uint8 and frame.pixels.shape[2:] == (3,)
            assert frame.camera == camera.name
        assert second.number >= first.number
        assert second.at_ms >= first.at_ms
        camera.close()


def _next(device: Any, kind: type[Any]) -> Any:
    """Return the next report of a kind; standings come in between. Fails after some seconds."""
    for _ in range(50):
        report = device.read(timeout_ms=PATIENCE_MS // 50)
        if isinstance(report, kind):
            return report
    pytest.fail(f"No {kind.__name__} came within {PATIENCE_MS} ms.")


def _rest(device: Any, kind: type[Any]) -> list[Any]:
    """Return what else is reported at once."""
    reports = (device.read(timeout_ms=20) for _ in range(5))
    return [report for report in reports if isinstance(report, kind)]
