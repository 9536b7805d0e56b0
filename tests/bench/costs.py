"""What the eyes cost: time as ratios to OpenCV's default detection of markers, teaching, memory."""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.scenes import companion, copied_alone, truths_in
from tests.bench.side_by_side import photos_without_markers
from tests.bench.table import Line, Section, at_most
from tests.evenings.service import Service
from tests.evenings.stills import StillsServer
from vision.find_tags import TagPatterns, see_tags
from vision.photos import load_photo
from vision.reader import Reader

WHOLE_BY_TAGS, WHOLE_BY_PRINT = 4.0, 12.0
CHANGE, STILL = 1.0, 0.02
TEACHING_S = 20.0
SENSES_MB = 250.0
SEATS = 8  # pictures of each kind
FRAMES_A_STILL = 12


def teach(scans: Path, home: Path) -> Section:
    """Teach box A into a home folder, counting what the child did on all cores."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    companion("box", "teach", str(scans), "--name", "A", home=home)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    line = at_most(
        "72 cards, 12 tiles, 7 tokens, 7 boards, seconds of one core", took_s, TEACHING_S, " s", digits=1
    )
    return Section("Teaching", "companion box teach SCANS --name A", (line,))


def time_section(scenes: Path, work: Path, home: Path) -> Section:
    """Measure the steps on seat pictures of 1920 x 1080, with tags and without."""
    ratios: dict[str, list[float]] = defaultdict(list)
    pictures = [str(picture) for picture in _seats(scenes, work)]
    told = companion("bench", "eyes", *pictures, "--box", "A", "--rounds", "5", "--json", home=home)
    for timing in map(json.loads, told.splitlines()):
        depends = timing["step"] in ("a whole reading", "finding the boards")
        ratios[timing["step"] + (f", {timing['found_by']}" if depends else "")].append(timing["ratio"])
    lines = []
    bars = {
        "a whole reading, by tags": WHOLE_BY_TAGS,
        "a whole reading, by print": WHOLE_BY_PRINT,
        "a settled change": CHANGE,
        "a frame where nothing moved": STILL,
    }
    for step, found in sorted(ratios.items()):
        middle, told = statistics.median(found), f"{min(found):.3g} to {max(found):.3g}"
        if step in bars:
            line = at_most(f"{step}, median of {len(found)}", middle, bars[step], digits=3)
            lines.append(Line(line.what, f"{line.found} ({told})", line.bar, line.is_met))
        else:
            lines.append(Line(step, f"{middle:.3g} ({told})"))
    title = "Cost of the eyes, as ratios to detectMarkers with defaults on the same picture"
    return Section(title, "companion bench eyes PICTURE... --box A", tuple(lines))


def _seats(scenes: Path, work: Path) -> Iterator[Path]:
    """Copy seat pictures alone, as many with tags as without."""
    wanted: dict[bool, list[Path]] = {True: [], False: []}
    for truth in truths_in(scenes / "A/truth"):
        pictures = wanted[truth["fiducials_present"]]
        if truth["camera"]["name"] == "seat" and len(pictures) < SEATS:
            pictures.append(scenes / "A/frames" / Path(truth["frame"]).name)
    names = copied_alone([*wanted[True], *wanted[False]], work / "seats")
    return (work / "seats" / name for name in sorted(names))


def stray_markers(photos: Path, reader: Reader) -> Section:
    """Look for the box's markers on real photographs that show none."""
    patterns = TagPatterns.of(reader.box.tag_numbers)
    pictures = photos_without_markers(photos)
    seen = [see_tags(load_photo(picture), patterns) for picture in pictures]
    count = sum(len(tags.once) + len(tags.doubled) for tags in seen)
    line = at_most(f"markers on {len(pictures)} photographs without any", count, 0, digits=0)
    return Section("No markers where there are none", "vision.find_tags.see_tags", (line,))


def memory_section(stills: Sequence[Path], home: Path, work: Path) -> Section:
    """Run the whole service with one camera that shows stills, and measure its senses."""
    work.mkdir()
    alone = [Path(shutil.copy(still, work / f"still-{k:02}.jpg")) for k, still in enumerate(stills)]
    camera = StillsServer(alone)
    settings = work / "settings.toml"
    camera_told = f'[[cameras]]\nname = "seat"\ndriver = "mjpeg"\nurl = "{camera.url}"\n'
    settings.write_text(f'[table]\nbox = "A"\n{camera_told}', encoding="utf-8")
    service = Service(home, settings)
    try:
        senses = _begun(service)
        taken_mb = [mb for number in range(len(camera)) for mb in _shown(camera, number, senses)]
        most_mb = rss_peak_mb(senses)
    finally:
        service.stop()
        camera.close()
    lines = (
        at_most("senses process with one camera, most (PSS)", max(taken_mb), SENSES_MB, " MB", digits=0),
        Line("at the end (PSS)", f"{taken_mb[-1]:.0f} MB"),
        Line("most resident for a moment (VmHWM, with libraries that others use, too)", f"{most_mb:.0f} MB"),
    )
    return Section("Memory", "companion serve, /proc/PID/smaps_rollup", lines)


def _begun(service: Service) -> int:
    """Return the senses process as soon as there is one."""
    for _ in range(300):
        try:
            return service.senses()
        except (StopIteration, ValueError, OSError):
            time.sleep(0.1)
    raise OSError("the service started no senses")


def _shown(camera: StillsServer, number: int, senses: int) -> list[float]:
    """Return the memory after each frame of a still."""
    camera.show(number)
    taken_mb = []
    for frame in range(1, FRAMES_A_STILL + 1):
        camera.wait_for_frames(frame)
        taken_mb.append(pss_mb(senses))
    return taken_mb


def rss_peak_mb(pid: int) -> float:
    """Return the most that was ever resident."""
    return _told_mb(Path(f"/proc/{pid}/status"), "VmHWM:")


def pss_mb(pid: int) -> float:
    """Return the memory of a process, its share of what it shares with others included."""
    return _told_mb(Path(f"/proc/{pid}/smaps_rollup"), "Pss:")


def _told_mb(file: Path, key: str) -> float:
    for line in file.read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    raise OSError(f"{file} tells no {key}")
