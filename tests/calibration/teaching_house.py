"""A house for tests of the teaching pages: jobs are done at once, on this thread, with a camera of stills."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from threading import Event
from typing import Any

from companion.plugins import load
from companion.ports import DeviceLost, Die, Frame, Pixels, Recogniser
from companion.settings import parse
from tests.web.monster_house import MonsterHouse


class StillBench:
    """A workbench whose cameras show what they were told to."""

    def __init__(self, recogniser: Recogniser | None = None) -> None:
        self.box_folder = ""
        self.shown: dict[str, Pixels] = {}
        self.lying: dict[str, Die] = {}
        self._recogniser = recogniser

    @property
    def cameras(self) -> tuple[str, ...]:
        return tuple(self.shown)

    def frame(self, camera: str) -> Frame:
        if camera not in self.shown:
            raise DeviceLost(f"There is no camera {camera!r} in the settings.")
        return Frame(self.shown[camera], 0, 0, camera)

    @property
    def dice(self) -> tuple[str, ...]:
        return tuple(self.lying)

    def die(self, name: str) -> Die:
        if name not in self.lying:
            raise DeviceLost(f"There is no die {name!r} open now.")
        return self.lying[name]

    def recogniser(self) -> Recogniser | None:
        return self._recogniser


class TeachingHouse(MonsterHouse):
    """A house that does jobs itself."""

    def __init__(self, *, cameras: tuple[str, ...] = (), dice: tuple[str, ...] = ()) -> None:
        self.bench = StillBench()
        self.reopened = Event()
        written = "".join(f'[[cameras]]\nname = "{name}"\ndriver = "folder"\n' for name in cameras)
        written += "".join(f'[[dice]]\nname = "{name}"\ndriver = "serial"\n' for name in dice)
        self.settings = parse(written, Path("companion.toml"), source=None)
        super().__init__()

    def reopen_eyes(self) -> None:
        self.reopened.set()

    def do_job(self, job: str, told: Mapping[str, Any], coded: bytes = b"") -> Future[Mapping[str, Any]]:
        done: Future[Mapping[str, Any]] = Future()
        try:
            done.set_result(load("companion.jobs", job)(self.bench, told, coded))
        except Exception as fault:
            done.set_exception(fault)
        return done
