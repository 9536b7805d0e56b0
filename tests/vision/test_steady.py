"""What many looks at a space add up to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.board import EMPTY, PieceKind
from companion.ports import HIDDEN, UNKNOWN, Obstacle, SpaceReading
from vision.steady import HIDDEN_LOOKS, NEEDED, Belief, agree, disturbed, given_up, looked, shown

LIMB, GOOP = PieceKind("limb"), PieceKind("goop")
HAND = SpaceReading(HIDDEN, 0.0, sure=False)


def sure(reads: PieceKind, confidence: float = 0.95) -> SpaceReading:
    return SpaceReading(reads, confidence, sure=True)


def unsure(reads: PieceKind, confidence: float = 0.5) -> SpaceReading:
    return SpaceReading(reads, confidence, sure=False)


def after(looks: list[SpaceReading], belief: Belief | None = None) -> Belief:
    belief = belief or Belief()
    for look in looks:
        belief = looked(belief, look)
    return belief


kinds = st.sampled_from([EMPTY, LIMB, GOOP])
confidences = st.floats(0.0, 1.0).map(lambda share: round(share, 3))
sure_looks = st.builds(sure, kinds, confidences)
unsure_looks = st.builds(unsure, st.sampled_from([EMPTY, LIMB, GOOP, UNKNOWN]), confidences)
looks_of_all_sorts = st.lists(st.one_of(sure_looks, unsure_looks, st.just(HAND)), max_size=12)


def test_three_agreeing_looks_make_a_claim_and_two_do_not():
    assert shown(after([sure(LIMB)] * 2)).reads == UNKNOWN
    assert shown(after([sure(LIMB)] * 3)) == sure(LIMB)


def test_a_claim_carries_the_confidence_of_its_weakest_look():
    assert shown(after([sure(LIMB, 0.99), sure(LIMB, 0.91), sure(LIMB, 0.97)])).confidence == 0.91


def test_three_unsure_looks_never_become_a_sure_claim():
    claim = shown(after([unsure(LIMB, 0.6), unsure(GOOP, 0.7), unsure(LIMB, 0.5)]))
    assert claim == unsure(GOOP, 0.7)


def test_one_sure_contradiction_withdraws_a_claim_and_names_both():
    doubted = shown(looked(after([sure(LIMB)] * 3), sure(GOOP)))
    assert (doubted.reads, doubted.sure) == (UNKNOWN, False)
    assert doubted.others == (LIMB, GOOP)
    assert doubted.obstacle is Obstacle.TWO_CANDIDATES


def test_a_withdrawn_claim_comes_back_by_three_agreeing_looks_only():
    belief = looked(after([sure(LIMB)] * 3), sure(GOOP))
    assert not shown(after([sure(LIMB)] * 2, belief)).sure
    assert shown(after([sure(LIMB)] * 3, belief)) == sure(LIMB)


def test_one_unsure_look_does_not_shake_a_claim():
    assert shown(looked(after([sure(LIMB)] * 3), unsure(GOOP))) == sure(LIMB)


def test_looks_before_and_after_a_disturbance_do_not_add_up():
    belief = disturbed(after([sure(LIMB)] * 2))
    assert shown(looked(belief, sure(LIMB))).reads == UNKNOWN


def test_tokens_on_a_tile_are_part_of_what_is_seen():
    bare, laden = sure(LIMB), SpaceReading(LIMB, 0.95, sure=True, on_top=(GOOP,))
    assert not agree(bare, laden)
    assert not shown(looked(after([bare] * 3), laden)).sure


def test_a_space_is_hidden_after_the_hand_has_stayed():
    belief = after([sure(LIMB)] * 3)
    assert shown(after([HAND] * (HIDDEN_LOOKS - 1), belief)) == sure(LIMB)
    assert shown(after([HAND] * HIDDEN_LOOKS, belief)).reads == HIDDEN


def test_giving_up_ends_the_looking_and_leaves_the_doubt():
    belief = given_up(looked(after([sure(LIMB)] * 3), sure(GOOP)))
    assert belief.is_settled
    assert shown(belief).reads == UNKNOWN


@given(looks_of_all_sorts, st.integers(1, 9))
def test_a_hand_never_becomes_a_change(looks, hands):
    before = after(looks)
    during = after([HAND] * hands, before)
    assert during.claim == before.claim
    assert during.is_doubted == before.is_doubted
    back = [sure(LIMB)] * NEEDED
    assert shown(after(back, during)) == shown(after(back, before))


@given(kinds, st.lists(confidences, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_agreeing_looks_does_not_matter(reads, levels, chance):
    looks = [sure(reads, level) for level in levels]
    mixed = list(looks)
    chance.shuffle(mixed)
    assert shown(after(looks)) == shown(after(mixed))


@given(kinds, kinds, st.integers(NEEDED, 8), confidences)
def test_a_contradiction_withdraws_whatever_stood_before(held, seen, looks, confidence):
    belief = looked(after([sure(held)] * looks), sure(seen, confidence))
    assert shown(belief).sure == (held == seen)


@given(looks_of_all_sorts)
def test_a_sure_claim_was_looked_at_surely_three_times(looks):
    claim = after(looks).claim
    if claim is not None and claim.sure:
        assert sum(look.sure and look.reads == claim.reads for look in looks) >= NEEDED
