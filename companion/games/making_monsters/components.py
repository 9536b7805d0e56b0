"""What is in the box: pieces and their counts, tables, boards in millimetres, the stand-in box.

The boards are our own drawing: what a printed box looks like is taught, not known.
Imports ``companion.board`` and ``companion.game`` only.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import cos, pi, sin
from typing import Any

from companion.board import BoardId, BoardLayout, PieceKind, Space, SpaceId, SpaceKind, Tag
from companion.game import Box, Seat
from companion.games.making_monsters.deck import CARTS, MONSTERS, PRINTED, UPGRADES


class Token(StrEnum):
    """The seven kinds of monster part tokens, in the order of the graves."""

    ROT = "rot"
    LIMB = "limb"
    STITCH = "stitch"
    SPIKE = "spike"
    GOOP = "goop"
    ZAPPER = "zapper"
    MUTATION = "mutation"


class Order(StrEnum):
    """The colours of the order tokens."""

    RED = "red"
    YELLOW = "yellow"
    BLUE = "blue"


USEFUL = (Token.LIMB, Token.STITCH, Token.SPIKE, Token.GOOP, Token.ZAPPER)

SEATS = (Seat("red"), Seat("blue"), Seat("green"), Seat("yellow"))
"""Clockwise as seen from above; cart 1 lies before red when the game begins."""

LESTERS = ("compost", "flexibility", "scavenge", "publicity", "expand")

SORTING_TABLE = "sorting_table"
REFRIGERATION = "refrigeration"
BOGO_COUPON_PRINTER = "bogo_coupon_printer"
UNIVERSAL_REPLICATOR = "universal_replicator"
TELEPORTER = "teleporter"
MED_SCHOOL = "med_school"
WAREHOUSE = "warehouse"
LESTER_UPGRADE = "lester_upgrade"
"""Upgrade tiles whose effect is more than a token; the last two are named by the rulebook, not listed."""

REPLICATES: Mapping[str, tuple[Token, int]] = {
    "meat_replicator": (Token.LIMB, 2),
    "stitches_replicator": (Token.STITCH, 1),
    "spikes_replicator": (Token.SPIKE, 1),
    "goop_replicator": (Token.GOOP, 1),
    "zapper_replicator": (Token.ZAPPER, 1),
}
"""What each replicator gives at once and at every later reanimation."""

HELD: Mapping[str, int] = {SORTING_TABLE: 2, MED_SCHOOL: 2, REFRIGERATION: 1}
"""How many tokens lie on a tile at most."""

MED_SCHOOL_PRESTIGE = 2

TOKEN_COUNTS: Mapping[Token, int] = {
    Token.ROT: 58,
    Token.LIMB: 70,
    Token.STITCH: 52,
    Token.SPIKE: 52,
    Token.GOOP: 48,
    Token.ZAPPER: 44,
    Token.MUTATION: 20,
}
"""Rulebook, Components: 344 tokens in all."""

STARTING_BAG: Mapping[Token, int] = {
    Token.ROT: 7,
    Token.LIMB: 5,
    Token.STITCH: 4,
    Token.SPIKE: 3,
    Token.GOOP: 2,
    Token.ZAPPER: 1,
}
"""Rulebook, Setup C: 22 tokens."""

BONUS = (0, 1, 3, 6, 10, 15)
ROT_TAKEN = (0, 1, 1, 2, 2, 3)
ITEMS = (1, 2, 3, 4, 5, 6)
"""The Reanimate Table: rows by the number of monsters completed, 0 to 5."""

REJECT_SPACES = 6
CARDS = 72
TILES = 40

CARD_SPACES = tuple(f"card{number}" for number in range(1, 6))
UPGRADE_SPACES = tuple(f"upgrade{number}" for number in range(1, 4))
SORT_SPACES = ("sort1", "sort2")
REJECTS = tuple(f"reject{number}" for number in range(1, 7))
CART_SPOTS = tuple(f"cart{cart}_upgrade{spot}" for cart in range(1, 5) for spot in (1, 2))
PRINTED_CARDS = {"card1": "printed_1", "card2": "printed_2"}
"""Which printed monster lies under which card space, unless the box says otherwise."""

PRINTED_TILE_SPACES = len(UPGRADE_SPACES)


def hold_of(tile_space: str, number: int) -> str:
    """Return where the so-manyth token on a tile lies, counted from 1."""
    return f"{tile_space}.hold{number}"


def is_beside(tile_space: str) -> bool:
    """Say whether an upgrade lies beside the board: a Warehouse, and what lies on the spaces it adds."""
    return tile_space not in UPGRADE_SPACES


def under(space: str) -> str:
    """Return the space of the board that a space belongs to: the tile's for a token on a tile."""
    return space.partition(".hold")[0]


CARD_MM = (63.0, 88.0)
TOKEN_MM = 22.0
TILE_MM = 30.0
ORDER_MM = 30.0

LAB_MM = (420.0, 300.0)
CENTRAL_MM = (400.0, 400.0)
SCORE_MM = (360.0, 240.0)

TAG_MM = 16.0
STICKER_MM = 20.0
TAG_INSET_MM = 13.0

CENTRAL = BoardId("central")
SCORE = BoardId("score")

ROT_TRACK_SPOTS = 20

Point = tuple[float, float]


def lab_of(seat: Seat) -> BoardId:
    """Return the board id of a seat's lab."""
    return BoardId(f"lab_{seat}")


def seat_of(board: BoardId) -> Seat | None:
    """Return whose lab a board is; None for the boards of everybody."""
    name = board.removeprefix("lab_")
    return Seat(name) if board != name and name in SEATS else None


def circle(centre: Point, radius_mm: float) -> tuple[Point, ...]:
    """Return sixteen points around a centre, clockwise (y points down)."""
    x, y = centre
    steps = (2 * pi * step / 16 for step in range(16))
    return tuple((round(x + radius_mm * cos(a), 3), round(y + radius_mm * sin(a), 3)) for a in steps)


def rectangle(centre: Point, size_mm: Point, up_deg: float = 0.0) -> tuple[Point, ...]:
    """Return four corners, top left of the piece first, clockwise; ``up_deg`` turns it clockwise."""
    x, y = centre
    half_w, half_h = size_mm[0] / 2, size_mm[1] / 2
    c, s = cos(up_deg * pi / 180), sin(up_deg * pi / 180)
    corners = ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
    return tuple((round(x + c * dx - s * dy, 3), round(y + s * dx + c * dy, 3)) for dx, dy in corners)


def _spot(name: str, centre: Point, kind: SpaceKind = SpaceKind.TOKEN, radius_mm: float = 11.0) -> Space:
    return Space(SpaceId(name), kind, centre, circle(centre, radius_mm))


def _plate(name: str, kind: SpaceKind, centre: Point, size_mm: Point, up_deg: float = 0.0) -> Space:
    return Space(SpaceId(name), kind, centre, rectangle(centre, size_mm, up_deg), up_deg)


def _by_id(spaces: list[Space]) -> dict[SpaceId, Space]:
    return {space.id: space for space in spaces}


def _corner_tags(first: int, size_mm: Point) -> tuple[Tag, ...]:
    """Return four tags, top left first, clockwise, their centres 13 mm from both edges."""
    w, h, inset = size_mm[0], size_mm[1], TAG_INSET_MM
    places = ((inset, inset), (w - inset, inset), (w - inset, h - inset), (inset, h - inset))
    return tuple(Tag(first + index, place) for index, place in enumerate(places))


def _lab(seat: Seat) -> BoardLayout:
    """Lay out a lab: two printed monsters above, three card spaces below, rejects top right."""
    cards = ((64.0, 86.0), (138.0, 86.0), (64.0, 208.0), (138.0, 208.0), (212.0, 208.0))
    rejects = ((300.0, 46.0), (336.0, 46.0), (372.0, 46.0), (372.0, 82.0), (336.0, 82.0), (300.0, 82.0))
    tile = (TILE_MM, TILE_MM)
    spaces = [_plate(name, SpaceKind.CARD, at, CARD_MM) for name, at in zip(CARD_SPACES, cards, strict=True)]
    spaces += [
        _plate(name, SpaceKind.TILE, (288.0 + 42.0 * index, 146.0), tile)
        for index, name in enumerate(UPGRADE_SPACES)
    ]
    spaces += [_spot(name, (309.0 + 42.0 * index, 214.0)) for index, name in enumerate(SORT_SPACES)]
    spaces += [_spot(name, at) for name, at in zip(REJECTS, rejects, strict=True)]
    return BoardLayout(lab_of(seat), LAB_MM, _by_id(spaces), _corner_tags(10 * SEATS.index(seat), LAB_MM))


def around_centre(distance_mm: float, aside_mm: float, turn_deg: float) -> Point:
    """Return a place on the disc: so far below its centre and aside to the right, then turned clockwise."""
    c, s = cos(turn_deg * pi / 180), sin(turn_deg * pi / 180)
    x, y = CENTRAL_MM[0] / 2, CENTRAL_MM[1] / 2
    return round(x + c * aside_mm - s * distance_mm, 3), round(y + s * aside_mm + c * distance_mm, 3)


def _central() -> BoardLayout:
    """Lay out the disc: cart 1 at the bottom, the others clockwise; seven graves around two stacks."""
    spaces = []
    for cart in range(4):
        for spot, aside_mm in ((1, -19.0), (2, 19.0)):
            at = around_centre(160.0, aside_mm, 90.0 * cart)
            name = f"cart{cart + 1}_upgrade{spot}"
            spaces.append(_plate(name, SpaceKind.TILE, at, (TILE_MM, TILE_MM), 90.0 * cart))
    for index, kind in enumerate(Token):
        at = around_centre(88.0, 0.0, 180.0 + index * 360.0 / 7)
        spaces.append(_spot(f"grave_{kind}", at, SpaceKind.PILE, 26.0))
    for number, x in ((1, 180.0), (2, 220.0)):
        spaces.append(_plate(f"upgrade_supply{number}", SpaceKind.STACK, (x, 200.0), (TILE_MM, TILE_MM)))
    # A disc has no corners: the tags sit on the diagonals, between the carts.
    tags = tuple(Tag(40 + index, around_centre(172.0, 0.0, 135.0 + 90.0 * index)) for index in range(4))
    return BoardLayout(CENTRAL, CENTRAL_MM, _by_id(spaces), tags, is_round=True)


def _prestige_at(number: int) -> tuple[Point, Point]:
    """Return centre and size of a step of the prestige track, which runs clockwise along the edge."""
    wide, high, edge = 300.0 / 15, 180.0 / 10, 24.0
    if number < 15:
        return (30.0 + wide * (number + 0.5), 16.0), (wide, edge)
    if number < 25:
        return (SCORE_MM[0] - 16.0, 30.0 + high * (number - 14.5)), (edge, high)
    if number < 40:
        return (330.0 - wide * (number - 24.5), SCORE_MM[1] - 16.0), (wide, edge)
    return (16.0, 210.0 - high * (number - 39.5)), (edge, high)


def _score() -> BoardLayout:
    """Lay out the score board: prestige along the edge, the Rot track in two rows inside it."""
    spaces = []
    for number in range(50):
        centre, size_mm = _prestige_at(number)
        spaces.append(_plate(f"prestige_{number}", SpaceKind.TRACK, centre, size_mm))
    for number in range(ROT_TRACK_SPOTS):
        at = (58.5 + 27.0 * (number % 10), 98.0 + 46.0 * (number // 10))
        spaces.append(_spot(f"rot_{number + 1}", at))
    return BoardLayout(SCORE, SCORE_MM, _by_id(spaces), _corner_tags(50, SCORE_MM))


PART_PLACES: Mapping[int, tuple[Point, ...]] = {
    2: ((18.0, 60.0), (45.0, 60.0)),
    3: ((31.5, 42.0), (18.0, 69.0), (45.0, 69.0)),
    4: ((18.0, 43.0), (45.0, 43.0), (18.0, 71.0), (45.0, 71.0)),
    5: ((18.0, 28.0), (45.0, 28.0), (31.5, 51.5), (18.0, 75.0), (45.0, 75.0)),
    6: ((18.0, 26.5), (45.0, 26.5), (18.0, 51.0), (45.0, 51.0), (18.0, 75.5), (45.0, 75.5)),
}
"""Centres of the part slots of a stand-in card in card mm, by how many parts it needs."""

SLOT_RADIUS_MM = 11.5


def _card(name: str, prestige: int, parts: str) -> dict[str, Any]:
    kinds = parts.split()
    slots = [
        {"index": index, "needs": kind, "x": x, "y": y, "r": SLOT_RADIUS_MM}
        for index, (kind, (x, y)) in enumerate(zip(kinds, PART_PLACES[len(kinds)], strict=True))
    ]
    return {"name": name, "prestige": prestige, "parts": kinds, "part_slots": slots}


def stand_in_catalogue() -> dict[str, Any]:
    """Return what the stand-in box prints, in the form of a taught box's ``catalogue.json``."""
    cards = {f"card_{index:02d}": _card(*row) for index, row in enumerate(MONSTERS)}
    cards |= {f"printed_{index + 1}": _card(*row) for index, row in enumerate(PRINTED)}
    return {
        "name": "stand-in",
        "players": list(SEATS),
        "cards": cards,
        "carts": {f"cart{index + 1}": list(kinds) for index, kinds in enumerate(CARTS)},
        "printed_monsters": dict(PRINTED_CARDS),
        "order_secondary": {"red": "yellow", "yellow": "blue", "blue": "red"},
        "upgrades": [name for name, _ in UPGRADES],
        "upgrade_counts": dict(UPGRADES),
        "lesters": list(LESTERS),
        "rot_track_spots": ROT_TRACK_SPOTS,
    }


def _counts() -> dict[PieceKind, int]:
    counts = {PieceKind(kind): count for kind, count in TOKEN_COUNTS.items()}
    counts |= {PieceKind(f"card_{index:02d}"): 1 for index in range(CARDS)}
    counts |= {PieceKind(name): count for name, count in UPGRADES}
    counts |= {PieceKind(f"order_{colour}"): len(SEATS) for colour in Order}
    return counts | {PieceKind(name): len(SEATS) for name in LESTERS}


BOX = Box(
    (*(_lab(seat) for seat in SEATS), _central(), _score()),
    _counts(),
    owners={lab_of(seat): seat for seat in SEATS},
)
"""Our own boards and everything that lies on them."""
