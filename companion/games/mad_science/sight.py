"""What a picture of loose cards proposes: a part or adaptor that was laid, a part turned over or back.

A creature is put together from the cards around its body, in the body's own frame: what is named is
known by its art, what lies face down by where it lies. A person's word for a place outdoes the eyes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.board import EMPTY, PieceKind, Place, SpaceId
from companion.game import Proposal, Puzzled, RuleBroken, Seat, Sentence, Sighting, SpaceSeen
from companion.games.mad_science import moves as m
from companion.games.mad_science.components import (
    BODY,
    CARD_BACK,
    CARD_MM,
    WAYS,
    Kind,
    adaptor_of,
    seat_of,
    zone_of,
)
from companion.games.mad_science.records import RECORDS
from companion.games.mad_science.rules.build import may_attach, seen
from companion.games.mad_science.rules.course import decide
from companion.games.mad_science.state import Creature, Phase, Stage, State, printed_life
from companion.games.mad_science.words import card_name, kind_names, say
from companion.ports import HIDDEN, UNKNOWN, LoosePiece, Reading, SpaceReading

REACH = 2.6
"""How far from its body a part may lie, in card lengths: on an adaptor it is the second card."""

NEAREST = 0.4
"""What lies nearer than that to the middle of the body lies on it, and has no place of its own."""

Spaces = Mapping[SpaceId, SpaceReading]


@dataclass(frozen=True, slots=True)
class Frame:
    """A body's own millimetres in a picture: its middle, and how its right and down run in pixels."""

    centre_px: tuple[float, float]
    right_px: tuple[float, float]
    down_px: tuple[float, float]

    @classmethod
    def of(cls, body: LoosePiece) -> Frame | None:
        """Return the frame of a body whose corners are known, None for a card seen as a line."""
        if len(body.corners_px) != 4:
            return None
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = body.corners_px
        w, h = CARD_MM
        right = ((bx - ax + cx - dx) / 2 / w, (by - ay + cy - dy) / 2 / w)
        down = ((dx - ax + cx - bx) / 2 / h, (dy - ay + cy - by) / 2 / h)
        flat = abs(right[0] * down[1] - right[1] * down[0])
        return cls(body.centre_px, right, down) if flat > 0 else None

    def at(self, piece: LoosePiece) -> tuple[float, float]:
        """Return where a card lies from the body, in card widths to the right and card lengths down."""
        x, y = piece.centre_px[0] - self.centre_px[0], piece.centre_px[1] - self.centre_px[1]
        (rx, ry), (dx, dy) = self.right_px, self.down_px
        flat = rx * dy - ry * dx
        return (x * dy - y * dx) / flat / CARD_MM[0], (rx * y - ry * x) / flat / CARD_MM[1]


def way_of(at: tuple[float, float]) -> Kind | None:
    """Return in which of the four ways a card lies from the body; None if it is none of its own."""
    right, down = at
    distance = max(abs(right), abs(down))
    if not NEAREST < distance < REACH:
        return None
    return max(Kind, key=lambda kind: WAYS[kind][0] * right + WAYS[kind][1] * down)


def bodies_seen(state: State, reading: Reading) -> dict[Seat, LoosePiece]:
    """Return the body of each seat in a picture: known by its card, or by the zone that it lies in."""
    owners = {one.body: seat for seat, one in state.creatures.items() if one.body}
    found: dict[Seat, LoosePiece] = {}
    for piece in reading.loose:
        if piece.is_face_down or piece.reads not in state.box.bodies:
            continue
        seat = owners.get(str(piece.reads)) or (None if piece.near is None else seat_of(piece.near))
        if seat is not None and seat in state.creatures and seat not in found:
            found[seat] = piece
    return found


def creatures_seen(state: State, reading: Reading) -> dict[Seat, Spaces]:
    """Return what lies on each place of every creature that a picture shows.

    A place of which nothing is seen is not in it: a card may be covered, or not be found.
    """
    bodies = bodies_seen(state, reading)
    frames = {seat: frame for seat, body in bodies.items() if (frame := Frame.of(body)) is not None}
    spaces: dict[Seat, dict[SpaceId, SpaceReading]] = {
        seat: {BODY: _reading(body)} for seat, body in bodies.items()
    }
    for piece in reading.loose:
        if piece.reads in state.box.bodies or not frames:
            continue
        places = {seat: frame.at(piece) for seat, frame in frames.items() if _may_be_of(seat, piece)}
        if not places:
            continue
        seat = min(places, key=lambda one: max(abs(places[one][0]), abs(places[one][1])))
        space = _space(state, state.creatures[seat], piece, way_of(places[seat]))
        if space is not None and space not in spaces[seat]:
            spaces[seat][space] = _reading(piece)
    for seat in state.creatures:
        board = reading.boards.get(zone_of(seat))
        if board is not None and board.spaces:
            spaces[seat] = {**spaces.get(seat, {}), **board.spaces}
    return {seat: found for seat, found in spaces.items() if found}


def _may_be_of(seat: Seat, piece: LoosePiece) -> bool:
    """Say whether a card may be a seat's: one that lies in a zone is of that zone's seat."""
    return piece.near is None or seat_of(piece.near) in (None, seat)


def _space(state: State, creature: Creature, piece: LoosePiece, way: Kind | None) -> SpaceId | None:
    """Return which place of a creature a card takes, None if it is none of its cards."""
    if way is None:
        return None
    if piece.reads in state.box.adaptors:
        return adaptor_of(way)
    part = state.box.parts.get(str(piece.reads))
    if part is not None:
        # What does not lie where it belongs is a card of the piles, or one that waits to be sorted out.
        return SpaceId(part.kind) if part.kind is way or creature.parts.get(part.kind) == part.id else None
    return SpaceId(way)


def _reading(piece: LoosePiece) -> SpaceReading:
    reads = CARD_BACK if piece.is_face_down else piece.reads
    return SpaceReading(reads, piece.confidence, piece.sure, piece.others, obstacle=piece.obstacle)


# --- what it means -------------------------------------------------------------------------


def sighted(state: State, reading: Reading) -> Sequence[Sighting]:
    """Explain a reading: at most one sighting a seat."""
    found = []
    for seat, spaces in creatures_seen(state, reading).items():
        sighting = _sighted(state, seat, spaces)
        if sighting is not None:
            found.append(sighting)
    return found


def _sighted(state: State, seat: Seat, spaces: Spaces) -> Sighting | None:
    creature = state.creatures[seat]
    if state.phase is Phase.CARDS:
        return _body(state, seat, spaces) if not creature.body else None
    if seat == state.turn.seat and state.turn.stage is Stage.PLAY:
        return _laid(state, seat, spaces)
    if state.phase in (Phase.PLAY, Phase.BREAK):
        return _turned(state, seat, spaces)
    return None


def _body(state: State, seat: Seat, spaces: Spaces) -> Sighting | None:
    """Propose the body that lies in a seat's own zone."""
    there = spaces.get(BODY)
    if state.turn.stage is not Stage.BODY or there is None or there.reads not in state.box.bodies:
        return None
    space = SpaceSeen(Place(zone_of(seat), BODY), EMPTY, there, tuple(map(PieceKind, state.box.bodies)))
    what = say("saw.body", card=card_name(state.box, there.reads))
    return _offered(state, seat, m.DealBody(seat, str(there.reads)), what, space)


def _laid(state: State, seat: Seat, spaces: Spaces) -> Sighting | None:
    """Propose the part or adaptor that newly lies there, with the LIFE that the creature then has."""
    creature = state.creatures[seat]
    for kind in Kind:
        there = spaces.get(SpaceId(kind))
        if kind in creature.parts or there is None or there.reads in (EMPTY, HIDDEN, CARD_BACK):
            continue
        return _part(state, seat, kind, there)
    for kind in Kind:
        there = spaces.get(adaptor_of(kind))
        if creature.adaptor or there is None or there.reads not in state.box.adaptors:
            continue
        what = say("saw.adaptor", card=card_name(state.box, there.reads), kind=say(f"kind.{kind}"))
        space = SpaceSeen(Place(zone_of(seat), adaptor_of(kind)), EMPTY, there, (*there.others, EMPTY))
        return _offered(state, seat, m.Play(seat, str(there.reads), kind), what, space)
    return None


def _part(state: State, seat: Seat, kind: Kind, there: SpaceReading) -> Sighting:
    creature = state.creatures[seat]
    fitting = [
        PieceKind(part.id)
        for part in state.box.parts.values()
        if part.kind is kind and seen(state, part.id) < part.copies and may_attach(state, creature, part)
    ]
    may_be = tuple(dict.fromkeys([*there.others, *fitting, EMPTY]))
    space = SpaceSeen(Place(zone_of(seat), SpaceId(kind)), EMPTY, there, may_be)
    if there.reads == UNKNOWN:
        return Proposal(seat, say("saw.unknown", kind=say(f"kind.{kind}")), None, (space,), is_sure=False)
    card = str(there.reads)
    with_it = replace(creature, parts={**creature.parts, kind: card})
    what = say("saw.part", card=card_name(state.box, card), life=printed_life(state.box, with_it))
    return _offered(state, seat, m.Play(seat, card), what, space)


def _offered(state: State, seat: Seat, command: m.Command, what: Sentence, space: SpaceSeen) -> Sighting:
    """Return the proposal of a command, or what the rules have against it."""
    try:
        decide(state, command)
    except RuleBroken as broken:
        return Puzzled(seat, say("saw.refused", what=what, why=broken.why), (space,))
    return Proposal(seat, what, RECORDS.command_out(command), (space,), space.seen.sure)


def _turned(state: State, seat: Seat, spaces: Spaces) -> Sighting | None:
    """Say which parts lie face down and should not, or the other way round; only what is surely seen."""
    creature = state.creatures[seat]
    down = [*creature.dropped, *creature.lost]
    to_turn = {
        kind: spaces[SpaceId(kind)]
        for kind in creature.parts
        if SpaceId(kind) in spaces and _is_turned_wrong(creature, kind, spaces[SpaceId(kind)], down)
    }
    if not to_turn:
        return None
    over = tuple(kind for kind in to_turn if kind in down)
    up = tuple(kind for kind in to_turn if kind not in down)
    lines = (
        *((say("saw.turn_over", kinds=kind_names(over)),) if over else ()),
        *((say("saw.turn_up", kinds=kind_names(up)),) if up else ()),
    )
    return Puzzled(seat, say("saw.turned", what=lines), tuple(_turned_spaces(state, seat, to_turn, down)))


def _is_turned_wrong(creature: Creature, kind: Kind, there: SpaceReading, down: Sequence[Kind]) -> bool:
    if not there.sure:
        return False
    if kind in down:
        return there.reads == creature.parts[kind]
    return there.reads == CARD_BACK


def _turned_spaces(
    state: State, seat: Seat, to_turn: Mapping[Kind, SpaceReading], down: Sequence[Kind]
) -> Iterator[SpaceSeen]:
    for kind, there in to_turn.items():
        card = PieceKind(state.creatures[seat].parts[kind])
        was = CARD_BACK if kind in down else card
        yield SpaceSeen(Place(zone_of(seat), SpaceId(kind)), was, there, (card, CARD_BACK))
