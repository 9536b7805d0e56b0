"""Live eyes on one camera: what the gate lets through is read, made steady, and told when it changed.

Implements ``companion.ports.Watch``. Between frames where nothing moves it does next to nothing;
after a change only the spaces that changed are read again, where the boards are known to lie.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Sequence

import numpy as np

from companion.board import BoardId, PieceKind, Place, SpaceId, SpaceKind
from companion.kept_setup import KeptCamera
from companion.ports import (
    UNKNOWN,
    BoardReading,
    DeviceStanding,
    DeviceState,
    Frame,
    Obstacle,
    Pixels,
    Reading,
    SpaceReading,
)
from companion.settings import home
from vision.beside import Beside
from vision.carried import still_there
from vision.dice_on_boards import LyingDice, region_around
from vision.evidence import without_secrets
from vision.eyes import Eyes
from vision.footprints import outlines_mm
from vision.learner import Shown
from vision.placed import Placed
from vision.places import (
    MARKER,
    card_space_of,
    is_marker,
    kind_of,
    looks_of,
    marker_places,
    part_places,
    printed_places,
    spaces_to_read,
)
from vision.pose import BoardPose
from vision.recollection import Recollection
from vision.settle import Gate, Glance, Stillness
from vision.steady import NEEDED
from vision.survey import Survey
from vision.tones import is_too_dark
from vision.whereabouts import Whereabouts

log = logging.getLogger(__name__)

CHANGED = 0.10  # of a space; a laid token changes at least .6 of it
CARD_CHANGED = 0.25  # of a card without its part circles; tokens that spill over reach .1
COVERED = 0.25  # of a space under an arm; its edge and darkest shadow reach .2
NEEDED_AFTER_A_MOVE = 5  # agreeing looks: a bump moves no pieces, so a change needs more to be believed
RETRY_FRAMES = 25  # five seconds; a search costs as much as a whole settled change
DOUBTS = {
    Obstacle.COLOURLESS: "the picture is grey; switch the camera's colours on, or a lamp",
    Obstacle.SAME_TAGS: "boards wear the same corner tags",
    Obstacle.WHICH_BOARD: "a board is in view that could be several; more light or corner tags help",
}


class LiveWatch:
    """Watches one camera. Not for several threads."""

    def __init__(self, eyes: Eyes, camera: str) -> None:
        self._eyes = eyes
        self._box = eyes.box
        self._camera = camera
        self._gate = Gate()
        self._where = Whereabouts(eyes, camera)
        self._memory = Recollection()
        self._survey = Survey(eyes.box, eyes.glimpse)
        self._placed = Placed(KeptCamera(home(), camera), eyes.box.name)
        self._stillness = Stillness.EMPTY
        self._shape: tuple[int, ...] = ()
        self._near_arm: set[Place] = set()
        # The last settled picture without an arm.
        self._kept: tuple[Pixels, dict[BoardId, BoardPose]] = (np.zeros(0, np.uint8), {})
        self._since_kept: set[Place] = set()  # changed after it
        self._beside = Beside()
        self._dice = LyingDice(has_set=eyes.box.dice is not None)
        self._has_arm = False
        self._blind_frames = 1  # settled frames since a board was missed
        self._is_dark = False
        self._told_lost: set[BoardId] | None = None  # None before the first reading
        self._has_untold_move = False
        self._has_bared = False  # an arm left since the last look
        self._took_ms = 0.0
        self._again: deque[tuple[Place, ...]] = deque()  # asked for from other threads

    def shown(self) -> Shown | None:
        """Return the last settled picture without an arm, None before there was one. Any thread."""
        pixels, poses = self._kept
        return Shown(pixels, dict(poses)) if poses else None

    def look_again(self, places: Sequence[Place]) -> None:
        """Look at places anew on the next settled frames, at all in view if none is named. Any thread."""
        self._again.append(tuple(places))

    def see(self, frame: Frame) -> Reading | None:
        """Take in the next frame; give the steady reading when it changed."""
        began = time.perf_counter()
        if frame.pixels.shape != self._shape:
            self._begin(frame.pixels.shape)
        glance = self._gate.glance(frame.pixels)
        self._stillness = glance.state
        news: tuple[Place, ...] | None = None
        if glance.state is Stillness.SETTLED:
            if glance.has_just_settled:
                self._settle(frame, glance)
            while self._again:
                self._memory.disturb(self._known(self._again.popleft()))
            if self._is_restless:
                news = self._look(frame)
            elif not self._has_arm:
                self._survey.rest(frame.pixels, self._where.poses, self._memory.shown)
                self._placed.rest(frame, self._where.poses)
        self._took_ms += 1000 * (time.perf_counter() - began)
        return None if news is None else self._tell(frame, news)

    def standing(self) -> DeviceStanding:
        """Say in one line how the eyes are; ``settled`` when all that changed was read."""
        state, detail = DeviceState.LIVE, str(self._stillness)
        if self._stillness is Stillness.SETTLED and self._is_restless:
            detail = "looking"
        if self._is_dark:
            state, detail = DeviceState.FAULT, "the picture is too dark; switch on a lamp"
        elif self._stillness is Stillness.EMPTY:
            state, detail = DeviceState.SEARCHING, "no settled picture yet"
        elif self._where.doubts:
            obstacle, boards = self._where.doubts[0]
            state, detail = DeviceState.STALE, ": ".join(filter(None, (DOUBTS[obstacle], ", ".join(boards))))
        elif not self._where.poses:
            state, detail = DeviceState.SEARCHING, "no board found"
        elif self._where.lost:
            state, detail = DeviceState.STALE, f"no longer found: {', '.join(sorted(self._where.lost))}"
        cautions = (*self._survey.cautions, *self._placed.cautions)
        return DeviceStanding(self._camera, "eyes", state, detail, cautions=cautions)

    @property
    def _is_restless(self) -> bool:
        """Tell whether a settled frame on which nothing changed is worth a look."""
        is_waiting = self._has_untold_move or self._has_bared or self._told_lost is None
        is_waiting |= (self._beside.is_due or self._dice.is_due) and not self._has_arm
        return is_waiting or bool(self._blind_frames) or self._memory.is_restless

    def _begin(self, shape: tuple[int, ...]) -> None:
        """Start anew: the first picture, or a camera that changed its size."""
        self._shape = shape
        self._gate = Gate()
        self._where.begin(self._gate, shape[1])
        self._blind_frames = 1  # one look may miss a board
        self._near_arm = set()
        self._kept = (np.zeros(0, np.uint8), {})

    # What a settled picture means

    def _settle(self, frame: Frame, glance: Glance) -> None:
        if self._where.poses:
            glance = self._where.keep(frame.pixels, glance)
        if not self._where.poses or self._where.lost:
            self._search(frame)
        self._welcome()
        if self._where.poses:
            self._disturb(frame.pixels, glance)

    def _search(self, frame: Frame) -> None:
        self._where.search(frame.pixels)
        if not self._where.poses or self._where.lost:
            self._blind_frames = max(self._blind_frames, 1)
        self._is_dark = not self._where.poses and is_too_dark(frame.pixels)

    def _welcome(self) -> None:
        """Ask for looks at all spaces of boards that came."""
        for board in self._where.came:
            places = {*printed_places(self._box, board), *self._memory.places(board)}
            is_known = bool(self._memory.places(board))
            self._memory.disturb(places, needed=NEEDED_AFTER_A_MOVE if is_known else NEEDED)
            self._has_untold_move = True
        self._where.came.clear()

    def _disturb(self, pixels: Pixels, glance: Glance) -> None:
        """Ask for new looks where the settled picture changed; spaces under an arm are covered."""
        feet = self._where.feet
        assert glance.changed is not None
        shares = feet.shares(glance.changed)
        changed = {place for place, share in shares.items() if share >= self._enough(place)}
        changed = {place for place in changed if place.board not in self._where.moved}
        if self._where.moved or self._has_arm:  # under an arm anything may have been set anew
            self._dice.disturb()
        elif glance.changed.any():
            self._dice.disturb(region_around(glance.changed, pixels.shape, self._where.poses.values()))
        self._has_arm = glance.arm is not None
        if self._where.moved or self._where.changed_beside(glance.changed):
            self._beside.disturb()
        moved = {place for board in self._where.moved for place in self._not_carried(pixels, board)}
        self._has_untold_move |= bool(self._where.moved)
        self._where.moved.clear()
        self._since_kept |= self._ask(changed, NEEDED) | self._ask(moved, NEEDED_AFTER_A_MOVE)
        if glance.arm is None:
            self._kept = (pixels, dict(self._where.poses))
            self._since_kept.clear()
        under = {} if glance.arm is None else feet.shares(glance.arm)
        shaded = {} if glance.shade is None else feet.shares(glance.shade)
        covered = [place for place, share in under.items() if share >= COVERED]
        self._has_bared |= self._memory.cover(covered)
        near = {*under, *(place for place, share in shaded.items() if share >= CHANGED)}
        self._near_arm = near | {marker for place in near for marker in self._markers(place)}

    def _known(self, places: Sequence[Place]) -> set[Place]:
        """Return those of the places that are in view; all of them if none is named."""
        in_view = {place for board in self._where.poses for place in self._memory.places(board)}
        return in_view & set(places) if places else in_view

    def _ask(self, changed: set[Place], needed: int) -> set[Place]:
        """Ask for new looks at places, at the parts of a card too, at markers instead of steps of a track."""
        places = changed | {part for place in changed for part in self._parts(place)}
        places |= {marker for place in changed for marker in self._markers(place)}
        places -= {place for place in changed if self._is_step(place)}
        self._memory.disturb(places, needed=needed)
        return places

    def _not_carried(self, pixels: Pixels, board: BoardId) -> set[Place]:
        """Return the places of a board that moved which look otherwise than before it did."""
        outlines, parts = outlines_mm(self._box, board, self._where.cards)
        kept, poses = self._kept
        if board not in poses:
            return {*outlines, *parts}
        before, now = (kept, poses[board]), (pixels, self._where.poses[board])
        same = still_there(before, now, {**outlines, **parts})
        return {*outlines, *parts} - (same - self._since_kept)

    def _enough(self, place: Place) -> float:
        return CARD_CHANGED if kind_of(self._box, place) is SpaceKind.CARD else CHANGED

    def _parts(self, place: Place) -> tuple[Place, ...]:
        """Return the part spaces of the card that is held to lie on a space."""
        if kind_of(self._box, place) is not SpaceKind.CARD:
            return ()
        claim = self._memory.belief(place).claim
        return part_places(self._box, place, None if claim is None else claim.reads)

    def _markers(self, place: Place) -> tuple[Place, ...]:
        """Return all markers of a board if the place is a step of its track."""
        return marker_places(self._box, place.board) if self._is_step(place) else ()

    def _is_step(self, place: Place) -> bool:
        return kind_of(self._box, place) is SpaceKind.TRACK

    # What a look brings

    def _look(self, frame: Frame) -> tuple[Place, ...] | None:
        """Look at the places that are due; return what is news, None while there is none."""
        self._memory.look_at_covered()
        if self._blind_frames:
            self._look_for_boards(frame)
        self._look_at(frame, self._due())
        self._look_beside(frame)
        if self._can_look_at(self._dice):
            poses = tuple(self._where.poses.values())
            self._dice.take_in(self._eyes.read_dice(frame.pixels, poses, within=self._dice.within))
        if self._due() or self._can_look_at(self._beside) or self._can_look_at(self._dice):
            return None
        self._has_bared = False
        news = self._memory.news()
        is_blind = self._blind_frames > NEEDED
        if self._told_lost is None:
            return news if is_blind or self._where.poses else None
        has_lost = self._where.lost != self._told_lost and (is_blind or not self._where.lost)
        is_new = has_lost or self._has_untold_move or self._beside.has_news() or self._dice.has_news()
        return news if news or is_new else None

    def _due(self) -> list[Place]:
        """Return the places that can be looked at now; beside an arm fingers may still be at work."""
        return [
            place
            for place in self._memory.due()
            if place not in self._near_arm and place.board in self._where.poses
        ]

    def _look_for_boards(self, frame: Frame) -> None:
        self._blind_frames += 1
        if self._blind_frames <= NEEDED or self._blind_frames % RETRY_FRAMES == 0:
            self._search(frame)
            self._welcome()
        elif self._where.poses and not self._where.lost:
            self._blind_frames = 0

    def _can_look_at(self, pieces: Beside | LyingDice) -> bool:
        """Tell whether a look at what has no space is due; under an arm it would seem to be gone."""
        return pieces.is_due and not self._has_arm and bool(self._where.poses)

    def _look_beside(self, frame: Frame) -> None:
        if self._can_look_at(self._beside):
            poses = tuple(self._where.poses.values())
            self._beside.take_in(self._eyes.read_beside(frame.pixels, poses))

    def _look_at(self, frame: Frame, places: list[Place]) -> None:
        asked: dict[BoardId, set[Place]] = {}
        for place in places:
            asked.setdefault(place.board, set()).add(place)
        if not asked:
            return
        poses = tuple(self._where.poses[board] for board in asked)
        spaces = {board: spaces_to_read(self._box, board, wanted) for board, wanted in asked.items()}
        for board, reading in self._eyes.read_boards(frame.pixels, poses, spaces=spaces).items():
            self._take_in(reading, asked[board])

    def _take_in(self, reading: BoardReading, asked: set[Place]) -> None:
        """Take in a board as it was read; parts of a card come with the card."""
        looks = looks_of(reading, asked)
        cards = {place.space: place for place in asked if kind_of(self._box, place) is SpaceKind.CARD}
        came = {place for place in looks if card_space_of(place) in cards}
        self._memory.disturb(place for place in came if not self._memory.knows(place))
        self._memory.take_in(looks, asked=asked | came)
        for place in cards.values():
            self._follow_card(place)

    def _follow_card(self, place: Place) -> None:
        """Once it is clear which card lies there, only its own parts are spaces."""
        belief = self._memory.belief(place)
        if belief.claim is None or not belief.is_settled:
            return
        if self._where.cards.get(place) == belief.claim.reads:
            return
        own = set(part_places(self._box, place, belief.claim.reads))
        there = {p for p in self._memory.places(place.board) if card_space_of(p) == place.space}
        self._memory.forget(there - own)
        self._memory.disturb(own - there)
        self._where.draw({**self._where.cards, place: belief.claim.reads})

    # What is told

    def _tell(self, frame: Frame, news: tuple[Place, ...]) -> Reading:
        crops = {} if self._told_lost is None else self._crops(frame, news)
        self._memory.tell()
        self._beside.tell()
        self._dice.tell()
        self._told_lost = set(self._where.lost)
        self._has_untold_move = False
        took_ms, self._took_ms = self._took_ms, 0.0
        obstacle = Obstacle.TOO_DARK if self._is_dark else Obstacle.BOARD_NOT_FOUND
        if self._where.doubts:
            obstacle = self._where.doubts[0][0]
        return Reading(
            camera=self._camera,
            frame=frame.number,
            at_ms=frame.at_ms,
            boards={board: self._board(board) for board in self._where.ever},
            loose=self._beside.pieces,
            dice=self._dice.dice,
            obstacle=None if self._where.poses else obstacle,
            took_ms=took_ms,
            crops=crops,
            doubts=tuple(obstacle for obstacle, _ in self._where.doubts),
        )

    def _board(self, board: BoardId) -> BoardReading:
        """Return a board with all that is known of it, read now or long ago."""
        spaces = self._memory.shown(board)
        markers = {space: spaces.pop(space) for space in list(spaces) if is_marker(Place(board, space))}
        steps = {space.removeprefix(MARKER): int(seen.reads) for space, seen in markers.items() if seen.sure}
        if board in self._where.lost:
            nothing = SpaceReading(UNKNOWN, 0.0, sure=False, obstacle=Obstacle.BOARD_NOT_FOUND)
            spaces, steps = dict.fromkeys(spaces, nothing), {}
        pose = self._where.ever[board]
        return BoardReading(board, pose.found_by, pose.corners_px, pose.rotation_deg, spaces, steps)

    def _card_under(self, place: Place) -> PieceKind | None:
        """Return the card whose part space a place is, as it reads now."""
        own, _, part = place.space.partition(".part")
        seen = self._memory.shown(place.board).get(SpaceId(own)) if part else None
        return seen.reads if seen is not None and seen.is_taken else None

    def _crops(self, frame: Frame, news: tuple[Place, ...]) -> dict[Place, bytes]:
        """Return pictures of what changed, but none that an order token might lie in."""
        changed = self._memory.changed(news)
        places = without_secrets(self._box, self._where.poses, changed, self._beside.pieces)
        crops = {}
        for place in places:
            pose = self._where.poses[place.board]
            crops[place] = self._eyes.crop(frame.pixels, pose, place.space, card=self._card_under(place))
        return crops
