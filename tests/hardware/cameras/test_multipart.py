"""Cutting MJPEG streams into pictures."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.cameras.multipart import HEADERS_MAX_BYTES, PartSplitter, boundary_of


@pytest.mark.parametrize(
    ("header", "boundary"),
    [
        ("multipart/x-mixed-replace; boundary=frame", b"frame"),
        ("multipart/x-mixed-replace;boundary=--frame", b"frame"),
        ('multipart/x-mixed-replace; boundary="a b"; charset=x', b"a b"),
        ("Multipart/X-Mixed-Replace; Boundary=frame;x=y", b"frame"),
        ("multipart/x-mixed-replace", None),
        ("multipart/x-mixed-replace; boundary=--", None),
    ],
)
def test_the_boundary_is_read_from_the_header_however_it_is_written(header, boundary):
    assert boundary_of(header) == boundary


def part(body, *, has_length=True):
    length = b"Content-Length: %d\r\n" % len(body) if has_length else b""
    return b"\r\n--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + body


def test_a_part_with_a_length_is_given_as_soon_as_it_is_whole():
    splitter = PartSplitter(b"frame")
    assert splitter.feed(part(b"picture")[:-1]) == []
    assert splitter.feed(b"e") == [b"picture"]


def test_a_part_without_a_length_ends_at_the_next_boundary():
    splitter = PartSplitter(b"frame")
    assert splitter.feed(part(b"one", has_length=False)) == []
    assert splitter.feed(part(b"two", has_length=False)) == [b"one\r\n"]


def test_a_boundary_inside_a_picture_of_known_length_does_not_cut_it():
    assert PartSplitter(b"frame").feed(part(b"a--frame\r\n\r\nb") + part(b"c")) == [
        b"a--frame\r\n\r\nb",
        b"c",
    ]


def test_garbage_between_parts_is_skipped():
    splitter = PartSplitter(b"frame")
    assert splitter.feed(b"\xff" * 5000 + part(b"one") + b"rubbish" + part(b"two")) == [b"one", b"two"]


def test_headers_without_an_end_and_impossible_lengths_are_given_up():
    splitter = PartSplitter(b"frame")
    assert splitter.feed(b"--frame\r\n" + b"x" * 2 * HEADERS_MAX_BYTES + part(b"one")) == [b"one"]
    assert splitter.feed(b"--frame\r\nContent-Length: 999999999\r\n\r\n" + part(b"two")) == [b"two"]
    assert splitter.dropped == 2


def test_a_stream_that_never_parts_takes_bounded_memory():
    splitter = PartSplitter(b"frame")
    for _ in range(40):
        splitter.feed(bytes(1_000_000))
    assert splitter.held_bytes < 100
    splitter.feed(b"--frame\r\n\r\n")
    for _ in range(40):
        splitter.feed(bytes(1_000_000))
        assert splitter.held_bytes <= 17_000_000
    assert splitter.dropped == 1


@settings(deadline=None)
@given(st.lists(st.tuples(st.binary(min_size=1, max_size=60), st.booleans()), max_size=8), st.data())
def test_it_does_not_matter_how_a_stream_is_chunked(bodies, data):
    stream = (
        b"".join(part(body, has_length=has_length) for body, has_length in bodies) + b"\r\n--frame\r\n\r\n"
    )
    whole = PartSplitter(b"frame").feed(stream)
    splitter, pieces, rest = PartSplitter(b"frame"), [], stream
    while rest:
        size = data.draw(st.integers(1, 40))
        pieces += splitter.feed(rest[:size])
        rest = rest[size:]
    assert pieces == whole


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_whatever_raise(received):
    PartSplitter(b"f").feed(received)
