"""Pins of a Raspberry Pi: opened all or none, and said in plain words where there are none."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from companion.ports import DeviceLost


class Closable(Protocol):
    def close(self) -> None: ...


Pin = TypeVar("Pin", bound=Closable)


def open_pins(who: str, numbers: Sequence[int], open_pin: Callable[[int], Pin], *, instead: str) -> list[Pin]:
    """Open pins by their GPIO numbers; all or none. Raises DeviceLost, which ends with ``instead``."""
    opened: list[Pin] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it tries four libraries is nobody's concern
            for number in numbers:
                opened.append(open_pin(number))
    except _gpio_errors() as error:
        for pin in opened:
            pin.close()
        raise DeviceLost(
            f"{who} finds no GPIO here for its pins {tuple(numbers)}: {str(error).rstrip('.!')}. "
            f"Run it on a Raspberry Pi with lgpio installed{instead}."
        ) from error
    return opened


def _gpio_errors() -> tuple[type[BaseException], ...]:
    """Return what the libraries raise where there is no GPIO, or somebody else has it."""
    from gpiozero.exc import GPIOZeroError  # noqa: PLC0415

    lgpio: Any = sys.modules.get("lgpio")
    return (GPIOZeroError, ImportError, OSError, *([lgpio.error] if lgpio else []))
