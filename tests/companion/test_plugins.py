"""Parts come in by entry point; a broken one is kept with its reason and stops nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.plugins import PartBroken, PartMissing, find, load

GROUP = "companion.dice"


def install(folder: Path, package: str, entry_points: str, **modules: str) -> None:
    """Lay out a package of a stranger, as pip would."""
    dist = folder / f"{package.replace('-', '_')}-2.5.dist-info"
    dist.mkdir(parents=True)
    (dist / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.5\n")
    (dist / "entry_points.txt").write_text(entry_points)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_strangers_die_comes_in_by_the_same_door_as_the_built_in_ones(parts: Path):
    install(
        parts, "wooden-dice", f"[{GROUP}]\nwooden = wooden_dice:open_die\n", wooden_dice="open_die = 'a die'"
    )
    found = find(GROUP)
    assert {"serial", "keyed", "wooden"} <= set(found)
    wooden = found["wooden"]
    assert (wooden.package, wooden.version, wooden.is_built_in) == ("wooden-dice", "2.5", False)
    assert wooden.load() == "a die"
    assert load(GROUP, "wooden") == "a die"


def test_only_built_in_leaves_strangers_out(parts: Path):
    install(parts, "wooden-dice", f"[{GROUP}]\nwooden = wooden_dice2:open_die\n")
    assert "wooden" not in find(GROUP, only_built_in=True)
    assert "keyed" in find(GROUP, only_built_in=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("def open_die(:", "SyntaxError"),
        ("raise RuntimeError('no pins here')", "RuntimeError: no pins here"),
        ("class Strange(Exception): pass\nraise Strange('own kind')", "Strange: own kind"),
        ("raise SystemExit('good night')", "SystemExit: good night"),
        ("other = 1", "AttributeError"),
    ],
    ids=["import", "syntax", "raises", "raises-its-own", "leaves", "no-such-name"],
)
def test_a_broken_part_is_kept_with_its_reason_and_the_others_go_on(
    parts: Path, text: str, reason: str, request: pytest.FixtureRequest
):
    module = "cracked_" + request.node.callspec.id.replace("-", "_")
    install(
        parts, "cracked", f"[{GROUP}]\ncracked = {module}:open_die\nwhole = json:loads\n", **{module: text}
    )
    found = find(GROUP)
    assert reason in found["cracked"].failure
    assert found["whole"].failure == ""
    with pytest.raises(PartBroken) as caught:
        load(GROUP, "cracked")
    assert str(caught.value).startswith("The die driver 'cracked' of cracked 2.5 cannot be loaded: ")
    assert caught.value.reason == found["cracked"].failure


def test_a_name_that_is_not_there_offers_the_near_match():
    with pytest.raises(PartMissing) as caught:
        load(GROUP, "seriel")
    assert str(caught.value) == "There is no die driver 'seriel'. Did you mean serial?"
    assert caught.value.near == ("serial",)


def test_a_hyphen_that_is_typed_for_an_underscore_is_understood():
    assert load("companion.games", "making-monsters") is load("companion.games", "making_monsters")
    with pytest.raises(PartMissing, match="'making-monstrs'"):
        load("companion.games", "making-monstrs")


def test_a_name_like_no_other_lists_what_is_known():
    with pytest.raises(
        PartMissing,
        match=r"There is no camera driver 'zzz'. Known: drawn-tray, folder, mjpeg, pi, usb, video\.",
    ):
        load("companion.cameras", "zzz")


def test_the_built_in_part_wins_over_a_stranger_of_its_name_and_the_clash_is_said(parts: Path):
    install(parts, "aaa-first", f"[{GROUP}]\nkeyed = json:loads\n")
    found = find(GROUP)
    assert found["keyed"].is_built_in
    assert found["keyed@aaa-first"].failure.startswith("the name is taken by companion ")


def test_finding_imports_nothing(parts: Path):
    install(parts, "loud", f"[{GROUP}]\nloud = loud_die:open_die\n", loud_die="raise RuntimeError")
    assert "loud" in find(GROUP)
