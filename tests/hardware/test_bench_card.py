"""What an evening writes to the card is added up over every process of the service, also those that ended."""

from __future__ import annotations

from pathlib import Path

from hardware.bench_card import CardCounter, Written, in_words


def process(proc: Path, pid: int, written: int, *children: int) -> None:
    """Let a process stand in a folder made like /proc."""
    task = proc / str(pid) / "task" / str(pid)
    task.mkdir(parents=True, exist_ok=True)
    (task / "children").write_text("".join(f"{child} " for child in children))
    (proc / str(pid) / "io").write_text(f"wchar: 999999\nwrite_bytes: {written}\ncancelled_write_bytes: 0\n")


def test_children_and_their_children_count_and_who_ended_is_not_forgotten(tmp_path: Path):
    process(tmp_path, 1, 4096, 2)
    process(tmp_path, 2, 1000, 3)
    process(tmp_path, 3, 50)
    counter = CardCounter(1, tmp_path)
    assert counter.bytes() == 5146
    process(tmp_path, 1, 4096, 2)
    process(tmp_path, 2, 3000)  # its child ended
    assert counter.bytes() == 4096 + 3000 + 50


def test_an_hour_is_a_whole_game_and_all_that_goes_on_besides():
    written = Written(seats=4, entries=300, start_mb=0.5, game_mb=3.0, idle_mb_per_hour=0.25)
    assert written.mb_per_hour == 3.25 and written.holds
    assert "an hour with a whole game         3.25 MB" in in_words(written)
    assert not Written(4, 300, 0.5, 4.9, 0.4).holds
    assert not Written(4, 300, 0.5, 1.0, 0.6).holds
