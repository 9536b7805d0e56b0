"""Which die of a set it is, by its colours, as a few throws taught them.

A set is taught by pictures that show dice of one kind each; nothing here knows a colour by name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Obstacle, Pixels
from vision.dice_views import READER_FACE_PX, READER_PX

FORMAT = 1
LEAST_THROWS = 2  # of a kind: one says nothing of how it looks elsewhere on the table
CLEAR = 1.6  # the next kind must be so many times as far away
BEYOND = 3.0  # times the spread of a kind: that is none of the set
LEAST_SPREAD = 7.0  # in LAB: what the place on the table and the sensor change
_LIGHTNESS = 0.5  # counts for less than hue: it is the lamp's, too
_BURNT = 247

Look = NDArray[np.float64]
"""Body and pips: (lightness, green to red, blue to yellow) of each, (6,)."""


class ColourTold(NamedTuple):
    """What a die's colours say: its kind, None if that is open, and then why."""

    kind: str | None
    obstacle: Obstacle | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DiceSet:
    """The kinds of dice of a set, each as its throws looked, (throws, 6)."""

    kinds: Mapping[str, NDArray[np.float64]]

    def tell(self, look: Look) -> ColourTold:
        """Tell which kind of die looks so."""
        away = {kind: float(_apart(looks, look).min()) for kind, looks in self.kinds.items()}
        nearest, *others = sorted(away, key=lambda kind: away[kind])
        if away[nearest] > BEYOND * self.spread(nearest):
            return ColourTold(None, Obstacle.NOT_TAUGHT)
        if others and away[others[0]] < CLEAR * max(away[nearest], LEAST_SPREAD / 3):
            return ColourTold(None, Obstacle.ODD_COLOURS)
        return ColourTold(nearest)

    def spread(self, kind: str) -> float:
        """Return how far throws of a kind lie from their nearest like, at most."""
        looks = self.kinds[kind]
        if len(looks) < 2:
            return LEAST_SPREAD
        away = np.array([_apart(np.delete(looks, row, 0), looks[row]).min() for row in range(len(looks))])
        return max(LEAST_SPREAD, float(away.max()))

    def alike(self) -> Sequence[tuple[str, str]]:
        """Return the kinds that cannot be told apart reliably by what was thrown."""
        names = sorted(self.kinds)
        pairs = []
        for place, one in enumerate(names):
            for other in names[place + 1 :]:
                between = min(float(_apart(self.kinds[other], look).min()) for look in self.kinds[one])
                if between < CLEAR * max(self.spread(one), self.spread(other)):
                    pairs.append((one, other))
        return pairs


def look_of(view: Pixels, corners: NDArray[np.float64]) -> Look:
    """Return the colours of a die from the reader's view of its top face.

    ``corners`` (4, 2) of the face in edges from the middle of the view.
    """
    lab = cv2.cvtColor(view.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).astype(np.float64)
    mask = np.zeros(view.shape[:2], np.uint8)
    inner = (corners * 0.86 * READER_FACE_PX + (READER_PX - 1) / 2).round().astype(np.int32)
    cv2.fillConvexPoly(mask, inner, 1)
    mask &= (view.max(-1) < _BURNT).astype(np.uint8)
    face = lab[mask > 0]
    if len(face) < 20:
        face = lab.reshape(-1, 3)
    body = np.median(face, axis=0)
    off = np.linalg.norm(face - body, axis=1)
    pips = face[off >= np.quantile(off, 0.93)].mean(0)
    return np.concatenate((body, pips))


def _apart(looks: NDArray[np.float64], look: Look) -> NDArray[np.float64]:
    """Return how far looks (n, 6) are from one: mostly by the body, a little by the pips."""
    weight = np.array((_LIGHTNESS, 1, 1, _LIGHTNESS / 3, 1 / 3, 1 / 3))
    return np.asarray(np.linalg.norm((looks - look) * weight, axis=1))


def save_set(path: Path, dice: DiceSet) -> None:
    """Write a set as JSON."""
    told = {kind: np.round(looks, 2).tolist() for kind, looks in dice.kinds.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format": FORMAT, "kinds": told}, indent=1) + "\n", encoding="utf-8")


def load_set(path: Path) -> DiceSet:
    """Read a set. Raises ValueError in plain words."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["format"] != FORMAT:
            raise ValueError(f"The dice set {path} is of format {told['format']}; teach it again.")
        kinds = {str(kind): np.array(looks, float).reshape(-1, 6) for kind, looks in told["kinds"].items()}
    except OSError as fault:
        raise ValueError(
            f"There is no dice set {path} ({fault.strerror}). Teach one with `companion dice teach`."
        ) from fault
    except (KeyError, TypeError, json.JSONDecodeError) as fault:
        raise ValueError(f"{path} holds no dice set. Teach it again with `companion dice teach`.") from fault
    if not kinds or not all(len(looks) for looks in kinds.values()):
        raise ValueError(f"The dice set {path} is empty. Teach it again with `companion dice teach`.")
    return DiceSet(kinds)
