"""Makes the weights of the nets that read dice: ``python -m calibration.dice_school``.

Teaches on composed pictures only, never on a photograph, and twice: the second time also on what the
finder took for dice the first time. A third lesson tells how dice lie. Numpy only; an hour of one core.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.dice_lessons import (
    FINDER_MARGIN_PX,
    FINDER_SHAPE,
    READER_SHAPE,
    Lesson,
    finder_view,
    finder_views,
    is_apart,
    posture_views,
    reader_view,
    reader_views,
    teach,
    untaught,
    with_new_end,
)
from calibration.dice_scenes import ComposedScene, compose
from vision.dice import WEIGHTS
from vision.dice_finder import find_hints
from vision.dice_net import Net, Values, load_nets, save_nets
from vision.dice_views import LEANS_DEG, evened, levelled

SEARCHED = 0.4  # of the pictures of the second lesson: searching costs more than composing
PILED = 0.3  # of the dice in the pictures of the third lesson
MOST_ERRORS = 10  # of a picture; rough cloth alone would make a hundred
Pairs = list[tuple[NDArray[Any], int]]


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS)
@click.option("--seed", default=12, help="Of all chance.")
@click.option("--scenes", default=3000, help="Pictures a lesson.")
@click.option("--rounds", default=9, help="How often the nets see each view of a lesson.")
@click.option("--first", default=1, type=click.IntRange(1, 3), help="Begin with this lesson, from OUT.")
def main(out: Path, seed: int, scenes: int, rounds: int, first: int) -> None:
    """Teach all nets and write their weights to OUT; later lessons go on from what is there."""
    cv2.setNumThreads(1)
    nets = {"finder": untaught(FINDER_SHAPE, seed), "reader": untaught(READER_SHAPE, seed)}
    if first > 1:
        nets |= load_nets(out)
    for number in range(first, 4):
        if number < 3:
            searched = SEARCHED if number == 2 else 0.0
            both = lesson(nets["finder"], nets["reader"], (seed, number), scenes, rounds, searched=searched)
            nets["finder"], nets["reader"] = both
        else:
            nets["posture"] = posture_lesson(nets["reader"], (seed, number), scenes, rounds)
        save_nets(out, nets)
    click.echo(f"Written to {out}. Measure it with `python -m tests.bench --only dice`.")


def lesson(
    finder: Net, reader: Net, seed: tuple[int, int], count: int, rounds: int, *, searched: float
) -> tuple[Net, Net]:
    """Give both nets one lesson; in a share of pictures, ``searched``, the finder seeks its errors."""
    for_finder: Pairs = []
    for_reader: Pairs = []
    for number in range(count):
        chance = np.random.default_rng((*seed, number))
        scene = compose(chance)
        for_reader += reader_views(scene, chance)
        if number % 2:  # the finder's question is the easier one
            for_finder += [(_lit(view), answer) for view, answer in finder_views(scene, chance)]
        if chance.random() < searched:
            for spot, face_px in errors_of(finder, scene, chance):
                for_finder.append((_lit(finder_view(scene.pixels, spot, face_px, chance)), 0))
                for_reader.append((reader_view(scene.pixels, spot, face_px, chance), 0))
    _told(f"views: {len(for_finder)} for the finder, {len(for_reader)} for the reader")
    short = max(1, rounds * 2 // 3)
    finder = teach(finder, as_lesson(for_finder), _as_floats, rounds=short, seed=seed[1], told=_told)
    return finder, teach(reader, as_lesson(for_reader), evened, rounds=rounds, seed=seed[1], told=_told)


def posture_lesson(reader: Net, seed: tuple[int, int], count: int, rounds: int) -> Net:
    """Teach how dice lie, beginning with the eyes of the reader."""
    pairs: Pairs = []
    for number in range(count):
        chance = np.random.default_rng((*seed, number))
        pairs += posture_views(compose(chance, stacked=PILED), chance)
    _told(f"views: {len(pairs)} for the posture")
    fresh = with_new_end(reader, len(LEANS_DEG) + 1, seed[1])
    return teach(fresh, as_lesson(pairs), evened, rounds=rounds, seed=seed[1], told=_told)


def errors_of(
    net: Net, scene: ComposedScene, chance: Generator
) -> Iterator[tuple[NDArray[np.float64], float]]:
    """Give some of the places, and sizes, that a finder takes for dice and that are none."""
    hints = [
        hint for hint in find_hints(scene.pixels, net)
        if is_apart(np.array(hint.centre_xy), hint.face_px, scene.dice)
    ]  # fmt: skip
    for place in chance.permutation(len(hints))[:MOST_ERRORS]:
        yield np.array(hints[place].centre_xy), hints[place].face_px


def as_lesson(pairs: Iterable[tuple[NDArray[Any], int]]) -> Lesson:
    views, answers = zip(*pairs, strict=True)
    return Lesson(np.array(views), np.array(answers))


def _lit(view: NDArray[np.uint8]) -> NDArray[np.float16]:
    """Level a view by the light around its window, once for all rounds."""
    inner = slice(FINDER_MARGIN_PX, -FINDER_MARGIN_PX)
    return levelled(view)[inner, inner].astype(np.float16)


def _as_floats(views: NDArray[Any]) -> Values:
    return views.astype(np.float32)


def _told(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main()
