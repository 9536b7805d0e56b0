"""A card's own reanimate action, resolved with its points, also on a bust (MM-R33, R50)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.actions import read_action
from companion.games.making_monsters.components import Token
from companion.games.making_monsters.events import ActionTaken
from companion.games.making_monsters.moves import Act
from companion.games.making_monsters.parts import minus, plus
from companion.games.making_monsters.rules.lester import check_free
from companion.games.making_monsters.rules.setup import lab_at, with_lab
from companion.games.making_monsters.rules.upgrades import as_far_as_there_is
from companion.games.making_monsters.sheets import MOST_PRESTIGE
from companion.games.making_monsters.state import Lab, Stage, State, completed, shown
from companion.games.making_monsters.words import broken, card_name

MOST_PARTS = 9


def reanimated_cards(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the monsters that a followed lab has completed, as cards."""
    monsters = (shown(state.box, lab, space) for space in completed(state.box, lab))
    return tuple(monster.id for monster in monsters if monster is not None)


def acted(state: State, seat: Seat, cards: Iterable[str]) -> tuple[ActionTaken, ...]:
    """Return what the actions of cards bring by themselves, as far as the supply has it (MM-R20)."""
    events = []
    for card in cards:
        action = read_action(state.box.monsters[card].action)
        if action.prestige or action.parts:
            given = as_far_as_there_is(state, action.parts)
            events.append(ActionTaken(seat, card, action.prestige, given))
            state = replace(state, supply=minus(state.supply, given))
    return tuple(events)


def actions_left(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the reanimated cards whose action is in words and was not told yet."""
    if lab.stage is not Stage.ITEMS or not lab.is_followed:
        return ()
    cards = (card for card in reanimated_cards(state, lab) if card not in lab.acted)
    return tuple(card for card in cards if read_action(state.box.monsters[card].action).words)


def act(state: State, command: Act) -> tuple[ActionTaken, ...]:
    """Take what a player read on the card; it is optional, as items are. Raises RuleBroken."""
    lab = lab_at(state, command.seat, Stage.ITEMS)
    if command.card not in actions_left(state, lab):
        raise broken("no_action", "MM-R50", monster=card_name(state.box, command.card))
    counts = command.parts.values()
    is_sound = 0 <= command.prestige <= MOST_PRESTIGE and all(0 < count <= MOST_PARTS for count in counts)
    if not is_sound or Token.ROT in command.parts:
        raise broken("action_range", "MM-R50", most=MOST_PRESTIGE)
    check_free(state, command.seat, command.parts)
    return (ActionTaken(command.seat, command.card, command.prestige, dict(command.parts)),)


def action_taken(state: State, event: ActionTaken) -> State:
    lab = state.labs[event.seat]
    lab = replace(lab, earned=lab.earning(("action", event.prestige)))
    if lab.is_followed:
        lab = replace(lab, bag=plus(lab.bag, event.parts), acted=(*lab.acted, event.card))
    else:
        lab = replace(lab, held=plus(lab.held, event.parts))
    return replace(with_lab(state, event.seat, lab), supply=minus(state.supply, event.parts))
