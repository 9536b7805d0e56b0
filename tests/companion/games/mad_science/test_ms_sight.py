"""What pictures of loose cards propose: creatures at any angle, parts laid, turned over and back."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin
from typing import Any

import pytest

from companion.board import PieceKind, Place, SpaceId
from companion.game import Proposal, Puzzled
from companion.games.mad_science.components import CARD_BACK, CARD_MM, WAYS, Kind, zone_of
from companion.games.mad_science.game import GAME
from companion.games.mad_science.sight import creatures_seen
from companion.games.mad_science.state import Dropped, Parity, Phase, Stage, State, on_turn
from companion.ports import UNKNOWN, LoosePiece, Reading
from tests.companion.games.mad_science.tables import (
    ARM,
    BARE,
    HEAD,
    LEGS,
    WEAPON,
    WHOLE,
    A,
    B,
    after,
    breaking,
    playing,
)

PX_PER_MM = 2.0


class Zone:
    """Cards around a body that lies somewhere in a picture, turned; ``put`` counts cards from it."""

    def __init__(self, x: float, y: float, turned_deg: float) -> None:
        self.at = (x, y)
        self.turned_deg = turned_deg

    def put(self, reads: str, right: float, down: float, *, sure: bool = True, **more: Any) -> LoosePiece:
        """Return a card so many cards right of and below the body, itself a little askew."""
        x, y = self._turned(right * CARD_MM[0] * 1.06, down * CARD_MM[1] * 1.06, self.turned_deg)
        centre = (self.at[0] + x, self.at[1] + y)
        askew = self.turned_deg + (7.0 if right or down else 0.0)
        half_w, half_h = CARD_MM[0] / 2, CARD_MM[1] / 2
        corners = []
        for dx, dy in ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h)):
            cx, cy = self._turned(dx, dy, askew)
            corners.append((centre[0] + cx, centre[1] + cy))
        return LoosePiece(
            PieceKind(reads), centre, askew, 0.99 if sure else 0.5, sure, corners_px=tuple(corners), **more
        )

    def down(self, kind: Kind) -> LoosePiece:
        """Return a card face down where a part of a kind lies."""
        return self.put("part_back", *WAYS[kind], is_face_down=True)

    def part(self, kind: Kind, card: str, **more: Any) -> LoosePiece:
        return self.put(card, *WAYS[kind], **more)

    @staticmethod
    def _turned(x: float, y: float, deg: float) -> tuple[float, float]:
        c, s = cos(deg * pi / 180), sin(deg * pi / 180)
        return PX_PER_MM * (c * x - s * y), PX_PER_MM * (s * x + c * y)


def reading(*pieces: LoosePiece) -> Reading:
    return Reading("above", 1, 100, {}, loose=pieces)


ANGLES = (0.0, 33.0, 90.0, 180.0, 290.0)
NEAR, FAR = (600.0, 700.0), (1800.0, 900.0)


def building(**own: Any) -> State:
    return playing({"hand": 5, **own}, {"hand": 5}, stage=Stage.PLAY)


def only(state: State, *pieces: LoosePiece) -> Any:
    [sighting] = GAME.sighted(state, reading(*pieces))
    return sighting


@pytest.mark.parametrize("deg", ANGLES)
def test_a_part_laid_is_proposed_with_the_life_that_it_makes(deg: float):
    zone = Zone(*NEAR, deg)
    found = only(building(), zone.put("body_a", 0, 0), zone.part(HEAD, "head_2"))
    assert isinstance(found, Proposal)
    assert (found.seat, found.is_sure, found.say.values["life"]) == (A, True, 8)
    assert found.command == {"do": "play", "seat": A, "card": "head_2"}
    assert after(building(), GAME.codec.command_in(found.command)).creatures[A].parts == {HEAD: "head_2"}


@pytest.mark.parametrize("deg", ANGLES)
def test_cards_face_down_are_known_by_where_they_lie(deg: float):
    zone, other = Zone(*NEAR, deg), Zone(*FAR, deg + 120)
    state = playing({"life": 5}, {"life": 5})
    pieces = [zone.put("body_a", 0, 0), other.put("body_b", 0, 0)]
    pieces += [zone.down(WEAPON), zone.part(LEGS, "legs_0"), other.down(HEAD), other.part(ARM, "arm_1")]
    seen = creatures_seen(state, reading(*pieces))
    assert {space: one.reads for space, one in seen[A].items()} == {
        "body": "body_a",
        WEAPON: CARD_BACK,
        LEGS: "legs_0",
    }
    assert {space: one.reads for space, one in seen[B].items()} == {
        "body": "body_b",
        HEAD: CARD_BACK,
        ARM: "arm_1",
    }


def test_an_adaptor_is_proposed_for_the_part_on_its_side_and_then_that_part_one_card_further_out():
    zone = Zone(*NEAR, 15)
    body, adaptor = zone.put("body_a", 0, 0), zone.put("adaptor_1", 1, 0)
    found = only(building(), body, adaptor)
    assert found.command == {"do": "play", "seat": A, "card": "adaptor_1", "on": "arm"}
    state = building(adaptor="adaptor_1", adaptor_on=WEAPON)
    found = only(state, body, zone.put("adaptor_1", -1, 0), zone.put("weapon_3", -2, 0))
    assert found.command == {"do": "play", "seat": A, "card": "weapon_3"}


def test_a_part_that_does_not_fit_is_said_to_be_so():
    zone = Zone(*NEAR, 0)
    found = only(building(), zone.put("body_a", 0, 0), zone.part(HEAD, "head_hoses"))
    assert isinstance(found, Puzzled)
    assert found.say.values["why"].key == "ms.no.connector"  # type: ignore[union-attr]


def test_a_card_in_no_place_of_its_own_is_no_part():
    zone = Zone(*NEAR, 0)
    body = zone.put("body_a", 0, 0)
    assert not GAME.sighted(building(), reading(body, zone.put("head_2", 1, 0)))  # where an arm belongs
    assert not GAME.sighted(building(), reading(body, zone.put("head_2", 0, -4)))  # far away
    assert not GAME.sighted(building(), reading(zone.part(HEAD, "head_2")))  # no body


def test_what_eyes_cannot_name_is_asked_and_a_persons_word_counts():
    zone = Zone(*NEAR, 0)
    seen = reading(zone.put("body_a", 0, 0), zone.part(HEAD, UNKNOWN, sure=False, others=("head_any",)))
    [asked] = GAME.sighted(building(), seen)
    assert isinstance(asked, Proposal)
    assert asked.command is None
    assert asked.spaces[0].may_be[0] == "head_any"
    told = seen.corrected({Place(zone_of(A), SpaceId(HEAD)): PieceKind("head_2")})
    [found] = GAME.sighted(building(), told)
    assert isinstance(found, Proposal)
    assert found.command == {"do": "play", "seat": A, "card": "head_2"}


def test_a_doubtful_part_is_proposed_as_doubtful():
    zone = Zone(*NEAR, 0)
    found = only(building(), zone.put("body_a", 0, 0), zone.part(HEAD, "head_2", sure=False))
    assert not found.is_sure


def test_nobody_is_proposed_a_part_out_of_turn_or_after_drawing():
    zone = Zone(*NEAR, 0)
    seen = reading(zone.put("body_b", 0, 0), zone.part(HEAD, "head_2"))
    assert not GAME.sighted(building(), seen)
    state = on_turn(building(), stage=Stage.DISCARD)
    assert not GAME.sighted(state, reading(zone.put("body_a", 0, 0), zone.part(HEAD, "head_2")))


def test_a_dropped_part_is_to_be_turned_over_and_up_again_when_it_is_back():
    zone = Zone(*NEAR, 40)
    dropped = playing({"life": 5, "dropped": {HEAD: Dropped(Parity.EVEN)}}, {"life": 5}, turn=1)
    body = zone.put("body_a", 0, 0)
    found = only(dropped, body, zone.part(HEAD, "head_2"))
    assert isinstance(found, Puzzled)
    assert [line.key for line in found.say.values["what"]] == ["ms.saw.turn_over"]  # type: ignore[union-attr]
    assert not GAME.sighted(dropped, reading(body, zone.down(HEAD)))
    back = playing({"life": 5}, {"life": 5}, turn=1)
    found = only(back, body, zone.down(HEAD))
    assert [line.key for line in found.say.values["what"]] == ["ms.saw.turn_up"]
    assert not GAME.sighted(back, reading(body, zone.part(HEAD, "head_2")))


def test_a_part_broken_off_stays_turned_over():
    zone = Zone(*NEAR, 0)
    state = breaking({"life": 5, "lost": (LEGS,)}, {"life": 5}, target=1)
    found = only(state, zone.put("body_a", 0, 0), zone.part(LEGS, "legs_0"))
    assert isinstance(found, Puzzled)
    assert not GAME.sighted(state, reading(zone.put("body_a", 0, 0), zone.down(LEGS)))


def test_a_whole_creature_as_it_should_be_is_nothing_to_say():
    zone = Zone(*NEAR, 200)
    state = playing({"life": 5}, {"life": 5}, turn=1)
    pieces = [zone.put("body_a", 0, 0), *(zone.part(kind, card) for kind, card in WHOLE.items())]
    assert not GAME.sighted(state, reading(*pieces))


def test_a_body_in_a_zone_of_its_own_is_proposed_to_its_seat():
    state = playing({}, {}, stage=Stage.BODY)
    cards = {A: state.creatures[A], B: state.creatures[B]}
    cards = {seat: replace(one, body="") for seat, one in cards.items()}
    state = replace(state, phase=Phase.CARDS, creatures=cards)
    zone = Zone(*NEAR, 0)
    found = only(state, zone.put("body_c", 0, 0, near=zone_of(B)))
    assert found.command == {"do": "deal_body", "seat": B, "body": "body_c"}


def test_cards_in_zones_belong_to_their_seats_however_near_another_body_lies():
    own, other = Zone(*NEAR, 0), Zone(NEAR[0], NEAR[1] - 420, 180)
    head = own.part(HEAD, "head_2", near=zone_of(A))
    pieces = [own.put("body_a", 0, 0, near=zone_of(A)), other.put("body_b", 0, 0, near=zone_of(B)), head]
    seen = creatures_seen(playing({"life": 5}, {"life": 5}), reading(*pieces))
    assert HEAD in seen[A] and HEAD not in seen[B]


def test_a_table_is_taken_over_from_its_creatures_with_the_life_that_they_print():
    whole, begun = Zone(*NEAR, 20), Zone(*FAR, 200)
    pieces = [whole.put("body_a", 0, 0, near=zone_of(A)), begun.put("body_b", 0, 0, near=zone_of(B))]
    pieces += [whole.part(kind, card, near=zone_of(A)) for kind, card in WHOLE.items()]
    pieces += [begun.part(HEAD, "head_2", near=zone_of(B)), begun.put("riddle", 0, -3.5)]
    form, _ = GAME.take_over(BARE, reading(*pieces))
    fields = {field.name: field for field in form.fields}
    assert fields["experiment"].value == "riddle"
    assert fields[f"life_{A}"].value == 6 + 2 + 1
    told = {"experiment_life": 7, "turn": B, f"life_{A}": 5, "experiment": "riddle"}
    state = after(BARE, GAME.codec.command_in({**form.command, **told}))
    assert (state.phase, state.experiment_life) == (Phase.PLAY, 7)
    assert (state.turn.seat, state.turn.stage) == (B, Stage.PLAY)
    assert (state.creatures[A].life, state.creatures[A].is_built) == (5, True)
    assert state.creatures[B].parts == {HEAD: "head_2"}


def test_without_creatures_only_a_position_line_takes_a_table_over():
    assert len(GAME.take_over(BARE, None)) == len(GAME.take_over(BARE, reading())) == 1
    assert not GAME.take_over(building(), None)
