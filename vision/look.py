"""What was seen of one space: evidence, not yet an answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.board import PieceKind, SpaceId


@dataclass(frozen=True, slots=True)
class Look:
    """One space: answers tried, best first, with their misfits (mean squared misses a pixel).

    ``group`` says how it was looked at (``token``, ``part``, ``card``, ``tile``, ``pile``,
    ``stack``). ``empty`` is the misfit of the art below where the best piece would cover it, ``bare`` over
    the middle of the place, whatever was tried beside it. ``alike`` is the best answer's likeness in
    shape, ``lead`` by how much it leads there (an empty space has no shape of its own: it leads over
    whatever piece is most alike). ``contrast`` is the variance of what the answer has to explain, ``ring``
    the middle misfit of what lies around a token's place, ``around`` the share of the bare board near it
    that looks wrong, ``usual`` the misfit of bare board anywhere; ``clarity`` is how sharp the board is,
    0 to 1. ``on_top`` are looks at tokens on a tile.
    """

    space: SpaceId
    group: str
    answers: tuple[PieceKind, ...]
    misfits: tuple[float, ...]
    empty: float
    bare: float
    inside: float
    alike: float = 1.0
    lead: float = 1.0
    contrast: float = 0.0
    ring: float = 0.0
    around: float = 0.0
    usual: float = 0.0
    clarity: float = 1.0
    offset_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    parent: SpaceId | None = None
    on_top: tuple[Look, ...] = field(default=())
