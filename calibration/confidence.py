"""How far answers can be trusted: fitted on practice views when a box is taught.

The eyes read views whose truth is known; a small logistic model for each group of spaces learns
from what they saw when their answer is right and when a hand lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.practice import FOREIGN, PracticeView, boards_to_practise, compose
from companion.board import EMPTY, BoardLayout
from vision.box import TaughtBox
from vision.hinges import Hinges
from vision.judge import HINGES, PILE, features_of, model_name
from vision.look import Look
from vision.pose import BoardPose, Lens
from vision.sight import sight_of
from vision.spaces import look_at_spaces
from vision.wardrobe import Wardrobe

VIEWS = 100
SEED = 11
RIDGE = 4.0
FOREIGN_WEIGHT = 0.55  # practice shows more foreign pieces than a table; at 0.4 one in 140 was accepted
PRIOR = 0.15
MOST_STEPS = 100
SHORTER = tuple(0.5**k for k in range(12))
HARDLY_COVERED, COVERED = 0.12, 0.6


@dataclass(slots=True)
class _Lessons:
    features: list[NDArray[np.float64]] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)


def fit_judgement(
    box: TaughtBox, *, views: int = VIEWS, tell: Callable[[str], None] = lambda _: None
) -> dict[str, list[float]]:
    """Practise and return ``TaughtBox.judgement``: for each question and group a model."""
    rng = np.random.default_rng(SEED)
    wardrobe = Wardrobe(box)
    lessons: dict[str, _Lessons] = {}
    shares = boards_to_practise(box)
    boards = sorted(shares)
    for board in rng.choice(np.array(boards), size=views, p=[shares[b] for b in boards]):
        layout = box.layouts[board]
        view = compose(box, layout.id, rng)
        sight = sight_of(view.flat, np.ones(view.flat.shape[:2], bool), flat_pose(layout), wardrobe)
        if sight is not None:
            _learn(view, look_at_spaces(sight, wardrobe), box, lessons)
    right = lessons_right(lessons)
    tell(f"{views} practice views read: {100 * right:.1f} % of answers right before doubting")
    return {
        name: fit(np.stack(x.features), np.array(x.answers), np.array(x.weights))
        for name, x in lessons.items()
    }


def lessons_right(lessons: dict[str, _Lessons]) -> float:
    """Return the share of right answers among all lessons of that question."""
    answers = [a for name, lesson in lessons.items() if name.startswith("right/") for a in lesson.answers]
    return float(np.mean(answers)) if answers else 0.0


def flat_pose(layout: BoardLayout, px_per_mm: float = 1.0) -> BoardPose:
    """Return the pose of a board that fills its picture: practice views are flat already."""
    plane = np.diag([px_per_mm, px_per_mm, 1.0])
    return BoardPose(layout.id, plane, Lens.of_picture(1, 1), layout.size_mm, "practice")


def _learn(view: PracticeView, looks: list[Look], box: TaughtBox, lessons: dict[str, _Lessons]) -> None:
    seen = {look.space: look for look in looks}
    for look in looks:
        truth = view.truth.get(look.space)
        covered = view.covered.get(look.space, 0.0)
        if truth is None:
            continue
        if look.parent is not None and not _card_right(seen[look.parent], view, box):
            continue
        if HARDLY_COVERED < covered < COVERED:
            continue
        hidden = covered >= COVERED
        answer = look.answers[0]
        if look.group == "pile" and answer != EMPTY:
            answer = PILE
        weight = FOREIGN_WEIGHT if truth == FOREIGN else 1.0
        _note(lessons, look, "right", answer == truth and not hidden, weight)
        _note(lessons, look, "clear", not hidden)
        for top in look.on_top:
            if answer == truth and not hidden:
                on_top = view.on_top.get(look.space, EMPTY)
                _note(lessons, top, "right", top.answers[0] == on_top)


def _card_right(card: Look, view: PracticeView, box: TaughtBox) -> bool:
    return view.truth.get(card.space) == card.answers[0]


def _note(lessons: dict[str, _Lessons], look: Look, question: str, yes: bool, weight: float = 1.0) -> None:
    lesson = lessons.setdefault(model_name(look, question), _Lessons())
    lesson.features.append(features_of(look))
    lesson.answers.append(float(yes))
    lesson.weights.append(weight)


def fit(
    features: NDArray[np.float64],
    answers: NDArray[np.float64],
    shares: NDArray[np.float64],
    hinges: Hinges = HINGES,
    *,
    held_back: float = RIDGE,
) -> list[float]:
    """Fit a logistic model whose hinges all speak against (weights of one sign), by projected Newton.

    Weights are pulled to PRIOR: where practice has nothing to say, a worse look is still a worse look.
    """
    design = hinges.expand(features)
    prior = np.full(design.shape[1], PRIOR)
    prior[0] = 3.0
    ridge = np.full(design.shape[1], held_back)
    ridge[0] = 1e-2
    weights = prior.copy()
    free = np.ones(len(weights), bool)

    def loss(tried: NDArray[np.float64]) -> float:
        doubt = np.logaddexp(0.0, np.where(answers > 0.5, -1, 1) * (design @ tried))
        return float(shares @ doubt + 0.5 * ridge @ (tried - prior) ** 2)

    for _ in range(MOST_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (shares * (chance - answers)) + ridge * (weights - prior)
        bend = (design * (shares * chance * (1 - chance) + 1e-4)[:, None]).T @ design + np.diag(ridge)
        free[1:] = (weights[1:] > 0) | (slope[1:] < 0)
        step = np.zeros_like(weights)
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        before = loss(weights)
        for length in SHORTER:  # where weights meet their bound a whole step may lead uphill
            moved = weights - length * step
            moved[1:] = np.maximum(moved[1:], 0.0)
            if loss(moved) <= before:
                break
        if np.abs(moved - weights).max() < 1e-5:
            break
        weights = moved
    return [round(float(w), 5) for w in weights]
