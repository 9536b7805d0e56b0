"""Build: play a card, draw, discard; a whole creature is counted (rulebook, Build Phase)."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.mad_science.components import FIRST_BONUS, Connector, Kind
from companion.games.mad_science.events import (
    AdaptorPlayed,
    Completed,
    CreatureNamed,
    Discarded,
    DiscardWaived,
    Drawn,
    Event,
    HeapShuffled,
    PartPlayed,
    PlaySkipped,
)
from companion.games.mad_science.moves import Discard, Draw, Finish, NameCreature, Play, Skip, Source
from companion.games.mad_science.printed import Part
from companion.games.mad_science.rules.asking import creature_at, creature_on_turn
from companion.games.mad_science.state import (
    Creature,
    Phase,
    Stage,
    State,
    changed,
    on_turn,
    printed_life,
    untold,
)
from companion.games.mad_science.words import broken, card_name, kind_name, say

LONGEST_NAME = 40


def seen(state: State, card: str) -> int:
    """Return how many of a card lie open where they cannot be played from: on creatures, in the Heap."""
    laid = [card for one in state.creatures.values() for card in (*one.parts.values(), one.adaptor)]
    return laid.count(card) + state.heap.count(card)


def fits(state: State, creature: Creature, part: Part) -> bool:
    """Say whether a part fits the body by itself; what nobody has told is not held against it."""
    body = state.box.bodies.get(creature.body)
    sockets = {None if body is None else body.connector, part.connector}
    return None in sockets or Connector.UNIVERSAL in sockets or len(sockets) == 1


def may_attach(state: State, creature: Creature, part: Part) -> bool:
    """Say whether a part may go on: its place is free, and it fits, or an adaptor waits for it."""
    is_open = part.kind not in creature.parts
    return is_open and (fits(state, creature, part) or _waits(creature, part.kind))


def _waits(creature: Creature, kind: Kind) -> bool:
    return bool(creature.adaptor) and creature.adaptor_on is kind


def _may_play(state: State, seat: Seat) -> Creature:
    """Return the creature of a seat that may play a card now. Raises RuleBroken."""
    if seat == state.turn.seat and state.turn.stage is Stage.DRAW:
        raise broken("one_card", "Build Phase")
    if seat == state.turn.seat and state.turn.stage is Stage.DISCARD:
        raise broken("after_draw", "Build Phase")
    creature = creature_on_turn(state, seat, Stage.PLAY)
    if not creature.hand:
        raise broken("empty_hand", "MS-R28")
    return creature


def _check_card(state: State, card: str) -> None:
    if not state.box.copies(card):
        raise broken("no_such_card", "Components", card=card)
    if seen(state, card) >= state.box.copies(card):
        raise broken("card_elsewhere", "Components", card=card_name(state.box, card))


def play(state: State, command: Play) -> tuple[Event, ...]:
    creature = _may_play(state, command.seat)
    _check_card(state, command.card)
    if command.card in state.box.adaptors:
        return _adaptor(state, command, creature)
    part = state.box.parts[command.card]
    if part.kind in creature.parts:
        raise broken("kind_taken", "MS-R7", kind=kind_name(part.kind))
    is_fitting = fits(state, creature, part)
    if not is_fitting and not _waits(creature, part.kind):
        body = state.box.bodies[creature.body]
        has, needs = say(f"connector.{part.connector}"), say(f"connector.{body.connector}")
        raise broken(
            "connector", "About Connectors", card=card_name(state.box, part.id), has=has, needs=needs
        )
    return (PartPlayed(command.seat, part.id, part.kind, is_on_adaptor=not is_fitting),)


def _adaptor(state: State, command: Play, creature: Creature) -> tuple[Event, ...]:
    if creature.adaptor:
        raise broken("second_adaptor", "About Connectors")
    if command.on is None or command.on in creature.parts:
        raise broken("adaptor_for_what", "MS-R6")
    return (AdaptorPlayed(command.seat, command.card, command.on),)


def part_played(state: State, event: PartPlayed) -> State:
    creature = state.creatures[event.seat]
    parts = {**creature.parts, event.kind: event.card}
    is_used = creature.is_adaptor_used or event.is_on_adaptor
    state = changed(state, event.seat, parts=parts, hand=max(0, creature.hand - 1), is_adaptor_used=is_used)
    is_whole = state.creatures[event.seat].is_complete
    return on_turn(state, stage=Stage.COUNT if is_whole else Stage.DRAW, has_played=True)


def adaptor_played(state: State, event: AdaptorPlayed) -> State:
    hand = max(0, state.creatures[event.seat].hand - 1)
    state = changed(state, event.seat, adaptor=event.card, adaptor_on=event.on, hand=hand)
    return on_turn(state, stage=Stage.DRAW, has_played=True)


def skip(state: State, command: Skip) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.PLAY)
    return (PlaySkipped(command.seat),)


def play_skipped(state: State, event: PlaySkipped) -> State:
    return on_turn(state, stage=Stage.DRAW)


def draw(state: State, command: Draw) -> tuple[Event, ...]:
    """Draw, or draw nothing; before a card was played, play none (MS-R2)."""
    creature = creature_on_turn(state, command.seat, Stage.PLAY, Stage.DRAW)
    skipped: tuple[Event, ...] = (PlaySkipped(command.seat),) if state.turn.stage is Stage.PLAY else ()
    drawn = (*skipped, *_from(state, command.source), Drawn(command.seat, command.source))
    hand = creature.hand + (command.source is not Source.NOTHING)
    was_empty = not creature.hand and not state.turn.has_played
    return drawn if hand and not was_empty else (*drawn, DiscardWaived(command.seat))


def may_draw(state: State, source: Source) -> bool:
    """Say whether a card can come from there; nothing can always be drawn (MS-R3)."""
    match source:
        case Source.PILE:
            return state.pile > 0 or len(state.heap) > 1
        case Source.HEAP:
            return bool(state.heap)
        case Source.NOTHING:
            return True


def _from(state: State, source: Source) -> tuple[Event, ...]:
    """Return what a draw needs first: an empty Pile is made anew from the Heap (MS-R5)."""
    if not may_draw(state, source):
        raise broken(f"{source}_empty", "MS-R5" if source is Source.PILE else "Build Phase")
    return (HeapShuffled(),) if source is Source.PILE and not state.pile else ()


def heap_shuffled(state: State, event: HeapShuffled) -> State:
    return replace(state, pile=len(state.heap) - 1, heap=state.heap[-1:])


def drawn(state: State, event: Drawn) -> State:
    state = on_turn(state, stage=Stage.DISCARD)
    if event.source is Source.NOTHING:
        return state
    state = changed(state, event.seat, hand=state.creatures[event.seat].hand + 1)
    if event.source is Source.HEAP:
        return replace(state, heap=state.heap[:-1])
    return replace(state, pile=state.pile - 1)


def discard(state: State, command: Discard) -> tuple[Event, ...]:
    creature_on_turn(state, command.seat, Stage.DISCARD)
    return _discarded(state, command.seat, command.card)


def _discarded(state: State, seat: Seat, card: str) -> tuple[Event, ...]:
    if card:
        _check_card(state, card)
    return (Discarded(seat, card),)


def discarded(state: State, event: Discarded) -> State:
    state = changed(state, event.seat, hand=state.creatures[event.seat].hand - 1)
    return on_turn(replace(state, heap=(*state.heap, event.card)), stage=Stage.NOTHING)


def discard_waived(state: State, event: DiscardWaived) -> State:
    return on_turn(state, stage=Stage.NOTHING)


def finish(state: State, command: Finish) -> tuple[Event, ...]:
    drew = draw(state, Draw(command.seat, command.source))
    if isinstance(drew[-1], DiscardWaived):
        return drew
    # The top of the Heap that was just taken may go back on it (MS-R4).
    taken = replace(state, heap=state.heap[:-1]) if command.source is Source.HEAP else state
    return (*drew, *_discarded(taken, command.seat, command.card))


def follow(state: State) -> tuple[Event, ...]:
    """Write down the LIFE of a creature that has become whole, once all of it is known."""
    seat = state.turn.seat
    if state.turn.stage is not Stage.COUNT or seat is None:
        return ()
    creature = state.creatures[seat]
    if creature.is_built or untold(state.box, creature):
        return ()
    bonus = 0 if state.is_bonus_given else FIRST_BONUS
    return (Completed(seat, printed_life(state.box, creature) + bonus, bonus),)


def completed(state: State, event: Completed) -> State:
    hand = state.creatures[event.seat].hand
    state = changed(state, event.seat, is_built=True, life=event.life, hand=0)
    heap = (*state.heap, *[""] * hand)
    return on_turn(replace(state, heap=heap, is_bonus_given=True), stage=Stage.NOTHING)


def name_creature(state: State, command: NameCreature) -> tuple[Event, ...]:
    creature = creature_at(state, command.seat)
    name = " ".join(command.name.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise broken("name", "Battle Phase", most=LONGEST_NAME)
    if state.phase not in (Phase.PLAY, Phase.BREAK) or name == creature.name:
        raise broken("name_not_now", "Battle Phase")
    return (CreatureNamed(command.seat, name),)


def creature_named(state: State, event: CreatureNamed) -> State:
    return changed(state, event.seat, name=event.name)
