"""The cards of a box that lie on mats before the seats, drawn: parts, research, monsters, reminders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from companion.game import Game
from companion.ports import Pixels
from hardware.simulated.art import graveyard as art

PX_PER_MM = 4.0
MONSTER, TURNED = "monster", "monster_turned"


def drawings(plays: Game[Any, Any, Any]) -> Mapping[str, Callable[[], Pixels]]:
    """Return what draws every part and every research card, by kind."""
    told = plays.stand_in
    parts = {
        f"{form}_{shape}": partial(art.part_card, form, shape, PX_PER_MM)
        for form in told["forms"]
        for shape in ("head", "torso", "arm", "leg")
    }
    specials = {kind: partial(art.special_card, row, PX_PER_MM) for kind, row in told["specials"].items()}
    research = {kind: partial(art.research_card, row, PX_PER_MM) for kind, row in told["research"].items()}
    return {**parts, **specials, **research}


def small_cards(plays: Game[Any, Any, Any]) -> Iterator[tuple[str, Pixels]]:
    """Draw every part and every research card, each with its kind."""
    for kind, draw in drawings(plays).items():
        yield kind, draw()


def reminders(plays: Game[Any, Any, Any]) -> dict[str, str]:
    """Return the reminder tokens of the box, each with the name of its part."""
    specials = plays.stand_in["specials"]
    return {f"token_{kind}": str(row["name"]) for kind, row in specials.items() if row.get("effect")}
