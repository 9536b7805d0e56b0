"""Run the core of the suite as a Pi would: on aarch64, with Debian's Python and PyPI's wheels, emulated.

``python -m tests.rig.arm``; needs root, mmdebstrap and qemu-user-static, see `make arm-test`. No kernel of
that kind is booted: QEMU translates the programs, the files come from a root of Debian's packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.rig.emulate import KEPT, ROOT, cleared, run

PACKAGES = "python3,libstdc++6,libgl1,libglib2.0-0,libxcb1"
PLATFORMS = (
    "manylinux_2_28_aarch64",
    "manylinux_2_27_aarch64",
    "manylinux2014_aarch64",
    "manylinux_2_17_aarch64",
)
MERGED = ("bin", "sbin", "lib")
TESTS = (
    "tests/hardware/test_line_protocol.py",
    "tests/hardware/dice/test_serial_die.py",
    "tests/hardware/turntables/test_turning.py",
    "tests/hardware/turntables/test_as5600.py",
    "tests/companion/test_settings.py",
    "tests/companion/table/test_journals.py",
    "tests/companion/table/test_watch.py",
    "tests/companion/table/test_extra_roll.py",
    "tests/companion/table/test_board_angle.py",
    "tests/companion/games/making_monsters/test_mm_actions.py",
    "tests/hardware/cameras/test_locking.py",
    "tests/vision/test_read_geometry.py",
    "tests/vision/test_steady.py",
    "tests/vision/test_placed.py",
)
SEEN = "import cv2, numpy, flask, flask_socketio, gpiozero; print('aarch64: OpenCV', cv2.__version__)"


def main() -> int:
    """Build the root once, then run the tests in it. Returns pytest's exit status."""
    root = KEPT / "arm"
    if not (root / "done").exists():
        _build(root)
    began_s = time.monotonic()
    status = _python(root, "-c", SEEN) or _python(
        root, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=0", "--hypothesis-profile=ci", *TESTS
    )
    print(f"on aarch64 in {time.monotonic() - began_s:.0f} s, exit status {status}")
    return status


def _build(root: Path) -> None:
    cleared(root)
    words = ["--quiet", "--variant=extract", "--architectures=arm64", f"--include={PACKAGES}", "bookworm"]
    run("mmdebstrap", *words, root)
    for name in MERGED:  # what is only unpacked lacks the links into /usr
        folder = root / name
        if folder.is_symlink():
            continue
        if folder.exists():
            shutil.copytree(folder, root / "usr" / name, dirs_exist_ok=True, symlinks=True)
            shutil.rmtree(folder)
        folder.symlink_to(f"usr/{name}")
    shutil.rmtree(root / "dev", ignore_errors=True)  # else /dev/pts would be looked for in here
    platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
    wanted = ["--only-binary=:all:", "--python-version", "3.11", "--target", str(root / "wheels")]
    locks = ["--no-deps", "--require-hashes", "-r", str(ROOT / "requirements.lock")]
    run(sys.executable, "-m", "pip", "install", "-q", *platforms, *wanted, *locks)
    tools = ["pytest", "pytest-timeout", "hypothesis"]
    run(sys.executable, "-m", "pip", "install", "-q", *platforms, *wanted, "--upgrade", *tools)
    (root / "done").touch()


def _python(root: Path, *words: str) -> int:
    path = os.pathsep.join(("/wheels", str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHOME": "/usr", "PYTHONDONTWRITEBYTECODE": "1"}
    command = ["qemu-aarch64-static", "-L", str(root), str(root / "usr/bin/python3.11"), *words]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
