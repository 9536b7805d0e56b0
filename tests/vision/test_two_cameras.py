"""Two cameras over HTTP look at one lab from two places through two lenses: what both tell of it together."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.board import BoardId, Place
from companion.ports import HIDDEN, UNKNOWN, DeviceLost, Reading, SpaceReading
from companion.table.merge import MergedReading
from hardware.cameras.mjpeg import MjpegCamera
from hardware.simulated.arms import Arms, Pose
from hardware.simulated.contents import contents_of
from hardware.simulated.deeds import done
from hardware.simulated.server import TableServer
from hardware.simulated.table import Setting, SimulatedTable
from hardware.simulated.world import Sort, World
from vision.recogniser import OpenCvRecogniser, open_recogniser

pytestmark = [pytest.mark.eyes, pytest.mark.timeout(300)]

SEATS = ("red", "blue")
ABOVE, BESIDE = "lab_red", "side_red"
LAB = BoardId("lab_red")
MOST_FRAMES = 80


class Onlookers:
    """The cameras, the eyes behind each, and what all of them tell together."""

    def __init__(self, eyes: OpenCvRecogniser, cameras: Mapping[str, MjpegCamera]) -> None:
        self.merged = MergedReading()
        self.told: dict[str, Reading] = {}
        self._cameras = dict(cameras)
        self._watches = {name: eyes.watch(name) for name in cameras}
        for name in cameras:
            self.merged.stand(name, is_live=True)

    def until(self, is_seen: Callable[[], bool]) -> None:
        """Let every camera give pictures until something is seen."""
        for _ in range(MOST_FRAMES):
            if is_seen():
                return
            for name in tuple(self._cameras):
                self._look(name)
        assert is_seen()

    def _look(self, name: str) -> None:
        try:
            frame = self._cameras[name].read(timeout_ms=5000)
        except DeviceLost:
            self.merged.stand(name, is_live=False)
            del self._cameras[name]
            return
        told = None if frame is None else self._watches[name].see(frame)
        if told is not None:
            self.told[name] = told
            self.merged.see(told)

    def has_lost(self, name: str) -> bool:
        return name not in self._cameras

    def of(self, name: str, place: Place) -> str | None:
        """Return what one camera told of a place last."""
        seen = self.told[name].at(place) if name in self.told else None
        return None if seen is None else _plainly(seen)

    def together(self, place: Place) -> str | None:
        whole = self.merged.now(10**9)
        seen = None if whole is None else whole.at(place)
        return None if seen is None else _plainly(seen)


def _plainly(seen: SpaceReading) -> str:
    return str(seen.reads) if seen.sure or seen.reads in (HIDDEN, UNKNOWN) else "unsure"


class Served:
    """A simulated table, each of its cameras at an address of its own."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self._servers: dict[str, TableServer] = {}

    def open(self, name: str) -> MjpegCamera:
        server = self._servers[name] = TableServer(self.table)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return MjpegCamera(name, f"{server.url}/cameras/{name}.mjpg")

    def shut(self, name: str) -> None:
        server = self._servers.pop(name)
        server.shutdown()
        server.server_close()

    def show(self, camera: str, world: World, *, hand_over: Place | None = None) -> None:
        """Show one camera a table, and a hand in its picture alone."""
        feed = self.table.feeds[camera]
        picture = feed.scene.render(world)
        tip = None if hand_over is None else feed.scene.where(world, str(hand_over))
        if tip is not None:
            arms, scale = Arms(self.table.contents.players), feed.scene.lens.px_per_mm
            picture = arms.over(picture, "red", Pose((tip[0], tip[1] - 40 * scale), 0.0), scale)
        feed.show(feed.scene.lit(picture), has_changed=True)

    def close(self) -> None:
        for name in tuple(self._servers):
            self.shut(name)
        self.table.close()


@pytest.fixture
def served() -> Iterator[Served]:
    setting = Setting(SEATS, seed=22, speed=100.0, side_views=True)
    served = Served(SimulatedTable(contents_of("making_monsters"), setting))
    yield served
    served.close()


def laid(world: World, kind: str, place: Place) -> World:
    """Lay a token of the supply on a place of a table."""
    token = world.find(f"central/grave_{kind}", Sort.TOKEN, kind)
    assert token is not None
    return world.lay(token, str(place), random.Random(4))


def test_two_cameras_tell_more_together_than_each(served: Served, stand_in: Path) -> None:
    one, other = Place.parse("lab_red/reject1"), Place.parse("lab_red/sort1")
    bare = done(served.table.world, {"do": "set_up", "seats": list(SEATS), "rot_track": 8}).world
    world = laid(bare, "limb", one)
    for name in (ABOVE, BESIDE):
        served.show(name, world)
    with ExitStack() as opened:
        cameras = {name: served.open(name) for name in (ABOVE, BESIDE)}
        for camera in cameras.values():
            opened.callback(camera.close)
        look = Onlookers(open_recogniser(str(stand_in)), cameras)

        look.until(lambda: look.of(ABOVE, one) == look.of(BESIDE, one) == "limb")
        poses = [look.told[name].boards[LAB] for name in (ABOVE, BESIDE)]
        assert {pose.found_by for pose in poses} == {"tags"}
        assert abs(poses[0].rotation_deg - poses[1].rotation_deg) > 10  # seen from two places
        assert look.together(one) == "limb"
        assert look.together(other) == "empty"

        world = laid(world, "goop", other)  # under a hand that only one camera has in its way
        served.show(ABOVE, world, hand_over=other)
        served.show(BESIDE, world)
        look.until(lambda: look.of(ABOVE, other) == HIDDEN and look.of(BESIDE, other) == "goop")
        assert look.together(other) == "goop"
        assert look.together(one) == "limb"

        served.show(ABOVE, laid(bare, "zapper", one))  # no such thing lies there
        look.until(lambda: look.of(ABOVE, one) == "zapper")
        assert look.of(BESIDE, one) == "limb"
        assert look.together(one) == UNKNOWN

        served.show(ABOVE, world)
        look.until(lambda: look.of(ABOVE, one) == "limb" and look.of(ABOVE, other) == "goop")
        served.shut(BESIDE)
        look.until(lambda: look.has_lost(BESIDE))
        assert look.together(one) == "limb"
        assert look.together(other) == "goop"
