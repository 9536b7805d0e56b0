"""What a table shows and answers: whole views with their seq, log lines, receipts.

Values only. Imports the contracts below ``companion.table``, does no I/O.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board import PieceKind, Place
from companion.game import Choice, Proposal, Puzzled, Seat, Sentence, View, Wire
from companion.journal import Cause, TableId
from companion.ports import DeviceStanding, DieRoll


@dataclass(frozen=True, slots=True)
class Submission:
    """A command as it comes from outside.

    ``request`` is made by the client: the same ``cause.client`` and ``request`` again get the
    same answer, and nothing is done twice. ``made_on_seq`` is the seq of the view it was made on.
    """

    request: str
    cause: Cause
    made_on_seq: int
    command: Wire


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to whatever was asked of a table: done, or refused and why.

    ``seq`` is where the journal stood when it was answered; for a repeat, where it stood the
    first time. ``section`` is where in the rulebook ``rule`` stands.
    """

    is_done: bool
    seq: int
    why: Sentence | None = None
    rule: str = ""
    instead: Sentence | None = None
    is_repeat: bool = False
    section: str = ""


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that waits for a tap.

    ``id`` stays while the proposal grows and shrinks. ``crops`` are JPEG pictures of its
    spaces, ``by_hand`` what a person said about single spaces, ``camera`` which camera saw it.
    ``is_roll``: no camera saw it, it is a roll that was no move.
    """

    id: str
    proposal: Proposal
    crops: Mapping[Place, bytes]
    by_hand: Mapping[Place, PieceKind]
    camera: str
    is_roll: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the log as one seat may read it. Struck lines stay, and say by which entry."""

    seq: int
    at_utc: str
    say: Sentence
    cause: Cause
    is_struck: bool
    struck_by_seq: int | None


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """What a strike or a replacement does to a seat's score."""

    seat: Seat
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class FigureChange:
    """What a strike or a replacement does to a number that everybody sees, such as a supply."""

    title: Sentence
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class StrikePreview:
    """What would change. Striking ``seqs`` (all of them) does exactly this, nothing less.

    ``also`` are the lines, besides those asked for, that would break a rule without them;
    ``scores`` has every seat, changed or not; ``figures`` only what changes; ``phase`` is the one that would
    run then, None if it is the one that runs. ``why`` is set when nothing can be struck.
    """

    seqs: tuple[int, ...]
    lines: tuple[LogLine, ...]
    also: tuple[LogLine, ...]
    scores: tuple[ScoreChange, ...]
    why: Sentence | None = None
    figures: tuple[FigureChange, ...] = ()
    phase: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What everybody could see after ``number`` of ``of`` standing entries.

    ``entry`` is the one that led here (0: none yet), ``lines`` what it says to everybody. While
    ``is_running`` its phase still runs, and what was seen in it may be a secret.
    """

    number: int
    of: int
    entry: int
    view: View
    lines: tuple[LogLine, ...]
    is_running: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """All that one seat (None: host, big screen) may be shown of a table, whole.

    ``seq`` is the journal's; ``shown`` counts every change of what is shown since this process
    began, devices and proposals included. A seat has the proposals and puzzles that concern it,
    None has all of them. ``own_last`` is the entry that the seat may take back now. ``opening``
    is filled for None while a game, or a part of it, may be taken over as it stands. ``reminders``
    ask hands to put something right, such as a board that was turned by mistake. ``cautions`` warn
    that a camera will soon read poorly, and say what to do: a seat has those of its own boards.
    ``missing`` says which devices fell out or need a hand, and how to go on without.
    ``board_told`` says by whom it is known how the turning board stands, None without one.
    ``is_board_astray``: it was turned when nobody asked, and may be taken for right as it stands.
    ``log`` is whole, newest last.
    """

    table: TableId
    game: str
    seq: int
    shown: int
    view: View
    proposals: tuple[OpenProposal, ...] = ()
    puzzles: tuple[Puzzled, ...] = ()
    devices: tuple[DeviceStanding, ...] = ()
    log: tuple[LogLine, ...] = ()
    own_last: LogLine | None = None
    last_roll: DieRoll | None = None
    opening: tuple[Choice, ...] = ()
    reminders: tuple[Sentence, ...] = ()
    cautions: tuple[Sentence, ...] = ()
    missing: tuple[Sentence, ...] = ()
    board_told: Sentence | None = None
    is_board_astray: bool = False
