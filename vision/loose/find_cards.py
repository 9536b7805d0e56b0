"""Find loose cards in a picture, the clearest first; what lies under them is asked last.

An outline or features say where a card may lie, a first look which. Then its art is laid there exactly and
has the last word: ``Weigh`` gives the chance that the card lies there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.loose.covered import likelier_side, open_side
from vision.loose.deck import Deck
from vision.loose.laid import (
    Comparison,
    Likeness,
    Plane,
    Scene,
    first_look,
    is_card_shaped,
    laid_exactly,
    mean_paint,
    outline_of,
    plane_of,
    seen_part,
)
from vision.loose.outlines import Outline, outlines_in
from vision.loose.recall import recalled_in
from vision.pose import Points

Weigh = Callable[[Likeness], float]

LEAST_SEEN, LEAST_SEEN_COVERED = 0.2, 0.1  # of a card
GLANCE = 0.32  # of a first look; a card that lies there reaches .55 and more
GLANCE_COVERED = 0.1
VOTE_SAYS, MOST_VOTES = 0.02, 15
CARDS_A_PLACE, TRIES_A_PLACE, TRIES = 2, 6, 20
SAME_PLACE, SAME_POSE = 0.35, 0.1  # of a card's width
LIKELY = 0.5
BACK_GLANCE, BACK_TINT = 0.9, 60.0
OUTLINE_SAYS, MOST_OUTLINES = 0.06, 4  # the outline of a back tells most: its pattern may fit anywhere
SOFTEST = -1  # of ``Deck.soft``: what a card that is not laid exactly yet is compared with


@dataclass(frozen=True, slots=True)
class Spot:
    """About where a card lies: its middle and its width; plain numbers, compared by the thousand."""

    x: float
    y: float
    width: float

    @classmethod
    def of(cls, corners: Points) -> Spot:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
        return cls((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4, math.hypot(bx - ax, by - ay))

    def is_same(self, other: Spot) -> bool:
        """Tell whether two cards could not lie there both."""
        return math.hypot(self.x - other.x, self.y - other.y) < SAME_PLACE * self.width


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A card that may lie somewhere; ``glance`` is how alike it is at a first look."""

    card: int
    plane: Plane
    corners: Points
    spot: Spot
    glance: float
    is_tinted: bool = False  # guessed by its colour alone


@dataclass(frozen=True, slots=True, eq=False)
class LaidCard:
    """A card laid exactly on a place, and how alike they are."""

    card: int
    plane: Plane
    corners: Points
    spot: Spot
    likeness: Likeness
    chance: float


@dataclass(slots=True, eq=False)
class Found:
    """What lies there: ``cards`` that are likely, ``tried`` all that were laid without being likely."""

    cards: list[LaidCard] = field(default_factory=list)
    tried: list[LaidCard] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)

    @property
    def covers(self) -> list[Points]:
        return [card.corners for card in self.cards]

    def is_taken(self, spot: Spot) -> bool:
        return any(spot.is_same(card.spot) for card in self.cards)


class CardFinder:
    """Finds the cards of one deck; remembers no picture."""

    def __init__(self, deck: Deck, weigh: Weigh) -> None:
        self._deck = deck
        self._weigh = weigh
        self._backs = [card for card, kind in enumerate(deck.kinds) if kind in deck.backs]

    def search(self, scene: Scene) -> Found:
        """Look for all cards of the deck in a picture."""
        found = Found(outlines=outlines_in(scene, self._deck))
        outlined = self._outlined(scene, found.outlines)
        self._try_clear(scene, outlined, found)
        recalled = self._recalled(scene, found)
        self._try_clear(scene, recalled, found)
        self._try_covered(scene, [*outlined, *recalled], found)
        return found

    def _outlined(self, scene: Scene, outlines: Iterable[Outline]) -> list[Guess]:
        guesses = []
        for outline in outlines:
            looks, seen = first_look(scene, plane_of(outline.corners, self._deck), self._deck)
            if seen < LEAST_SEEN:
                continue
            tinted, spot = self._like_backs(scene, outline), Spot.of(outline.corners)
            for turn in (0, 1):
                corners = np.roll(outline.corners, 2 * turn, axis=0)
                plane = plane_of(corners, self._deck)
                for card in np.argsort(-looks[turn])[:CARDS_A_PLACE].tolist():
                    glance = float(looks[turn, card])
                    guesses.append(Guess(card, plane, corners, spot, glance))
                guesses += [Guess(card, plane, corners, spot, glance, True) for card, glance in tinted]
        return guesses

    def _like_backs(self, scene: Scene, outline: Outline) -> list[tuple[int, float]]:
        """Return the backs of about a place's colour, and how alike: of a fine grid a look tells nothing."""
        if not self._backs:
            return []
        seen = mean_paint(scene, outline.corners)
        says = OUTLINE_SAYS * min(outline.seen, MOST_OUTLINES)
        apart = {
            card: float(np.linalg.norm((self._deck.paints[card].mean(axis=(0, 1)) - seen)[1:]))
            for card in self._backs
        }
        return [
            (card, BACK_GLANCE * (1 - away / BACK_TINT) + says)
            for card, away in apart.items()
            if away < BACK_TINT
        ]

    def _recalled(self, scene: Scene, found: Found) -> list[Guess]:
        guesses = []
        for recalled in recalled_in(scene, self._deck, found.covers):
            looks, seen = first_look(scene, recalled.plane, self._deck)
            if seen >= LEAST_SEEN_COVERED:
                says = VOTE_SAYS * min(recalled.votes, MOST_VOTES)
                corners = outline_of(recalled.plane, self._deck)
                glance = float(looks[0, recalled.card]) + says
                guesses.append(Guess(recalled.card, recalled.plane, corners, Spot.of(corners), glance))
        return guesses

    def lay(
        self,
        scene: Scene,
        guess: Guess,
        covers: Sequence[Points] | None = None,
        *,
        without: int | None = None,
    ) -> tuple[Plane, Likeness] | None:
        """Lay a card exactly and compare; None when too little of it shows or no card could lie so.

        ``covers``: None for a card that nothing lies upon, else outlines of what lies upon it; something
        that nobody has named may, too. ``without`` names a card that is taken for one not taught.
        """
        deck, plane = self._deck, guess.plane
        part = seen_part(scene, plane, deck, covers or ())
        least = LEAST_SEEN if covers is None else LEAST_SEEN_COVERED
        if covers is not None:
            part = likelier_side(Comparison(scene, plane, guess.card, deck, SOFTEST).blocks, part)
        for _ in range(1 if covers is None else 2):
            if part.sum() < least * deck.inner.sum():
                return None
            exact = laid_exactly(scene, plane, guess.card, deck, part)
            if exact is None or not is_card_shaped(outline_of(exact, deck), deck, scene.size_wh):
                return None
            plane, part = exact, seen_part(scene, exact, deck, covers or ())
            comparison = Comparison(scene, plane, guess.card, deck)
            free = part
            opened = None if covers is None else open_side(comparison.blocks, part)
            if opened is None or not comparison.differs(free - opened, opened):
                break  # nothing lies upon it; then all of it must show
            part = opened
        if part.sum() < least * deck.inner.sum():
            return None
        guessed = comparison.told(free) - comparison.told(part)
        return plane, replace(comparison.likeness(part, without=without), guessed=guessed)

    def _try_clear(self, scene: Scene, guesses: Sequence[Guess], found: Found) -> None:
        """Lay cards that nothing lies upon, as they are seen."""
        tried: list[Guess] = []
        for guess in sorted(guesses, key=lambda g: -g.glance):
            if guess.glance < GLANCE:
                break
            if _is_worth(guess, tried, found):
                tried.append(guess)
                self._note(guess, self.lay(scene, guess), found)

    def _try_covered(self, scene: Scene, guesses: Sequence[Guess], found: Found) -> None:
        """Lay cards under those that were found, and under what nobody has named."""
        again = []
        for guess in guesses:
            if guess.glance < GLANCE_COVERED or found.is_taken(guess.spot):
                continue
            looks, seen = first_look(scene, guess.plane, self._deck, found.covers)
            if seen >= LEAST_SEEN_COVERED:
                again.append((float(looks[0, guess.card]) + guess.glance, guess))
        tried: list[Guess] = []
        for _, guess in sorted(again, key=lambda pair: -pair[0]):
            if len(tried) >= TRIES:
                break
            if _is_worth(guess, tried, found):
                tried.append(guess)
                self._note(guess, self.lay(scene, guess, found.covers), found)

    def _note(self, guess: Guess, laid: tuple[Plane, Likeness] | None, found: Found) -> None:
        if laid is None:
            return
        plane, likeness = laid
        corners = outline_of(plane, self._deck)
        spot = Spot.of(corners)
        if found.is_taken(spot):
            return
        card = LaidCard(guess.card, plane, corners, spot, likeness, self._weigh(likeness))
        (found.cards if card.chance >= LIKELY else found.tried).append(card)


def _is_worth(guess: Guess, tried: Sequence[Guess], found: Found) -> bool:
    """Tell whether a guess is about a place that is free, and not one that was tried like that."""
    if found.is_taken(guess.spot):
        return False
    near = [o for o in tried if o.is_tinted == guess.is_tinted and guess.spot.is_same(o.spot)]
    if len(near) >= TRIES_A_PLACE:
        return False
    play = SAME_POSE * guess.spot.width
    own = (other for other in near if other.card == guess.card)
    return not any(np.abs(other.corners - guess.corners).max() < play for other in own)
