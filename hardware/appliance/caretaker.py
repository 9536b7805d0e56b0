"""The caretaker: root for one word, then gone. systemd starts it for each caller, with the caller as input.

It takes one of six words, says ``done`` or ``refused: why``, and nothing that a caller sends gets into a
command. Whoever is neither the service's user nor root is not listened to. Imports no other package.
"""

from __future__ import annotations

import logging
import pwd
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence

from hardware.appliance.access_point import CONNECTION, write_profile

log = logging.getLogger("caretaker")

USER = "companion"
LONGEST = 32
"""No word is so long, in bytes; more is not read."""

LISTENS_S = 2.0
ACTS_S = 45.0
ALONE_S = 45
"""After so long without any network the table opens its own."""

SYSTEMCTL = ("/usr/bin/systemctl", "--no-block", "--no-ask-password")
NMCLI = ("/usr/bin/nmcli", "--wait", "30")
NM_ONLINE = ("/usr/bin/nm-online", "--quiet", f"--timeout={ALONE_S}")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}

Command = tuple[str, ...]
WORDS: Mapping[bytes, tuple[Command, ...]] = {
    b"power-off": ((*SYSTEMCTL, "poweroff"),),
    b"reboot": ((*SYSTEMCTL, "reboot"),),
    b"update": ((*SYSTEMCTL, "start", "companion-update.service"),),
    b"wifi-on": ((*NMCLI, "connection", "reload"), (*NMCLI, "connection", "up", "id", CONNECTION)),
    b"wifi-off": ((*NMCLI, "connection", "down", "id", CONNECTION),),
    b"greet": (),
}
"""Each word and what is run for it, to the letter. ``greet`` only asks whether anybody is there."""


class Refused(Exception):
    """What was asked is not done; the message says why, in plain English."""


def run(command: Sequence[str]) -> None:
    """Run a command to its end. Raises Refused with what it said."""
    try:
        done = subprocess.run(
            command,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ACTS_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise Refused(f"{command[0]} is not installed") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(f"{command[0]} cannot be run: {error}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").split("\n")[0].strip()
        raise Refused(said or f"{command[0]} ended with {done.returncode}")


def caller_uid(caller: socket.socket) -> int:
    """Return the user who opened the connection, as the kernel knows it."""
    told = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", told)[1])


def hear(caller: socket.socket, within_s: float = LISTENS_S) -> bytes:
    """Return the one line that a caller says, without its end. Raises Refused if there is no such line."""
    caller.settimeout(within_s)
    try:
        # Read once: who honestly asks says it in one piece, and nobody holds the door open by drops.
        heard = caller.recv(LONGEST)
    except TimeoutError as error:
        raise Refused("nothing was said in time") from error
    word, end, more = heard.partition(b"\n")
    if not end or more:
        raise Refused("that is no line with one word")
    return word


class Caretaker:
    """Does what a word asks for by ``act``, for callers among ``trusted`` (user numbers) alone."""

    def __init__(
        self,
        trusted: Collection[int],
        act: Callable[[Sequence[str]], None] = run,
        *,
        listens_s: float = LISTENS_S,
    ) -> None:
        self._trusted = frozenset(trusted)
        self._act = act
        self._listens_s = listens_s

    def do(self, word: bytes) -> None:
        """Do what a word asks for. Raises Refused."""
        if word not in WORDS:
            raise Refused("there is no such word")
        if word == b"wifi-on" and write_profile():
            log.info("a Wi-Fi of the table's own was set up")
        for command in WORDS[word]:
            self._act(command)

    def serve(self, caller: socket.socket) -> bool:
        """Listen to one caller, do it, answer, and tell whether it was done."""
        uid = caller_uid(caller)
        try:
            word = hear(caller, self._listens_s)
            if uid not in self._trusted:
                raise Refused("the caretaker does not know you")
            self.do(word)
        except (Refused, OSError) as why:
            log.warning("user %d: refused: %s", uid, why)
            _answer(caller, f"refused: {why}\n")
            return False
        log.info("user %d: %s: done", uid, word.decode())
        _answer(caller, "done\n")
        return True


def _answer(caller: socket.socket, said: str) -> None:
    """Answer, if the caller is still there."""
    try:
        caller.sendall(said.encode())
    except OSError as error:
        log.info("the caller did not wait: %s", error)


def open_where_alone(caretaker: Caretaker) -> None:
    """Open the table's own Wi-Fi if no network comes up in time. Raises Refused."""
    try:
        subprocess.run(NM_ONLINE, env=ENVIRONMENT, timeout=2 * ALONE_S, check=True)
    except subprocess.CalledProcessError:
        caretaker.do(b"wifi-on")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(f"NetworkManager cannot be asked: {error}") from error


def main(words: Sequence[str]) -> int:
    """Serve the caller at the standard input, or with ``--when-alone`` look after the network once."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    caretaker = Caretaker({0, pwd.getpwnam(USER).pw_uid})
    if words == ["--when-alone"]:
        try:
            open_where_alone(caretaker)
        except Refused as why:
            log.error("no Wi-Fi of the table's own: %s", why)
            return 1
        return 0
    if words:
        log.error("systemd starts the caretaker; there is nothing to say on its command line")
        return 2
    try:
        caller = socket.socket(fileno=sys.stdin.fileno())
    except OSError:
        log.error("systemd starts the caretaker, with a caller; here is none")
        return 2
    with caller:
        return 0 if caretaker.serve(caller) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
