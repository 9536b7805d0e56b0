"""A box goes into one .zip and comes back; an archive that means harm is refused with its sentence."""

from __future__ import annotations

import hashlib
import io
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.box_archive import MANIFEST, export_box, import_box
from calibration.commands import box as box_commands
from companion.sentences import keys_in
from companion.table.archive_faults import ArchiveRefused
from tests.calibration.tiny_box import tiny_box
from vision.box import load_box

Files = dict[str, bytes]


def exported(folder: Path) -> io.BytesIO:
    file = io.BytesIO()
    export_box(folder, file)
    return file


def files_of(archive: io.BytesIO) -> Files:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def packed(files: Files, *, listed: Files | None = None, told: dict[str, Any] | None = None) -> io.BytesIO:
    """Pack an archive with a manifest that fits its files, unless it is told otherwise."""
    inside = {name: content for name, content in files.items() if name != MANIFEST}
    sums = {n: [len(c), hashlib.sha256(c).hexdigest()] for n, c in (listed or inside).items()}
    manifest = {"format": 1, "name": "theirs", "files": sums} | (told or {})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in inside.items():
            archive.writestr(name, content)
        archive.writestr(MANIFEST, json.dumps(manifest))
    return file


@pytest.fixture
def good(tmp_path: Path) -> Files:
    return files_of(exported(tiny_box(tmp_path / "mine")))


def refusal(archive: io.BytesIO, tmp_path: Path) -> str:
    shelf = tmp_path / "shelf"
    with pytest.raises(ArchiveRefused) as caught:
        import_box(archive, shelf)
    assert not list(shelf.glob("*")) and not list(shelf.glob(".*")), "nothing of it may stay"
    assert f"archive.{caught.value.reason}" in keys_in("companion")
    assert not str(caught.value).startswith("[")
    return caught.value.reason


def test_a_box_comes_back_as_it_was(tmp_path: Path) -> None:
    folder = tiny_box(tmp_path / "mine")
    name = import_box(exported(folder), tmp_path / "shelf")
    assert name == "tiny"
    assert load_box(tmp_path / "shelf/tiny").tokens.keys() == load_box(folder).tokens.keys()
    names = {p.relative_to(folder) for p in folder.rglob("*")}
    assert {p.relative_to(tmp_path / "shelf/tiny") for p in (tmp_path / "shelf/tiny").rglob("*")} == names


def test_the_same_box_gives_the_same_archive(tmp_path: Path) -> None:
    folder = tiny_box(tmp_path / "mine")
    assert exported(folder).getvalue() == exported(folder).getvalue()


def test_a_box_of_a_name_that_is_taken_wants_another(tmp_path: Path, good: Files) -> None:
    import_box(packed(good), tmp_path / "shelf")
    with pytest.raises(ArchiveRefused, match="There is a box theirs already"):
        import_box(packed(good), tmp_path / "shelf")
    assert import_box(packed(good), tmp_path / "shelf", name="other") == "other"


def test_what_belongs_to_no_box_is_not_exported(tmp_path: Path) -> None:
    folder = tiny_box(tmp_path / "mine")
    (folder / "diary.txt").write_text("dear diary")
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "pictures/link.jpg").symlink_to("/etc/passwd")
    assert set(files_of(exported(folder))) == {"box.json", "catalogue.json", "art.npz", MANIFEST}


@pytest.mark.parametrize(
    "name",
    [
        "../../.bashrc",
        "/etc/cron.d/companion",
        "pictures/../../x.jpg",
        "pictures\\..\\x.jpg",
        "C:/boot.ini",
        "pictures//x.jpg",
        "./box.json",
    ],
)
def test_a_path_that_leads_out_of_the_box_is_refused(name: str, tmp_path: Path, good: Files) -> None:
    assert refusal(packed({**good, name: b"x"}), tmp_path) == "path"


def test_a_name_cut_short_by_a_zero_is_refused(tmp_path: Path, good: Files) -> None:
    archive = packed({**good, "box.jsonX.evil": b"x"})
    bad = io.BytesIO(archive.getvalue().replace(b"box.jsonX.evil", b"box.json\0.evil"))
    assert refusal(bad, tmp_path) == "path"


@pytest.mark.parametrize("name", ["run.sh", "pictures/tiles/a.svg", "lessons/views/x/1.png", "art.npz.exe"])
def test_a_file_that_belongs_to_no_box_is_refused(name: str, tmp_path: Path, good: Files) -> None:
    assert refusal(packed({**good, name: b"x"}), tmp_path) == "stranger"


@pytest.mark.parametrize(("mode", "reason"), [(stat.S_IFLNK, "link"), (stat.S_IFIFO, "device")])
def test_a_link_or_a_pipe_is_refused(mode: int, reason: str, tmp_path: Path, good: Files) -> None:
    archive = packed(good)
    with zipfile.ZipFile(archive, "a") as opened:
        info = zipfile.ZipInfo("pictures/cards/card_00.jpg")
        info.external_attr = (mode | 0o777) << 16
        opened.writestr(info, "/etc/passwd")
    assert refusal(archive, tmp_path) == reason


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, good: Files) -> None:
    assert refusal(packed({**good, "pictures/cards/a.jpg": bytes(30_000_000)}), tmp_path) == "bomb"
    assert refusal(packed({**good, "lessons/layout.json": b" " * 17_000_000}), tmp_path) == "bomb"


def test_an_entry_that_unpacks_to_more_than_it_says_is_refused(tmp_path: Path, good: Files) -> None:
    archive = packed(good)
    with zipfile.ZipFile(archive) as opened:
        size = opened.getinfo("catalogue.json").file_size
    raw = archive.getvalue().replace(size.to_bytes(4, "little"), (size - 1).to_bytes(4, "little"))
    assert refusal(io.BytesIO(raw), tmp_path) == "damaged"


def test_files_that_share_their_bytes_are_refused(tmp_path: Path, good: Files) -> None:
    archive = packed({**good, "pictures/cards/a.jpg": b"x" * 400, "pictures/cards/b.jpg": b"y" * 400})
    with zipfile.ZipFile(archive) as opened:
        a, b = (opened.getinfo(f"pictures/cards/{n}.jpg").header_offset for n in "ab")
    raw = bytearray(archive.getvalue())
    at = raw.rindex(b"pictures/cards/b.jpg") - 4  # in the table of contents: where the file begins
    assert raw[at : at + 4] == b.to_bytes(4, "little")
    raw[at : at + 4] = (a + 1).to_bytes(4, "little")
    assert refusal(io.BytesIO(bytes(raw)), tmp_path) == "overlap"


def test_a_file_that_stands_twice_is_refused(tmp_path: Path, good: Files) -> None:
    assert refusal(packed({**good, "Pictures/x.jpg": b"x"}), tmp_path) == "stranger"
    archive = packed(good)
    with zipfile.ZipFile(archive, "a") as opened, pytest.warns(UserWarning, match="Duplicate"):
        opened.writestr("box.json", "{}")
    assert refusal(archive, tmp_path) == "twice"


def test_too_many_files_are_refused(tmp_path: Path, good: Files) -> None:
    many = {f"pictures/cards/c{n}.jpg": b"" for n in range(6001)}
    assert refusal(packed({**good, **many}), tmp_path) == "too_many"


def test_a_million_spaces_are_refused(tmp_path: Path, good: Files) -> None:
    told = json.loads(good["box.json"])
    told["boards"][0]["spaces"] = [0] * 25_000
    assert refusal(packed({**good, "box.json": json.dumps(told).encode()}), tmp_path) == "too_many"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("box.json", b"[" * 20_000, "unreadable"),
        ("catalogue.json", b"[" * 14 + b"]" * 14, "too_deep"),
        ("box.json", b'{"format": NaN}', "unreadable"),
        ("box.json", b'{"format": 1e300}', "odd_number"),
        ("box.json", b"\xff\xfe", "unreadable"),
        ("box.json", b"{}", "no_box"),
        ("pictures/cards/a.jpg", b"<svg onload=alert(1)>", "no_picture"),
        ("art.npz", b"PK not really", "damaged"),
    ],
)
def test_contents_that_are_not_what_their_name_says_are_refused(
    name: str, content: bytes, reason: str, tmp_path: Path, good: Files
) -> None:
    assert refusal(packed({**good, name: content}), tmp_path) == reason


def test_a_small_file_that_claims_a_gigantic_picture_is_refused(tmp_path: Path, good: Files) -> None:
    coded = bytearray(cv2.imencode(".png", np.zeros((2, 2, 3), np.uint8))[1].tobytes())
    coded[16:24] = (60_000).to_bytes(4, "big") * 2
    assert refusal(packed({**good, "lessons/tokens/a.png": bytes(coded)}), tmp_path) in (
        "large_picture",
        "no_picture",
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda file: np.savez(file, a=np.array([{"run": "me"}], object)), "no_art"),
        (lambda file: np.savez(file, a=np.zeros((4, 4), np.float64)), "no_art"),
        (lambda file: np.savez_compressed(file, a=np.zeros((13_000, 2, 3), np.uint8)), "no_art"),
    ],
    ids=["objects", "numbers", "a side too long"],
)
def test_art_that_is_no_pictures_is_refused(
    make: Callable[[Any], None], reason: str, tmp_path: Path, good: Files
) -> None:
    file = io.BytesIO()
    make(file)
    assert refusal(packed({**good, "art.npz": file.getvalue()}), tmp_path) == reason


def test_an_archive_that_was_changed_or_is_not_whole_is_refused(tmp_path: Path, good: Files) -> None:
    assert refusal(packed({**good, "box.json": b"{}"}, listed=good), tmp_path) == "changed"
    less = {name: content for name, content in good.items() if name != "art.npz"}
    assert refusal(packed(less, listed=good | {"art.npz": b""}), tmp_path) == "missing"
    more = good | {"pictures/cards/a.jpg": b"x"}
    told = {name: content for name, content in good.items() if name != MANIFEST}
    assert refusal(packed(more, listed=told), tmp_path) == "unlisted"
    assert refusal(packed(good, told={"name": "../x"}), tmp_path) == "name"


def test_another_version_or_no_manifest_is_said(tmp_path: Path, good: Files) -> None:
    assert refusal(packed(good, told={"format": 99}), tmp_path) == "version"
    bare = io.BytesIO()
    with zipfile.ZipFile(bare, "w") as archive:
        archive.writestr("box.json", "{}")
    assert refusal(bare, tmp_path) == "no_manifest"
    assert refusal(io.BytesIO(b"GIF89a"), tmp_path) == "no_archive"
    cut = packed(good).getvalue()
    assert refusal(io.BytesIO(cut[: len(cut) // 2]), tmp_path) == "no_archive"


def test_a_locked_archive_is_refused(tmp_path: Path, good: Files) -> None:
    raw = bytearray(packed(good).getvalue())
    at = raw.rindex(b"PK\x01\x02")
    raw[at + 8] |= 1
    assert refusal(io.BytesIO(bytes(raw)), tmp_path) == "locked"


def test_the_commands_say_where_a_box_went(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    tiny_box(tmp_path / "boxes")
    run = CliRunner().invoke
    done = run(box_commands, ["export", "tiny", str(tmp_path / "tiny.zip")])
    assert (done.exit_code, "box tiny, 3 files" in done.output) == (0, True)
    again = run(box_commands, ["import", str(tmp_path / "tiny.zip")])
    assert (again.exit_code, "There is a box tiny already" in again.output) == (1, True)
    assert run(box_commands, ["import", str(tmp_path / "tiny.zip"), "--name", "copy"]).exit_code == 0
    assert (tmp_path / "boxes/copy/box.json").is_file()
    assert run(box_commands, ["export", "../tiny", str(tmp_path / "x.zip")]).exit_code == 1
