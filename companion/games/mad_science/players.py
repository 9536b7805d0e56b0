"""Players who know nothing but a view and its prompts: for the demo, simulations and absent seats.

``choose`` answers a prompt, or returns None where hands or the die must act first; ``lay`` says what
the hands do with the cards in them, for the deeds of ``prompts``:

- ``{"play": true}`` with the hand: ``{"play": "head_03"}``, for an adaptor with ``on``; empty: none
- ``{"draw": true}`` with the hand: ``{"source": "pile"}`` or ``heap``
- ``{"discard": true}`` with the hand: ``{"discard": "arm_01"}``
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import Player, Prompt, View, Wire
from companion.games.mad_science.components import Kind

KINDS = tuple(Kind)

PER_LIFE, PER_SPECIAL, PER_LIKE = 3, 2, 5
"""What a part is worth by; fitted to games of players who do not choose (``docs/figures.md``)."""

NEAR_ITS_END = 4
"""With so little LIFE left, an Experiment is worth finishing a creature for that was not the first."""


class Guesser:
    """Plays whatever fits, attacks whom it meets first and discards by chance."""

    name = "guesser"

    def choose(self, view: View, prompt: Prompt, chance: float) -> Wire | None:
        """Return the wire command to send, None to leave it to the hands."""
        facts = view.facts
        if prompt.seat is None or prompt.seat != facts.get("seat") or facts.get("turn") != prompt.seat:
            return None
        command = {"seat": prompt.seat}
        match facts["stage"]:
            case "target":
                return {"do": "target", **command, "target": self.target(facts, chance)}
            case "take":
                return {"do": "take", **command, "kind": self.taken(facts, chance)}
            case "move" if facts["does"]:
                return {"do": "do_move", **command}
            case "move" if not prompt.deed["roll"]:
                # What only the card's words say is for people to read: a player leaves it at the roll.
                return {"do": "end_move", **command}
            case _:
                return None

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        """Return what the hands do with the cards in them."""
        facts = view.facts
        if "play" in prompt.deed:
            return self.played(facts, drawn, chance)
        if "draw" in prompt.deed:
            return {"source": self.source(facts, drawn)}
        if "discard" in prompt.deed:
            return {"discard": self.discarded(facts, drawn, chance)}
        return {}

    def target(self, facts: Wire, chance: float) -> str:
        return str(list(facts["targets"])[int(chance * len(facts["targets"]))])

    def taken(self, facts: Wire, chance: float) -> str:
        return str(next(iter(facts["matching"])))

    def played(self, facts: Wire, hand: Sequence[str], chance: float) -> Wire:
        fitting = [card for card in hand if _may_go_on(facts, card)]
        return {"play": fitting[int(chance * len(fitting))]} if fitting else {}

    def source(self, facts: Wire, hand: Sequence[str]) -> str:
        return "pile"

    def discarded(self, facts: Wire, hand: Sequence[str], chance: float) -> str:
        return hand[int(chance * len(hand))]


class Builder(Guesser):
    """Keeps what its body can use, lays an adaptor where nothing fits, and strikes the strongest."""

    name = "builder"

    def target(self, facts: Wire, chance: float) -> str:
        """Return the strongest opponent: the weak one is beaten by the others, the strong one wins.

        Of three seats the builder wins 38 % so, and 31 % if it strikes the weakest (``docs/figures.md``).
        """
        creatures = facts["creatures"]

        def rank(seat: str) -> tuple[int, int, str]:
            return facts["targets"][seat], len(creatures[seat]["standing"]), seat

        return str(max(facts["targets"], key=rank))

    def taken(self, facts: Wire, chance: float) -> str:
        """Return the weapon, if it is among the parts that break; else whichever."""
        kinds = list(facts["matching"])
        return "weapon" if "weapon" in kinds else str(kinds[0])

    def played(self, facts: Wire, hand: Sequence[str], chance: float) -> Wire:
        fitting = [card for card in hand if _may_go_on(facts, card) and _is_good(facts, card)]
        if fitting:
            return {"play": max(fitting, key=lambda card: (_worth(facts, card), card))}
        own = facts["creatures"][facts["seat"]]
        adaptors = [card for card in hand if card in facts["adaptors"]]
        if adaptors and not own["adaptor"]:
            waiting = [card for card in hand if _is_wanted(facts, card)]
            if waiting:
                best = max(waiting, key=lambda card: (_worth(facts, card), card))
                return {"play": adaptors[0], "on": facts["cards"][best][0]}
        return {}

    def source(self, facts: Wire, hand: Sequence[str]) -> str:
        top = facts["heap"]
        if top and _may_go_on(facts, top) and not any(_is_like(facts, top, card) for card in hand):
            return "heap"
        return super().source(facts, hand)

    def discarded(self, facts: Wire, hand: Sequence[str], chance: float) -> str:
        """Return the card of least use: one of a kind that lies there, then one that does not fit."""
        own = facts["creatures"][facts["seat"]]

        def use(card: str) -> tuple[int, int, str]:
            if card in facts["adaptors"]:
                return (0 if own["adaptor"] else 2, 0, card)
            if not _is_wanted(facts, card):
                return (0, 0, card)
            return (3 if _fits(facts, card) else 1, _worth(facts, card), card)

        return min(hand, key=use)


def _may_go_on(facts: Wire, card: str) -> bool:
    return card in facts["cards"] and bool(facts["cards"][card][5])


def _fits(facts: Wire, card: str) -> bool:
    return bool(facts["cards"][card][4])


def _is_good(facts: Wire, card: str) -> bool:
    """Say whether a part is worth playing now.

    Who finishes first is paid for it; after that a creature in battle only loses LIFE, so the last part
    waits until the Experiment nears its end.
    """
    is_last = len(facts["creatures"][facts["seat"]]["parts"]) == len(KINDS) - 1
    is_late = any(creature["is_built"] for creature in facts["creatures"].values())
    return not (is_last and is_late and int(facts["experiment_life"] or 0) > NEAR_ITS_END)


def _is_wanted(facts: Wire, card: str) -> bool:
    """Say whether a part is of a kind that the own creature still lacks."""
    cards: dict[str, list[Any]] = facts["cards"]
    return card in cards and cards[card][0] not in facts["creatures"][facts["seat"]]["parts"]


def _is_like(facts: Wire, card: str, other: str) -> bool:
    """Say whether another card could go on in a card's place."""
    return _may_go_on(facts, other) and facts["cards"][other][0] == facts["cards"][card][0]


def _worth(facts: Wire, card: str) -> int:
    """Return what a part is worth to the own creature.

    LIFE counts once, the SPECIAL of a weapon now and then; a number that lies there already makes the
    creature hard to break, for only one part goes a turn.
    """
    _, life, special, number, *_ = facts["cards"][card]
    cards, own = facts["cards"], facts["creatures"][facts["seat"]]["parts"].values()
    like = sum(1 for other in own if other in cards and cards[other][3] == number)
    return PER_LIFE * int(life) + PER_SPECIAL * int(special) + PER_LIKE * like


PLAYERS: tuple[Player, ...] = (Guesser(), Builder())
"""From the weakest to the strongest."""
