"""Why an answer is not sure, in one word that a phone turns into a sentence.

A refusal without a reason teaches nobody to move the lamp. The causes that a person can do something about
come first: what covers a space, gloss, a picture out of focus, the dark. Pure.
"""

from __future__ import annotations

import numpy as np

from companion.board import EMPTY, SpaceId
from companion.ports import Obstacle, Pixels
from vision.box import ART_PX_PER_MM
from vision.light import BLUR_LEVELS_PX
from vision.look import Look
from vision.sight import BoardSight

WHITE, COLOURLESS = 245, 14  # grey levels: as bright as a picture gets, and no colour left in it
GLARE_SHARE = 0.25
BLURRED_PX = 1.5  # of ART_PX_PER_MM: lines of a millimetre run together
DARK = 35.0  # mean grey level of the bare board
UNLIKE = 0.5  # in shape
CLOSE_CALL = 0.15  # lead in colours, and in shape


def why_not_sure(look: Look, sight: BoardSight) -> Obstacle:
    """Return what most likely kept an answer from being sure."""
    if glare_share(look.space, sight) > GLARE_SHARE:
        return Obstacle.GLARE
    if BLUR_LEVELS_PX[sight.light.blur] > BLURRED_PX:
        return Obstacle.BLURRED
    if sight.light.brightness < DARK:
        return Obstacle.TOO_DARK
    is_piece = look.answers[0] != EMPTY
    if is_piece and look.alike < UNLIKE:
        return Obstacle.NOT_TAUGHT
    if is_piece and look.lead > CLOSE_CALL and look.misfits[0] * 2 < min(look.misfits[1:], default=0.0):
        return Obstacle.ODD_COLOURS
    return Obstacle.TWO_CANDIDATES


def glare_share(space_id: SpaceId, sight: BoardSight) -> float:
    """Return how much of a space (of a part: of its card's space) is burnt out to white."""
    space = sight.layout.spaces.get(SpaceId(space_id.partition(".")[0]))
    if space is None:
        return 0.0
    outline = np.asarray(space.outline_mm) * ART_PX_PER_MM
    low, high = np.maximum(outline.min(0), 0).astype(int), np.ceil(outline.max(0)).astype(int)
    seen = sight.flat[low[1] : high[1], low[0] : high[0]]
    if not seen.size:
        return 0.0
    return burnt_out(seen)


def burnt_out(seen: Pixels) -> float:
    """Return how much of some pixels (..., 3) is as bright and colourless as a picture gets."""
    blue, green, red = (seen[..., channel] for channel in range(3))  # numpy is slow over three of a kind
    darkest = np.minimum(np.minimum(blue, green), red)
    brightest = np.maximum(np.maximum(blue, green), red)
    return float(np.mean((darkest > WHITE - COLOURLESS) & (brightest >= WHITE)))
