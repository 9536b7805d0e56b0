"""A stream of JPEG pictures over HTTP, opened and read. Standard library only.

``http.client`` itself rather than ``urllib``: a camera in the house is never asked for through
a proxy, and a read that waits must be possible to end from outside.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from companion.ports import DeviceLost
from hardware.cameras.multipart import boundary_of

READ_BYTES = 65536
REDIRECTS_MAX = 3


def split_url(url: str) -> SplitResult:
    """Return the parts of a camera's address. Raises ValueError in plain words."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ValueError(f"{url!r} is no address of a camera: {error}.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is no address of a camera; write it as http://NAME:PORT/PATH.")
    return parts


def shown(url: str) -> str:
    """Return an address without user and password, for messages."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


class HttpStream:
    """An open stream. ``boundary`` parts its pictures."""

    def __init__(self, url: str, *, timeout_s: float) -> None:
        """Open a stream; nothing may take longer than ``timeout_s`` at once. Raises DeviceLost."""
        self._url = shown(url)
        self._response: http.client.HTTPResponse | None = None
        for _ in range(REDIRECTS_MAX + 1):
            response = self._ask(url, timeout_s)
            target = response.getheader("Location")
            if response.status not in (301, 302, 303, 307, 308) or not target:
                break
            self.close()
            url = urljoin(url, target)
        self.boundary = self._checked(response)

    def read(self) -> bytes:
        """Return the bytes that came, empty at the end of the stream.

        Raises TimeoutError when none came in time, OSError or HTTPException when it broke off.
        """
        return self._response.read1(READ_BYTES) if self._response is not None else b""

    def wait_at_most(self, timeout_s: float) -> None:
        """Set how long ``read`` waits."""
        self._socket.settimeout(timeout_s)

    def hang_up(self) -> None:
        """End a ``read`` that waits in another thread; that thread then closes."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if self._response is not None:
                self._response.close()
        self._socket.close()

    def _ask(self, url: str, timeout_s: float) -> http.client.HTTPResponse:
        parts = split_url(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(str(parts.hostname), parts.port, timeout=timeout_s)
        headers = {"Accept": "multipart/x-mixed-replace, image/jpeg", "Connection": "close"}
        if parts.username is not None:
            secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            headers["Authorization"] = "Basic " + base64.b64encode(secret.encode()).decode()
        try:
            connection.connect()
            self._socket: socket.socket = connection.sock
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", path, headers=headers)
            self._response = connection.getresponse()
            return self._response
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            why = (
                "does not answer"
                if isinstance(error, TimeoutError)
                else f"cannot be reached ({_reason(error)})"
            )
            raise DeviceLost(
                f"The camera at {self._url} {why}. Check that it is on, and its address in the settings."
            ) from error

    def _checked(self, response: http.client.HTTPResponse) -> bytes:
        kind = response.getheader("Content-Type", "")
        boundary = boundary_of(kind) if kind.lower().startswith("multipart/") else None
        if response.status == 200 and boundary:
            return boundary
        self.close()
        if response.status == 401:
            why = "wants a user and a password; write them into the address: http://USER:PASSWORD@NAME/PATH"
        elif response.status != 200:
            why = f"answers {response.status} {response.reason}; check the path of its address"
        elif kind.startswith("image/"):
            why = "gives a single picture; use the address of its MJPEG stream"
        else:
            why = f"gives {kind.partition(';')[0] or 'something unnamed'}, no MJPEG stream; check its address"
        raise DeviceLost(f"The camera at {self._url} {why}.")


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
