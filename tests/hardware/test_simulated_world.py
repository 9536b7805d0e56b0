"""The world of the simulated table: pieces move, none is lost, none is made."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.board import Place, SpaceKind
from companion.games.making_monsters import components
from hardware.simulated.contents import TOKENS, Contents, lab_of, read_contents
from hardware.simulated.deeds import DEEDS, done
from hardware.simulated.world import Impossible, Sort, World, empty_table, truth

BOX: Contents = read_contents(components.BOX.boards, components.stand_in_catalogue(), components.BOX.counts)
SEATS = ("red", "blue", "green", "yellow")


def set_up(seats: tuple[str, ...] = SEATS, *, seed: int = 1, rot_track: int = 12) -> World:
    return done(empty_table(BOX, seed), {"do": "set_up", "seats": list(seats), "rot_track": rot_track}).world


def test_setting_up_for_four_leaves_the_supply_that_the_rulebook_counts():
    supply = truth(set_up())["supply"]
    assert supply == {
        "rot": 30 - 12, "limb": 50, "stitch": 36, "spike": 40, "goop": 40, "zapper": 40, "mutation": 20,
    }  # fmt: skip


def test_every_seat_gets_a_bag_of_twenty_two_and_one_card():
    world = set_up(("red", "green"))
    assert [sum(world.counts(f"bag/{seat}").values()) for seat in world.seats] == [22, 22]
    assert [len(world.lying(f"hand/{seat}", Sort.CARD)) for seat in world.seats] == [1, 1]


def test_eight_upgrades_lie_on_the_carts_and_thirty_two_in_two_stacks():
    world = set_up()
    stacks = [len(world.lying(f"central/upgrade_supply{number}")) for number in (1, 2)]
    carts = [
        s for s in BOX.boards[Place.parse("central/x").board].spaces.values() if s.kind is SpaceKind.TILE
    ]
    assert len(carts) == 8
    assert all(world.top(f"central/{space.id}", Sort.TILE) for space in carts)
    assert stacks == [16, 16]


def test_the_same_seed_draws_the_same_tokens_whatever_others_do():
    alone = done(set_up(), {"do": "draw", "seat": "red", "count": 5}).answer
    busy = done(set_up(), {"do": "draw", "seat": "blue", "count": 7}).world
    assert done(busy, {"do": "draw", "seat": "red", "count": 5}).answer == alone


def test_another_seed_draws_other_tokens():
    drawn = {
        tuple(done(set_up(seed=s), {"do": "draw", "seat": "red", "count": 9}).answer["drawn"])
        for s in range(8)
    }
    assert len(drawn) > 4


def test_a_bag_that_is_short_gives_what_it_has():
    world = set_up()
    answer = done(world, {"do": "draw", "seat": "red", "count": 99}).answer
    assert len(answer["drawn"]) == 22


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"do": "dance"}, "no deed 'dance'"),
        ({"do": "draw", "seat": "purple"}, "Nobody sits at 'purple'"),
        ({"do": "draw", "seat": "red", "count": "five"}, "whole number"),
        ({"do": "lay", "seat": "red", "kind": "goop", "place": "lab_red/sort1"}, "red holds no goop"),
        ({"do": "move", "from": "lab_red/sort1", "to": "lab_red/sort2"}, "Nothing lies at"),
        ({"do": "gain", "seat": "red", "kind": "mutation", "count": 21}, "only 20 mutation"),
        ({"do": "place_card", "seat": "red", "card": "card_99", "space": "card3"}, "not in hand/red"),
        (
            {"do": "take_tile", "seat": "red", "from": "central/cart1_upgrade1", "to": "lab_red/sort1"},
            "no space for",
        ),
        ({"do": "take_order", "seat": "red"}, "No order lies beside"),
        ({"do": "pile_cards", "seat": "red", "spaces": ["card5"]}, "No monster lies at"),
        ({"do": "set_up", "seats": ["red"], "rot_track": 31}, "takes 1 to 20"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(wish, why):
    with pytest.raises(Impossible, match=why) as refused:
        done(set_up(), wish)
    assert str(refused.value).endswith((".", "?"))


def test_a_second_token_does_not_fit_on_a_reject_space():
    world = done(set_up(), {"do": "draw", "seat": "red", "count": 2}).world
    first, second = (p.kind for p in world.lying("hand/red", Sort.TOKEN))
    world = done(world, {"do": "lay", "seat": "red", "kind": first, "place": "lab_red/reject1"}).world
    with pytest.raises(Impossible, match="already lies"):
        done(world, {"do": "lay", "seat": "red", "kind": second, "place": "lab_red/reject1"})


def test_printed_monsters_are_counted_in_a_batch_and_stay_where_they_are():
    act = done(set_up(), {"do": "pile_cards", "seat": "red", "spaces": ["card1", "card2"], "scored": True})
    assert act.answer["cards"] == ["printed_1", "printed_2"]
    assert truth(act.world)["batches"] == [
        {"seat": "red", "cards": ["printed_1", "printed_2"], "scored": True, "bust": False}
    ]
    assert truth(act.world)["of"]["red"]["pile"] == []


def test_an_order_lies_face_down_until_all_are_revealed():
    world = done(set_up(), {"do": "lay_order", "seat": "red", "colour": "blue"}).world
    assert truth(world)["of"]["red"]["order_is_up"] is False
    world = done(world, {"do": "reveal"}).world
    assert truth(world)["of"]["red"] | {"bag": 0} == {
        "bag": 0, "hand": truth(world)["of"]["red"]["hand"], "pile": [], "order": "blue", "order_is_up": True,
    }  # fmt: skip


def test_rot_leaves_the_track_from_its_end():
    world = done(set_up(rot_track=3), {"do": "gain", "seat": "red", "kind": "rot", "from": "track"}).world
    assert world.lying("score/rot_3") == []
    assert len(world.lying("score/rot_2")) == 1


def test_tokens_on_a_piled_card_slide_into_the_hand_and_are_swept_into_the_bag():
    world = set_up()
    card = world.lying("hand/red", Sort.CARD)[0]
    world = done(world, {"do": "place_card", "seat": "red", "card": card.kind, "space": "card3"}).world
    world = done(world, {"do": "draw", "seat": "red", "count": 1}).world
    token = world.lying("hand/red", Sort.TOKEN)[0]
    world = done(
        world, {"do": "lay", "seat": "red", "kind": token.kind, "place": "lab_red/card3.part0"}
    ).world
    world = done(world, {"do": "pile_cards", "seat": "red", "spaces": ["card3"], "scored": False}).world
    assert world.lying("hand/red", Sort.TOKEN) == [token]
    world = done(world, {"do": "clear", "seat": "red"}).world
    assert sum(world.counts("bag/red").values()) == 22


class HandsAtTheTable(RuleBasedStateMachine):
    """Hands do anything, possible or not; the box stays whole."""

    def __init__(self) -> None:
        super().__init__()
        self.world = empty_table(BOX, 0)
        self.all = Counter((p.sort, p.kind) for p in self.world.pieces)

    @initialize(seats=st.sampled_from([SEATS, SEATS[:2], SEATS[1:]]), rot_track=st.integers(1, 20))
    def table_is_set_up(self, seats, rot_track):
        self.do("set_up", seats=list(seats), rot_track=rot_track)

    def do(self, deed, **said):
        before = self.world
        try:
            self.world = done(self.world, {"do": deed, **said}).world
        except Impossible:
            assert self.world is before

    @rule(seat=st.sampled_from(SEATS), count=st.integers(1, 7))
    def draw(self, seat, count):
        self.do("draw", seat=seat, count=count)

    @rule(seat=st.sampled_from(SEATS), data=st.data())
    def lay_what_the_hand_holds(self, seat, data):
        held = self.world.lying(f"hand/{seat}", Sort.TOKEN)
        spaces = [f"{lab_of(seat)}/{s}" for s in BOX.lab(seat).spaces]
        parts = [f"{lab_of(seat)}/card{c}.part{p}" for c in range(1, 6) for p in range(3)]
        if held:
            kind = data.draw(st.sampled_from(held)).kind
            self.do("lay", seat=seat, kind=kind, place=data.draw(st.sampled_from(spaces + parts)))

    @rule(
        seat=st.sampled_from(SEATS), kind=st.sampled_from(TOKENS), source=st.sampled_from(["supply", "track"])
    )
    def gain(self, seat, kind, source):
        self.do("gain", seat=seat, kind=kind, count=2, **{"from": source})

    @rule(seat=st.sampled_from(SEATS), space=st.sampled_from(["card1", "card3", "card4"]))
    def place_or_pile_a_card(self, seat, space):
        self.do("deal", seat=seat, count=1)
        held = self.world.lying(f"hand/{seat}", Sort.CARD)
        if held:
            self.do("place_card", seat=seat, card=held[0].kind, space=space)
            self.do("discard_card", seat=seat, card=held[-1].kind)
        self.do("pile_cards", seat=seat, spaces=[space], scored=True)

    @rule(seat=st.sampled_from(SEATS), spot=st.integers(1, 8), goal=st.integers(1, 3))
    def take_a_tile(self, seat, spot, goal):
        source = f"central/cart{(spot + 1) // 2}_upgrade{2 - spot % 2}"
        self.do("take_tile", seat=seat, **{"from": source, "to": f"lab_{seat}/upgrade{goal}"})
        self.do("refill")

    @rule(seat=st.sampled_from(SEATS), colour=st.sampled_from(["red", "yellow", "blue"]))
    def order(self, seat, colour):
        self.do("lay_order", seat=seat, colour=colour)
        self.do("reveal")
        self.do("take_order", seat=seat)

    @rule(seat=st.sampled_from(SEATS), score=st.integers(0, 130), quarters=st.sampled_from([-1, 1, 2]))
    def clear_score_and_turn(self, seat, score, quarters):
        self.do("clear", seat=seat, keep=[f"lab_{seat}/sort1"])
        self.do("set_marker", seat=seat, score=score)
        self.do("turn", quarters=quarters)

    @rule(data=st.data())
    def move_or_swap_anything(self, data):
        taken = sorted({spot.at for spot in self.world.spots.values() if "/" in spot.at})
        source, goal = (
            data.draw(st.sampled_from(taken)),
            data.draw(st.sampled_from([*taken, "lab_red/sort2", "box"])),
        )
        self.do("move", **{"from": source, "to": goal})
        self.do("swap_unseen", a=source, b=goal)

    @invariant()
    def the_box_is_whole(self):
        assert Counter((p.sort, p.kind) for p in self.world.pieces) == self.all
        assert set(self.world.spots) == {p.number for p in self.world.pieces}

    @invariant()
    def every_token_space_holds_one_token_at_most(self):
        at = Counter(self.world.spots[p.number].at for p in self.world.pieces if p.sort is Sort.TOKEN)
        for place, count in at.items():
            space = BOX.space(Place.parse(place)) if "/" in place else None
            if space is not None and space.kind is SpaceKind.TOKEN:
                assert count == 1, place

    @invariant()
    def what_lies_on_a_board_lies_on_a_space_of_it(self):
        for place in truth(self.world)["places"]:
            where = Place.parse(place)
            assert BOX.space(where) is not None or self.world.slot_at(where) is not None, place


TestHandsAtTheTable = HandsAtTheTable.TestCase
TestHandsAtTheTable.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


def test_hands_know_every_deed_by_one_name():
    assert sorted(DEEDS) == list(DEEDS)
