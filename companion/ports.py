"""What the world promises: cameras, dice, board sensors and recognisers.

Protocols and the values they hand over. Imports ``companion.board`` and numpy's types,
does no I/O. Drivers live in ``hardware`` and ``vision`` and are found by entry point.
Times are milliseconds of the monotonic clock of the process that took them in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from companion.readings import (
    HIDDEN,
    UNKNOWN,
    BoardReading,
    Caution,
    DieReading,
    LoosePiece,
    Obstacle,
    Reading,
    SpaceReading,
    Strain,
)
from companion.shown import Wire
from companion.standings import DeviceStanding, DeviceState, Need

__all__ = [
    "HIDDEN",
    "MOST_PX",
    "UNKNOWN",
    "BoardReading",
    "BoardSensor",
    "BoardTurn",
    "ButtonPress",
    "Camera",
    "Caution",
    "DeviceLost",
    "DeviceStanding",
    "DeviceState",
    "Die",
    "DieReading",
    "DieRoll",
    "Frame",
    "Job",
    "Lamp",
    "LearningDie",
    "Lesson",
    "LoosePiece",
    "Need",
    "Obstacle",
    "OpenBoardSensor",
    "OpenCamera",
    "OpenDie",
    "OpenPanel",
    "OpenRecogniser",
    "Panel",
    "PanelLight",
    "Pixels",
    "Press",
    "Reading",
    "Recogniser",
    "SpaceReading",
    "Strain",
    "Watch",
    "Workbench",
]

Pixels = NDArray[np.uint8]


MOST_PX = 64_000_000
"""Phones make up to 50 megapixels; four times that would fill a small computer's memory."""


class DeviceLost(Exception):
    """A camera, die or sensor went away. The message says what happened and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture. ``pixels`` is (height, width, 3), uint8, blue-green-red.

    ``source`` is the camera's own name by which it is known again, empty if it has none. ``is_fickle``: it
    was told to keep exposure and colours as they are, and does not.
    """

    pixels: Pixels
    number: int
    at_ms: int
    camera: str = "camera"
    source: str = ""
    is_fickle: bool = False


class Camera(Protocol):
    """A source of frames that keeps only the newest one."""

    name: str

    def read(self, *, timeout_ms: int) -> Frame | None:
        """Wait for a frame newer than the last one; None when none came in time.

        Raises DeviceLost once the source is gone; the object is then useless: open a new one.
        """

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class DieRoll:
    """A completed roll. ``(die, boot, roll)`` names it for ever; ``face`` counts from 1.

    ``started_ms`` is when it was first seen rolling, None when only its end was seen.
    """

    die: str
    boot: str
    roll: int
    face: int
    at_ms: int
    started_ms: int | None = None


@dataclass(frozen=True, slots=True)
class BoardTurn:
    """A finished turn of a rotating board. ``delta`` is signed quarter turns, clockwise positive."""

    sensor: str
    boot: str
    turn: int
    from_quarter: int
    to_quarter: int
    delta: int
    at_ms: int


class Press(StrEnum):
    """What somebody wants who presses a button at the table."""

    NEXT = "next"  # the one thing that the whole table may do now
    SWITCH_OFF = "switch_off"


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button was pressed, or held for as long as it must be."""

    panel: str
    press: Press
    at_ms: int


class Lamp(StrEnum):
    """What the lamp at the table tells; out means that nothing runs and the plug may be pulled."""

    OUT = "out"
    CALM = "calm"  # lit: all is well
    TROUBLE = "trouble"  # blinks: look at a phone
    LEAVING = "leaving"  # flickers: it is being switched off


@dataclass(frozen=True, slots=True)
class PanelLight:
    """What a panel shows. ``waited_for`` goes clockwise from the first seat: for whom the table waits."""

    lamp: Lamp = Lamp.CALM
    waited_for: tuple[bool, ...] = ()


class Die(Protocol):
    """A die that reports by itself. Reconnecting is its own affair and shows as standings."""

    name: str

    def read(self, *, timeout_ms: int) -> DieRoll | DeviceStanding | None:
        """Wait for the next thing it has to say; None when nothing came in time."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a die made of a face that was laid up.

    ``left`` are the faces that it still has to learn. ``why`` says in a word why it learnt nothing,
    rendered as ``lesson.<why>``; ``about`` what that is about (the face that it takes it for).
    """

    left: tuple[int, ...] = ()
    why: str = ""
    about: str = ""


@runtime_checkable
class LearningDie(Protocol):
    """A die that learns which side is which; asked from another thread than the one that reads it."""

    @property
    def lies(self) -> int | None:
        """The face that lies up; 0: it lies on no face; None: it moves, or nobody knows."""

    @property
    def faces(self) -> int:
        """How many faces it has."""

    def begin_faces(self, faces: int) -> Lesson:
        """Learn all faces anew."""

    def learn_face(self, face: int) -> Lesson:
        """Learn that a face lies up now. With the last one all of them hold."""

    def set_lean(self, most_deg: int) -> Lesson:
        """Set by how many degrees a die may lean before it is cocked."""


class Panel(Protocol):
    """Buttons and lights at the table."""

    name: str

    def read(self, *, timeout_ms: int) -> ButtonPress | DeviceStanding | None:
        """Wait for the next press; None when nobody pressed in time."""

    def show(self, light: PanelLight) -> None:
        """Show something from now on."""

    def close(self) -> None:
        """Put the lights out."""


class BoardSensor(Protocol):
    """A sensor under a rotating board. Same manners as a die."""

    name: str

    def read(self, *, timeout_ms: int) -> BoardTurn | DeviceStanding | None: ...

    def close(self) -> None: ...


class Watch(Protocol):
    """Live eyes on one camera; remembers what it saw before."""

    def see(self, frame: Frame) -> Reading | None:
        """Take in the next frame; give the steady reading of all boards in view when it changed.

        The first settled picture always gives a reading. Hands hide spaces (``hidden``)
        and change nothing else. None: nothing new.
        """

    def standing(self) -> DeviceStanding:
        """Say how the eyes are (settled, moving, too dark, board not found), and what strains them.

        A caution is said once and stays the same until it is withdrawn.
        """


class Recogniser(Protocol):
    """Reads pictures of one taught box."""

    box: str

    def read(self, frame: Frame) -> Reading:
        """Read one picture with nothing known before."""

    def read_photo(self, coded: bytes, *, camera: str, at_ms: int) -> Reading:
        """Read a photo as a phone sends it, with crops of all that lies there.

        What is no picture, or shows no board, gives a reading with an obstacle.
        """

    def watch(self, camera: str) -> Watch:
        """Begin to watch a camera."""


class Workbench(Protocol):
    """What a job finds where pictures are worked with. ``box_folder`` is empty without a taught box."""

    box_folder: str

    @property
    def cameras(self) -> Sequence[str]:
        """The names of the cameras of the settings."""

    def frame(self, camera: str) -> Frame:
        """Return the newest picture of a camera. Raises DeviceLost."""

    def recogniser(self) -> Recogniser | None:
        """Return the eyes of the box on the table, None without any."""

    @property
    def dice(self) -> Sequence[str]:
        """The names of the dice of the settings."""

    def die(self, name: str) -> Die:
        """Return a die, while somebody else goes on reading it. Raises DeviceLost."""


class Job(Protocol):
    """Entry point ``companion.jobs``: work with pictures in the senses process, on a thread of its own.

    ``coded`` is a photo as a phone sent it, or empty.
    """

    def __call__(self, bench: Workbench, told: Wire, coded: bytes) -> Wire: ...


class OpenCamera(Protocol):
    """Entry point ``companion.cameras``: ``open_camera(name, settings)``.

    Raises DeviceLost when it cannot be opened and ValueError for settings that make no sense.
    """

    def __call__(self, name: str, settings: Mapping[str, Any]) -> Camera: ...


class OpenDie(Protocol):
    """Entry point ``companion.dice``. Opening never fails for a port that is not there yet: it searches."""

    def __call__(self, name: str, settings: Mapping[str, Any]) -> Die: ...


class OpenPanel(Protocol):
    """Entry point ``companion.panels``. Raises DeviceLost where there are no pins."""

    def __call__(self, name: str, settings: Mapping[str, Any]) -> Panel: ...


class OpenBoardSensor(Protocol):
    """Entry point ``companion.board_sensors``."""

    def __call__(self, name: str, settings: Mapping[str, Any]) -> BoardSensor: ...


class OpenRecogniser(Protocol):
    """Entry point ``companion.recognisers``. Raises ValueError in plain words."""

    def __call__(self, box_folder: str) -> Recogniser: ...


Devices = Sequence[DeviceStanding]
