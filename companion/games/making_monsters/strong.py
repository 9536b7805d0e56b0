"""The strong player: weighs every draw, and what a delivery is worth against what it may lose.

Exact where the rules end the matter (``stopping``); what lies beyond this delivery it guesses by a few
weights, found by playing thousands of games against itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.game import Prompt, View, Wire
from companion.games.making_monsters.components import (
    BONUS,
    MED_SCHOOL,
    PRINTED_CARDS,
    REFRIGERATION,
    ROT_TAKEN,
    SORTING_TABLE,
    Order,
    Token,
    under,
)
from companion.games.making_monsters.odds import Drawing, Want, next_bust
from companion.games.making_monsters.parts import counted, total
from companion.games.making_monsters.players import FIVE_SPACES, Tinkerer
from companion.games.making_monsters.rules.order import FAIR_TERMS, TERMS, Terms
from companion.games.making_monsters.stopping import weigh

GIFTS = {
    (Order.RED, False): 0.5,
    (Order.RED, True): 3.8,
    (Order.YELLOW, False): 0.0,
    (Order.YELLOW, True): 0.3,
    (Order.BLUE, False): 0.0,
    (Order.BLUE, True): 1.5,
}
"""What an order gives besides its draws, in prestige: Red's three and its parts, a L.E.S.T.E.R. card."""


HOPELESS = 5
"""With so many rejects and nothing completed, the lab is better cleared."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What lies beyond a delivery, in prestige: a part laid, a reject, an item, a Rot taken."""

    part: float = 0.9
    reject: float = 0.5
    item: float = 0.6
    rot: float = 0.8


class Strong(Tinkerer):
    """Plays by the odds."""

    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__(name, risk=0.12)
        self._weights = weights

    def order(self, facts: Wire, chance: float) -> str:
        """Return the order that promises most, whatever the neighbours lay; close ones by chance."""
        likely = _super_chance(facts)
        worth = {}
        for order in Order:
            by_base = self._promise(facts, order, is_super=False)
            by_super = self._promise(facts, order, is_super=True)
            worth[order.value] = (1 - likely) * by_base + likely * by_super
        best = max(worth.values())
        close = [order for order, promise in worth.items() if promise > best - 0.3]
        return close[int(chance * len(close))]

    def _promise(self, facts: Wire, order: Order, *, is_super: bool) -> float:
        """Return what an order should bring now and later, in prestige."""
        limits = TERMS[order, is_super]
        drawing = drawing_seen(facts, limits, is_rescued=is_super and order is Order.YELLOW)
        odds = weigh(drawing, by_monster=False)
        drawn = limits.grab if limits.most == limits.grab else (limits.least + limits.most) / 2
        goes_on = 1 - odds.order_bust
        later = goes_on * drawn * self._gain(drawing) - odds.order_bust * self._at_stake(facts)
        return odds.worth.low + later + GIFTS[order, is_super]

    def _gain(self, drawing: Drawing) -> float:
        """Return what one more token should bring beyond this delivery."""
        bag = total(drawing.bag)
        if not bag:
            return 0.0
        slots = drawing.slots
        useful = sum(
            many
            for kind, many in drawing.bag.items()
            if slots.get(kind) or (kind is Token.MUTATION and slots)
        )
        rejected = drawing.bag.get(Token.ROT, 0)
        if drawing.aside == total(drawing.held):
            rejected = bag - useful
        return (useful * self._weights.part - rejected * self._weights.reject) / bag

    def _at_stake(self, facts: Wire) -> float:
        """Return what a bust would lose besides the bonus: parts that wait for their monsters."""
        missing = {card: len(_needs(facts, card)) for card in facts["shown"]}
        return self._weights.part * sum(
            len(shown) - 1 - missing[card] for card, shown in facts["shown"].items() if missing[card]
        )

    def _stop(self, facts: Wire) -> Wire | None:
        """Return the command to stop drawing, None to draw on."""
        if not facts["may_stop"]:
            return None
        is_fair = facts["phase"] == "fair"
        limits = FAIR_TERMS if is_fair else TERMS[Order(facts["order"]), True]
        drawing = drawing_seen(facts, limits, is_rescued=not is_fair and facts["order"] == "yellow")
        drawing = replace(drawing, grab=0, least=0, most=facts["left"])
        fatal = next_bust(drawing)
        later = 0.0 if is_fair else (1 - fatal) * self._gain(drawing) - fatal * self._at_stake(facts)
        if drawing.bag and not fatal and later >= 0:
            return None  # nothing can be lost by the next token, and stopping stays possible
        odds = weigh(drawing, by_monster=False)
        if drawing.bag and odds.draw.low - (odds.stop or 0) + later > 0:
            return None
        seat = facts["seat"]
        if is_fair or facts["order"] == "blue":
            return {"do": "finish", "seat": seat}
        return {"do": "decide", "seat": seat, "reanimate": self.reanimates(facts)}

    def reanimates(self, facts: Wire) -> bool:
        """Say whether reanimating now and beginning anew promises more than one more order first."""
        weights, done = self._weights, facts["completed"]
        if not done:
            return bool(facts["rejects"] >= HOPELESS)
        gained = weights.item * (1 + done) - weights.rot * ROT_TAKEN[done]
        now = facts["points"] + BONUS[done] + gained
        fresh = max(self._promise(_cleared(facts), order, is_super=False) for order in Order)
        pushed = max(self._promise(facts, order, is_super=False) for order in Order)
        return bool(now + fresh > pushed + gained + self._at_stake(facts))

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        """Return what the hands do with the tokens or cards drawn, empty if nothing."""
        facts = view.facts
        if "lay_five" in prompt.deed:
            return {"five": dict(zip(FIVE_SPACES, _best_five(facts), strict=False))}
        if "draw_cards" in prompt.deed and drawn:
            best = max(range(len(drawn)), key=lambda at: _ease(facts["monsters"].get(drawn[at], [0])))
            return super().lay(view, prompt, drawn, (best + 0.5) / len(drawn))
        return super().lay(view, prompt, drawn, chance)


def drawing_seen(facts: Wire, limits: Terms, *, is_rescued: bool = False) -> Drawing:
    """Return what a seat draws from by what its own view tells."""
    parts: Mapping[str, str] = facts["labs"][facts["seat"]]["parts"]
    tiles: Mapping[str, str] = facts["labs"][facts["seat"]]["tiles"]
    lying = {space: tiles.get(under(space), SORTING_TABLE) for space in parts if _is_loose(space)}
    held = counted(Token(parts[space]) for space, tile in lying.items() if tile != MED_SCHOOL)
    cold = counted(Token(parts[space]) for space, tile in lying.items() if tile == REFRIGERATION)
    school = sum(tiles[under(space)] == MED_SCHOOL for space in facts["free_holds"])
    wants = tuple(
        Want(space, counted(_needs(facts, space)), int(shown[0])) for space, shown in facts["shown"].items()
    )
    return Drawing(
        bag={Token(kind): count for kind, count in facts["bag"].items()},
        wants=wants,
        aside=len(facts["free_sorts"]) + len(facts["free_holds"]) - school + total(held) - total(cold),
        grab=limits.grab,
        least=limits.least,
        most=limits.most,
        held=held,
        rejects=facts["rejects"],
        rot_rejected=sum(kind == "rot" for kind in parts.values()),
        is_rescued=is_rescued,
        cold=cold,
        school=school,
        besides=facts["school"],
        besides_bust=facts["school"],
    )


def _is_loose(space: str) -> bool:
    """Say whether a part on a space belongs to no monster and is not rejected."""
    return space.startswith("sort") or ".hold" in space


def _needs(facts: Wire, card: str) -> list[Token]:
    return [Token(need) for space, need in facts["slots"].items() if space.startswith(f"{card}.")]


def _super_chance(facts: Wire) -> float:
    """Return how likely a neighbour lays the colour that lifts an order, if they lay any of three alike."""
    return 1 / 3 if len(facts["seats"]) == 2 else 5 / 9


def _cleared(facts: Wire) -> Wire:
    """Return a seat's facts as they would be after reanimating now: all tokens back, finished cards gone."""
    lab = facts["labs"][facts["seat"]]
    shown = {
        card: parts
        for card, parts in facts["shown"].items()
        if _needs(facts, card) or card not in lab["cards"] or card in PRINTED_CARDS
    }
    bag = dict(facts["bag"])
    for kind in lab["parts"].values():
        bag[kind] = bag.get(kind, 0) + 1
    return {
        **facts,
        "bag": bag,
        "shown": shown,
        "slots": {
            f"{card}.part{n}": kind for card, (_, *kinds) in shown.items() for n, kind in enumerate(kinds)
        },
        "labs": {facts["seat"]: {**lab, "parts": {}}},
        "free_sorts": ["sort1", "sort2"],
        "rejects": 0,
    }


def _ease(monster: Sequence[object]) -> float:
    """Return prestige for the work: what a monster brings, its share of a bonus with it, for each part."""
    prestige, *parts = monster
    return (float(str(prestige)) + 2) / (len(parts) + 0.5)


def _best_five(facts: Wire) -> list[str]:
    """Return the five monsters of the own pile that promise most when all of the bag may be drawn."""
    monsters: Mapping[str, Sequence[object]] = facts["monsters"]
    easy = sorted(facts["pile"], key=lambda card: (-_ease(monsters[card]), card))[: len(FIVE_SPACES)]
    dear = sorted(facts["pile"], key=lambda card: (-facts["pile"][card], card))[: len(FIVE_SPACES)]

    def promise(cards: Sequence[str]) -> float:
        wants = tuple(
            Want(card, counted(Token(str(kind)) for kind in monsters[card][1:]), facts["pile"][card])
            for card in cards
        )
        bag = {Token(kind): count for kind, count in facts["bag"].items()}
        return weigh(Drawing(bag, wants, 2, 0, 0, FAIR_TERMS.most), by_monster=False).draw.low

    return max((easy, dear), key=promise)
