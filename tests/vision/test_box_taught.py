"""A taught box, read back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.commands import box
from companion.board import BoardId, PieceKind, SpaceId, SpaceKind
from vision.box import BoxNotTaught, load_box, parts_of

pytestmark = pytest.mark.eyes


def test_a_box_knows_its_boards_spaces_and_tags(home: Path) -> None:
    taught = load_box(home / "boxes/A")
    lab = taught.layouts[BoardId("lab_red")]
    assert lab.spaces[SpaceId("reject2")].kind is SpaceKind.TOKEN
    assert lab.spaces[SpaceId("card4")].kind is SpaceKind.CARD
    assert [tag.number for tag in lab.tags] == [0, 1, 2, 3]
    assert taught.printed[BoardId("lab_red"), SpaceId("card1")] == "printed_1"
    assert taught.layouts[BoardId("central")].is_round


def test_part_spaces_follow_a_card_that_is_turned(home: Path) -> None:
    taught = load_box(home / "boxes/A")
    card = taught.cards[PieceKind("card_00")]
    upright = dict(parts_of(card, (100.0, 100.0), 0.0, taught.card_mm))
    turned = dict(parts_of(card, (100.0, 100.0), 180.0, taught.card_mm))
    assert upright[0] == pytest.approx((100 + 19.9 - 31.5, 100 + 74.5 - 44))
    assert turned[0] == pytest.approx((200 - upright[0][0], 200 - upright[0][1]))


def test_the_catalogue_lies_beside_the_box(home: Path) -> None:
    catalogue = json.loads((home / "boxes/A/catalogue.json").read_text())
    assert len(catalogue["cards"]) == 74


def test_a_taught_box_is_listed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(home))
    assert json.loads(CliRunner().invoke(box, ["list", "--json"]).output)["A"]["cards"] == 74


@pytest.mark.parametrize("spoilt", ["box.json", "art.npz"])
def test_a_half_written_box_says_how_to_go_on(home: Path, tmp_path: Path, spoilt: str) -> None:
    for name in ("box.json", "catalogue.json", "art.npz"):
        whole = (home / "boxes/A" / name).read_bytes()
        (tmp_path / name).write_bytes(whole[: len(whole) // 2] if name == spoilt else whole)
    with pytest.raises(BoxNotTaught, match="companion box teach"):
        load_box(tmp_path)


@pytest.mark.parametrize("lacking", ["catalogue.json", "art.npz"])
def test_a_box_that_was_copied_by_half_says_what_is_missing(home: Path, tmp_path: Path, lacking: str) -> None:
    for name in {"box.json", "catalogue.json", "art.npz"} - {lacking}:
        shutil.copy(home / "boxes/A" / name, tmp_path)
    with pytest.raises(BoxNotTaught, match=f"is not whole: {lacking} missing. Copy the whole folder"):
        load_box(tmp_path)


@pytest.mark.parametrize("content", [b"", b"not art"])
def test_art_that_never_arrived_is_said(home: Path, tmp_path: Path, content: bytes) -> None:
    shutil.copytree(home / "boxes/A", tmp_path, dirs_exist_ok=True)
    (tmp_path / "art.npz").write_bytes(content)
    with pytest.raises(BoxNotTaught, match="cannot be read"):
        load_box(tmp_path)


def test_an_empty_folder_is_no_box(tmp_path: Path) -> None:
    with pytest.raises(BoxNotTaught, match="holds no taught box"):
        load_box(tmp_path)
