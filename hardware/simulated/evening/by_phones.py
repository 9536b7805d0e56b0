"""An evening of a game without a simulated table: phones and a die, hands and luck out of its dealer.

The players read their phones as persons do; what hands hold is dealt from the table as the journal on
the disk has it. Where a game waits for its die, a simulated one on a serial line is thrown. Works by
the ``Game`` protocol alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game import Dealer, Game, Player, Prompt, Seat, Tone, View
from companion.plugins import load
from companion.ports import DieRoll
from companion.table.ledger import Ledger
from companion.table.sqlite_journal import open_sqlite_journal
from hardware.simulated.devices import Devices
from hardware.simulated.evening.counts import Counts
from hardware.simulated.evening.evening import NAMES, Wishes
from hardware.simulated.evening.phone import Phone
from hardware.simulated.evening.processes import DemoFailed, Running, fresh_home, start, write_settings
from hardware.simulated.evening.seen import prompts_of, view_of

LOOK_S = 0.5
NEWS_S = 10.0
PAUSE_S = 1.2
"""How long people look at a phone before they tap, at speed 1."""

LEAST_PAUSE_S = 0.1
"""No speed lets a phone tap faster than the service takes it: ten taps a second."""

EYES_RIGHT = 0.95

FACES = 6
DIE_SPEED = 8.0
"""A die that rolls faster than that lands before anybody has seen it roll, and such a roll counts nothing."""

DIE_S = 2.0
"""How long a thrown die may take to be heard of; then it is thrown again."""

MOST_THROWS = 6

STILL_S = 60.0
"""How long nobody has anything to do before an evening without persons is given up."""


ROLL: Mapping[str, Any] = {}
"""What hands do instead of a tap: throw the die."""


class Standstill(RuntimeError):
    """Nobody can do anything, and nobody is there who could."""


@dataclass(frozen=True, slots=True)
class PhonesOutcome:
    """How an evening ended: scores as the phones have them, and as the journal read anew has them."""

    scores: Mapping[str, int]
    counted: Mapping[str, int]
    is_over: bool
    winner: str
    taps: int
    rolls: int
    refused: tuple[str, ...]
    counts: Counts = field(default_factory=Counts)

    @property
    def is_good(self) -> bool:
        """Say whether the demo did what it promises: an end, the journal's scores, no tap refused."""
        is_right = self.is_over and dict(self.scores) == dict(self.counted) and not self.refused
        return is_right and self.counts.share_right >= EYES_RIGHT


class Told:
    """What the table has been told so far, read from the journal of the service and from nothing else."""

    def __init__(self, game: Game[Any, Any, Any], path: Path) -> None:
        self._journal = open_sqlite_journal(path)
        self._row = list(self._journal.tables())[-1]
        self._ledger = Ledger(game, self._row.catalogue)

    def state(self) -> Any:
        """Return the state of the table after all that is written."""
        for _ in self._ledger.take(self._journal.read(self._row.id, after_seq=self._ledger.seq)):
            pass
        return self._ledger.state

    def close(self) -> None:
        self._journal.close()


class EveningByPhones:
    """A service and its phones. Use it as a context; leaving it ends all of them."""

    def __init__(self, home: Path, wishes: Wishes, game: str) -> None:
        self._home = home
        self._wishes = wishes
        self._game: Game[Any, Any, Any] = load("companion.games", game)
        self._stack = ExitStack()
        self._chance = random.Random(wishes.seed)
        self._taps = self._rolls = self._seq = 0
        self._refused: list[str] = []
        self._devices: Devices
        self.service: Running

    def __enter__(self) -> EveningByPhones:
        if self._game.dealer is None or not self._game.players:
            raise DemoFailed(f"{self._game.name} has nobody who plays without a table.")
        with ExitStack() as stack:
            fresh_home(self._home)
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def _open(self, stack: ExitStack) -> None:
        """Start what the evening needs; the stack ends it."""
        wishes, die = self._wishes, {"devices": self._with_die(stack)}
        self._serve(
            write_settings(self._home, die, host=wishes.host, port=wishes.port, game=self._game.name), stack
        )

    def _with_die(self, stack: ExitStack) -> Mapping[str, Any]:
        """Put a serial die on the table, and return what there is to write of it."""
        wishes = self._wishes
        self._devices = stack.enter_context(closing(Devices(wishes.seed, min(wishes.speed, DIE_SPEED))))
        return {"die": self._devices.listed()["die"]}

    def _serve(self, settings: Path, stack: ExitStack) -> None:
        port = ["--port", "0"] if not self._wishes.port else []
        self.service = start(["serve", "--settings", str(settings), "--json", *port], self._home)
        stack.callback(self.service.stop)

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def url(self) -> str:
        """The address for the players, on this computer."""
        return f"http://127.0.0.1:{self.service.told['port']}"

    def play(self) -> PhonesOutcome:
        """Play one game until it is over, and say how it went. Raises Standstill, DemoFailed."""
        assert self._game.dealer is not None
        told = Told(self._game, self._home / "journal.sqlite")
        self._stack.callback(told.close)
        host = Phone(self.url, role="host")
        self._stack.callback(host.close)
        opening = self._game.dealer.opening(told.state(), self._wishes.seats)
        if not self._tap(host, opening):
            raise DemoFailed(f"The table cannot be set up: {self._refused[-1]}")
        phones: dict[Seat | None, Phone] = {None: host}
        seats = list(self._game.seats)[: self._wishes.seats]
        for seat in seats[self._wishes.people :]:
            phones[seat] = Phone.sit_down(self.url, seat, NAMES[seats.index(seat) % len(NAMES)])
            self._stack.callback(phones[seat].close)
        self._until_over(phones, told)
        return self._outcome(host, told)

    def _until_over(self, phones: Mapping[Seat | None, Phone], told: Told) -> None:
        assert self._game.dealer is not None
        dealer = self._game.dealer.for_one_game()
        quiet_since_s = time.monotonic()
        while True:
            _, wired = phones[None].look(after=0, timeout_s=NEWS_S)
            if wired is None:
                raise DemoFailed("The service shows nothing.")
            if wired["view"]["is_over"]:
                return
            if self._round(phones, told, dealer):
                quiet_since_s = time.monotonic()
                continue
            number, _ = phones[None].look(after=0, timeout_s=0)
            phones[None].look(after=number, timeout_s=LOOK_S)
            if not self._wishes.people and time.monotonic() - quiet_since_s > STILL_S:
                raise Standstill(f"Nobody can do anything at: {self._game.position(told.state())}")

    def _round(self, phones: Mapping[Seat | None, Phone], told: Told, dealer: Dealer[Any]) -> bool:
        """Let everybody who is asked do one thing; say whether somebody did."""
        is_done = False
        for seat, phone in phones.items():
            command = self._command(seat, phone, told, dealer)
            if command is ROLL:
                time.sleep(self._pause_s())
                is_done |= self._roll(phone, phones.values())
            elif command is not None:
                time.sleep(self._pause_s())
                # Somebody may have played meanwhile: a person at a seat, or the host for one.
                if self._tap(phone, command):
                    is_done = True
                    self._wait_for_news(phones.values())
        return is_done

    def _pause_s(self) -> float:
        return max(PAUSE_S / self._wishes.speed, LEAST_PAUSE_S)

    def _command(
        self, seat: Seat | None, phone: Phone, told: Told, dealer: Dealer[Any]
    ) -> Mapping[str, Any] | None:
        """Return what a seat says to what its phone shows, hands and luck included."""
        _, wired = phone.look(after=0, timeout_s=NEWS_S)
        if wired is None or phone.is_gone or wired["view"]["is_over"]:
            return None
        view, player = view_of(wired), self._player(seat)
        for prompt in _asking(wired, seat):
            command = player.choose(view, prompt, self._chance.random()) if seat is not None else None
            if command is None and prompt.expects_die and self._rolls_count(told):
                return ROLL
            command = command or self._dealt(view, prompt, player, told, dealer)
            if command is not None:
                return command
        return None

    def _rolls_count(self, told: Told) -> bool:
        """Say whether the game has a use for a roll of a die of six sides now."""
        return self._game.command_from_die(told.state(), DieRoll("die", "", 0, 1, 0, 0)) is not None

    def _roll(self, phone: Phone, phones: Iterable[Phone]) -> bool:
        """Throw the die until the service has heard of a roll; say whether it did."""
        for _ in range(MOST_THROWS):
            number, wired = phone.look(after=0, timeout_s=NEWS_S)
            seq = 0 if wired is None else int(wired["seq"])
            self._devices.die.roll(self._chance.randint(1, FACES))
            until_s = time.monotonic() + DIE_S
            while time.monotonic() < until_s:
                number, wired = phone.look(after=number, timeout_s=LOOK_S)
                if wired is not None and wired["seq"] > seq:
                    self._rolls, self._seq = self._rolls + 1, int(wired["seq"])
                    self._wait_for_news(phones)
                    return True
        return False

    def _dealt(
        self, view: View, prompt: Prompt, player: Player, told: Told, dealer: Dealer[Any]
    ) -> Mapping[str, Any] | None:
        return dealer.deal(told.state(), view, prompt, player, self._chance)

    def _player(self, seat: Seat | None) -> Player:
        named = [player for player in self._game.players if player.name == self._wishes.strength]
        able: Sequence[Player] = named or self._game.players
        number = list(self._game.seats).index(seat) if seat is not None else 0
        return able[number % len(able)]

    def _tap(self, phone: Phone, command: Mapping[str, Any]) -> bool:
        answer = phone.tap(command=command)
        self._taps += 1
        if answer.get("ok"):
            self._seq = int(answer["seq"])
            return True
        self._refused.append(f"{command}: {answer.get('why')}")
        return False

    def _wait_for_news(self, phones: Iterable[Phone]) -> None:
        """Wait until every phone shows what the last tap brought about."""
        for phone in phones:
            number, wired = phone.look(after=0, timeout_s=NEWS_S)
            until_s = time.monotonic() + NEWS_S
            while wired is not None and wired["seq"] < self._seq and time.monotonic() < until_s:
                number, wired = phone.look(after=number, timeout_s=LOOK_S)

    def _outcome(self, host: Phone, told: Told) -> PhonesOutcome:
        _, wired = host.look(after=0, timeout_s=NEWS_S)
        seats = wired["view"]["seats"] if wired else []
        counted = self._game.view(told.state(), None)
        return PhonesOutcome(
            scores={one["seat"]: int(one["score"]) for one in seats},
            counted={one.seat: one.score for one in counted.seats},
            is_over=bool(wired and wired["view"]["is_over"]),
            winner=", ".join(one["seat"] for one in seats if one.get("rank") == 1),
            taps=self._taps,
            rolls=self._rolls,
            refused=tuple(self._refused),
        )


def _asking(wired: Mapping[str, Any], seat: Seat | None) -> Iterator[Prompt]:
    """Yield what waits for a seat; what the whole table may do is always looked at."""
    for prompt in prompts_of(wired, seat):
        is_open = prompt.choices or prompt.deed or prompt.expects_die or prompt.expects_turn
        if is_open and (seat is None or prompt.tone is not Tone.WAIT):
            yield prompt
