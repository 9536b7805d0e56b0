"""Opening the table at any rate: what counts as a broken start, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal import JournalUnusable
from companion.plugins import ONLY_BUILT_IN
from companion.settings import CannotStart
from companion.table.safe_mode import open_at_any_rate
from companion.table.starts import BROKEN_UNTIL_SAFE, Starts


def test_while_no_table_can_be_opened_no_start_counts_as_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Else a table that was mended would come back without its cameras and its die."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv(ONLY_BUILT_IN, "")
    (tmp_path / "companion.toml").write_text(f'[journal]\npath = "{tmp_path}"\n')
    for _ in range(BROKEN_UNTIL_SAFE + 1):
        with pytest.raises((JournalUnusable, CannotStart)):
            open_at_any_rate(None, begin_again=lambda: None)
    (tmp_path / "companion.toml").unlink()
    assert Starts(tmp_path).marks().broken == 0
    host = open_at_any_rate(None, begin_again=lambda: None)
    assert not host.start.is_safe
    host.close()
