"""The bench measures every step, whatever the machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from vision.bench import bench

pytestmark = pytest.mark.eyes
FRAME = Path(__file__).parents[2] / "../shared/scenes/A/frames/A_008.jpg"


def test_every_step_is_measured(home: Path) -> None:
    words = [str(FRAME), "--box", str(home / "boxes/A"), "--rounds", "1", "--json"]
    rows = [json.loads(line) for line in CliRunner().invoke(bench, words).stdout.splitlines()]
    steps = [row["step"] for row in rows]
    assert steps[:2] == ["decoding", "tags with defaults"]
    assert {"a whole reading", "a settled change", "a frame where nothing moved"} <= set(steps)
    assert all(row["took_ms"] > 0 and row["ratio"] > 0 for row in rows)


def test_a_photo_that_is_none_cannot_be_measured(home: Path, tmp_path: Path) -> None:
    (tmp_path / "no.jpg").write_text("no picture")
    done = CliRunner().invoke(bench, [str(tmp_path / "no.jpg"), "--box", str(home / "boxes/A")])
    assert done.exit_code == 1
    assert "is no picture" in done.stderr
