"""Teaching a box: what it holds, and one clear sentence for scans that make none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from calibration.commands import box
from calibration.teach import NotTaught, catalogue_of, teach_box

SCANS = Path(__file__).parents[2] / "../shared/scenes/A/reference"


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """A copy of the scans that may be spoilt."""
    return Path(shutil.copytree(SCANS, tmp_path / "scans"))


def change(path: Path, how: Callable[[Any], None]) -> None:
    told = json.loads(path.read_text())
    how(told)
    path.write_text(json.dumps(told))


def fault(scans: Path, tmp_path: Path) -> str:
    with pytest.raises(NotTaught) as caught:
        teach_box(scans, "A", tmp_path / "boxes")
    assert not list((tmp_path / "boxes").glob("*")), "a box that is not whole must not be there"
    return str(caught.value)


def test_the_catalogue_holds_the_cards_and_no_geometry() -> None:
    catalogue = catalogue_of(json.loads((SCANS / "layout.json").read_text()))
    assert set(catalogue["cards"]["card_00"]) == {"name", "prestige", "parts", "part_spaces"}
    assert catalogue["printed_monsters"] == {"card1": "printed_1", "card2": "printed_2"}
    assert catalogue["carts"]["cart1"] == ["limb", "stitch"]
    assert catalogue["rot_track_spots"] == 20
    assert {"order_secondary", "upgrades", "lesters", "players", "tokens"} <= set(catalogue)


def test_all_missing_pieces_are_named_at_once(scans: Path, tmp_path: Path) -> None:
    (scans / "tokens/limb.png").unlink()
    (scans / "cards/card_07.png").unlink()
    said = fault(scans, tmp_path)
    assert "tokens/limb.png is missing" in said
    assert "cards/card_07.png is missing" in said


def test_a_piece_without_a_scan_is_named(scans: Path, tmp_path: Path) -> None:
    def drop(index: list[dict[str, Any]]) -> None:
        index[:] = [entry for entry in index if entry.get("token_kind") != "goop"]

    change(scans / "index.json", drop)
    assert "no scan of token goop" in fault(scans, tmp_path)


def test_a_piece_with_two_scans_is_named(scans: Path, tmp_path: Path) -> None:
    def double(index: list[dict[str, Any]]) -> None:
        goop = next(entry for entry in index if entry.get("token_kind") == "goop")
        index.append({**goop, "file": "tokens/zapper.png"})

    change(scans / "index.json", double)
    assert "2 scans of token goop (tokens/goop.png, tokens/zapper.png), one is wanted" in fault(
        scans, tmp_path
    )


def test_one_picture_for_two_pieces_is_said(scans: Path, tmp_path: Path) -> None:
    shutil.copy(scans / "cards/card_07.png", scans / "cards/card_08.png")
    assert "cards/card_07.png and cards/card_08.png are the same picture" in fault(scans, tmp_path)


def test_a_scan_that_is_no_picture_is_named(scans: Path, tmp_path: Path) -> None:
    (scans / "tokens/rot.png").write_bytes(b"not a picture")
    assert "tokens/rot.png is no picture" in fault(scans, tmp_path)


def test_a_scan_of_the_wrong_scale_is_named(scans: Path, tmp_path: Path) -> None:
    def shrink(index: list[dict[str, Any]]) -> None:
        index[0]["px_per_mm"] = 4

    change(scans / "index.json", shrink)
    assert "tokens/rot.png shows 48 x 48 mm, expected 24 x 24" in fault(scans, tmp_path)


@pytest.mark.parametrize("name", ["layout.json", "index.json"])
def test_scans_without_a_layout_are_no_box(scans: Path, tmp_path: Path, name: str) -> None:
    (scans / name).unlink()
    assert f"{name} is missing" in fault(scans, tmp_path)


def test_a_half_written_layout_is_said(scans: Path, tmp_path: Path) -> None:
    text = (scans / "layout.json").read_text()
    (scans / "layout.json").write_text(text[: len(text) // 2])
    assert "layout.json cannot be read" in fault(scans, tmp_path)


def test_a_layout_that_lacks_something_says_what(scans: Path, tmp_path: Path) -> None:
    change(scans / "layout.json", lambda layout: layout.pop("piece_sizes"))
    assert "it lacks piece_sizes" in fault(scans, tmp_path)


def test_a_name_that_is_a_path_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(box, ["teach", str(tmp_path), "--name", "../A"])
    assert done.exit_code == 2
    assert "is no name for a box" in done.output


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(box, ["teach", str(tmp_path / "nowhere"), "--name", "A"])
    assert done.exit_code == 1
    assert "There is no folder" in done.output


def test_no_box_is_taught_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    done = CliRunner().invoke(box, ["list"])
    assert done.exit_code == 0
    assert "No box is taught yet" in done.output
