"""What people are asked and shown: prompts, views, the log, and why a score is what it is."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import (
    Choice,
    Option,
    Panel,
    Pick,
    Prompt,
    Seat,
    SeatView,
    Sentence,
    Sum,
    Tally,
    Tone,
    View,
    Weight,
)
from lamp_garden.garden import BEDS, COLUMNS, FEWEST, ROWS, SEATS
from lamp_garden.rules import RECORDS, Event, Light, Lit, Opened, State, TakenOver, from_position, say


def seat_name(seat: Seat) -> Sentence:
    return say(f"seat.{seat}")


def bed_name(bed: str) -> Sentence:
    return say("space.bed", number=BEDS.index(bed) + 1)


def prompts(state: State) -> tuple[Prompt, ...]:
    """Return who does what now."""
    if not state.seats:
        seats = tuple(Option(seat, seat_name(seat)) for seat in SEATS)
        field = Pick("seats", say("field.seats"), seats, FEWEST, len(SEATS), SEATS)
        form = Choice(say("choice.open"), {"do": "open"}, (field,), Weight.PRIMARY)
        return (Prompt(None, say("ask.open"), "Setup", Tone.ACT, (form,), key="open"),)
    return tuple(_of_seat(state, seat) for seat in state.seats)


def _of_seat(state: State, seat: Seat) -> Prompt:
    if state.is_over:
        return Prompt(seat, say("ask.over"), "End", Tone.WAIT, key="over")
    if seat != state.on_turn:
        waits = say("ask.wait", seat=seat_name(state.on_turn or seat))
        return Prompt(seat, waits, "Light", Tone.WAIT, key=f"wait.{len(state.lamps)}")
    choices = tuple(
        Choice(
            say("choice.light", bed=bed_name(bed), points=1 + state.neighbours(seat, bed)),
            RECORDS.command_out(Light(seat, bed)),
            group=say("group.light"),
        )
        for bed in state.dark
    )
    key = f"light.{len(state.lamps)}"
    return Prompt(seat, say("ask.light"), "Light", Tone.ACT, choices, (say("more.light"),), key=key)


def ranks(state: State) -> dict[Seat, int]:
    """Return the rank of every seat; ties share one."""
    return {
        seat: 1 + sum(other > mine for other in state.points.values()) for seat, mine in state.points.items()
    }


def view(state: State, seat: Seat | None) -> View:
    """Return what a seat may know: in a garden nothing is secret."""
    best = [one for one, rank in ranks(state).items() if rank == 1]
    asked = prompts(state)
    return View(
        phase=say("phase.over" if state.is_over else "phase.play" if state.seats else "phase.open"),
        round=None,
        seats=tuple(_seat_view(state, one) for one in state.seats),
        prompts=tuple(one for one in asked if one.seat is None or one.seat == seat),
        panels=_panels(state),
        headline=say("won", seats=tuple(map(seat_name, best)), count=len(best)) if state.is_over else None,
        is_over=state.is_over,
        facts={
            "seat": seat,
            "on_turn": state.on_turn,
            "dark": list(state.dark),
            "worth": {bed: 1 + state.neighbours(seat, bed) for bed in state.dark} if seat else {},
        },
    )


def _seat_view(state: State, seat: Seat) -> SeatView:
    is_asked = seat == state.on_turn
    rank = ranks(state)[seat] if state.is_over else None
    return SeatView(
        seat,
        state.points[seat],
        say("lights" if is_asked else "rests"),
        is_asked,
        rank=rank,
        why=f"score.{seat}",
    )


def _panels(state: State) -> tuple[Panel, ...]:
    if not state.seats:
        steps = tuple((say("setup.step", number=n), say(f"setup.{n}")) for n in (1, 2))
        return (Panel("set_up", say("panel.set_up"), steps, is_read=True),)
    dark = Panel("dark", say("panel.dark"), gauge=(len(state.dark), len(BEDS)))
    rows = tuple((say("panel.row", number=row + 1), _row(state, row)) for row in range(ROWS))
    return (dark, Panel("garden", say("panel.garden"), rows))


def _row(state: State, row: int) -> Sentence:
    beds = BEDS[row * COLUMNS : (row + 1) * COLUMNS]
    lamps = tuple(seat_name(state.lamps[bed]) if bed in state.lamps else say("dark") for bed in beds)
    return say("panel.beds", beds=lamps)


def told(event: Event) -> Sentence:
    """Return the log line of an event."""
    match event:
        case Opened(seats):
            return say("told.opened", seats=tuple(map(seat_name, seats)))
        case Lit(seat, bed, neighbours):
            return say("told.lit", seat=seat_name(seat), bed=bed_name(bed), count=1 + neighbours)
        case TakenOver():
            return say("told.taken_over")


def sums(state: State, history: Sequence[tuple[State, Event]]) -> tuple[Sum, ...]:
    """Explain every score: a line for each lamp."""
    return tuple(
        Sum(f"score.{seat}", say("sum.score", seat=seat_name(seat)), _lines(history, seat))
        for seat in state.seats
    )


def _lines(history: Sequence[tuple[State, Event]], seat: Seat) -> tuple[Tally, ...]:
    lines = []
    for _, event in history:
        if isinstance(event, Lit) and event.seat == seat:
            lines.append(Tally(1 + event.neighbours, _why(event), rule="Score"))
        elif isinstance(event, TakenOver):
            from_line = _points_of(event, seat)
            lines += [Tally(from_line, say("told.taken_over"), rule="Setup")] if from_line else []
    return tuple(lines)


def _why(event: Lit) -> Sentence:
    """Return why a lamp brought its points: where it burns, and beside how many of others."""
    if not event.neighbours:
        return say("sum.alone", bed=bed_name(event.bed))
    return say("sum.lit", bed=bed_name(event.bed), count=event.neighbours)


def _points_of(event: TakenOver, seat: Seat) -> int:
    return from_position(event.position).points.get(seat, 0)
