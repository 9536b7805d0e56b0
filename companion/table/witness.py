"""What eyes, dice and sensors say, put before the scribe: proposed, counted or only noted.

Lives on the table's thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.board import EMPTY, PieceKind, Place
from companion.game import Puzzled, RuleBroken, Seat, Sentence, SpaceSeen
from companion.journal import Cause
from companion.ports import BoardTurn, DeviceStanding, DieRoll, Need, Reading
from companion.table.answers import Refused
from companion.table.board_angle import Agreement, BoardAngle, ToldBy
from companion.table.cautions import GONE
from companion.table.extra_roll import ExtraRoll
from companion.table.eye_lessons import Corrected
from companion.table.ledger import Entry
from companion.table.proposals import Proposals
from companion.table.scribe import Scribe
from companion.table.views import OpenProposal
from companion.table.watch import (
    QUARTERS,
    DieWatch,
    TurnWatch,
    Verdict,
    cause_of_roll,
    cause_of_turn,
    cause_of_virtual,
    note_of,
)

log = logging.getLogger(__name__)


class Witness:
    """Everything at a table that was seen and not yet written down. ``changes`` counts what pages show."""

    def __init__(
        self, scribe: Scribe, *, run: str, now_ms: Callable[[], int], throw: Callable[[], int]
    ) -> None:
        self._run = run
        self._scribe = scribe
        self._game = scribe.game
        self._now_ms = now_ms
        self._die = DieWatch()
        self._turns = TurnWatch()
        self._angle = BoardAngle()
        self._agreement = Agreement.UNKNOWN
        self._told_by: ToldBy | None = None
        self.proposals = Proposals(scribe.game, run=run)
        self._extra = ExtraRoll(scribe.game, run=run)
        self.devices: dict[tuple[str, str], DeviceStanding] = {}
        self.last_roll: DieRoll | None = None
        self._die_note: Sentence | None = None
        self._throw = throw
        self._thrown = 0
        self.changes = 0
        self.on_taken: Callable[[int, OpenProposal], None] = lambda entry, taken: None
        self.on_corrected: Callable[[Corrected], None] = lambda corrected: None
        self._is_behind = True
        scribe.on_entry = self._on_entry

    @property
    def reminders(self) -> tuple[Sentence, ...]:
        note = () if self._die_note is None else (self._die_note,)
        return (*self._turns.reminders(self._wanted_turn()), *note)

    @property
    def open(self) -> tuple[OpenProposal, ...]:
        """What waits for a tap: what the eyes propose, and a roll that was no move."""
        return (*self.proposals.open, *self._extra.open)

    @property
    def board_needs(self) -> tuple[Sentence, ...]:
        """What hands must do about the turning board that no device can say alone."""
        needs = {Agreement.DISAGREE: Need.DISAGREE, Agreement.LIFTED: Need.LIFTED}
        need = needs.get(self._agreement)
        return () if need is None else (Sentence(f"need.{need}"),)

    @property
    def board_told(self) -> Sentence | None:
        """Who tells how the turning board stands: one witness alone is said to be one."""
        return None if self._told_by is None else Sentence(f"table.board_told.{self._told_by}")

    @property
    def is_board_astray(self) -> bool:
        """Whether the board was turned when no turn was due: put it back, or take it as it stands."""
        return self._turns.is_astray and self._turns.awaiting is None

    def board_stands(self, cause: Cause) -> int:
        """Take the turning board as it stands for right, and the camera's word for it. Raises Refused."""
        self._scribe.check_seat(cause.for_seat, cause)
        self._turns.took()
        self._angle.trust()
        self.changes += 1
        self._weigh()
        return self._scribe.ledger.seq

    def reading(self) -> Reading | None:
        """Return the whole table as eyes and people see it now."""
        return self.proposals.reading(self._now_ms())

    def due_ms(self) -> int | None:
        """Return how long until it is time to look again, None if only news can change anything."""
        now_ms = self._now_ms()
        dues = (self.proposals.due_ms(), self._extra.due_ms(), self._angle.due_ms(now_ms))
        due = [one for one in dues if one is not None]
        return max(0, min(due) - now_ms) if due else None

    def catch_up(self) -> None:
        """Look again if something was written down since the last look."""
        if self._is_behind:
            self.look_again()

    def look_again(self) -> None:
        """Ask the game what the state and the reading make of each other now."""
        self._is_behind = False
        now_ms = self._now_ms()
        prompts = self._game.prompts(self._scribe.state)
        self._die.ask(prompts, now_ms)
        self._turns.ask(self._scribe.state if any(prompt.expects_turn for prompt in prompts) else None)
        if self.proposals.look_again(self._scribe.state, now_ms):
            self.changes += 1
        if self._extra.look_again(self._scribe.state, now_ms):
            self.changes += 1
        self._weigh()

    def see(self, reading: Reading) -> None:
        """Take in what a camera saw."""
        self.proposals.see(reading)
        self._angle.see(reading, self._now_ms())
        if not self._scribe.ledger.steps:
            self.changes += 1  # the offer to take the table over is made from what is seen
        self.look_again()

    def accept(self, proposal_id: str, cause: Cause) -> int:
        """Write down what a proposal says. Raises Refused, RuleBroken."""
        found = self._find(proposal_id, cause)
        if found.proposal.command is None:
            raise Refused(Sentence("table.refused.proposal_unclear"), is_for_good=False)
        by_eyes = replace(cause, seen=self.proposals.evidence(found))
        seq = self._scribe.command(found.proposal.command, self._extra.cause(found, cause) or by_eyes)
        entry = self._scribe.ledger.entry(seq)
        self.on_taken(entry.first if entry else seq, found)
        return seq

    def correct(self, proposal_id: str, place: Place, reads: PieceKind, cause: Cause) -> int:
        """Let a person say what lies on a space of a proposal. Raises Refused."""
        self._find(proposal_id, cause)
        return self._correct(place, reads)

    def say(self, place: Place, reads: PieceKind, cause: Cause) -> int:
        """Let a person say what lies on a space that puzzles its seat; the host on any. Raises Refused."""
        puzzled = {puzzle.seat for puzzle in self.proposals.puzzles if _is_about(puzzle, place)}
        self._scribe.check_seat(cause.for_seat if cause.for_seat in puzzled else None, cause)
        return self._correct(place, reads)

    def dismiss(self, proposal_id: str, cause: Cause) -> int:
        """Put a proposal away. Raises Refused."""
        found = self._find(proposal_id, cause)
        if found in self._extra.open:
            self._extra.note(None)
        else:
            self.proposals.dismiss(found)
        self.look_again()
        return self._scribe.ledger.seq

    def rolled(self, roll: DieRoll) -> None:
        """Count a roll that is awaited, note any other."""
        self.last_roll = roll
        self.changes += 1
        verdict = self._die.judge(roll)
        self._die_note = note_of(verdict, roll) if self._die.was_asked else None
        if verdict is not Verdict.COUNTED_BEFORE:
            self._extra.note(None if verdict is Verdict.COUNTS else roll)
            self._is_behind = True
        if verdict is not Verdict.COUNTS:
            log.info("die %s: %d is no move (%s)", roll.die, roll.face, verdict)
            return
        command = self._game.command_from_die(self._scribe.state, roll)
        if command is None:
            log.info("die %s: the game has no use for %d", roll.die, roll.face)
            return
        self._write(command, cause_of_roll(roll))

    def throw(self, cause: Cause) -> int:
        """Roll a fair die for a seat whose game lets its phone do so. Raises Refused, RuleBroken."""
        seat = cause.for_seat
        prompts = self._game.prompts(self._scribe.state)
        if not any(one.seat == seat and one.expects_die and one.may_roll_here for one in prompts):
            raise Refused(Sentence("table.refused.no_virtual_die"), is_for_good=False)
        self._thrown += 1
        now_ms = self._now_ms()
        roll = DieRoll("phone", self._run, self._thrown, self._throw(), now_ms, now_ms)
        command = self._game.command_from_die(self._scribe.state, roll)
        if command is None or self._game.actor(command) != seat:
            raise Refused(Sentence("table.refused.no_virtual_die"), is_for_good=False)
        self.last_roll = roll
        return self._scribe.command(self._game.codec.command_out(command), cause_of_virtual(roll, cause))

    def turned(self, turn: BoardTurn) -> None:
        """Let the rules follow a turn that they await; remind of any other."""
        cause = cause_of_turn(turn)
        if self._turns.is_repeat(turn) or self._scribe.ledger.answered(cause.client, cause.request):
            return
        self.changes += 1
        if self._angle.agreement(self._now_ms()) is Agreement.DISAGREE:
            log.info("board sensor %s: %+d quarters, and the camera disagrees", turn.sensor, turn.delta)
            return  # hands say how it stands
        net = self._turns.net(turn)
        if self._turns.awaiting is not None:
            command = self._game.command_from_turn(self._scribe.state, net)
            if command is not None and self._write(command, cause):
                self._turns.took()
                return
        elif self._was_tapped_before(net):
            self._turns.took()
            return
        log.info("board sensor %s: %+d quarters that nobody asked for", turn.sensor, turn.delta)
        self._turns.stray(turn)

    def stood(self, standing: DeviceStanding) -> None:
        """Take in how a device is."""
        key = (standing.kind, standing.device)
        if self.devices.get(key) != standing:
            self.devices[key] = standing
            self.changes += 1
            if standing.kind == "camera":
                self.proposals.stand(standing.device, is_live=standing.state not in GONE)
            if standing.kind == "board_sensor":
                self._angle.hear(standing, self._now_ms())
            elif standing.kind == "camera" and standing.state in GONE:
                self._angle.lose_camera()
            self._weigh()

    def forget_devices(self) -> None:
        """Know nothing of any device any more; cameras that were there see nothing now."""
        for kind, device in self.devices:
            if kind == "camera":
                self.proposals.stand(device, is_live=False)
        self._angle = BoardAngle()
        self.devices.clear()
        self.changes += 1
        self._weigh()

    def _find(self, proposal_id: str, cause: Cause) -> OpenProposal:
        found = next((one for one in self.open if one.id == proposal_id), None)
        if found is None:
            raise Refused(Sentence("table.refused.proposal_gone"))
        self._scribe.check_seat(found.proposal.seat, cause)
        return found

    def _correct(self, place: Place, reads: PieceKind) -> int:
        offered = {kind for space in self._spaces_seen() if space.place == place for kind in space.may_be}
        if reads != EMPTY and reads not in self._game.box.counts and reads not in offered:
            raise Refused(Sentence("table.refused.no_such_piece", {"piece": reads}))
        # Part spaces of cards, and tokens on upgrades, are on no layout: they are where they were seen.
        if not offered and not any(
            place.board == board.id and place.space in board.spaces for board in self._game.box.boards
        ):
            raise Refused(Sentence("table.refused.no_such_space", {"space": str(place)}))
        corrected = self.proposals.corrected(place, reads)
        self.proposals.correct(place, reads)
        if corrected is not None:
            self.on_corrected(corrected)
        self.look_again()
        return self._scribe.ledger.seq

    def _spaces_seen(self) -> Iterator[SpaceSeen]:
        for open_ in self.proposals.open:
            yield from open_.proposal.spaces
        for puzzle in self.proposals.puzzles:
            yield from puzzle.spaces

    def _write(self, command: object, cause: Cause) -> bool:
        """Write down what a device did. False if the rules or the journal refuse it."""
        try:
            self._scribe.command(self._game.codec.command_out(command), cause)
        except RuleBroken as broken:
            log.info("%s: the rules refuse it: %s", cause.client, broken.why.key)
            return False
        except Refused as refused:
            log.warning("%s: not written down: %s", cause.client, refused.why.key)
            return False
        return True

    def _wanted_turn(self) -> int:
        """Return the turn that the rules await, in signed quarters; 0 if none."""
        before = self._turns.awaiting
        if before is None or not self._turns.is_astray:
            return 0
        for delta in (1, -1, 2):
            command = self._game.command_from_turn(
                before, BoardTurn("", "", 0, 0, delta % QUARTERS, delta, 0)
            )
            try:
                if command is not None and self._game.decide(before, command):
                    return delta
            except RuleBroken:
                pass
        return 0

    def _was_tapped_before(self, turn: BoardTurn) -> bool:
        """Say whether somebody tapped this turn before the hands made it."""
        tapped = self._turns.tapped
        if tapped is None:
            return False
        before, events = tapped
        command = self._game.command_from_turn(before, turn)
        try:
            return command is not None and tuple(self._game.decide(before, command)) == events
        except RuleBroken:
            return False

    def _weigh(self) -> None:
        now_ms = self._now_ms()
        weighed = self._angle.agreement(now_ms), self._angle.told_by(now_ms)
        if weighed != (self._agreement, self._told_by):
            self._agreement, self._told_by = weighed
            self.changes += 1

    def _on_entry(self, entry: Entry, touched: frozenset[Seat | Place]) -> None:
        is_tap = entry.cause.by != "board_sensor" and self._turns.awaiting is not None
        if is_tap and self._agreement is Agreement.DISAGREE:
            self._angle.trust()  # somebody has looked at the board, and tapped how it stands
        self.changes += 1
        self._is_behind = True
        self._die_note = None
        self._die.recall(entry.cause)
        self._extra.heard(entry.cause)
        self.proposals.void(touched, self._now_ms())
        self.proposals.recall(entry.cause)
        self._turns.heard(entry.cause.by, entry.events)


def _is_about(puzzle: Puzzled, place: Place) -> bool:
    return any(space.place == place for space in puzzle.spaces)
