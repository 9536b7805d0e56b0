"""Loose cards of a picture as the house knows them: named, face down, or unknown with the reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import cv2
import numpy as np

from companion.board import BoardId
from companion.ports import UNKNOWN, BoardReading, LoosePiece, Obstacle, Pixels
from vision.box import TaughtBox
from vision.find_boards import find_by_tags
from vision.find_tags import TagPatterns
from vision.loose.deck import Deck
from vision.loose.find_cards import CardFinder, Found, LaidCard, Spot
from vision.loose.judge import SURE, CardJudge, why_open
from vision.loose.laid import Scene
from vision.loose.outlines import Outline
from vision.loose.plain_backs import PlainBack, plain_backs
from vision.pose import BoardPose, Points
from vision.reasons import burnt_out

SEEN_OFTEN = 3  # ways of cutting the picture apart that show the same four sides: those are no grain of wood
MOST_OTHERS = 2
MOST_SHARED = 0.15
SIZE_PLAY = 1.2  # cards on one table are about as large as one another


class LooseReader:
    """Reads the loose cards of one taught box. Remembers no picture."""

    def __init__(self, box: TaughtBox) -> None:
        self.deck = Deck.of(box.loose, box.loose_backs)
        self._zones, self._tag_mm = box.zones, box.tag_mm
        self._patterns = TagPatterns.of([tag.number for zone in box.zones for tag in zone.tags])
        self._finder = CardFinder(self.deck, CardJudge(box.judgement.get("loose", ())).weigh)

    def read(self, pixels: Pixels) -> tuple[tuple[LoosePiece, ...], dict[BoardId, BoardReading]]:
        """Return the cards in a picture (height, width, 3), blue-green-red, the surest first; and zones seen.

        Nothing is printed in a zone: what lies there are the cards that are ``near`` it.
        """
        scene = Scene.of(pixels)
        found = self._finder.search(scene)
        named = [self._named(card, scene) for card in sorted(found.cards, key=lambda card: -card.chance)]
        plain = plain_backs(scene, self.deck, found)
        turned = [self._turned(back, scene) for back in plain]
        pieces = (*named, *turned, *self._unknown(found, plain, scene))
        if not self._zones:
            return pieces, {}
        poses, _ = find_by_tags(pixels, self._zones, self._patterns, tag_mm=self._tag_mm)
        zones = {
            pose.board: BoardReading(pose.board, pose.found_by, pose.corners_px, pose.rotation_deg, {})
            for pose in poses
        }
        return tuple(replace(piece, near=_zone_of(piece, poses)) for piece in pieces), zones

    def _named(self, card: LaidCard, scene: Scene) -> LoosePiece:
        kind, rival = self.deck.kinds[card.card], self.deck.kinds[card.likeness.rival]
        is_sure = card.chance >= SURE
        return LoosePiece(
            kind,
            **_place(card.corners, scene.share),
            confidence=card.chance,
            sure=is_sure,
            others=() if is_sure else (rival,),
            obstacle=None if is_sure else why_open(card.likeness, _glare(scene, card.corners)),
            is_face_down=kind in self.deck.backs,
        )

    def _turned(self, back: PlainBack, scene: Scene) -> LoosePiece:
        """Return a card of which nothing is seen but the colour of its back."""
        place, kind = _place(back.corners, scene.share), self.deck.kinds[back.card]
        return LoosePiece(kind, **place, confidence=SURE, sure=True, is_face_down=True)

    def _unknown(self, found: Found, plain: Sequence[PlainBack], scene: Scene) -> list[LoosePiece]:
        """Return what has four sides like a card and none of the taught faces."""
        pieces: list[LoosePiece] = []
        taken = [(card.spot, card.corners) for card in found.cards]
        taken += [(back.spot, back.corners) for back in plain]
        for outline in sorted(found.outlines, key=lambda o: -o.seen):
            if not outline.is_whole or outline.seen < SEEN_OFTEN:
                break
            spot = Spot.of(outline.corners)
            is_taken = any(spot.is_same(other) or _is_within(spot, corners) for other, corners in taken)
            if is_taken or not _is_sized(spot, found.cards) or _is_crossing(outline.corners, found.covers):
                continue
            taken.append((spot, outline.corners))
            pieces.append(self._open(outline, spot, found, scene))
        return pieces

    def _open(self, outline: Outline, spot: Spot, found: Found, scene: Scene) -> LoosePiece:
        near = [laid for laid in found.tried if spot.is_same(laid.spot)]
        near.sort(key=lambda laid: -laid.chance)
        kinds = tuple(dict.fromkeys(self.deck.kinds[laid.card] for laid in near))[:MOST_OTHERS]
        glare = _glare(scene, outline.corners)
        return LoosePiece(
            UNKNOWN,
            **_place(outline.corners, scene.share),
            confidence=near[0].chance if near else 0.0,
            sure=False,
            others=kinds,
            obstacle=why_open(near[0].likeness, glare) if near else Obstacle.NOT_TAUGHT,
        )


def _zone_of(piece: LoosePiece, poses: Sequence[BoardPose]) -> BoardId | None:
    for pose in poses:
        x, y = pose.locate(np.array([piece.centre_px]))[0]
        if 0 <= x <= pose.size_mm[0] and 0 <= y <= pose.size_mm[1]:
            return pose.board
    return None


def _is_sized(spot: Spot, cards: Sequence[LaidCard]) -> bool:
    """Tell whether an outline is about as large as the cards that were named."""
    if not cards:
        return True
    usual = float(np.median([card.spot.width for card in cards]))
    return usual / SIZE_PLAY < spot.width < usual * SIZE_PLAY


def _is_crossing(corners: Points, cards: Sequence[Points]) -> bool:
    """Tell whether much of an outline lies on cards that were named: the gap between two is none."""
    outline = corners.astype(np.float32)
    area = abs(cv2.contourArea(outline))
    shared = sum(cv2.intersectConvexConvex(outline, card.astype(np.float32))[0] for card in cards)
    return shared > MOST_SHARED * area


def _is_within(spot: Spot, corners: Points) -> bool:
    """Tell whether the middle of one outline lies inside another: a picture on a card is no card."""
    return bool(cv2.pointPolygonTest(corners.astype(np.float32), (spot.x, spot.y), False) >= 0)


def _glare(scene: Scene, corners: Points) -> float:
    """Return how much of a place is burnt out to white."""
    inside = np.zeros(scene.grey.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), (1,))
    return burnt_out(scene.pixels[inside > 0]) if inside.any() else 0.0


class _Place(TypedDict):
    centre_px: tuple[float, float]
    orientation_deg: float
    corners_px: tuple[tuple[float, float], ...]


def _place(corners: Points, share: float) -> _Place:
    """Return where a card lies in the picture as it came."""
    there = (corners + 0.5) / share - 0.5
    across = there[1] - there[0] + there[2] - there[3]
    x, y = _crossing(there)
    return {
        "centre_px": (x, y),
        "orientation_deg": math.degrees(math.atan2(across[1], across[0])) % 360,
        "corners_px": tuple((float(x), float(y)) for x, y in there),
    }


def _crossing(corners: Points) -> tuple[float, float]:
    """Return where the diagonals of a card cross: its middle, also seen aslant."""
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    ways = np.stack([one, -other], axis=1)
    middle = corners[0] + np.linalg.solve(ways, corners[1] - corners[0])[0] * one
    return float(middle[0]), float(middle[1])
