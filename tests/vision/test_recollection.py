"""What live eyes remember, which spaces want another look, and what is news."""

from __future__ import annotations

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId
from companion.ports import HIDDEN, UNKNOWN, SpaceReading
from vision.recollection import MOST_LOOKS, Recollection

LAB = BoardId("lab_red")
SPOT, OTHER = Place(LAB, SpaceId("reject1")), Place(LAB, SpaceId("reject2"))
ROT, LIMB = PieceKind("rot"), PieceKind("limb")


def sure(kind: PieceKind) -> SpaceReading:
    return SpaceReading(kind, 0.95, sure=True)


def holding(kind: PieceKind = EMPTY) -> Recollection:
    """Two places that were told, both with the same in them."""
    memory = Recollection()
    memory.disturb([SPOT, OTHER])
    for _ in range(3):
        memory.take_in({SPOT: sure(kind), OTHER: sure(kind)}, asked=[SPOT, OTHER])
    memory.tell()
    return memory


def test_a_disturbed_place_is_due_until_three_looks_agree():
    memory = holding()
    memory.disturb([SPOT])
    for _ in range(3):
        assert memory.due() == (SPOT,)
        memory.take_in({SPOT: sure(ROT)}, asked=[SPOT])
    assert memory.due() == ()
    assert memory.news() == (SPOT,)
    assert memory.shown(LAB)[SPOT.space] == sure(ROT)


def test_a_place_that_reads_as_before_is_no_news():
    memory = holding(ROT)
    memory.disturb([SPOT])
    for _ in range(3):
        memory.take_in({SPOT: sure(ROT)}, asked=[SPOT])
    assert memory.news() == ()


def test_looks_end_even_if_they_never_agree():
    memory = holding()
    memory.disturb([SPOT])
    for look in range(MOST_LOOKS):
        assert memory.due() == (SPOT,)
        memory.take_in({SPOT: sure(ROT if look % 2 else LIMB)}, asked=[SPOT])
    assert memory.due() == ()
    assert memory.shown(LAB)[SPOT.space].reads == UNKNOWN


def test_a_place_that_never_answers_is_given_up():
    memory = Recollection()
    memory.disturb([SPOT])
    for _ in range(MOST_LOOKS):
        memory.take_in({}, asked=[SPOT])
    assert memory.due() == ()
    assert memory.shown(LAB)[SPOT.space].reads == UNKNOWN


def test_a_covered_place_waits_for_its_looks():
    memory = holding()
    memory.disturb([SPOT])
    memory.cover([SPOT])
    assert memory.due() == ()
    assert memory.cover([])
    assert memory.due() == (SPOT,)


def test_hidden_is_news_after_three_frames_and_being_bare_again_is_news_without_a_look():
    memory = holding(ROT)
    memory.cover([SPOT])
    for _ in range(3):
        assert memory.news() == ()
        memory.look_at_covered()
    assert memory.news() == (SPOT,)
    assert memory.changed(memory.news()) == ()
    memory.tell()
    assert not memory.is_restless
    memory.cover([])
    assert memory.news() == (SPOT,)
    assert memory.shown(LAB)[SPOT.space] == sure(ROT)


def test_a_doubt_under_a_hand_is_not_told():
    memory = holding(EMPTY)
    memory.disturb([SPOT])
    memory.take_in({SPOT: sure(ROT)}, asked=[SPOT])
    memory.cover([SPOT])
    assert memory.news() == ()


def test_only_what_reads_otherwise_than_before_the_hand_changed():
    memory = holding(EMPTY)
    memory.cover([SPOT, OTHER])
    for _ in range(3):
        memory.look_at_covered()
    memory.tell()
    memory.cover([])
    memory.disturb([SPOT])
    for _ in range(3):
        memory.take_in({SPOT: sure(ROT)}, asked=[SPOT])
    assert set(memory.news()) == {SPOT, OTHER}
    assert memory.changed(memory.news()) == (SPOT,)


def test_a_forgotten_place_is_gone_for_good():
    memory = holding(ROT)
    memory.cover([SPOT])
    memory.disturb([SPOT])
    memory.forget([SPOT])
    assert not memory.knows(SPOT)
    assert memory.due() == ()
    assert set(memory.shown(LAB)) == {OTHER.space}
    memory.take_in({SPOT: SpaceReading(HIDDEN, 0.0, sure=False)}, asked=[SPOT])
    assert not memory.knows(SPOT)
