"""The Mad Science Fair: prep, single draws with a stop, scoring without items."""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import BONUS, CARD_SPACES
from companion.games.making_monsters.events import (
    Busted,
    DrawingEnded,
    Event,
    FairBegun,
    FairScored,
    FiveChosen,
    GameOver,
    PrepBegun,
)
from companion.games.making_monsters.moves import ChooseFive, Finish
from companion.games.making_monsters.options import FAIR_SCHOOL, value
from companion.games.making_monsters.parts import counted, plus
from companion.games.making_monsters.rules.deliveries import in_bag, is_full
from companion.games.making_monsters.rules.placing import possible_moves
from companion.games.making_monsters.rules.reanimate import points_of
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.rules.upgrades import school_prestige
from companion.games.making_monsters.state import Lab, Phase, Stage, State, asked_about, completed
from companion.games.making_monsters.words import broken, card_name


def emptied(lab: Lab) -> Lab:
    """Return the lab with every token back in the bag."""
    tokens = plus(counted(lab.parts.values()), counted(lab.overflow))
    return replace(
        lab,
        bag=plus(lab.bag, tokens),
        parts={},
        overflow=(),
        leftovers=dict(lab.parts) or lab.leftovers,
    )


def prep_begun(state: State, event: PrepBegun) -> State:
    """All tokens to the bags, all cards of the labs to the piles for nothing (rulebook, Prep)."""
    labs = {
        seat: replace(
            emptied(lab),
            cards={},
            pile=(*lab.pile, *lab.cards.values()),
            stage=Stage.CHOOSE,
            order=None,
            is_super=False,
            is_bust=False,
            drawn=0,
        )
        for seat, lab in state.labs.items()
    }
    return replace(state, phase=Phase.PREP, labs=labs)


def choose_five(state: State, command: ChooseFive) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.CHOOSE)
    cards = [card for card, _ in command.cards]
    for card in cards:
        if card not in lab.pile or cards.count(card) > 1:
            raise broken("not_in_pile", "Prep", monster=card_name(state.box, card))
    named = [space for _, space in command.cards if space]
    if len(cards) > len(CARD_SPACES) or len(set(named)) < len(named) or not set(named) <= set(CARD_SPACES):
        raise broken("five_spaces", "Prep")
    # Bare spaces first, so that few cards leave the printed monsters to be used (MM-R64).
    usual = sorted(CARD_SPACES, key=lambda space: (space in state.box.printed, space))
    free = iter(space for space in usual if space not in named)
    laid = tuple((card, space or next(free)) for card, space in command.cards)
    return (FiveChosen(command.seat, laid, command.is_clear),)


def five_chosen(state: State, event: FiveChosen) -> State:
    lab = state.labs[event.seat]
    lab = replace(
        lab,
        cards={space: card for card, space in event.cards},
        pile=tuple(card for card in lab.pile if card not in {name for name, _ in event.cards}),
        stage=Stage.DONE,
        leftovers={} if event.is_clear else lab.leftovers,
    )
    return with_lab(state, event.seat, lab)


def fair_begun(state: State, event: FairBegun) -> State:
    labs = {seat: replace(lab, stage=Stage.DRAW, drawn=0) for seat, lab in state.labs.items()}
    return replace(state, phase=Phase.FAIR, labs=labs)


def finish(state: State, command: Finish) -> tuple[Event, ...]:
    lab_at(state, command.seat, Stage.DRAW)
    return (DrawingEnded(command.seat),)


def drawing_ended(state: State, event: DrawingEnded) -> State:
    return with_lab(state, event.seat, replace(state.labs[event.seat], stage=Stage.PENDING))


def fair_scored(state: State, event: FairScored) -> State:
    lab = state.labs[event.seat]
    earned = lab.earning(
        ("fair_monsters", event.points), ("fair_bonus", event.bonus), ("med_school", event.med_school)
    )
    brought = event.points + event.bonus + event.med_school
    lab = replace(emptied(lab), earned=earned, fair=brought, stage=Stage.DONE)
    return with_lab(state, event.seat, lab)


def follow_prep(state: State) -> tuple[Event, ...]:
    for seat, lab in state.labs.items():
        if lab.stage is Stage.CHOOSE and not lab.pile:
            return (FiveChosen(seat, ()),)
    return (FairBegun(),) if all(lab.stage is Stage.DONE for lab in state.labs.values()) else ()


def follow_fair(state: State) -> tuple[Event, ...]:
    """Stop who is bust or has an empty bag, score who has stopped, end when all have."""
    for seat, lab in state.labs.items():
        if lab.stage is Stage.DRAW and is_full(lab):
            return (Busted(seat), DrawingEnded(seat))
        if lab.stage is Stage.DRAW and not in_bag(state, lab) and not possible_moves(state.box, lab):
            return (DrawingEnded(seat),)
        if lab.stage is Stage.PENDING and not asked_about(state.box, lab):
            return (_score(state, seat, lab),)
    return (GameOver(),) if all(lab.stage is Stage.DONE for lab in state.labs.values()) else ()


def _score(state: State, seat: Seat, lab: Lab) -> FairScored:
    """Return what the Fair brings: no bonus after a bust, nor by default what Med Schools pay (MM-R63)."""
    monsters = completed(state.box, lab)
    pays = not lab.is_bust or value(state.box, state.options, FAIR_SCHOOL) == "two"
    return FairScored(
        seat,
        monsters,
        points=points_of(state, lab),
        bonus=0 if lab.is_bust else BONUS[len(monsters)],
        med_school=school_prestige(lab) if pays else 0,
    )
