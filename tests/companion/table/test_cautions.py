"""What the eyes warn of reaches whom it concerns, in words that say what to do."""

from __future__ import annotations

import pytest

from companion.board import BoardId
from companion.game import Seat, Sentence
from companion.games.making_monsters.components import BOX
from companion.games.making_monsters.game import GAME
from companion.ports import Caution, DeviceStanding, DeviceState, Strain
from companion.sentences import keys_in
from companion.table.cautions import cautioned
from tests.web.monster_house import MonsterHouse
from web.words import Words

RED, BLUE = Seat("red"), Seat("blue")


def eyes(*cautions: Caution, camera: str = "above the table") -> DeviceStanding:
    return DeviceStanding(camera, "eyes", DeviceState.LIVE, "settled", cautions=cautions)


def said(sentence: Sentence) -> str:
    return Words(GAME.package, "en").calling({BLUE: "Ada"}).say(sentence)


@pytest.mark.parametrize("strain", Strain)
def test_every_strain_has_words(strain: Strain) -> None:
    assert f"strain.{strain}" in keys_in("companion")


def test_a_seat_is_warned_of_its_own_board_and_the_host_of_all() -> None:
    standing = eyes(Caution(Strain.DIM, BoardId("lab_red")), Caution(Strain.GLARE, BoardId("central")))
    assert [said(one) for one in cautioned((standing,), BOX.owners, RED)] == [
        "It is getting dark over Red's lab. Switch on a lamp."
    ]
    assert cautioned((standing,), BOX.owners, BLUE) == ()
    assert len(cautioned((standing,), BOX.owners)) == 2


def test_a_board_is_called_by_the_name_of_who_sits_there() -> None:
    (warning,) = cautioned((eyes(Caution(Strain.GLARE, BoardId("lab_blue"))),), BOX.owners)
    assert said(warning) == "A lamp mirrors on Ada's lab. Move it aside."


def test_what_concerns_most_boards_is_said_of_the_table() -> None:
    far = eyes(Caution(Strain.FAR, None, 14, 25), camera="above green")
    assert [said(one) for one in cautioned((far,), BOX.owners)] == [
        "The camera above green is too far away from the table: a token is 14 px wide, 25 are needed. "
        "Hang it nearer."
    ]
    assert cautioned((far,), BOX.owners, RED) == ()


def test_a_camera_that_is_gone_warns_of_nothing() -> None:
    lost = DeviceStanding("above the table", "camera", DeviceState.LOST, "unplugged")
    assert cautioned((lost, eyes(Caution(Strain.DIM, BoardId("lab_red")))), BOX.owners) == ()


def test_a_caution_is_shown_until_the_eyes_withdraw_it() -> None:
    house = MonsterHouse()
    try:
        house.table.stood(eyes(Caution(Strain.DIM, BoardId("lab_red")))).result(5)
        first = house.table.look(RED)
        assert len(first.cautions) == 1
        house.table.stood(eyes(Caution(Strain.DIM, BoardId("lab_red")))).result(5)
        assert house.table.look(RED).shown == first.shown  # nothing new, nothing sent
        house.table.stood(eyes()).result(5)
        assert house.table.look(RED).cautions == ()
    finally:
        house.close()
