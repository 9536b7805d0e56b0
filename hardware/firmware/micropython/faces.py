"""Which face of a die lies up, and which way each looks; learnt by laying one face up after the other.

Runs on MicroPython and on CPython; imports ``math`` only. Forces are in g along the axes of the die.
"""

import math

COCKED_DEG = 21  # a face that looks farther off than that lies on something
LEAST_COCKED_DEG = 5
MOST_FACES = 30
ALIKE_COS = 0.8  # two faces of a die of twenty look 0.745 alike
Z, X, Y = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
SIX = (Z, X, Y, (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0))


def along(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    """Return how much two directions are one, 1 for the same."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(force: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the direction of a force."""
    size = along(force, force) ** 0.5 or 1.0
    return (force[0] / size, force[1] / size, force[2] / size)


class Faces:
    """The faces of one die: ``normals`` are unit vectors out of faces 1, 2, …

    ``answer`` is what the last wish came to, in a word: ``left 3E`` (a bit for each face still to be laid
    up, in hex; face 1 is the lowest), or why nothing was done. ``is_new``: there is something to be kept.
    """

    def __init__(self, normals: tuple[tuple[float, float, float], ...] = SIX) -> None:
        self.normals = normals
        self.cocked_deg = COCKED_DEG
        self.answer = ""
        self.is_new = False
        self._laid: list[tuple[float, float, float] | None] = []

    def best(self, force: tuple[float, float, float]) -> tuple[int, float]:
        """Return the face that looks up most, and how much, 1 for straight up."""
        up = unit(force)
        found, best = 0, -1.0
        for number, normal in enumerate(self.normals):
            cos = along(up, normal)
            if cos > best:
                found, best = number + 1, cos
        return found, best

    def is_flat(self, cos: float) -> bool:
        """Tell whether a face that looks up so much lies flat."""
        return cos >= math.cos(math.radians(self.cocked_deg))

    def begin(self, value: str) -> bool:
        """Learn all faces anew, as many as are told; until all are laid up the old ones hold."""
        if not value.isdigit() or not 2 <= int(value) <= MOST_FACES:
            return self._refuse("2 to 30 faces")
        self._laid = [None] * int(value)
        return self._tell_left()

    def lay(self, value: str, force: tuple[float, float, float], is_still: bool) -> bool:
        """Take in that a face lies up now. With the last one all of them hold."""
        if not value.isdigit() or not 1 <= int(value) <= len(self._laid):
            return self._refuse("no such face")
        if not is_still:
            return self._refuse("moves")
        up, number = unit(force), int(value) - 1
        for other, normal in enumerate(self._laid):
            if other != number and normal is not None and along(up, normal) > ALIKE_COS:
                return self._refuse(f"as {other + 1}")
        self._laid[number] = up
        normals = tuple([normal for normal in self._laid if normal is not None])
        if len(normals) < len(self._laid):
            return self._tell_left()
        self.normals, self._laid = normals, []
        self.cocked_deg = min(self.cocked_deg, self._most_deg())
        self.is_new = True
        return self._tell_left()

    def lean(self, value: str) -> bool:
        """Set by how many degrees a face may look off before the die is cocked."""
        most_deg = self._most_deg()
        if not value.isdigit() or not LEAST_COCKED_DEG <= int(value) <= most_deg:
            return self._refuse(f"{LEAST_COCKED_DEG} to {most_deg}")
        self.cocked_deg = int(value)
        self.answer = f"cocked {value}"
        self.is_new = True
        return True

    def kept(self) -> str:
        """Return a text from which ``recall`` makes the same faces."""
        self.is_new = False
        rows = [",".join([f"{axis:.4f}" for axis in normal]) for normal in self.normals]
        return ";".join([str(self.cocked_deg)] + rows)

    def recall(self, text: str) -> bool:
        """Take in what was kept; False, and nothing changed, if it makes no sense."""
        try:
            cocked_deg, *rows = text.strip().split(";")
            normals = []
            for row in rows:
                x, y, z = row.split(",")
                normals.append((float(x), float(y), float(z)))
            if len(normals) < 2 or any([abs(along(one, one) - 1) > 0.01 for one in normals]):
                return False
            self.cocked_deg = int(cocked_deg)
        except ValueError:
            return False
        self.normals = tuple(normals)
        return True

    def _most_deg(self) -> int:
        """Return half the angle between the two faces that look most alike."""
        nearest = -1.0
        for number, one in enumerate(self.normals):
            for other in self.normals[:number]:
                nearest = max(nearest, along(one, other))
        return int(math.degrees(math.acos(min(1.0, nearest))) / 2)

    def _tell_left(self) -> bool:
        left = 0
        for number, normal in enumerate(self._laid):
            left |= (normal is None) << number
        self.answer = f"left {left:X}"
        return True

    def _refuse(self, why: str) -> bool:
        self.answer = why
        return False
