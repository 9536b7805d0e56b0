"""Setup: who plays, the Rot track, bags, first monsters, five tokens each (rulebook, Setup A to I)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.game import Seat
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CART_SPOTS,
    SEATS,
    STARTING_BAG,
    TOKEN_COUNTS,
    Token,
)
from companion.games.making_monsters.depth import MOST_UNTOLD, Depth
from companion.games.making_monsters.events import (
    CardPlaced,
    Event,
    OddsShown,
    OptionsChosen,
    RoundBegun,
    Stocked,
    TableSet,
)
from companion.games.making_monsters.moves import ChooseOptions, PlaceCard, SetUp, ShowOdds
from companion.games.making_monsters.options import settled, unknown
from companion.games.making_monsters.printed import UNKNOWN_TILE, Printed
from companion.games.making_monsters.state import Lab, Phase, Stage, State, tokens_on
from companion.games.making_monsters.words import broken, card_name, say

USUAL_TRACK = {2: 12, 3: 16, 4: 20}
"""What the form starts with; how many Rot a box wants is printed in the box, so it is asked."""


CARDS_DRAWN = 2
"""How many cards a seat draws in Refresh."""


def rot_left(seats: int) -> int:
    """Return how much Rot remains for track and supply after the bags are filled."""
    return TOKEN_COUNTS[Token.ROT] - seats * STARTING_BAG[Token.ROT]


def longest_track(box: Printed, seats: int) -> int:
    """Return how long the Rot track may be: the Rot there is, and the spots the box prints."""
    return min(rot_left(seats), box.track_spots or rot_left(seats))


def usual_track(box: Printed, seats: int) -> int:
    """Return how many Rot the box wants on the track, else a usual number, as far as there is room."""
    return min(box.track_lengths.get(seats, USUAL_TRACK[seats]), longest_track(box, seats))


def set_up(state: State, command: SetUp) -> tuple[Event, ...]:
    if state.phase is not Phase.OPEN:
        raise broken("already_set_up", "Setup")
    seats = tuple(seat for seat in SEATS if seat in command.seats)
    if len(seats) != len(command.seats) or not 2 <= len(seats) <= 4:
        raise broken("seats", "Setup B")
    most = longest_track(state.box, len(seats))
    if not 1 <= command.track <= most:
        raise broken("track", "Setup G", most=most)
    events: tuple[Event, ...] = (TableSet(seats, command.track, command.depth),)
    chosen = _chosen(state, command.options)
    return events if chosen == state.options else (*events, OptionsChosen(chosen))


def may_choose_options(state: State) -> bool:
    """Say whether the options may still change: until the first order lies on the table."""
    if state.phase in (Phase.OPEN, Phase.SETUP):
        return True
    no_order = all(lab.stage is Stage.ORDER for lab in state.labs.values())
    return state.phase is Phase.ORDER and state.round <= 1 and no_order


def choose_options(state: State, command: ChooseOptions) -> tuple[Event, ...]:
    if not may_choose_options(state):
        raise broken("options_settled", "Setup", instead=say("instead.options_settled"))
    return (OptionsChosen(_chosen(state, command.options)),)


def _chosen(state: State, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the table with these chosen besides. Raises RuleBroken."""
    strange = unknown(options)
    if strange:
        raise broken("no_such_option", "Setup", option=strange)
    return settled(state.box, {**state.options, **options})


def options_chosen(state: State, event: OptionsChosen) -> State:
    return replace(state, options=dict(event.options))


def table_set(state: State, event: TableSet) -> State:
    taken = {kind: count * len(event.seats) for kind, count in STARTING_BAG.items()}
    supply = {kind: count - taken.get(kind, 0) for kind, count in TOKEN_COUNTS.items()}
    supply[Token.ROT] -= event.track
    lab = Lab(bag=dict(STARTING_BAG), stage=Stage.CARD)
    if event.depth is not Depth.FULL:
        untold = dict(MOST_UNTOLD) if event.depth is Depth.SCORE else {}
        lab = replace(lab, depth=event.depth, bag={}, held=lab.bag, untold=untold)
    return replace(
        state,
        phase=Phase.SETUP,
        labs=dict.fromkeys(event.seats, lab),
        supply={kind: count for kind, count in supply.items() if count},
        track=event.track,
        track_length=event.track,
        carts=dict.fromkeys(CART_SPOTS, UNKNOWN_TILE),
        stack=state.box.tile_count - len(CART_SPOTS),
        deck=len(state.box.deck),
    )


def show_odds(state: State, command: ShowOdds) -> tuple[Event, ...]:
    """Tell seats their odds, or no longer: no rule of the game, so at any time before its end."""
    if state.phase in (Phase.OPEN, Phase.OVER) or command.is_on == state.odds:
        raise broken("odds_as_they_are", "Setup")
    return (OddsShown(command.is_on),)


def odds_shown(state: State, event: OddsShown) -> State:
    return replace(state, odds=event.is_on)


def lab_at(state: State, seat: Seat, *stages: Stage) -> Lab:
    """Return a seat's lab if it is at one of the stages. Raises RuleBroken."""
    lab = state.labs.get(seat)
    if lab is None:
        raise broken("nobody_there", "Setup B", seat=seat)
    if lab.stage not in stages:
        raise broken("not_now", "Gameplay", instead=say("instead.not_now", stage=say(f"stage.{lab.stage}")))
    return lab


def hidden_cards(state: State) -> frozenset[str]:
    """Return the cards that may be in the deck or in a hand: not in a lab, a pile or the discards.

    With fewer than two in the deck the discards are shuffled under it by the next draw (MM-R56).
    """
    known = {card for lab in state.labs.values() for card in (*lab.cards.values(), *lab.pile)}
    return state.box.deck - known - (frozenset(state.discards) if state.deck >= CARDS_DRAWN else frozenset())


def check_card(state: State, card: str) -> None:
    """Refuse a card that the box has not, or that lies elsewhere. Raises RuleBroken."""
    if card not in state.box.deck:
        raise broken("no_such_card", "Components", card=card)
    if card not in hidden_cards(state):
        raise broken("card_elsewhere", "Components", monster=card_name(state.box, card))


def open_spaces(lab: Lab) -> tuple[str, ...]:
    """Return the card spaces without a card whose printed monster, if any, holds no token (MM-R57, R58)."""
    return tuple(space for space in CARD_SPACES if space not in lab.cards and not tokens_on(lab, space))


def usual_space(box: Printed, lab: Lab) -> str:
    """Return where a new card goes when nobody says: beside the printed monsters, then over them."""
    free = sorted(open_spaces(lab), key=lambda space: (space in box.printed, space))
    return free[0] if free else ""


def place_card(state: State, command: PlaceCard) -> tuple[Event, ...]:
    lab = lab_at(state, command.seat, Stage.CARD)
    check_card(state, command.card)
    space = command.space or usual_space(state.box, lab)
    if space not in open_spaces(lab):
        raise broken("no_open_space", "Setup E")
    return (CardPlaced(command.seat, command.card, space),)


def card_placed(state: State, event: CardPlaced) -> State:
    lab = state.labs[event.seat]
    lab = replace(lab, cards={**lab.cards, event.space: event.card}, stage=Stage.STOCK)
    return replace(with_lab(state, event.seat, lab), deck=state.deck - 1)


def with_lab(state: State, seat: Seat, lab: Lab) -> State:
    """Return the state with one seat's lab changed."""
    return replace(state, labs={**state.labs, seat: lab})


def stocked(state: State, event: Stocked) -> State:
    return with_lab(state, event.seat, replace(state.labs[event.seat], stage=Stage.DONE, drawn=0))


def round_begun(state: State, event: RoundBegun) -> State:
    labs = {
        seat: replace(
            lab,
            stage=Stage.ORDER,
            order=None,
            is_super=False,
            drawn=0,
            is_bust=False,
            reanimates=False,
            has_reanimated=False,
            items=0,
            working=(),
        )
        for seat, lab in state.labs.items()
    }
    return replace(state, phase=Phase.ORDER, round=event.round, labs=labs, is_turned=False)


def follow(state: State) -> tuple[Event, ...]:
    """Begin the first round when everybody has set up."""
    for seat, lab in state.labs.items():
        if lab.stage is Stage.STOCK and lab.drawn >= 5:
            return (Stocked(seat),)
    if all(lab.stage is Stage.DONE for lab in state.labs.values()):
        return (RoundBegun(1),)
    return ()
