"""A button does what the host's loudest key does; the lamp tells how the table is."""

from __future__ import annotations

import socket
import sys
import threading
from pathlib import Path

from companion.ports import ButtonPress, DeviceStanding, DeviceState, Lamp, PanelLight, Press
from companion.table.panel import Panels, light_of, next_choice, switch_off
from tests.lantern.evening import BLUE, PATIENCE_S, RED, Evening


def press(what: Press, at_ms: int = 5) -> ButtonPress:
    return ButtonPress("buttons", what, at_ms)


def panels(evening: Evening, *off: str) -> tuple[Panels, list[PanelLight]]:
    shown: list[PanelLight] = []
    made = Panels(shown.append, off)
    made.follow(evening.table, (RED, BLUE))
    return made, shown


def test_next_is_the_one_thing_that_the_whole_table_may_do(mill: Evening) -> None:
    made, _ = panels(mill)
    made.pressed(press(Press.NEXT))
    mill.table.preview_strike(()).result(PATIENCE_S)  # all that was asked before is done
    assert mill.look().view.phase.key == "lantern.phase.walk"
    assert mill.journal.read(mill.look().table)[-1].cause.client == "panel:buttons"
    assert next_choice(mill.look()) is None  # now a seat is asked, and no button answers for it
    made.pressed(press(Press.NEXT, at_ms=900))
    mill.table.preview_strike(()).result(PATIENCE_S)
    assert mill.look().view.phase.key == "lantern.phase.walk"


def test_the_ring_follows_whose_turn_it_is_and_the_lamp_asks_to_look_at_a_phone(mill: Evening) -> None:
    _, shown = panels(mill)
    waited_for = tuple(one.is_waited_for for one in mill.look().view.seats)
    assert light_of(mill.look(), (RED, BLUE)) == PanelLight(Lamp.CALM, waited_for)
    mill.table.stood(DeviceStanding("bone", "die", DeviceState.LOST)).result(PATIENCE_S)
    mill.table.preview_strike(()).result(PATIENCE_S)
    assert shown[-1].lamp is Lamp.TROUBLE


def test_switching_off_runs_the_program_of_the_settings_and_says_why_it_cannot() -> None:
    assert switch_off((sys.executable, "-c", "")) == ""
    assert "not set" in switch_off(())
    assert "cannot be run" in switch_off(("/no/such/program",))
    refused = switch_off((sys.executable, "-c", "import sys; sys.exit('Access denied.')"))
    assert refused == "This computer could not be switched off: Access denied. Shut it down by hand."


def test_a_held_button_flickers_the_lamp_and_a_refusal_is_told_on_the_host_page(mill: Evening) -> None:
    made, shown = panels(mill, sys.executable, "-c", "import sys; sys.exit('no')")
    told = []
    mill.table.on_change(lambda: told.append(mill.table.look(None).devices))
    made.pressed(press(Press.SWITCH_OFF))
    while not told:
        mill.table.preview_strike(()).result(PATIENCE_S)
    assert Lamp.LEAVING in [light.lamp for light in shown]
    (standing,) = told[-1]
    assert (standing.kind, standing.state) == ("panel", DeviceState.FAULT)


def test_where_there_is_a_caretaker_it_is_asked(tmp_path: Path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door"))
        listener.listen()
        heard = []

        def care() -> None:
            for answer in (b"done\n", b"refused: not tonight\n"):
                caller, _ = listener.accept()
                with caller:
                    heard.append(caller.recv(99))
                    caller.sendall(answer)

        caring = threading.Thread(target=care)
        caring.start()
        assert switch_off(("systemctl", "poweroff"), door=tmp_path / "door") == ""
        assert "not tonight" in switch_off(("systemctl", "poweroff"), door=tmp_path / "door")
        caring.join()
        assert heard == [b"power-off\n"] * 2
        assert switch_off((sys.executable, "-c", ""), door=tmp_path / "door") == ""
