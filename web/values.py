"""Views as JSON, for clients that draw or play themselves: every field by its own name.

A Sentence is ``{"key", "values"}``, a field of a form says its type (``Pick``, ``Count``, ``Line``),
an enum is its value, a place ``board/space``, a picture only the fact that there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from companion.board import Place
from companion.game import Count, Line, Pick, Seat
from companion.table.writer import TableView


def out(value: Any) -> Any:
    """Return a value of the contracts as JSON can carry it."""
    match value:
        case Place() | bytes():
            return str(value) if isinstance(value, Place) else True
        case Enum():
            return value.value
        case Mapping():
            return {str(key): out(item) for key, item in value.items()}
        case list() | tuple():
            return [out(item) for item in value]
    if not is_dataclass(value):
        return value
    named = {one.name: out(getattr(value, one.name)) for one in fields(value)}
    return {"type": type(value).__name__, **named} if isinstance(value, Pick | Count | Line) else named


def view_out(seen: TableView, seat: Seat | None) -> dict[str, Any]:
    """Return what a seat may know of the table, without its log (it only grows)."""
    # Left out before anything is converted: it only grows, and so would the time for each tap.
    values: dict[str, Any] = out(replace(seen, log=()))
    values.pop("log")
    return {"seat": seat, **values}
