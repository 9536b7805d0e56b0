"""What hands have to do because of an event: discards, dice, tokens, points, cards. Each is said once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Seat, Wire
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard.components import PLAIN_PARTS, Form
from companion.games.monster_graveyard.state import State

Given = tuple[tuple[Seat | None, Wire], ...]

UNITS = ("gp", "rp", "vp", "draws", "minions")


def chores_of(state: State, event: e.Event) -> Given:
    """Return who has to do what; ``state`` is the one before the event."""
    write = WRITERS.get(type(event))
    return tuple(write(state, event)) if write else ()


def discarded(parts: tuple[str, ...]) -> dict[str, int]:
    """Return how many parts go to the Boneyard, and how many to the Graveyard discards (Reanimate, note)."""
    bones = sum(part in PLAIN_PARTS and PLAIN_PARTS[part][0] is Form.SKELETAL for part in parts)
    return {"boneyard": bones, "graveyard": len(parts) - bones}


def _reanimated(state: State, event: e.Reanimated) -> Given:
    dice = {"terror": event.terror, "science": event.science, "health": event.health}
    tokens = tuple((event.seat, {"token": token, "monster": event.monster}) for token in event.abilities)
    return (
        (event.seat, {"discard": discarded(event.parts)}),
        (event.seat, {"dice": dice, "monster": event.monster}),
        *tokens,
    )


def _gained(state: State, event: e.Gained) -> Given:
    counts = {unit: getattr(event, unit) for unit in UNITS if getattr(event, unit)}
    words = ((event.seat, {"follow": event.words, "card": event.why}),) if event.words else ()
    return (*(((event.seat, {"gain": counts, "card": event.why}),) if counts else ()), *words)


def _boosted(state: State, event: e.Boosted) -> Given:
    monster = state.labs[event.seat].monster(event.monster)
    assert monster is not None
    dice = {
        "terror": monster.terror + event.terror,
        "science": monster.science + event.science,
        "health": monster.health + event.health,
    }
    return ((event.seat, {"dice": dice, "monster": event.monster}),)


def _lost(state: State, event: e.MonsterLost) -> Given:
    return ((event.seat, {"lose": event.monster}),)


def _turn_begun(state: State, event: e.TurnBegun) -> Given:
    tired = {seat for seat, lab in state.labs.items() if len(lab.ready) < len(lab.monsters)}
    return tuple((seat, {"ready": True}) for seat in state.labs if seat in tired and event.is_readied)


def _round_ended(state: State, event: e.RoundEnded) -> Given:
    if event.number > 1:
        return ()
    return ((None, {"refill": True}), *((seat, {"clear": True}) for seat in state.labs if event.clears))


WRITERS: Mapping[type, Callable[[State, Any], Given]] = {
    e.BonusPaid: lambda _, event: ((event.seat, {"gain": {"rp": event.rp}}),),
    e.Reanimated: _reanimated,
    e.Experimented: lambda _, event: (
        (event.seat, {"turn": event.monster}),
        (event.seat, {"gain": {"rp": event.rp}}),
    ),
    e.Gained: _gained,
    e.DeckShuffled: lambda _, event: ((None, {"shuffle": event.deck}),),
    e.Acquired: lambda _, event: ((event.seat, {"pay": int(event.deck)}),),
    e.UpgradePlayed: lambda state, event: (
        (event.seat, {"lay": event.card}),
        *_below(state, event.seat, 1),
    ),
    e.DiscoveryPlayed: lambda state, event: (
        (event.seat, {"discard_card": event.card, "deck": state.box.research[event.card].deck}),
        *_below(state, event.seat, 1),
    ),
    e.Declined: lambda _, event: ((event.seat, {"below": event.count, "deck": event.deck}),),
    e.UpgradeDropped: lambda state, event: (
        (event.seat, {"discard_card": event.card, "deck": state.box.research[event.card].deck}),
    ),
    e.Boosted: _boosted,
    e.MonsterLost: _lost,
    e.Terrorized: lambda _, event: ((event.seat, {"turn": event.monster}),),
    e.TurnBegun: _turn_begun,
    e.RoundEnded: _round_ended,
}


def _below(state: State, seat: Seat, played: int) -> Given:
    """Put the card that was not played below its deck, unseen by the others."""
    deck = state.labs[seat].deck
    left = min(2, state.decks[deck].cards) - played if deck else 0
    return ((seat, {"below": left, "deck": deck}),) if left > 0 else ()
