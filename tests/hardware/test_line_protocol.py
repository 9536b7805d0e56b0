"""TLP/1: hardware.md 2.3 (its vectors) and the vector cases of 2.4."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hardware.line_protocol import LINE_MAX_BYTES, RUN_MAX_BYTES, crc16, format_line, parse_line
from hardware.line_stream import Fresh, LineOrder, LineSplitter, LineWriter, Replayed
from hardware.messages import (
    Answer,
    DeviceKind,
    DieState,
    DieStatus,
    Farewell,
    Flaw,
    Hello,
    HostVerb,
    Line,
    Magnet,
    Order,
    Rejected,
    Remark,
    Rolled,
    RotorState,
    RotorStatus,
    Strange,
    Turned,
)

DIE, ROTOR, BOOT = "D-7F3A1C", "R-02B4E9", "9C21"

VECTORS = {
    "die-hello": (
        b"$1,D-7F3A1C,9C21,0,142,HELLO,kind=die,fw=0.3.1,hw=pico-imu1,proto=1,faces=6,hb=1000*F5AB",
        Line(DIE, BOOT, 0, 142, Hello(DeviceKind.DIE, 6, 1000, "0.3.1", "pico-imu1")),
    ),
    "die-flat": (
        b"$1,D-7F3A1C,9C21,1,1142,ST,F,0,0,5,97,84*F26F",
        Line(DIE, BOOT, 1, 1142, DieStatus(DieState.FLAT, 0, 0, 5, 97, 84)),
    ),
    "die-rolling": (
        b"$1,D-7F3A1C,9C21,7,8120,ST,R,3,5,0,0,84*A8E2",
        Line(DIE, BOOT, 7, 8120, DieStatus(DieState.ROLLING, 3, 5, 0, 0, 84)),
    ),
    "roll": (
        b"$1,D-7F3A1C,9C21,9,9480,ROLL,4,2,98,1360*2E3E",
        Line(DIE, BOOT, 9, 9480, Rolled(4, 2, 98, 1360)),
    ),
    "roll-again": (
        b"$1,D-7F3A1C,9C21,10,9730,ROLL,4,2,98,1360*48BA",
        Line(DIE, BOOT, 10, 9730, Rolled(4, 2, 98, 1360)),
    ),
    "die-cocked": (
        b"$1,D-7F3A1C,9C21,14,13110,ST,C,4,2,0,41,84*B121",
        Line(DIE, BOOT, 14, 13110, DieStatus(DieState.COCKED, 4, 2, 0, 41, 84)),
    ),
    "rotor-hello": (
        b"$1,R-02B4E9,51D0,0,90,HELLO,kind=rotor,fw=0.2.0,hw=pico-as5600,proto=1,pos=4,hb=1000*A546",
        Line(ROTOR, "51D0", 0, 90, Hello(DeviceKind.ROTOR, 4, 1000, "0.2.0", "pico-as5600")),
    ),
    "rotor-locked": (
        b"$1,R-02B4E9,51D0,3,3090,ST,L,1,898,5,1,1*DD22",
        Line(ROTOR, "51D0", 3, 3090, RotorStatus(RotorState.LOCKED, 1, 898, 5, 1, Magnet.GOOD)),
    ),
    "rotor-moving": (
        b"$1,R-02B4E9,51D0,5,4410,ST,M,1,1345,5,1,1*7308",
        Line(ROTOR, "51D0", 5, 4410, RotorStatus(RotorState.MOVING, 1, 1345, 5, 1, Magnet.GOOD)),
    ),
    "turn": (
        b"$1,R-02B4E9,51D0,8,6020,TURN,6,1,2,1,1610*E8B3",
        Line(ROTOR, "51D0", 8, 6020, Turned(6, 1, 2, 1, 1610)),
    ),
    "who": (b"$1,*,4A70,3,0,WHO*EF48", Line("*", "4A70", 3, 0, Order(HostVerb.WHO))),
    "config": (
        b"$1,D-7F3A1C,4A70,4,0,CFG,hb=500*148F",
        Line(DIE, "4A70", 4, 0, Order(HostVerb.CFG, ("hb=500",))),
    ),
    "ack": (b"$1,D-7F3A1C,9C21,15,13160,ACK,4,OK*BA35", Line(DIE, BOOT, 15, 13160, Answer(4, True))),
}


def signed(body: str) -> bytes:
    return b"$%s*%04X\n" % (body.encode(), crc16(body.encode()))


def flaw_of(raw: bytes) -> Flaw | None:
    read = parse_line(raw)
    return read.flaw if isinstance(read, Rejected) else None


@pytest.mark.parametrize(("raw", "line"), VECTORS.values(), ids=VECTORS)
def test_a_vector_reads_as_its_message_and_is_written_the_same(raw, line):
    assert parse_line(raw) == line
    assert format_line(line) == raw + b"\n"


def test_the_checksum_has_the_check_value_of_ccitt_false():
    assert crc16(b"123456789") == 0x29B1


ROLL_4 = VECTORS["roll"][0]


@pytest.mark.parametrize(
    ("raw", "flaw"),
    [
        pytest.param(ROLL_4.replace(b"2E3E", b"2E3F"), Flaw.WRONG_CHECKSUM, id="[4]-wrong"),
        pytest.param(ROLL_4.replace(b"2E3E", b"2e3e"), Flaw.NO_CHECKSUM, id="[4]-lower-case"),
        pytest.param(ROLL_4 + b"0", Flaw.NO_CHECKSUM, id="[4]-one-digit-more"),
        pytest.param(ROLL_4[:-1], Flaw.NO_CHECKSUM, id="[4]-one-digit-less"),
        pytest.param(
            signed("1,D-7F3A1C,9C21,9,9480,LOG,i," + "x" * 90), Flaw.TOO_LONG, id="[4]-right-on-121-bytes"
        ),
    ],
)
def test_4_a_checksum_that_does_not_fit_is_rejected(raw, flaw):
    assert flaw_of(raw) is flaw


def test_a_line_may_have_120_bytes_and_no_more():
    longest = Line(DIE, BOOT, 1, 2, Remark("i", "x" * 87))
    assert len(format_line(longest)) == LINE_MAX_BYTES
    with pytest.raises(ValueError, match="cannot be sent"):
        format_line(replace(longest, message=Remark("i", "x" * 88)))


@pytest.mark.parametrize("face", ["0", "7", "-1", "2.5", "", "٣"])
def test_21_a_face_that_no_die_of_six_has_is_rejected(face):
    assert flaw_of(signed(f"1,D-7F3A1C,9C21,9,9480,ROLL,4,{face},98,1360")) in (Flaw.BAD_FIELD, Flaw.BAD_BYTE)


@pytest.mark.parametrize("roll", ["0", "-1", "4294967296", "99999999999999999999999"])
def test_21_a_huge_roll_id_is_rejected(roll):
    assert flaw_of(signed(f"1,D-7F3A1C,9C21,9,9480,ROLL,{roll},3,98,1360")) is Flaw.BAD_FIELD


def test_21_rejected_lines_are_counted_by_flaw_and_a_later_good_one_is_taken():
    splitter = LineSplitter()
    bad = signed("1,D-7F3A1C,9C21,9,9480,ROLL,4,7,98,1360")
    assert splitter.feed(bad + bad + ROLL_4 + b"\n") == [VECTORS["roll"][1]]
    assert splitter.flaws == {Flaw.BAD_FIELD: 2}
    assert splitter.last_rejected is not None and "face '7'" in splitter.last_rejected.detail


def test_a_die_that_says_it_has_twenty_faces_may_show_any_of_them():
    splitter = LineSplitter()
    hello = signed("1,D-7F3A1C,9C21,0,1,HELLO,kind=die,proto=1,faces=20,hb=1000")
    read = splitter.feed(hello + signed("1,D-7F3A1C,9C21,1,2,ROLL,1,17,98,1360"))
    assert read[1].message == Rolled(1, 17, 98, 1360)


HELLO = "1,D-7F3A1C,9C21,0,142,HELLO,kind=die,fw=1,hw=x,proto=1,faces=6,hb=1000"


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        (HELLO.replace("proto=1", "proto=2"), Flaw.NEWER_VERSION),
        ("2" + HELLO[1:], Flaw.NEWER_VERSION),
        (HELLO.replace("kind=die", "kind=kettle"), Flaw.UNKNOWN_KIND),
        (HELLO.replace("kind=die", "kind=rotor"), Flaw.BAD_FIELD),
        (HELLO.replace("faces=6", "faces=1"), Flaw.BAD_FIELD),
        (HELLO.replace(",faces=6", ""), Flaw.BAD_FIELD),
        (HELLO.replace("9C21", "0000"), Flaw.BAD_FIELD),
    ],
)
def test_29_a_hello_that_this_version_cannot_trust_is_ignored_with_the_reason(body, flaw):
    read = parse_line(signed(body))
    assert isinstance(read, Rejected) and read.flaw is flaw and read.detail


def test_29_unknown_types_fields_and_keys_are_no_error():
    assert parse_line(signed(HELLO + ",colour=red,shiny")) == parse_line(signed(HELLO))
    more = ROLL_4[1:-5].decode() + ",extra,fields"
    assert parse_line(signed(more)) == VECTORS["roll"][1]
    strange = parse_line(signed("1,D-7F3A1C,9C21,9,9480,TAP,2,twice"))
    assert isinstance(strange, Line) and strange.message == Strange("TAP", ("2", "twice"))


@pytest.mark.parametrize(
    "body", ["1,D-7F3A1C,9C21,9,9480,TURN,6,1,2,1,1", "1,R-02B4E9,51D0,8,6020,ROLL,1,1,9,9"]
)
def test_a_die_does_not_turn_and_a_rotor_does_not_roll(body):
    assert flaw_of(signed(body)) is Flaw.BAD_FIELD


@pytest.mark.parametrize("way", ["1,2,2", "1,1,0", "0,3,1", "0,4,4"])
def test_a_turn_whose_way_does_not_lead_there_is_rejected(way):
    assert flaw_of(signed(f"1,R-02B4E9,51D0,8,6020,TURN,6,{way},1610")) is Flaw.BAD_FIELD


def test_a_status_with_a_roll_but_no_face_is_rejected():
    assert flaw_of(signed("1,D-7F3A1C,9C21,9,9480,ST,F,4,0,2,98,80")) is Flaw.BAD_FIELD


# -- streams ------------------------------------------------------------------------------


def test_1_a_half_line_is_assembled_when_the_rest_comes_and_dropped_at_the_next_newline_if_it_does_not():
    splitter = LineSplitter()
    assert splitter.feed(ROLL_4[:20]) == []
    assert splitter.feed(ROLL_4[20:] + b"\n") == [VECTORS["roll"][1]]
    assert splitter.feed(ROLL_4[:20] + b"\n" + ROLL_4 + b"\n") == [VECTORS["roll"][1]]
    assert splitter.flaws == {Flaw.NO_CHECKSUM: 1}


def test_1_a_line_cut_off_by_the_next_one_costs_only_itself():
    assert LineSplitter().feed(ROLL_4[:33] + ROLL_4 + b"\n") == [VECTORS["roll"][1]]


def test_2_two_lines_in_one_read_with_carriage_returns_are_both_taken():
    read = LineSplitter().feed(VECTORS["die-flat"][0] + b"\r\n" + ROLL_4 + b"\r\n")
    assert read == [VECTORS["die-flat"][1], VECTORS["roll"][1]]


def test_2_a_line_without_its_newline_waits_for_it():
    splitter = LineSplitter()
    assert splitter.feed(ROLL_4) == []
    assert splitter.feed(b"\n") == [VECTORS["roll"][1]]


@pytest.mark.parametrize("rubbish", [b"\0", b"\xff", "die fällt".encode(), b"$", b"*", b"\r"])
def test_3_ten_kilobytes_without_a_newline_take_bounded_memory_and_the_next_line_is_read(rubbish):
    splitter = LineSplitter()
    for _ in range(10_240 // len(rubbish)):
        assert splitter.feed(rubbish) == []
        assert splitter.held_bytes <= RUN_MAX_BYTES
    assert splitter.feed(b"\n" + ROLL_4 + b"\n") == [VECTORS["roll"][1]]
    assert splitter.flaws[Flaw.OVERRUN] == 1


def test_13_boot_texts_are_kept_for_people_and_for_nobody_else():
    splitter = LineSplitter()
    boot_text = b"ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n"
    assert splitter.feed(boot_text * 40 + ROLL_4 + b"\n") == [VECTORS["roll"][1]]
    assert len(splitter.chatter) == 32
    assert "POWERON_RESET" in splitter.chatter[-1]


def test_16_numbers_and_uptime_may_wrap_or_run_backwards_without_gap_or_fault():
    order = LineOrder()
    seqs = [(65534, 2**32 - 10), (65535, 2**32 - 1), (0, 5), (1, 3)]
    lines = [replace(VECTORS["roll"][1], seq=seq, ms=ms) for seq, ms in seqs]
    assert [order.place(line) for line in lines] == [Fresh()] * 4
    assert order.missing == 0


def test_14_a_line_equal_to_or_behind_the_last_is_a_replay_and_a_gap_is_counted():
    order = LineOrder()
    place = [order.place(replace(VECTORS["roll"][1], seq=seq)) for seq in (9, 9, 8, 12, 10)]
    assert place == [Fresh(), Replayed(), Replayed(), Fresh(missing=2), Replayed()]
    assert (order.missing, order.replayed) == (2, 3)


def test_12_a_new_boot_is_a_reboot_and_a_replay_of_the_old_one_is_not():
    order = LineOrder()
    first, second = VECTORS["roll"][1], replace(VECTORS["die-flat"][1], boot="1111", seq=0)
    assert order.place(first) == Fresh()
    assert order.place(second) == Fresh(is_reboot=True)
    assert order.place(first) == Replayed()
    assert order.place(replace(second, seq=1)) == Fresh()


def test_a_writer_numbers_its_lines_and_wraps():
    writer = LineWriter(BOOT, first_seq=65535)
    read = [parse_line(writer.write(DIE, Farewell("sleep"), uptime_ms=2**32 + 7)) for _ in range(2)]
    assert [(line.seq, line.ms) for line in read if isinstance(line, Line)] == [(65535, 7), (0, 7)]


@pytest.mark.parametrize("text", ["a$b", "a*b", "a\nb", "ä"])
def test_text_that_the_protocol_cannot_carry_is_refused_when_written(text):
    with pytest.raises(ValueError, match="cannot be sent as a line of TLP/1"):
        format_line(Line(DIE, BOOT, 0, 0, Remark("i", text)))


# -- properties -----------------------------------------------------------------------------

counts = st.integers(1, 2**32 - 1)
percents = st.integers(0, 100)
times_ms = st.integers(0, 2**32 - 1)
words = st.text("abcxyzABC 0123456789._-+=/", max_size=12).map(str.strip)
die_statuses = st.builds(
    DieStatus, st.sampled_from(DieState), counts, st.integers(1, 6), st.integers(0, 6), percents,
    st.none() | percents,
)  # fmt: skip
rotor_statuses = st.builds(
    RotorStatus, st.sampled_from(RotorState), st.none() | st.integers(0, 3),
    st.none() | st.integers(0, 3599), counts, st.integers(-(2**31), 2**31), st.sampled_from(Magnet),
)  # fmt: skip
rolls = st.builds(Rolled, counts, st.integers(1, 6), percents, times_ms)
turns = st.builds(
    lambda turn, start, delta, took_ms: Turned(turn, start, (start + delta) % 4, delta, took_ms),
    counts, st.integers(0, 3), st.integers(-9, 9).filter(bool), times_ms,
)  # fmt: skip
said_by_both = st.one_of(
    st.builds(Answer, st.integers(0, 65535), st.booleans(), words),
    st.builds(Remark, words, words),
    st.builds(Farewell, words),
    st.builds(Order, st.sampled_from(HostVerb), st.lists(words, max_size=3).map(tuple)),
)


def hellos(kind: DeviceKind) -> st.SearchStrategy[Hello]:
    return st.builds(
        Hello, st.just(kind), st.integers(2, 120), st.integers(50, 60_000), words, words, words,
        st.none() | percents,
    )  # fmt: skip


def lines_of(letter: str, messages: st.SearchStrategy) -> st.SearchStrategy[Line]:
    device = st.from_regex(rf"\A{letter}-[0-9A-F]{{4,12}}\Z")
    boot = st.from_regex(r"\A[0-9A-F]{4}\Z").filter(lambda text: text != "0000")
    return st.builds(Line, device, boot, st.integers(0, 65535), times_ms, messages)


every_line = st.one_of(
    lines_of("D", st.one_of(die_statuses, rolls, hellos(DeviceKind.DIE), said_by_both)),
    lines_of("R", st.one_of(rotor_statuses, turns, hellos(DeviceKind.ROTOR), said_by_both)),
)


@settings(deadline=None)
@given(every_line)
def test_every_line_that_can_be_written_reads_back_the_same(line):
    try:
        raw = format_line(line)
    except ValueError:
        assume(False)  # too long by its names
    assert parse_line(raw, positions=None if isinstance(line.message, Turned) else 120) == line


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_whatever_raise(raw):
    assert isinstance(parse_line(raw), Line | Rejected)


@settings(deadline=None)
@given(
    st.from_regex(
        r"\A[12],[DRX]-[0-9A-F]{3,6},[0-9A-F]{3,4},-?[0-9]{1,7},[0-9.]{1,11},[A-Z]{2,5}(,[^$*\r\n]{0,8}){0,7}\Z"
    )
)
def test_no_signed_nonsense_raises(body):
    assert isinstance(parse_line(signed(body)), Line | Rejected)


@settings(deadline=None)
@given(every_line, st.data())
def test_a_line_with_up_to_sixteen_damaged_bits_in_a_row_is_never_taken_for_another(line, data):
    try:
        raw = bytearray(format_line(line)[:-1])
    except ValueError:
        assume(False)
    start = data.draw(st.integers(8, len(raw) * 8 - 1))
    flips = data.draw(st.integers(1, 2**16 - 1))
    for bit in range(16):
        at = start + bit
        if flips >> bit & 1 and at < len(raw) * 8:
            raw[at // 8] ^= 0x80 >> at % 8
    read = parse_line(bytes(raw), positions=120)
    assert isinstance(read, Rejected) or read == parse_line(format_line(line), positions=120)


@settings(deadline=None)
@given(
    st.lists(st.binary(max_size=40) | st.sampled_from([raw for raw, _ in VECTORS.values()]), max_size=12),
    st.data(),
)
def test_it_does_not_matter_how_a_stream_is_chunked(parts, data):
    stream = b"\n".join(parts) + b"\n"
    at_once, in_pieces = LineSplitter(), LineSplitter()
    whole = at_once.feed(stream)
    pieces = []
    rest = stream
    while rest:
        size = data.draw(st.integers(1, 50))
        pieces += in_pieces.feed(rest[:size])
        rest = rest[size:]
    assert pieces == whole
    assert in_pieces.flaws == at_once.flaws
    assert list(in_pieces.chatter) == list(at_once.chatter)
