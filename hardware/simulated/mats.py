"""The cards of a box that lie on mats before the seats, drawn: parts, research, monsters, reminders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.game import Game
from companion.ports import Pixels
from hardware.simulated.art import graveyard as art

PX_PER_MM = 4.0
MONSTER, TURNED = "monster", "monster_turned"


def small_cards(plays: Game[Any, Any, Any]) -> Iterator[tuple[str, Pixels]]:
    """Draw every part and every research card, each with its kind."""
    for form in plays.stand_in["forms"]:
        for shape in ("head", "torso", "arm", "leg"):
            yield f"{form}_{shape}", art.part_card(form, shape, PX_PER_MM)
    for special, row in plays.stand_in["specials"].items():
        yield special, art.special_card(row, PX_PER_MM)
    for card, row in plays.stand_in["research"].items():
        yield card, art.research_card(row, PX_PER_MM)


def reminders(plays: Game[Any, Any, Any]) -> dict[str, str]:
    """Return the reminder tokens of the box, each with the name of its part."""
    specials = plays.stand_in["specials"]
    return {f"token_{kind}": str(row["name"]) for kind, row in specials.items() if row.get("effect")}
