"""A simulated table of loose cards: what hands do there, what cameras see, what its box is taught from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.board import BoardId, BoardLayout, Lie, PieceKind, Space, SpaceId, SpaceKind, Tag
from hardware.simulated.card_table import CardTable
from hardware.simulated.loose_contents import LooseContents, loose_contents_of
from hardware.simulated.loose_scans import write_loose_scans
from hardware.simulated.table import Setting
from hardware.simulated.tables import lie_of, table_of, with_zones
from hardware.simulated.world import Impossible
from vision.find_boards import find_by_tags
from vision.find_tags import TagPatterns

GAME, SEAT = "mad_science", "ghoul"
HEAD, BODY = "zone_ghoul/head", "zone_ghoul/body"


@pytest.fixture(scope="module")
def table() -> Iterator[CardTable]:
    whole = table_of(GAME, 2, Setting((), speed=100.0))
    assert isinstance(whole, CardTable)
    yield whole
    whole.close()


def lay(table: CardTable, place: str, kind: str) -> None:
    table.do({"do": "lay", "place": place, "kind": kind})


def test_cards_are_laid_turned_over_and_taken(table: CardTable) -> None:
    table.do({"do": "clear"})
    lay(table, BODY, "body_1")
    lay(table, HEAD, "head_01")
    table.do({"do": "turn", "place": HEAD, "to": "down"})
    assert table.truth()["places"] == {BODY: "body_1", HEAD: "card_back"}
    table.do({"do": "turn", "place": HEAD, "to": "up"})
    table.do({"do": "take", "place": BODY})
    assert table.truth()["places"] == {HEAD: "head_01"}


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "lay", "place": HEAD, "kind": "head_02"},
        {"do": "lay", "place": "zone_ghoul/arm", "kind": "head_01"},
        {"do": "lay", "place": "zone_ghoul/tail", "kind": "head_02"},
        {"do": "lay", "place": "zone_wolf/head", "kind": "head_02"},
        {"do": "lay", "place": "zone_ghoul/arm", "kind": "limb"},
        {"do": "turn", "place": "zone_ghoul/arm"},
        {"do": "juggle", "place": HEAD},
    ],
)
def test_hands_cannot_do_what_is_impossible(table: CardTable, deed: dict[str, str]) -> None:
    table.do({"do": "clear"})
    lay(table, HEAD, "head_01")
    with pytest.raises(Impossible):
        table.do(deed)
    assert table.truth()["places"] == {HEAD: "head_01"}


def test_the_camera_sees_the_zone_and_every_card_where_it_lies(table: CardTable) -> None:
    table.do({"do": "clear"})
    scene = table.feeds["zone_ghoul"].scene
    bare = scene.render({})
    lay(table, HEAD, "head_01")
    seen = scene.render(table.places)
    changed = np.argwhere(np.abs(seen.astype(int) - bare).max(axis=2) > 25)
    outline = np.array(scene.outline_px(HEAD, table.places))
    assert np.allclose(changed.mean(axis=0)[::-1], outline.mean(axis=0), atol=4)
    zone = table.feeds["zone_ghoul"].scene.board
    poses, _ = find_by_tags(seen, [zone], TagPatterns.of([tag.number for tag in zone.tags]), tag_mm=16.0)
    assert [pose.board for pose in poses] == ["zone_ghoul"]


def test_a_part_on_an_adaptor_lies_one_card_further_out(table: CardTable) -> None:
    table.do({"do": "clear"})
    lay(table, HEAD, "head_01")
    scene = table.feeds["zone_ghoul"].scene
    before = np.mean(scene.outline_px(HEAD, table.places), axis=0)
    lay(table, "zone_ghoul/adaptor_head", "adaptor_1")
    after = np.mean(scene.outline_px(HEAD, table.places), axis=0)
    assert before[1] - after[1] > 100


def test_the_box_is_written_as_it_is_taught(tmp_path: Path) -> None:
    contents = loose_contents_of(GAME)
    count = write_loose_scans(contents, tmp_path)
    index = json.loads((tmp_path / "index.json").read_text())
    assert count == len(index) == len(contents.cards) + 1
    assert len({(tmp_path / row["file"]).read_bytes() for row in index}) == count
    zones = json.loads((tmp_path / "zones.json").read_text())["zones"]
    assert [zone["id"] for zone in zones][:2] == ["zone_cyclops", "zone_ghoul"]


def test_cards_of_a_strangers_game_are_drawn_and_laid() -> None:
    zone = BoardLayout(
        BoardId("pond_north"),
        (300.0, 300.0),
        {SpaceId("fish"): Space(SpaceId("fish"), SpaceKind.CARD, (150.0, 150.0), ())},
        tuple(Tag(number, (20.0 + 200 * (number % 2), 20.0 + 200 * (number // 2))) for number in range(4)),
    )
    fish = {PieceKind("pike"): ("fish", {"name": "Pike", "weight": 3})}
    contents = LooseContents("ponds", fish, {"north": zone}, {}, {})
    whole = with_zones(contents, 1, Setting((), speed=100.0))
    scene = whole.feeds["pond_north"].scene
    bare = scene.render(whole.places)
    whole.do({"do": "lay", "place": "pond_north/fish", "kind": "pike"})
    assert np.abs(scene.render(whole.places).astype(int) - bare).max() > 60
    whole.close()


def test_a_box_says_itself_how_its_pieces_lie() -> None:
    told = [lie_of(game) for game in ("making_monsters", GAME, "monster_graveyard")]
    assert told == [Lie.BOARDS, Lie.LOOSE, Lie.MATS]
