"""Creatures on the simulated table: dealt at random, photographed, read alone under other names."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.simulated.contents import CARD_BACK
from hardware.simulated.feeds import Grain
from hardware.simulated.ground import LIGHTS
from hardware.simulated.lens import Lens
from hardware.simulated.loose_contents import LooseContents, loose_contents_of
from hardware.simulated.placed import Placed, Places
from hardware.simulated.zone_scene import ADAPTOR, PICTURE_WH, PX_PER_MM, ZoneScene
from tests.bench.scenes import companion, copied_alone
from tests.bench.table import Line, Section, at_least, at_most

GAME, SEED, PICTURES_A_LIGHT = "mad_science", 5, 10
RIGHT, WRONG = 98.0, 0.2
NEAR = 0.5  # of a card's width
ADAPTOR_SHARE, PART_SHARE, DOWN_SHARE = 0.35, 0.8, 0.2


@dataclass(frozen=True, slots=True)
class Card:
    """A card that lies there, as the camera sees it."""

    kind: str
    middle_px: tuple[float, float]
    width_px: float
    zone: str


def creature_section(work: Path, home: Path, *, pictures: int = PICTURES_A_LIGHT) -> Section:
    """Teach the stand-in box of loose cards and read creatures of it."""
    scans = work / "creature-scans"
    companion("simulated-table", "--game", GAME, "--scans", str(scans), home=home)
    companion("box", "teach", str(scans), "--name", "creatures", "--game", GAME, home=home)
    truths = deal(work / "creatures", pictures=pictures)
    names = copied_alone(sorted((work / "creatures").glob("*.jpg")), work / "creatures-alone")
    photos = [str(work / "creatures-alone" / name) for name in sorted(names)]
    printed = companion("read", *photos, "--box", "creatures", "--json", home=home)
    count, right, wrong, placed = 0, 0, 0, 0
    misses = []
    for reading in map(json.loads, printed.splitlines()):
        name = names[Path(reading["photo"]).name]
        left = [piece for piece in reading["loose"] if piece["sure"]]
        for card in truths[name]:
            own = next((p for p in left if p["reads"] == card.kind and _is_there(p, card)), None)
            count += 1
            if own is None:
                misses.append(f"{card.kind} of {name}")
                continue
            left.remove(own)
            right += 1
            placed += own.get("near") == card.zone
        wrong += len(left)
    lines = (
        at_least("cards right and sure", 100 * right / count, RIGHT, " %"),
        at_most("wrong and sure", 100 * wrong / count, WRONG, " %"),
        Line("of them in the zone they lie in", f"{placed} of {right}"),
        Line("misses", ", ".join(misses) or "none"),
    )
    title = f"Creatures on the simulated table ({len(truths)} pictures, {count} cards)"
    return Section(title, "companion read PHOTO... --box creatures --json", lines)


def deal(folder: Path, *, pictures: int) -> dict[str, list[Card]]:
    """Write pictures of creatures in all lights and return what lies in each."""
    folder.mkdir(parents=True)
    chance = random.Random(SEED)
    contents = loose_contents_of(GAME)
    truths = {}
    for light, told in LIGHTS.items():
        grain = Grain(PICTURE_WH, told.noise, SEED)
        for number in range(pictures):
            seat, zone = chance.choice(sorted(contents.zones.items()))
            aim = (zone.size_mm[0] / 2, zone.size_mm[1] / 2)
            lens = Lens(
                PICTURE_WH, aim, PX_PER_MM, tilt_deg=chance.uniform(2, 9), yaw_deg=chance.uniform(-6, 6)
            )
            scene = ZoneScene(contents, zone, lens, told)
            places = creature(contents, seat, chance)
            name = f"{light}-{number:02}.jpg"
            noisy = grain.over(scene.render(places), number)
            cv2.imwrite(str(folder / name), noisy, (cv2.IMWRITE_JPEG_QUALITY, 88))
            truths[name] = [_seen(scene, place, places, str(zone.id)) for place in places]
    return truths


def creature(contents: LooseContents, seat: str, chance: random.Random) -> Places:
    """Lay a body and some of its parts, one perhaps on an adaptor, some face down."""
    zone = contents.zones[seat]
    rows: Mapping[str, Any] = {kind: row for kind, (_, row) in contents.cards.items()}
    tables = {kind: table for kind, (table, _) in contents.cards.items()}
    laid = {"body": chance.choice([k for k, table in tables.items() if table == "bodies"])}
    kinds = sorted({row["kind"] for row in rows.values() if "kind" in row})
    for kind in kinds:
        if chance.random() < PART_SHARE:
            laid[kind] = chance.choice([k for k, row in rows.items() if row.get("kind") == kind])
    if chance.random() < ADAPTOR_SHARE:
        adaptors = [k for k, table in tables.items() if table == "adaptors"]
        laid[f"{ADAPTOR}{chance.choice(kinds)}"] = chance.choice(adaptors)
    return {
        f"{zone.id}/{space}": Placed(
            kind,
            space == "body" or chance.random() > DOWN_SHARE,
            (chance.gauss(0, 4), chance.gauss(0, 4)),
            chance.gauss(0, 6),
        )
        for space, kind in laid.items()
    }


def _seen(scene: ZoneScene, place: str, places: Places, zone: str) -> Card:
    corners = np.array(scene.outline_px(place, places))
    x, y = corners.mean(axis=0)
    width = float(np.linalg.norm(corners[0] - corners[1]))
    kind = places[place].kind if places[place].is_up else CARD_BACK
    return Card(str(kind), (float(x), float(y)), width, zone)


def _is_there(piece: Mapping[str, Any], card: Card) -> bool:
    return math.dist(piece["centre_px"], card.middle_px) < NEAR * card.width_px
