"""The pages that set a table up for the first time (entry point ``companion.pages``), for the host only.

``/wizard/<token>/``: language, camera, boards, die, rotor, players. Every step can be skipped, and gone on
with after a restart; what is known already is shown and not asked. Works without script; with it, pictures
and what a device says come by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.page_desk import Context as CommonContext
from calibration.page_desk import Desk, Shown
from calibration.wizard_boxes import BoardsStep, GameChoice, PlayersStep
from calibration.wizard_cameras import CameraStep, add_camera_pictures
from calibration.wizard_desk import Answer, WizardDesk, add_steps
from calibration.wizard_devices import DeviceStep
from calibration.wizard_steps import RIG, Known, Standing, Step
from companion.game import Sentence


class Context(CommonContext, Protocol):
    """What the web hands to a page; the part of it that the wizard needs."""

    languages: Callable[[], Sequence[tuple[str, str]]]
    settle_language: Callable[[AnyResponse, str], None]


def page(context: Context) -> Blueprint:
    """Return the pages of the wizard."""
    pages = Blueprint("wizard", __name__, url_prefix="/wizard", template_folder="templates")
    wizard = WizardDesk(Desk(context), context.host)  # type: ignore[arg-type]  # the web's host is both
    tell = wizard.desk.tell

    def host_links(token: str) -> list[tuple[str, ...]]:
        link = (tell("wizard.link"), f"/wizard/{token}/")
        is_open = any(not wizard.known().settles(step) for step in RIG)
        return [(*link, tell("wizard.first"))] if wizard.is_new and is_open else [link]

    pages.host_links = host_links  # type: ignore[attr-defined]  # the web asks every page for them
    _add_overview(pages, wizard)
    choice, cameras = GameChoice(wizard), CameraStep(wizard)
    add_steps(
        pages,
        wizard,
        (
            LanguageStep(wizard, context),
            cameras,
            BoardsStep(wizard, choice),
            DeviceStep(wizard, Step.DIE),
            DeviceStep(wizard, Step.ROTOR),
            PlayersStep(wizard, choice),
        ),
    )
    add_camera_pictures(pages, wizard, cameras)
    return pages


class LanguageStep:
    """The page of the language: of the big screen, of whoever asks for none, and of this phone."""

    step = Step.LANGUAGE

    def __init__(self, wizard: WizardDesk, context: Context) -> None:
        self._wizard = wizard
        self._context = context

    def show(self, token: str, fault: Sentence | None = None) -> Shown:
        is_fixed = self._wizard.is_by_hand("web", "language")
        return self._wizard.shown(
            token,
            self.step,
            fault,
            languages=self._context.languages(),
            spoken=self._context.language(),
            is_fixed=is_fixed,
        )

    def do(self, token: str, form: Mapping[str, str]) -> Answer:
        language = form.get("language", "")
        if form.get("do") != "language" or language not in dict(self._context.languages()):
            abort(400)

        def change(tree: dict[str, Any]) -> None:
            tree["web"] = {**tree.get("web", {}), "language": language}

        fault = self._wizard.choose(change)
        if fault:
            return self.show(token, fault)
        answer = self._wizard.after(token, self.step)
        self._context.settle_language(answer, language)
        return answer


def _add_overview(pages: Blueprint, wizard: WizardDesk) -> None:
    @pages.get("/<token>/")
    def overview(token: str) -> Answer:
        """How far the table is set up, and the next step."""
        wizard.desk.host_only(token)
        known, progress = wizard.known(), wizard.progress
        steps = [(step.value, progress.standing(step, known).value, _said(step, known)) for step in Step]
        following = progress.next_after(None, known)
        untouched = progress.skipped.isdisjoint(RIG) and not any(known.settles(step) for step in RIG)
        return wizard.desk.shown(
            "wizard_overview.html",
            token,
            steps=steps,
            following=following.value if following else None,
            can_be_phones_alone=untouched,
            is_done=all(progress.standing(step, known) is not Standing.OPEN for step in Step),
        )

    @pages.post("/<token>/")
    def end(token: str) -> Answer:
        """Say that it is enough: phones alone, or as it is now."""
        wizard.desk.host_only(token)
        if request.form.get("do") == "phones":
            wizard.skip(*RIG)
        elif request.form.get("do") != "close":
            return redirect(url_for(".overview", token=token), 303)
        wizard.close()
        return redirect(f"/host/{token}/", 303)


def _said(step: Step, known: Known) -> Sentence | None:
    """Return what is known about a step, for one line."""
    named = {Step.CAMERA: known.cameras, Step.DIE: known.dice, Step.ROTOR: known.rotors}.get(step, ())
    if named:
        return Sentence("wizard.known.named", {"names": ", ".join(named)})
    if step is Step.BOARDS and known.is_box_taught:
        key = "wizard.known.box" if known.settles(step) else "wizard.known.not_set_up"
        return Sentence(key, {"box": known.box})
    return None
