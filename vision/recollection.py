"""What live eyes remember: a belief for each space, which spaces want another look, what was told.

Pure. Knows places and looks, no pictures and no boards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from companion.board import BoardId, Place, SpaceId
from companion.ports import HIDDEN, SpaceReading
from vision.steady import HIDDEN_LOOKS, NEEDED, Belief, disturbed, given_up, looked, shown

MOST_LOOKS = 6  # with four frames to settle, no more fit into two seconds at 5 frames a second

Key = tuple[str, ...]
HIDDEN_KEY: Key = ("hidden",)


class Recollection:
    """Beliefs of all places of all boards in view."""

    def __init__(self) -> None:
        self._beliefs: dict[Place, Belief] = {}
        self._looks: dict[Place, int] = {}  # made at each place that is due
        self._needed: dict[Place, int] = {}
        self._covered: set[Place] = set()
        self._told: dict[Place, Key] = {}
        self._told_bare: dict[Place, Key] = {}  # the same, as it was before a hand came

    def places(self, board: BoardId) -> tuple[Place, ...]:
        return tuple(place for place in self._beliefs if place.board == board)

    def knows(self, place: Place) -> bool:
        return place in self._beliefs

    def belief(self, place: Place) -> Belief:
        return self._beliefs.get(place, Belief())

    def disturb(self, places: Iterable[Place], *, needed: int = NEEDED) -> None:
        """Ask for new looks at places; unknown ones are taken in."""
        for place in places:
            self._beliefs[place] = disturbed(self.belief(place))
            self._looks[place] = 0
            self._needed[place] = needed

    def cover(self, places: Collection[Place]) -> bool:
        """Say which places an arm covers from now on; return whether others are bare again."""
        bared = self._covered - set(places)
        for place in bared:
            if place in self._beliefs:
                self._beliefs[place] = replace(self._beliefs[place], hidden_looks=0)
        self._covered = {place for place in places if place in self._beliefs}
        return bool(bared)

    def look_at_covered(self) -> None:
        """Count one more settled frame on which the covered places could not be seen."""
        hand = SpaceReading(HIDDEN, 0.0, sure=False)
        for place in self._covered:
            if self._beliefs[place].hidden_looks < HIDDEN_LOOKS:
                self._beliefs[place] = looked(self._beliefs[place], hand)

    @property
    def is_restless(self) -> bool:
        """Tell whether another settled frame can bring anything new."""
        return bool(self.due()) or any(
            self._beliefs[place].hidden_looks < HIDDEN_LOOKS for place in self._covered
        )

    def due(self) -> tuple[Place, ...]:
        """Return the places that want another look and are not covered."""
        return tuple(place for place in self._looks if place not in self._covered)

    def take_in(self, looks: Mapping[Place, SpaceReading], *, asked: Collection[Place]) -> None:
        """Take in one look at the places asked for; one without an answer counts as a look, too."""
        for place in asked:
            if place not in self._looks:
                continue
            look = looks.get(place)
            belief = self._beliefs[place]
            if look is not None:
                belief = looked(belief, look, needed=self._needed[place])
            self._looks[place] += 1
            if not belief.is_settled and self._looks[place] >= max(MOST_LOOKS, self._needed[place] + 2):
                belief = given_up(belief)
            if belief.is_settled:
                del self._looks[place]
            self._beliefs[place] = belief

    def forget(self, places: Iterable[Place]) -> None:
        """Drop places that are no more, such as the parts of a card that was taken."""
        for place in places:
            for memory in (self._beliefs, self._looks, self._needed, self._told, self._told_bare):
                memory.pop(place, None)
            self._covered.discard(place)

    def news(self) -> tuple[Place, ...]:
        """Return the settled places that read otherwise than was told last."""
        keys = ((place, _key(shown(belief))) for place, belief in self._beliefs.items())
        return tuple(
            place
            for place, key in keys
            if key != self._told.get(place) and (place not in self._looks or key == HIDDEN_KEY)
        )

    def changed(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Return those of the places that read otherwise than when they were told last without a hand."""
        return tuple(
            place
            for place in places
            if (key := _key(shown(self._beliefs[place]))) != HIDDEN_KEY and key != self._told_bare.get(place)
        )

    def tell(self) -> None:
        """Take everything that is shown now for told."""
        self._told = {place: _key(shown(belief)) for place, belief in self._beliefs.items()}
        self._told_bare |= {place: key for place, key in self._told.items() if key != HIDDEN_KEY}

    def shown(self, board: BoardId) -> dict[SpaceId, SpaceReading]:
        """Return what to tell of each space of a board."""
        return {place.space: shown(belief) for place, belief in self._beliefs.items() if place.board == board}


def _key(reading: SpaceReading) -> Key:
    """Return what makes a reading news: all unsure ones are alike."""
    if reading.reads == HIDDEN:
        return HIDDEN_KEY
    if not reading.sure:
        return ("unsure",)
    return ("sure", reading.reads, *sorted(reading.on_top))
