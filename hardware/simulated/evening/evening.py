"""A whole evening: processes, phones and hands from the first card to the final score."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.game import Game
from companion.plugins import load
from companion.sentences import Speaker
from hardware.simulated.evening.audit import Books, Rules
from hardware.simulated.evening.chores import Chores
from hardware.simulated.evening.counts import Counts, Fate
from hardware.simulated.evening.keeper import Keeper
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.processes import (
    DemoFailed,
    Running,
    fresh_home,
    start,
    teach_stand_in,
    write_settings,
)
from hardware.simulated.evening.seat import SeatPlayer
from hardware.simulated.evening.together import Together
from hardware.simulated.hands import Hands, TableGone

GAME = "making_monsters"
CHECK_S = 0.5
NAMES = ("Igor", "Ravenna", "Mordecai", "Ottilie", "Balthasar", "Griselda")
TRACK = {2: 8, 3: 12, 4: 16}
"""How many Rot lie on the track, by the number of seats: an evening of six to ten rounds."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a demo is wanted.

    ``people`` seats are left free for persons, ``strength`` names the player of all others (empty: a mix);
    ``port`` 0 takes a free one.
    """

    seats: int
    speed: float
    seed: int
    people: int = 0
    strength: str = ""
    host: str = "127.0.0.1"
    port: int = 0
    track: int | None = None
    is_faulty: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an evening ended: the service's scores, the world's own, and how the eyes did."""

    scores: Mapping[str, int]
    counted: Mapping[str, int]
    is_over: bool
    winner: str
    counts: Counts
    noticed: str
    swapped: tuple[str, str] | None
    troubles: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Say whether the demo did what it promises: right scores, 95 % right proposals, none typed."""
        return (
            self.is_over
            and not self.troubles
            and self.swapped is None
            and dict(self.scores) == dict(self.counted)
            and self.counts.share_right >= 0.95
            and self.counts.of(Fate.TYPED) == 0
        )


class Evening:
    """Everything that runs during a demo. Use it as a context; leaving it ends all processes."""

    def __init__(self, home: Path, wishes: Wishes, say: Callable[[str], None]) -> None:
        self._home = home
        self._wishes = wishes
        self._say = say
        self._stack = ExitStack()
        self._game: Game[Any, Any, Any] = load("companion.games", GAME)
        self.table: Running
        self.service: Running

    def __enter__(self) -> Evening:
        with ExitStack() as stack:
            fresh_home(self._home)
            if teach_stand_in(self._home):
                self._say("The eyes were taught the stand-in box.")
            wishes = self._wishes
            words = ["--seats", str(wishes.seats), "--seed", str(wishes.seed), "--speed", str(wishes.speed)]
            # The page for hands finds the table by this file.
            words += ["--ready-file", str(self._home / "simulated-table.json")]
            self.table = start(["simulated-table", *words], self._home)
            stack.callback(self.table.stop)
            settings = write_settings(self._home, self.table.told, host=wishes.host, port=wishes.port)
            port = ["--port", "0"] if not wishes.port else []
            self.service = start(["serve", "--settings", str(settings), "--json", *port], self._home)
            stack.callback(self.service.stop)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def url(self) -> str:
        """The address for the players, on this computer."""
        return f"http://127.0.0.1:{self.service.told['port']}"

    def play(self) -> Outcome:
        """Play one game until it is over, and say how it went."""
        hands = Hands(str(self.table.told["url"]))
        books, counts = Books(Rules.of(self._game.stand_in)), Counts()
        together = Together(hands, books, counts, is_faulty=self._wishes.is_faulty)
        seats = [str(seat) for seat in self.table.told["seats"]]
        keeper_phone = Phone(self.url, role="host")
        keeper = Keeper(keeper_phone, hands, together)
        keeper.set_up(seats, self._wishes.track or TRACK[len(seats)])
        players = [self._player(seat, hands, books, together) for seat in seats[self._wishes.people :]]
        threads = [_thread(together, keeper.keep), *(_thread(together, one.play) for one in players)]
        while any(thread.is_alive() for thread in threads):
            self._check_processes(together)
            together.wait(CHECK_S)
            threads[0].join(CHECK_S)
        together.end()
        outcome = self._outcome(keeper.last or {}, hands, books, together)
        keeper_phone.close()
        for player in players:
            player.leave()
        return outcome

    def _check_processes(self, together: Together) -> None:
        """End the evening when one of its processes is gone: nobody would ever answer."""
        for running, what in ((self.table, "The simulated table"), (self.service, "The service")):
            if running.process.poll() is not None and not together.is_over:
                together.fail(DemoFailed(f"{what} ended by itself (code {running.process.returncode})."))

    def phone_of(self, seat: str) -> Phone:
        """Sit down at a seat and return its phone. Raises PhoneRefused."""
        return Phone.sit_down(self.url, seat, NAMES[self._number_of(seat)])

    def _number_of(self, seat: str) -> int:
        return [str(one) for one in self._game.seats].index(seat)

    def _player(self, seat: str, hands: Hands, books: Books, together: Together) -> SeatPlayer:
        named = [player for player in self._game.players if player.name == self._wishes.strength]
        able = named or self._game.players
        plays = able[self._number_of(seat) % len(able)]
        chores = Chores(seat, hands, books, _slots(self._game), _printed(self._game))
        return SeatPlayer(self.phone_of(seat), hands, plays, chores, together, seed=self._wishes.seed)

    def _outcome(self, wired: Mapping[str, Any], hands: Hands, books: Books, together: Together) -> Outcome:
        speaker = Speaker((self._game.package, "companion"))
        view = wired.get("view", {"seats": [], "is_over": False})
        scores = {one["seat"]: int(one["score"]) for one in view["seats"]}
        winners: Sequence[str] = [one["seat"] for one in view["seats"] if one.get("rank") == 1]
        return Outcome(
            scores=scores,
            counted=_counted(books, hands),
            is_over=bool(view["is_over"]),
            winner=", ".join(winners),
            counts=together.counts,
            noticed=speaker.say(together.noticed) if together.noticed else "",
            swapped=together.swapped,
            troubles=tuple(f"{type(error).__name__}: {error}" for error in together.troubles),
        )


def _counted(books: Books, hands: Hands) -> dict[str, int]:
    """Return the world's own count, nothing if the world is gone."""
    try:
        return books.scores(hands.world())
    except TableGone:
        return {}


def _thread(together: Together, work: Callable[[], None]) -> threading.Thread:
    def guarded() -> None:
        try:
            work()
        # A seat that fails ends the evening and is reported with its reason; the others would wait for ever.
        except (OSError, ValueError, RuntimeError, LookupError) as error:
            together.fail(error)

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    return thread


def _slots(game: Game[Any, Any, Any]) -> dict[str, tuple[int, ...]]:
    cards = game.stand_in["cards"]
    return {name: tuple(slot["index"] for slot in card["part_slots"]) for name, card in cards.items()}


def _printed(game: Game[Any, Any, Any]) -> dict[str, str]:
    return {"card1": "printed_1", "card2": "printed_2"} if "printed_1" in game.stand_in["cards"] else {}
