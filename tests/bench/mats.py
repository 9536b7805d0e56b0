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
from pathlib import Path

import cv2

from calibration.teach import teach_box
from companion.game import Proposal
from companion.games.monster_graveyard.components import MONSTER_SPACES, PART_SPACES
from companion.games.monster_graveyard.game import GAME
from companion.games.monster_graveyard.moves import Reanimate
from companion.ports import Frame
from hardware.simulated.mat_scene import MatScene
from hardware.simulated.mats import MONSTER, TURNED, small_cards, write_mat_scans
from tests.companion.games.monster_graveyard.mg_tables import WENDY, acting
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


def main(pictures: int) -> int:
    """Measure, print, and return the exit code."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        scans = Path(folder) / "scans"
        write_mat_scans(GAME.name, scans)
        eyes = open_recogniser(str(teach_box(scans, "mats", Path(folder) / "boxes")))
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
    share = counts["right"] / max(1, counts["spaces"])
    is_good = share >= SURE_AT_LEAST and counts["wrong"] <= WRONG_AT_MOST * counts["spaces"]
    return 0 if is_good and is_proposed and counts["mats found"] == pictures else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
