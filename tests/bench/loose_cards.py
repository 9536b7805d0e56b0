"""Loose cards on real photographs: taught from references, read alone under other names.

Beside it what people use instead: ORB features of each card on the whole picture, matched by brute force and
a homography (OpenCV, *Features2D + Homography*, MIN_MATCH_COUNT = 10).
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import PieceKind
from companion.ports import Pixels
from tests.bench.scenes import companion, copied_alone
from tests.bench.table import Line, Section, at_least, at_most
from vision.box import load_box
from vision.loose.deck import Deck
from vision.loose.find_cards import CardFinder
from vision.loose.judge import SURE, CardJudge
from vision.loose.laid import Scene

Outline = NDArray[np.float32]

CLEAR_ANSWERED, COVERED_ANSWERED, STRANGE_ACCEPTED = 96.0, 45.0, 1.0
THERE = 0.3  # of the smaller outline: an answer is about a card
RATIO, ENOUGH_MATCHES, OFF_PX = 0.75, 10, 5.0

BACKS = (
    ("back_blue", "pk_setup_back_cards.jpg", ((833.7, 531.3), (970, 534), (966, 724), (830.3, 722.3))),
    ("back_pink", "pk_setup_back_cards.jpg", ((996, 535.7), (1131.3, 535.7), (1128, 726.7), (993.3, 726))),
)
ART = "mt_test26.jpg"
ART_CARDS = (
    ("Cyclonic Rift", ((43.7, 101.6), (225.9, 91.9), (227.5, 357), (33.1, 363.3))),
    ("Force of Will", ((281.4, 91), (474.1, 94.4), (467.8, 356.1), (268.8, 355.3))),
    ("Frantic Search", ((525.4, 99.5), (713.6, 96.1), (726.3, 359.5), (528.4, 359.5))),
    ("Island", ((780.1, 98.6), (972.4, 96.1), (984.2, 361.2), (782.2, 362.4))),
    ("Izzet Charm", ((1032.6, 104.5), (1219.8, 104.5), (1239.6, 366.6), (1043.1, 367.9))),
    ("Mountain", ((30.2, 428.7), (229.6, 416.1), (232.2, 704.7), (33.1, 713.2))),
    ("Ponder", ((280.6, 417.4), (480.4, 408.9), (484.2, 698.4), (277.2, 703.5))),
    ("Snapcaster Mage", ((533.9, 414), (728.4, 411), (740.1, 699.3), (536, 700.1))),
    ("Sol Ring", ((781, 416.1), (981.7, 408.9), (1004, 699.3), (794.8, 707.7))),
    ("Steam Vents", ((1036.4, 419.5), (1231.2, 413.1), (1255.2, 699.3), (1054.5, 703.5))),
)
"""Where the cards lie in the photographs that they are taught from: own corner first, clockwise, by eye."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A sure answer and where it was given."""

    reads: str
    outline: Outline
    is_face_down: bool = False


def loose_sections(photos: Path, work: Path, home: Path) -> Iterator[Section]:
    """Teach and read the three sets of photographs."""
    labels = json.loads((photos / "labels.json").read_text(encoding="utf-8"))["images"]
    yield _playing_cards(photos, labels, work, home)
    yield _face_down(photos, labels, work, home)
    yield _art_cards(photos, labels, work, home)


# --- playing cards -------------------------------------------------------------------------


def _playing_cards(photos: Path, labels: Mapping[str, Any], work: Path, home: Path) -> Section:
    companion("box", "teach", str(photos / "reference"), "--name", "playing", home=home)
    truths = {name: told["cards"] for name, told in labels.items() if name.startswith("ed_")}
    pictures = [photos / name for name in truths]
    answers = read_loose(pictures, work / "playing", home, "playing")
    ours = _scores(truths, answers)
    faces = {path.stem: _picture(path) for path in sorted((photos / "reference").glob("*.jpg"))}
    peer = OrbCards(faces)
    theirs = _scores(truths, {path.name: peer.read(_picture(path)) for path in pictures})
    strange, looks = strangers_accepted(faces, truths, photos, home / "boxes/playing")
    lines = (
        at_least("clear cards answered", ours.clear, CLEAR_ANSWERED, " %", digits=1),
        at_most("answers that are wrong", ours.wrong, 0, digits=0),
        at_least("covered or cut cards answered", ours.covered, COVERED_ANSWERED, " %", digits=1),
        at_most(f"a kind not taught accepted ({looks} looks)", strange, STRANGE_ACCEPTED, " %", digits=1),
        Line("misses", ", ".join(ours.misses) or "none"),
        Line("ORB, brute force: clear cards answered", f"{theirs.clear:.1f} %"),
        Line("ORB, brute force: covered or cut cards answered", f"{theirs.covered:.1f} %"),
        Line("ORB, brute force: answers that are wrong", str(theirs.wrong)),
    )
    title = f"Loose playing cards ({len(pictures)} photographs, {ours.count} cards)"
    return Section(title, "companion read PHOTO... --box playing --json", lines)


@dataclass(frozen=True, slots=True)
class _Scores:
    clear: float
    covered: float
    wrong: int
    count: int
    misses: tuple[str, ...]


def _scores(
    truths: Mapping[str, Sequence[Mapping[str, Any]]], answers: Mapping[str, Sequence[Answer]]
) -> _Scores:
    """Hold answers against truth: right where a card of that name lies, wrong anywhere else."""
    told: dict[bool, list[bool]] = {False: [], True: []}
    wrong, misses = 0, []
    for name, cards in truths.items():
        left = list(answers[name])
        for card in cards:
            own = next((a for a in left if a.reads == card["id"] and _is_there(card, a)), None)
            if own is not None:
                left.remove(own)
            is_covered = bool(card.get("partly_covered_or_cut"))
            told[is_covered].append(own is not None)
            if own is None and not is_covered:
                misses.append(f"{card['id']} of {name}")
        wrong += len(left)
    shares = {covered: 100 * float(np.mean(found)) for covered, found in told.items()}
    count = sum(map(len, told.values()))
    return _Scores(shares[False], shares[True], wrong, count, tuple(misses))


def _is_there(card: Mapping[str, Any], answer: Answer) -> bool:
    x, y, width, height = card["box"]
    box = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    outline = np.array(card.get("corners", box), np.float32)
    shared, _ = cv2.intersectConvexConvex(outline, answer.outline)
    areas = [abs(cv2.contourArea(o)) for o in (outline, answer.outline)]
    return bool(shared > THERE * min(areas))


def strangers_accepted(
    faces: Mapping[str, Pixels], truths: Mapping[str, Any], photos: Path, box: Path
) -> tuple[float, int]:
    """Leave each kind out where it lies: per cent of the looks that gave its place a sure name, and looks.

    What a likeness is worth stays as the whole deck taught it.
    """
    judge = CardJudge(load_box(box).judgement["loose"])
    finders: dict[str, tuple[Deck, CardFinder]] = {}
    accepted, looks = 0, 0
    for name, cards in truths.items():
        scene = Scene.of(_picture(photos / name))
        for kind in sorted({card["id"] for card in cards}):
            if kind not in finders:
                deck = Deck.of({PieceKind(k): face for k, face in faces.items() if k != kind})
                finders[kind] = deck, CardFinder(deck, judge.weigh)
            deck, finder = finders[kind]
            found = finder.search(scene).cards
            sure = [
                Answer(deck.kinds[card.card], (card.corners / scene.share).astype(np.float32))
                for card in found
                if card.chance >= SURE
            ]
            others = [card for card in cards if card["id"] != kind]
            for answer in sure:
                rightly = any(answer.reads == card["id"] and _is_there(card, answer) for card in others)
                accepted += not rightly
            looks += sum(card["id"] == kind for card in cards)
    return 100 * accepted / max(looks, 1), looks


# --- face down, and cards of another deck --------------------------------------------------


def _face_down(photos: Path, labels: Mapping[str, Any], work: Path, home: Path) -> Section:
    """Read tables from above on which another deck lies: its backs were taught, its faces were not."""
    folder = work / "with-backs"
    folder.mkdir(parents=True)
    index: list[dict[str, Any]] = []
    for path in sorted((photos / "reference").glob("*.jpg")):
        shutil.copy(path, folder / path.name)
        index.append({"file": path.name, "kind": "card", "card_id": path.stem})
    for back, file, corners in BACKS:
        shutil.copy(photos / file, folder / file)
        index.append({"file": file, "kind": "card_back", "card_id": back, "corners_px": corners})
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    companion("box", "teach", str(folder), "--name", "with-backs", home=home)
    counts = {
        name: int(told["face_down"])
        for name, told in labels.items()
        if name.startswith("pk_") and "use" not in told and told.get("face_down") is not None
    }
    answers = read_loose([photos / name for name in counts], work / "tables", home, "with-backs")
    found = {name: sum(a.is_face_down for a in answers[name]) for name in counts}
    right = sum(min(found[name], count) for name, count in counts.items())
    strays = sum(max(found[name] - count, 0) for name, count in counts.items())
    named = {name: [a.reads for a in answers[name] if not a.is_face_down] for name in counts}
    wrong = sum(len(Counter(named[name]) - Counter(_faces_on(labels[name]))) for name in counts)
    whole = sum(found[name] > 0 for name, count in counts.items() if count)
    hands = sum(count > 0 for count in counts.values())
    lines = (
        at_least("hands face down said to be so", 100 * whole / hands, 100, " %", digits=1),
        Line("cards face down found, one upon the other", f"{right} of {sum(counts.values())}"),
        at_most("said to lie face down where none does", strays, 0, digits=0),
        at_most("faces named that do not lie there", wrong, 0, digits=0),
        Line("faces named of a deck like the one that was taught", str(sum(map(len, named.values())))),
    )
    return Section(
        f"Cards face down ({len(counts)} tables)", "companion read PHOTO... --box with-backs --json", lines
    )


def _faces_on(table: Mapping[str, Any]) -> list[str]:
    """Return all faces that lie on a table from above."""
    hands = [hand for hand in table["hands_by_side"].values() if not isinstance(hand, str)]
    return [*table["table_cards_left_to_right"], *(card for hand in hands for card in hand)]


# --- trading cards -------------------------------------------------------------------------


def _art_cards(photos: Path, labels: Mapping[str, Any], work: Path, home: Path) -> Section:
    folder = work / "art"
    folder.mkdir(parents=True)
    shutil.copy(photos / ART, folder / ART)
    index = [
        {"file": ART, "kind": "card", "card_id": name, "corners_px": corners} for name, corners in ART_CARDS
    ]
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    companion("box", "teach", str(folder), "--name", "art", home=home)
    taught = {name for name, _ in ART_CARDS}
    truths = {
        name: [card for row in told["art_cards"] for card in ([row] if isinstance(row, str) else row)]
        for name, told in labels.items()
        if name.startswith("mt_") and name != ART
    }
    pictures = [photos / name for name in truths]
    answers = read_loose(pictures, work / "playmat", home, "art")
    right, false, misses = _art_scores(truths, answers, taught)
    count = sum(card in taught for cards in truths.values() for card in cards)
    box = load_box(home / "boxes/art")
    peer = OrbCards({str(kind): face for kind, face in box.loose.items()})
    theirs = _art_scores(truths, {path.name: peer.read(_picture(path)) for path in pictures}, taught)
    lines = (
        at_least("cards found by their art", 100 * right / count, 100, " %", digits=1),
        at_most("cards named that are not there", false, 0, digits=0),
        Line("misses", ", ".join(misses) or "none"),
        Line("ORB, brute force: cards found", f"{theirs[0]} of {count}"),
        Line("ORB, brute force: cards named that are not there", str(theirs[1])),
    )
    title = f"Trading cards on a printed playmat ({len(pictures)} photographs, {count} cards taught)"
    return Section(title, "companion read PHOTO... --box art --json", lines)


def _art_scores(
    truths: Mapping[str, Sequence[str]], answers: Mapping[str, Sequence[Answer]], taught: set[str]
) -> tuple[int, int, list[str]]:
    right, false, misses = 0, 0, []
    for name, cards in truths.items():
        left = [answer.reads for answer in answers[name]]
        for card in (card for card in cards if card in taught):
            if card in left:
                left.remove(card)
                right += 1
            else:
                misses.append(f"{card} of {name}")
        false += len(left)
    return right, false, misses


# --- reading -------------------------------------------------------------------------------


def read_loose(pictures: Sequence[Path], folder: Path, home: Path, box: str) -> dict[str, list[Answer]]:
    """Read pictures alone under other names; return the sure answers by the pictures' own names."""
    names = copied_alone(pictures, folder)
    photos = [str(folder / name) for name in sorted(names)]
    printed = companion("read", *photos, "--box", box, "--json", home=home)
    answers = {}
    for reading in map(json.loads, printed.splitlines()):
        answers[names[Path(reading["photo"]).name]] = [
            Answer(
                piece["reads"], np.array(piece["corners_px"], np.float32), bool(piece.get("face_down", False))
            )
            for piece in reading["loose"]
            if piece["sure"]
        ]
    return answers


def _picture(path: Path) -> Pixels:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


class OrbCards:
    """ORB features of each card matched with a whole picture, and a homography, as the tutorial does."""

    def __init__(self, faces: Mapping[str, Pixels]) -> None:
        self._orb = cv2.ORB.create(2000)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._faces = {name: (face.shape, *self._features(face)) for name, face in faces.items()}

    def read(self, pixels: Pixels) -> list[Answer]:
        """Return the cards with enough matches on one plane, each once."""
        points, rows = self._features(pixels)
        answers = []
        for name, (shape, own_points, own_rows) in self._faces.items():
            if rows is None or own_rows is None:
                continue
            pairs = [pair for pair in self._matcher.knnMatch(own_rows, rows, k=2) if len(pair) == 2]
            good = [one for one, other in pairs if one.distance < RATIO * other.distance]
            if len(good) <= ENOUGH_MATCHES:
                continue
            here = np.array([own_points[m.queryIdx].pt for m in good], np.float32)
            there = np.array([points[m.trainIdx].pt for m in good], np.float32)
            plane, _ = cv2.findHomography(here, there, cv2.RANSAC, OFF_PX)
            if plane is not None:
                height, width = shape[:2]
                corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
                answers.append(Answer(name, cv2.perspectiveTransform(corners, plane)[0]))
        return answers

    def _features(self, picture: Pixels) -> tuple[Sequence[cv2.KeyPoint], Any]:
        points, rows = self._orb.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        return points, rows
