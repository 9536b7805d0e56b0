"""Read drawn mats of Monster Graveyard through the real eyes: ``python -m tests.bench.mats [PICTURES]``.

Teaches the whole stand-in box (46 small cards, monster cards upright and turned, five mats), which takes
a minute or two, then lays random cards on random mats and holds every space against what lies there, and
what the rules make of a picture. Nothing is tuned to it. Exits 1 below the bars of the eyes.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.teach import teach_box
from companion.game import Proposal
from companion.games.monster_graveyard.components import DIE_FACES, MONSTER_SPACES, PART_SPACES
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.moves import Reanimate
from companion.games.monster_graveyard.state import Monster
from companion.ports import Frame, Recogniser
from hardware.simulated.mat_scans import write_mat_scans
from hardware.simulated.mat_scene import DICE, MatScene
from hardware.simulated.mats import MONSTER, TURNED, small_cards
from tests.companion.games.monster_graveyard.mg_tables import WENDY, acting
from vision.box import DICE_FILE
from vision.dice import DiceEyes
from vision.dice_colours import DiceSet, look_of, save_set
from vision.recogniser import open_recogniser

SURE_AT_LEAST, WRONG_AT_MOST = 0.95, 0.01
SET = ("putrefied_head", "fresh_torso", "skeletal_arm", "pirate_hook", "mermaid_tail")


def laid_by_chance(chance: random.Random) -> dict[str, str]:
    """Return cards for a mat, by space."""
    cards = [kind for kind, _ in small_cards(GAME)]
    laid = {f"part{n}": chance.choice(cards) for n in range(1, chance.randint(0, PART_SPACES) + 1)}
    laid |= {f"upgrade{n}": chance.choice(cards) for n in range(1, chance.randint(0, 3) + 1)}
    monsters = range(1, chance.randint(0, MONSTER_SPACES) + 1)
    return laid | {f"monster{n}": chance.choice((MONSTER, TURNED)) for n in monsters}


def teach_dice(box: Path) -> None:
    """Teach the three colours of dice from drawn throws, as `companion dice teach --box` does from photos."""
    eyes, looks = DiceEyes(), {}
    for number, kind in enumerate(DICE):
        thrown = {"part2": [(kind, 3)], "monster1": [(kind, 5)], "upgrade4": [(kind, 2)]}
        scenes = (MatScene(GAME, seat, seed=100 + number).show({}, thrown) for seat in GAME.seats[:3])
        seen = [die for scene in scenes for die in eyes.see(scene)]
        looks[kind] = np.array([look_of(die.view, die.lattice.corners) for die in seen])
    save_set(box / DICE_FILE, DiceSet(looks))


def dice_on_cards(eyes: Recogniser, pictures: int) -> bool:
    """Set dice on a monster: count how they are read, and what is asked where they agree and where not."""
    counts: Counter[str] = Counter()
    for number in range(pictures):
        chance = random.Random(f"dice {number}")
        terror, science, health = values = [chance.randint(1, DIE_FACES) for _ in DICE]
        scene = MatScene(GAME, WENDY, seed=500 + number)
        shown = {"monster1": list(zip(DICE, values, strict=True))}
        reading = eyes.read(Frame(scene.show({"monster1": MONSTER}, shown), number, number))
        for kind, value in shown["monster1"]:
            seen = [die for die in reading.dice if die.kind == kind and str(die.place).endswith("/monster1")]
            is_right = len(seen) == 1 and seen[0].value == value
            counts[
                "right" if is_right and seen[0].sure else "wrong" if seen and seen[0].sure else "unsure"
            ] += 1
        monster = Monster(1, terror, science, health)
        counts["agree, asked"] += bool(GAME.sighted(acting(monsters=(monster,)), reading))
        other = replace(monster, science=science % DIE_FACES + 1)
        counts["differ, asked"] += bool(GAME.sighted(acting(monsters=(other,)), reading))
    print(
        f"{3 * pictures} dice on cards:",
        ", ".join(f"{counts[how]} {how}" for how in ("right", "unsure", "wrong")),
    )
    print(f"asked about dice that differ: {counts['differ, asked']}, that agree: {counts['agree, asked']}")
    return not (counts["wrong"] or counts["agree, asked"])


def main(pictures: int) -> int:
    """Measure, print, and return the exit code."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        scans = Path(folder) / "scans"
        write_mat_scans(GAME.name, scans)
        box = teach_box(scans, "mats", Path(folder) / "boxes")
        teach_dice(box)
        eyes = open_recogniser(str(box))
    counts: Counter[str] = Counter()
    for number in range(pictures):
        chance, seat = random.Random(f"mats {number}"), GAME.seats[number % len(GAME.seats)]
        laid = laid_by_chance(chance)
        reading = eyes.read(Frame(MatScene(GAME, seat, seed=number).show(laid), number, number))
        for board in reading.boards.values():
            for space, seen in board.spaces.items():
                is_right = seen.reads == laid.get(space, "empty")
                counts["spaces"] += 1
                counts["right" if is_right and seen.sure else "wrong" if seen.sure else "unsure"] += 1
        counts["mats found"] += len(reading.boards)
        counts["took ms"] += round(reading.took_ms)
    parts = {f"part{number}": kind for number, kind in enumerate(SET, 1)}
    reading = eyes.read(Frame(MatScene(GAME, WENDY).show(parts), 0, 0))
    found = GAME.sighted(acting(), reading)
    is_proposed = (
        len(found) == 1
        and isinstance(found[0], Proposal)
        and found[0].command == GAME.codec.command_out(Reanimate(WENDY, SET))
    )
    took_ms, found_mats = counts["took ms"] / pictures, counts["mats found"]
    print(f"{pictures} pictures, {found_mats} mats found, {took_ms:.0f} ms a picture")
    print(
        f"{counts['spaces']} spaces:",
        ", ".join(f"{counts[how]} {how}" for how in ("right", "unsure", "wrong")),
    )
    print(f"five parts laid out are proposed as a monster: {'yes' if is_proposed else 'no'}")
    asked = dice_on_cards(eyes, pictures)
    share = counts["right"] / max(1, counts["spaces"])
    is_good = share >= SURE_AT_LEAST and counts["wrong"] <= WRONG_AT_MOST * counts["spaces"]
    return 0 if is_good and asked and is_proposed and counts["mats found"] == pictures else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
