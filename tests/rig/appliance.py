"""Install the product on a fresh Debian, boot it, and do to it what happens to appliances.

``python -m tests.rig.appliance``, see `make appliance-test`. Prints one line for each thing that was tried,
with the seconds that it took. Needs root; see ``tests.rig.debian``.
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import sys
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.rig.debian import PACKAGES, Computer, started, unpacked_root
from tests.rig.emulate import KEPT, ROOT, run

MORE = (
    "python3-venv", "libgl1", "libglib2.0-0", "libxcb1", "procps", "iproute2",
    "network-manager", "dnsmasq-base", "avahi-daemon",
)  # fmt: skip
OUTSIDE, INSIDE = "10.77.0.1", "10.77.0.2"
CABLE = "[keyfile]\nunmanaged-devices=interface-name:host0\n"
SETTINGS = """
[[cameras]]
name = "stills"
driver = "folder"
path = "/stills"
loop = true

[[dice]]
name = "keyed"
driver = "keyed"
path = "/var/lib/companion/rolls.txt"
"""

HANGING = '''
"""A part of a stranger that brings the table to a stand: who asks for /hang hangs its one writer."""
import threading
from flask import Blueprint
from companion.ports import DeviceStanding, DeviceState

def page(context):
    pages = Blueprint("hanging", __name__)

    @pages.get("/hang")
    def hang():
        table = context.host.table
        table.on_change(threading.Event().wait)
        table.stood(DeviceStanding("hanging", "die", DeviceState.LIVE))
        return "it hangs"

    return pages
'''
PATIENCE_S = 90.0
AS_SERVICE = "setpriv --reuid=companion --regid=companion --init-groups"
KNOCK = """
import socket, sys
door = socket.socket(socket.AF_UNIX)
door.connect("/run/companion-caretaker.sock")
door.sendall(sys.argv[1].encode() + b"\\n")
print(door.recv(999).decode())
"""


@dataclass
class Tried:
    """What was tried and how it went."""

    failed: list[str] = field(default_factory=list)

    @contextmanager
    def trying(self, what: str) -> Iterator[None]:
        """Try one thing; say how long it took, and why it failed if it did."""
        began_s = time.monotonic()
        try:
            yield
        except Exception as error:
            self.failed.append(what)
            print(f"FAILED {what}: {type(error).__name__}: {error}", flush=True)
        else:
            print(f"ok {time.monotonic() - began_s:6.1f} s  {what}", flush=True)


class Evening:
    """The appliance as phones see it, over the cable."""

    def __init__(self, computer: Computer) -> None:
        self.computer = computer
        self._seat = ""

    def ask(self, path: str, method: str = "GET", host: str = INSIDE, **form: str) -> tuple[int, str, str]:
        """Ask for a page: its status, where it leads, and itself."""
        asking = http.client.HTTPConnection(INSIDE, 80, timeout=30)
        try:
            headers = {"Host": host, "Content-Type": "application/x-www-form-urlencoded"}
            asking.request(method, path, urllib.parse.urlencode(form), headers)
            answer = asking.getresponse()
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()
        finally:
            asking.close()

    def sit(self) -> None:
        """Sit down; the seat is asked for again after everything that happens."""
        status, self._seat, _ = self.ask("/join", "POST", name="Mia", seat="red")
        assert status == 303, status

    def is_whole(self) -> bool:
        """Tell whether the table is open, the senses are there, and whoever sat down still sits."""
        try:
            pages = (self.ask("/alive")[0], self.ask(self._seat)[0])
        except (OSError, http.client.HTTPException):
            return False
        return pages == (204, 200) and "senses" in self.processes()

    def processes(self) -> dict[str, int]:
        """Return the service's processes by what they do."""
        told = self.computer.run("ps", "-u", "companion", "-o", "pid=,ppid=,args=", check=False)
        rows = [line.split(None, 2) for line in told.splitlines()]
        main = self.show("MainPID")
        roles: dict[str, int] = {}
        for pid, parent, args in rows:
            if pid == main:
                roles["master"] = int(pid)
            elif parent == main:
                roles["worker"] = int(pid)
            elif "resource_tracker" in args:
                roles["tracker"] = int(pid)
            else:
                roles["senses"] = int(pid)
        return roles

    def show(self, what: str) -> str:
        """Return a property of the service as systemd has it."""
        return self.computer.run("systemctl", "show", "companion", "--property", what, "--value").strip()

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Look again and again until something holds."""
        until_s = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < until_s, f"{what}: not within {PATIENCE_S:.0f} s"
            time.sleep(0.1)


class Caller(threading.Thread):
    """A phone that knocks all the time, and counts what it gets."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.heard: Counter[str] = Counter()
        self.slowest_s = 0.0
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(0.05):
            began_s = time.monotonic()
            try:
                with socket.create_connection((INSIDE, 80), 60) as phone:
                    phone.sendall(f"GET /alive HTTP/1.0\r\nHost: {INSIDE}\r\n\r\n".encode())
                    self.heard["answered" if phone.recv(99) else "cut off"] += 1
            except OSError as error:
                self.heard[type(error).__name__] += 1
            self.slowest_s = max(self.slowest_s, time.monotonic() - began_s)

    def stop(self) -> None:
        self._done.set()
        self.join()


def main() -> int:
    """Try everything. Returns 0 if all of it went well."""
    if os.geteuid() != 0:
        print("SKIPPED: only root can start a container", file=sys.stderr)
        return 1
    tried = Tried()
    wheels = _wheels()
    with unpacked_root((*PACKAGES, *MORE)) as root:
        _lay(root, wheels)
        began_s = time.monotonic()
        with started(root, cable="table") as computer:
            print(f"booted in {time.monotonic() - began_s:.1f} s", flush=True)
            _plug_in(computer)
            _try_all(tried, computer)
        print(f"{len(tried.failed)} failed, in {time.monotonic() - began_s:.0f} s")
    return 1 if tried.failed else 0


def _wheels() -> Path:
    """Return a folder with this very product as a wheel, and wheels of all that it needs."""
    folder = KEPT / "wheels-here"
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check"]
    run(*pip, "download", "--no-deps", "--require-hashes", "-r", ROOT / "requirements.lock", "-d", folder)
    for old in folder.glob("companion-*.whl"):
        old.unlink()
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT)
    return folder


def _lay(root: Path, wheels: Path) -> None:
    """Lay into a root what is wanted in it: wheels, pictures, settings, and a log that outlives it."""
    shutil.copytree(wheels, root / "wheels")
    shutil.copytree(ROOT / "docs/pictures", root / "stills")
    (root / "etc/NetworkManager/conf.d/cable.conf").write_text(CABLE)
    (root / "etc/companion").mkdir()
    (root / "etc/companion/companion.toml").write_text(SETTINGS)


def _plug_in(computer: Computer) -> None:
    """Give both ends of the cable an address."""
    run("ip", "address", "replace", f"{OUTSIDE}/24", "dev", "ve-table")
    run("ip", "link", "set", "ve-table", "up")
    computer.run("ip", "address", "replace", f"{INSIDE}/24", "dev", "host0")
    computer.run("ip", "link", "set", "host0", "up")


def _try_all(tried: Tried, computer: Computer) -> None:
    evening = Evening(computer)
    _install(tried, computer)
    if tried.failed:
        return
    _look(tried, evening)
    _caretaker(tried, evening)
    _kill_all(tried, evening)
    _mend(tried, evening)
    _hang(tried, evening)
    _switch_off(tried, computer)


def _install(tried: Tried, computer: Computer) -> None:
    with tried.trying("a first companion out of wheels, without internet"):
        computer.run("python3", "-m", "venv", "/root/first")
        first = ("/root/first/bin/pip", "install", "-q", "--no-index", "-f", "/wheels", "companion")
        computer.run(*first)
    with tried.trying("installed by one command, and ready by its own word"):
        computer.run("/root/first/bin/companion", "install", "--offline", "/wheels")
        assert computer.run("systemctl", "is-active", "companion").strip() == "active"


def _look(tried: Tried, evening: Evening) -> None:
    with tried.trying("the page from outside, by the door that systemd opened"):
        status, _, page = evening.ask("/")
        assert status == 200 and "Who are" in page
        evening.sit()
        evening.until(evening.is_whole, "whole")
    print(f"    {evening.processes()}")
    print(f"    says: {evening.show('StatusText')}")
    with tried.trying("a phone's probe, by its name"):
        status, _, said = evening.ask("/hotspot-detect.html", host="captive.apple.com")
        assert (status, len(said)) == (200, 69)
    run = evening.computer.run
    with tried.trying("it can write nothing but its own folders"):
        worker = evening.processes()["worker"]
        for folder, may in (
            ("/var/lib/companion", True),
            ("/etc/companion", True),
            ("/opt/companion", False),
            ("/etc", False),
        ):
            told = run(
                "sh", "-c", f"nsenter -t {worker} -m -- {AS_SERVICE} test -w {folder} && echo yes || true"
            )
            assert ("yes" in told) == may, f"{folder}: {told}"
    with tried.trying("it has no capability, and what it may call is filtered"):
        status_text = run("cat", f"/proc/{evening.processes()['senses']}/status")
        assert re.search(r"CapEff:\s+0+$", status_text, re.M) and re.search(r"Seccomp:\s+2", status_text)
    with tried.trying("Avahi and dnsmasq take their files"):
        assert "companion.service) successfully established" in run("journalctl", "-u", "avahi-daemon", "-b")
        told = run("dnsmasq", "--test", "--conf-file=/etc/NetworkManager/dnsmasq-shared.d/companion.conf")
        assert "syntax check OK" in told, told


def _caretaker(tried: Tried, evening: Evening) -> None:
    def say(word: str, user: str = "companion") -> str:
        as_user = ("runuser", "-u", user, "--")
        return evening.computer.run(*as_user, "python3", "-c", KNOCK, word, check=False)

    with tried.trying("the caretaker greets the service's user"):
        assert say("greet").strip() == "done"
    with tried.trying("the caretaker's door is shut to others"):
        assert "PermissionError" in say("greet", "nobody")
    with tried.trying("the caretaker understands nothing else"):
        assert say("power-off; reboot").startswith("refused: ")
    with tried.trying(
        "without a radio a Wi-Fi is refused in words, its profile is what NetworkManager reads"
    ):
        assert say("wifi-on").startswith("refused: "), "there is no radio here"
        asked = ("-g", "802-11-wireless.ssid,ipv4.addresses", "connection", "show", "companion-table")
        shown = evening.computer.run("nmcli", *asked)
        assert re.fullmatch(r"TABLE-[0-9A-F]{4}\n10\.42\.0\.1/24\n", shown), shown


def _kill_all(tried: Tried, evening: Evening) -> None:
    caller = Caller()
    caller.start()
    for role in ("senses", "worker", "master"):
        with tried.trying(f"kill -9 of the {role}: everything is back, who sat still sits"):
            pid = evening.processes()[role]
            evening.computer.run("kill", "-9", str(pid))
            evening.until(lambda pid=pid: pid not in evening.processes().values(), "gone")  # type: ignore[misc]
            evening.until(evening.is_whole, "whole again")
    with tried.trying("an orderly stop and start"):
        evening.computer.run("systemctl", "restart", "companion")
        evening.until(evening.is_whole, "whole again")
    caller.stop()
    print(f"    a phone that always knocked: {dict(caller.heard)}, longest wait {caller.slowest_s:.1f} s")


def _mend(tried: Tried, evening: Evening) -> None:
    """A journal that nobody may read: a page says why, and that is no reason to start anew."""
    run = evening.computer.run
    journal = "/var/lib/companion/journal.sqlite"
    with tried.trying("no table can be opened: a page says so for a minute, and nothing is started anew"):
        run("sh", "-c", f"systemctl stop companion.socket companion; chown root {journal}; chmod 0 {journal}")
        run("systemctl", "start", "companion")
        evening.until(lambda: evening.ask("/alive")[0] == 503, "a page that says why")
        time.sleep(60)
        assert "cannot be opened" in evening.ask("/")[2]
        assert evening.show("NRestarts") == "0", evening.show("NRestarts")
    with tried.trying("mended, it opens by itself"):
        run("sh", "-c", f"chown companion {journal}; chmod 640 {journal}")
        evening.until(evening.is_whole, "whole again")


def _hang(tried: Tried, evening: Evening) -> None:
    run = evening.computer.run
    site = run("sh", "-c", "echo /opt/companion/current/lib/python3*/site-packages").strip()
    site = run("realpath", site).strip()
    packages = evening.computer.root / site.lstrip("/")
    (packages / "hanging.py").write_text(HANGING)
    told = packages / "hanging-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: hanging\nVersion: 1\n")
    (told / "entry_points.txt").write_text("[companion.pages]\nhanging = hanging:page\n")
    run("systemctl", "restart", "companion")
    evening.until(evening.is_whole, "whole")
    time.sleep(5)  # it is well only after a while; a hang before that would be a broken start
    before = evening.processes()["worker"]
    with tried.trying("a table that hangs: noticed, ended and back by the watchdog"):
        evening.ask("/hang")
        evening.until(lambda: evening.processes().get("worker") not in (before, None), "a new worker")
        evening.until(evening.is_whole, "whole again")
    with tried.trying("the log says where it hung"):
        log = run("journalctl", "-u", "companion", "-b", "--no-pager")
        assert "Watchdog timeout" in log
        where = re.search(r"the table does not answer, and stands .*", log)
        assert where, log[-3000:]
        print(f"    {where[0]}")
        steps = run(
            "journalctl", "-b", "--no-pager", "-o", "short-precise", "_PID=1", "UNIT=companion.service"
        )
        print("    " + "\n    ".join(steps.splitlines()[-8:]))


def _switch_off(tried: Tried, computer: Computer) -> None:
    with tried.trying("the caretaker switches it off, in order"):
        computer.run("runuser", "-u", "companion", "--", "python3", "-c", KNOCK, "power-off")
        assert computer.has_ended(60)


if __name__ == "__main__":
    sys.exit(main())
