"""Lantern: a small invented game that proves that the core knows no game.

One die, one board, three rules. It is handed to a table as a stranger's game would be.

1. *Wind.* Everybody secretly chooses a wind; when all have, the winds are shown and the mill
   is turned one quarter clockwise.
2. *Lantern.* In seat order, the die carries each lantern as many posts on. Fog on post 4 sends it
   two posts back. When all have walked, the next round begins.
3. *Bank.* At any time a seat gathers oil, burns or gives away oil that it has, and lays stones on
   its own bank.

Score: post, oil and stones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from companion.board import EMPTY, BoardLayout, PieceKind, Place, Space, SpaceId, SpaceKind
from companion.game import (
    Box,
    Chance,
    Choice,
    Codec,
    Panel,
    Player,
    Prompt,
    Proposal,
    Puzzled,
    Seat,
    SeatView,
    Sentence,
    Sighting,
    SpaceSeen,
    Sum,
    Tally,
    Tone,
    View,
    Wire,
)
from companion.ports import HIDDEN, UNKNOWN, BoardTurn, DieRoll, Reading
from tests.lantern.moves import (
    BANK,
    FOG_POST,
    SEATS,
    STONES,
    WINDS,
    Burn,
    ChooseWind,
    Gather,
    Give,
    Laid,
    LanternCodec,
    Lay,
    MillTurned,
    OilChanged,
    Open,
    Opened,
    RoundBegan,
    TakenOver,
    TakeOver,
    TurnMill,
    Walk,
    Walked,
    WindChosen,
    WindsShown,
    bank_of,
    place_of,
    refuse,
    say,
)

NOTHING_PRINTED: Wire = {}


@dataclass(frozen=True, slots=True)
class State:
    phase: str = "closed"  # closed, wind, mill, walk
    round: int = 0
    seats: tuple[Seat, ...] = ()
    winds: Mapping[Seat, str] = field(default_factory=dict)
    posts: Mapping[Seat, int] = field(default_factory=dict)
    oil: Mapping[Seat, int] = field(default_factory=dict)
    stones: Mapping[SpaceId, PieceKind] = field(default_factory=dict)
    walked: tuple[Seat, ...] = ()

    @property
    def on_turn(self) -> Seat | None:
        waiting = [seat for seat in self.seats if seat not in self.walked]
        return waiting[0] if self.phase == "walk" and waiting else None


class Drifter:
    """A player who takes whatever is offered, by chance."""

    name = "drifter"

    def choose(self, view: View, prompt: Prompt, chance: float) -> Wire | None:
        return prompt.choices[int(chance * len(prompt.choices))].command if prompt.choices else None

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        return {}


class Roller:
    """Rolls the die and turns the mill. Lanterns walk for ever: a game is played for some steps only."""

    counts: Mapping[str, Sentence] = MappingProxyType({"lantern.walked": Sentence("lantern.walks")})
    advises: Wire | None = None

    def for_one_game(self) -> Roller:
        return self

    def opening(self, state: State, seats: int) -> Wire:
        return LANTERN.codec.command_out(Open(SEATS[:seats]))

    def deal(self, state: State, view: View, prompt: Prompt, player: Player, chance: Chance) -> Wire | None:
        if prompt.expects_die and prompt.seat is not None:
            return LANTERN.codec.command_out(Walk(prompt.seat, chance.sample(range(1, 7), 1)[0]))
        return prompt.choices[0].command if prompt.expects_turn else None


@cache
def _winds(seat: Seat) -> tuple[Choice, ...]:
    """Return the choices of wind, which are the same in every round."""
    return tuple(
        Choice(say("wind", wind=wind), LanternCodec().command_out(ChooseWind(seat, wind))) for wind in WINDS
    )


class Lantern:
    name = "lantern"
    package = "tests.lantern"
    seats: Sequence[Seat] = SEATS
    players: Sequence[Player] = (Drifter(),)
    dealer = Roller()
    stand_in: Wire = NOTHING_PRINTED
    codec: Codec[Any, Any] = LanternCodec()
    box = Box(
        boards=(
            BoardLayout(
                BANK,
                (120.0, 40.0),
                {
                    space: Space(space, SpaceKind.TOKEN, (10.0 * number + 5.0, 20.0), ())
                    for number, space in enumerate(space for seat in SEATS for space in bank_of(seat))
                },
            ),
        ),
        counts={STONES[0]: 12, STONES[1]: 12},
    )

    def initial(self, catalogue: Wire) -> State:
        return State()

    def decide(self, state: State, command: Any) -> Sequence[Any]:
        if isinstance(command, Open | TakeOver):
            return self._begin(state, command)
        if state.phase == "closed":
            raise refuse("not_open", "0")
        seat = getattr(command, "seat", None)
        if seat is not None and seat not in state.seats:
            raise refuse("not_here", "0", seat=seat)
        match command:
            case ChooseWind():
                return self._choose(state, command)
            case TurnMill(quarters):
                if state.phase != "mill" or quarters != 1:
                    raise refuse("no_turn", "1", quarters=quarters)
                return [MillTurned()]
            case Walk():
                return self._walk(state, command)
            case Gather(seat, oil):
                if not 1 <= oil <= 3:
                    raise refuse("too_much", "3", oil=oil)
                return [OilChanged(seat, oil)]
            case Burn(seat, oil):
                if not 1 <= oil <= state.oil[seat]:
                    raise refuse("no_oil", "3", oil=oil, has=state.oil[seat])
                return [OilChanged(seat, -oil)]
            case Give(seat, to):
                if state.oil[seat] < 1 or to not in state.seats:
                    raise refuse("no_oil", "3", oil=1, has=state.oil[seat])
                return [OilChanged(seat, -1), OilChanged(to, 1)]
            case Lay(seat, stones):
                return self._lay(state, seat, stones)
        raise AssertionError(command)

    def _begin(self, state: State, command: Open | TakeOver) -> Sequence[Any]:
        if state.phase != "closed":
            raise refuse("open_already", "0")
        if isinstance(command, TakeOver):
            try:
                self.from_position(command.line, {})
            except ValueError as error:
                raise refuse("not_a_position", "0", what=str(error)) from None
            return [TakenOver(command.line)]
        if not set(command.seats) <= set(SEATS) or len(set(command.seats)) < 2:
            raise refuse("seats", "0")
        return [Opened(command.seats)]

    def _choose(self, state: State, command: ChooseWind) -> Sequence[Any]:
        if state.phase != "wind" or command.wind not in WINDS:
            raise refuse("no_wind_now", "1")
        if command.seat in state.winds:
            raise refuse("chosen_already", "1")
        chosen = WindChosen(command.seat, command.wind)
        return [chosen, WindsShown()] if len(state.winds) + 1 == len(state.seats) else [chosen]

    def _walk(self, state: State, command: Walk) -> Sequence[Any]:
        if state.on_turn != command.seat or not 1 <= command.face <= 6:
            raise refuse("not_your_turn", "2")
        reached = state.posts[command.seat] + command.face
        walked = Walked(command.seat, reached - 2 if reached == FOG_POST else reached)
        return [walked, RoundBegan()] if len(state.walked) + 1 == len(state.seats) else [walked]

    def _lay(self, state: State, seat: Seat, stones: Sequence[tuple[SpaceId, PieceKind]]) -> Sequence[Any]:
        for space, kind in stones:
            if space not in bank_of(seat) or space in state.stones or kind not in STONES:
                raise refuse("no_room", "3", space=space, stone=kind)
        if not stones or len({space for space, _ in stones}) != len(stones):
            raise refuse("no_stones", "3")
        return [Laid(seat, tuple(stones))]

    def evolve(self, state: State, event: Any) -> State:
        match event:
            case Opened(seats):
                none = dict.fromkeys(seats, 0)
                return State("wind", 1, seats, posts=none, oil=none)
            case TakenOver(line):
                return self.from_position(line, {})
            case WindChosen(seat, wind):
                return replace(state, winds={**state.winds, seat: wind})
            case WindsShown():
                return replace(state, phase="mill")
            case MillTurned():
                return replace(state, phase="walk")
            case Walked(seat, to_post):
                return replace(state, posts={**state.posts, seat: to_post}, walked=(*state.walked, seat))
            case RoundBegan():
                return replace(state, phase="wind", round=state.round + 1, winds={}, walked=())
            case OilChanged(seat, by):
                return replace(state, oil={**state.oil, seat: state.oil[seat] + by})
            case Laid(_, stones):
                return replace(state, stones={**state.stones, **dict(stones)})
        raise AssertionError(event)

    def legal(self, state: State, seat: Seat | None = None) -> Iterable[Any]:
        if state.phase == "closed":
            if seat is None:
                yield from (Open(SEATS[:count]) for count in (2, 3, 4))
            return
        if state.phase == "mill" and seat is None:
            yield TurnMill(1)
        for one in state.seats if seat is None else (seat,):
            if state.phase == "wind" and one not in state.winds:
                yield from (ChooseWind(one, wind) for wind in WINDS)
            if state.on_turn == one:
                yield from (Walk(one, face) for face in range(1, 7))
            yield from (Gather(one, oil) for oil in (1, 2, 3))
            yield from (Burn(one, oil) for oil in range(1, state.oil[one] + 1))
            free = [space for space in bank_of(one) if space not in state.stones]
            yield from (Lay(one, ((space, kind),)) for space in free for kind in STONES)

    def actor(self, command: Any) -> Seat | None:
        return getattr(command, "seat", None)

    def touched(self, event: Any) -> tuple[Seat | Place, ...]:
        match event:
            case Laid(seat, stones):
                return (seat, *(place_of(space) for space, _ in stones))
            case WindChosen(seat) | Walked(seat) | OilChanged(seat):
                return (seat,)
            case Opened() | TakenOver():
                return (*SEATS, *(place_of(space) for seat in SEATS for space in bank_of(seat)))
        return ()

    def prompts(self, state: State) -> Sequence[Prompt]:
        key = f"{state.phase}-{state.round}"
        match state.phase:
            case "closed":
                choices = tuple(
                    Choice(say("open", count=count), self.codec.command_out(Open(SEATS[:count])))
                    for count in (2, 3, 4)
                )
                return [Prompt(None, say("ask.open"), "0", Tone.ACT, choices, key=key)]
            case "mill":
                choices = (Choice(say("turned"), self.codec.command_out(TurnMill(1))),)
                return [Prompt(None, say("ask.mill"), "1", Tone.ACT, choices, key=key, expects_turn=True)]
            case "walk":
                seat = state.on_turn
                return [Prompt(seat, say("ask.roll"), "2", Tone.ACT, key=f"{key}-{seat}", expects_die=True)]
        return [self._ask_wind(seat, key) for seat in state.seats if seat not in state.winds]

    def _ask_wind(self, seat: Seat, key: str) -> Prompt:
        return Prompt(seat, say("ask.wind"), "1", Tone.ACT, _winds(seat), key=f"{key}-{seat}")

    def view(self, state: State, seat: Seat | None) -> View:
        prompts = self.prompts(state)
        waited = {prompt.seat for prompt in prompts}
        stones = {one: sum(space in state.stones for space in bank_of(one)) for one in state.seats}
        seats = tuple(
            SeatView(
                one,
                state.posts[one] + state.oil[one] + stones[one],
                say("at_post", post=state.posts[one]),
                one in waited,
                why=f"score.{one}",
            )
            for one in state.seats
        )
        own = state.winds.get(seat, "") if seat else ""
        shown = dict(state.winds) if state.phase != "wind" else {}
        return View(
            phase=say(f"phase.{state.phase}"),
            round=state.round or None,
            seats=seats,
            prompts=tuple(prompt for prompt in prompts if seat is None or prompt.seat in (None, seat)),
            panels=(Panel("mill", say("mill")),),
            facts={"own_wind": own, "winds": shown},
        )

    def told(self, state: State, event: Any, seat: Seat | None) -> Sentence | None:
        match event:
            case WindChosen(chooser, wind):
                is_open = seat == chooser or state.phase in ("mill", "walk")
                return say("log.wind", seat=chooser, wind=wind) if is_open else None
            case Opened(seats):
                return say("log.opened", count=len(seats))
            case Walked(walker, to_post):
                return say("log.walked", seat=walker, post=to_post)
            case OilChanged(one, by):
                return say("log.oil", seat=one, by=by)
            case Laid(one, stones):
                return say("log.laid", seat=one, count=len(stones))
        return None

    def sums(self, state: State, history: Sequence[tuple[State, Any]], seat: Seat | None) -> Sequence[Sum]:
        def score(at: State, one: Seat) -> int:
            stones = sum(space in at.stones for space in bank_of(one))
            return at.posts.get(one, 0) + at.oil.get(one, 0) + stones

        states = [*(before for before, _ in history), state]
        return [
            Sum(
                f"score.{one}",
                say("score", seat=one),
                tuple(
                    Tally(score(after, one) - score(before, one), told, after.round or None, "2")
                    for (before, event), after in zip(history, states[1:], strict=True)
                    if score(after, one) != score(before, one) and (told := self.told(after, event, one))
                ),
            )
            for one in state.seats
        ]

    def sighted(self, state: State, reading: Reading) -> Sequence[Sighting]:
        return [found for seat in state.seats if (found := self._sighted(state, seat, reading))]

    def _sighted(self, state: State, seat: Seat, reading: Reading) -> Sighting | None:
        laid: list[SpaceSeen] = []
        odd: list[SpaceSeen] = []
        for space in bank_of(seat):
            seen = reading.at(place_of(space))
            was = state.stones.get(space, EMPTY)
            if seen is None or seen.reads in (HIDDEN, was):
                continue
            (laid if was == EMPTY else odd).append(SpaceSeen(place_of(space), was, seen, STONES))
        if odd:
            return Puzzled(seat, say("odd", count=len(odd)), tuple(odd))
        if not laid:
            return None
        stones = tuple((space.place.space, space.seen.reads) for space in laid)
        is_clear = all(kind != UNKNOWN for _, kind in stones)
        command = self.codec.command_out(Lay(seat, stones)) if is_clear else None
        is_sure = all(space.seen.sure for space in laid)
        return Proposal(seat, say("laid", count=len(laid)), command, tuple(laid), is_sure)

    def take_over(self, state: State, reading: Reading | None) -> Sequence[Choice]:
        if state.phase != "closed":
            return []
        line = "walk 3 red,blue posts=2,5 oil=0,1 stones=- winds=north,south walked=-"
        return [Choice(say("take_over"), self.codec.command_out(TakeOver(line)))]

    def command_from_die(self, state: State, roll: DieRoll) -> Walk | None:
        return None if state.on_turn is None else Walk(state.on_turn, roll.face)

    def command_from_turn(self, state: State, turn: BoardTurn) -> TurnMill | None:
        return TurnMill(turn.delta) if state.phase == "mill" else None

    def catalogue(self, state: State) -> Wire:
        return {}

    def command_from_catalogue(self, state: State, catalogue: Wire) -> None:
        return None

    def position(self, state: State) -> str:
        stones = ",".join(f"{space}:{kind}" for space, kind in sorted(state.stones.items()))
        numbers = [",".join(str(of[seat]) for seat in state.seats) for of in (state.posts, state.oil)]
        winds = ",".join(state.winds.get(seat, "") for seat in state.seats)
        return (
            f"{state.phase} {state.round} {','.join(state.seats)} posts={numbers[0]} oil={numbers[1]}"
            f" stones={stones or '-'} winds={winds} walked={','.join(state.walked) or '-'}"
        )

    def from_position(self, line: str, catalogue: Wire) -> State:
        try:
            phase, round_, seats_, posts, oil, stones, winds, walked = line.split(" ")
        except ValueError:
            raise ValueError(f"{line!r} has not eight parts.") from None
        seats = tuple(Seat(seat) for seat in seats_.split(",") if seat)

        def part(text: str, name: str) -> list[str]:
            if not text.startswith(name + "="):
                raise ValueError(f"{text!r} should begin with {name}=.")
            return [item for item in text.removeprefix(name + "=").split(",") if item != "-"]

        def by_seat(text: str, name: str) -> dict[Seat, str]:
            return dict(zip(seats, part(text, name), strict=False))

        return State(
            phase=phase,
            round=int(round_),
            seats=seats,
            winds={seat: wind for seat, wind in by_seat(winds, "winds").items() if wind},
            posts={seat: int(post) for seat, post in by_seat(posts, "posts").items()},
            oil={seat: int(had) for seat, had in by_seat(oil, "oil").items()},
            stones={
                SpaceId(space): PieceKind(kind)
                for space, _, kind in (item.partition(":") for item in part(stones, "stones"))
            },
            walked=tuple(Seat(seat) for seat in part(walked, "walked")),
        )


LANTERN = Lantern()
