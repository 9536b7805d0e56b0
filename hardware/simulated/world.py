"""Where every piece of the box is: a value that changes by ``dataclasses.replace`` only.

No rules, no clock, no pictures. Chance comes from a seed and from how often a seat asked
for it, so the same seat draws the same tokens whatever the others do meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import Any

from companion.board import BoardId, PieceKind, Place, SpaceId, SpaceKind
from hardware.simulated.contents import ORDERS, TOKENS, Contents, Slot, card_and_part, lab_of

TRACK_STEPS = 50


class Impossible(ValueError):
    """Hands cannot do this; the message says why in one sentence."""


class Sort(StrEnum):
    """What a piece is, whatever its kind."""

    TOKEN = "token"
    CARD = "card"
    TILE = "tile"
    ORDER = "order"
    LESTER = "lester"
    MARKER = "marker"


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing of wood or cardboard; ``owner`` is the seat it belongs to for ever, if any."""

    number: int
    sort: Sort
    kind: PieceKind
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a piece is.

    ``at`` is a place (``lab_red/sort1``, ``central/grave_rot``), the side of a lab
    (``beside/lab_red``), or out of every camera's sight: ``bag/red``, ``hand/red``,
    ``pile/red``, ``drawer/red``, ``deck``, ``discard``, ``box``. ``rank`` orders what lies
    on one another, top last. ``aside_mm`` and ``turn_deg`` are how askew it was laid.
    """

    at: str
    rank: int = 0
    is_up: bool = True
    aside_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Cards that went to a seat's pile together, as the hands told it.

    ``cards`` holds printed monsters, too: they are counted but never leave their lab.
    """

    seat: str
    cards: tuple[str, ...]
    is_scored: bool
    is_bust: bool


@dataclass(frozen=True, slots=True)
class World:
    """The whole table. ``quarter`` is the disc's, ``scores`` what the prestige markers show."""

    contents: Contents
    pieces: tuple[Piece, ...]
    spots: Mapping[int, Spot]
    seed: int
    seats: tuple[str, ...] = ()
    seat_places: tuple[int, ...] = ()
    quarter: int = 0
    scores: Mapping[str, int] = field(default_factory=dict)
    batches: tuple[Batch, ...] = ()
    asked: Mapping[str, int] = field(default_factory=dict)

    # Looking

    def lying(self, at: str, sort: Sort | None = None) -> list[Piece]:
        """Return the pieces at a place, the lowest first."""
        found = [p for p in self.pieces if self.spots[p.number].at == at and sort in (None, p.sort)]
        return sorted(found, key=lambda p: (self.spots[p.number].rank, p.number))

    def top(self, at: str, sort: Sort) -> Piece | None:
        """Return the uppermost piece of a sort at a place."""
        lying = self.lying(at, sort)
        return lying[-1] if lying else None

    def find(self, at: str, sort: Sort, kind: str) -> Piece | None:
        """Return a piece of a kind at a place, the uppermost one."""
        return next((p for p in reversed(self.lying(at, sort)) if p.kind == kind), None)

    def tokens_of_lab(self, seat: str) -> list[Piece]:
        """Return all tokens that lie on a seat's lab."""
        fronts = (f"{lab_of(seat)}/", f"{BESIDE}{lab_of(seat)}/")
        return [p for p in self.pieces if p.sort is Sort.TOKEN and self.spots[p.number].at.startswith(fronts)]

    def counts(self, at: str) -> dict[str, int]:
        """Count the tokens at a place by kind."""
        return dict(Counter(str(p.kind) for p in self.lying(at, Sort.TOKEN)))

    def slot_at(self, place: Place) -> Slot | None:
        """Return the part space printed at ``card4.part1``, of the card that lies there or of the board."""
        split = card_and_part(place.space)
        if split is None:
            return None
        card = self.top(f"{place.board}/{split[0]}", Sort.CARD)
        return self.contents.slot(split[0], None if card is None else card.kind, split[1])

    def require_seat(self, seat: str) -> str:
        """Return the seat. Raises Impossible if nobody sits there."""
        if seat not in self.seats:
            raise Impossible(f"Nobody sits at {seat!r}; there is {', '.join(self.seats) or 'nobody yet'}.")
        return seat

    def token_place(self, text: str) -> Place:
        """Read a place that can take a token now. Raises Impossible."""
        place = read_place(text)
        if is_beside(text) and self.top(text, Sort.TILE) is not None:
            return place
        if self.slot_at(place) is None:
            space = self.contents.space(place)
            if space is None:
                raise Impossible(f"There is no space {text}.")
            if space.kind is SpaceKind.TILE and self.top(text, Sort.TILE) is None:
                raise Impossible(f"No upgrade lies at {text} to put a token on.")
            if space.kind not in (SpaceKind.TOKEN, SpaceKind.TILE, SpaceKind.PILE):
                raise Impossible(f"{text} is no space for tokens.")
            if space.kind is not SpaceKind.TOKEN:
                return place
        if self.lying(text, Sort.TOKEN):
            raise Impossible(f"A token already lies at {text}.")
        return place

    # Changing

    def chance(self, what: str) -> tuple[World, Random]:
        """Return seeded chance for one deed, and the world that remembers having given it."""
        number = self.asked.get(what, 0)
        asked = {**self.asked, what: number + 1}
        return replace(self, asked=asked), Random(f"{self.seed}/{what}/{number}")

    def put(self, pieces: Iterable[Piece], at: str, **how: Any) -> World:
        """Put pieces somewhere, one upon the other, on top of what lies there."""
        rank = max((self.spots[p.number].rank for p in self.lying(at)), default=-1)
        spots = dict(self.spots)
        for step, piece in enumerate(pieces, start=1):
            spots[piece.number] = Spot(at, rank + step, **how)
        return replace(self, spots=spots)

    def lay(self, piece: Piece, at: str, chance: Random, *, is_up: bool = True) -> World:
        """Lay a piece on a place as a hand does: a little aside and a little turned."""
        spread_mm, turn_deg = _CARE[piece.sort]
        aside = tuple(max(-2.4, min(2.4, chance.gauss(0.0, spread_mm))) for _ in range(2))
        return self.put(
            [piece], at, is_up=is_up, aside_mm=aside, turn_deg=chance.uniform(-turn_deg, turn_deg)
        )


_CARE: Mapping[Sort, tuple[float, float]] = {
    Sort.TOKEN: (0.9, 180.0),
    Sort.CARD: (0.8, 2.2),
    Sort.TILE: (0.7, 4.0),
    Sort.ORDER: (2.0, 25.0),
    Sort.LESTER: (1.0, 4.0),
    Sort.MARKER: (0.3, 12.0),
}


BESIDE = "beside/"


def is_beside(at: str) -> bool:
    """Say whether a place is one for an upgrade beside a lab, such as ``beside/lab_red/upgrade4``."""
    return at.startswith(BESIDE) and at.count("/") == 2


def read_place(text: str) -> Place:
    """Read ``board/space``. Raises Impossible."""
    try:
        return Place.parse(text)
    except ValueError as no:
        raise Impossible(str(no)) from no


def empty_table(contents: Contents, seed: int) -> World:
    """Return the box unpacked and nothing set up: every piece lies in ``box``."""
    pieces: list[Piece] = []

    def add(count: int, sort: Sort, kind: str, owner: str = "") -> None:
        for _ in range(count):
            pieces.append(Piece(len(pieces), sort, PieceKind(kind), owner))

    for kind in TOKENS:
        add(contents.counts.get(kind, 0), Sort.TOKEN, kind)
    for card in contents.cards:
        add(1, Sort.CARD, card)
    for tile in contents.upgrades:
        add(contents.counts.get(PieceKind(tile), 1), Sort.TILE, tile)
    for seat in contents.players:
        for colour in ORDERS:
            add(1, Sort.ORDER, f"order_{colour}", seat)
        for name in contents.lesters:
            add(1, Sort.LESTER, name, seat)
        add(1, Sort.MARKER, f"marker_{seat}", seat)
    return World(contents, tuple(pieces), {p.number: Spot("box", p.number) for p in pieces}, seed)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays and where: ``places`` are 0 to 3, clockwise from cart 1's first place."""

    seats: tuple[str, ...]
    places: tuple[int, ...]
    rot_track: int


def set_up(world: World, seating: Seating) -> World:
    """Set a table up from the box: bags, supply, track, decks, carts, markers (Setup A to H)."""
    contents = world.contents
    for seat in seating.seats:
        if seat not in contents.players:
            raise Impossible(f"The box has no seat {seat!r}; it has {', '.join(contents.players)}.")
    world = empty_table(contents, world.seed)
    world = replace(world, seats=seating.seats, seat_places=seating.places)
    world = _share_tokens(world, seating)
    world, chance = world.chance("set up")
    deck = [p for p in world.pieces if p.sort is Sort.CARD]
    chance.shuffle(deck)
    world = world.put(deck, "deck")
    world = _lay_tiles(world, chance)
    for seat in seating.seats:
        own = [p for p in world.pieces if p.owner == seat]
        world = world.put([p for p in own if p.sort is Sort.ORDER], f"drawer/{seat}")
        lesters = [p for p in own if p.sort is Sort.LESTER]
        chance.shuffle(lesters)
        for lester in lesters:
            world = world.lay(lester, f"beside/{lab_of(seat)}", chance, is_up=False)
        marker = next(p for p in own if p.sort is Sort.MARKER)
        world = world.lay(marker, "score/prestige_0", chance)
        world = world.put(world.lying("deck")[-1:], f"hand/{seat}")
    return replace(world, scores=dict.fromkeys(seating.seats, 0))


def _share_tokens(world: World, seating: Seating) -> World:
    contents = world.contents
    left = {kind: [p for p in world.pieces if p.kind == kind and p.sort is Sort.TOKEN] for kind in TOKENS}
    for seat in seating.seats:
        for kind, count in contents.starting_bag.items():
            world = world.put([left[kind].pop() for _ in range(count)], f"bag/{seat}")
    spots = [s for s in contents.boards[BoardId("score")].spaces if s.startswith("rot_")]
    if not 1 <= seating.rot_track <= min(len(spots), len(left[TOKENS[0]])):
        raise Impossible(f"The Rot track takes 1 to {len(spots)} Rot, not {seating.rot_track}.")
    world, chance = world.chance("rot track")
    for number in range(1, seating.rot_track + 1):
        world = world.lay(left[TOKENS[0]].pop(), f"score/rot_{number}", chance)
    for kind, tokens in left.items():
        world = world.put(tokens, f"central/grave_{kind}")
    return world


def _lay_tiles(world: World, chance: Random) -> World:
    tiles = [p for p in world.pieces if p.sort is Sort.TILE]
    chance.shuffle(tiles)
    central = world.contents.boards[BoardId("central")].spaces.values()
    for space in central:
        if space.kind is SpaceKind.TILE:
            world = world.lay(tiles.pop(), f"central/{space.id}", chance)
    stacks = [space.id for space in central if space.kind is SpaceKind.STACK]
    for number, stack in enumerate(stacks):
        for tile in tiles[number :: len(stacks)]:
            world = world.lay(tile, f"central/{stack}", chance, is_up=False)
    return world


def truth(world: World) -> dict[str, Any]:
    """Return all that is so, as JSON: places, bags, hands, piles, batches, markers."""
    places: dict[str, list[str]] = {}
    for piece in sorted(world.pieces, key=lambda p: world.spots[p.number].rank):
        at = world.spots[piece.number].at
        is_on_board = "/" in at and at.split("/")[0] in world.contents.boards and "/grave_" not in at
        if is_on_board or is_beside(at):
            places.setdefault(at, []).append(
                piece.kind if world.spots[piece.number].is_up else f"{piece.sort}_back"
            )
    by_seat = {seat: _of_seat(world, seat) for seat in world.seats}
    return {
        "seats": list(world.seats),
        "quarter": world.quarter,
        "places": places,
        "supply": {str(kind): len(world.lying(f"central/grave_{kind}")) for kind in TOKENS},
        "rot_track": sum(1 for at in places if at.startswith("score/rot_")),
        "deck": len(world.lying("deck")),
        "discard": [p.kind for p in world.lying("discard")],
        "box": dict(Counter(p.kind for p in world.lying("box"))),
        "of": by_seat,
        "scores": dict(world.scores),
        "batches": [
            {"seat": b.seat, "cards": list(b.cards), "scored": b.is_scored, "bust": b.is_bust}
            for b in world.batches
        ],
        "pieces": len(world.pieces),
    }


def _of_seat(world: World, seat: str) -> dict[str, Any]:
    orders = world.lying(f"beside/{lab_of(seat)}", Sort.ORDER)
    return {
        "bag": world.counts(f"bag/{seat}"),
        "hand": [p.kind for p in world.lying(f"hand/{seat}")],
        "pile": [p.kind for p in world.lying(f"pile/{seat}")],
        "order": orders[-1].kind.removeprefix("order_") if orders else None,
        "order_is_up": bool(orders) and world.spots[orders[-1].number].is_up,
    }


def card_space(seat: str, space: str) -> str:
    """Write the place of a card space on a seat's lab, from ``card3`` or ``lab_red/card3``."""
    return space if "/" in space else f"{lab_of(seat)}/{SpaceId(space)}"
