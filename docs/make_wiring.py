"""Draw the wiring of the build guide: `python docs/make_wiring.py` writes docs/pictures/wiring-*.svg.

Every drawing is a header, the parts beside it, and wires from pin to pin. Standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

PICTURES = Path(__file__).parent / "pictures"
INK, PAPER, BOARD, GOLD = "#2b2a33", "#fbf7ec", "#dfe9dc", "#b98a2f"
COLOURS = {"3V3": "#c2410c", "5V": "#b91c1c", "GND": "#1f2937", "data": "#1d4ed8", "clock": "#7e22ce"}
OTHERS = ("#15803d", "#0e7490", "#a16207", "#be185d")
STEP, LEFT, TOP, WIDTH = 26, 150, 70, 920
PI_PINS = (
    "3V3", "5V", "GPIO 2 SDA", "5V", "GPIO 3 SCL", "GND", "GPIO 4", "GPIO 14", "GND", "GPIO 15", "GPIO 17",
    "GPIO 18", "GPIO 27", "GND", "GPIO 22", "GPIO 23", "3V3", "GPIO 24", "GPIO 10", "GND", "GPIO 9",
    "GPIO 25", "GPIO 11", "GPIO 8", "GND", "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", "GND", "GPIO 6",
    "GPIO 12", "GPIO 13", "GND", "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", "GND", "GPIO 21",
)  # fmt: skip
"""What pins 1 to 40 of every Pi since 2014 are, odd ones on the left."""
PICO_PINS = (
    "GP0", "VBUS", "GP1", "VSYS", "GND", "GND", "GP2", "3V3_EN", "GP3", "3V3", "GP4 SDA", "ADC_REF",
    "GP5 SCL", "GP28", "GND", "AGND", "GP6", "GP27",
)  # fmt: skip
"""The upper pins of a Pico, left and right in turn; pins 1, 40, 2, 39, …"""


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from a pin of the header to a leg of a part; ``colour`` names its job."""

    pin: int
    part: str
    leg: str
    colour: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A header with its pins, two a row, and what is wired to it. Pins are counted from 1, in rows."""

    file: str
    title: str
    header: str
    pins: tuple[str, ...]
    wires: tuple[Wire, ...]
    notes: tuple[str, ...]


def _hall() -> Drawing:
    wires: list[Wire] = []
    for quarter, pin in enumerate((29, 31, 33, 35)):
        part = f"Hall switch {quarter} at {quarter * 90}°"
        wires += [Wire(pin, part, "out", str(quarter)), Wire(17, part, "3V3", "3V3")]
        wires.append(Wire(39, part, "GND", "GND"))
    notes = (
        "Switches under the base ring, clockwise; a 6 x 3 mm magnet under the disc.",
        "Types for 3.3 V with an open drain (DRV5032, AH3366); 100 nF from 3V3 to GND at each.",
        "No cable longer than 1 m. The Pi's own pull-ups are used: no resistors.",
    )
    title = "Four Hall switches on a Raspberry Pi"
    return Drawing("wiring-hall.svg", title, "Raspberry Pi", PI_PINS, tuple(wires), notes)


def _as5600() -> Drawing:
    part = "AS5600"
    wires = (
        Wire(17, part, "VCC", "3V3"), Wire(3, part, "SDA", "data"), Wire(5, part, "SCL", "clock"),
        Wire(39, part, "GND and DIR", "GND"),
    )  # fmt: skip
    notes = (
        "A 6 x 2.5 mm magnet, magnetised across, on the axis: centred within 0.25 mm, 0.5 to 3 mm away.",
        "Cable shorter than 30 cm. DIR on GND counts clockwise as seen from above.",
        "GPIO 3 is taken: give the button that switches off another pin.",
    )
    return Drawing("wiring-as5600.svg", "An AS5600 on a Raspberry Pi", "Raspberry Pi", PI_PINS, wires, notes)


def _pico(
    file: str, title: str, part: str, legs: tuple[str, str, str, str], notes: tuple[str, ...]
) -> Drawing:
    pins = dict(zip(("3V3", "GP4 SDA", "GP5 SCL", "GND"), ("3V3", "data", "clock", "GND"), strict=True))
    wires = [
        Wire(PICO_PINS.index(pin) + 1, part, leg, colour)
        for (pin, colour), leg in zip(pins.items(), legs, strict=True)
    ]
    return Drawing(file, title, "Raspberry Pi Pico, USB above", PICO_PINS, tuple(wires), notes)


def _panel() -> Drawing:
    off, lamp, ring = "Button: off, hold 2 s", "Lamp: LED and 330 Ω", "Ring: LED and 330 Ω each"
    wires = (
        Wire(11, "Button: next", "one side", "0"), Wire(9, "Button: next", "other side", "GND"),
        Wire(5, off, "one side", "1"), Wire(6, off, "other side", "GND"),
        Wire(13, lamp, "long leg", "2"), Wire(14, lamp, "short leg", "GND"),
        Wire(15, ring, "first seat", "3"), Wire(16, ring, "second", "0"), Wire(18, ring, "third", "1"),
        Wire(22, ring, "fourth", "2"), Wire(20, ring, "short legs", "GND"),
    )  # fmt: skip
    notes = (
        "A button on GPIO 3 also wakes a Pi that was switched off.",
        "The ring is optional: ring_pins = [22, 23, 24, 25], clockwise from the first seat.",
    )
    title = "Buttons and lights on a Raspberry Pi"
    return Drawing("wiring-panel.svg", title, "Raspberry Pi", PI_PINS, wires, notes)


def drawings() -> tuple[Drawing, ...]:
    """Return all drawings of the guide."""
    imu = ("VCC (3V3)", "SDA", "SCL", "GND")
    return (
        _hall(),
        _as5600(),
        _pico(
            "wiring-pico-rotor.svg", "A turning board on a Pico", "AS5600", ("VCC", "SDA", "SCL", "GND, DIR"),
            ("The Pico's USB goes to the Pi; magnet and distance as for the AS5600 on a Pi.",),
        ),
        _pico(
            "wiring-pico-die.svg", "A die on a cable", "MPU-6050 or LSM6DS3", imu,
            ("The sensor sits in the middle of the die, its axes along the edges; a soft, thin USB cable.",),
        ),
        _panel(),
    )  # fmt: skip


def drawn(drawing: Drawing) -> str:
    """Return a drawing as SVG."""
    rows = (len(drawing.pins) + 1) // 2
    parts: dict[str, list[Wire]] = {}
    for wire in drawing.wires:
        parts.setdefault(wire.part, []).append(wire)
    header_px = rows * STEP + 20
    legs_px = sum(len(wires) * 20 + 46 for wires in parts.values())
    height = TOP + max(header_px, legs_px) + 30 + 22 * len(drawing.notes)
    body = [_text(30, 38, drawing.title, 22, weight=600), *_header(drawing, header_px)]
    y = TOP
    lane = 0
    for part, wires in parts.items():
        body += _part(part, wires, y)
        for number, wire in enumerate(wires):
            body.append(_wire(wire, y + 44 + number * 20, lane))
            lane += 1
        y += len(wires) * 20 + 46
    foot = TOP + max(header_px, legs_px) + 30
    body += [_text(30, foot + 22 * number, note, 15) for number, note in enumerate(drawing.notes)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="system-ui, sans-serif" fill="{INK}"><title>{escape(drawing.title)}</title>'
        f'<rect width="{WIDTH}" height="{height}" rx="12" fill="{PAPER}"/>'
    )
    return head + "\n" + "\n".join(body) + "\n</svg>\n"


def _header(drawing: Drawing, header_px: int) -> list[str]:
    used = {wire.pin for wire in drawing.wires}
    svg = [
        f'<rect x="{LEFT - 16}" y="{TOP}" width="74" height="{header_px}" rx="6" fill="{BOARD}" '
        f'stroke="{INK}"/>',
        _text(LEFT - 16, TOP - 8, drawing.header, 14),
    ]
    for number, name in enumerate(drawing.pins, 1):
        x, y = _pin(number)
        colour = GOLD if number in used else "none"
        svg.append(f'<circle cx="{x}" cy="{y}" r="7" fill="{colour}" stroke="{INK}"/>')
        is_left = number % 2 == 1
        if number in used:
            mark = f"{name} ({number})" if drawing.pins is PI_PINS else name
            where = (LEFT - 24, y + 4) if is_left else (LEFT + 66, y - 4)
            svg.append(_text(*where, mark, 12, anchor="end" if is_left else "start"))
    return svg


def _part(name: str, wires: list[Wire], y: int) -> list[str]:
    x = 640
    svg = [
        f'<rect x="{x}" y="{y}" width="250" height="{len(wires) * 20 + 34}" rx="8" fill="#fff" '
        f'stroke="{INK}"/>',
        _text(x + 14, y + 22, name, 15, weight=600),
    ]
    svg += [_text(x + 26, y + 48 + number * 20, wire.leg, 13) for number, wire in enumerate(wires)]
    return svg


def _wire(wire: Wire, y_part: int, lane: int) -> str:
    x, y = _pin(wire.pin)
    colour = COLOURS.get(wire.colour) or OTHERS[int(wire.colour) % len(OTHERS)]
    is_left = wire.pin % 2 == 1
    bend = 330 + lane * 18
    under = y + STEP // 2 if is_left else y  # wires of the left row pass between the pins of the right one
    start = f"M{x} {y} L{x + 13} {under} H{bend}" if is_left else f"M{x} {y} H{bend}"
    return (
        f'<path d="{start} V{y_part} H640" fill="none" stroke="{colour}" stroke-width="2.5" '
        f'stroke-linejoin="round"/><circle cx="640" cy="{y_part}" r="4" fill="{colour}"/>'
    )


def _pin(number: int) -> tuple[int, int]:
    row, column = divmod(number - 1, 2)
    return LEFT + 8 + column * STEP, TOP + 20 + row * STEP


def _text(x: int, y: int, words: str, size: int, *, weight: int = 400, anchor: str = "start") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">'
        f"{escape(words)}</text>"
    )


def main() -> None:
    """Write every drawing."""
    for drawing in drawings():
        (PICTURES / drawing.file).write_text(drawn(drawing), encoding="utf-8")


if __name__ == "__main__":
    main()
