"""Between our frozen values and what JSON can carry, by the types that the values declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def plain(value: Any) -> Any:
    """Return a value as objects, lists, text, numbers, true, false and null. Usual values are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name))
            for field in fields(value)
            if not _is_usual(field, getattr(value, field.name))
        }
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def _is_usual(field: Any, value: Any) -> bool:
    if field.default is not MISSING:
        return bool(value == field.default)
    return field.default_factory is not MISSING and value == field.default_factory()


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def restore(kind: Any, value: Any) -> Any:
    """Read a value of a declared type back.

    Raises KeyError for a missing field, TypeError for an unknown one, ValueError for the rest.
    """
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        strange = [name for name in value if name not in hints]
        if strange:
            raise TypeError(f"unknown field {strange[0]}")
        return kind(**{name: restore(hints[name], item) for name, item in value.items()})
    origin = get_origin(kind)
    if origin is tuple:
        return _restore_tuple(get_args(kind), value)
    if origin is not None and _is_mapping(origin):
        key_kind, item_kind = get_args(kind)
        return {restore(key_kind, key): restore(item_kind, item) for key, item in value.items()}
    if origin in (Union, UnionType):
        return None if value is None else restore(get_args(kind)[0], value)
    return _restore_single(kind, value)


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _restore_tuple(kinds: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        raise ValueError(f"{value!r} is no list")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(restore(kinds[0], item) for item in value)
    if len(value) != len(kinds):
        raise ValueError(f"{value!r} should have {len(kinds)} parts")
    return tuple(restore(kind, item) for kind, item in zip(kinds, value, strict=True))


def _restore_single(kind: Any, value: Any) -> Any:
    kind = getattr(kind, "__supertype__", kind)
    if kind is bool:
        if value not in (True, False, "true", "false"):
            raise ValueError(f"{value!r} is neither true nor false")
        return value in (True, "true")
    if kind is int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError(f"{value!r} is no whole number")
        return int(value)
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return kind(value)
