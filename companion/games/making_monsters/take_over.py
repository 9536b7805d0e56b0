"""Offer to take a table over as it stands: labs as they are read, the rest as fields to fill in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.board import SpaceId
from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Weight
from companion.games.making_monsters.asking import option_fields
from companion.games.making_monsters.asking_reports import may_resume, resume_from
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CART_SPOTS,
    HELD,
    REJECTS,
    SCORE,
    SEATS,
    SORT_SPACES,
    UPGRADE_SPACES,
    Order,
    Token,
    hold_of,
    lab_of,
)
from companion.games.making_monsters.position import heap_out, position
from companion.games.making_monsters.printed import UNKNOWN_TILE
from companion.games.making_monsters.rules.setup import longest_track, usual_track
from companion.games.making_monsters.rules.taking_over import MIDDLE_PHASES, guessed_bag, with_the_rest
from companion.games.making_monsters.sight import carts_seen
from companion.games.making_monsters.state import Lab, Phase, State, slots
from companion.games.making_monsters.words import order_name, say, seat_name
from companion.ports import BoardReading, Reading


def take_over(state: State, reading: Reading | None) -> tuple[Choice, ...]:
    """Return one form filled from a reading, and one for a position line.

    In a running game: a form of each lab that was read and that is not followed, to follow it again.
    """
    if state.phase is not Phase.OPEN:
        return tuple(_resuming(state, reading)) if reading is not None else ()
    line = Choice(
        say("choice.take_over_line"),
        {"do": "take_over"},
        (Line("position", say("field.position")),),
        Weight.QUIET,
    )
    return (_form(state, reading), line)


def _resuming(state: State, reading: Reading) -> Iterator[Choice]:
    for seat, lab in state.labs.items():
        board = reading.boards.get(lab_of(seat))
        if board is not None and may_resume(state, lab):
            seen = _lab(state, board)
            yield resume_from(seat, seen.cards, seen.parts, seen.tiles)


def _form(state: State, reading: Reading | None) -> Choice:
    there = seen_position(state, reading)
    seats = tuple(there.labs)
    fields: list[Field] = [
        Pick(
            "seats",
            say("field.seats"),
            tuple(Option(seat, seat_name(seat)) for seat in SEATS),
            least=2,
            most=4,
            value=seats,
        ),
        Pick(
            "phase",
            say("field.phase"),
            tuple(Option(phase, say(f"phase.{phase}")) for phase in MIDDLE_PHASES),
            value=Phase.DELIVERIES.value if _tokens(there) else Phase.ORDER.value,
        ),
        Count("round", say("field.round"), 1, 99, 1),
        Count("track", say("field.track"), 0, longest_track(state.box, 2), there.track),
    ]
    for seat in SEATS:
        fields += _fields_of(there, seat)
    fields += option_fields(state)
    command = {"do": "take_over", "position": position(there)}
    return Choice(say("choice.take_over", count=len(_tokens(there))), command, tuple(fields), Weight.PLAIN)


def _tokens(there: State) -> list[Token]:
    return [kind for lab in there.labs.values() for kind in lab.parts.values()]


def _fields_of(there: State, seat: Seat) -> list[Field]:
    orders = tuple(
        Option(
            f"{order}_super" if is_super else order.value,
            say("field.order_super" if is_super else "field.order_base", order=order_name(order)),
        )
        for order in Order
        for is_super in (False, True)
    )
    name = seat_name(seat)
    lab = there.labs.get(seat, Lab())
    return [
        Count(f"score_{seat}", say("field.score", seat=name), 0, 999, 0),
        Pick(f"order_{seat}", say("field.order", seat=name), orders, value="blue_super"),
        Line(f"bag_{seat}", say("field.bag", seat=name, usual=heap_out(guessed_bag(lab)))),
    ]


def seen_position(state: State, reading: Reading | None) -> State:
    """Return the state that a reading shows; labs out of sight begin bare, what is doubtful is left out."""
    labs: dict[Seat, Lab] = {}
    boards = reading.boards if reading else {}
    for seat in SEATS:
        board = boards.get(lab_of(seat))
        if board is not None:
            labs[seat] = _lab(state, board)
    for seat in SEATS:
        if len(labs) < 2:
            labs.setdefault(seat, Lab())
    ordered = {seat: labs[seat] for seat in SEATS if seat in labs}
    ordered = {seat: replace(lab, bag=guessed_bag(lab)) for seat, lab in ordered.items()}
    carts = carts_seen(reading) if reading else {}
    carts = {spot: tile for spot, tile in carts.items() if spot in CART_SPOTS and tile in state.box.tiles}
    track = _track(reading) if reading else None
    if track is None:
        track = usual_track(state.box, len(ordered))
    there = replace(
        state,
        phase=Phase.ORDER,
        round=1,
        labs=ordered,
        track=track,
        track_length=max(track, usual_track(state.box, len(ordered))),
        carts=carts or dict.fromkeys(CART_SPOTS, UNKNOWN_TILE),
        bags_guessed=True,
    )
    return with_the_rest(there)


def _lab(state: State, board: BoardReading) -> Lab:
    def read(space: str) -> str:
        seen = board.spaces.get(SpaceId(space))
        return str(seen.reads) if seen is not None else ""

    cards = {space: read(space) for space in CARD_SPACES if read(space) in state.box.deck}
    tiles = {space: read(space) for space in UPGRADE_SPACES if read(space) in state.box.tiles}
    lab = Lab(cards=cards, tiles=tiles)
    kinds = set(Token)
    parts = {
        space: Token(read(space))
        for space in (*slots(state.box, lab), *SORT_SPACES, *REJECTS)
        if read(space) in kinds
    }
    return replace(lab, parts={**parts, **_on_tiles(lab, board)})


def _on_tiles(lab: Lab, board: BoardReading) -> dict[str, Token]:
    """Return the token that is seen on top of each tile that may hold one."""
    found = {}
    for space, tile in lab.tiles.items():
        on_top = board.spaces[SpaceId(space)].on_top
        if on_top and tile in HELD and str(on_top[-1]) in {kind.value for kind in Token}:
            found[hold_of(space, 1)] = Token(on_top[-1])
    return found


def _track(reading: Reading) -> int | None:
    board = reading.boards.get(SCORE)
    if board is None:
        return None
    spots = [seen for space, seen in board.spaces.items() if space.startswith("rot_")]
    return sum(1 for seen in spots if seen.is_taken) if spots else None
