"""What corrections teach the eyes: more pictures of a kind, beside the one it was taught by.

An exemplar is cut from the picture kept of a correction, where the piece lies in it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.board import PieceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox
from vision.corrections import Correction, Use

TOKENS, CARDS, TILES = "tokens", "cards", "tiles"
SORTS: Mapping[str, str] = {"token": TOKENS, "part": TOKENS, "card": CARDS, "tile": TILES, "stack": TILES}
"""Which templates a look's group is held against."""

MOST_OF_A_KIND = 3
"""More pictures of one kind cost every look and tell little new; the newest stay."""


@dataclass(frozen=True, slots=True, eq=False)
class Exemplar:
    """Another picture of a kind, upright about its middle, in the colours and at the scale of all art."""

    kind: PieceKind
    art: Pixels


Exemplars = Mapping[str, tuple[Exemplar, ...]]
"""By sort: TOKENS, CARDS, TILES."""


def exemplar_of(correction: Correction, picture: Pixels, box: TaughtBox) -> Exemplar | None:
    """Cut the piece out of the picture of a correction; None where the box has no such piece."""
    size = _size_px(SORTS.get(correction.group, ""), correction.said, box)
    if size is None:
        return None
    width, height = size
    turn = cv2.getRotationMatrix2D((0.0, 0.0), correction.turn_deg, 1.0)[:, :2].T
    middle = (np.array(picture.shape[1::-1]) - 1) / 2 + np.array(correction.offset_mm) * ART_PX_PER_MM
    shift = middle - turn @ ((np.array([width, height]) - 1) / 2)
    art = cv2.warpAffine(
        picture,
        np.column_stack([turn, shift]),
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return Exemplar(correction.said, np.asarray(art, np.uint8))


def _size_px(sort: str, kind: PieceKind, box: TaughtBox) -> tuple[int, int] | None:
    """Return width and height of a kind's art; None if that sort has no such kind."""
    if sort == TOKENS and kind in box.tokens:
        art = box.tokens[kind].art
    elif sort == CARDS and kind in box.cards and kind not in set(box.printed.values()):
        art = box.cards[kind].art
    elif sort == TILES and kind in box.tiles:
        art = box.tiles[kind].art
    else:
        return None
    return art.shape[1], art.shape[0]


def exemplars_of(used: Iterable[tuple[Correction, Pixels]], box: TaughtBox) -> Exemplars:
    """Return the exemplars of the corrections that are in use, the newest of each kind."""
    found: dict[str, list[Exemplar]] = {TOKENS: [], CARDS: [], TILES: []}
    for correction, picture in sorted(used, key=lambda pair: -pair[0].number):
        if correction.use is not Use.USED:
            continue
        exemplar = exemplar_of(correction, picture, box)
        own = found.get(SORTS.get(correction.group, ""), [])
        if exemplar is not None and sum(one.kind == exemplar.kind for one in own) < MOST_OF_A_KIND:
            own.append(exemplar)
    return {sort: tuple(own) for sort, own in found.items()}
