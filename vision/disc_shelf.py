"""Where taught sets of round pieces are kept: by name under the companion's home, or a file anywhere."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from companion.settings import home
from vision.disc_views import RINGS, WAVES
from vision.discs import DiscSet

FORMAT = 1
TINT = 4


def set_path(named: str) -> Path:
    """Return where a set lies: the file that was named, or by its name under the companion's home."""
    given = Path(named).expanduser()
    return given if given.suffix == ".npz" else home() / "discs" / f"{named}.npz"


def save_set(path: Path, discs: DiscSet) -> None:
    """Write a set. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kinds = np.array(discs.kinds, np.str_)
    np.savez_compressed(path, format=np.array(FORMAT), kinds=kinds, reliefs=discs.reliefs, tints=discs.tints)


def load_set(path: Path) -> DiscSet:
    """Read a set. Raises ValueError in plain words."""
    again = "Teach one with `companion discs teach`."
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as told:
            if int(told["format"]) != FORMAT:
                raise ValueError("it is of another version")
            kinds = tuple(str(kind) for kind in told["kinds"])
            reliefs = np.asarray(told["reliefs"], np.complex64)
            tints = np.asarray(told["tints"], np.float32)
    except OSError as fault:
        raise ValueError(f"There is no disc set {path} ({fault.strerror or fault}). {again}") from fault
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as fault:
        raise ValueError(f"{path} holds no disc set. {again}") from fault
    is_whole = reliefs.shape == (len(kinds), WAVES, 2 * RINGS) and tints.shape == (len(kinds), TINT)
    if not kinds or not is_whole or not np.isfinite(reliefs).all() or not np.isfinite(tints).all():
        raise ValueError(f"{path} holds no disc set. {again}")
    return DiscSet(kinds, reliefs, tints)
