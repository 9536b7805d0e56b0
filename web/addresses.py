"""Where phones find the table: the page's address, and the code to scan."""

from __future__ import annotations

import io
from itertools import groupby

import segno


def url(address: str, port: int) -> str:
    """Return the page's address; the QR code holds this one, because names fail on some phones."""
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}/" if port == 80 else f"http://{host}:{port}/"


def code_path(text: str) -> tuple[int, str]:
    """Return a QR code as its size in modules and the path of an SVG drawing."""
    code = segno.make(text, error="m", micro=False)
    drawn: list[str] = []
    for y, row in enumerate(code.matrix):
        x = 0
        for is_dark, run in groupby(bool(module) for module in row):
            wide = len(list(run))
            if is_dark:
                drawn.append(f"M{x} {y}h{wide}v1h-{wide}z")
            x += wide
    return len(code.matrix), "".join(drawn)


def code_for_terminal(text: str) -> str:
    """Return a QR code in half blocks for a terminal."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
