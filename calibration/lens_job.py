"""The job that measures a lens (entry point ``companion.jobs``): one look at a time, then the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibration.lens import LensWork, TooFewViews
from calibration.lens_views import forget, keep_drawing, keep_profile, keep_work, kept_work
from companion.game import Sentence, Wire
from companion.ports import DeviceLost, Workbench


def lens(bench: Workbench, told: Wire, coded: bytes) -> Wire:
    """Look through a camera once (``do`` is ``look``), ``measure`` what was seen, or begin ``anew``.

    Answers with ``ok`` and, when not, ``why``; with what is ``said``, how many ``views`` there are, and
    whether that is ``enough``; after measuring with ``file`` when the profile is any good.
    """
    camera = str(told["camera"])
    if told["do"] == "anew":
        forget(camera)
        return {"ok": True, "said": told_of(Sentence("lens.anew")), "views": 0, "enough": False}
    work = kept_work(camera)
    return _measure(work, camera) if told["do"] == "measure" else _look(bench, work, camera)


def _look(bench: Workbench, work: LensWork, camera: str) -> Wire:
    try:
        pixels = bench.frame(camera).pixels
    except DeviceLost as lost:
        return {"ok": False, "why": {"key": "teach.plainly", "values": {"text": str(lost)}}}
    advice = work.look(pixels)
    if advice.is_taken:
        keep_work(work, camera)
    keep_drawing(work, camera)
    return {"ok": True, "said": told_of(advice.said), "views": len(work.views), "enough": work.is_enough}


def _measure(work: LensWork, camera: str) -> Wire:
    try:
        profile, verdict = work.solve()
    except TooFewViews as few:
        return {"ok": False, "why": told_of(few.said)}
    answer = {"ok": True, "said": told_of(verdict.said), "views": len(work.views), "enough": work.is_enough}
    return answer | ({"file": str(keep_profile(profile, camera))} if verdict.is_good else {})


def told_of(sentence: Sentence) -> Mapping[str, Any]:
    """Return a sentence as values; what it quotes may be sentences, too."""
    values = {k: told_of(v) if isinstance(v, Sentence) else v for k, v in sentence.values.items()}
    return {"key": sentence.key, "values": values}


def heard(told: Mapping[str, Any]) -> Sentence:
    """Return the sentence that ``told_of`` made values of."""
    values = {k: heard(v) if isinstance(v, Mapping) else v for k, v in told["values"].items()}
    return Sentence(str(told["key"]), values)
