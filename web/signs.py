"""Which drawing stands for what: seats are creatures, the rest is looked up by name in signs.svg."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.game import Seat, SeatView

CREATURES = ("cyclops", "ghoul", "slime", "octopod", "wolf", "moth")

NEAREST = {
    "orange": "cyclops",
    "purple": "ghoul",
    "green": "slime",
    "red": "octopod",
    "pink": "octopod",
    "brown": "wolf",
    "yellow": "wolf",
    "blue": "moth",
}
"""A seat that its box names by a colour gets the creature nearest to it."""

PREFIX = "seat-"


def creatures(seats: Sequence[Seat], shown: Sequence[SeatView]) -> Mapping[Seat, str]:
    """Return a creature for each seat of the box: the game's sign, the nearest colour, the next free one."""
    signs = {one.seat: one.sign for one in shown if one.sign.startswith(PREFIX)}
    chosen: dict[Seat, str] = {}
    for seat in seats:
        named = signs.get(seat, seat).removeprefix(PREFIX)
        wanted = named if named in CREATURES else NEAREST.get(named)
        if wanted in CREATURES and wanted not in chosen.values():
            chosen[seat] = wanted
    free = iter([name for name in CREATURES if name not in chosen.values()])
    return {seat: chosen.get(seat) or next(free, CREATURES[0]) for seat in seats}
