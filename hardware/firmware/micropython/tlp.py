"""TLP/1 on a board: lines out, the host's orders in, and when to say what.

Runs on MicroPython and on CPython, so that the tests run what the board runs. No imports at all.
A board gives ``Voice`` the time and the bytes that came, and writes what ``due`` returns, without ever
waiting: a host that does not read loses lines, and the next heartbeat tells all again.
"""

FIRMWARE = "1.1.0"
VERSION = 1
LINE_MAX_BYTES = 120
HEARTBEAT_MS = 1000
HELLO_MS = 10000
QUIET_MS = 2000
REPEATS_MS = (0, 250, 1000)
MOVING_MS = 100  # at most ten statuses a second


def crc16(body: bytes) -> int:
    """Return CRC-16/CCITT-FALSE of bytes; of ``123456789`` it is 0x29B1."""
    crc = 0xFFFF
    for byte in body:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        crc &= 0xFFFF
    return crc


def framed(body: str) -> bytes:
    """Return a body as a line."""
    raw = body.encode()
    return b"$" + raw + b"*%04X\n" % crc16(raw)


def order_in(raw: bytes, name: str) -> tuple[str, int, list[str], bool] | None:
    """Return verb, number and fields of a host's line, and whether it is for this device alone.

    None for everything else: modem commands, boot texts, damaged lines, lines for others.
    """
    start = raw.rfind(b"$")
    text = raw[start + 1 :].rstrip(b"\r\n")
    if start < 0 or len(text) + 2 > LINE_MAX_BYTES or text[-5:-4] != b"*":
        return None
    if text[-4:] != b"%04X" % crc16(text[:-5]):
        return None
    try:
        fields = text[:-5].decode().split(",")
        if len(fields) < 6 or int(fields[0]) != VERSION or fields[1] not in ("*", name):
            return None
        return fields[5], int(fields[3]), fields[6:], fields[1] == name
    except ValueError:
        return None


class Device:
    """What ``Voice`` asks of a die or a rotor. ``positions`` are its faces or quarters."""

    kind = ""
    positions = 0
    answer = ""  # what the last ``set`` came to, in a word or two

    def status(self) -> list[object]:
        """Return the fields of the ST line."""
        raise NotImplementedError

    def set(self, key: str, value: str) -> bool:
        """Set what the host wishes, such as ``settle``; False if that cannot be."""
        return False

    def zero(self) -> bool:
        """Call the present position zero; False if this device has none."""
        return False


class Voice:
    """What a device says; ``boot`` is a number from 1 to 65535, another one at each start.

    Times are milliseconds since the boot, ever growing.
    """

    def __init__(self, name: str, hardware: str, boot: int, device: Device) -> None:
        self.name = name
        self.hardware = hardware
        self.boot = f"{boot:04X}"
        self.label = ""
        self.device = device
        self.heartbeat_ms = HEARTBEAT_MS
        self._seq = 0
        self._waiting: list[tuple[int, str, list[str]]] = [(0, "HELLO", [])]
        self._beat_ms = 0
        self._hello_ms = HELLO_MS
        self._spoke_ms = -QUIET_MS
        self._is_heard = False
        self._half = b""
        self.wants_update = False

    def say(self, now_ms: int, kind: str, fields: tuple[object, ...] | list[object] = ()) -> None:
        """Say a line as soon as possible."""
        self._waiting.append((now_ms, kind, [str(field) for field in fields]))

    def say_thrice(self, now_ms: int, kind: str, fields: tuple[object, ...] | list[object]) -> None:
        """Say a result three times, so that one lost line loses nothing."""
        for after_ms in REPEATS_MS:
            self._waiting.append((now_ms + after_ms, kind, [str(field) for field in fields]))

    def say_status(self, now_ms: int) -> None:
        """Say how the device is, now."""
        self._beat_ms = now_ms

    def hear(self, received: bytes, now_ms: int) -> None:
        """Take in what came from the host, however it was cut."""
        lines = (self._half + received).split(b"\n")
        self._half = lines.pop()[-LINE_MAX_BYTES:]
        for line in lines:
            order = order_in(line, self.name)
            if order is not None:
                self._obey(order, now_ms)

    def due(self, now_ms: int) -> bytes:
        """Return what is to be said now, empty if nothing."""
        if now_ms >= self._beat_ms:
            self._beat_ms = now_ms + self.heartbeat_ms
            self._waiting.append((now_ms, "ST", []))
        if not self._is_heard and now_ms >= self._hello_ms:
            self._hello_ms = now_ms + HELLO_MS
            self._waiting.append((now_ms, "HELLO", []))
        ready = [one for one in self._waiting if one[0] <= now_ms]
        if not ready:
            return b""
        self._waiting = [one for one in self._waiting if one[0] > now_ms]
        said = b"\n" if now_ms - self._spoke_ms >= QUIET_MS else b""
        self._spoke_ms = now_ms
        for _, kind, fields in ready:
            said += self._line(kind, fields, now_ms)
        return said

    def _line(self, kind: str, fields: list[str], now_ms: int) -> bytes:
        if kind == "ST":
            fields = [str(field) for field in self.device.status()]
        elif kind == "HELLO":
            fields = self._hello()
        head = [str(VERSION), self.name, self.boot, str(self._seq), str(now_ms % (1 << 32)), kind]
        self._seq = (self._seq + 1) % 65536
        return framed(",".join(head + fields))

    def _hello(self) -> list[str]:
        places = "faces" if self.device.kind == "die" else "pos"
        said = [f"kind={self.device.kind}", f"fw={FIRMWARE}", f"hw={self.hardware}", f"proto={VERSION}"]
        said += [f"{places}={self.device.positions}", f"hb={self.heartbeat_ms}"]
        return said + [f"name={self.label}"] if self.label else said

    def _obey(self, order: tuple[str, int, list[str], bool], now_ms: int) -> None:
        verb, number, fields, is_ours = order
        self._is_heard = True
        is_done = True
        self.device.answer = ""
        positions = self.device.positions
        if verb == "WHO":
            self.say(now_ms, "HELLO")
        elif verb == "STATE":
            self.say(now_ms, "ST")
        elif verb == "CFG":
            is_done = self._configure(fields)
        elif verb == "ZERO":
            is_done = self.device.zero()
        elif verb == "LED":
            is_done = self.device.set("led", ",".join(fields))
        elif verb != "PING":
            is_done = False
        if is_ours:
            said: list[object] = [number, "OK" if is_done else "ERR"]
            self.say(now_ms, "ACK", said + [self.device.answer] if self.device.answer else said)
        if self.device.positions != positions:
            self.say(now_ms, "HELLO")
        if self.wants_update:
            self.say(now_ms, "BYE", ["update"])

    def _configure(self, fields: list[str]) -> bool:
        """Set all or nothing of what is known; keys of later versions are passed over."""
        known = []
        for field in fields:
            key, _, value = field.partition("=")
            if key == "hb":
                if not (value.isdigit() and 50 <= int(value) <= 60000):
                    return False
                known.append((key, value))
            elif key == "name":
                known.append((key, value[:16]))
            elif key in ("settle", "sign", "update", "faces", "face", "cocked"):
                known.append((key, value))
        for key, value in known:
            if key == "hb":
                self.heartbeat_ms = int(value)
            elif key == "name":
                self.label = value
            elif key == "update":
                self.wants_update = value == "1"
            elif not self.device.set(key, value):
                return False
        return True
