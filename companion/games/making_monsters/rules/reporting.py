"""Seats in depth ``results`` or ``score``: what they report, and what becomes of it.

They go through the stages of everybody; what they do not tell follows by itself (``untold``).
``course`` asks here first for every seat that is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.game import Seat
from companion.games.making_monsters import events as e
from companion.games.making_monsters import moves as m
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import (
    CARD_SPACES,
    ROT_TAKEN,
    USEFUL,
    Order,
    Token,
)
from companion.games.making_monsters.depth import Depth, Feat
from companion.games.making_monsters.parts import minus, total
from companion.games.making_monsters.rules import depth, lester
from companion.games.making_monsters.rules.priority import FLEXIBLE, SCAVENGED
from companion.games.making_monsters.rules.setup import hidden_cards, lab_at, with_lab
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.games.making_monsters.words import broken, card_name, say

REPORTING = (Stage.DRAW, Stage.DECIDE, Stage.DECIDED)
MOST_MONSTERS = len(CARD_SPACES)
DUE = {"red": 1, "red_super": 1, "scavenge": SCAVENGED, "flexibility": FLEXIBLE}
"""How many parts these give; what is not told of them may be any useful part."""


# --- what may be said ----------------------------------------------------------------------


def known_monsters(state: State, lab: Lab) -> tuple[str, ...]:
    """Return the cards that a seat may name as complete: those known to be its own, and printed ones."""
    if state.phase is Phase.FAIR:
        cards: tuple[str, ...] = (*lab.pile, *state.box.printed.values())
    else:
        printed = (card for space, card in state.box.printed.items() if space not in lab.cards)
        cards = (*lab.cards.values(), *printed)
    named = {feat.card for feat in lab.done}
    return tuple(
        card for card in cards if card not in named and state.box.monsters[card].prestige is not None
    )


def printed_worths(state: State) -> list[int]:
    """Return every prestige that a card in deck or hand is known to print, least first."""
    printed = (state.box.monsters[card].prestige for card in hidden_cards(state))
    return sorted({prestige for prestige in printed if prestige is not None})


def points_of(lab: Lab) -> int:
    return sum(feat.prestige for feat in lab.done)


def may_complete(lab: Lab) -> bool:
    return lab.stage in REPORTING and not lab.is_bust and len(lab.done) < MOST_MONSTERS


def complete(state: State, command: r.Complete) -> tuple[e.Event, ...]:
    lab = lab_at(state, command.seat, *REPORTING)
    if lab.is_bust:
        raise broken("no_moves_after_bust", "MM-R22")
    if len(lab.done) >= MOST_MONSTERS:
        raise broken("five_at_most", "Lab board, section 1")
    if not command.card:
        if not 0 <= command.prestige <= 99:
            raise broken("prestige", "Monster Cards")
        return (r.MonsterCompleted(command.seat, command.prestige),)
    if command.card not in known_monsters(state, lab):
        raise broken("not_known_there", "Monster Cards", monster=card_name(state.box, command.card))
    return (r.MonsterCompleted(command.seat, state.box.monsters[command.card].worth, command.card),)


def not_complete(state: State, command: r.NotComplete) -> tuple[e.Event, ...]:
    lab = lab_at(state, command.seat, *REPORTING)
    if not 0 <= command.place < len(lab.done):
        raise broken("nothing_to_withdraw", "Monster Cards")
    feat = lab.done[command.place]
    return (r.MonsterWithdrawn(command.seat, command.place, feat.prestige, feat.card),)


def go_bust(state: State, command: r.GoBust) -> tuple[e.Event, ...]:
    lab = lab_at(state, command.seat, Stage.DRAW)
    if state.phase is Phase.FAIR:
        return (e.Busted(command.seat), e.DrawingEnded(command.seat))
    ended, *gained = ending(state, command.seat, lab)
    return (ended, e.Busted(command.seat), *gained)


def finish(state: State, command: m.Finish) -> tuple[e.Event, ...]:
    lab = lab_at(state, command.seat, Stage.DRAW)
    return ending(state, command.seat, lab)


def ending(state: State, seat: Seat, lab: Lab) -> tuple[e.Event, ...]:
    """End a seat's drawing, with what Red adds: a part that nobody named, or the mutation of its Super."""
    ended = e.DrawingEnded(seat)
    if state.phase is Phase.FAIR or lab.order is not Order.RED or lab.depth is Depth.SCORE:
        return (ended,)
    mutation = min(1, state.supply.get(Token.MUTATION, 0)) if lab.is_super else 0
    parts = {Token.MUTATION: mutation} if mutation else {}
    return (ended, e.PartsGained(seat, parts, "red_super" if lab.is_super else "red"))


def decide(state: State, command: m.Decide) -> tuple[e.Event, ...]:
    """Reanimate or push on, also straight from drawing; the card of Blue's Super is played before that."""
    lab = lab_at(state, command.seat, *REPORTING)
    if lab.is_bust:
        raise broken("bust_decides", "Reanimate")
    if state.phase is not Phase.DELIVERIES:
        raise broken("stop_first", "Mad Science Fair")
    if lab.depth is Depth.SCORE and command.reanimate:
        raise broken("points_first", "Reanimate")
    # Points of none make it fall with the depth that it was told in, as told points do.
    decided = e.Decided(command.seat, command.reanimate, 0 if lab.depth is Depth.SCORE else None)
    if lab.stage is not Stage.DRAW:
        return (decided,)
    if plays_card(lab):
        raise broken("stop_first", "Order Tokens, Blue")
    return (*ending(state, command.seat, lab), decided)


def plays_card(lab: Lab) -> bool:
    """Say whether a card is due once the drawing has ended: by Blue's Super, if cards are told at all."""
    return lab.order is Order.BLUE and lab.is_super and lab.depth is Depth.RESULTS


def play_lester(state: State, command: m.PlayLester) -> tuple[e.Event, ...]:
    """Play a card by its name; the parts it gives are known only where the card says which."""
    lab = lab_at(state, command.seat, Stage.LESTER)
    seat, card = command.seat, command.card
    if card not in lester.unused(state, lab):
        raise broken("card_used", "L.E.S.T.E.R. Cards", card=say(f"lester.{card}"))
    events: list[e.Event] = [e.LesterPlayed(seat, card)]
    if card == "publicity":
        events.append(e.Scored(seat, lester.PUBLICITY_PRESTIGE, "publicity"))
    if card in ("scavenge", "flexibility"):
        mutations = min(FLEXIBLE, state.supply.get(Token.MUTATION, 0))
        parts = {Token.MUTATION: mutations} if card == "flexibility" and mutations else {}
        events.append(e.PartsGained(seat, parts, card))
    return tuple(events)


def tell_points(state: State, command: r.TellPoints) -> tuple[e.Event, ...]:
    """Tell a reanimation by its points; the decision goes with it."""
    lab = lab_at(state, command.seat, *REPORTING, Stage.REPORT)
    if not (0 <= command.points <= 999 and 0 <= command.rot <= max(ROT_TAKEN)):
        raise broken("points_range", "Reanimate Table", most=max(ROT_TAKEN))
    if state.phase is Phase.FAIR:
        return (r.PointsTold(command.seat, command.points, 0), e.DrawingEnded(command.seat))
    if lab.stage is Stage.REPORT:
        return (r.PointsTold(command.seat, command.points, command.rot),)
    decided = e.Decided(command.seat, True, command.points, command.rot)
    # As many entries as for pushing on: their number must not tell what was decided.
    return (*ending(state, command.seat, lab), decided) if lab.stage is Stage.DRAW else (decided,)


def set_total(state: State, command: r.SetTotal) -> tuple[e.Event, ...]:
    lab = depth.lab_of_seat(state, command.seat)
    reason = " ".join(command.reason.split())[:80]
    if not reason:
        raise broken("reason", "Final Score")
    if not 0 <= command.total <= 9999 or command.total == lab.score:
        raise broken("total", "Final Score", total=lab.score)
    return (r.TotalSet(command.seat, command.total - lab.score, command.total, reason),)


def count_rot(state: State, command: r.CountRot) -> tuple[e.Event, ...]:
    lab_at(state, command.seat, Stage.COUNT)
    if not 0 <= command.rot <= 58:
        raise broken("rot_range", "Final Score")
    return (r.RotCounted(command.seat, command.rot),)


RULES: Mapping[type, Callable[[State, Any], tuple[e.Event, ...]]] = {
    r.Complete: complete,
    r.NotComplete: not_complete,
    r.GoBust: go_bust,
    r.TellPoints: tell_points,
    r.SetTotal: set_total,
    r.CountRot: count_rot,
    m.Decide: decide,
    m.Finish: finish,
    m.PlayLester: play_lester,
}
"""Commands of seats that are not followed."""

OF_EVERYBODY = (m.ChooseOrder, m.Ready, r.SetDepth, r.Resume)
RESULTS_ONLY = (r.Complete, r.NotComplete, r.GoBust, m.Finish, m.PlayLester)
SCORE_ONLY = (r.TellPoints,)


def fits(command: object, lab: Lab) -> bool:
    """Say whether a command fits how closely its seat is followed."""
    kind = type(command)
    if kind in OF_EVERYBODY:
        return True
    if lab.is_followed:
        return kind not in RULES or kind in (m.Decide, m.Finish, m.PlayLester)
    if kind in SCORE_ONLY:
        return lab.depth is Depth.SCORE
    if kind in RESULTS_ONLY:
        return lab.depth is Depth.RESULTS
    return kind in RULES


# --- what becomes of it --------------------------------------------------------------------


def monster_completed(state: State, event: r.MonsterCompleted) -> State:
    lab = state.labs[event.seat]
    return with_lab(state, event.seat, replace(lab, done=(*lab.done, Feat(event.prestige, event.card))))


def monster_withdrawn(state: State, event: r.MonsterWithdrawn) -> State:
    lab = state.labs[event.seat]
    done = (*lab.done[: event.place], *lab.done[event.place + 1 :])
    return with_lab(state, event.seat, replace(lab, done=done))


def cards_drawn(state: State, event: r.CardsDrawn) -> State:
    """Cards leave the deck as for everybody (MM-R56); which ones is not known."""
    lab = state.labs[event.seat]
    is_first = lab.stage is Stage.CARD
    deck, discards = state.deck - event.drawn, state.discards
    if deck < 0:
        deck, discards = deck + len(discards), ()
    if event.drawn == 2:
        discards = (*discards, "")
    kept = min(1, event.drawn)
    lab = replace(lab, unnamed=lab.unnamed + kept, stage=Stage.STOCK if is_first else Stage.DONE)
    return replace(with_lab(state, event.seat, lab), deck=deck, discards=discards)


def drawing_ended(state: State, event: e.DrawingEnded) -> State:
    lab = state.labs[event.seat]
    stage = Stage.LESTER if plays_card(lab) else Stage.DECIDE
    return with_lab(
        state, event.seat, replace(lab, stage=Stage.PENDING if state.phase is Phase.FAIR else stage)
    )


def parts_gained(state: State, event: e.PartsGained) -> State:
    lab = depth.taken_in(state.labs[event.seat], event.parts)
    short = DUE.get(event.why, 0) - total(event.parts)
    if short > 0:
        lab = depth.may_have_taken(lab, dict.fromkeys(USEFUL, short))
    return replace(with_lab(state, event.seat, lab), supply=minus(state.supply, event.parts))


def lester_played(state: State, event: e.LesterPlayed) -> State:
    lab = state.labs[event.seat]
    played = lester.played_with(state, lab, event.card)
    state = with_lab(state, event.seat, replace(lab, played=played, stage=Stage.DECIDE))
    return depth.with_doubt(state, event.seat, everywhere=True) if event.card == "expand" else state


def points_told(state: State, event: r.PointsTold) -> State:
    lab = replace(state.labs[event.seat], points_told=event.points, rot_told=event.rot)
    if lab.stage is Stage.REPORT:
        lab = replace(lab, stage=Stage.PENDING)
    return with_lab(state, event.seat, lab)


def points_asked(state: State, event: r.PointsAsked) -> State:
    return with_lab(state, event.seat, replace(state.labs[event.seat], stage=Stage.REPORT))


def reanimated(state: State, event: e.Reanimated | r.PointsTaken) -> State:
    lab = state.labs[event.seat]
    if isinstance(event, e.Reanimated):
        earned, items = lab.earning(("monsters", event.points), ("bonus", event.bonus)), event.items
    else:
        earned, items = lab.earning(("told", event.points)), 0
    rot = event.from_track + event.from_supply
    lab = replace(lab, stage=Stage.ITEMS, items=items, earned=earned, has_reanimated=True)
    lab = depth.taken_in(lab, {Token.ROT: rot})
    supply = minus(state.supply, {Token.ROT: event.from_supply})
    return replace(with_lab(state, event.seat, lab), track=state.track - event.from_track, supply=supply)


def cleared(state: State, event: e.Cleared) -> State:
    """Known cards that were completed go to the pile; ``items`` stay, to say what hands may take."""
    lab = state.labs[event.seat]
    named = {feat.card for feat in lab.done}
    finished = {space: card for space, card in lab.cards.items() if card in named}
    lab = replace(
        lab,
        cards={space: card for space, card in lab.cards.items() if space not in finished},
        pile=(*lab.pile, *finished.values()),
        done=(),
        points_told=None,
        rot_told=0,
        stage=Stage.DONE,
    )
    return depth.with_doubt(with_lab(state, event.seat, lab), event.seat)


def fair_scored(state: State, event: e.FairScored) -> State:
    lab = state.labs[event.seat]
    earned = lab.earning(("fair_monsters", event.points), ("fair_bonus", event.bonus))
    lab = replace(lab, earned=earned, fair=event.points + event.bonus, stage=Stage.DONE, done=())
    return with_lab(state, event.seat, lab)


def total_set(state: State, event: r.TotalSet) -> State:
    lab = state.labs[event.seat]
    return with_lab(state, event.seat, replace(lab, earned=lab.earning(("total", event.amount))))


def rot_asked(state: State, event: r.RotAsked) -> State:
    labs = {
        seat: replace(lab, stage=Stage.COUNT) if seat in event.seats else lab
        for seat, lab in state.labs.items()
    }
    return replace(state, labs=labs)


def rot_counted(state: State, event: r.RotCounted) -> State:
    return with_lab(
        state, event.seat, replace(state.labs[event.seat], rot_counted=event.rot, stage=Stage.DONE)
    )


CHANGES: Mapping[type, Callable[[State, Any], State]] = {
    r.DepthSet: depth.depth_set,
    r.Resumed: depth.resumed,
    r.MonsterCompleted: monster_completed,
    r.MonsterWithdrawn: monster_withdrawn,
    r.CardsDrawn: cards_drawn,
    r.PointsTold: points_told,
    r.PointsAsked: points_asked,
    r.PointsTaken: reanimated,
    r.TotalSet: total_set,
    r.RotAsked: rot_asked,
    r.RotCounted: rot_counted,
}
"""Events that only such seats have."""

CHANGED_HERE: Mapping[type, Callable[[State, Any], State]] = {
    e.DrawingEnded: drawing_ended,
    e.PartsGained: parts_gained,
    e.LesterPlayed: lester_played,
    e.Reanimated: reanimated,
    e.Cleared: cleared,
    e.FairScored: fair_scored,
}
"""Events of everybody that mean something else to a seat that is not followed."""
