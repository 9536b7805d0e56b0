"""The strong player: every order, draw, card and reanimation by what it promises (``outlook``).

What the outlook cannot weigh, such as what neighbours lay and what orders give besides draws,
is a few judged numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.game import Pick, Prompt, View, Wire
from companion.games.making_monsters.components import BONUS, Order, Token
from companion.games.making_monsters.five import best_five
from companion.games.making_monsters.odds import Want, next_bust
from companion.games.making_monsters.outlook import (
    USUAL,
    Weights,
    by_order,
    cleared,
    promise,
    seen,
)
from companion.games.making_monsters.parts import counted
from companion.games.making_monsters.players import FIVE_SPACES, Tinkerer
from companion.games.making_monsters.stopping import weigh

NEIGHBOUR = {Order.RED: 0.2, Order.YELLOW: 0.35, Order.BLUE: 0.45}
"""How often a neighbour lays each colour: judged, for people like to draw."""

LIFTED_BY = {Order.RED: Order.YELLOW, Order.YELLOW: Order.BLUE, Order.BLUE: Order.RED}

GIFTS = {
    (Order.RED, False): 0.5,
    (Order.RED, True): 3.8,
    (Order.YELLOW, False): 0.0,
    (Order.YELLOW, True): 0.3,
    (Order.BLUE, False): 0.0,
    (Order.BLUE, True): 2.5,
}
"""What an order gives besides its draws, in prestige: Red's three and its parts, a L.E.S.T.E.R. card."""

CLOSE = 0.3
"""Orders that promise nearly the same are chosen by chance, to stay hard to read."""


class Strong(Tinkerer):
    """Plays by the odds."""

    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__(name, risk=0.12, is_tidy=True)
        self._weights = weights

    def order(self, facts: Wire, chance: float) -> str:
        """Return the order that promises most, whatever the neighbours lay; close ones by chance."""
        drawing = seen(facts, self._weights)
        beside = min(2, len(facts["seats"]) - 1)
        likely = {order: 1 - (1 - NEIGHBOUR[LIFTED_BY[order]]) ** beside for order in Order}
        worth = by_order(drawing, likely)
        for order in Order:
            worth[order] += (1 - likely[order]) * GIFTS[order, False] + likely[order] * GIFTS[order, True]
        best = max(worth.values())
        close = [order.value for order in Order if worth[order] > best - CLOSE]
        return close[int(chance * len(close))]

    def _stop(self, facts: Wire) -> Wire | None:
        """Return the command to stop drawing, None to draw on."""
        if not facts["may_stop"]:
            return None
        is_fair = facts["phase"] == "fair"
        weights = Weights(0, 0, 0) if is_fair else self._weights
        drawing = replace(
            seen(facts, weights),
            most=facts["left"] + (0 if is_fair else 3),
            free=facts["left"],
            is_rescued=not is_fair and facts["order"] == "yellow",
        )
        if drawing.bag and not next_bust(drawing):
            return None  # nothing can be lost by the next token, and stopping stays possible
        if drawing.bag and weigh(drawing, by_monster=False, most_states=20_000).draws_on:
            return None
        seat = facts["seat"]
        if is_fair or facts["order"] == "blue":
            return {"do": "finish", "seat": seat}
        return {"do": "decide", "seat": seat, "reanimate": self.reanimates(facts)}

    def reanimates(self, facts: Wire) -> bool:
        """Say whether reanimating now and beginning anew promises more than one more order first."""
        weights, done = self._weights, facts["completed"]
        drawing = seen(facts, weights)
        now = facts["points"] + BONUS[done] + weights.gains[done] + facts["school"]
        return bool(now + promise(cleared(facts, drawing), USUAL) > promise(drawing, USUAL))

    def lay(self, view: View, prompt: Prompt, drawn: Sequence[str], chance: float) -> Wire:
        """Return what the hands do with the tokens or cards drawn, empty if nothing."""
        facts = view.facts
        if "lay_five" in prompt.deed:
            return {"five": dict(zip(FIVE_SPACES, best_five(facts), strict=False))}
        if prompt.deed.get("keep") and drawn:
            return self._kept(facts, prompt, drawn)
        return super().lay(view, prompt, drawn, chance)

    def _kept(self, facts: Wire, prompt: Prompt, drawn: Sequence[str]) -> Wire:
        """Keep the card, on the space, that makes the lab promise most."""
        spaces = [
            option.value
            for choice in prompt.choices
            if choice.command.get("do") == "keep_card"
            for field in choice.fields
            if isinstance(field, Pick) and field.name == "space"
            for option in field.options
        ]
        open_ones = [space for space in spaces if space != "pile" and space not in facts["shown"]]
        drawing = seen(facts, self._weights)

        def worth(card: str, space: str) -> float:
            prestige, *parts = facts["monsters"][card]
            new = Want(space, counted(Token(str(kind)) for kind in parts), int(prestige))
            rest = tuple(want for want in drawing.wants if want.space != space)
            return promise(replace(drawing, wants=rest if space == "pile" else (*rest, new)), USUAL)

        ways = [(card, space) for card in drawn for space in (open_ones[:1] or spaces)]
        card, space = max(ways, key=lambda way: worth(*way))
        return {"card": card, "space": space, "other": next((one for one in drawn if one != card), "")}
