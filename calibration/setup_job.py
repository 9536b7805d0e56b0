"""The job that looks whether the table is set up (entry point ``companion.jobs``).

For every camera: which boards it sees, how they lie in its picture, whether light, focus and size will
do. What was good is kept in ``setup.json`` in the home folder, and held against at every start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from companion.board import BoardId
from companion.game import Wire
from companion.kept_setup import keep, kept
from companion.ports import Caution, DeviceLost, Frame, Strain, Workbench
from companion.settings import home
from vision.light import BLUR_LEVELS_PX
from vision.placed import moved
from vision.placement import fit_of
from vision.reader import Reader
from vision.recogniser import OpenCvRecogniser, why_not
from vision.strain import FAR, glimpse, strains, token_mm
from vision.survey import doubts_of


@dataclass(slots=True)
class _Seen:
    """What one camera shows."""

    boards: list[dict[str, Any]] = field(default_factory=list)
    cautions: list[Caution] = field(default_factory=list)


def setup(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Look through all cameras; with ``do`` ``keep`` remember what is seen."""
    eyes = bench.recogniser()
    if not isinstance(eyes, OpenCvRecogniser):
        return {"ok": False, "why": {"key": "setup.no_box", "values": {}}}
    if not bench.cameras:
        return {"ok": False, "why": {"key": "setup.no_camera", "values": {}}}
    cameras = [_look(bench, eyes, camera) for camera in bench.cameras]
    found = {board["board"] for camera in cameras for board in camera["boards"]}
    missing = [board for board in eyes.reader.box.layouts if board not in found]
    answer = {"ok": True, "box": eyes.box, "cameras": cameras, "missing": missing, "at_utc": _now_utc()}
    if told.get("do") == "keep":
        keep(home(), {key: answer[key] for key in ("box", "cameras", "missing", "at_utc")})
    return answer | {"changes": changes(kept(home()), answer)}


def _look(bench: Workbench, eyes: OpenCvRecogniser, camera: str) -> dict[str, Any]:
    try:
        frame = bench.frame(camera)
    except DeviceLost as lost:
        return {"camera": camera, "boards": [], "cautions": [], "fault": str(lost)}
    found = eyes.reader.finder.search(frame.pixels)
    seen = _Seen()
    for pose in found.poses:
        _judge(eyes.reader, frame, pose, seen)
    height, width = frame.pixels.shape[:2]
    told: dict[str, Any] = {"camera": camera, "size": [width, height], "boards": seen.boards}
    told["source"] = frame.source
    told["cautions"] = [[c.strain.value, c.board, c.seen, c.needed] for c in seen.cautions]
    if not found.poses:
        told["obstacle"] = why_not(frame.pixels, found, eyes.reader.finder).value
    return told


def _judge(reader: Reader, frame: Frame, pose: Any, seen: _Seen) -> None:
    """Judge how one board is seen."""
    height, width = frame.pixels.shape[:2]
    box, layout = reader.box, reader.box.layouts[pose.board]
    fit = fit_of(pose, (width, height))
    examined = reader.examine(frame.pixels, pose)
    blur = None if examined.sight is None else BLUR_LEVELS_PX[examined.sight.light.blur]
    look = glimpse(frame.pixels, pose, layout, reader.wardrobe.ground(pose.board), blur_px=blur)
    token = token_mm(box)
    row: dict[str, Any] = {
        "board": pose.board,
        "corners": [[round(x / width, 4), round(y / height, 4)] for x, y in pose.corners_px],
        "inside": round(fit.inside, 3),
        "move_cm": [round(v / 10) for v in fit.move_mm],
        "rise": fit.rise if fit.is_too_large else 1.0,
        "token_px": round(pose.px_per_mm * token),
        "needed_px": round(box.bearing.get(FAR, 0.0) * token),
    }
    seen.boards.append(row)
    if look is not None:
        doubts = doubts_of(examined.reading.spaces)
        found = strains(look, doubts, box.bearing, said=(), token_mm=token)
        # A board outside of the picture is said with how far to move it.
        own = [c for c in found if c.strain is not Strain.CUT_OFF]
        seen.cautions += [Caution(c.strain, BoardId(pose.board), c.seen, c.needed) for c in own]


def changes(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is otherwise than it was kept: cameras and boards that are gone, boards that moved."""
    if before is None or before.get("box") != now["box"]:
        return []
    found: list[dict[str, Any]] = []
    cameras = {camera["camera"]: camera for camera in now["cameras"]}
    for was in before["cameras"]:
        camera = cameras.get(was["camera"])
        if camera is None or "fault" in camera:
            found.append({"what": "camera", "camera": was["camera"]})
            continue
        if camera.get("source") and was.get("source", "") not in ("", camera["source"]):
            found.append({"what": "other", "camera": was["camera"]})
        boards = {board["board"]: board for board in camera["boards"]}
        for board in was["boards"]:
            is_there = boards.get(board["board"])
            if is_there is None:
                found.append({"what": "board", "camera": was["camera"], "board": board["board"]})
            elif moved(board["corners"], is_there["corners"]):
                found.append({"what": "moved", "camera": was["camera"], "board": board["board"]})
    return found


def _now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
