"""Choices and forms of seats that are not followed token by token, and of how closely a seat is followed."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Choice, Count, Field, Line, Option, Pick, Seat, Weight, Wire
from companion.games.making_monsters.components import BONUS, CARD_SPACES, ROT_TAKEN, TOKEN_COUNTS, Token
from companion.games.making_monsters.depth import Depth
from companion.games.making_monsters.rules import lester, reporting
from companion.games.making_monsters.rules.depth import RESUMING
from companion.games.making_monsters.rules.setup import hidden_cards
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.games.making_monsters.words import card_name, say, seat_name, token_name
from companion.position import pairs_out

MOST_POINTS = 200


def complete_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """One tap a monster: the known ones by name, any other by the prestige printed on it."""
    if not reporting.may_complete(lab):
        return ()
    box, complete = state.box, {"do": "complete", "seat": seat}
    named = tuple(
        Choice(
            say("choice.named", monster=card_name(box, card), count=box.monsters[card].worth),
            {**complete, "card": card},
            group=say("group.known"),
        )
        for card in reporting.known_monsters(state, lab)
    )
    worth = reporting.printed_worths(state)
    others = tuple(
        Choice(say("choice.worth", count=n), {**complete, "prestige": n}, group=say("group.worth"))
        for n in worth
    )
    any_worth = Choice(
        say("choice.other_worth"),
        complete,
        (Count("prestige", say("field.prestige"), 0, 99, 0),),
        Weight.QUIET,
        say("group.correct"),
    )
    return (*named, *others, any_worth)


def withdraw_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    if lab.stage not in reporting.REPORTING:
        return ()
    return tuple(
        Choice(
            say("choice.not_named", monster=card_name(state.box, feat.card), count=feat.prestige)
            if feat.card
            else say("choice.not_worth", count=feat.prestige),
            {"do": "not_complete", "seat": seat, "place": place},
            weight=Weight.QUIET,
            group=say("group.correct"),
        )
        for place, feat in enumerate(lab.done)
    )


def outcome_choices(
    state: State, seat: Seat, lab: Lab, weight: Weight = Weight.PRIMARY
) -> tuple[Choice, ...]:
    """How the drawing ended: stopped, bust, or decided at once where nothing comes between."""
    bust = Choice(
        say("choice.bust", points=reporting.points_of(lab)), {"do": "go_bust", "seat": seat}, sign="bust"
    )
    if lab.stage is Stage.DRAW and (state.phase is Phase.FAIR or reporting.plays_card(lab)):
        label = say("choice.stop")
        if state.phase is Phase.FAIR:
            label = say("choice.stop_with", **_sum(lab))
        return (Choice(label, {"do": "finish", "seat": seat}, weight=weight), bust)
    push_on = Weight.QUIET if weight is Weight.QUIET else Weight.PLAIN
    if not lab.done:
        weight, push_on = push_on, weight
    decide = {"do": "decide", "seat": seat}
    choices = (
        Choice(
            say("choice.reanimate", **_sum(lab)),
            {**decide, "reanimate": True},
            weight=weight,
            sign="reanimate",
        ),
        Choice(say("choice.push_on"), {**decide, "reanimate": False}, weight=push_on, sign="push-on"),
    )
    return (*choices, bust) if lab.stage is Stage.DRAW else choices


def _sum(lab: Lab) -> dict[str, int]:
    count, points = len(lab.done), reporting.points_of(lab)
    return {"count": count, "points": points, "bonus": BONUS[count], "total": points + BONUS[count]}


def card_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Name the L.E.S.T.E.R. card that was played; what it gives is taken by hand."""
    return tuple(
        Choice(
            say("choice.lester", card=say(f"lester.{card}"), does=say(f"lester.{card}.does", count=3)),
            {"do": "play_lester", "seat": seat, "card": card},
            sign=f"lester-{card}",
        )
        for card in lester.unused(state, lab)
    )


def points_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Tell a reanimation by its points and its Rot, or push on (depth score)."""
    fields: list[Field] = [Count("points", say("field.points"), 0, MOST_POINTS, lab.points_told or 0)]
    if state.phase is not Phase.FAIR:
        rot = tuple(Option(str(n), say("choice.worth", count=n)) for n in range(max(ROT_TAKEN) + 1))
        fields.append(Pick("rot", say("field.rot_taken"), rot))
    tell = Choice(say("choice.points"), {"do": "tell_points", "seat": seat}, tuple(fields), Weight.PRIMARY)
    if state.phase is not Phase.DELIVERIES:
        return (tell,)
    push_on = {"do": "decide", "seat": seat, "reanimate": False}
    return (tell, Choice(say("choice.push_on"), push_on, sign="push-on"))


def count_form(seat: Seat, lab: Lab) -> Choice:
    known = lab.held.get(Token.ROT, 0)
    field = Count("rot", say("field.rot_in_bag"), 0, TOKEN_COUNTS[Token.ROT], known)
    return Choice(say("choice.rot_counted"), {"do": "count_rot", "seat": seat}, (field,), Weight.PRIMARY)


# --- how closely a seat is followed --------------------------------------------------------


def depth_choices(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Offer the other depths; a correction of the total where the app does not keep it alone."""
    if state.phase is Phase.OVER:
        return ()
    group = say("group.depth")
    lower = tuple(
        Choice(
            say(f"depth.{depth}.does"),
            {"do": "set_depth", "seat": seat, "depth": depth.value},
            weight=Weight.QUIET,
            group=group,
        )
        for depth in (Depth.RESULTS, Depth.SCORE)
        if depth is not lab.depth and lab.stage is not Stage.REPORT
    )
    if lab.is_followed:
        return lower
    total = Choice(
        say("choice.total"),
        {"do": "set_total", "seat": seat},
        (Count("total", say("field.total"), 0, 9999, lab.score), Line("reason", say("field.reason"))),
        Weight.QUIET,
        say("group.correct"),
    )
    return (total, *lower, *resume_forms(state, seat, lab))


def may_resume(state: State, lab: Lab) -> bool:
    return not lab.is_followed and lab.stage in RESUMING.get(state.phase, ())


def bag_fields() -> tuple[Field, ...]:
    """Ask for a counted bag: every kind, from none."""
    return tuple(Count(kind.value, token_name(kind), 0, TOKEN_COUNTS[kind], 0) for kind in Token)


def resume_forms(state: State, seat: Seat, lab: Lab) -> tuple[Choice, ...]:
    """Ask for all that lies in the lab and in the bag: the way back to every token without a camera."""
    if not may_resume(state, lab):
        return ()
    tiles = Line("tiles", say("field.lab_tiles"), pairs_out(lab.tiles).replace("-", ""))
    fields = (
        *(_card_field(state, lab, space) for space in CARD_SPACES),
        Line("parts", say("field.lab_parts")),
        tiles,
        *bag_fields(),
    )
    command = {"do": "resume", "seat": seat}
    return (Choice(say("choice.resume"), command, fields, Weight.QUIET, say("group.depth")),)


def _card_field(state: State, lab: Lab, space: str) -> Pick:
    own = (*lab.cards.values(), *lab.pile)
    cards = sorted(
        {*own, *(hidden_cards(state) if lab.unnamed else ())}, key=lambda c: state.box.monsters[c].name
    )
    none = Option("", say("field.no_card"))
    options = (none, *(Option(card, card_name(state.box, card)) for card in cards))
    return Pick(space, say("space.card", number=int(space[-1])), options, value=lab.cards.get(space, ""))


def resume_from(
    seat: Seat, cards: Mapping[str, str], parts: Mapping[str, Token], tiles: Mapping[str, str]
) -> Choice:
    """Return the form of a lab that was read: only the bag is left to count."""
    command: Wire = {
        "do": "resume",
        "seat": seat,
        "cards": dict(cards),
        "parts": {space: kind.value for space, kind in parts.items()},
        "tiles": dict(tiles),
    }
    label = say("choice.resume_read", seat=seat_name(seat), count=len(parts))
    return Choice(label, command, bag_fields())
