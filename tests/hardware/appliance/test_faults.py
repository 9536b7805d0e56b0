"""What goes wrong around an install is said in words, with what to do."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.appliance.durable import clear_folder, point
from hardware.appliance.faults import ApplianceFault, DiskFull, plain_words
from hardware.appliance.programs import ProgramFailed, ending_with_us, run


def test_a_disk_that_is_full_is_said_when_a_file_is_written(tmp_path: Path):
    with pytest.raises(DiskFull, match=r"is full\. Make room there"), plain_words(tmp_path):
        Path("/dev/full").write_text("x" * 10)


def test_a_disk_that_is_full_is_said_when_a_program_met_it():
    with pytest.raises(DiskFull):
        run(["sh", "-c", "echo 'OSError: [Errno 28] No space left on device' >&2; exit 1"])


def test_a_file_that_may_not_be_written_says_sudo(tmp_path: Path):
    with pytest.raises(ApplianceFault, match=r"Permission denied\. Run it with sudo"), plain_words(tmp_path):
        raise PermissionError(13, "Permission denied", str(tmp_path / "x"))


def test_a_program_that_fails_is_told_with_its_last_lines():
    with pytest.raises(ProgramFailed, match=r"`sh -c .*` failed: two three"):
        run(["sh", "-c", "echo two; echo three; exit 3"])


def test_a_program_that_is_not_there_is_told_by_its_name():
    with pytest.raises(ProgramFailed, match="no-such-program"):
        run(["no-such-program"])


def test_a_program_ends_when_the_one_that_called_it_is_killed():
    words = ending_with_us(["sleep", "1000"])
    script = f"import subprocess, sys; p = subprocess.Popen({words!r}); print(p.pid, flush=True); p.wait()"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout is not None
        called = int(caller.stdout.readline())
        opened = os.pidfd_open(called)
        # By then it has told the kernel whose end is its own: it is `sleep` only after that.
        while Path(f"/proc/{called}/comm").read_text().strip() != "sleep":
            pass
        caller.send_signal(signal.SIGKILL)
    assert select.select([opened], [], [], 60)[0], "a process is readable once it has ended"
    os.close(opened)


def test_a_link_that_is_replaced_is_never_away(tmp_path: Path):
    point(tmp_path / "current", "slot-a")
    point(tmp_path / "current", "slot-b")
    assert (tmp_path / "current").readlink() == Path("slot-b")
    assert [path.name for path in tmp_path.iterdir()] == ["current"]


def test_a_folder_that_is_a_link_is_not_followed_when_it_is_cleared(tmp_path: Path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/thing").write_text("x")
    (tmp_path / "slot-a").symlink_to("precious")
    clear_folder(tmp_path / "slot-a")
    assert (tmp_path / "precious/thing").exists()
