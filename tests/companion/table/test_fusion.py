"""Boards that several cameras see: a hand seldom hides a space from both, a contradiction is unknown."""

from __future__ import annotations

from companion.board import BoardId, PieceKind, Place, SpaceId
from companion.ports import HIDDEN, UNKNOWN, BoardReading, Reading, SpaceReading
from companion.table.merge import QUIET_MS, MergedReading

BANK, RIVER = BoardId("bank"), BoardId("river")
ONE, TWO = SpaceId("one"), SpaceId("two")
SHOWN = Place(BANK, ONE)


def space(reads: str, *, sure: bool = True) -> SpaceReading:
    return SpaceReading(PieceKind(reads), 0.97 if sure else 0.5, sure)


def reading(
    camera: str, at_ms: int, *, board: BoardId = BANK, crop: bytes = b"", **spaces: SpaceReading
) -> Reading:
    seen = {SpaceId(name): one for name, one in spaces.items()}
    crops = {Place(board, name): crop for name in seen} if crop else {}
    return Reading(camera, 0, at_ms, {board: BoardReading(board, "tags", (), 0.0, seen)}, crops=crops)


def table(*readings: Reading, live: tuple[str, ...] = ("left", "right")) -> MergedReading:
    merged = MergedReading()
    for camera in live:
        merged.stand(camera, is_live=True)
    for one in readings:
        merged.see(one)
    return merged


def now(merged: MergedReading, place: Place = SHOWN, now_ms: int = 100_000) -> SpaceReading:
    whole = merged.now(now_ms)
    assert whole is not None
    found = whole.at(place)
    assert found is not None
    return found


def test_what_a_hand_hides_from_one_camera_the_other_one_sees() -> None:
    merged = table(reading("left", 1, one=space("stone")), reading("right", 2, one=space(HIDDEN)))
    assert (now(merged).reads, now(merged).sure) == ("stone", True)


def test_a_contradiction_is_unknown_however_sure_each_is() -> None:
    merged = table(reading("left", 1, one=space("stone")), reading("right", 2, one=space("shell")))
    assert (now(merged).reads, now(merged).sure) == (UNKNOWN, False)
    assert set(now(merged).others) == {"stone", "shell"}
    merged.see(reading("left", 3, one=space("shell")))
    assert (now(merged).reads, now(merged).sure) == ("shell", True)


def test_the_camera_that_is_sure_counts_against_one_that_is_not() -> None:
    merged = table(
        reading("left", 1, one=space("stone")), reading("right", 2, one=space("shell", sure=False))
    )
    assert (now(merged).reads, now(merged).sure) == ("stone", True)


def test_each_camera_adds_the_spaces_that_it_alone_sees() -> None:
    merged = table(reading("left", 1, one=space("stone")), reading("right", 2, two=space("shell")))
    assert now(merged, Place(BANK, ONE)).reads == "stone"
    assert now(merged, Place(BANK, TWO)).reads == "shell"


def test_a_lost_camera_costs_only_what_it_alone_saw() -> None:
    merged = table(
        reading("left", 1, one=space("stone")),
        reading("right", 2, one=space("shell")),
        reading("right", 2, board=RIVER, one=space("boat")),
    )
    merged.stand("right", is_live=False)
    assert (now(merged).reads, now(merged).sure) == ("stone", True)
    assert now(merged, Place(RIVER, ONE)).reads == "boat"  # as it was seen last


def test_what_was_seen_before_a_tap_does_not_contradict_what_was_seen_after_it() -> None:
    merged = table(reading("left", 1, one=space("stone")), reading("right", 2, one=space("stone")))
    merged.touch([SHOWN], 10)
    assert now(merged, now_ms=11).reads == HIDDEN
    merged.see(reading("left", 20, one=space("empty")))
    assert (now(merged, now_ms=21).reads, now(merged, now_ms=21).sure) == ("empty", True)
    assert now(merged, now_ms=10 + QUIET_MS).reads == UNKNOWN  # the other camera still says otherwise


def test_a_photo_counts_by_itself_until_a_camera_says_something_newer() -> None:
    merged = table(reading("left", 1, one=space("stone")), reading("right", 2, one=space("stone")))
    merged.see(reading("photo of red", 3, one=space("shell")))
    assert now(merged).reads == "shell"
    merged.see(reading("left", 4, one=space("stone")))
    assert now(merged).reads == "stone"


def test_the_evidence_is_the_picture_of_the_camera_that_saw_it() -> None:
    merged = table(
        reading("left", 1, crop=b"left", one=space("stone")),
        reading("right", 2, crop=b"right", one=space("shell", sure=False)),
    )
    whole = merged.now(100)
    assert whole is not None
    assert whole.crops[SHOWN] == b"left"
    source = merged.source_of(SHOWN)
    assert source is not None and source.camera == "left"


def test_cameras_that_never_stood_are_taken_one_after_the_other_as_before() -> None:
    merged = table(reading("a", 1, one=space("stone")), reading("b", 2, one=space("shell")), live=())
    assert now(merged).reads == "shell"
