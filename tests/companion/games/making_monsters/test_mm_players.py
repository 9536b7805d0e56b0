"""Players that play well: what waits is moved, what is scarce is taken, five monsters fit the bag."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.games.making_monsters.components import BONUS, Token
from companion.games.making_monsters.events import PartsMoved
from companion.games.making_monsters.five import best_five, scored
from companion.games.making_monsters.gains import taken
from companion.games.making_monsters.game import GAME
from companion.games.making_monsters.odds import Drawing, Want
from companion.games.making_monsters.outlook import USUAL, Weights, promise
from companion.table.self_play import play, steps
from companion.table.simulation import players_of
from tests.companion.games.making_monsters.every_way import heap_of

KNOWN = players_of(GAME)
NOTHING = Weights(0, 0, 0).gains


def facts(**changed: object) -> dict[str, object]:
    lab = {"parts": {}, "tiles": {}, "cards": {}}
    plain = {
        "seat": "red",
        "labs": {"red": lab},
        "bag": {"rot": 7, "limb": 9, "zapper": 1},
        "shown": {"card3": [5, "limb", "zapper"]},
        "track": [12, 12],
        "items": 3,
        "tile_spaces": ["upgrade1"],
        "cart": {"name": "cart1", "offer": {"limb": 9, "zapper": 9}, "tiles": {}},
    }
    return plain | changed


def test_the_part_that_the_bag_lacks_is_taken_first() -> None:
    assert taken(facts()) == {"do": "take_items", "seat": "red", "parts": {"zapper": 3}}


def test_a_tile_is_taken_early_in_a_game_and_left_at_its_end() -> None:
    cart = {"name": "cart1", "offer": {"limb": 9}, "tiles": {"a": "teleporter", "b": "meat_replicator"}}
    assert taken(facts(cart=cart))["tiles"] == {"b": ""}
    assert "tiles" not in taken(facts(cart=cart, track=[2, 12]))


def test_more_is_not_taken_than_there_is() -> None:
    cart = {"name": "cart1", "offer": {"zapper": 1}, "tiles": {}}
    assert taken(facts(cart=cart))["parts"] == {"zapper": 1}


def test_what_waits_on_the_sorting_table_is_moved_by_who_is_careful_and_forgotten_by_who_is_not() -> None:
    seats = dict(zip(GAME.seats, (KNOWN["careful"], KNOWN["careless"]), strict=False))
    moved: Counter[str] = Counter()
    for step in steps(GAME, GAME.stand_in, seats, Random(2)):
        moved.update(str(event.seat) for event in step.events if isinstance(event, PartsMoved))
    assert moved["red"] > 0 and moved["blue"] == 0


def test_a_fair_is_scored_until_the_fifth_reject() -> None:
    shown = [Want("a", heap_of("limb"), 3), Want("b", heap_of("goop goop"), 4)]
    rot = [Token.ROT] * 5
    assert scored(shown, [Token.LIMB, *rot, Token.GOOP, Token.GOOP]) == 3 + BONUS[1]
    assert scored(shown, [Token.LIMB, Token.GOOP, Token.MUTATION, *rot]) == 7 + BONUS[2]


def test_the_five_of_the_fair_fit_the_bag() -> None:
    told = facts(
        bag={"rot": 9, "limb": 12, "stitch": 1},
        pile={f"card_{n}": worth for n, worth in enumerate((9, 3, 3, 3))},
        monsters={
            "card_0": [9, "zapper", "zapper", "zapper"],
            **{f"card_{n}": [3, "limb", "limb"] for n in (1, 2, 3)},
        },
        shown={"card1": [2, "limb", "stitch"], "card2": [3, "limb", "limb"]},
    )
    assert sorted(best_five(told)) == ["card_1", "card_2", "card_3"]
    assert best_five(told) == best_five(told)


def test_a_toll_makes_later_draws_worth_less_and_never_the_first() -> None:
    bag, wants = heap_of("rot rot limb limb goop goop"), (Want("a", heap_of("limb goop"), 5),)
    free = promise(Drawing(bag, wants, 2, 0, 0, 0, gains=NOTHING), USUAL)
    dear = promise(Drawing(bag, wants, 2, 0, 0, 0, gains=NOTHING, toll=1), USUAL)
    dearest = promise(Drawing(bag, wants, 2, 0, 0, 0, gains=NOTHING, toll=100), USUAL)
    assert free >= dear >= dearest > 0


def test_the_strong_player_outscores_each_of_the_others() -> None:
    for weak, strong in (("careless", "strong"), ("careful", "strong")):
        scores: Counter[str] = Counter()
        for number in range(4):
            names = (weak, strong)[:: 1 if number % 2 else -1]
            seats = {seat: KNOWN[name] for seat, name in zip(GAME.seats, names, strict=False)}
            end = play(GAME, GAME.stand_in, seats, Random(f"{weak} {number}"))
            scores.update({name: end.scores[seat] for seat, name in zip(seats, names, strict=True)})
        assert scores[strong] > scores[weak]
