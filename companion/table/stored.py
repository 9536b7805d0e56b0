"""A cause as the text that journals store, and back."""

from __future__ import annotations

import json
from typing import Any

from companion.game import Seat
from companion.journal import Cause


def cause_out(cause: Cause) -> str:
    """Return a cause as one line of JSON; what is empty is left out."""
    wire: dict[str, Any] = {
        "by": cause.by,
        "for_seat": cause.for_seat,
        "client": cause.client,
        "request": cause.request,
        "seen": dict(cause.seen),
        "command": cause.command,
    }
    return json_out({key: value for key, value in wire.items() if value not in (None, "", {})})


def cause_in(text: str) -> Cause:
    """Read a cause back."""
    wire = json.loads(text)
    seat = wire.get("for_seat")
    return Cause(
        by=wire.get("by", ""),
        for_seat=None if seat is None else Seat(seat),
        client=wire.get("client", ""),
        request=wire.get("request", ""),
        seen=wire.get("seen", {}),
        command=wire.get("command"),
    )


def json_out(value: Any) -> str:
    """Return JSON without blanks, readable in any language."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
