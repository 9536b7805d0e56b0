"""The log line of every event of seats that are not followed token by token, for one seat's eyes."""

from __future__ import annotations

from companion.game import Seat, Sentence
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.depth import Feat
from companion.games.making_monsters.parts import total
from companion.games.making_monsters.state import State
from companion.games.making_monsters.words import feat_name, say, seat_name, seat_names


def told_report(state: State, event: r.Event, seat: Seat | None) -> Sentence:
    """Return what a seat may read of a report; points told beforehand are known to their own seat only."""
    if isinstance(event, r.RotAsked):
        return say("told.rot_asked", seats=seat_names(event.seats))
    who = seat_name(event.seat)
    match event:
        case r.MonsterCompleted() | r.MonsterWithdrawn():
            key = "told.completed" if isinstance(event, r.MonsterCompleted) else "told.not_completed"
            monster = feat_name(state.box, Feat(event.prestige, event.card))
            said = say(key, seat=who, monster=monster, prestige=event.prestige)
        case r.PointsTold():
            said = say("told.points_secret", seat=who)
            if event.seat == seat:
                said = say("told.own_points", points=event.points, rot=event.rot)
        case r.PointsTaken():
            rot = event.from_track + event.from_supply
            said = say("told.points", seat=who, points=event.points, rot=rot)
        case r.TotalSet():
            said = say("told.total", seat=who, total=event.total, reason=event.reason)
        case _:
            said = _of_standing(event, who)
    return said


def _of_standing(
    event: r.DepthSet | r.CardsDrawn | r.PointsAsked | r.RotCounted | r.Resumed, who: Sentence
) -> Sentence:
    match event:
        case r.DepthSet():
            return say("told.depth", seat=who, depth=say(f"depth.{event.depth}"))
        case r.CardsDrawn():
            return say("told.cards_drawn", seat=who)
        case r.PointsAsked():
            return say("told.points_asked", seat=who)
        case r.RotCounted():
            return say("told.rot_counted", seat=who, count=event.rot)
        case r.Resumed():
            return say("told.resumed", seat=who, count=total(event.bag))
