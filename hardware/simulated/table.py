"""The simulated table: one world, its cameras, its die and its disc, and hands that change it.

One deed at a time has its hand in a camera's picture; deeds before different cameras go on
at the same time. Answers come when the deed is over and the hand has left every picture.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from companion.board import BoardId
from companion.ports import Pixels
from hardware.simulated.arms import Arms, Pose
from hardware.simulated.art.sprites import Drawer
from hardware.simulated.contents import Contents, lab_of
from hardware.simulated.deeds import done
from hardware.simulated.devices import Devices
from hardware.simulated.feeds import STILL_FRAMES, Feed, Grain, frame_interval_s
from hardware.simulated.ground import LIGHTS, Light
from hardware.simulated.lens import Lens
from hardware.simulated.scene import Laid, Scene
from hardware.simulated.wishes import Done, Reach
from hardware.simulated.world import Impossible, World, empty_table, truth

SEAT_PICTURE_WH = (1280, 720)
CENTRE_PICTURE_WH = (1920, 1080)
CENTRE = "centre"

_SPRITE_PX_PER_MM = 4.0
_FLAT_PX_PER_MM = 3.0
_DWELL_S = 0.4  # how long a hand takes to let go, at speed 1
_MOST_OVER = 3  # places an arm is shown over in one visit; more would only take time
_BACK_MM = 190.0

Visits = Mapping[str, Sequence[tuple[str, Pose]]]
"""By camera: whose arm is seen there, and over what, one pose after the other."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How the table is simulated. ``speed`` 1 is a calm human being; ``light`` a name of ``LIGHTS``.

    With ``side_views`` a second camera looks at each lab, from the side and through another lens.
    """

    seats: tuple[str, ...]
    seed: int = 0
    speed: float = 1.0
    light: str = "day"
    still_frames: int = STILL_FRAMES
    side_views: bool = False


class SimulatedTable:
    """Everything on and around the table; ``close`` ends the devices. Safe to use from many threads."""

    def __init__(self, contents: Contents, setting: Setting) -> None:
        self.contents = contents
        self.setting = setting
        self.world = empty_table(contents, setting.seed)
        self.devices = Devices(setting.seed, setting.speed)
        self._changing = threading.Lock()
        self._arms = Arms(contents.players)
        self.feeds = {feed.name: feed for feed in _feeds(contents, setting)}
        for feed in self.feeds.values():
            feed.show(feed.scene.lit(feed.scene.render(self.world)))

    def close(self) -> None:
        """End the devices."""
        self.devices.close()

    def truth(self) -> dict[str, Any]:
        """Return all that is so, as JSON."""
        return truth(self.world)

    def do(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do one deed and return its answer. Raises Impossible; then nothing changed."""
        rehearsed = done(self.world, said)
        visits = self._visits(rehearsed.reaches)
        with ExitStack() as held:
            for name in sorted(visits):
                held.enter_context(self.feeds[name].turn)
            feeds = [self.feeds[name] for name in visits]
            for feed in feeds:
                feed.wait_until_settled(self.setting.still_frames)
            before = self.world
            pictures = {feed.name: feed.scene.render(before) for feed in feeds}
            self._show(visits, pictures, -1)
            self._show(visits, pictures, 0)
            try:
                act = self._change(said)
            except Impossible:
                self._withdraw(visits, pictures)
                raise
            if visits and act.turned:
                self._show_turning(visits, act)
            pictures = {feed.name: feed.scene.render(self.world) for feed in feeds}
            for step in range(max((len(poses) for poses in visits.values()), default=0)):
                self._show(visits, pictures, step)
            self._withdraw(visits, pictures, before)
        self._show_unvisited(before, set(visits))
        return act.answer

    def _change(self, said: Mapping[str, Any]) -> Done:
        with self._changing:
            before, act = self.world, done(self.world, said)
            self.world = act.world
        turned = act.turned or (act.world.quarter - before.quarter)
        if turned:
            self.devices.rotor.turn(turned)
        if act.rolled:
            self.devices.die.roll(act.rolled)
        time.sleep(_DWELL_S / self.setting.speed if act.reaches else 0.0)
        return act

    # What is shown

    def _show(self, visits: Visits, pictures: Mapping[str, Pixels], step: int) -> None:
        """Show each visited camera its arm at a step of the visit (-1: on its way in or out)."""
        for name, poses in visits.items():
            feed = self.feeds[name]
            seat, pose = poses[max(0, min(step, len(poses) - 1))]
            scale = feed.scene.lens.px_per_mm
            if step < 0:
                pose = _back(pose, _BACK_MM * scale)
            feed.show(feed.scene.lit(self._arms.over(pictures[name], seat, pose, scale)))
        for name in visits:
            self.feeds[name].wait_until_seen(1)

    def _show_turning(self, visits: Visits, act: Done) -> None:
        start = (act.world.quarter - act.turned) * 90.0
        for share in (0.3, 0.65):
            disc_deg = start + act.turned * 90.0 * share
            pictures = {name: self.feeds[name].scene.render(act.world, disc_deg=disc_deg) for name in visits}
            self._show(visits, pictures, 0)

    def _withdraw(
        self,
        visits: Visits,
        pictures: Mapping[str, Pixels],
        before: World | None = None,
    ) -> None:
        """Show the arms on their way out, then the still pictures without them."""
        self._show(visits, pictures, -1)
        for name in visits:
            feed = self.feeds[name]
            changed = before is not None and _looks_changed(before, self.world, feed.scene)
            feed.show(feed.scene.lit(pictures[name]), has_changed=changed)
        for name in visits:
            self.feeds[name].wait_until_seen(1)

    def _show_unvisited(self, before: World, visited: set[str]) -> None:
        """Show what changed with no hand in the picture (setting up, a token swapped unseen)."""
        for name, feed in self.feeds.items():
            if name not in visited and _looks_changed(before, self.world, feed.scene):
                with feed.turn:
                    feed.show(feed.scene.lit(feed.scene.render(self.world)), has_changed=True)

    def _visits(self, reaches: Sequence[Reach]) -> Visits:
        """Return, by camera, the poses of the arm that reaches there."""
        visits: dict[str, list[tuple[str, Pose]]] = {}
        for reach in reaches:
            for name, feed in self.feeds.items():
                tip = feed.scene.where(self.world, reach.at)
                if tip is not None and len(visits.get(name, ())) < _MOST_OVER:
                    visits.setdefault(name, []).append(
                        (reach.seat, Pose(tip, self._from_deg(name, feed, reach, tip)))
                    )
        return visits

    def _from_deg(self, name: str, feed: Feed[Scene], reach: Reach, tip: tuple[float, float]) -> float:
        """Return whence an arm comes: from below before one's own lab, else from one's side of the table."""
        if name == CENTRE and reach.seat in self.world.seats:
            number = self.world.seats.index(reach.seat)
            places = self.world.seat_places
            return 90.0 * (places[number] if number < len(places) else number)
        return (0.5 - tip[0] / feed.scene.lens.size_wh[0]) * 24.0


def _back(pose: Pose, distance_px: float) -> Pose:
    turn = math.radians(pose.from_deg)
    x, y = pose.tip_px
    return Pose((x - math.sin(turn) * distance_px, y + math.cos(turn) * distance_px), pose.from_deg)


def _looks_changed(before: World, after: World, scene: Scene) -> bool:
    """Tell whether a camera's picture differs; heaps of the supply do not count, nobody reads them."""
    if before.quarter != after.quarter and any(b == "central" for b in scene.boards):
        return True
    for number, spot in after.spots.items():
        old = before.spots.get(number)
        if spot is old or spot == old:
            continue
        for at in (spot.at, "" if old is None else old.at):
            board = BoardId(at.removeprefix("beside/").split("/")[0])
            if board in scene.boards and "/grave_" not in at:
                return True
    return False


def _feeds(contents: Contents, setting: Setting) -> list[Feed[Scene]]:
    """Hang a camera over each seat's lab, and one over the disc and the prestige board."""
    drawer = Drawer(contents, _SPRITE_PX_PER_MM)
    light = LIGHTS[setting.light]
    interval_s = frame_interval_s(setting.speed)
    grains = {wh: Grain(wh, light.noise, setting.seed) for wh in (SEAT_PICTURE_WH, CENTRE_PICTURE_WH)}
    feeds = []
    for number, seat in enumerate(setting.seats):
        size = contents.lab(seat).size_mm
        askew = (1.2, -0.9, 0.6, -1.5)[number % 4]
        lens = Lens(
            SEAT_PICTURE_WH, (size[0] / 2, size[1] / 2 + 2), 2.2, tilt_deg=4.5 + number % 3, yaw_deg=askew
        )
        laid_here = (Laid(lab_of(seat), (0.0, 0.0), -askew / 3),)
        lenses = {f"lab_{seat}": lens} | (
            {f"side_{seat}": _from_the_side(lens)} if setting.side_views else {}
        )
        for name, own in lenses.items():
            feeds.append(
                Feed(name, _scene(own, laid_here, drawer, light), grains[SEAT_PICTURE_WH], interval_s)
            )
    central, score = contents.boards[BoardId("central")], contents.boards[BoardId("score")]
    right = central.size_mm[0] + 26.0
    lens = Lens(
        CENTRE_PICTURE_WH, ((right + score.size_mm[0]) / 2, central.size_mm[1] / 2), 2.3, yaw_deg=-0.7
    )
    laid = (
        Laid(central.id, (0.0, 0.0), 1.2),
        Laid(score.id, (right, (central.size_mm[1] - score.size_mm[1]) / 2), -0.6),
    )
    feeds.append(Feed(CENTRE, _scene(lens, laid, drawer, light), grains[CENTRE_PICTURE_WH], interval_s))
    return feeds


def _from_the_side(lens: Lens) -> Lens:
    """Return where another camera hangs that looks at the same: beside the table, wide, and bending more."""
    return replace(
        lens,
        px_per_mm=0.74 * lens.px_per_mm,
        height_mm=760.0,
        tilt_deg=24.0,
        yaw_deg=lens.yaw_deg + 19.0,
        k1=-0.09,
    )


def _scene(lens: Lens, laid: tuple[Laid, ...], drawer: Drawer, light: Light) -> Scene:
    return Scene(lens, laid, drawer, light, _FLAT_PX_PER_MM)
