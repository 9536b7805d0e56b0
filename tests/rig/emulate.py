"""Boot a real kernel with a camera, a serial device and a sensor in software, and run ``inside.py`` in it.

``python -m tests.rig.emulate``; needs root, QEMU, mmdebstrap and Debian's packages, see `make rig-test`.
What is built is kept in ``.venv/rig`` and built anew only when what it is made of changes.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".venv/rig"
RULES = ROOT / "systemd/70-companion.rules"
PACKAGES = "python3,udev,kmod,v4l-utils,i2c-tools,libgl1,libglib2.0-0,libxcb1"
WHEELS = ("opencv-python>=4.14,<5", "pyserial", "click")
MODULES = (
    "vivid", "dummy_hcd", "g_serial", "usb_f_acm", "u_serial", "cdc-acm", "i2c-stub", "i2c-dev",
)  # fmt: skip
TIME_S = 240
MEMORY = "3G"
INIT = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mkdir -p /dev/pts /run; mount -t devpts devpts /dev/pts; mount -t tmpfs run /run
export PATH=/usr/sbin:/usr/bin:/sbin:/bin PYTHONPATH=/companion:/wheels HOME=/run LC_ALL=C.UTF-8
/lib/systemd/systemd-udevd --daemon
cd /companion && python3 -m tests.rig.inside
echo "RIG EXIT $?"
echo o > /proc/sysrq-trigger
sleep 10
"""


def run(*words: str | Path, cwd: Path | None = None) -> str:
    """Run a program and return what it printed; its complaints are seen."""
    done = subprocess.run(
        [str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, cwd=cwd
    )
    return str(done.stdout)


def cleared(root: Path) -> Path:
    """Return an empty place for a root, its parents made; what was there is removed.

    A build that was broken off may have left a mount in it, and behind a mount is this computer's own.
    """
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    inside = [words.split()[1] for words in mounts if Path(words.split()[1]).is_relative_to(root)]
    if inside:
        raise SystemExit(f"Something is mounted in {root}: run `umount {' '.join(inside)}`, then try again.")
    run("rm", "-rf", "--one-file-system", root)
    root.parent.mkdir(parents=True, exist_ok=True)
    return root


def main() -> int:
    """Build what is missing, boot, and pass on what was said. Returns the exit status of the tests."""
    began_s = time.monotonic()
    kernel, version = _kernel()
    base = _base(version)
    image = _image(base)
    built_s = time.monotonic() - began_s
    print(f"built or found in {built_s:.0f} s; booting {version}", flush=True)
    status = _boot(kernel, image)
    print(f"booted, tested and off in {time.monotonic() - began_s - built_s:.0f} s")
    return status


def _kernel() -> tuple[Path, str]:
    """Return Debian's own kernel, and its version."""
    folder = KEPT / "kernel"
    if not list(folder.glob("boot/vmlinuz-*")):
        folder.mkdir(parents=True, exist_ok=True)
        depends = run("apt-cache", "depends", "linux-image-amd64").split()[1:]
        name = next(word for word in depends if word.startswith("linux-image-"))
        run("apt-get", "download", "-qq", name, cwd=folder)
        run("dpkg", "-x", next(folder.glob(f"{name}_*.deb")), folder)
    kernel = next(folder.glob("boot/vmlinuz-*"))
    return kernel, kernel.name.removeprefix("vmlinuz-")


def _base(version: str) -> Path:
    """Return a root of Debian's packages, Python's wheels and the kernel's modules, packed."""
    made_of = hashlib.sha256(repr((PACKAGES, WHEELS, MODULES, version)).encode()).hexdigest()[:16]
    packed = KEPT / f"base-{made_of}.cpio"
    if packed.exists():
        return packed
    root = cleared(KEPT / "root")
    run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}", "bookworm", root)
    wheels = root / "wheels"
    run(sys.executable, "-m", "pip", "install", "-q", "--target", wheels, *WHEELS)
    _modules(root, version)
    for spare in ("usr/share/doc", "usr/share/locale", "usr/share/man", "var/cache", "var/lib/apt"):
        shutil.rmtree(root / spare, ignore_errors=True)
    (root / "init").write_text(INIT)
    (root / "init").chmod(0o755)
    _pack(root, packed)
    return packed


def _modules(root: Path, version: str) -> None:
    kernel = KEPT / "kernel"
    run("depmod", "-b", kernel, version)
    wanted = set()
    for module in MODULES:
        shown = run("modprobe", "-d", kernel, "-S", version, "--show-depends", module)
        wanted |= {Path(line.split()[1]) for line in shown.splitlines() if line.startswith("insmod")}
    for file in wanted:
        copy = root / file.relative_to(kernel)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    for name in ("modules.builtin", "modules.order", "modules.builtin.modinfo"):
        shutil.copy(kernel / "lib/modules" / version / name, root / "lib/modules" / version / name)
    run("depmod", "-b", root, version)


def _image(base: Path) -> Path:
    """Return the base with the companion of today laid over it; the kernel unpacks both in turn."""
    over = KEPT / "over"
    shutil.rmtree(over, ignore_errors=True)
    target = over / "companion"
    for package in ("companion", "hardware", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "*.png", "*.jpg", "static", "locale")
        shutil.copytree(ROOT / package, target / package, ignore=ignored)
    rules = over / "etc/udev/rules.d"
    rules.mkdir(parents=True)
    shutil.copy(RULES, rules)
    packed = KEPT / "over.cpio"
    _pack(over, packed)
    image = KEPT / "image.cpio"
    with image.open("wb") as whole:
        for part in (base, packed):
            with part.open("rb") as source:
                shutil.copyfileobj(source, whole)
    return image


def _pack(folder: Path, packed: Path) -> None:
    with packed.open("wb") as out:
        names = subprocess.run(["find", ".", "-print0"], cwd=folder, check=True, stdout=subprocess.PIPE)
        words = ["cpio", "--null", "--create", "--format=newc", "--quiet"]
        subprocess.run(words, cwd=folder, check=True, input=names.stdout, stdout=out)


def _boot(kernel: Path, image: Path) -> int:
    words = [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "Nehalem", "-m", MEMORY, "-smp", "2",
        "-nographic", "-no-reboot", "-kernel", kernel, "-initrd", image,
        "-append", "console=ttyS0 quiet rdinit=/init",
    ]  # fmt: skip
    with subprocess.Popen(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as machine:
        status, until_s = 1, time.monotonic() + TIME_S
        assert machine.stdout is not None
        for line in machine.stdout:
            print(line.rstrip(), flush=True)
            if line.startswith("RIG EXIT"):
                status = int(line.split()[2])
            if time.monotonic() > until_s:
                print(f"not done after {TIME_S} s", file=sys.stderr)
                machine.kill()
        return status


if __name__ == "__main__":
    sys.exit(main())
