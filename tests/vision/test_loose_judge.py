"""How sure a likeness makes; what nobody named cannot hide the better half of a card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.confidence import fit
from vision.loose.judge import HARDLY, HINGES, SURE, CardJudge, features_of
from vision.loose.laid import Likeness

ALIKE = Likeness(alike=0.92, odd=0.02, lead=0.4, painted=0.95, seen=1.0, told=0.9, rival=1)
UNLIKE = Likeness(alike=0.5, odd=0.3, lead=0.02, painted=0.3, seen=1.0, told=0.9, rival=1)


def judge() -> CardJudge:
    features = np.stack([features_of(one) for one in (ALIKE, UNLIKE) * 200])
    answers = np.array([1.0, 0.0] * 200)
    return CardJudge(fit(features, answers, np.ones(len(answers)), HINGES, held_back=0.3))


def test_without_practice_nothing_is_sure() -> None:
    assert CardJudge(()).weigh(ALIKE) == 0.0


def test_a_card_that_hides_more_than_it_shows_is_never_sure() -> None:
    taught = judge()
    assert taught.weigh(ALIKE) > SURE > taught.weigh(UNLIKE)
    half = replace(ALIKE, told=0.4, guessed=0.5)
    assert taught.weigh(half) <= HARDLY < SURE
