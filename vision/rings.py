"""Templates of order tokens: as rings, which look the same at every turn, and in full."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.box import ART_PX_PER_MM, Token
from vision.light import BLUR_LEVELS_PX, to_opponent
from vision.matching import Templates, cut, halved
from vision.tokens import TokenTemplates

SEEK_HALVINGS = 3  # 4 mm a pixel


@dataclass(frozen=True, slots=True, eq=False)
class OrderTemplates:
    """Rings for seeking, full templates for reading."""

    rings: Templates
    full: TokenTemplates

    @classmethod
    def of(cls, tokens: Sequence[Token], blur: int) -> OrderTemplates:
        reach = max(float(np.linalg.norm(t.outline_mm, axis=1).max()) for t in tokens)
        step = 2**SEEK_HALVINGS
        side = step * math.ceil((2 * reach + 1) * ART_PX_PER_MM / step)
        arts, masks = [], []
        for token in tokens:
            soft = to_opponent(cv2.GaussianBlur(token.art, (0, 0), BLUR_LEVELS_PX[blur]))
            middle = ((soft.shape[1] - 1) / 2, (soft.shape[0] - 1) / 2)
            turned = np.mean([cut(soft, middle, (side, side), 15.0 * k) for k in range(24)], axis=0)
            mask = np.zeros((side, side), np.float32)
            inner = round((float(np.linalg.norm(token.outline_mm, axis=1).min()) - 1.0) * ART_PX_PER_MM)
            cv2.circle(mask, (side // 2, side // 2), inner, 1.0, -1)
            arts.append(halved(np.asarray(turned, np.float32), SEEK_HALVINGS))
            masks.append((halved(mask, SEEK_HALVINGS) > 0.7).astype(np.float32))
        return cls(Templates.of(arts, masks), TokenTemplates.of(tokens, blur))
