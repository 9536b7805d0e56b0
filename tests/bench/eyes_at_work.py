"""Eyes at full work: a process that reads picture after picture, as the senses do when the table never rests.

``python -m tests.bench.eyes_at_work BOX PICTURE...`` reads until it is stopped, with the threads and the
manners of the senses.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from companion.settings import load
from companion.table.senses import GIVE_BACK, THREAD_LIMITS
from companion.table.senses_process import make_way
from tests.bench.scenes import companion, copied_alone
from vision.box import load_box
from vision.photos import load_photo
from vision.reader import Reader

PICTURES = 6


@contextmanager
def eyes_at_work(shared: Path) -> Iterator[None]:
    """Teach a box, then let a process read its pictures until the block ends."""
    scenes = shared / "scenes"
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home = Path(folder) / "home"
        companion("box", "teach", str(scenes / "A/reference"), "--name", "A", home=home)
        frames = sorted((scenes / "A/frames").iterdir())[:PICTURES]
        alone = Path(folder) / "alone"
        pictures = [str(alone / name) for name in copied_alone(frames, alone)]
        command = [sys.executable, "-m", "tests.bench.eyes_at_work", str(home / "boxes/A"), *pictures]
        limits = dict.fromkeys(THREAD_LIMITS, str(load().senses.threads))
        environment = {**GIVE_BACK, **os.environ, **limits}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield
        finally:
            process.kill()
            process.wait()


def main(box: Path, pictures: list[Path]) -> None:
    """Read without end; say once that the first picture was read."""
    make_way()
    reader = Reader(load_box(box))
    for number, picture in enumerate(cycle(pictures)):
        pixels = load_photo(picture)
        for pose in reader.find(pixels):
            reader.examine(pixels, pose)
        if number == 0:
            sys.stdout.write("reading\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
