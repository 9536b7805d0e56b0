"""What players who think ahead take for their bag: tiles that pay, then the parts that it lacks most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Prompt, Wire

TILES = {
    "lester_upgrade": 3.0,
    "sorting_table": 2.5,
    "meat_replicator": 2.0,
    "goop_replicator": 2.0,
    "zapper_replicator": 2.0,
    "med_school": 2.0,
    "spikes_replicator": 1.8,
    "stitches_replicator": 1.8,
    "bogo_coupon_printer": 1.8,
}
"""What tiles are worth at the beginning of a game, in parts that could be taken instead: what they give
at once, and again at the two or three reanimations to come. Others are not worth a part."""

STEADY = 1.2
"""A tile keeps its worth until this times what is left of the Rot track falls below the whole track."""

DECK = 2
"""How many parts of each kind cards to come will ask for."""


def taken(facts: Wire) -> Wire:
    """Return the command to take items: tiles that are worth more than a part, then parts."""
    track, length = facts["track"]
    share = min(1.0, STEADY * track / length)
    worth = {spot: share * TILES.get(tile, 0.0) for spot, tile in facts["cart"]["tiles"].items()}
    room = min(facts["items"], len(facts["tile_spaces"]))
    spots = [spot for spot in sorted(worth, key=lambda spot: -worth[spot]) if worth[spot] > 1][:room]
    left, offer = facts["items"] - len(spots), facts["cart"]["offer"]
    bag, parts = _bag_to_be(facts), dict.fromkeys(offer, 0)
    while left and any(parts[kind] < offer[kind] for kind in offer):
        scarce = max(
            (kind for kind in offer if parts[kind] < offer[kind]), key=lambda k: _lack(facts, bag, k)
        )
        parts[scarce] += 1
        bag[scarce] = bag.get(scarce, 0) + 1
        left -= 1
    command: dict[str, Any] = {"do": "take_items", "seat": facts["seat"]}
    command["parts"] = {kind: count for kind, count in parts.items() if count}
    return command | ({"tiles": dict.fromkeys(spots, "")} if spots else {})


def added(facts: Wire, prompt: Prompt) -> Wire | None:
    """Return the command for the part on offer that the bag lacks most, None if there is none."""
    offers = [choice.command for choice in prompt.choices if choice.command.get("do") == "add_part"]
    bag = _bag_to_be(facts)
    return max(offers, key=lambda offer: _lack(facts, bag, offer["kind"]), default=None)


def _bag_to_be(facts: Wire) -> dict[str, int]:
    """Return the bag with all tokens of the lab back in it."""
    bag = dict(facts["bag"])
    for kind in facts["labs"][facts["seat"]]["parts"].values():
        bag[kind] = bag.get(kind, 0) + 1
    return bag


def _lack(facts: Wire, bag: Mapping[str, int], kind: str) -> float:
    """Return how much is asked of a kind for every token that the bag has of it."""
    asked: int = sum(kinds.count(kind) for _, *kinds in facts["shown"].values())
    return (DECK + asked) / (1 + bag.get(kind, 0))
