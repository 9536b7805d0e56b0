"""What was seen: the values that eyes hand over, and why something could not be read.

Values only; ``companion.ports`` says who makes them. Imports ``companion.board``, does no I/O. Times are
milliseconds of the monotonic clock of the process that took the picture in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId

UNKNOWN = PieceKind("unknown")
"""Something lies there, and nobody can say what."""

HIDDEN = PieceKind("hidden")
"""The space cannot be seen: a hand, a head, the edge of the picture."""


class Obstacle(StrEnum):
    """Why something could not be read. Rendered for phones as ``obstacle.<value>``."""

    BOARD_NOT_FOUND = "board_not_found"
    TOO_DARK = "too_dark"
    TOO_BLURRED = "too_blurred"
    NOT_A_PICTURE = "not_a_picture"
    CUT_SHORT = "cut_short"
    TOO_LARGE = "too_large"
    TOO_SMALL = "too_small"
    MOVES = "moves"
    FORMAT_NOT_READ = "format_not_read"
    MIRRORED = "mirrored"
    WHICH_BOARD = "which_board"  # a board is there; two of the box look too much alike
    SAME_TAGS = "same_tags"  # two boards wear the same corner tags
    OTHER_TAGS = "other_tags"  # markers of another family
    COLOURLESS = "colourless"  # a camera that delivers grey
    BLANK = "blank"  # one even tone: a lid, a camera that has just woken
    GLARE = "glare"
    BLURRED = "blurred"
    COVERED = "covered"
    TWO_CANDIDATES = "two_candidates"
    NOT_TAUGHT = "not_taught"
    ODD_COLOURS = "odd_colours"
    NOT_REGISTERED = "not_registered"
    OUTSIDE = "outside"
    COCKED = "cocked"  # a die leans on something
    STACKED = "stacked"  # a die lies on another


class Strain(StrEnum):
    """What makes a board hard to read before it cannot be read; rendered as ``strain.<value>``."""

    DIM = "dim"
    BURNT_OUT = "burnt_out"
    GLARE = "glare"
    BLURRED = "blurred"
    FAR = "far"
    TINTED = "tinted"
    FLICKER = "flicker"
    GREY = "grey"
    CUT_OFF = "cut_off"
    UNSURE = "unsure"
    SHIFTED = "shifted"  # the boards lie elsewhere than when the camera was set up
    OTHER_CAMERA = "other_camera"  # another one was set up
    FICKLE = "fickle"  # it goes on changing exposure or colours by itself


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning that readings of a board will get poor; it stands until that is mended.

    ``board`` None: of most boards in view. ``seen`` and ``needed`` are whole numbers that the
    sentence may tell: for ``far`` the width of a token in pixels, for ``unsure`` spaces out of all.
    """

    strain: Strain
    board: BoardId | None = None
    seen: int = 0
    needed: int = 0


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """What one space reads.

    ``reads`` is ``empty``, a piece kind, ``unknown`` or ``hidden``. ``confidence`` is a
    calibrated chance from 0 to 1. ``sure``: the product would act on it without asking.
    ``others`` are the next likely answers, best first; ``on_top`` the tokens lying on a tile.
    """

    reads: PieceKind
    confidence: float
    sure: bool
    others: tuple[PieceKind, ...] = ()
    on_top: tuple[PieceKind, ...] = ()
    obstacle: Obstacle | None = None

    @property
    def is_taken(self) -> bool:
        return self.reads not in (EMPTY, UNKNOWN, HIDDEN)


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One board in one picture. Corners in pixels of the picture as stored, top left first, clockwise."""

    board: BoardId
    found_by: str  # "tags" or "print"
    corners_px: tuple[tuple[float, float], ...]
    rotation_deg: float
    spaces: Mapping[SpaceId, SpaceReading]
    markers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoosePiece:
    """A piece beside the boards, such as an order token; ``near`` is the board it belongs to, if any.

    Of a card its four ``corners_px`` are known, its own top left first, clockwise. What is not sure may be
    one of ``others``; ``obstacle`` says why.
    """

    reads: PieceKind
    centre_px: tuple[float, float]
    orientation_deg: float
    confidence: float
    sure: bool
    near: BoardId | None = None
    corners_px: tuple[tuple[float, float], ...] = ()
    others: tuple[PieceKind, ...] = ()
    obstacle: Obstacle | None = None
    is_face_down: bool = False


@dataclass(frozen=True, slots=True)
class DieReading:
    """One six-sided die in a picture, wherever it lies.

    ``value`` is what looks up, None if nobody can say; ``sure`` as with spaces, ``obstacle`` why not.
    ``kind`` is which die of a taught set it is by its colours, ``kind_obstacle`` why that is open.
    ``corners_px`` are those of the top face, in order. ``place`` is the space that it lies on, if any.
    """

    value: int | None
    confidence: float
    sure: bool
    centre_px: tuple[float, float]
    corners_px: tuple[tuple[float, float], ...] = ()
    obstacle: Obstacle | None = None
    kind: str | None = None
    kind_obstacle: Obstacle | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read in one picture, or steady over several.

    ``obstacle`` is set only when no board could be read at all (``answer`` is then
    ``unreadable``), ``doubts`` what else of the picture could not be read. ``dice`` are those
    of a taught set. ``crops`` are JPEG pictures of spaces, as evidence; a face-up or face-down
    order token never appears in one (architecture 5, secrets).
    """

    camera: str
    frame: int
    at_ms: int
    boards: Mapping[BoardId, BoardReading]
    loose: tuple[LoosePiece, ...] = ()
    obstacle: Obstacle | None = None
    took_ms: float = 0.0
    crops: Mapping[Place, bytes] = field(default_factory=dict)
    doubts: tuple[Obstacle, ...] = ()
    dice: tuple[DieReading, ...] = ()

    @property
    def answer(self) -> str:
        return "unreadable" if self.obstacle else "read"

    def at(self, place: Place) -> SpaceReading | None:
        """Return what a place reads, None if its board or space is not in the picture."""
        board = self.boards.get(place.board)
        return None if board is None else board.spaces.get(place.space)

    def corrected(self, by_hand: Mapping[Place, PieceKind]) -> Reading:
        """Return the same reading with some spaces as a person says they are, sure."""
        boards = dict(self.boards)
        for place, reads in by_hand.items():
            board = boards.get(place.board)
            if board is None:
                board = BoardReading(place.board, "hand", (), 0.0, {})
            spaces = {**board.spaces, place.space: SpaceReading(reads, 1.0, sure=True)}
            boards[place.board] = replace(board, spaces=spaces)
        return replace(self, boards=boards)
