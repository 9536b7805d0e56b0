"""Views as they come over the line, read back into what a player thinks with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.game import Choice, Count, Field, Line, Option, Pick, Prompt, Sentence, Tone, View, Weight
from companion.ports import DeviceState

Wired = Mapping[str, Any]

AT_REST = "settled"  # what eyes say of themselves when all that changed was read


def sentence_of(wired: Wired) -> Sentence:
    """Read a sentence with everything inside it."""
    return Sentence(wired["key"], {name: _value(value) for name, value in wired["values"].items()})


def _value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return sentence_of(value)
    if isinstance(value, list):
        return tuple(_value(item) for item in value)
    return value


def view_of(wired: Wired) -> View:
    """Read what players need of a view: phase, round, facts, and whether it is over."""
    view = wired["view"]
    return View(
        phase=sentence_of(view["phase"]),
        round=view["round"],
        seats=(),
        prompts=(),
        is_over=view["is_over"],
        facts=view["facts"],
    )


def prompt_of(wired: Wired, seat: str | None) -> Prompt | None:
    """Return the prompt of a seat; with None the first one of the table."""
    return next(prompts_of(wired, seat), None)


def prompts_of(wired: Wired, seat: str | None) -> Iterator[Prompt]:
    """Yield all prompts of a seat, or of the table."""
    return (_prompt(found) for found in wired["view"]["prompts"] if found["seat"] == seat)


def _prompt(found: Wired) -> Prompt:
    return Prompt(
        seat=found["seat"],
        say=sentence_of(found["say"]),
        rule=found["rule"],
        tone=Tone(found["tone"]),
        choices=tuple(_choice(choice) for choice in found["choices"]),
        deed=found["deed"],
        key=found["key"],
        expects_die=found["expects_die"],
        expects_turn=found["expects_turn"],
    )


def _choice(wired: Wired) -> Choice:
    return Choice(
        label=sentence_of(wired["label"]),
        command=wired["command"],
        fields=tuple(_field(field) for field in wired["fields"]),
        weight=Weight(wired["weight"]),
        sign=wired["sign"],
    )


def _field(wired: Wired) -> Field:
    name, label = wired["name"], sentence_of(wired["label"])
    match wired["type"]:
        case "Count":
            return Count(name, label, wired["least"], wired["most"], wired["value"])
        case "Pick":
            options = tuple(Option(one["value"], sentence_of(one["label"])) for one in wired["options"])
            value = wired["value"]
            if isinstance(value, list):
                value = tuple(value)
            return Pick(name, label, options, wired["least"], wired["most"], value)
        case _:
            return Line(name, label, wired["value"])


def proposal_of(wired: Wired, seat: str | None) -> Wired | None:
    """Return the open proposal of a seat."""
    seen = (one for one in wired["proposals"] if not one.get("is_roll"))
    return next((one for one in seen if one["proposal"]["seat"] == seat), None)


def reads_of(proposal: Wired) -> dict[str, str]:
    """Return what a proposal saw, by place."""
    return {space["place"]: space["seen"]["reads"] for space in proposal["proposal"]["spaces"]}


def puzzles_of(wired: Wired, seat: str | None) -> tuple[Sentence, ...]:
    """Return what nothing explains at a seat."""
    return tuple(sentence_of(one["say"]) for one in wired["puzzles"] if one["seat"] == seat)


def are_eyes_at_work(wired: Wired, seat: str | None, camera: str = "") -> bool:
    """Tell whether a ``camera`` (of a seat; None: of the centre) still has something to watch or to read.

    Eyes that open or search are at work, too: at the beginning of an evening hands are faster.
    """
    camera = camera or ("centre" if seat is None else f"lab_{seat}")
    eyes = [one for one in wired["devices"] if one["kind"] == "eyes" and one["device"] == camera]
    return not eyes or any(
        one["state"] == DeviceState.SEARCHING
        or (one["state"] == DeviceState.LIVE and one["detail"] != AT_REST)
        for one in eyes
    )
