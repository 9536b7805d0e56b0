"""What lies beside the boards, after several looks."""

from __future__ import annotations

from companion.board import BoardId, PieceKind
from companion.ports import LoosePiece
from vision.beside import MOST_LOOKS, Beside

LAB = BoardId("lab_red")


def piece(reads: str, at: tuple[float, float] = (100.0, 100.0), *, sure: bool = True) -> LoosePiece:
    return LoosePiece(PieceKind(reads), at, 12.0, 0.95 if sure else 0.5, sure=sure, near=LAB)


def looked_at(*looks: list[LoosePiece]) -> Beside:
    beside = Beside()
    for seen in looks:
        beside.take_in(seen)
    return beside


def test_three_agreeing_looks_are_enough_wherever_exactly_the_piece_was_seen():
    beside = looked_at([piece("order_red")], [piece("order_red", (103, 98))], [piece("order_red", (99, 102))])
    assert not beside.is_due
    assert [(found.reads, found.sure) for found in beside.pieces] == [("order_red", True)]


def test_two_pieces_of_a_kind_are_two_pieces():
    both = [piece("order_back"), piece("order_back", (300.0, 100.0))]
    assert len(looked_at(both, both, both).pieces) == 2


def test_a_piece_seen_once_is_none():
    assert looked_at([piece("order_red")], *[[]] * (MOST_LOOKS - 1)).pieces == ()


def test_a_piece_read_otherwise_each_time_is_not_sure():
    looks = [[piece(reads)] for reads in ("order_red", "order_blue") * 3]
    (found,) = looked_at(*looks).pieces
    assert not found.sure


def test_only_other_pieces_are_news():
    beside = looked_at(*[[piece("order_back")]] * 3)
    assert beside.has_news()
    beside.tell()
    beside.disturb()
    assert beside.is_due
    for _ in range(3):
        beside.take_in([piece("order_back", (104.0, 101.0))])
    assert not beside.has_news()
    beside.disturb()
    for _ in range(3):
        beside.take_in([piece("order_red")])
    assert beside.has_news()


def test_while_looks_are_due_nothing_is_news_and_the_old_pieces_stand():
    beside = looked_at(*[[piece("order_back")]] * 3)
    beside.tell()
    beside.disturb()
    beside.take_in([])
    assert not beside.has_news()
    assert [found.reads for found in beside.pieces] == ["order_back"]
