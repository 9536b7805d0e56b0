"""How long the eyes take on this machine: ``companion bench eyes``.

Each step is the best of several, in one thread, and is also told as a ratio to OpenCV's own
detection of tag36h11 with its defaults on the same picture: ratios travel, milliseconds do not.
Decoding the photo is counted apart.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import cv2

from companion.board import SpaceKind
from companion.ports import Pixels
from vision.photos import NotAPicture, load_photo
from vision.reader import Reader
from vision.report import why_unreadable
from vision.second_look import SecondLook
from vision.settle import Gate
from vision.shelf import open_box


@dataclass(frozen=True, slots=True)
class Timing:
    """One step on one photo: milliseconds, and times the detection of tags with defaults.

    ``found_by`` tells how its boards are found: by tags, by print, or not.
    """

    photo: str
    found_by: str
    step: str
    took_ms: float
    ratio: float


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--box", "box_name", required=True, metavar="BOX", help="Name of a taught box, or its folder.")
@click.option("--rounds", default=7, show_default=True, help="Best of so many.")
@click.option("--json", "as_values", is_flag=True, help="One JSON object a step, a line each.")
def bench(photos: Sequence[str], box_name: str, rounds: int, as_values: bool) -> None:
    """Measure the eyes on PHOTOs: a whole reading, one settled change, a frame where nothing moved."""
    cv2.setNumThreads(1)
    try:
        reader = open_box(box_name).reader
        if not isinstance(reader, Reader):
            raise click.ClickException(f"Box {box_name} has no boards to be measured on.")
        for photo in photos:
            for timing in measure(Path(photo), reader, rounds=rounds):
                if as_values:
                    click.echo(json.dumps(asdict(timing)))
                else:
                    click.echo(
                        f"{timing.photo}  {timing.found_by:10}{timing.step:28}"
                        f"{timing.took_ms:9.2f} ms{timing.ratio:8.3f} x"
                    )
    except NotAPicture as fault:
        raise click.ClickException(f"{photo}: {why_unreadable(fault.obstacle)}") from fault
    except (ValueError, OSError) as fault:
        raise click.ClickException(str(fault)) from fault


def measure(photo: Path, reader: Reader, *, rounds: int = 7) -> list[Timing]:
    """Return the timings of all steps on one photo. Raises NotAPicture and OSError."""
    pixels = load_photo(photo)
    poses = reader.find(pixels)
    ways = {pose.found_by for pose in poses}
    found_by = "by tags" if "tags" in ways else "by print" if ways else "not found"
    yardstick = best_ms(lambda: detect_with_defaults(pixels), rounds)
    steps: dict[str, Callable[[], object]] = {
        "decoding": lambda: load_photo(photo),
        "tags with defaults": lambda: detect_with_defaults(pixels),
        "finding the boards": lambda: reader.find(pixels),
        "a whole reading": lambda: reader.read_boards(pixels, reader.find(pixels)),
        "a settled change": _settled_change(pixels, reader),
        "a frame where nothing moved": _still_frame(pixels),
    }
    if not poses:
        del steps["a settled change"]
    timings = []
    for step, do in steps.items():
        took_ms = best_ms(do, rounds)
        timings.append(Timing(photo.name, found_by, step, round(took_ms, 3), round(took_ms / yardstick, 4)))
    return timings


def best_ms(do: Callable[[], object], rounds: int) -> float:
    """Return the shortest of several runs, after one that warms up.

    What one core does is counted in its own seconds: other work on the machine does not blur it.
    """
    do()
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        do()
        best = min(best, time.process_time() - began)
    return 1000 * best


def detect_with_defaults(pixels: Pixels) -> None:
    """Do what everything is measured by."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters()).detectMarkers(pixels)


def _settled_change(pixels: Pixels, reader: Reader) -> Callable[[], object]:
    """Return the reading of two changed token spaces of a board that was read before."""
    eyes = SecondLook(reader)
    poses = reader.find(pixels)
    for pose in poses:
        layout = reader.box.layouts[pose.board]
        tokens = [s.id for s in layout.spaces.values() if s.kind is SpaceKind.TOKEN]
        if tokens:
            eyes.read_boards(pixels, (pose,), spaces={pose.board: list(layout.spaces)})
            return lambda: eyes.read_boards(pixels, (pose,), spaces={pose.board: tokens[:2]})
    return lambda: None


def _still_frame(pixels: Pixels) -> Callable[[], object]:
    gate = Gate()
    for _ in range(8):
        gate.glance(pixels)
    return lambda: gate.glance(pixels)
