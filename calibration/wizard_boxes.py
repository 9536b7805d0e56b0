"""The step of the boards: which game, which taught box, and whether the camera sees its boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import abort

from calibration.page_desk import Shown
from calibration.wizard_desk import Answer, WizardDesk
from calibration.wizard_steps import Step
from companion.game import Sentence
from companion.kept_setup import kept
from companion.plugins import PartUnusable
from companion.settings import CannotStart, home
from companion.table.boxes import BoxUnusable, has_eyes, taught_boxes


def title_of(game: str) -> str:
    """Return what a game is called on pages: ``making_monsters`` is Making Monsters."""
    return game.replace("_", " ").title()


class GameChoice:
    """Chooses the game and the box of the next table; a table that nobody has played at gives way at once."""

    def __init__(self, wizard: WizardDesk) -> None:
        self._wizard = wizard

    def games(self) -> tuple[tuple[str, str], ...]:
        """Return the games that are installed, each with its title."""
        return tuple((name, title_of(name)) for name in sorted(self._wizard.house.games()))

    @property
    def is_fixed(self) -> bool:
        """Whether the game stands in the settings by hand, so that pages do not change it."""
        return self._wizard.is_by_hand("table", "game")

    def choose_game(self, game: str) -> Sentence | None:
        """Play a game from now on, with the box that was chosen if that is one of its own."""
        if game not in self._wizard.house.games():
            abort(400)
        box = self._wizard.house.settings.table.box
        try:
            return self._open(game, box)
        except BoxUnusable:
            return self._open(game, "")

    def choose_box(self, box: str) -> Sentence | None:
        """Play with a box from now on."""
        if box not in taught_boxes():
            abort(400)
        try:
            return self._open(self._wizard.house.settings.table.game, box)
        except BoxUnusable as no:
            return Sentence("teach.plainly", {"text": str(no)})

    def _open(self, game: str, box: str) -> Sentence | None:
        """Raises BoxUnusable if the box is not one of the game's."""
        house = self._wizard.house
        is_fresh = self._wizard.seen.seq == 0
        if is_fresh:
            try:
                house.new_table(game=game, box=box)
            except BoxUnusable:
                raise
            except (CannotStart, PartUnusable) as no:
                return Sentence("teach.plainly", {"text": str(no)})

        def change(tree: dict[str, Any]) -> None:
            tree["table"] = {**tree.get("table", {}), "game": game, "box": box}

        return self._wizard.choose(change)


class BoardsStep:
    """The page of the boards."""

    step = Step.BOARDS

    def __init__(self, wizard: WizardDesk, choice: GameChoice) -> None:
        self._wizard = wizard
        self._choice = choice

    def show(self, token: str, fault: Sentence | None = None) -> Shown:
        row = self._wizard.desk.context.host.row
        before = kept(home())
        is_kept = before is not None and before.get("box") == row.box
        return self._wizard.shown(
            token,
            self.step,
            fault,
            games=self._choice.games(),
            game=row.game,
            is_fixed=self._choice.is_fixed,
            boxes=[box for box in taught_boxes() if has_eyes(box)],
            box=row.box,
            is_taught=has_eyes(row.box),
            kept_at=str(before["at_utc"])[:16].replace("T", " ") if before is not None and is_kept else None,
        )

    def do(self, token: str, form: Mapping[str, str]) -> Answer:
        chosen = {"game": self._choice.choose_game, "box": self._choice.choose_box}
        choose = chosen.get(form.get("do", "")) or abort(400)
        fault = choose(form.get("name", ""))
        return self.show(token, fault) if fault else self._wizard.back_to(token, self.step)


class PlayersStep:
    """The page of the players: it leads to the opening of a table."""

    step = Step.PLAYERS

    def __init__(self, wizard: WizardDesk, choice: GameChoice) -> None:
        self._wizard = wizard
        self._choice = choice

    def show(self, token: str, fault: Sentence | None = None) -> Shown:
        row = self._wizard.desk.context.host.row
        games, fixed = self._choice.games(), self._choice.is_fixed
        return self._wizard.shown(
            token, self.step, fault, games=games, game=row.game, is_fixed=fixed, called=title_of(row.game)
        )

    def do(self, token: str, form: Mapping[str, str]) -> Answer:
        if form.get("do") != "game":
            abort(400)
        fault = self._choice.choose_game(form.get("name", ""))
        return self.show(token, fault) if fault else self._wizard.back_to(token, self.step)
