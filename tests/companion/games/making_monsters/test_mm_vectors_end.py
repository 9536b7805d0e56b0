"""Vectors MM-78 to MM-97: Refresh, the Fair, the score, odds (MM-94 is in ``test_mm_any_play``)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game import RuleBroken
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.moves import (
    PILE,
    ChooseFive,
    Draw,
    Finish,
    KeepCard,
    TakeItems,
    TurnBoard,
)
from companion.games.making_monsters.odds import bust_chance, rot_chance
from companion.games.making_monsters.rules.carts import cart_before
from companion.games.making_monsters.rules.final import standings, winners, won_by
from companion.games.making_monsters.state import Lab, Phase, Stage, State
from companion.ports import BoardTurn
from tests.companion.games.making_monsters.tables import (
    BAG,
    BLUE,
    GOOP,
    GREEN,
    LIMB,
    RED,
    ROT,
    SEATS,
    SPIKE,
    STITCH,
    ZAPPER,
    Vectors,
    after,
    refused,
    rejects,
    table,
)

vector = Vectors()


def refreshing(lab: Lab | None = None, **more: object) -> State:
    keeping = Lab(bag=BAG, stage=Stage.KEEP)
    return table(Phase.REFRESH, {RED: lab or keeping, BLUE: keeping}, **more)


def carts(state: State) -> list[int]:
    return [cart_before(state, seat) for seat in state.labs]


@vector
def mm_78_a_small_pile_is_filled_up_with_the_printed_monsters() -> None:
    lab = Lab(bag=BAG, stage=Stage.CHOOSE, pile=("limbs", "zapping", "spiky"))
    state = table(Phase.PREP, {RED: lab, BLUE: Lab(bag=BAG, stage=Stage.CHOOSE)}, track=0)
    chosen = after(state, ChooseFive(RED, (("limbs", ""), ("zapping", ""), ("spiky", ""))))
    assert set(chosen.labs[RED].cards) == {"card3", "card4", "card5"}
    shown = GAME.view(chosen, RED).facts["shown"]
    assert set(shown) == {"card1", "card2", "card3", "card4", "card5"}
    assert shown["card1"] == [2, "limb", "stitch"]


def at_the_fair(**lab: object) -> State:
    """Return red drawing at the Fair with four monsters nearly done; blue has stopped."""
    cards = {"card3": "zapping", "card4": "spiky", "card5": "stitched"}
    parts = {"card3.part0": ZAPPER, "card4.part0": SPIKE, "card5.part0": STITCH}
    parts |= {"card1.part0": LIMB, "card1.part1": STITCH}
    fields = {"bag": BAG, "stage": Stage.DRAW, "cards": cards, "parts": parts}
    labs = {RED: Lab(**(fields | lab)), BLUE: Lab(bag=BAG)}  # type: ignore[arg-type]
    return table(Phase.FAIR, labs, track=0)


FAIR_POINTS = 7 + 8 + 9 + 2


@vector
def mm_79_stopping_at_the_fair_scores_with_the_bonus_and_takes_nothing() -> None:
    state = at_the_fair()
    done = after(state, Finish(RED))
    assert done.labs[RED].earned == {"fair_monsters": FAIR_POINTS, "fair_bonus": 10}
    assert done.phase is Phase.OVER
    assert done.labs[RED].items == 0
    assert done.supply == state.supply


@vector
def mm_80_a_bust_at_the_fair_scores_without_the_bonus() -> None:
    parts = {**at_the_fair().labs[RED].parts, **rejects(ROT, ROT, ROT, ROT, ROT)}
    done = after(at_the_fair(parts=parts), Draw(RED, {ROT: 1}))
    assert done.labs[RED].earned == {"fair_monsters": FAIR_POINTS}
    assert done.phase is Phase.OVER


def ended(*labs: tuple[int, int, int]) -> State:
    """Return a finished table; each seat by its prestige, the Rot in its bag and its Fair."""
    seats = {
        seat: Lab(earned={"monsters": score}, bag={ROT: rot}, fair=fair)
        for seat, (score, rot, fair) in zip(SEATS, labs, strict=False)
    }
    return table(Phase.OVER, seats, track=0)


@vector
def mm_81_fewer_rot_in_the_bag_wins_a_tie() -> None:
    state = ended((80, 9, 30), (80, 7, 20))
    assert (winners(state), won_by(state)) == ((BLUE,), "rot")


@vector
def mm_82_the_better_fair_wins_the_next_tie() -> None:
    state = ended((80, 7, 20), (80, 7, 23))
    assert (winners(state), won_by(state)) == ((BLUE,), "fair")


@vector
def mm_83_what_is_equal_in_all_is_shared() -> None:
    state = ended((80, 7, 20), (80, 7, 20), (79, 0, 50))
    assert (set(winners(state)), won_by(state)) == ({RED, BLUE}, "shared")
    assert {place.seat: place.rank for place in standings(state)} == {RED: 1, BLUE: 1, GREEN: 3}
    assert {seat.seat: seat.rank for seat in GAME.view(state, None).seats} == {RED: 1, BLUE: 1, GREEN: 3}


@vector
def mm_84_one_turn_passes_every_cart_to_the_next_seat_clockwise() -> None:
    state = table(Phase.REFRESH, dict.fromkeys(SEATS, Lab(bag=BAG, stage=Stage.KEEP)))
    assert carts(state) == [0, 1, 2, 3]
    assert carts(after(state, TurnBoard(1))) == [3, 0, 1, 2]


@vector
def mm_85_four_turns_bring_every_cart_home() -> None:
    state = table(Phase.REFRESH, dict.fromkeys(SEATS, Lab(bag=BAG, stage=Stage.KEEP)))
    for _ in range(4):
        state = replace(after(state, TurnBoard(1)), is_turned=False)
    assert carts(state) == [0, 1, 2, 3]


@vector
def mm_86_two_players_opposite_each_other() -> None:
    keeping = Lab(bag=BAG, stage=Stage.KEEP)
    state = after(table(Phase.REFRESH, {RED: keeping, GREEN: keeping}), TurnBoard(1))
    assert carts(state) == [3, 1]


@vector
def mm_87_a_wrong_turn_is_reported_and_the_round_waits() -> None:
    for delta, to_go in ((-1, 2), (2, 3)):
        turn = BoardTurn("sensor", "boot", 1, 0, delta % 4, delta, 1000)
        command = GAME.command_from_turn(refreshing(), turn)
        state = after(refreshing(), command, KeepCard(RED, "limbs"), KeepCard(BLUE, "spiky"))
        assert (state.phase, state.quarter, state.is_turned) == (Phase.REFRESH, 0, False)
        prompt = GAME.prompts(state)[0]
        assert (prompt.say.key, prompt.say.values["count"]) == ("mm.ask.turn_right", to_go)
        right = after(state, TurnBoard(to_go))
        assert (right.phase, right.quarter) == (Phase.ORDER, 1)


FOUR_CARDS = {"card1": "limbs", "card2": "goops", "card3": "limb3", "card4": "one_limb"}
FIVE_CARDS = {**FOUR_CARDS, "card5": "stitched"}


@vector
def mm_88_the_kept_card_fills_the_free_slot_and_the_other_is_discarded() -> None:
    state = refreshing(Lab(bag=BAG, stage=Stage.KEEP, cards=FOUR_CARDS))
    assert refused(state, KeepCard(RED, "spiky", PILE)).rule == "MM-R57"
    kept = after(state, KeepCard(RED, "spiky", "card5", "zapping"))
    assert kept.labs[RED].cards["card5"] == "spiky"
    assert kept.discards == ("zapping",)
    assert kept.deck == state.deck - 2


@vector
def mm_89_a_card_that_holds_a_token_is_not_replaced() -> None:
    lab = Lab(bag=BAG, stage=Stage.KEEP, cards=FIVE_CARDS, parts={"card3.part0": LIMB})
    assert refused(refreshing(lab), KeepCard(RED, "spiky", "card3")).rule == "Refresh, note"


@vector
def mm_90_with_tokens_on_all_cards_the_new_one_goes_to_the_pile() -> None:
    parts = {"card1.part0": LIMB, "card2.part0": GOOP, "card3.part0": LIMB}
    parts |= {"card4.part0": LIMB, "card5.part0": STITCH}
    lab = Lab(bag=BAG, stage=Stage.KEEP, cards=FIVE_CARDS, parts=parts)
    kept = after(refreshing(lab), KeepCard(RED, "spiky"))
    assert (kept.labs[RED].pile, kept.labs[RED].score) == (("spiky",), 0)


@vector
def mm_91_a_replaced_card_goes_to_the_own_pile_for_nothing() -> None:
    lab = Lab(bag=BAG, stage=Stage.KEEP, cards=FIVE_CARDS, parts={"card3.part0": LIMB})
    kept = after(refreshing(lab), KeepCard(RED, "spiky", "card5"))
    assert kept.labs[RED].cards["card5"] == "spiky"
    assert (kept.labs[RED].pile, kept.labs[RED].score) == (("stitched",), 0)
    fair = replace(kept.labs[RED], stage=Stage.CHOOSE)
    prep = table(Phase.PREP, {RED: fair, BLUE: Lab(bag=BAG, stage=Stage.CHOOSE)}, track=0)
    assert after(prep, ChooseFive(RED, (("stitched", ""),))).labs[RED].pile == ()


@vector
def mm_92_a_deck_of_one_is_shuffled_up_from_the_discards() -> None:
    state = replace(refreshing(), deck=1, discards=("goops", "", "limbs"))
    kept = after(state, KeepCard(RED, "spiky"))
    assert kept.deck + len(kept.discards) == 3
    assert (kept.deck, kept.discards) == (2, ("",))


@vector
def mm_93_a_printed_monster_that_holds_a_token_is_not_covered() -> None:
    lab = Lab(bag=BAG, stage=Stage.KEEP, parts={"card2.part0": SPIKE})
    state = refreshing(lab)
    assert refused(state, KeepCard(RED, "spiky", "card2")).rule == "MM-R58"
    assert after(state, KeepCard(RED, "spiky", "card1")).labs[RED].cards == {"card1": "spiky"}


@vector
def mm_95_rot_among_five_of_a_starting_bag() -> None:
    chances = [rot_chance(22, 7, 5, rot) for rot in range(6)]
    assert chances == pytest.approx([0.1140, 0.3628, 0.3628, 0.1396, 0.0199, 0.0008], abs=5e-5)


@vector
def mm_96_the_chance_of_a_bust_with_three_rejects() -> None:
    chances = [bust_chance(3, 17, 4, drawn) for drawn in (2, 4, 6)]
    assert chances == pytest.approx([0.0, 0.0223, 0.0987], abs=5e-5)


@vector
def mm_97_the_next_single_draw_busts_by_a_third() -> None:
    assert bust_chance(5, 12, 4, 1) == pytest.approx(1 / 3)


@pytest.mark.parametrize("case", vector.cases)
def test_vector_of_the_end(case: object) -> None:
    case()  # type: ignore[operator]


def test_prep_returns_all_tokens_and_puts_unfinished_cards_on_the_pile() -> None:
    lab = Lab(
        bag=BAG,
        stage=Stage.DONE,
        cards={"card3": "limbs", "card4": "goops", "card5": "limb3"},
        parts={"card3.part0": LIMB, "sort1": GOOP, **rejects(ROT)},
        has_reanimated=True,
    )
    waiting = Lab(bag=BAG, stage=Stage.ITEMS, has_reanimated=True)
    state = table(Phase.REANIMATE, {RED: lab, BLUE: waiting}, track=0)
    prep = after(state, TakeItems(BLUE))
    assert prep.phase is Phase.PREP
    assert set(prep.labs[RED].pile) == {"limbs", "goops", "limb3"}
    assert prep.labs[RED].bag[ROT] == BAG[ROT] + 1
    assert prep.labs[RED].score == 0


def test_a_turn_before_its_time_counts_when_it_is_due() -> None:
    deciding = Lab(bag=BAG, stage=Stage.ITEMS, has_reanimated=True)
    state = table(Phase.REANIMATE, {RED: deciding, BLUE: Lab(bag=BAG, stage=Stage.DONE)})
    early = after(state, TurnBoard(1))
    assert (early.quarter, early.astray) == (0, 1)
    due = after(early, TakeItems(RED))
    assert (due.phase, due.quarter, due.astray) == (Phase.REFRESH, 1, 0)


def test_a_turn_in_the_middle_of_a_round_is_reported_until_it_is_turned_back() -> None:
    state = table(Phase.ORDER, {RED: Lab(bag=BAG, stage=Stage.ORDER), BLUE: Lab(bag=BAG, stage=Stage.ORDER)})
    astray = after(state, TurnBoard(1))
    assert GAME.prompts(astray)[0].deed == {"turn": 3}
    back = after(astray, TurnBoard(-1))
    assert back.astray == 0
    assert not any(prompt.expects_turn for prompt in GAME.prompts(back))


def test_nobody_turns_the_board_twice() -> None:
    state = after(refreshing(), TurnBoard())
    with pytest.raises(RuleBroken):
        GAME.decide(state, TurnBoard())
