"""What is missing at the table and what hands can do about it, as sentences. Pure.

A device that is gone stops nobody: every sentence says how the game goes on by hand meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.game import Prompt, Sentence
from companion.ports import DeviceStanding, DeviceState

MISSED = ("camera", "die", "board_sensor")
GONE = (DeviceState.LOST, DeviceState.STALE)


def missed(devices: Iterable[DeviceStanding], prompts: Sequence[Prompt]) -> tuple[Sentence, ...]:
    """Return what is missing, one sentence a device; several that went at once are one sentence.

    ``prompts`` are those of who reads it: a die or sensor that was never there is missed only
    when it is waited for.
    """
    devices = tuple(one for one in devices if one.kind in MISSED)
    lost = [one for one in devices if one.state is DeviceState.LOST and one.need is None]
    if len(lost) > 1:
        return (Sentence("missing.several", {"count": len(lost)}), *_needs(devices))
    gone = (one for one in devices if one.need is None and _is_missed(one, prompts))
    return (
        *(Sentence(f"missing.{one.kind}.{one.state}", {"device": one.device}) for one in gone),
        *_needs(devices),
    )


def _needs(devices: Iterable[DeviceStanding]) -> tuple[Sentence, ...]:
    needing = ((one, one.need) for one in devices if one.need is not None)
    return tuple(
        Sentence(f"need.{need}", {"device": one.device})
        if one.angle_deg is None
        else Sentence(f"need.{need}.angle", {"device": one.device, "angle": one.angle_deg})
        for one, need in needing
    )


def _is_missed(one: DeviceStanding, prompts: Sequence[Prompt]) -> bool:
    if one.state in GONE:
        return True
    if one.state is not DeviceState.SEARCHING:
        return False
    return any(
        prompt.expects_die if one.kind == "die" else one.kind == "board_sensor" and prompt.expects_turn
        for prompt in prompts
    )
