"""Two motion sensors over I2C: MPU-6050 and LSM6DS3 (and its kin). No imports; any Python.

Both give 100 samples a second, accelerations up to 8 g, spin up to 2000 degrees a second.
"""

MPU_ADDRESSES = (0x68, 0x69)
LSM_ADDRESSES = (0x6A, 0x6B)
LSM_NAMES = (0x69, 0x6A, 0x6B, 0x6C)


class Bus:
    """What is wanted of an I2C bus; MicroPython's ``machine.I2C`` has it."""

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return so many bytes from a register on. Raises OSError."""
        raise NotImplementedError

    def writeto_mem(self, address: int, register: int, written: bytes) -> None:
        """Write bytes to a register. Raises OSError."""
        raise NotImplementedError


def signed(high: int, low: int) -> int:
    """Return two bytes as a number from -32768 to 32767."""
    value = high << 8 | low
    return value - 65536 if value & 0x8000 else value


class Mpu6050:
    """The MPU-6050: DLPF at 44 Hz, ±8 g, ±2000 degrees a second, big-endian."""

    name = "mpu6050"

    def __init__(self, bus: Bus, address: int) -> None:
        self._bus = bus
        self._address = address
        for register, value in ((0x6B, 0x01), (0x1A, 0x03), (0x19, 9), (0x1B, 0x18), (0x1C, 0x10)):
            bus.writeto_mem(address, register, bytes((value,)))

    def read(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return acceleration in g and spin in degrees a second. Raises OSError."""
        raw = self._bus.readfrom_mem(self._address, 0x3B, 14)
        ax, ay, az = (signed(raw[at], raw[at + 1]) / 4096 for at in (0, 2, 4))
        gx, gy, gz = (signed(raw[at], raw[at + 1]) / 16.4 for at in (8, 10, 12))
        return (ax, ay, az), (gx, gy, gz)


class Lsm6ds:
    """The LSM6DS3 family: 104 Hz, ±8 g, ±2000 degrees a second, little-endian."""

    name = "lsm6ds"

    def __init__(self, bus: Bus, address: int) -> None:
        self._bus = bus
        self._address = address
        for register, value in ((0x12, 0x44), (0x10, 0x4C), (0x11, 0x4C)):
            bus.writeto_mem(address, register, bytes((value,)))

    def read(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return acceleration in g and spin in degrees a second. Raises OSError."""
        raw = self._bus.readfrom_mem(self._address, 0x22, 12)
        gx, gy, gz = (signed(raw[at + 1], raw[at]) * 0.07 for at in (0, 2, 4))
        ax, ay, az = (signed(raw[at + 1], raw[at]) * 0.000244 for at in (6, 8, 10))
        return (ax, ay, az), (gx, gy, gz)


def find_imu(bus: Bus) -> Mpu6050 | Lsm6ds | None:
    """Return the motion sensor on a bus, None if there is none."""
    for address in MPU_ADDRESSES + LSM_ADDRESSES:
        is_lsm = address in LSM_ADDRESSES
        try:
            name = bus.readfrom_mem(address, 0x0F if is_lsm else 0x75, 1)[0]
            if is_lsm and name in LSM_NAMES:
                return Lsm6ds(bus, address)
            if not is_lsm and name in (0x68, 0x70, 0x71, 0x72, 0x98):
                return Mpu6050(bus, address)
        except OSError:
            pass
    return None


class Levelled:
    """Spin without the offset that every gyro has: learnt while the die lies still."""

    def __init__(self) -> None:
        self._offset = [0.0, 0.0, 0.0]

    def spin_dps(self, spin: tuple[float, float, float], is_still: bool) -> float:
        """Return how fast the die spins, in degrees a second."""
        left = [spin[axis] - self._offset[axis] for axis in range(3)]
        if is_still:
            for axis in range(3):
                self._offset[axis] += left[axis] / 64
        return float((left[0] ** 2 + left[1] ** 2 + left[2] ** 2) ** 0.5)
