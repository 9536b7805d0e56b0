"""How much corrections help, and whom they harm: played again on pictures of a table.

    python -m tests.vision.measure_corrections BOX_FOLDER SCENES_FOLDER [KIND or SPACE...]

A kind of token is taught poorly in a copy of the box (out of focus, under a warm lamp); or a token lay on a
space of all boards when they were taught. The pictures are read in their order; where the eyes are not sure
and right about that kind or space, a person corrects them, three times at most. Counted are the pictures
after the first correction: with what was learnt, and without.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board import EMPTY, BoardId, PieceKind, Place, SpaceId
from companion.ports import Frame
from vision.box import ART_FILE, ART_PX_PER_MM, load_box, parts_of
from vision.learner import Shown
from vision.recogniser import OpenCvRecogniser, open_recogniser
from vision.tokens import outline_mask

MOST_CORRECTIONS = 3
HARDLY_SEEN = 0.9


def spoilt(box_folder: Path, kind: str, folder: Path) -> Path:
    """Copy a box and spoil the picture that one kind of token was taught by."""
    copy = Path(shutil.copytree(box_folder, folder / "box"))
    with np.load(copy / ART_FILE) as stored:
        art = {name: stored[name] for name in stored.files}
    good = art[f"token/{kind}"].astype(np.float32)
    poor = cv2.GaussianBlur(good, (0, 0), 4.0) * np.array([0.72, 0.95, 1.15]) * 0.85 + 25
    art[f"token/{kind}"] = np.clip(poor, 0, 255).astype(np.uint8)
    with (copy / ART_FILE).open("wb") as file:
        np.savez(file, **art)
    return copy


def laid_when_taught(box_folder: Path, space: str, kind: str, folder: Path) -> Path:
    """Copy a box and lay a token on a space of the pictures that its boards were taught by."""
    copy = Path(shutil.copytree(box_folder, folder / "box"))
    box = load_box(copy)
    with np.load(copy / ART_FILE) as stored:
        art = {name: stored[name] for name in stored.files}
    token = box.tokens[PieceKind(kind)]
    for board, layout in box.layouts.items():
        own, _, part = space.partition(".part")
        if SpaceId(own) not in layout.spaces:
            continue
        spot = layout.spaces[SpaceId(own)].centre_mm
        printed = box.printed.get((board, SpaceId(own)))
        if part:
            if printed is None:
                continue
            spot = dict(parts_of(box.cards[printed], spot, 0.0, box.card_mm))[int(part)]
        side = token.art.shape[0]
        mask = outline_mask(token.outline_mm, 0.0, side, 0.0)[..., None]
        x, y = (round(c * ART_PX_PER_MM - side / 2) for c in spot)
        there = art[f"board/{board}"][y : y + side, x : x + side]
        there[:] = there * (1 - mask) + token.art * mask
    with (copy / ART_FILE).open("wb") as file:
        np.savez(file, **art)
    return copy


def truth_of(path: Path) -> dict[Place, PieceKind]:
    """Return what lies on the token and part spaces that can be seen well."""
    told = json.loads(path.read_text())
    found: dict[Place, PieceKind] = {}
    for board in told["boards"]:
        for slot in board.get("slots", ()):
            spaces = {slot["id"]: slot} if slot["kind"] == "token" else {}
            parts = slot.get("part_slots", ()) if slot["kind"] == "card" else ()
            spaces |= {f"{slot['id']}.part{part['index']}": part for part in parts}
            for name, space in spaces.items():
                if space.get("visible_fraction", slot["visible_fraction"]) >= HARDLY_SEEN:
                    place = Place(BoardId(board["id"]), SpaceId(name))
                    lies = space.get("content") or EMPTY
                    found[place] = PieceKind(lies["token_kind"] if isinstance(lies, dict) else lies)
    return found


def pictures(scenes: Path) -> Iterator[tuple[Path, Path]]:
    """Yield pictures and their truths, evening by evening."""
    for name in ("seq1", "seq2", "seq3", "seq4"):
        for path in sorted((scenes / "sequences" / name).glob("*.jpg")):
            yield path, path.with_suffix(".json")


def judged(
    eyes: OpenCvRecogniser, pixels: Any, truth: Mapping[Place, PieceKind]
) -> dict[Place, tuple[str, PieceKind]]:
    """Return for each place how it was read (right, unsure, wrong), and as what."""
    reading = eyes.read(Frame(pixels, 0, 0))
    found = {}
    for place, lies in truth.items():
        seen = reading.at(place)
        if seen is None:
            continue
        verdict = "unsure" if not seen.sure else "right" if seen.reads == lies else "wrong"
        found[place] = (verdict, seen.reads)
    return found


def main(box_folder: Path, scenes: Path, kinds: list[str]) -> None:
    cv2.setNumThreads(1)
    for kind in kinds:
        is_kind = PieceKind(kind) in load_box(box_folder).tokens

        def is_meant(place: Place, lies: PieceKind, kind: str = kind, is_kind: bool = is_kind) -> bool:
            return lies == kind if is_kind else place.space == kind

        with tempfile.TemporaryDirectory() as folder:
            if is_kind:
                poor = spoilt(box_folder, kind, Path(folder))
            else:
                poor = laid_when_taught(box_folder, kind, "limb", Path(folder))
            plain, learning = open_recogniser(str(poor)), open_recogniser(str(poor))
            assert learning.learner is not None
            corrected, counts = 0, Counter[tuple[str, str, str]]()
            for path, truth_path in pictures(scenes):
                pixels, truth = cv2.imread(str(path)), truth_of(truth_path)
                read = judged(learning, pixels, truth)
                if corrected:
                    for way, found in (("with", read), ("without", judged(plain, pixels, truth))):
                        for place, (verdict, _) in found.items():
                            counts[way, kind if is_meant(place, truth[place]) else "others", verdict] += 1
                for place, (verdict, seen) in read.items():
                    if is_meant(place, truth[place]) and verdict != "right" and corrected < MOST_CORRECTIONS:
                        poses = {pose.board: pose for pose in learning.reader.find(pixels)}
                        kept = learning.learner.learn(
                            Shown(pixels, poses), place, truth[place], seen=seen, at_utc=""
                        )
                        corrected += 1
                        print(
                            f"{kind}: {path.parent.name}/{path.name} {place}: {truth[place]}, "
                            f"not {seen}, {verdict}; "
                            f"{kept and (kept.use.value, kept.against)}"
                        )
                        break
            for group in (kind, "others"):
                for way in ("without", "with"):
                    row = {v: counts[way, group, v] for v in ("right", "unsure", "wrong")}
                    print(f"{kind}: {group:>8} {way:>8} {row}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or ["limb", "goop"])
