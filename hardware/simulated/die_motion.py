"""How a die moves: in a hand, through the air, over a table; as an IMU inside it feels that.

A small rigid body, stepped five hundred times a second: its attitude turns by its spin, forces come
from gravity, hands, knocks and friction. An IMU averages that over ten milliseconds, adds noise and an
offset, and clips. Each scene is drawn anew by its seed; what truly happened goes along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]
"""A unit quaternion that turns the die's axes into the room's."""

STEP_MS, SAMPLE_MS = 2, 10
CLIP_G, CLIP_DPS = 8.0, 2000.0
STILL: Vector = (0.0, 0.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)
LEVER_M: Vector = (0.0011, 0.0013, -0.001)  # the chip lies two millimetres off the middle of the die
TO_UP: tuple[Turn, ...] = (
    (1.0, 0.0, 0.0, 0.0),
    (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0),
    (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0),
    (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0),
    (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0),
    (0.0, 1.0, 0.0, 0.0),
)
"""Turns that lay faces 1 to 6 up; the die's own +z, +x, +y, -y, -x, -z."""


@dataclass(frozen=True, slots=True)
class Felt:
    """One sample: acceleration in g and spin in degrees a second along the die's axes."""

    at_ms: int
    force_g: Vector
    spin_dps: Vector


@dataclass(frozen=True, slots=True)
class Scene:
    """What an IMU felt, and what truly happened: the faces that were thrown."""

    kind: str
    felt: tuple[Felt, ...]
    thrown: tuple[int, ...]


@dataclass(slots=True)
class _Body:
    """A die. ``spin`` is in radians a second along its own axes."""

    chance: Random
    attitude: Turn
    spin: Vector = STILL
    forces: list[Vector] = field(default_factory=list)
    spins: list[Vector] = field(default_factory=list)

    def step(self, push_g: Vector, *, is_held_up: bool = True) -> None:
        """Pass two milliseconds. ``push_g`` is acceleration in the room's axes besides gravity's answer."""
        spin = self.spin
        rate = math.hypot(*spin)
        if rate:
            half = rate * STEP_MS / 2000
            self.attitude = _after(self.attitude, _scaled_turn(spin, math.sin(half) / rate, math.cos(half)))
        x, y, z = _rotated(_back(self.attitude), (push_g[0], push_g[1], push_g[2] + is_held_up))
        if rate:  # a die that spins flings its chip outwards
            fx, fy, fz = _cross(spin, _cross(spin, LEVER_M))
            x, y, z = x + fx / 9.81, y + fy / 9.81, z + fz / 9.81
        self.forces.append((x, y, z))
        self.spins.append(spin)

    def spin_towards(self, target: Turn, seconds: float) -> None:
        """Spin so that the attitude is another one after some time."""
        w, x, y, z = _after(_back(self.attitude), target)
        if w < 0:
            w, x, y, z = -w, -x, -y, -z
        size = math.hypot(x, y, z)
        angle = 2 * math.atan2(size, w)
        self.spin = _times((x, y, z), angle / seconds / size) if size > 1e-9 else STILL


def _after(first: Turn, then: Turn) -> Turn:
    a, b, c, d = first
    e, f, g, h = then
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def _back(turn: Turn) -> Turn:
    return (turn[0], -turn[1], -turn[2], -turn[3])


def _scaled_turn(axis: Vector, sine: float, cosine: float) -> Turn:
    return (cosine, axis[0] * sine, axis[1] * sine, axis[2] * sine)


def _about(axis: Vector, angle: float) -> Turn:
    return _scaled_turn(axis, math.sin(angle / 2), math.cos(angle / 2))


def _rotated(turn: Turn, vector: Vector) -> Vector:
    _, x, y, z = _after(_after(turn, (0.0, *vector)), _back(turn))
    return (x, y, z)


def _cross(one: Vector, other: Vector) -> Vector:
    a, b, c = one
    d, e, f = other
    return (b * f - c * e, c * d - a * f, a * e - b * d)


def _times(vector: Vector, factor: float) -> Vector:
    return (vector[0] * factor, vector[1] * factor, vector[2] * factor)


def _plus(*vectors: Vector) -> Vector:
    x, y, z = (sum(parts) for parts in zip(*vectors, strict=True))
    return (x, y, z)


def _direction(chance: Random) -> Vector:
    z, about = chance.uniform(-1, 1), chance.uniform(0, 2 * math.pi)
    flat = math.sqrt(1 - z * z)
    return (flat * math.cos(about), flat * math.sin(about), z)


def _level(chance: Random) -> Vector:
    about = chance.uniform(0, 2 * math.pi)
    return (math.cos(about), math.sin(about), 0.0)


def _lying(chance: Random, face: int, lean_deg: float = 0.0) -> Turn:
    """Return an attitude with a face up, turned any way about the vertical, leaning by an angle."""
    about = _about(UP, chance.uniform(0, 2 * math.pi))
    return _after(_about((1.0, 0.0, 0.0), math.radians(lean_deg)), _after(about, TO_UP[face - 1]))


def _steps(seconds: float) -> range:
    """Return the times of the steps of a while, in milliseconds."""
    return range(0, int(seconds * 1000), STEP_MS)


# -- what happens to a die, a piece at a time; seconds and g --------------------------------------


def _lie(body: _Body, seconds: float) -> None:
    body.spin = STILL
    for _ in _steps(seconds):
        body.step(STILL)


def _hold(body: _Body, seconds: float, *, unrest: float = 1.0) -> None:
    """Tremble and drift as in a hand that holds it, 8 to 12 Hz with slower swaying below."""
    chance = body.chance
    rate, slow = 2 * math.pi * chance.uniform(8, 12), 2 * math.pi * chance.uniform(0.5, 2.0)
    tremor = unrest * chance.uniform(0.02, 0.07)
    sway, ways = unrest * chance.uniform(0.05, 0.3), [_direction(chance) for _ in range(3)]
    wobble = math.radians(unrest * chance.uniform(20, 90))
    phase = chance.uniform(0, 6)
    for ms in _steps(seconds):
        t = ms / 1000
        fast, slowly = math.sin(rate * t), math.sin(slow * t)
        body.spin = _plus(_times(ways[2], wobble * slowly), _times(ways[0], 0.3 * wobble * fast))
        body.step(_plus(_times(ways[0], tremor * fast), _times(ways[1], sway * math.sin(slow * t + phase))))


def _shake(body: _Body, seconds: float, *, rattles: bool) -> None:
    """Shake the hand at 3 to 6 Hz; a die that rattles in it knocks against it and tumbles."""
    chance = body.chance
    rate, size = 2 * math.pi * chance.uniform(3, 6), chance.uniform(0.6, 2.0)
    way, wrist = _direction(chance), _times(_direction(chance), chance.uniform(3, 8))
    knock, end_ms, next_ms = STILL, 0, chance.randrange(120)
    for ms in _steps(seconds):
        wave = math.sin(rate * ms / 1000)
        if rattles and ms >= next_ms:
            knock, end_ms = _times(_direction(chance), chance.uniform(0.8, 4.0)), ms + chance.randrange(6, 16)
            next_ms = end_ms + chance.randrange(30, 120)
            body.spin = _times(_direction(chance), chance.uniform(3, 18))
        elif not rattles:
            body.spin = _times(wrist, wave)
        body.step(_plus(_times(way, size * wave), knock if ms < end_ms else STILL))


def _carry(body: _Body, face: int, seconds: float) -> None:
    """Bring a die over the table in a hand, a face up."""
    chance = body.chance
    target = _lying(chance, face)
    body.spin_towards(target, seconds)
    way, rate = _direction(chance), 2 * math.pi * chance.uniform(8, 12)
    size = chance.uniform(0.05, 0.3)
    for ms in _steps(seconds):
        t = ms / 1000
        body.step(_times(way, size * math.sin(math.pi * t / seconds) + 0.03 * math.sin(rate * t)))
    body.attitude = target


def _knock(body: _Body, size_g: float, way: Vector, ms: int) -> None:
    for at_ms in range(0, ms, STEP_MS):
        body.step(_times(way, size_g * math.sin(math.pi * (at_ms + STEP_MS / 2) / ms)))


def _ring(body: _Body, size_g: float, rate_hz: float, seconds: float) -> None:
    """Tremble and die away, as a table does that was hit."""
    way = _direction(body.chance)
    for ms in _steps(seconds):
        t = ms / 1000
        body.step(_times(way, size_g * math.exp(-4 * t / seconds) * math.sin(2 * math.pi * rate_hz * t)))


def _fly(body: _Body, seconds: float) -> None:
    for _ in _steps(seconds):
        body.step(STILL, is_held_up=False)


def _throw(body: _Body, face: int, *, lean_deg: float = 0.0) -> None:
    """Let go, fall, bounce, tumble over edges, rock and rest with a face up."""
    chance = body.chance
    spin_rate, height_m = chance.uniform(8, 32), chance.uniform(0.02, 0.35)
    body.spin = _times(_direction(chance), spin_rate)
    _fly(body, math.sqrt(2 * height_m / 9.81))
    speed = math.sqrt(2 * 9.81 * height_m)
    for _ in range(chance.randrange(1, 6)):
        ms = chance.randrange(4, 12)
        size_g = min(14.0, 1.05 * speed / 9.81 / (ms / 1000))
        _knock(body, size_g, _plus(UP, _times(_direction(chance), 0.3)), ms)
        speed *= chance.uniform(0.25, 0.55)
        spin_rate *= chance.uniform(0.6, 0.95)
        body.spin = _times(_direction(chance), spin_rate)
        _fly(body, min(0.2, 2 * speed / 9.81))
        if speed < 0.12:
            break
    for _ in range(chance.randrange(1, 7)):  # over its edges; each time it falls flat it knocks
        body.spin = _times(_direction(chance), chance.uniform(5, 14))
        for _ in _steps(chance.uniform(0.04, 0.11)):
            body.step(_times(_direction(chance), 0.15))
        _knock(body, chance.uniform(0.9, 3.5), UP, chance.randrange(4, 10))
    _settle(body, face, lean_deg)


def _settle(body: _Body, face: int, lean_deg: float) -> None:
    """Fall on the last face and rock out."""
    chance = body.chance
    target = _lying(chance, face, lean_deg)
    seconds = chance.uniform(0.06, 0.14)
    body.spin_towards(target, seconds)
    for _ in _steps(seconds):
        body.step(_times(_direction(chance), 0.1))
    body.attitude = target
    _knock(body, chance.uniform(0.8, 2.5), UP, chance.randrange(4, 10))
    axis = _rotated(_back(target), _level(chance))
    rate, rocks_s = 2 * math.pi * chance.uniform(8, 20), chance.uniform(0.08, 0.35)
    amount = math.radians(chance.uniform(50, 250))
    for ms in _steps(rocks_s):
        t = ms / 1000
        left = math.exp(-4 * t / rocks_s)
        body.spin = _times(axis, amount * left * math.cos(rate * t))
        body.step(_times(UP, 0.3 * left * math.sin(2 * rate * t)))
    body.attitude = target


# -- whole scenes ---------------------------------------------------------------------------------


def _start(chance: Random) -> _Body:
    body = _Body(chance, _lying(chance, chance.randint(1, 6)))
    _lie(body, chance.uniform(0.5, 1.0))
    return body


def _pick_up(body: _Body) -> None:
    _knock(body, body.chance.uniform(0.2, 0.7), _direction(body.chance), 20)
    _hold(body, body.chance.uniform(0.4, 1.2))


def _held(body: _Body, face: int) -> None:
    """Carried, turned, shaken in the fist or rattled in hollow hands, and set down."""
    chance = body.chance
    _pick_up(body)
    for _ in range(chance.randrange(1, 4)):
        deed = chance.randrange(3)
        if deed == 0:
            _hold(body, chance.uniform(0.5, 2.0), unrest=chance.uniform(1, 3))
        else:
            _shake(body, chance.uniform(0.5, 2.0), rattles=deed == 2)
    _hold(body, chance.uniform(0.25, 0.8))
    _carry(body, face, chance.uniform(0.4, 0.9))
    if chance.random() < 0.3:
        body.spin = STILL
        _fly(body, chance.uniform(0.01, 0.05))  # let go just above the table
    _knock(body, chance.uniform(0.3, 1.6), UP, chance.randrange(5, 15))


def _caught(body: _Body, face: int) -> None:
    """Thrown up and caught again, then set down."""
    chance = body.chance
    _pick_up(body)
    body.spin = _times(_direction(chance), chance.uniform(3, 20))
    _fly(body, chance.uniform(0.15, 0.5))
    _knock(body, chance.uniform(1.0, 4.0), UP, chance.randrange(15, 40))
    _hold(body, chance.uniform(0.5, 1.5), unrest=1.5)
    _carry(body, face, chance.uniform(0.4, 0.9))
    _knock(body, chance.uniform(0.3, 1.2), UP, chance.randrange(5, 15))


def _turned(body: _Body, face: int) -> None:
    """Turned over by fingers where it lies."""
    chance = body.chance
    for step in range(chance.randrange(1, 3)):
        _carry(body, face if step else chance.randint(1, 6), chance.uniform(0.2, 0.6))
        _knock(body, chance.uniform(0.3, 1.8), UP, chance.randrange(4, 12))
        _lie(body, chance.uniform(0.05, 0.5))


def _bumped(body: _Body, _face: int) -> None:
    """The table is hit, leant on, knelt against."""
    chance = body.chance
    for _ in range(chance.randrange(1, 5)):
        _ring(body, chance.uniform(0.2, 2.0), chance.uniform(12, 35), chance.uniform(0.1, 0.5))
        _lie(body, chance.uniform(0.05, 1.0))


def _slid(body: _Body, _face: int) -> None:
    """Pushed over the table, spinning about the vertical, against something in the end."""
    chance = body.chance
    for _ in range(chance.randrange(1, 4)):
        way, spin = _level(chance), chance.uniform(-3.5, 3.5)
        for _ in _steps(chance.uniform(0.08, 0.5)):
            body.spin = _rotated(_back(body.attitude), (0.0, 0.0, spin))
            body.step(_plus(_times(way, chance.uniform(0.0, 0.5)), _times(UP, chance.uniform(-0.2, 0.2))))
        body.spin = STILL
        _knock(body, chance.uniform(0.2, 2.0), way, chance.randrange(4, 12))
        _lie(body, chance.uniform(0.1, 0.6))


HANDLED: dict[str, Callable[[_Body, int], None]] = {
    "held": _held,
    "caught": _caught,
    "turned": _turned,
    "bumped": _bumped,
    "slid": _slid,
}


def handled(kind: str, seed: int | str) -> Scene:
    """Return a scene in which a die is handled and never thrown: ``kind`` of HANDLED."""
    chance = Random(f"{kind}/{seed}")
    body = _start(chance)
    HANDLED[kind](body, chance.randint(1, 6))
    _lie(body, 1.2)
    return Scene(kind, tuple(_felt(body)), ())


def thrown(seed: int | str, *, throws: int = 1, is_cocked: bool = False) -> Scene:
    """Return a scene in which a die is picked up, perhaps shaken, and thrown, so often."""
    chance = Random(f"thrown/{seed}/{throws}/{is_cocked}")
    body = _start(chance)
    faces = []
    for _ in range(throws):
        _pick_up(body)
        if chance.random() < 0.6:
            _shake(body, chance.uniform(0.3, 1.5), rattles=chance.random() < 0.6)
        faces.append(chance.randint(1, 6))
        _throw(body, faces[-1], lean_deg=chance.uniform(26, 44) if is_cocked else 0.0)
        _lie(body, chance.uniform(0.8, 1.5))
    return Scene("cocked" if is_cocked else "thrown", tuple(_felt(body)), tuple(faces))


def _felt(body: _Body) -> Iterator[Felt]:
    """Give the samples of an IMU of the usual kind: noise, an offset of the gyro, clipping."""
    chance, count = body.chance, SAMPLE_MS // STEP_MS
    offset = (chance.uniform(-2.0, 2.0), chance.uniform(-2.0, 2.0), chance.uniform(-2.0, 2.0))
    noise_g, noise_dps = chance.uniform(0.003, 0.009), chance.uniform(0.1, 0.6)
    to_dps = math.degrees(1) / count
    for start in range(0, len(body.forces) - count, count):
        force = _times(_plus(*body.forces[start : start + count]), 1 / count)
        spin = _plus(_times(_plus(*body.spins[start : start + count]), to_dps), offset)
        at_ms = start * STEP_MS
        yield Felt(at_ms, _read(chance, force, noise_g, CLIP_G), _read(chance, spin, noise_dps, CLIP_DPS))


def _read(chance: Random, true: Vector, noise: float, clip: float) -> Vector:
    x, y, z = (round(min(clip, max(-clip, each + chance.gauss(0, noise))), 4) for each in true)
    return (x, y, z)
