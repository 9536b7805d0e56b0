"""A fresh Debian in a folder, started by systemd as a computer is, whose power can be cut.

Needs root, mmdebstrap and systemd-container. The root is built once and kept in ``.venv/rig``; each test
unpacks its own. Nothing of this computer is mounted in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.rig.emulate import KEPT, run

RELEASE = "bookworm"
PACKAGES = ("python3", "systemd", "systemd-sysv", "dbus", "udev", "ca-certificates")
BOOT_S = 120.0
FIRST_LINES_OF_STATE = ("running", "degraded")


def packed_root(packages: Sequence[str] = PACKAGES, release: str = RELEASE) -> Path:
    """Return a packed root of Debian's packages, built if there is none of these yet."""
    made_of = hashlib.sha256(repr((release, sorted(packages))).encode()).hexdigest()[:12]
    packed = KEPT / f"debian-{made_of}.tar"
    if not packed.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        fresh = packed.with_suffix(".part.tar")
        run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}", release, fresh)
        fresh.replace(packed)
    return packed


@contextmanager
def unpacked_root(packages: Sequence[str] = PACKAGES, release: str = RELEASE) -> Iterator[Path]:
    """Unpack a root for one test, and take it away afterwards."""
    root = Path(tempfile.mkdtemp(prefix="debian-"))
    try:
        run("tar", "-xf", packed_root(packages, release), "-C", root, "--exclude=./dev/*")
        yield root
    finally:
        assert str(root) not in Path("/proc/mounts").read_text(), f"something is still mounted in {root}"
        shutil.rmtree(root)


class Computer:
    """A root that was started. Without ``has_network`` it knows only itself.

    ``cable`` is a name for a network of one cable to this computer, whose end here is ``ve-`` and the name.
    """

    def __init__(self, root: Path, *, has_network: bool = False, cable: str = "") -> None:
        self.root = root
        private = [] if has_network else ["--private-network"]
        if cable:
            private = ["--network-veth", f"--machine={cable}"]
        words = [
            "systemd-nspawn",
            "-D",
            str(root),
            "-b",
            "--register=no",
            "--keep-unit",
            "--console=pipe",
            *private,
        ]
        self._console = tempfile.TemporaryFile()  # noqa: SIM115
        self._outside = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self._console, stderr=subprocess.STDOUT
        )
        self.first_process = self._wait_for_boot()

    def run(self, *words: str | Path, check: bool = True) -> str:
        """Run a program inside and return all that it printed. Raises CalledProcessError with it."""
        done = subprocess.run(
            self._inside(words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if check and done.returncode:
            raise subprocess.CalledProcessError(done.returncode, words, done.stdout)
        return done.stdout

    def status(self, *words: str | Path) -> int:
        """Run a program inside and return its exit status."""
        quiet = subprocess.DEVNULL
        return subprocess.run(self._inside(words), stdout=quiet, stderr=quiet, check=False).returncode

    def begin(self, *words: str | Path) -> subprocess.Popen[bytes]:
        """Start a program inside and do not wait for it."""
        quiet = subprocess.DEVNULL
        return subprocess.Popen(self._inside(words), stdin=quiet, stdout=quiet, stderr=quiet)

    def cut_power(self) -> None:
        """End everything inside at once; what was not yet written is lost with it."""
        with suppress(ProcessLookupError):
            os.kill(self.first_process, signal.SIGKILL)
        self._outside.wait(30)
        self._console.close()

    def has_ended(self, within_s: float) -> bool:
        """Wait for it to be switched off from inside, and tell whether it was."""
        try:
            self._outside.wait(within_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def switch_off(self) -> None:
        """Shut it down in order."""
        if self._outside.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.first_process, signal.SIGRTMIN + 4)  # systemd(1): poweroff.target
            try:
                self._outside.wait(60)
            except subprocess.TimeoutExpired:
                self.cut_power()
                return
        self._console.close()

    def _inside(self, words: Sequence[str | Path]) -> list[str]:
        environment = [
            "env",
            "-i",
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME=/root",
        ]
        return ["nsenter", "-t", str(self.first_process), "-a", *environment, *(str(word) for word in words)]

    def _wait_for_boot(self) -> int:
        until_s = time.monotonic() + BOOT_S
        while time.monotonic() < until_s and self._outside.poll() is None:
            children = (
                Path(f"/proc/{self._outside.pid}/task/{self._outside.pid}/children").read_text().split()
            )
            for child in children:
                self.first_process = int(child)
                with suppress(subprocess.CalledProcessError):
                    if (
                        self.run("systemctl", "is-system-running", check=False).strip()
                        in FIRST_LINES_OF_STATE
                    ):
                        return self.first_process
            time.sleep(0.2)
        self._console.seek(0)
        said = self._console.read()[-2000:].decode(errors="replace")
        self._outside.kill()
        raise RuntimeError(f"It did not start in {BOOT_S:.0f} s: {said}")


@contextmanager
def started(root: Path, *, has_network: bool = False, cable: str = "") -> Iterator[Computer]:
    """Start a root, and shut it down afterwards."""
    computer = Computer(root, has_network=has_network, cable=cable)
    try:
        yield computer
    finally:
        computer.switch_off()
