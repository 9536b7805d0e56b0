"""Offer to take a table over as it stands: monsters as their dice are read, the rest as fields to fill in."""

from __future__ import annotations

from dataclasses import replace

from companion.board import Place, SpaceId
from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Weight
from companion.games.monster_graveyard.asking import option_fields
from companion.games.monster_graveyard.components import (
    BASE,
    MONSTER_CARD,
    MONSTER_SPACES,
    SEATS,
    TURNED_CARD,
    UPGRADE_SPACES,
    Attribute,
    mat_of,
)
from companion.games.monster_graveyard.position import position
from companion.games.monster_graveyard.rules.acquire import doubled
from companion.games.monster_graveyard.rules.setup import FEWEST, MOST
from companion.games.monster_graveyard.rules.taking_over import with_the_rest
from companion.games.monster_graveyard.sight import dice_shown
from companion.games.monster_graveyard.state import Lab, Monster, Phase, Stage, State
from companion.games.monster_graveyard.words import say, seat_name
from companion.ports import BoardReading, Reading

MOST_POINTS = 999


def take_over(state: State, reading: Reading | None) -> tuple[Choice, ...]:
    """Return one form filled from a reading, and one for a position line; nothing once a game has begun."""
    if state.phase is not Phase.OPEN:
        return ()
    line = Choice(
        say("choice.take_over_line"),
        {"do": "take_over"},
        (Line("position", say("field.position")),),
        Weight.QUIET,
    )
    return (_form(state, reading), line)


def _form(state: State, reading: Reading | None) -> Choice:
    there = seen_position(state, reading)
    seats = tuple(there.labs)
    fields: list[Field] = [
        Pick(
            "seats",
            say("field.seats"),
            tuple(Option(seat, seat_name(seat)) for seat in SEATS),
            least=FEWEST,
            most=MOST,
            value=seats if len(seats) >= FEWEST else SEATS[:4],
        ),
        Count("turn", say("field.turn"), 1, 99, 1),
    ]
    for seat in SEATS:
        for unit in ("vp", "gp", "rp"):
            label = say(f"field.{unit}_of", seat=seat_name(seat))
            fields.append(Count(f"{unit}_{seat}", label, 0, MOST_POINTS, 0))
    fields += option_fields(state)
    command = {"do": "take_over", "position": position(there)}
    return Choice(say("choice.take_over"), command, tuple(fields), Weight.PRIMARY)


def seen_position(state: State, reading: Reading | None) -> State:
    """Return what a reading shows of a running table: monsters, their dice, upgrades."""
    labs: dict[Seat, Lab] = {}
    for seat in SEATS:
        board = reading.boards.get(mat_of(seat)) if reading is not None else None
        if reading is not None and board is not None:
            labs[seat] = _lab(state, reading, board)
    if not labs:
        return state
    first = next(iter(labs))
    begun = replace(state, phase=Phase.CHOOSE, turn=1, labs=labs, first=first, active=first)
    return with_the_rest(begun.with_lab(first, stage=Stage.CHOOSE))


def _lab(state: State, reading: Reading, board: BoardReading) -> Lab:
    monsters = []
    for number in range(1, MONSTER_SPACES + 1):
        seen = board.spaces.get(SpaceId(f"monster{number}"))
        if seen is not None and seen.reads in (MONSTER_CARD, TURNED_CARD):
            dice = dice_shown(reading, Place(board.board, SpaceId(f"monster{number}"))) or {}
            # An attribute without dice is what every monster begins with.
            terror, science, health = (sum(dice.get(one, ())) or BASE for one in Attribute)
            monsters.append(Monster(number, terror, science, health, is_exhausted=seen.reads == TURNED_CARD))
    upgrades: tuple[str, ...] = ()
    for number in range(1, UPGRADE_SPACES + 1):
        seen = board.spaces.get(SpaceId(f"upgrade{number}"))
        card = state.box.research.get(seen.reads) if seen is not None else None
        if card is not None and card.is_upgrade and not doubled(state.box, (*upgrades, card.id)):
            upgrades = (*upgrades, card.id)
    return Lab(monsters=tuple(monsters), upgrades=upgrades)
