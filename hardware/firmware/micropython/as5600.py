"""The angle sensor AS5600 over I2C: where the magnet on the axis points. No imports; any Python.

Never writes to the chip: what is burnt into it stays there.
"""

ADDRESS = 0x36
STATUS, RAW_ANGLE, GAIN = 0x0B, 0x0C, 0x1A
WEAK, STRONG, DETECTED = 0x10, 0x08, 0x20
STEPS = 4096
APART_STEPS = 23  # two degrees; a board cannot turn further between two readings
TRIES = 4
MAGNET_WEAK, MAGNET_GOOD, MAGNET_STRONG = 0, 1, 2


class Bus:
    """What is wanted of an I2C bus; MicroPython's ``machine.I2C`` has it."""

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return so many bytes from a register on. Raises OSError."""
        raise NotImplementedError


def read_magnet(bus: Bus) -> int:
    """Return 0 for no magnet or a weak one, 1 for a good one, 2 for one too strong. Raises OSError."""
    status = bus.readfrom_mem(ADDRESS, STATUS, 1)[0]
    if status & STRONG:
        return MAGNET_STRONG
    return MAGNET_GOOD if status & DETECTED and not status & WEAK else MAGNET_WEAK


def read_gain(bus: Bus) -> int:
    """Return how hard the chip listens: at 3.3 V 0 to 128, best 40 to 90. Raises OSError."""
    return int(bus.readfrom_mem(ADDRESS, GAIN, 1)[0])


def read_tenths(bus: Bus) -> int | None:
    """Return the angle in tenths of a degree, 0 to 3599; None if no two readings agree. Raises OSError.

    The chip answers a single zero now and then, whatever the angle is; so nothing is believed once.
    """
    before = -1
    for _ in range(TRIES):
        high, low = bus.readfrom_mem(ADDRESS, RAW_ANGLE, 2)
        raw = (high << 8 | low) & 0xFFFF
        if raw < STEPS:
            apart = abs(raw - before)
            if before >= 0 and min(apart, STEPS - apart) <= APART_STEPS:
                return raw * 3600 // STEPS
            before = raw
    return None
