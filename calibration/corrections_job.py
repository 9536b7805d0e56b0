"""The job that takes corrections in and back (entry point ``companion.jobs``)."""

from __future__ import annotations

from companion.board import PieceKind, Place
from companion.game import Wire
from companion.ports import Workbench
from vision.recogniser import OpenCvRecogniser


def corrections(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Learn from a correction (``do`` is ``learn``) or take one back (``take_back``).

    ``ok`` is False when the eyes of the box on the table cannot do it; ``use`` says what became of it.
    """
    eyes = bench.recogniser()
    if not isinstance(eyes, OpenCvRecogniser) or eyes.learner is None:
        return {"ok": False}
    if told["do"] == "take_back":
        done = eyes.learner.take_back(int(told["number"]))
        eyes.look_again(())
        return {"ok": done}
    kept = eyes.learn(
        Place.parse(str(told["place"])),
        PieceKind(str(told["said"])),
        seen=PieceKind(str(told["seen"])),
        source=str(told["source"]),
        at_utc=str(told["at_utc"]),
    )
    if kept is None:
        return {"ok": False}
    return {"ok": True, "use": kept.use.value, "against": kept.against, "number": kept.number}
