"""Build a Debian package out of a bundle: ``python release/deb.py --bundle FOLDER --to FOLDER``.

The package carries the wheels and the script beside them; its maintainer scripts run the same install, update
and uninstall that everybody runs, so there is one way in and it is tested once.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(__file__).parent / "debian"
CARRIED = Path("usr/share/companion/wheels")
NAMES = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = """Package: companion
Version: {version}
Architecture: {architecture}
Maintainer: The companion's makers <companion@localhost>
Installed-Size: {size_kb}
Depends: python3 (>= 3.11), python3 (<< 3.14), systemd
Recommends: libgl1, libglib2.0-0 | libglib2.0-0t64, libxcb1, avahi-daemon
Section: games
Priority: optional
Description: companion for physical board games
 A camera over the board reads tokens and cards, the rules decide what they mean,
 every phone shows its score. For Debian 12 and 13 and Raspberry Pi OS made of them.
"""


def main() -> None:
    """Build the package that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bundle", type=Path, required=True, help="A folder that release/bundle.py filled.")
    parser.add_argument("--to", type=Path, required=True, help="Where the package is laid.")
    told = parser.parse_args()
    sys.stdout.write(f"{build(told.bundle, told.to)}\n")


def build(bundle: Path, to: Path) -> Path:
    """Build a package of what lies in a bundle, for the kind of computer that its wheels are for."""
    version = next(bundle.glob("companion-*.whl")).name.split("-")[1]
    architecture = _architecture(bundle)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        tree.chmod(0o755)
        shutil.copytree(bundle, tree / CARRIED)
        docs = tree / "usr/share/doc/companion"
        docs.mkdir(parents=True)
        shutil.copy(ROOT / "LICENSE", docs / "copyright")
        shutil.copytree(SCRIPTS, tree / "DEBIAN")
        size_kb = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
        control = CONTROL.format(version=version, architecture=architecture, size_kb=size_kb)
        (tree / "DEBIAN/control").write_text(control, encoding="utf-8")
        to.mkdir(parents=True, exist_ok=True)
        package = to / f"companion_{version}_{architecture}.deb"
        # Wheels are packed already; packing them again takes a minute and saves nothing.
        words = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(package)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return package


def _architecture(bundle: Path) -> str:
    """Return what Debian calls the kind of computer that a bundle is for."""
    for machine, name in NAMES.items():
        if any(bundle.glob(f"*_{machine}.whl")):
            return name
    raise SystemExit(f"{bundle} has no wheel for {' or '.join(NAMES)}; fill it with release/bundle.py.")


if __name__ == "__main__":
    main()
