"""What each seat, and a watcher, may know. Hands are in no state, so there is nothing to hide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.game import (
    Mark,
    Outcome,
    Panel,
    Seat,
    SeatView,
    Sentence,
    Standing,
    View,
    Wire,
)
from companion.games.mad_science import advice, options
from companion.games.mad_science.components import Kind
from companion.games.mad_science.prompts import seat_prompt, table_prompts
from companion.games.mad_science.rules.breaking import matching, targets
from companion.games.mad_science.rules.build import fits, may_attach, seen
from companion.games.mad_science.state import Creature, Phase, Rest, Stage, State, life_of
from companion.games.mad_science.words import (
    box_name,
    card_name,
    column_name,
    kind_name,
    option_name,
    option_value,
    say,
    seat_name,
)

Row = tuple[Sentence, Sentence | str | int]


def view(state: State, seat: Seat | None) -> View:
    """Return all that a seat may know; None or a seat that does not play: a watcher."""
    creature = state.creatures.get(seat) if seat is not None else None
    own: tuple[Panel, ...] = ()
    if seat is None or creature is None:
        prompts = table_prompts(state)
    else:
        prompts = (seat_prompt(state, seat),)
        own = _creature_panels(state, seat, creature)
    return View(
        phase=say(f"phase.{state.phase}"),
        round=state.round or None,
        seats=_seats(state),
        prompts=prompts,
        panels=(*own, *advice.panels(state), *_common_panels(state), *_options_panel(state, seat)),
        headline=_headline(state),
        is_over=state.phase is Phase.OVER,
        outcome=_outcome(state),
        facts=_facts(state, seat if creature is not None else None),
    )


def _headline(state: State) -> Sentence | None:
    if state.phase is not Phase.OVER:
        return None
    winner = next(seat for seat, rank in ranks(state).items() if rank == 1)
    return say("won", seat=seat_name(winner))


def ranks(state: State) -> dict[Seat, int]:
    """Return the places at the end: the winner, who is left besides, then who went out last."""
    left = [seat for seat in state.creatures if not state.creatures[seat].is_out]
    winner = [seat for seat in left if state.creatures[seat].standing] or left
    places = {seat: 1 if seat in winner[:1] else 2 for seat in left}
    return places | {seat: len(left) + place for place, seat in enumerate(reversed(state.outs), 1)}


def _outcome(state: State) -> Outcome | None:
    """Return the newest roll and the box that it came to, to be said large."""
    if state.last is None:
        return None
    column, face, word = state.last
    if not column:
        return Outcome(face, say(f"outcome.{word or 'rolled'}"))
    if not word:
        return Outcome(face, say("outcome.untold", column=column_name(column)))
    return Outcome(face, say("outcome.box", column=column_name(column), box=box_name(word, face)))


def _seats(state: State) -> tuple[SeatView, ...]:
    places = ranks(state) if state.phase is Phase.OVER else {}
    waited = state.waited_for()
    return tuple(
        SeatView(
            seat=seat,
            score=life_of(state, seat),
            state=_standing(state, seat, creature),
            is_waited_for=seat in waited,
            sign=f"seat-{seat}",
            rank=places.get(seat),
            why=f"score.{seat}",
            title=say("creature", name=creature.name) if creature.name else None,
            marks=tuple(_marks(creature)),
        )
        for seat, creature in state.creatures.items()
    )


def _standing(state: State, seat: Seat, creature: Creature) -> Sentence:
    """Return in a few words what a seat is at."""
    if creature.is_out or state.phase is Phase.OVER:
        return say("state.out" if creature.is_out else "state.left")
    if state.phase not in (Phase.PLAY, Phase.BREAK):
        return say(f"stage.{state.turn.stage}" if seat in state.waited_for() else "stage.nothing")
    if seat == state.turn.seat:
        return say(f"stage.{state.turn.stage}")
    if creature.rest is not Rest.NONE:
        return say(f"state.{creature.rest}")
    if not creature.fights:
        return say("state.builds")
    return say("state.battles" if state.phase is Phase.PLAY else "state.fights")


def _marks(creature: Creature) -> Iterator[Mark]:
    """Return how each part stands, and what brings back what is turned over."""
    for kind in Kind:
        name, dropped = kind_name(kind), creature.dropped.get(kind)
        if kind in creature.lost:
            yield Mark(name, Standing.GONE)
        elif kind not in creature.parts:
            yield Mark(name, Standing.OPEN)
        elif dropped is not None:
            more = say("mark.by_itself") if dropped.is_tried else say(f"parity.{dropped.parity}")
            yield Mark(name, Standing.OFF, more)
        else:
            yield Mark(name, Standing.ON)
    if creature.adaptor:
        is_gone = creature.is_adaptor_used and creature.held_by_adaptor is None
        standing = Standing.OFF if creature.is_adaptor_out else Standing.GONE if is_gone else Standing.ON
        yield Mark(say("adaptor"), standing, say("mark.next_turn") if creature.is_adaptor_out else None)


def _creature_panels(state: State, seat: Seat, creature: Creature) -> tuple[Panel, ...]:
    """Return what lies before a seat: its creature part by part, with what each card prints."""
    if not creature.body:
        return ()
    title = say("creature", name=creature.name) if creature.name else say("panel.creature")
    rows = tuple(_card_rows(state, creature))
    return (Panel("creature", title, rows, why=f"score.{seat}"),)


def _card_rows(state: State, creature: Creature) -> Iterator[Row]:
    box = state.box
    body = box.bodies[creature.body]
    yield say("body"), say("panel.body", card=card_name(box, body.id), connector=_connector(body.connector))
    for kind in Kind:
        card = creature.parts.get(kind)
        part = box.parts.get(card or "")
        if part is None:
            yield kind_name(kind), say("panel.missing")
            continue
        key = "lost" if kind in creature.lost else "dropped" if kind in creature.dropped else "part"
        number = "?" if part.number is None else part.number
        yield kind_name(kind), say(f"panel.{key}", card=card_name(box, part.id), number=number)
        if kind is Kind.WEAPON and part.special is not None:
            yield say("panel.special_of"), part.special
    if creature.adaptor and creature.adaptor_on is not None:
        on = kind_name(creature.adaptor_on)
        yield say("adaptor"), say("panel.adaptor", card=card_name(box, creature.adaptor), kind=on)


def _connector(connector: str | None) -> Sentence:
    return say(f"connector.{connector}") if connector else say("panel.unknown")


def _common_panels(state: State) -> tuple[Panel, ...]:
    if state.phase is Phase.OPEN:
        return ()
    found: list[Panel] = []
    experiment = state.box.experiments.get(state.experiment)
    if experiment is not None and state.phase in (Phase.CARDS, Phase.PLAY):
        title = say("panel.experiment", card=card_name(state.box, experiment.id))
        left = state.experiment_life or 0
        found.append(
            Panel("experiment", title, gauge=(left, max(left, experiment.life or 0)), why="experiment")
        )
    if state.conflict:
        title = say("panel.conflict", card=card_name(state.box, state.conflict))
        rows: tuple[Row, ...] = tuple(
            (seat_name(seat), column_name(one.rank)) for seat, one in state.creatures.items() if one.rank
        )
        found.append(Panel("conflict", title, rows))
    if state.phase in (Phase.PLAY, Phase.BREAK) and any(not one.fights for one in state.creatures.values()):
        top = card_name(state.box, state.heap[-1]) if state.heap else say("panel.nothing")
        piles: tuple[Row, ...] = ((say("panel.pile"), state.pile), (say("panel.heap"), top))
        found.append(Panel("piles", say("panel.piles"), piles))
    return tuple(found)


def _options_panel(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Return how the table plays: all of it until play begins, then what is unusual."""
    is_open = seat is None and state.phase in (Phase.OPEN, Phase.FIRST, Phase.CARDS)
    names = options.ALL if is_open else options.settled(state.options)
    rows = tuple(
        (option_name(name), option_value(name, options.value(state.options, name))) for name in names
    )
    return (Panel("options", say("panel.options"), rows),) if rows else ()


def _facts(state: State, seat: Seat | None) -> Wire:
    """Return the game's words for player clients, as JSON carries them."""
    facts: dict[str, Any] = {
        "phase": state.phase.value,
        "round": state.round,
        "stage": state.turn.stage.value,
        "turn": state.turn.seat,
        "waited_for": list(state.waited_for()),
        "experiment": state.experiment,
        "experiment_life": state.experiment_life,
        "heap": state.heap[-1] if state.heap else None,
        "pile": state.pile,
        "creatures": {one: _creature_facts(creature) for one, creature in state.creatures.items()},
    }
    if seat is not None:
        facts |= _own_facts(state, seat, state.creatures[seat])
    return facts


def _creature_facts(creature: Creature) -> dict[str, Any]:
    return {
        "body": creature.body,
        "parts": dict(creature.parts),
        "adaptor": creature.adaptor,
        "adaptor_on": creature.adaptor_on,
        "life": creature.life,
        "standing": list(creature.standing),
        "face_down": [*creature.dropped, *creature.lost],
        "is_built": creature.is_built,
        "is_out": creature.is_out,
        "hand": creature.hand,
        "name": creature.name,
    }


def _own_facts(state: State, seat: Seat, creature: Creature) -> dict[str, Any]:
    facts: dict[str, Any] = {"seat": seat}
    if state.turn.stage in (Stage.PLAY, Stage.DRAW, Stage.DISCARD):
        facts["cards"] = _cards(state, creature)
        facts["adaptors"] = [one for one in state.box.adaptors if state.box.copies(one) > seen(state, one)]
    if state.phase is Phase.BREAK and seat == state.turn.seat:
        facts["targets"] = {other: life_of(state, other) for other in targets(state, seat)}
        attacked = state.turn.target
        if state.turn.stage is Stage.TAKE and attacked is not None:
            parts = state.creatures[attacked].parts
            facts["matching"] = {
                kind: state.box.parts[parts[kind]].number
                for kind in matching(state, attacked, state.turn.face)
            }
    if state.turn.stage is Stage.MOVE:
        facts["does"] = list(state.box.experiments[state.experiment].does)
    return facts


def _cards(state: State, creature: Creature) -> dict[str, list[Any]]:
    """Return of each part kind, LIFE, SPECIAL and number, whether it fits by itself, whether it may go on."""
    return {
        part.id: [
            part.kind.value,
            part.life or 0,
            part.special or 0,
            part.number or 0,
            fits(state, creature, part),
            may_attach(state, creature, part),
        ]
        for part in state.box.parts.values()
    }
