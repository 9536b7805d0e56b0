"""Players who know nothing but a view and its prompts: for the demo, simulations and absent seats.

``choose`` answers a prompt, or returns None where hands must act first; ``lay`` says what the
hands do with what they drew, for the deeds of ``prompts``:

- ``{"lay_order": ...}``: ``{"order": "red"}``, the same colour that ``choose`` names for the same chance
- ``{"draw": n, ...}`` with the kinds drawn: ``{"place": [["limb", "card3.part1"], ...]}``; with
  ``overflow`` as a space the token is put beside the full rejects track
- ``{"draw_cards": n}`` with the cards drawn: ``{"card": ..., "space": ..., "other": ...}``; where a card
  lies on that space already, it goes to the own pile first; ``pile`` as the space puts the new one
  there, where no board shows it: answer the prompt with a ``keep_card`` of the same words
- ``{"lay_five": true}``: ``{"five": {"card3": "card_12", ...}}``

A kept order: answer the prompt first; carry out new chores of the view in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Pick, Prompt, View, Weight, Wire
from companion.games.making_monsters.gains import added, taken
from companion.games.making_monsters.odds import bust_chance
from companion.games.making_monsters.options import GRAB
from companion.games.making_monsters.reporter import is_reporting, order_by_chance, report

REJECT_LIMIT = 6
FIVE_SPACES = ("card3", "card4", "card5", "card1", "card2")


class Tinkerer:
    """Plays decently: weighs the chance to bust against what lies completed.

    ``risk`` is the chance of a bust that it still takes, from 0 to 1. Who is not
    ``tidy`` forgets what waits on the sorting table, and takes items as they come.
    """

    def __init__(self, name: str, risk: float, *, is_tidy: bool) -> None:
        self.name = name
        self.risk = risk
        self._is_tidy = is_tidy

    def choose(self, view: View, prompt: Prompt, chance: float) -> Wire | None:
        """Return the wire command to send, None to leave it to the hands."""
        facts = view.facts
        if prompt.seat is None or prompt.seat != facts.get("seat"):
            return None
        if is_reporting(view):
            return report(view, prompt, chance)
        move = _move(facts, prompt) if self._is_tidy else None
        return move or self._answer(facts, prompt, chance)

    def _answer(self, facts: Wire, prompt: Prompt, chance: float) -> Wire | None:
        """Return the wire command for the stage of the own seat, None to leave it to the hands."""
        stage = facts.get("stage")
        if stage == "order":
            return {"do": "choose_order", "seat": facts["seat"], "order": self.order(facts, chance)}
        if stage == "decide":
            return {"do": "decide", "seat": facts["seat"], "reanimate": self.reanimates(facts)}
        if stage == "draw":
            return self._stop(facts)
        if self._is_tidy and stage == "items":
            return taken(facts)
        if self._is_tidy and stage in ("add", "coupon"):
            return added(facts, prompt)
        return _after_drawing(facts, prompt, chance)

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        """Return what the hands do with the tokens or cards drawn, empty if nothing."""
        facts, deed = view.facts, prompt.deed
        if "lay_order" in deed:
            order = order_by_chance(chance) if is_reporting(view) else self.order(facts, chance)
            return {"order": order}
        if "draw" in deed:
            return {"place": places(facts, drawn, is_grab=bool(deed.get("grab")))}
        if "draw_cards" in deed and drawn:
            return _kept(prompt, drawn, chance)
        if "lay_five" in deed:
            pile = sorted(facts["pile"], key=lambda card: (-facts["pile"][card], card))
            return {"five": dict(zip(FIVE_SPACES, pile, strict=False))}
        return {}

    def order(self, facts: Wire, chance: float) -> str:
        """Return the biggest order whose bust is unlikely, now and then another to stay hard to read."""
        bag = sum(facts["bag"].values())
        rot = facts["bag"].get("rot", 0)
        room = len(facts["slots"]) + len(facts["free_sorts"]) + len(facts["free_holds"])
        if chance < 0.15:
            return "red"
        for order, drawn in (("blue", 6), ("yellow", 4)):
            is_safe = bust_chance(facts["rejects"], bag, rot, drawn) <= self.risk
            if is_safe and room >= drawn - 1 and not (order == "blue" and chance < 0.45):
                return order
        return "red"

    def _stop(self, facts: Wire) -> Wire | None:
        """Return the command to stop drawing, None to draw on."""
        if not facts["may_stop"]:
            return None
        bag = max(1, sum(facts["bag"].values()))
        next_busts = facts["rejects"] == REJECT_LIMIT - 1
        danger = _rejected(facts) / bag if next_busts else 0.0
        room = len(facts["slots"]) + len(facts["free_sorts"]) + len(facts["free_holds"])
        is_rescued = facts["order"] == "yellow"
        if (danger <= self.risk or is_rescued) and room:
            return None
        seat = facts["seat"]
        if facts["phase"] == "fair" or facts["order"] == "blue":
            return {"do": "finish", "seat": seat}
        return {"do": "decide", "seat": seat, "reanimate": self.reanimates(facts)}

    def reanimates(self, facts: Wire) -> bool:
        """Say whether to reanimate: with three monsters, or when the next order would be dangerous."""
        if facts["completed"] >= 3 or facts["rejects"] >= 5:
            return True
        bag = sum(facts["bag"].values())
        danger = bust_chance(facts["rejects"], bag, facts["bag"].get("rot", 0), 4)
        return bool(facts["completed"] and danger > self.risk)


def _after_drawing(facts: Wire, prompt: Prompt, chance: float) -> Wire | None:
    match facts.get("stage"):
        case "add" | "coupon":
            return _added(facts, prompt)
        case "lester" | "spare":
            return _lester(facts, prompt, chance)
        case "chill":
            return _chilled(prompt)
        case "items":
            return _items(facts, chance)
        case _:
            return None


def _rejected(facts: Wire) -> int:
    """Return how many tokens of the bag would go to the rejects if drawn now."""
    needs = set(facts["slots"].values())
    aside = (*facts["free_sorts"], *facts["free_holds"])
    return sum(
        count
        for kind, count in facts["bag"].items()
        if kind == "rot" or (not aside and kind not in needs and kind != "mutation")
    )


def places(facts: Wire, kinds: Sequence[str], *, is_grab: bool) -> list[list[str]]:
    """Return a legal space for every token, rejects last: the monster nearest to completion first.

    At a table that tests a grab token by token (MM-R8) what finds no space goes back into the bag.
    """
    slots: dict[str, str] = dict(facts["slots"])
    sorts, rejects = [*facts["free_sorts"], *facts["free_holds"]], list(facts["free_rejects"])
    has_overflow = is_grab and facts["options"].get(GRAB) != "one_by_one"
    laid: list[list[str]] = []
    refused: list[list[str]] = []
    for kind in sorted(kinds, key=lambda kind: (kind == "rot", kind == "mutation")):
        space = "" if kind == "rot" else _slot(facts, slots, kind)
        if space and not (kind == "mutation" and sorts and _missing(slots, space) > 1):
            del slots[space]
            laid.append([kind, space])
        elif kind != "rot" and sorts:
            laid.append([kind, sorts.pop(0)])
        elif rejects or has_overflow:
            refused.append([kind, rejects.pop(0) if rejects else "overflow"])
    return laid + refused


def _move(facts: Wire, prompt: Prompt) -> Wire | None:
    """Return a move that is worth making: a part to the monster nearest to completion.

    Mutations wait until those that lie there finish a monster.
    """
    moves = [choice.command["moves"][0] for choice in prompt.choices if choice.command.get("do") == "move"]
    if not moves:
        return None
    parts, slots = facts["labs"][facts["seat"]]["parts"], facts["slots"]
    wild = sum(parts[start] == "mutation" for start in {start for start, _ in moves})
    good = [
        (_missing(slots, end), parts[start] == "mutation", end, start)
        for start, end in moves
        if parts[start] != "mutation" or _missing(slots, end) <= wild
    ]
    if not good:
        return None
    *_, end, start = min(good)
    return {"do": "move", "seat": facts["seat"], "moves": [[start, end]]}


def _missing(slots: Mapping[str, str], space: str) -> int:
    card = space.partition(".")[0]
    return sum(1 for other in slots if other.startswith(f"{card}."))


def _slot(facts: Wire, slots: Mapping[str, str], kind: str) -> str:
    fitting = [space for space, need in slots.items() if kind in (need, "mutation")]

    def worth(space: str) -> tuple[int, int, str]:
        card = space.partition(".")[0]
        return (_missing(slots, space), -int(facts["shown"][card][0]), space)

    return min(fitting, key=worth, default="")


def _added(facts: Wire, prompt: Prompt) -> Wire | None:
    """Choose the offered part that the open slots want most."""
    wanted = list(facts["slots"].values())
    offers = [choice.command for choice in prompt.choices if choice.command.get("do") == "add_part"]
    return max(offers, key=lambda offer: wanted.count(offer["kind"]), default=None)


def _lester(facts: Wire, prompt: Prompt, chance: float) -> Wire | None:
    """Play one of the cards that do something, filled in as its form begins."""
    offers = [choice for choice in prompt.choices if choice.command.get("do") == "play_lester"]
    best = [choice for choice in offers if choice.weight is not Weight.COSTLY] or offers
    if not best:
        return None
    choice = best[int(chance * len(best))]
    return {**choice.command, **{field.name: field.value for field in choice.fields}}


def _chilled(prompt: Prompt) -> Wire:
    """Keep the first part on offer; in a form that takes several, as many as it takes."""
    choice = prompt.choices[0]
    picks = [field for field in choice.fields if isinstance(field, Pick)]
    kept = {field.name: [option.value for option in field.options[: field.most]] for field in picks}
    return {**choice.command, **kept}


def _items(facts: Wire, chance: float) -> Wire:
    """Take a tile while there is room for it, then the parts that the slots want, no more than needed."""
    left, offer = facts["items"], dict(facts["cart"]["offer"])
    command: dict[str, Any] = {"do": "take_items", "seat": facts["seat"]}
    spots = list(facts["cart"]["tiles"])
    if spots and facts["tile_spaces"] and left:
        command["tiles"] = {spots[int(chance * len(spots))]: ""}
        left -= 1
    wanted = list(facts["slots"].values())
    parts: dict[str, int] = {}
    for kind in sorted(offer, key=lambda kind: -wanted.count(kind)):
        parts[kind] = min(left, offer[kind], 2)
        left -= parts[kind]
    command["parts"] = {kind: count for kind, count in parts.items() if count}
    return command


def _kept(prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
    """Keep one of the cards drawn on the space that the prompt suggests."""
    card = drawn[int(chance * len(drawn))]
    other = next((name for name in drawn if name != card), "")
    spaces = [
        field.value
        for choice in prompt.choices
        for field in choice.fields
        if isinstance(field, Pick) and field.name == "space"
    ]
    return {"card": card, "space": spaces[0] if spaces else "", "other": other}
