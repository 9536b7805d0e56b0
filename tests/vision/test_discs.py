"""Round pieces are told apart by photos of each kind, at any turn; what was not taught stays open."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.ports import Obstacle, Pixels
from tests.bench.discs import disc_section
from vision.disc_commands import discs
from vision.disc_finder import cropped, find_discs
from vision.disc_shelf import load_set, save_set
from vision.disc_views import SIDE_PX, best_turns, rim_of, shows_one, view_of
from vision.discs import DiscSet

SIGNS = ("cross", "arrow", "moon")
COLOURS = {"cross": (60, 90, 200), "arrow": (200, 120, 50), "moon": (90, 190, 90)}
STRANGE = (40, 200, 220)
SHARED = Path(__file__).parents[2] / "../shared"


def drawn(sign: str, seed: int, *, colour: tuple[int, int, int] | None = None) -> Pixels:
    """Draw a disc with a sign on it, at some turn, a little off the middle, on some table, in some light."""
    rng = np.random.default_rng(seed)
    own = np.full((200, 200, 3), colour or COLOURS[sign], np.uint8)
    ink = (30, 30, 30)
    match sign:
        case "cross":
            cv2.line(own, (100, 40), (100, 160), ink, 12)
            cv2.line(own, (60, 80), (140, 80), ink, 12)
        case "arrow":
            cv2.arrowedLine(own, (60, 150), (150, 55), ink, 10, tipLength=0.5)
            cv2.circle(own, (60, 60), 14, ink, -1)
        case "moon":
            cv2.ellipse(own, (100, 100), (55, 55), 0, 40, 300, ink, 9)
            cv2.circle(own, (125, 95), 12, ink, -1)
        case _:
            cv2.rectangle(own, (55, 60), (150, 125), ink, 9)
            cv2.line(own, (55, 150), (150, 150), ink, 9)
    turn = cv2.getRotationMatrix2D((99.5, 99.5), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += rng.uniform(-3, 3, 2)
    table = np.full((200, 200, 3), rng.uniform(150, 230), np.float32)
    face = cv2.warpAffine(own, turn, (200, 200), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    shape = np.zeros((200, 200), np.float32)
    cv2.circle(shape, (100, 100), 92, 1.0, -1, cv2.LINE_AA)
    lit = (table * (1 - shape[..., None]) + face * shape[..., None]) * rng.uniform(0.6, 1.1)
    return np.asarray(np.clip(lit + rng.normal(0, 4, lit.shape), 0, 255), np.uint8)


@pytest.fixture(scope="module")
def taught() -> DiscSet:
    return DiscSet.of(
        {sign: [drawn(sign, 10 * n + seed) for seed in range(5)] for n, sign in enumerate(SIGNS)}
    )


@pytest.mark.parametrize("sign", SIGNS)
def test_a_taught_disc_is_told_at_any_turn_and_in_any_light(taught: DiscSet, sign: str):
    assert [taught.tell(view_of(drawn(sign, 700 + seed))).kind for seed in range(4)] == [sign] * 4


def test_a_disc_that_was_not_taught_stays_open_even_in_the_colours_of_one_that_was(taught: DiscSet):
    told = [taught.tell(view_of(drawn("frame", seed, colour=COLOURS["moon"]))) for seed in range(4)]
    assert [one.kind for one in told] == [None] * 4
    assert {one.obstacle for one in told} <= {Obstacle.NOT_TAUGHT, Obstacle.TWO_CANDIDATES}


def test_a_plain_disc_is_nothing_and_breaks_nothing(taught: DiscSet):
    assert taught.tell(view_of(np.full((90, 120, 3), 128, np.uint8))).kind is None
    assert taught.tell(view_of(np.zeros((4, 4, 3), np.uint8))).kind is None


def test_kinds_with_the_same_sign_are_warned_of_when_they_are_taught():
    gold, brass = (40, 170, 210), (50, 160, 200)
    photos = {
        "gold": [drawn("cross", seed, colour=gold) for seed in range(4)],
        "brass": [drawn("cross", 50 + seed, colour=brass) for seed in range(4)],
        "moon": [drawn("moon", 90 + seed) for seed in range(4)],
    }
    assert DiscSet.of(photos).alike() == (("brass", "gold"),)


def test_the_rim_is_found_where_it_is():
    shown = np.full((SIDE_PX, SIDE_PX, 3), 220, np.uint8)
    cv2.circle(shown, (94, 86), 80, (60, 90, 140), -1, cv2.LINE_AA)
    assert rim_of(shown)[:3] == pytest.approx((94, 86, 80), abs=2.5)


def test_a_turned_relief_is_the_same(taught: DiscSet):
    one = taught.reliefs[:1] / np.linalg.norm(taught.reliefs[0])
    waves = np.arange(1, one.shape[1] + 1)
    assert best_turns(one * np.exp(0.7j * waves)[None, :, None], one)[0, 0] == pytest.approx(1.0, abs=0.02)


def test_a_set_survives_its_file(taught: DiscSet, tmp_path: Path):
    save_set(tmp_path / "signs.npz", taught)
    again, view = load_set(tmp_path / "signs.npz"), view_of(drawn("moon", 5))
    assert again.kinds == taught.kinds
    assert again.tell(view) == taught.tell(view)


def test_what_is_no_set_is_refused(tmp_path: Path):
    bad = tmp_path / "bad.npz"
    with pytest.raises(ValueError, match="There is no disc set"):
        load_set(bad)
    for content in (b"", b"PK\x03\x04 no more", b"words"):
        bad.write_bytes(content)
        with pytest.raises(ValueError, match="holds no disc set"):
            load_set(bad)
    np.savez(bad, format=np.array(1), kinds=np.array(["a"]), reliefs=np.zeros((2, 3)), tints=np.zeros((1, 4)))
    with pytest.raises(ValueError, match="holds no disc set"):
        load_set(bad)


def test_the_commands_teach_a_set_and_read_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    given = []
    for n, sign in enumerate(SIGNS):
        for seed in range(4):
            cv2.imwrite(f"{n}{seed}.png", drawn(sign, 10 * n + seed))
            given.append(f"{sign}={n}{seed}.png")
    done = CliRunner().invoke(discs, ["teach", "signs", *given])
    assert done.exit_code == 0, done.output
    assert "cross: 4 photos." in done.stdout
    cv2.imwrite("asked.png", drawn("arrow", 333))
    told = CliRunner().invoke(discs, ["read", "signs", "asked.png", "--json"])
    assert json.loads(told.stdout)["kind"] == "arrow"
    cv2.imwrite("several.png", on_a_table(("cross", "moon"), 21)[0])
    told = CliRunner().invoke(discs, ["read", "signs", "several.png"])
    assert [line.partition(": ")[2] for line in told.stdout.splitlines()] == ["cross", "moon"]
    lost = CliRunner().invoke(discs, ["read", "signs", "asked.png", "nowhere.png"])
    assert (lost.exit_code, "cannot be opened" in lost.stderr, "arrow" in lost.stdout) == (1, True, True)


def on_a_table(signs: Sequence[str], seed: int) -> tuple[Pixels, list[tuple[int, int]]]:
    """Lay discs on a table, each apart from the others."""
    rng = np.random.default_rng(seed)
    table = np.clip(rng.normal((95, 120, 130), 6, (700, 1000, 3)), 0, 255).astype(np.uint8)
    shape = np.zeros((200, 200), np.uint8)
    cv2.circle(shape, (100, 100), 91, 1, -1)
    middles = [(160 + 320 * (n % 3), 190 + 330 * (n // 3)) for n in range(len(signs))]
    for n, (sign, (x, y)) in enumerate(zip(signs, middles, strict=True)):
        there = table[y - 100 : y + 100, x - 100 : x + 100]
        there[:] = np.where(
            shape[..., None] > 0, drawn(sign, seed + n, colour=COLOURS.get(sign, STRANGE)), there
        )
    return table, middles


def test_several_pieces_of_one_photo_are_told_each(taught: DiscSet):
    signs = ("moon", "frame", "cross", "arrow", "moon")
    photo, middles = on_a_table(signs, 60)
    assert not shows_one(photo)
    found = find_discs(photo)
    assert len(found) == len(signs)
    for sign, middle in zip(signs, middles, strict=True):
        (disc,) = (one for one in found if np.hypot(one.x - middle[0], one.y - middle[1]) < 15)
        assert disc.radius == pytest.approx(91, abs=8)
        told = taught.tell(view_of(cropped(photo, disc))).kind
        assert told == (None if sign == "frame" else sign)


def test_a_photo_that_is_cropped_to_a_piece_shows_one_whatever_is_printed_on_it():
    shown = [drawn(sign, seed) for sign in SIGNS for seed in range(3)]
    for one in shown:
        cv2.circle(one, (100, 100), 50, (20, 20, 20), 3)
    assert all(shows_one(one) for one in shown)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["teach", "signs", "letter.png"], 2, "is no KIND=PHOTO"),
        (["teach", "signs", "a=letter.png"], 1, "cannot be opened"),
        (["read", "signs", "a.png"], 1, "There is no disc set"),
    ],
)
def test_what_cannot_be_taught_or_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, said: str
):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(discs, words)
    assert (done.exit_code, said in done.stderr) == (status, True), done.output


def test_too_few_photos_of_a_kind_are_refused():
    with pytest.raises(ValueError, match="too few of: moon"):
        DiscSet.of({"cross": [drawn("cross", n) for n in range(3)], "moon": [drawn("moon", 1)]})


@pytest.mark.eyes
def test_real_coins_are_answered_as_often_and_as_rightly_as_is_asked_for(tmp_path: Path):
    lines = disc_section(SHARED / "photos/tokens", tmp_path).lines
    assert [line.what for line in lines if line.is_met is False] == []
