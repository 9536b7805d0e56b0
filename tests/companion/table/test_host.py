"""The host: one table at a time out of one journal, whatever is plugged in, whatever came before.

The game here counts pebbles to three; it comes in by entry point, as any game does.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.game import Seat
from companion.journal import Cause, NewRecord, TableId, TableRow
from companion.plugins import PartMissing
from companion.ports import DeviceState
from companion.settings import CannotStart, Settings, parse
from companion.table.boxes import BoxUnusable
from companion.table.home_lock import HomeTaken
from companion.table.host import Host, open_host
from companion.table.sqlite_journal import open_sqlite_journal
from companion.table.views import Receipt, Submission

GAME = '''
import time
from companion.board import EMPTY
from companion.game import Box, Choice, Prompt, Sentence, Tone, View
from companion.ports import DeviceStanding, DeviceState, DieRoll


class Codec:
    def event_out(self, event):
        return "pebbles.laid", 1, {}

    def event_in(self, kind, version, body):
        if kind != "pebbles.laid":
            raise ValueError(f"nobody here knows a {kind}")
        return "laid"

    def command_out(self, command):
        return {"lay": True}

    def command_in(self, wire):
        return "lay"


class Pebbles:
    name, package, seats, box, players = "pebbles", "json", ("red",), Box((), {}), ()
    codec, stand_in = Codec(), {"print": "stand-in"}

    def initial(self, catalogue):
        if "print" not in catalogue:
            raise ValueError("it prints nothing.")
        return 0

    def decide(self, state, command):
        return ["laid"]

    def evolve(self, state, event):
        return state + 1

    def legal(self, state, seat=None):
        return ["lay"]

    def actor(self, command):
        return "red"

    def touched(self, event):
        return ("red",)

    def prompts(self, state):
        return [Prompt("red", Sentence("p.lay"), "1", Tone.ACT, (Choice(Sentence("p.lay"), {"lay": True}),))]

    def view(self, state, seat):
        return View(Sentence("p.phase"), None, (), (), is_over=state >= 3, facts={"pebbles": state})

    def told(self, state, event, seat):
        return Sentence("p.laid")

    def sighted(self, state, reading):
        return []

    def take_over(self, state, reading):
        return []

    def command_from_die(self, state, roll):
        return None

    def command_from_turn(self, state, turn):
        return None

    def position(self, state):
        return str(state)

    def from_position(self, line, catalogue):
        return int(line)


GAME = Pebbles()


class OneRollDie:
    """Says that it is there, rolls a five, and is silent."""

    def __init__(self, name, settings):
        now_ms = time.monotonic_ns() // 1_000_000
        self.name = name
        self.words = [DeviceStanding(name, "die", DeviceState.LIVE), DieRoll(name, "b", 1, 5, now_ms)]

    def read(self, *, timeout_ms):
        if self.words:
            return self.words.pop(0)
        time.sleep(timeout_ms / 1000)

    def close(self):
        pass
'''

ENTRY_POINTS = """
[companion.games]
pebbles = pebbles_game:GAME
[companion.dice]
one-roll = pebbles_game:OneRollDie
"""

PEBBLES = '[table]\ngame = "pebbles"\n'
DIE = '[[dice]]\nname = "bone"\ndriver = "one-roll"\n'
WAIT_S = 30


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    parts = tmp_path / "parts"
    dist = parts / "pebbles_game-0.1.dist-info"
    dist.mkdir(parents=True)
    (parts / "pebbles_game.py").write_text(GAME)
    (dist / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles-game\nVersion: 0.1\n")
    (dist / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(parts))
    monkeypatch.setenv("PYTHONPATH", str(parts))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def host(home: Path) -> Iterator[Host]:
    host = open_host(settings(PEBBLES))
    yield host
    host.close()


def settings(text: str) -> Settings:
    return parse(text, Path("companion.toml"), source=None)


def lay(host: Host, request: str) -> Receipt:
    cause = Cause(by="seat", for_seat=Seat("red"), client="phone", request=request)
    submission = Submission(request, cause, host.table.look(None).seq, {"lay": True})
    return host.table.submit(submission).result(timeout=WAIT_S)


def teach(home: Path, box: str, catalogue: str = '{"print": "mine"}') -> None:
    (home / "boxes" / box).mkdir(parents=True)
    (home / "boxes" / box / "catalogue.json").write_text(catalogue)


def reopened(host: Host, text: str = PEBBLES) -> Host:
    host.close()
    return open_host(settings(text))


def test_a_host_without_any_device_opens_a_table_with_the_stand_in(host: Host):
    assert (host.row.game, host.row.box, host.row.catalogue) == ("pebbles", "", {"print": "stand-in"})
    assert host.senses_pid is None
    assert host.packages == ("json", "companion")
    assert "pebbles" in host.games()


def test_after_a_restart_the_same_table_goes_on_where_it_was(host: Host):
    table = host.row.id
    assert lay(host, "a").is_done
    again = reopened(host)
    try:
        assert (again.row.id, again.table.look(None).view.facts) == (table, {"pebbles": 1})
        assert lay(again, "a").is_repeat
    finally:
        again.close()


def test_a_table_that_is_over_is_left_in_the_journal_and_a_new_one_opened(host: Host):
    table = host.row.id
    for request in "abc":
        lay(host, request)
    again = reopened(host)
    try:
        assert again.row.id != table
        assert again.table.look(None).view.facts == {"pebbles": 0}
    finally:
        again.close()


def test_a_new_table_is_said_to_those_who_follow(host: Host):
    seen: list[object] = []
    stop = host.on_table(seen.append)
    before = host.table
    table = host.new_table()
    assert host.table is table is not before
    assert seen == [table]
    stop()
    host.new_table()
    assert seen == [table]


def test_an_evening_that_is_over_is_read_once_to_be_leafed_through(host: Host):
    first = host.row.id
    lay(host, "a")
    host.new_table()
    second = host.row.id
    host.new_table()
    past = host.past(first)
    assert past is not None and past.row.id == first and past.end.seq == 1
    assert host.past(first) is past
    other = host.past(second)
    assert other is not None and other.row.id == second
    host.forget(second)
    assert host.past(second) is not other


def test_a_taught_box_brings_its_own_catalogue(host: Host, home: Path):
    teach(home, "attic")
    teach(home, ".attic-half-taught")
    assert host.boxes() == ("attic",)
    host.new_table(box="attic")
    assert (host.row.box, host.row.catalogue) == ("attic", {"print": "mine"})


def test_an_empty_table_gives_way_when_the_settings_name_another_box(host: Host, home: Path):
    teach(home, "attic")
    again = reopened(host, PEBBLES + 'box = "attic"\n')
    try:
        assert again.row.box == "attic"
    finally:
        again.close()


def test_a_table_in_play_goes_on_although_the_settings_name_another_box(host: Host, home: Path):
    teach(home, "attic")
    lay(host, "a")
    again = reopened(host, PEBBLES + 'box = "attic"\n')
    try:
        assert (again.row.box, again.table.look(None).view.facts) == ("", {"pebbles": 1})
    finally:
        again.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            PEBBLES + 'box = "atic"\n',
            "There is no taught box 'atic'. Did you mean attic? "
            "Teach it with `companion box teach FOLDER --name atic`.",
        ),
        (PEBBLES + 'box = "zzz"\n', "There is no taught box 'zzz'. Taught: attic, broken, other, rune."),
        (PEBBLES + 'box = "broken"\n', "cannot be read: Expecting"),
        (PEBBLES + 'box = "rune"\n', "cannot be read: it is no JSON object."),
        (PEBBLES + 'box = "other"\n', "The box other does not fit the game pebbles: it prints nothing."),
    ],
    ids=["near", "far", "half-written", "no-object", "of-another-game"],
)
def test_a_box_that_cannot_be_used_is_said_in_one_sentence(home: Path, text: str, said: str):
    teach(home, "attic")
    teach(home, "broken", '{"print": ')
    teach(home, "rune", "[1]")
    teach(home, "other", "{}")
    with pytest.raises(BoxUnusable) as caught:
        open_host(settings(text))
    assert said in str(caught.value)
    open_host(settings(PEBBLES)).close()  # nothing is left locked or half open


def test_an_unknown_game_offers_the_near_match(home: Path):
    with pytest.raises(PartMissing, match=r"There is no game 'peebles'\. Did you mean pebbles\?"):
        open_host(settings(PEBBLES.replace("pebbles", "peebles")))


def test_a_box_that_fails_leaves_the_table_as_it_is(host: Host):
    before = host.table
    with pytest.raises(BoxUnusable):
        host.new_table(box="nowhere")
    assert host.table is before
    assert lay(host, "a").is_done


def test_a_table_written_by_a_newer_version_is_said_and_left_as_it_is(host: Host, home: Path):
    host.close()
    with closing(open_sqlite_journal(home / "journal.sqlite")) as journal:
        thrown = NewRecord("2030-01-01T00:00:00+00:00", "pebbles.thrown", 9, {}, Cause(by="host"))
        journal.append(host.row.id, 0, [thrown])
    with pytest.raises(CannotStart, match=r"able table-1 cannot be read.*pebbles\.thrown"):
        open_host(settings(PEBBLES))


def test_a_table_of_a_game_that_is_gone_stays_in_the_journal_and_another_is_opened(host: Host, home: Path):
    host.close()
    with closing(open_sqlite_journal(home / "journal.sqlite")) as journal:
        gone = TableRow(TableId("marbles-1"), "marbles", "", {}, "2030-01-01T00:00:00+00:00")
        journal.open_table(gone)
        lost = NewRecord("2030-01-01T00:00:00+00:00", "marbles.lost", 1, {}, Cause(by="host"))
        journal.append(gone.id, 0, [lost])
    with closing(open_host(settings(PEBBLES))) as again:
        assert again.row.game == "pebbles"
    with pytest.raises(PartMissing, match="There is no game 'marbles'"):
        open_host(settings(PEBBLES.replace("pebbles", "marbles")))


def test_an_evening_goes_on_after_a_safe_start_that_had_to_open_another_table(host: Host, home: Path):
    lay(host, "a")
    evening = host.row.id
    host.close()
    with closing(open_sqlite_journal(home / "journal.sqlite")) as journal:
        other = TableRow(TableId("safe-2"), "pebbles", "", {"print": "stand-in"}, "2030-01-01T00:00:00+00:00")
        journal.open_table(other)
        laid = NewRecord("2030-01-01T00:00:00+00:00", "pebbles.laid", 1, {}, Cause(by="host"))
        journal.append(other.id, 0, [laid])
    with closing(open_host(settings(PEBBLES))) as again:
        assert again.row.id == evening


def test_a_second_service_with_the_same_home_is_told_so(host: Host, home: Path):
    script = (
        "from pathlib import Path\n"
        "from companion.settings import CannotStart, parse\n"
        "from companion.table.host import open_host\n"
        "try:\n"
        f"    open_host(parse({PEBBLES!r}, Path('x'), source=None), lock_wait_s=0.1)\n"
        "except CannotStart as error:\n"
        "    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"The companion runs already with the folder {home} (process ")
    assert said.endswith("Stop it first, or set COMPANION_HOME to another folder.\n")


def test_the_home_is_free_again_after_closing(host: Host):
    with pytest.raises(HomeTaken):
        open_host(settings(PEBBLES), lock_wait_s=0.1)
    reopened(host).close()


def test_a_journal_that_is_no_journal_is_said(home: Path):
    (home / "journal.sqlite").write_bytes(b"not a database, not at all" * 100)
    with pytest.raises(CannotStart, match="journal"):
        open_host(settings(PEBBLES))


def test_a_die_that_nobody_asked_is_shown_and_stands_at_the_next_table_too(home: Path):
    host = open_host(settings(PEBBLES + DIE))
    changes: queue.Queue[None] = queue.Queue()
    try:
        host.table.on_change(lambda: changes.put(None))
        until = time.monotonic() + WAIT_S
        while host.table.look(None).last_roll is None:
            changes.get(timeout=max(0.01, until - time.monotonic()))
        roll = host.table.look(None).last_roll
        assert roll is not None and roll.face == 5
        table = host.new_table()
        host.has_answered()
        standing = {one.device: one.state for one in table.look(None).devices}
        assert standing["bone"] == DeviceState.LIVE
        assert standing["senses"] == DeviceState.LIVE
    finally:
        host.close()


def test_other_devices_are_taken_up_in_the_middle_of_a_table(home: Path):
    changes: queue.Queue[None] = queue.Queue()
    with closing(open_host(settings(PEBBLES + DIE))) as host:
        table = host.table
        table.on_change(lambda: changes.put(None))

        def wait_for_devices(*names: str) -> None:
            until = time.monotonic() + WAIT_S
            while {one.device for one in table.look(None).devices if one.kind == "die"} != {*names}:
                changes.get(timeout=max(0.01, until - time.monotonic()))

        wait_for_devices("bone")
        host.use(settings(PEBBLES))
        wait_for_devices()
        assert (host.table, host.senses_pid) == (table, None)
        host.use(settings(PEBBLES + DIE))
        wait_for_devices("bone")


def test_a_table_that_answers_has_answered(host: Host):
    assert host.has_answered()


def test_catalogues_are_stored_with_the_table(host: Host, home: Path):
    teach(home, "attic")
    host.new_table(box="attic")
    (home / "boxes/attic/catalogue.json").write_text(json.dumps({"print": "changed"}))
    lay(host, "a")
    again = reopened(host)
    try:
        assert again.row.catalogue == {"print": "mine"}
    finally:
        again.close()
