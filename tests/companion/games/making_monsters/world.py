"""A table in the hands of the tests: bags, labs and piles that obey deeds and chores, and know no rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.board import EMPTY, BoardId, PieceKind, SpaceId
from companion.game import Seat
from companion.games.making_monsters.components import (
    CARD_SPACES,
    CART_SPOTS,
    PRINTED_CARDS,
    REJECTS,
    SORT_SPACES,
    TOKEN_COUNTS,
    UPGRADE_SPACES,
)
from companion.ports import BoardReading, LoosePiece, Reading, SpaceReading

SURE = 0.99


@dataclass
class Bench:
    """What lies before one seat."""

    bag: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    beside: list[str] = field(default_factory=list)
    cards: dict[str, str] = field(default_factory=dict)
    tiles: dict[str, str] = field(default_factory=dict)
    pile: list[str] = field(default_factory=list)
    order: str = ""
    is_up: bool = False
    score: int = 0


class World:
    """Everything that lies on the table."""

    def __init__(self, catalogue: Mapping[str, Any], seats: list[Seat], seed: int) -> None:
        self.chance = random.Random(seed)
        self.monsters = catalogue["cards"]
        self.benches = {seat: Bench() for seat in seats}
        self.graves = Counter({kind.value: count for kind, count in TOKEN_COUNTS.items()})
        self.track = 0
        self.gone: list[str] = []
        self.carts: dict[str, str] = {}
        self.stack = [tile for tile, count in catalogue["upgrade_counts"].items() for _ in range(count)]
        self.deck = [card for card in catalogue["cards"] if not card.startswith("printed")]
        self.discards: list[str] = []
        self.chance.shuffle(self.stack)
        self.chance.shuffle(self.deck)
        self.done: dict[int, bool] = {}

    def draw(self, seat: Seat, count: int) -> list[str]:
        bag = self.benches[seat].bag
        self.chance.shuffle(bag)
        return [bag.pop() for _ in range(min(count, len(bag)))]

    def draw_cards(self, count: int) -> list[str]:
        drawn: list[str] = []
        for _ in range(count):
            if not self.deck:
                self.deck, self.discards = self.discards, []
                self.chance.shuffle(self.deck)
            if self.deck:
                drawn.append(self.deck.pop())
        return drawn

    def put(self, seat: Seat, kind: str, space: str) -> None:
        bench = self.benches[seat]
        if space == "overflow":
            bench.beside.append(kind)
            return
        assert space not in bench.parts
        bench.parts[space] = kind

    def do(self, chore: Mapping[str, Any]) -> None:
        """Carry out one chore, once."""
        if self.done.setdefault(chore["number"], False):
            return
        self.done[chore["number"]] = True
        for deed, what in chore.items():
            if deed not in ("number", "seat"):
                getattr(self, f"_{deed}")(chore["seat"], what)

    def _fill_bag(self, seat: Seat, kinds: Mapping[str, int]) -> None:
        self._gain(seat, kinds)

    def _fill_track(self, _: None, count: int) -> None:
        self.graves["rot"] -= count
        self.track += count

    def _refill(self, _: None, spots: list[str]) -> None:
        for spot in spots:
            assert spot not in self.carts
            self.carts[spot] = self.stack.pop()

    def _turn_order(self, seat: Seat, _: bool) -> None:
        self.benches[seat].is_up = True

    def _order_back(self, seat: Seat, _: bool) -> None:
        self.benches[seat].order, self.benches[seat].is_up = "", False

    def _score(self, seat: Seat, total: int) -> None:
        self.benches[seat].score = total

    def _tokens_to_bag(self, seat: Seat, spaces: list[str]) -> None:
        bench = self.benches[seat]
        for space in spaces:
            if space == "overflow":
                bench.beside.remove("rot")
                bench.bag.append("rot")
            else:
                bench.bag.append(bench.parts.pop(space))

    def _gain(self, seat: Seat, kinds: Mapping[str, int]) -> None:
        for kind, count in kinds.items():
            self.graves[kind] -= count
            assert self.graves[kind] >= 0
            self.benches[seat].bag += [kind] * count

    def _rot_from_track(self, seat: Seat, count: int) -> None:
        self.track -= count
        self.benches[seat].bag += ["rot"] * count

    def _rot_from_supply(self, seat: Seat, count: int) -> None:
        self._gain(seat, {"rot": count})

    def _remove_rot(self, seat: Seat, _: int) -> None:
        self.benches[seat].bag.remove("rot")
        self.gone.append("rot")

    def _play_lester(self, seat: Seat, card: str) -> None:
        assert seat in self.benches and card

    def _drop_tile(self, seat: Seat, space: str) -> None:
        del self.benches[seat].tiles[space]

    def _take_tile(self, seat: Seat, ends: Mapping[str, str]) -> None:
        self.benches[seat].tiles[ends["to"]] = self.carts.pop(ends["from"])

    def _cards_to_pile(self, seat: Seat, spaces: list[str]) -> None:
        bench = self.benches[seat]
        bench.pile += [bench.cards.pop(space) for space in spaces]

    def _clear(self, seat: Seat, spaces: list[str]) -> None:
        bench = self.benches[seat]
        self._tokens_to_bag(seat, spaces)
        bench.bag += bench.beside
        bench.beside.clear()

    def _keep(self, seat: Seat, moved: list[list[str]]) -> None:
        parts = self.benches[seat].parts
        for kind, start, end in moved:
            assert end not in parts and parts[start] == kind
            parts[end] = parts.pop(start)

    def reading(self) -> Reading:
        """Return what perfect eyes see of everything."""
        boards = {BoardId(f"lab_{seat}"): self._lab(seat) for seat in self.benches}
        boards[BoardId("central")] = _board(
            "central", {spot: self.carts.get(spot, "") for spot in CART_SPOTS}
        )
        rot = {f"rot_{n + 1}": "rot" if n < self.track else "" for n in range(20)}
        boards[BoardId("score")] = _board("score", rot)
        loose = tuple(
            LoosePiece(
                PieceKind(f"order_{bench.order}" if bench.is_up else "order_back"),
                (0.0, 0.0),
                0.0,
                SURE,
                True,
                BoardId(f"lab_{seat}"),
            )
            for seat, bench in self.benches.items()
            if bench.order
        )
        return Reading("camera", 1, 0, boards, loose)

    def _lab(self, seat: Seat) -> BoardReading:
        bench = self.benches[seat]
        shown = {**PRINTED_CARDS, **bench.cards}
        spaces = [
            f"{space}.part{n}"
            for space, card in shown.items()
            for n in range(len(self.monsters[card]["parts"]))
        ]
        names = (*spaces, *SORT_SPACES, *REJECTS, *CARD_SPACES, *UPGRADE_SPACES)
        lying = {**bench.parts, **bench.cards, **bench.tiles}
        held = {name: self._on_top(bench, name) for name in UPGRADE_SPACES}
        return _board(f"lab_{seat}", {name: lying.get(name, "") for name in names}, held)

    def _on_top(self, bench: Bench, tile_space: str) -> str:
        """Return the token on top of a tile: the last one laid, the others are hidden below it."""
        held = [kind for space, kind in sorted(bench.parts.items()) if space.startswith(f"{tile_space}.")]
        return held[-1] if held else ""


def _board(name: str, lying: Mapping[str, str], held: Mapping[str, str] | None = None) -> BoardReading:
    spaces = {
        SpaceId(space): SpaceReading(
            PieceKind(kind or EMPTY),
            SURE,
            True,
            on_top=(PieceKind(held[space]),) if held and held.get(space) else (),
        )
        for space, kind in lying.items()
    }
    return BoardReading(BoardId(name), "tags", (), 0.0, spaces)
