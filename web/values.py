"""Views as JSON, for clients that draw or play themselves: every field by its own name.

A Sentence is ``{"key", "values"}``, a field of a form says its type (``Pick``, ``Count``, ``Line``),
an enum is its value, a place ``board/space``, a picture only the fact that there is one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any

import engineio.json

from companion.board import Place
from companion.game import Count, Line, Pick, Seat
from companion.table.writer import TableView

PLAIN = (str, int, bool, NoneType)
"""Most of what a view holds, and JSON as it is."""


def out(value: Any) -> Any:
    """Return a value of the contracts as JSON can carry it."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, dict):
        return {str(key): out(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [out(item) for item in value]
    opened = opened_once(value)
    return opened if opened is value else out(opened)


def opened_once(value: Any) -> Any:
    """Return what JSON can carry for a value, where what is inside may need the same."""
    kind: Any = type(value)
    return _way_out(kind)(value)


@cache
def _way_out(kind: Any) -> Callable[[Any], Any]:
    """Return how values of a type go out. A view is some hundred values of a dozen types, for every tap."""
    if issubclass(kind, Place):
        return str
    if issubclass(kind, bytes):
        return lambda value: True
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Mapping):
        return _by_text
    return _by_name(kind) if is_dataclass(kind) else lambda value: value


def _by_name(kind: Any) -> Callable[[Any], Any]:
    """Return how the fields of a dataclass go out."""
    names = tuple(one.name for one in fields(kind))
    tag = {"type": kind.__name__} if issubclass(kind, Pick | Count | Line) else {}

    def way_out(value: Any) -> dict[str, Any]:
        return {
            name: _by_text(item) if type(item := getattr(value, name)) is dict else item for name in names
        }

    return (lambda value: tag | way_out(value)) if tag else way_out


def _by_text(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): item for key, item in value.items()}


def view_out(seen: TableView, seat: Seat | None) -> dict[str, Any]:
    """Return what a seat may know of the table, without its log (it only grows); ``dumps`` does the rest."""
    values: dict[str, Any] = opened_once(seen)
    values.pop("log")
    return {"seat": seat, **values}


def dumps(value: Any, **manner: Any) -> str:
    """Return JSON of values of the contracts; with ``loads`` this module stands for ``json`` in Socket.IO."""
    return json.dumps(value, default=opened_once, **manner)


def loads(text: str) -> Any:
    """Return what JSON says. Raises ValueError."""
    return engineio.json.loads(text)
