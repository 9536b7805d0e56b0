"""Acquiring research cards: pay, look at two, play one or none; no two upgrades for one attribute.

Rulebook, Acquire Research Cards; Types of Research Cards; Research Upgrade Restrictions.
"""

from __future__ import annotations

from dataclasses import replace

from companion.game import Seat
from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import DECKS, LOOKED_AT, Attribute
from companion.games.monster_graveyard.effects import Trigger
from companion.games.monster_graveyard.printed import Printed
from companion.games.monster_graveyard.rulebook import ACQUIRE, RESTRICTIONS, TYPES
from companion.games.monster_graveyard.rules.bringing import boost_of, brought, by_upgrades
from companion.games.monster_graveyard.rules.laboratory import affordable, laboratory_lab
from companion.games.monster_graveyard.state import Deck, Lab, Stage, State, hidden_cards
from companion.games.monster_graveyard.words import broken, card_name, say


def acquire(state: State, command: m.Acquire) -> tuple[e.Event, ...]:
    lab = laboratory_lab(state, command.seat)
    if lab.stage not in (Stage.ACT, Stage.BUY):
        raise broken("acquire_done" if lab.stage is Stage.DONE else "acquired_already", ACQUIRE)
    if command.deck not in DECKS:
        raise broken("no_such_deck", ACQUIRE)
    deck, cost = state.decks[command.deck], int(command.deck)
    if deck.is_empty:
        raise broken("deck_empty", "MG-R9", deck=command.deck)
    if lab.rp < cost:
        cheaper = tuple(say("deck", deck=name) for name in affordable(state, lab))
        instead = say("instead.too_dear", decks=cheaper) if cheaper else say("instead.too_dear_all")
        raise broken("too_dear", "MG-R8", instead=instead, deck=command.deck, count=cost - lab.rp, has=lab.rp)
    is_short = deck.cards < LOOKED_AT and bool(deck.discards)
    shuffled = (e.DeckShuffled(command.deck),) if is_short else ()
    there = deck.cards + (len(deck.discards) if is_short else 0)
    paid = e.Acquired(command.seat, command.deck, min(LOOKED_AT, there))
    return (*shuffled, paid, *by_upgrades(state, command.seat, lab, Trigger.ACQUIRE))


def deck_shuffled(state: State, event: e.DeckShuffled) -> State:
    deck = state.decks[event.deck]
    whole = Deck(deck.cards + len(deck.discards))
    return replace(state, decks={**state.decks, event.deck: whole})


def acquired(state: State, event: e.Acquired) -> State:
    lab = state.labs[event.seat]
    return state.with_lab(event.seat, rp=lab.rp - int(event.deck), stage=Stage.LOOK, deck=event.deck)


def _looking(state: State, seat: Seat) -> Lab:
    lab = laboratory_lab(state, seat)
    if lab.stage is not Stage.LOOK:
        raise broken("not_looking", ACQUIRE)
    return lab


def play(state: State, command: m.Play) -> tuple[e.Event, ...]:
    lab = _looking(state, command.seat)
    if command.card not in hidden_cards(state, lab.deck):
        raise broken("not_in_deck", ACQUIRE, card=card_name(state.box, command.card), deck=lab.deck)
    card = state.box.research[command.card]
    if card.is_upgrade:
        # Its words are for its owner to follow; they are shown with it from now on.
        return (e.UpgradePlayed(command.seat, card.id),)
    gains = card.effect.on(Trigger.NOW)
    happened: list[e.Event] = [e.DiscoveryPlayed(command.seat, card.id)]
    happened += brought(command.seat, card.id, Trigger.NOW, card.effect)
    if gains.boosts and lab.monsters:
        number = command.monster or (lab.monsters[0].number if len(lab.monsters) == 1 else 0)
        if lab.monster(number) is None:
            raise broken("whom", TYPES, card=card_name(state.box, card.id))
        happened.append(e.Boosted(command.seat, number, card.id, **boost_of(gains)))
    return tuple(happened)


def upgrade_played(state: State, event: e.UpgradePlayed) -> State:
    lab = state.labs[event.seat]
    upgrades = (*lab.upgrades, event.card)
    stage = Stage.DROP if doubled(state.box, upgrades) else Stage.SETTLED
    return _taken(state, event.card, 0).with_lab(event.seat, upgrades=upgrades, stage=stage)


def discovery_played(state: State, event: e.DiscoveryPlayed) -> State:
    """Put a discovery on its deck's discards."""
    return _taken(state, event.card, 1).with_lab(event.seat, stage=Stage.SETTLED)


def _taken(state: State, card: str, discarded: int) -> State:
    name = state.box.research[card].deck
    deck = state.decks[name]
    after = Deck(deck.cards - 1, (*deck.discards, *([card] * discarded)))
    return replace(state, decks={**state.decks, name: after})


def decline(state: State, command: m.Decline) -> tuple[e.Event, ...]:
    lab = _looking(state, command.seat)
    return (e.Declined(command.seat, lab.deck, min(LOOKED_AT, state.decks[lab.deck].cards)),)


def declined(state: State, event: e.Declined) -> State:
    """Leave the deck as it was, but for its order, which nobody follows (MG-R10)."""
    return state.with_lab(event.seat, stage=Stage.SETTLED)


def doubled(box: Printed, upgrades: tuple[str, ...]) -> tuple[str, ...]:
    """Return the upgrades that share an attribute with another one (MG-R12); empty if none do (MG-R13)."""
    by_attribute = {
        attribute: [at for at, card in enumerate(upgrades) if box.research[card].added.get(attribute)]
        for attribute in Attribute
    }
    found = {at for many in by_attribute.values() if len(many) > 1 for at in many}
    return tuple(card for at, card in enumerate(upgrades) if at in found)


def drop(state: State, command: m.Drop) -> tuple[e.Event, ...]:
    lab = laboratory_lab(state, command.seat)
    if lab.stage is not Stage.DROP:
        raise broken("nothing_to_drop", RESTRICTIONS)
    may_go = doubled(state.box, lab.upgrades)
    if command.card not in may_go:
        names = tuple(card_name(state.box, card) for card in dict.fromkeys(may_go))
        raise broken("drop_other", RESTRICTIONS, card=card_name(state.box, command.card), cards=names)
    return (e.UpgradeDropped(command.seat, command.card),)


def upgrade_dropped(state: State, event: e.UpgradeDropped) -> State:
    lab = state.labs[event.seat]
    at = len(lab.upgrades) - 1 - lab.upgrades[::-1].index(event.card)
    left = lab.upgrades[:at] + lab.upgrades[at + 1 :]
    stage = Stage.DROP if doubled(state.box, left) else Stage.SETTLED
    name = state.box.research[event.card].deck
    deck = state.decks[name]
    decks = {**state.decks, name: replace(deck, discards=(*deck.discards, event.card))}
    return replace(state, decks=decks).with_lab(event.seat, upgrades=left, stage=stage)
