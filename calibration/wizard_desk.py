"""What the pages of the wizard share: what is known of the table, what was skipped, how a choice is made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.page_desk import Desk, Shown
from calibration.wizard_steps import Known, Progress, Step, keep_progress, kept_progress
from companion.game import Sentence
from companion.kept_setup import kept
from companion.plugins import PartUnusable
from companion.settings import CannotStart, Settings, choose, home, is_by_hand, is_said
from companion.table.boxes import has_eyes
from companion.table.starts import Start
from companion.table.views import TableView
from companion.table.writer import Table

Answer = str | AnyResponse | Shown
FIRST_TABLE = "table-1"
"""How a journal names its first table: before it is played, nobody has ever played here."""


class House(Protocol):
    """What the wizard needs of the host besides what all pages of this package do."""

    settings: Settings
    start: Start
    table: Table

    def use(self, settings: Settings) -> None: ...

    def games(self) -> Mapping[str, Any]: ...

    def new_table(self, *, game: str | None = None, box: str | None = None) -> Table: ...


class WizardDesk:
    """One for all steps. ``house`` is the same as that of ``desk``, with more to ask of it."""

    def __init__(self, desk: Desk, house: House) -> None:
        self.desk = desk
        self.house = house
        self._lock = threading.Lock()

    @property
    def seen(self) -> TableView:
        """The table as everybody may see it."""
        return self.house.table.look(None)

    @property
    def is_in_play(self) -> bool:
        """Whether a game is on: then secrets may lie in view of a camera."""
        seen = self.seen
        return seen.seq > 0 and not seen.view.is_over

    @property
    def is_new(self) -> bool:
        """Whether nobody has played here yet, nor said that it is set up."""
        is_untouched = self.desk.context.host.row.id == FIRST_TABLE and self.seen.seq == 0
        return is_untouched and not self.progress.is_closed

    @property
    def progress(self) -> Progress:
        return kept_progress(home())

    def known(self) -> Known:
        """Return what need not be asked: it stands in the settings, was taught, or was seen."""
        settings = self.house.settings
        box = self.desk.context.host.row.box
        before = kept(home())
        return Known(
            is_language_settled=is_said(settings, "web", "language"),
            cameras=tuple(device.name for device in settings.cameras),
            box=box,
            is_box_taught=has_eyes(box),
            is_set_up=before is not None and before.get("box") == box,
            dice=tuple(device.name for device in settings.dice),
            rotors=tuple(device.name for device in settings.board_sensors),
            has_begun=self.seen.seq > 0,
        )

    def skip(self, *steps: Step) -> None:
        with self._lock:
            keep_progress(home(), self.progress.skip(*steps))

    def close(self) -> None:
        """Remember that it is enough: the host's page does not begin with the wizard any more."""
        with self._lock:
            keep_progress(home(), self.progress.close())

    def choose(self, change: Callable[[dict[str, Any]], None]) -> Sentence | None:
        """Choose something for good and go on with it at once; return why not.

        After a start that left things out nothing is chosen: what is in force is not what was meant.
        """
        if self.house.start.is_safe:
            return Sentence("wizard.safe")
        with self._lock:
            try:
                self.house.use(choose(self.house.settings, change))
            except (CannotStart, PartUnusable) as no:
                return Sentence("teach.plainly", {"text": str(no)})
            except OSError as no:
                return Sentence("teach.plainly", {"text": no.strerror or str(no)})
        return None

    def is_by_hand(self, group: str, name: str) -> bool:
        return is_by_hand(self.house.settings, group, name)

    def after(self, token: str, step: Step) -> AnyResponse:
        """Lead on to the next step that is open, or to the end."""
        following = self.progress.next_after(step, self.known())
        if following is None:
            return redirect(url_for(".overview", token=token), 303)
        return self.back_to(token, following)

    def back_to(self, token: str, step: Step) -> AnyResponse:
        return redirect(url_for(".step", token=token, step=step.value), 303)

    def shown(self, token: str, step: Step, fault: Sentence | None = None, **values: Any) -> Shown:
        """Return the page of a step."""
        return self.desk.shown(
            f"wizard_{step.value}.html" if step not in (Step.DIE, Step.ROTOR) else "wizard_device.html",
            token,
            409 if fault else 200,
            step=step.value,
            number=list(Step).index(step) + 1,
            count=len(Step),
            standing=self.progress.standing(step, self.known()).value,
            fault=fault,
            **values,
        )


class StepPage(Protocol):
    """One step: its page, and what its forms do."""

    step: Step

    def show(self, token: str, fault: Sentence | None = None) -> Shown: ...

    def do(self, token: str, form: Mapping[str, str]) -> Answer: ...


def add_steps(pages: Blueprint, wizard: WizardDesk, steps: Sequence[StepPage]) -> None:
    """Add the pages of the steps; each can be skipped, and gone on from once it is done."""
    by_name = {one.step.value: one for one in steps}

    @pages.get("/<token>/<any({}):step>".format(",".join(by_name)))
    def step(token: str, step: str) -> Answer:
        """One step of setting up: language, camera, boards, die, rotor or players."""
        wizard.desk.host_only(token)
        return by_name[step].show(token)

    @pages.post("/<token>/<any({}):step>".format(",".join(by_name)))
    def do_step(token: str, step: str) -> Answer:
        """Choose in a step, go on, or skip it."""
        wizard.desk.host_only(token)
        page, do = by_name[step], request.form.get("do", "")
        if do == "skip":
            wizard.skip(page.step)
        if do in ("skip", "next"):
            return wizard.after(token, page.step)
        return page.do(token, request.form)
