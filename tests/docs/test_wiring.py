"""The drawings of the build guide are what the script draws, and what the drivers use."""

from docs.make_wiring import PI_PINS, PICTURES, drawings, drawn
from hardware.panels import gpio_panel
from hardware.turntables import hall_switches


def test_every_drawing_is_the_script_s():
    for drawing in drawings():
        text = (PICTURES / drawing.file).read_text(encoding="utf-8")
        assert text == drawn(drawing), "run: python docs/make_wiring.py"


def wired(file: str) -> list[str]:
    """Return the GPIO pins of a drawing that are neither power nor ground, in the order of its parts."""
    (drawing,) = (one for one in drawings() if one.file == file)
    return [PI_PINS[wire.pin - 1] for wire in drawing.wires if wire.colour not in ("3V3", "GND")]


def test_the_drawn_pins_are_those_that_the_drivers_take_if_nothing_is_said():
    defaults = {option.name: option.default for option in (*hall_switches.OPTIONS, *gpio_panel.OPTIONS)}
    assert wired("wiring-hall.svg") == [f"GPIO {pin}" for pin in defaults["pins"]]
    panel = [defaults[name] for name in ("next_pin", "off_pin", "lamp_pin")]
    assert [name.split()[1] for name in wired("wiring-panel.svg")[:3]] == [str(pin) for pin in panel]
