"""Which simulated table a game is played on: by how its box says that its pieces lie."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.board import Lie, PieceKind
from companion.game import Game, Seat
from companion.plugins import load
from hardware.simulated import mat_scene, zone_scene
from hardware.simulated.card_table import Cards, CardTable
from hardware.simulated.contents import contents_of
from hardware.simulated.ground import LIGHTS
from hardware.simulated.lens import Lens
from hardware.simulated.loose_contents import LooseContents, loose_contents_of
from hardware.simulated.mats import TURNED
from hardware.simulated.server import ServedTable
from hardware.simulated.table import Setting, SimulatedTable


def lie_of(game: str) -> Lie:
    """Return how the pieces of an installed game lie. Raises PartUnusable."""
    plays: Game[Any, Any, Any] = load("companion.games", game)
    return plays.box.lie


def table_of(game: str, seats: int, setting: Setting) -> ServedTable:
    """Set up the table of a game for so many seats, the first ones. Raises PartUnusable."""
    match lie_of(game):
        case Lie.MATS:
            return _with_mats(load("companion.games", game), seats, setting)
        case Lie.LOOSE:
            return with_zones(loose_contents_of(game), seats, setting)
        case Lie.BOARDS:
            contents = contents_of(game)
            return SimulatedTable(contents, replace(setting, seats=tuple(contents.players[:seats])))


def _with_mats(game: Game[Any, Any, Any], seats: int, setting: Setting) -> CardTable:
    seated = tuple(game.seats[:seats])
    light = LIGHTS[setting.light]
    scenes = {
        str(seat): mat_scene.MatScene(game, Seat(seat), seed=setting.seed + number, light=light)
        for number, seat in enumerate(seated)
    }
    counts = dict(game.box.counts)
    counts[PieceKind(TURNED)] = sum(counts.values())  # the same cards, sideways
    cards = Cards(counts, frozenset(map(PieceKind, mat_scene.DICE)), mat_scene.CARE)
    return CardTable(cards, scenes, replace(setting, seats=tuple(map(str, seated))))


def with_zones(contents: LooseContents, seats: int, setting: Setting) -> CardTable:
    """Set up a table of loose cards for so many seats."""
    seated = contents.players[:seats]
    scenes = {}
    for number, seat in enumerate(seated):
        zone = contents.zones[seat]
        aim = (zone.size_mm[0] / 2, zone.size_mm[1] / 2)
        yaw = (1.2, -0.9, 0.6, -1.5)[number % 4]
        lens = Lens(zone_scene.PICTURE_WH, aim, zone_scene.PX_PER_MM, tilt_deg=4.5 + number % 3, yaw_deg=yaw)
        scenes[seat] = zone_scene.ZoneScene(contents, zone, lens, LIGHTS[setting.light])
    counts = {kind: contents.counts.get(kind, 1) for kind in contents.cards}
    return CardTable(Cards(counts), scenes, replace(setting, seats=seated))
