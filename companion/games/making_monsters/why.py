"""Why a number is what it is: every number of the table as a sum over what happened.

A sum is read off the journal: each event that changed the number is a line, by how much it changed
it. So it adds up by itself, whatever a rule or an upgrade may have done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from companion import history
from companion.game import Seat, Sentence, Sum, Tally
from companion.games.making_monsters import events as e
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import (
    BONUS,
    ITEMS,
    ROT_TAKEN,
    STARTING_BAG,
    TOKEN_COUNTS,
    Token,
)
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.parts import total
from companion.games.making_monsters.printed import Monster
from companion.games.making_monsters.rules import reanimate, upgrades
from companion.games.making_monsters.state import Lab, Phase, Stage, State, completed, shown
from companion.games.making_monsters.words import feat_name, say, seat_name, token_name
from companion.history import changes, happened

Number = Callable[[State], int]

EARNED_BY = {
    "monsters": "Monster Cards",
    "bonus": "Reanimate Table",
    "red_super": "Order Tokens, Red",
    "publicity": "L.E.S.T.E.R. Cards",
    "action": "Monster Cards",
    "fair_monsters": "Mad Science Fair",
    "fair_bonus": "Mad Science Fair",
    "before": "Setup",
    "told": "Reanimate",
    "total": "Final Score",
}
"""Which heading gives prestige of a kind; of all other kinds upgrades do."""

UPGRADES = "Laboratory Playerboard Upgrades"

CHANGED_BY: dict[type, tuple[str, str]] = {
    e.TableSet: ("starting_bag", "Setup C"),
    e.TakenOver: ("taken_over", "Setup"),
    e.Delivered: ("drawn", "Receive Deliveries"),
    e.RotReturned: ("rot_returned", "Order Tokens, Yellow"),
    e.RotRemoved: ("composted", "L.E.S.T.E.R. Cards"),
    e.Reanimated: ("rot_taken", "Reanimate Table"),
    e.ActionTaken: ("action", "Monster Cards"),
    e.Cleared: ("cleared", "Reanimate"),
    e.PrepBegun: ("prep", "Prep"),
    e.FairScored: ("cleared", "Mad Science Fair"),
    e.CardPlaced: ("laid", "Setup E"),
    e.CardKept: ("kept", "Refresh"),
    e.FiveChosen: ("to_the_fair", "Prep"),
    e.TileTaken: ("tile", "Reanimate Table"),
    r.PointsTaken: ("rot_taken", "Reanimate Table"),
    r.DepthSet: ("no_longer_followed", "Gameplay"),
    r.Resumed: ("counted", "Gameplay"),
}
"""What an event says about a number that it changed, and the heading it follows from."""

GAINED_BY = {
    "items": ("items", "Reanimate Table"),
    "red": ("red_part", "Order Tokens, Red"),
    "red_super": ("red_mutation", "Order Tokens, Red"),
    "scavenge": ("scavenge", "L.E.S.T.E.R. Cards"),
    "flexibility": ("flexibility", "L.E.S.T.E.R. Cards"),
    upgrades.AT_ONCE: ("upgrade_at_once", UPGRADES),
    upgrades.AT_REANIMATION: ("replicators", UPGRADES),
    upgrades.BY_COUPON: ("coupon", UPGRADES),
}
"""What a gain is called, by its reason, and the heading that gives it."""


Happened = history.Happened[State, e.Event]


def sums(state: State, past_events: Sequence[tuple[State, e.Event]], seat: Seat | None) -> tuple[Sum, ...]:
    """Return the sums of all scores, track and supply, and of what the seat alone may count."""
    if state.phase is Phase.OPEN:
        return ()
    past = happened(state, past_events)
    own = _of_seat(state, past, seat) if seat in state.labs and seat is not None else ()
    return (*(_score(past, one) for one in state.labs), *own, *_of_table(past))


def _of_table(past: Sequence[Happened]) -> Iterator[Sum]:
    yield Sum("track", say("panel.track"), _lines(past, lambda state: state.track, _track_filled))
    for kind in Token:
        title = say("sum.supply_of", token=token_name(kind))
        yield Sum(f"supply.{kind}", title, _supply(past, kind))


def _of_seat(state: State, past: Sequence[Happened], seat: Seat) -> Iterator[Sum]:
    lab = state.labs[seat]
    if lab.depth is not Depth.SCORE:
        yield from _reanimation(state, lab)

    def number(count: Callable[[Lab], int]) -> Number:
        return lambda at: count(at.labs[seat]) if seat in at.labs else 0

    yield Sum("rot", say("sum.rot"), tuple(_rot_taken(past, seat)))
    if not lab.is_followed:
        return
    yield Sum("bag", say("sum.bag"), _lines(past, number(lambda one: total(one.bag)), _filled))
    for kind in Token:

        def of_kind(one: Lab, kind: Token = kind) -> int:
            return one.bag.get(kind, 0)

        title = say("sum.bag_of", token=token_name(kind))
        yield Sum(f"bag.{kind}", title, _lines(past, number(of_kind), _filled))
    yield Sum("rejects", say("panel.rejects"), _lines(past, number(lambda one: one.rejects), _filled))
    yield Sum("pile", say("sum.pile"), _lines(past, number(lambda one: len(one.pile)), _filled))


# --- prestige ------------------------------------------------------------------------------


def _score(past: Sequence[Happened], seat: Seat) -> Sum:
    lines = [line for step in past for line in _earned(step, seat)]
    return Sum(f"score.{seat}", say("sum.score", seat=seat_name(seat)), tuple(lines))


def _earned(step: Happened, seat: Seat) -> Iterator[Tally]:
    """Return what one event brought a seat, monster by monster."""
    was = step.before.labs[seat].earned if seat in step.before.labs else {}
    now = step.after.labs[seat].earned if seat in step.after.labs else {}
    for why in dict.fromkeys([*was, *now]):
        amount = now.get(why, 0) - was.get(why, 0)
        rule = EARNED_BY.get(why, UPGRADES)
        event = step.event
        if why in ("monsters", "fair_monsters") and isinstance(event, e.Reanimated | e.FairScored):
            yield from _by_monster(step, event, amount, rule)
        elif why in ("bonus", "fair_bonus") and isinstance(event, e.Reanimated | e.FairScored) and amount:
            yield Tally(amount, say("sum.bonus", count=len(event.monsters)), step.round, rule)
        elif amount and isinstance(event, r.TotalSet):
            yield Tally(amount, say("sum.total_set", reason=event.reason), step.round, rule)
        elif amount:
            yield Tally(amount, say(f"why.{why}"), step.round, rule)
    if isinstance(step.event, e.Reanimated | e.FairScored) and step.seat == seat:
        yield from _no_bonus(step)


def _by_monster(
    step: Happened, event: e.Reanimated | e.FairScored, amount: int, rule: str
) -> Iterator[Tally]:
    lab = step.before.labs[event.seat]
    lines = _finished(step.before, lab, event.monsters, step.round, rule)
    if sum(line.amount for line in lines) == amount:
        yield from lines
    elif amount:
        yield Tally(amount, say("sum.monsters", count=len(event.monsters)), step.round, rule)


def _finished(state: State, lab: Lab, spaces: Sequence[str], round_: int | None, rule: str) -> list[Tally]:
    """Return a line a monster: those of card spaces, or those that a seat reported."""
    if not lab.is_followed:
        return [Tally(feat.prestige, feat_name(state.box, feat), round_, rule) for feat in lab.done]
    monsters = [one for space in spaces if (one := shown(state.box, lab, space))]
    return [Tally(one.worth, monster_named(one), round_, rule) for one in monsters]


def monster_named(monster: Monster) -> Sentence:
    """Return a monster's name, and that its prestige is not known yet if so."""
    key = "card" if monster.prestige is not None else "card_not_known"
    return say(key, name=monster.name)


def _no_bonus(step: Happened) -> Iterator[Tally]:
    """Say that a bust cost the bonus: nobody should look for it."""
    assert isinstance(step.event, e.Reanimated | e.FairScored)
    if step.before.labs[step.event.seat].is_bust and step.event.monsters:
        rule = "Mad Science Fair" if isinstance(step.event, e.FairScored) else "Reanimate"
        yield Tally(0, say("sum.no_bonus"), step.round, rule)


def _reanimation(state: State, lab: Lab) -> Iterator[Sum]:
    """Return what the monsters that stand finished bring, or have just brought, by the table."""
    if lab.stage not in (Stage.DRAW, Stage.DECIDE, Stage.DECIDED, Stage.PENDING, Stage.ITEMS):
        return
    done = completed(state.box, lab) if lab.is_followed else lab.done
    lines = _finished(state, lab, completed(state.box, lab), state.round, "Monster Cards")
    more = reanimate.points_of(state, lab) - sum(line.amount for line in lines) if lab.is_followed else 0
    if more:
        lines.append(Tally(more, say("sum.upgrades"), state.round, UPGRADES))
    if school := upgrades.school_prestige(lab):
        lines.append(Tally(school, say("why.med_school"), state.round, UPGRADES))
    bonus = Tally(BONUS[len(done)], say("sum.bonus", count=len(done)), state.round, "Reanimate Table")
    if lab.is_bust:
        bonus = Tally(0, say("sum.no_bonus"), state.round, "Reanimate")
    yield Sum("reanimation", say("sum.reanimation"), (*lines, bonus))
    if state.phase is Phase.FAIR:
        return
    made = say("sum.completed", count=len(done))
    rot = Tally(ROT_TAKEN[len(done)], made, state.round, "Reanimate Table")
    yield Sum("reanimation.rot", say("sum.rot_due"), (rot,))
    items = Tally(ITEMS[len(done)], made, state.round, "Reanimate Table")
    taken = lab.items - ITEMS[len(done)] if lab.stage is Stage.ITEMS else 0
    gone = (Tally(taken, say("sum.items_taken"), state.round, "Reanimate Table"),) if taken else ()
    yield Sum("reanimation.items", say("sum.items_due"), (items, *gone))


def _rot_taken(past: Sequence[Happened], seat: Seat) -> Iterator[Tally]:
    for step in past:
        if not (isinstance(step.event, e.Reanimated) and step.event.seat == seat):
            continue
        count = len(step.event.monsters)
        for key, amount in (("track", step.event.from_track), ("supply", step.event.from_supply)):
            if amount:
                yield Tally(amount, say(f"sum.rot_from_{key}", count=count), step.round, "Reanimate Table")


# --- counts --------------------------------------------------------------------------------

Line = Callable[[Happened, int], tuple[Tally, ...]]


def _lines(past: Sequence[Happened], number: Number, first: Line) -> tuple[Tally, ...]:
    """Return a line for each change of a number; the like of one round are one line."""
    lines: list[Tally] = []
    for step, change in changes(past, number):
        new = first(step, change) if isinstance(step.event, e.TableSet) else (_line(step, change),)
        for line in new:
            last = lines[-1] if lines else None
            if last and replace(last, amount=0) == replace(line, amount=0):
                lines[-1] = replace(last, amount=last.amount + line.amount)
            else:
                lines.append(line)
    return tuple(lines)


def _line(step: Happened, change: int) -> Tally:
    key, rule = CHANGED_BY.get(type(step.event), ("other", "Gameplay"))
    if isinstance(step.event, e.PartsGained):
        key, rule = GAINED_BY.get(step.event.why, ("upgrade", UPGRADES))
    return Tally(change, say(f"sum.{key}"), step.round, rule)


def _filled(step: Happened, change: int) -> tuple[Tally, ...]:
    return (_line(step, change),)


def _track_filled(step: Happened, change: int) -> tuple[Tally, ...]:
    return (Tally(change, say("sum.track_filled"), None, "Setup G"),)


def _supply(past: Sequence[Happened], kind: Token) -> tuple[Tally, ...]:
    def filled(step: Happened, change: int) -> tuple[Tally, ...]:
        bags = -STARTING_BAG.get(kind, 0) * len(step.after.labs)
        track = -step.after.track if kind is Token.ROT else 0
        lines = (
            Tally(TOKEN_COUNTS[kind], say("sum.in_the_box"), None, "Components"),
            Tally(bags, say("sum.bags_filled", count=len(step.after.labs)), None, "Setup C"),
            Tally(track, say("sum.track_filled"), None, "Setup G"),
        )
        return tuple(line for line in lines if line.amount)

    lines: list[Tally] = []
    for step in past:
        for line in _lines((step,), lambda state: state.supply.get(kind, 0), filled):
            said = line.say if step.seat is None else say("sum.by", seat=seat_name(step.seat), what=line.say)
            lines.append(replace(line, say=said))
    return tuple(lines)
