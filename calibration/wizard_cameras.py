"""The step of the cameras: what is plugged in, a live picture, chosen with a name and a place, taken away.

While a game is on no picture is shown: order tokens may lie in it.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Response, abort, request

from calibration.lens_views import is_name, profile_file
from calibration.page_desk import Shown
from calibration.wizard_desk import Answer, WizardDesk
from calibration.wizard_steps import Step
from companion.chosen import add_device, take_device_out
from companion.game import Sentence, Wire
from companion.settings import DeviceSettings

GROUP = "cameras"
LONGEST_NAME, LONGEST_PLACE = 30, 60
LOOK_S = 20.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A camera that is there and not chosen yet; ``key`` names it in an address."""

    driver: str
    options: Mapping[str, Any]
    called: str
    key: str = field(init=False)

    def __post_init__(self) -> None:
        spelt = repr((self.driver, sorted(self.options.items())))
        object.__setattr__(self, "key", hashlib.sha256(spelt.encode()).hexdigest()[:12])

    def is_same(self, device: DeviceSettings) -> bool:
        """Tell whether a camera of the settings is this one."""
        of_device = {key: device.options.get(key) for key in self.options}
        # A camera on a ribbon cable has a number of its own only where there are two.
        of_device = {
            key: 0 if value is None and key == "number" else value for key, value in of_device.items()
        }
        return device.driver == self.driver and of_device == self.options


class Offers:
    """What was found when somebody last looked. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._plugged: tuple[Offer, ...] | None = None
        self._asked: dict[str, Offer] = {}

    @property
    def is_looked_for(self) -> bool:
        return self._plugged is not None

    def found(self, told: Sequence[Wire]) -> None:
        """Take in what is plugged in now."""
        with self._lock:
            self._plugged = tuple(offer_of(one) for one in told)

    def ask(self, told: Wire) -> Offer:
        """Take in a camera that was found at an address."""
        offer = offer_of(told)
        with self._lock:
            self._asked[offer.key] = offer
        return offer

    def all(self) -> tuple[Offer, ...]:
        with self._lock:
            return (*(self._plugged or ()), *self._asked.values())

    def of(self, key: str) -> Offer:
        """Return the offer of a key; nobody offers another."""
        found = next((offer for offer in self.all() if offer.key == key), None)
        return found or abort(404)


def offer_of(told: Wire) -> Offer:
    return Offer(str(told["driver"]), dict(told["options"]), str(told["called"]))


class CameraStep:
    """The page of the cameras."""

    step = Step.CAMERA

    def __init__(self, wizard: WizardDesk) -> None:
        self._wizard = wizard
        self._desk = wizard.desk
        self._offers = Offers()

    @property
    def _chosen(self) -> tuple[DeviceSettings, ...]:
        return self._wizard.house.settings.cameras

    def show(self, token: str, fault: Sentence | None = None) -> Shown:
        if not self._offers.is_looked_for or "look" in request.args:
            answer = self._desk.do("find", {"do": "cameras"}, wait_s=LOOK_S)
            fault = fault or self._desk.why(answer)
            self._offers.found(answer.get("cameras", ()))
        states = {one.device: one for one in self._wizard.seen.devices if one.kind == "camera"}
        offers = [
            one for one in self._offers.all() if not any(one.is_same(camera) for camera in self._chosen)
        ]
        return self._wizard.shown(
            token,
            self.step,
            fault,
            chosen=self._chosen,
            states=states,
            by_hand={one.name for one in self._chosen if self._wizard.is_by_hand(GROUP, one.name)},
            has_profile={one.name for one in self._chosen if self._has_profile(one)},
            is_in_play=self._wizard.is_in_play,
            is_box_taught=self._wizard.known().is_box_taught,
            offers=offers,
            free_name=self._free_name(),
        )

    def do(self, token: str, form: Mapping[str, str]) -> Answer:
        deeds = {"use": self._use, "ask": self._ask, "out": self._take_out, "lens": self._use_lens}
        deed = deeds.get(form.get("do", "")) or abort(400)
        fault = deed(form)
        return self.show(token, fault) if fault else self._wizard.back_to(token, self.step)

    def picture(self, told: Wire) -> Response:
        """Return what a camera sees now; nothing while a game is on."""
        if self._wizard.is_in_play:
            abort(404)
        answer = self._desk.do("find", {"do": "picture", **told})
        if not answer.get("ok"):
            abort(404)
        return Response(answer["jpeg"], content_type="image/jpeg", headers={"Cache-Control": "no-store"})

    def picture_of(self, name: str) -> Response:
        return self.picture({"camera": name}) if name in self._desk.cameras else abort(404)

    def picture_of_offer(self, key: str) -> Response:
        offer = self._offers.of(key)
        return self.picture({"driver": offer.driver, "options": offer.options})

    def _ask(self, form: Mapping[str, str]) -> Sentence | None:
        answer = self._desk.do("find", {"do": "camera_at", "address": form.get("address", "")}, wait_s=LOOK_S)
        if answer.get("ok"):
            self._offers.ask(answer["camera"])
        return self._desk.why(answer)

    def _use(self, form: Mapping[str, str]) -> Sentence | None:
        offer = self._offers.of(form.get("key", ""))
        name, place = form.get("name", "").strip(), form.get("place", "").strip()
        if not (is_name(name) and name.isprintable() and len(name) <= LONGEST_NAME):
            return Sentence("wizard.camera.no_name", {"most": LONGEST_NAME})
        if not place.isprintable() or len(place) > LONGEST_PLACE:
            return Sentence("wizard.camera.no_place", {"most": LONGEST_PLACE})
        if name in self._desk.cameras:
            return Sentence("wizard.camera.taken", {"name": name})
        device = {
            "name": name,
            "driver": offer.driver,
            **({"place": place} if place else {}),
            **offer.options,
        }
        return self._wizard.choose(lambda tree: add_device(tree, GROUP, device))

    def _take_out(self, form: Mapping[str, str]) -> Sentence | None:
        name = form.get("name", "")
        by_hand = self._wizard.is_by_hand(GROUP, name)
        return self._wizard.choose(lambda tree: take_device_out(tree, GROUP, name, is_by_hand=by_hand))

    def _use_lens(self, form: Mapping[str, str]) -> Sentence | None:
        """Let a camera's pictures be straightened by the profile that was measured of it."""
        camera = next((one for one in self._chosen if one.name == form.get("name")), None) or abort(404)

        def change(tree: dict[str, Any]) -> None:
            for device in tree.get(GROUP, ()):
                if device["name"] == camera.name:
                    device["lens"] = str(profile_file(camera.name))

        return self._wizard.choose(change)

    def _has_profile(self, camera: DeviceSettings) -> bool:
        """Tell whether a lens was measured that pictures are not straightened by yet."""
        return "lens" not in camera.options and profile_file(camera.name).is_file()

    def _free_name(self) -> str:
        names = {*self._desk.cameras}
        numbered = (f"camera-{number}" for number in range(2, len(names) + 3))
        return next(name for name in ("camera", *numbered) if name not in names)


def add_camera_pictures(pages: Blueprint, wizard: WizardDesk, cameras: CameraStep) -> None:
    """Add the pictures that the page of the cameras shows."""

    @pages.get("/<token>/camera/<name>.jpg")
    def camera_picture(token: str, name: str) -> Answer:
        """What a chosen camera sees now; nothing while a game is on."""
        wizard.desk.host_only(token)
        return cameras.picture_of(name)

    @pages.get("/<token>/found/<key>.jpg")
    def found_picture(token: str, key: str) -> Answer:
        """What a camera sees that was found and is not chosen."""
        wizard.desk.host_only(token)
        return cameras.picture_of_offer(key)
