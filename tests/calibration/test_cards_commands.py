"""``companion box cards``: out as CSV, corrected, back; and CSV beside the scans while teaching."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from calibration.teach import teach_box
from companion.cli import main
from companion.games.making_monsters.game import GAME
from companion.table.boxes import catalogue_of, new_box

SCANS = Path(__file__).parents[2] / "../shared/scenes/A/reference"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    new_box("mine", GAME.stand_in)
    return tmp_path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["box", "cards", *map(str, words)])


def test_every_table_goes_out_and_comes_back_unchanged(home: Path):
    before = catalogue_of("mine")
    for sheet in GAME.box.sheets:
        file = home / f"{sheet.name}.csv"
        assert run("export", "mine", file, "--table", sheet.name).exit_code == 0
        done = run("import", "mine", file, "--json")
        told = json.loads(done.stdout)
        assert (told["table"], told["changed"]) == (sheet.name, 0)
    after = catalogue_of("mine")
    assert {key: after[key] for key in before} == before


def test_a_corrected_file_changes_the_box_and_a_trial_does_not(home: Path):
    text = run("export", "mine").stdout.replace("Mossy Pharaoh,5", "Mossy Pharaoh,11")
    file = home / "cards.csv"
    file.write_text(text)
    trial = run("import", "mine", file, "--dry-run")
    assert "1 would change; nothing was written" in trial.stdout
    assert catalogue_of("mine")["cards"]["card_00"]["prestige"] == 5
    assert "1 changed" in run("import", "mine", file).stdout
    assert catalogue_of("mine")["cards"]["card_00"]["prestige"] == 11
    assert catalogue_of("mine")["cards"]["card_00"]["part_slots"], "what is no column stays"


def test_a_bad_row_is_said_with_line_and_column_and_nothing_is_imported(home: Path):
    text = run("export", "mine").stdout.replace("Mossy Pharaoh,5", "Mossy Pharaoh,sx")
    file = home / "cards.csv"
    file.write_text(text.replace("Sulking Brewer,8", "Sulking Brewer,9"))
    done = run("import", "mine", file)
    assert done.exit_code == 1
    assert "Line 2, prestige: 'sx' is no number; allowed is 0 to 30." in done.stderr
    assert "Nothing was changed." in done.stderr
    assert catalogue_of("mine") == {**GAME.stand_in, "name": "mine"}


def test_the_stand_in_is_exported_and_never_changed(home: Path):
    assert run("export", "stand-in").stdout.startswith("card,name,prestige,parts,action")
    file = home / "cards.csv"
    assert "--new" in run("export", "stand-in", file).stderr
    assert "stays as it is" in run("import", "stand-in", file).stderr


def test_a_box_without_scans_is_made_from_a_file(home: Path):
    file = home / "cards.csv"
    rows = "owl,Night Owl,4,limb goop,\nyeti,Cellar Yeti,,spike,\n"
    rows += "printed_1,Practice,1,limb,\nprinted_2,More,2,goop,\n"
    file.write_text(f"card,name,prestige,parts,action\n{rows}")
    done = run("import", "ours", file, "--new")
    assert done.exit_code == 0, done.output
    assert "1 rows are not complete" in done.stderr
    assert set(catalogue_of("ours")["cards"]) == {"owl", "yeti", "printed_1", "printed_2"}
    assert run("import", "ours", file, "--new").exit_code == 1


def test_a_file_that_leaves_a_printed_monster_out_is_refused(home: Path):
    file = home / "cards.csv"
    file.write_text("card,name,prestige,parts,action\nowl,Night Owl,4,limb goop,\n")
    done = run("import", "ours", file, "--new")
    assert done.exit_code == 1
    assert "printed_1" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("export", "nine"), 1, "Did you mean mine?"),
        (("export", "mine", "--table", "card"), 2, "there are cards, printed"),
        (("export", "mine", "/nowhere/x.csv"), 1, "cannot be written"),
    ],
)
def test_what_is_misused_is_said(words: tuple[str, ...], code: int, said: str):
    done = run(*words)
    assert (done.exit_code, said in done.stderr) == (code, True), done.stderr


def test_a_file_beside_the_scans_completes_what_is_taught(home: Path):
    layout = json.loads((SCANS / "layout.json").read_text())
    seen = []

    def complete(catalogue: dict[str, object]) -> dict[str, object]:
        seen.append(catalogue)
        raise KeyError("stop here: what follows is the eyes' own")

    with pytest.raises(KeyError):
        teach_box(SCANS, "A", home / "boxes", complete=complete)
    assert seen[0]["cards"]["card_00"]["part_spaces"] == len(layout["cards"]["card_00"]["part_slots"])  # type: ignore[index]
    assert not (home / "boxes/A").exists()


def test_a_bad_file_beside_the_scans_stops_the_teaching_at_once(home: Path):
    scans = home / "scans"
    scans.mkdir()
    for name in ("layout.json", "index.json"):
        (scans / name).write_bytes((SCANS / name).read_bytes())
    (scans / "cards.csv").write_text("card,name,prestige,parts,action\ncard_00,Grim Golem,many,spike goop,\n")
    done = CliRunner().invoke(main, ["box", "teach", str(scans), "--name", "A"])
    assert done.exit_code == 1
    assert "Line 2, prestige: 'many' is no number" in done.stderr
