"""Doors that systemd opened for the service before it started: port 80, which only root may open.

The protocol is that of sd_listen_fds(3): open sockets from number 3 on, counted in the environment.
"""

from __future__ import annotations

import os
import socket

FIRST = 3


def handed_over() -> tuple[socket.socket, ...]:
    """Return the listening sockets that this very process was handed; none without systemd.

    The variables are taken out, so that no process started from here believes them.
    """
    count, is_ours = os.environ.get("LISTEN_FDS", ""), os.environ.get("LISTEN_PID") == str(os.getpid())
    for name in ("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)
    if not (is_ours and count.isdecimal()):
        return ()
    doors = tuple(socket.socket(fileno=FIRST + number) for number in range(int(count)))
    for door in doors:
        door.set_inheritable(False)
    return doors
