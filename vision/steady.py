"""Steady over frames: many looks at a space become one claim.

Pure: values in, values out, no pictures. A claim is made by agreeing looks, withdrawn at the
first sure contradiction, and a hand never changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.board import PieceKind
from companion.ports import HIDDEN, UNKNOWN, Obstacle, SpaceReading

NEEDED = 3  # agreeing looks; each has its own noise
HIDDEN_LOOKS = 3  # a sleeve that brushes past is no news


@dataclass(frozen=True, slots=True)
class Belief:
    """What is held of one space.

    ``claim`` is the last steady answer, None before the first. ``is_doubted``: a sure look
    contradicted it and nothing has settled the matter yet. ``sure_looks`` agree with one another,
    ``unsure_looks`` are the others since the last claim. ``hidden_looks`` counts in a row.
    ``is_settled``: enough looks since the last disturbance, no more are needed.
    """

    claim: SpaceReading | None = None
    is_doubted: bool = False
    sure_looks: tuple[SpaceReading, ...] = ()
    unsure_looks: tuple[SpaceReading, ...] = ()
    hidden_looks: int = 0
    is_settled: bool = False

    @property
    def known(self) -> PieceKind | None:
        """Return what was last surely there, whatever hides it now; None if never sure."""
        return self.claim.reads if self.claim is not None and self.claim.sure else None


def agree(one: SpaceReading, other: SpaceReading) -> bool:
    """Tell whether two looks saw the same."""
    return one.reads == other.reads and sorted(one.on_top) == sorted(other.on_top)


def looked(belief: Belief, look: SpaceReading, *, needed: int = NEEDED) -> Belief:
    """Take in one look. ``needed`` agreeing ones make a claim; ``hidden`` changes nothing but the count."""
    if look.reads == HIDDEN:
        return replace(belief, hidden_looks=belief.hidden_looks + 1)
    belief = replace(belief, hidden_looks=0)
    if not look.sure or look.reads == UNKNOWN:
        return _unsure(belief, look, needed)
    return _sure(belief, look, needed)


def disturbed(belief: Belief) -> Belief:
    """Say that something moved there: looks before and after it do not add up. The claim stands."""
    return replace(belief, sure_looks=(), unsure_looks=(), is_settled=False)


def given_up(belief: Belief) -> Belief:
    """Say that the looks will not agree: what is shown stays as it is until the next disturbance."""
    return replace(belief, sure_looks=(), unsure_looks=(), is_settled=True)


def shown(belief: Belief) -> SpaceReading:
    """Return what to tell the table of a space."""
    if belief.hidden_looks >= HIDDEN_LOOKS:
        return SpaceReading(HIDDEN, 0.0, sure=False, obstacle=Obstacle.COVERED)
    claim = belief.claim
    if claim is None:
        return SpaceReading(UNKNOWN, 0.0, sure=False, others=_candidates(belief.sure_looks))
    if belief.is_doubted:
        others = _candidates((claim, *belief.sure_looks))
        return SpaceReading(UNKNOWN, 0.0, sure=False, others=others, obstacle=Obstacle.TWO_CANDIDATES)
    return claim


def _unsure(belief: Belief, look: SpaceReading, needed: int) -> Belief:
    claim = belief.claim
    if belief.is_settled and claim is not None and not claim.sure:
        return replace(belief, claim=max(claim, look, key=_weight))
    looks = (*belief.unsure_looks, look)
    if len(looks) < needed:
        return replace(belief, unsure_looks=looks)
    return Belief(claim=max(looks, key=_weight), is_settled=True)


def _sure(belief: Belief, look: SpaceReading, needed: int) -> Belief:
    claim = belief.claim
    agrees = claim is not None and claim.sure and agree(claim, look)
    if claim is not None and agrees and belief.is_settled and not belief.is_doubted:
        return replace(belief, claim=min(claim, look, key=_weight), unsure_looks=())
    if claim is not None and claim.sure and not agrees:
        belief = replace(belief, is_doubted=True, is_settled=False)
    same = belief.sure_looks if all(agree(look, earlier) for earlier in belief.sure_looks) else ()
    looks = (*same, look)
    if len(looks) < needed:
        return replace(belief, sure_looks=looks)
    return Belief(claim=min(looks, key=_weight), is_settled=True)


def _weight(look: SpaceReading) -> tuple[float, str, tuple[str, ...]]:
    """Order looks so that it does not matter in which order they came."""
    return look.confidence, look.reads, (*look.others, str(look.obstacle or ""))


def _candidates(looks: Sequence[SpaceReading]) -> tuple[PieceKind, ...]:
    return tuple(dict.fromkeys(look.reads for look in looks if look.reads not in (UNKNOWN, HIDDEN)))
