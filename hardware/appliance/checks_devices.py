"""Camera, light, focus, die, turning board, buttons: from how they stand, as the senses tell it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.game import Sentence
from companion.ports import DeviceStanding, DeviceState
from companion.settings import Settings
from hardware.appliance.finding import Finding, Outcome, look, unknown, well

SENSES = "senses"
FOCUS = ("strain.blurred", "strain.far", "strain.cut_off")
"""What strains the eyes because of where the camera hangs and looks; the rest is the light."""

GROUPS = (("camera", "cameras"), ("die", "dice"), ("board_sensor", "board_sensors"), ("panel", "panels"))
WAITING = (DeviceState.SEARCHING, DeviceState.STALE)


def check_devices(
    settings: Settings, standings: Sequence[DeviceStanding], cautions: Sequence[Sentence]
) -> Iterator[Finding]:
    """Look at every device of the settings, and at what strains the eyes.

    ``cautions`` are sentences as ``companion.table.cautions`` makes them.
    """
    for kind, group in GROUPS:
        names = [device.name for device in getattr(settings, group)]
        if not names and kind != "panel":
            yield well(kind, "none")
        for name in names:
            yield _device(kind, name, standings)
    yield from _eyes(settings, standings, cautions)


def _device(kind: str, name: str, standings: Sequence[DeviceStanding]) -> Finding:
    standing = next((one for one in standings if (one.kind, one.device) == (kind, name)), None)
    if standing is None:
        return unknown(kind, of=name)
    if standing.need is not None:
        return Finding(kind, Outcome.LOOK, _needed(standing), name)
    if standing.state is DeviceState.LIVE:
        return well(kind, of=name)
    how = "silent" if standing.state in WAITING else "gone"
    return look(kind, how, of=name, detail=standing.detail)


def _needed(standing: DeviceStanding) -> Sentence:
    if standing.angle_deg is None:
        return Sentence(f"need.{standing.need}", {"device": standing.device})
    return Sentence(f"need.{standing.need}.angle", {"device": standing.device, "angle": standing.angle_deg})


def _eyes(
    settings: Settings, standings: Sequence[DeviceStanding], cautions: Sequence[Sentence]
) -> Iterator[Finding]:
    senses = [one for one in standings if (one.device, one.kind) == (SENSES, "eyes")]
    for one in senses:
        if one.state in (DeviceState.LOST, DeviceState.FAULT):
            yield look("eyes", "closed", detail=one.detail)
    if not settings.cameras:
        return
    seeing = [one for one in standings if one.kind == "eyes" and one.device != SENSES]
    for what in ("light", "focus"):
        found = [one for one in cautions if (one.key in FOCUS) == (what == "focus")]
        yield from (Finding(what, Outcome.LOOK, one) for one in found)
        if not found:
            yield well(what) if seeing else unknown(what)
