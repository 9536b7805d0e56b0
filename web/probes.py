"""What phones ask of the internet to find out whether there is any, answered by the table in its own Wi-Fi.

A phone that gets no answer leaves the Wi-Fi, or sends everything else over mobile data. Only the table's
own Wi-Fi leads these names here (``systemd/NetworkManager/dnsmasq.conf``), and only these. It is no
captive portal: the sheet that would open on a phone knows no web sockets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.guard import host_name

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


@dataclass(frozen=True, slots=True)
class Answer:
    """What a probe wants to hear, to the byte."""

    status: str
    body: bytes = b""
    kind: str = "text/plain"


SUCCESS = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
NOTHING = Answer("204 No Content")
APPLE = Answer("200 OK", SUCCESS, "text/html")
NETWORK_MANAGER = Answer("200 OK", b"NetworkManager is online\n")
FIREFOX_PAGE = b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'

PROBES = {
    ("captive.apple.com", "/hotspot-detect.html"): APPLE,
    ("captive.apple.com", "/"): APPLE,
    ("www.apple.com", "/library/test/success.html"): APPLE,
    ("connectivitycheck.gstatic.com", "/generate_204"): NOTHING,
    ("connectivitycheck.android.com", "/generate_204"): NOTHING,
    ("clients3.google.com", "/generate_204"): NOTHING,
    ("play.googleapis.com", "/generate_204"): NOTHING,
    ("connect.rom.miui.com", "/generate_204"): NOTHING,
    ("connectivitycheck.platform.hicloud.com", "/generate_204"): NOTHING,
    ("www.msftconnecttest.com", "/connecttest.txt"): Answer("200 OK", b"Microsoft Connect Test"),
    ("www.msftncsi.com", "/ncsi.txt"): Answer("200 OK", b"Microsoft NCSI"),
    ("detectportal.firefox.com", "/success.txt"): Answer("200 OK", b"success\n"),
    ("detectportal.firefox.com", "/canonical.html"): Answer("200 OK", FIREFOX_PAGE, "text/html"),
    ("nmcheck.gnome.org", "/check_network_status.txt"): NETWORK_MANAGER,
    ("network-test.debian.org", "/nm"): NETWORK_MANAGER,
    ("networkcheck.kde.org", "/"): Answer("200 OK", b"OK\n"),
}
"""Name and path of each probe: Apple, Android and its makers, Windows, Firefox, Linux desktops."""


class Probes:
    """WSGI around WSGI: answers probes by name and path, and passes everything else on."""

    def __init__(self, inner: WSGIApplication) -> None:
        self._inner = inner

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked = (host_name(environ.get("HTTP_HOST", "")), environ.get("PATH_INFO", ""))
        answer = PROBES.get(asked) if environ["REQUEST_METHOD"] in ("GET", "HEAD") else None
        if answer is None:
            return self._inner(environ, start_response)
        headers = [("Cache-Control", "no-store")]
        if answer.body:
            headers += [("Content-Type", answer.kind), ("Content-Length", str(len(answer.body)))]
        start_response(answer.status, headers)
        return [answer.body] if environ["REQUEST_METHOD"] == "GET" else []
