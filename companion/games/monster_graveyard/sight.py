"""From readings to what they mean: parts laid out, monsters turned, cards laid, dice that say otherwise.

Nothing is proposed that the state already knows. Dice never change a number: where they disagree with
what was added up, that is a question to the seat, and never taken by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.board import EMPTY, PieceKind, Place, SpaceId
from companion.game import Proposal, Puzzled, RuleBroken, Seat, Sighting, SpaceSeen
from companion.games.monster_graveyard import attributes
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import (
    MONSTER_CARD,
    MONSTER_SPACES,
    PART_SPACES,
    PLAIN_PARTS,
    TURNED_CARD,
    UPGRADE_SPACES,
    Attribute,
    dice_for,
    mat_of,
    monster_place,
    part_places,
)
from companion.games.monster_graveyard.hands import dice_in_words
from companion.games.monster_graveyard.records import RECORDS
from companion.games.monster_graveyard.rules.laboratory import checked_parts
from companion.games.monster_graveyard.state import Lab, Monster, Phase, Stage, State, hidden_cards
from companion.games.monster_graveyard.words import card_name, monster_name, monster_values, say, values_of
from companion.ports import HIDDEN, UNKNOWN, Reading, SpaceReading

CARDS = (MONSTER_CARD, TURNED_CARD)


def sighted(state: State, reading: Reading) -> tuple[Sighting, ...]:
    """Explain a reading: at most one sighting a seat."""
    if not state.is_running:
        return ()
    found = (
        next(_of_mat(state, seat, lab, reading), None)
        for seat, lab in state.labs.items()
        if mat_of(seat) in reading.boards
    )
    return tuple(one for one in found if one is not None)


def _of_mat(state: State, seat: Seat, lab: Lab, reading: Reading) -> Iterator[Sighting]:
    """Give what a mat shows, what its owner is asked for first."""
    if lab.stage is Stage.ACT:
        yield from _parts(state, seat, lab, reading)
        yield from _turned(seat, lab, reading)
    elif lab.stage is Stage.LOOK:
        yield from _card(state, seat, lab, reading)
    elif state.phase is Phase.VILLAGE:
        yield from _turned(seat, lab, reading, terrorizes=True)
    yield from _dice(seat, lab, reading)


# --- parts laid out to be discarded --------------------------------------------------------


def _parts(state: State, seat: Seat, lab: Lab, reading: Reading) -> Iterator[Sighting]:
    """Propose the monster that the parts make, with its sum; nothing while they are still being laid."""
    seen = {place: one for place in part_places(seat) if (one := reading.at(place)) is not None}
    if any(one.reads == HIDDEN for one in seen.values()):
        return
    laid = {place: one for place, one in seen.items() if one.reads != EMPTY}
    if not laid:
        return
    kinds = [one.reads for one in laid.values()]
    spaces = tuple(_part_seen(state, place, one) for place, one in laid.items())
    unknown = [kind for kind in kinds if not state.box.knows_part(kind)]
    if unknown:
        is_whole = len(laid) == PART_SPACES or all(kind == UNKNOWN for kind in unknown)
        if is_whole:
            yield Proposal(seat, say("saw.parts_unknown", count=len(unknown)), None, spaces, is_sure=False)
        return
    covered = attributes.cover(state.box, kinds)
    if covered.missing and not covered.surplus and len(laid) < PART_SPACES:
        return
    try:
        checked_parts(state, kinds)
    except RuleBroken as wrong:
        yield Puzzled(seat, say("saw.parts_wrong", why=wrong.why), spaces)
        return
    sums = attributes.summed(attributes.lines(state.box, kinds, lab.upgrades))
    yield Proposal(
        seat,
        say("saw.parts", values=values_of(*(sums[one] for one in Attribute)), count=len(kinds)),
        RECORDS.command_out(m.Reanimate(seat, tuple(kinds))),
        spaces,
        is_sure=all(one.sure for one in laid.values()),
    )


def _part_seen(state: State, place: Place, seen: SpaceReading) -> SpaceSeen:
    may_be = dict.fromkeys((*seen.others, *map(PieceKind, (*PLAIN_PARTS, *state.box.specials)), EMPTY))
    return SpaceSeen(place, EMPTY, seen, tuple(may_be))


# --- monsters turned -----------------------------------------------------------------------


def _turned(seat: Seat, lab: Lab, reading: Reading, *, terrorizes: bool = False) -> Iterator[Proposal]:
    """Propose the action of the one ready monster whose card was turned."""
    turned = [
        (one, place, seen)
        for one, place, seen in _monster_places(seat, lab, reading)
        if not one.is_exhausted and seen.reads == TURNED_CARD
    ]
    if len(turned) != 1:
        return
    ((monster, place, seen),) = turned
    space = SpaceSeen(place, MONSTER_CARD, seen, (MONSTER_CARD, EMPTY))
    name = monster_name(monster.number)
    if terrorizes:
        command: m.Command = m.Terrorize(seat, monster.number)
        words = say("saw.terrorizes", monster=name)
    else:
        command = m.Experiment(seat, monster.number)
        words = say("saw.experiments", monster=name, count=monster.science)
    yield Proposal(seat, words, RECORDS.command_out(command), (space,), seen.sure)


def _monster_places(seat: Seat, lab: Lab, reading: Reading) -> Iterator[tuple[Monster, Place, SpaceReading]]:
    """Give the monsters that lie on the mat, and what their places read: dice may hide what a card is."""
    for monster in lab.monsters:
        if monster.number <= MONSTER_SPACES:
            place = monster_place(seat, monster.number)
            seen = reading.at(place)
            if seen is not None and seen.reads not in (HIDDEN, EMPTY):
                yield monster, place, seen


# --- a research card laid ------------------------------------------------------------------


def _card(state: State, seat: Seat, lab: Lab, reading: Reading) -> Iterator[Proposal]:
    """Propose the upgrade that was laid: the one card of the deck looked at that lies on an upgrade space."""
    hidden = hidden_cards(state, lab.deck)
    for number in range(1, UPGRADE_SPACES + 1):
        place = Place(mat_of(seat), SpaceId(f"upgrade{number}"))
        seen = reading.at(place)
        if seen is None or seen.reads not in hidden or not state.box.research[seen.reads].is_upgrade:
            continue
        space = SpaceSeen(place, EMPTY, seen, tuple(map(PieceKind, hidden)))
        command = RECORDS.command_out(m.Play(seat, seen.reads))
        yield Proposal(
            seat, say("saw.card", card=card_name(state.box, seen.reads)), command, (space,), seen.sure
        )
        return


# --- dice ----------------------------------------------------------------------------------


def _dice(seat: Seat, lab: Lab, reading: Reading) -> Iterator[Proposal]:
    """Ask about the first monster whose dice show something else than was added up."""
    for monster, place, seen in _monster_places(seat, lab, reading):
        shown = dice_shown(reading, place)
        if shown is None or not any(_disagrees(faces, monster.of(one)) for one, faces in shown.items()):
            continue
        sums = {one: sum(shown[one]) if shown[one] else monster.of(one) for one in Attribute}
        told = replace(
            monster,
            terror=sums[Attribute.TERROR],
            science=sums[Attribute.SCIENCE],
            health=sums[Attribute.HEALTH],
        )
        command = m.SetMonster(
            seat, monster.number, told.terror, told.science, told.health, monster.is_exhausted
        )
        words = say(
            "saw.dice",
            monster=monster_name(monster.number),
            seen=monster_values(told),
            dice=dice_in_words({one.value: monster.of(one) for one in Attribute}),
        )
        space = SpaceSeen(place, seen.reads, seen, CARDS)
        # Never sure: a table that trusts its eyes must not have a number changed by them.
        yield Proposal(seat, words, RECORDS.command_out(command), (space,), is_sure=False)
        return


def dice_shown(reading: Reading, place: Place) -> Mapping[Attribute, tuple[int, ...]] | None:
    """Return the faces of the dice on a monster card, by the attribute that their colour stands for.

    None where one of them cannot be read surely: then nobody is asked.
    """
    dice = [die for die in reading.dice if die.place == place]
    if any(die.value is None or die.kind not in set(Attribute) or not die.sure for die in dice):
        return None
    return {one: tuple(die.value or 0 for die in dice if die.kind == one) for one in Attribute}


def _disagrees(faces: tuple[int, ...], value: int) -> bool:
    """Say whether dice show another number; some of those that it takes are still being set."""
    is_on_its_way = not Counter(faces) - Counter(dice_for(value))
    return sum(faces) != value and not is_on_its_way
