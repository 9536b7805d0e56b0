"""How a player answers for a seat that is not followed: nobody tells it what lies there, so chance does.

It says only what its prompt offers. Imports ``companion.game`` only, as players do.
"""

from __future__ import annotations

from typing import Any

from companion.game import Choice, Prompt, View, Wire

ORDERS = ("red", "yellow", "blue")
MOST_REPORTED = 3
POINTS_A_ROT = 9
"""What a chance reanimation brings for each Rot it takes: two monsters of the stand-in box and a bonus."""


def is_reporting(view: View) -> bool:
    """Say whether the seat of a view is not followed token by token."""
    return bool(view.facts.get("depth", "full") != "full")


def report(view: View, prompt: Prompt, chance: float) -> Wire | None:
    """Return an answer to a prompt, None where it asks nothing of such a seat."""
    facts = view.facts
    if facts.get("stage") == "order":
        return {"do": "choose_order", "seat": prompt.seat, "order": order_by_chance(chance)}
    offers = [choice for choice in prompt.choices if choice.weight != "quiet"]
    complete = [choice for choice in offers if choice.command["do"] == "complete"]
    rest = [choice for choice in offers if choice not in complete]
    if complete and len(facts["done"]) < MOST_REPORTED and chance < 0.5:
        return _filled(complete[int(chance * 2 * len(complete))], chance)
    return _filled(rest[int(chance * len(rest))], chance) if rest else None


def order_by_chance(chance: float) -> str:
    return ORDERS[int(chance * len(ORDERS))]


def _filled(choice: Choice, chance: float) -> Wire:
    """Return the command of a choice, its fields filled in."""
    command: dict[str, Any] = {**choice.command, **{field.name: field.value for field in choice.fields}}
    if command["do"] == "tell_points":
        rot = int(chance * 3)
        command |= {"points": rot * POINTS_A_ROT, "rot": rot}
    return command
