"""The command ``companion calibrate die``: a die learns its faces, with the service stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from calibration.which_device import which_device
from companion.game import Sentence
from companion.plugins import load as load_part
from companion.ports import DeviceLost, Die, LearningDie, Lesson
from companion.sentences import Speaker
from companion.settings import DeviceSettings, home, load
from companion.table.home_lock import take_home

READ_MS = 200
LOOK_S = 0.2


@click.command()
@click.option("--die", "name", help="Which die of the settings; there may be one only.")
@click.option(
    "--faces", type=click.IntRange(2, 30), help="How many faces it has; else as many as it says itself."
)
@click.option("--lean", "lean_deg", type=click.IntRange(5, 45), help="Degrees beyond which it is cocked.")
@click.option("--settings", "path", type=click.Path(path_type=Path), help="The settings file.")
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=20.0,
    show_default=True,
    help="Seconds until it must have been found.",
)
def die(
    *, name: str | None, faces: int | None, lean_deg: int | None, path: Path | None, patience: float
) -> None:
    """Let a die with a motion sensor learn which side is which, by laying each face up once.

    With --lean and without --faces only that is set. The service must not run; while it does, the host's
    page does the same.
    """
    device = which_device(load(path).dice, name, called="die", section="dice")
    with take_home(home(), wait_s=0):
        try:
            with _pupil(device, patience) as pupil:
                if lean_deg is not None:
                    _heed(pupil.set_lean(lean_deg))
                if faces is not None or lean_deg is None:
                    _teach(pupil, faces or pupil.faces)
        except (DeviceLost, ValueError) as fault:
            raise click.ClickException(str(fault)) from fault


def _teach(pupil: LearningDie, faces: int) -> None:
    left = _heed(pupil.begin_faces(faces)).left
    while left:
        click.echo(f"{_say(Sentence('faces.lay', {'face': left[0]}))}, then press Enter.", err=True)
        click.pause("")
        lesson = pupil.learn_face(left[0])
        if lesson.why in ("moves", "alike"):
            click.echo(_say(_why(lesson)), err=True)
            continue
        left = _heed(lesson).left
    click.echo(_say(Sentence("faces.done")))


def _heed(lesson: Lesson) -> Lesson:
    """Return a lesson that was learnt. Raises DeviceLost for one that was not."""
    if lesson.why:
        raise DeviceLost(_say(_why(lesson)))
    return lesson


def _why(lesson: Lesson) -> Sentence:
    return Sentence(f"lesson.{lesson.why}", {"about": lesson.about})


def _say(sentence: Sentence) -> str:
    return Speaker(("calibration", "companion")).say(sentence)


@contextmanager
def _pupil(device: DeviceSettings, patience_s: float) -> Iterator[LearningDie]:
    """Open a die that can learn, and read it on a thread of its own meanwhile. Raises DeviceLost."""
    opened: Die = load_part("companion.dice", device.driver)(device.name, device.options)
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            opened.read(timeout_ms=READ_MS)

    with closing(opened):
        if not isinstance(opened, LearningDie):
            raise DeviceLost(_say(Sentence("faces.cannot")))
        thread = threading.Thread(target=read, name=f"die {device.name}", daemon=True)
        thread.start()
        try:
            _wait_for(opened, patience_s)
            yield opened
        finally:
            over.set()
            thread.join()


def _wait_for(pupil: LearningDie, patience_s: float) -> None:
    """Wait until the die has said how it lies. Raises DeviceLost."""
    waiting = threading.Event()
    for _ in range(int(patience_s / LOOK_S) + 1):
        if pupil.lies is not None:
            return
        waiting.wait(LOOK_S)
    raise DeviceLost(_say(Sentence("faces.not_there")))
