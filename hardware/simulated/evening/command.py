"""The command ``companion demo``: a whole evening on a simulated table, on real pages and real phones."""

from __future__ import annotations

import io
import secrets
import signal
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

import click
import segno

from companion.board import Lie
from companion.game import Game, Lays
from companion.plugins import load
from companion.settings import home
from hardware.simulated.evening.by_phones import EveningByPhones, PhonesOutcome
from hardware.simulated.evening.counts import Counts, Fate
from hardware.simulated.evening.evening import GAME, Evening, Outcome, Wishes
from hardware.simulated.evening.phone import PhoneRefused
from hardware.simulated.evening.processes import DemoFailed
from hardware.simulated.evening.with_cards import EveningWithCards

USUAL_PORT = 8080


@click.command()
@click.option(
    "--game", "name", default=GAME, show_default=True, help="Which game; one without a table by phones alone."
)
@click.option("--seats", type=click.IntRange(2, 8), default=4, show_default=True, help="How many play.")
@click.option(
    "--people",
    type=click.IntRange(0, 8),
    default=0,
    show_default=True,
    help="How many seats are left free for persons; their hands obey the demo page.",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 100.0),
    default=1.0,
    show_default=True,
    help="Shortens the pauses of hands and players, never the pictures that eyes need.",
)
@click.option(
    "--strength",
    metavar="NAME",
    default=None,
    help="A player of the game, for all seats. Default: a mix.",
)
@click.option("--seed", type=int, default=None, help="The same seed draws the same tokens.")
@click.option("--track", type=click.IntRange(1, 20), default=None, help="How many Rot lie on the track.")
@click.option("--port", type=click.IntRange(0, 65535), default=USUAL_PORT, show_default=True)
@click.option("--by-phones", is_flag=True, help="Leave the simulated table out: everything is tapped.")
@click.option("--until-end", is_flag=True, help="End with the game; exit 1 unless everything was right.")
@click.option("--fault", is_flag=True, help="Swap two tokens unseen; the table must notice, exit 1.")
def demo(
    *,
    name: str,
    seats: int,
    people: int,
    speed: float,
    strength: str | None,
    seed: int | None,
    track: int | None,
    port: int,
    by_phones: bool,
    until_end: bool,
    fault: bool,
) -> None:
    """Play a whole game on a simulated table, with nobody or with you."""
    if people >= seats and until_end:
        raise click.UsageError("With --until-end at least one seat must be played by the demo.")
    game = _game(name, seats, strength)
    wishes = Wishes(
        seats=seats,
        speed=speed,
        seed=secrets.randbelow(10_000) if seed is None else seed,
        people=min(people, seats),
        strength=strength or "",
        host="127.0.0.1" if until_end else "0.0.0.0",
        port=0 if until_end else port,
        track=track,
        is_faulty=fault,
    )
    _heed_the_end()
    try:
        with _evening(game, until_end, wishes, by_phones=by_phones) as evening:
            if not until_end:
                click.echo(greeting(evening))
            outcome = evening.play()
            click.echo(report(outcome, wishes.seed))
            if until_end or fault:
                sys.exit(0 if outcome.is_good else 1)
            click.echo("The pages stay open. Stop with Ctrl-C.")
            threading.Event().wait()
    except (DemoFailed, PhoneRefused, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo("The demo is over.", err=True)


def _heed_the_end() -> None:
    """Leave by the door at the first signal, so that every process is ended in order.

    Those that follow change nothing: an ending that is broken off would leave processes behind.
    """
    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def leave(*_: object) -> NoReturn:
        for end in ends:
            signal.signal(end, lambda *_: None)  # Python complains of one on its way when it is ignored
        raise KeyboardInterrupt

    for end in ends:
        signal.signal(end, leave)


def _game(name: str, seats: int, strength: str | None) -> Game[Any, Any, Any]:
    """Return a game that so many can play with such players."""
    game: Game[Any, Any, Any] = load("companion.games", name)
    if seats > len(game.seats):
        raise click.UsageError(f"{game.name} has {len(game.seats)} seats.")
    known = [player.name for player in game.players]
    if strength is not None and strength not in known:
        raise click.UsageError(f"{game.name} has no player {strength!r}; known: {', '.join(known)}.")
    return game


def _evening(
    game: Game[Any, Any, Any], until_end: bool, wishes: Wishes, *, by_phones: bool
) -> Evening | EveningByPhones:
    """Return an evening on the simulated table, or by phones alone for a game that has none."""
    if game.box.lie is not Lie.BOARDS and isinstance(game.dealer, Lays) and not by_phones:
        return EveningWithCards(_demo_home(until_end), wishes, game.name)
    if game.name != GAME or by_phones:
        return EveningByPhones(_demo_home(until_end), wishes, game.name)
    return Evening(_demo_home(until_end), wishes, lambda words: click.echo(words, err=True))


def _demo_home(until_end: bool) -> Path:
    """Return the demo's own home folder, so that it never touches a real evening.

    Games that run to the end by themselves have another one: they may run beside a demo that is watched.
    """
    return home() / ("demo-by-itself" if until_end else "demo")


def greeting(evening: Evening | EveningByPhones) -> str:
    """Return what a person at the console needs: the address as a code and in words."""
    told = evening.service.told
    code = io.StringIO()
    segno.make(told["addresses"][0], micro=False).terminal(code, compact=True)
    lines = [
        code.getvalue(),
        f"Phones:      {told['addresses'][0]}",
        f"Host:        {told['addresses'][0]}host with the PIN {told['pin']}",
        f"Big screen:  http://localhost:{told['port']}/screen",
        "Stop with Ctrl-C.",
    ]
    if isinstance(evening, Evening | EveningWithCards):
        lines.insert(-1, f"The table:   {evening.table.told['url']}  (its cameras, as the eyes see it)")
    return "\n".join(lines)


def report(outcome: Outcome | PhonesOutcome, seed: int) -> str:
    """Return how an evening ended, in a few lines; the last one says what it was worth."""
    if isinstance(outcome, PhonesOutcome):
        return report_by_phones(outcome, seed)
    counts = outcome.counts
    lines = [
        f"{seat:8}{score:4}   counted from the cards in the piles: {outcome.counted.get(seat)}"
        for seat, score in outcome.scores.items()
    ]
    lines.append(f"{proposals(counts)}; {counts.turns_told_by_hand} turns of the centre told by hand")
    lines += [f"  {note}" for note in counts.notes]
    lines += [f"Trouble: {trouble}" for trouble in outcome.troubles]
    if outcome.swapped is not None:
        pair = " and ".join(outcome.swapped)
        told = f"the table said: {outcome.noticed}" if outcome.noticed else "nobody noticed."
        lines.append(f"The tokens at {pair} were swapped unseen, and {told}")
    elif outcome.is_over:
        lines.append(f"Won by {outcome.winner}. Seed {seed}.")
    else:
        lines.append(f"The game did not reach its end. Seed {seed}.")
    return "\n".join(lines)


def report_by_phones(outcome: PhonesOutcome, seed: int) -> str:
    """Return how an evening by phones alone ended."""
    lines = [
        f"{seat:8}{score:4}   by the journal, read anew: {outcome.counted.get(seat)}"
        for seat, score in outcome.scores.items()
    ]
    lines.append(
        f"{outcome.taps} taps on phones, {outcome.rolls} rolls of the die, {len(outcome.refused)} refused"
    )
    if outcome.counts.total:
        lines += [proposals(outcome.counts), *(f"  {note}" for note in outcome.counts.notes)]
    lines += [f"Refused: {refused}" for refused in outcome.refused]
    end = f"Won by {outcome.winner}." if outcome.is_over else "The game did not reach its end."
    return "\n".join([*lines, f"{end} Seed {seed}."])


def proposals(counts: Counts) -> str:
    """Return in a line how the eyes did."""
    return (
        f"{counts.total} proposals: {counts.of(Fate.RIGHT)} right ({100 * counts.share_right:.1f} %), "
        f"{counts.of(Fate.CORRECTED)} corrected, {counts.of(Fate.TYPED)} typed"
    )
