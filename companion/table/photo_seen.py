"""A photo from a phone on its way: the senses read it, then the table takes it in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from companion.ports import Reading


def then_seen(asked: Future[Reading], sighted: Callable[[Reading], Future[None]]) -> Future[Reading]:
    """Return what comes of a photo: once it is read the table sees it, and then who sent it is told.

    The future holds what went wrong in reading.
    """
    told: Future[Reading] = Future()

    def read(done: Future[Reading]) -> None:
        if (fault := done.exception()) is not None:
            told.set_exception(fault)
            return
        reading = done.result()
        if not reading.boards:  # a photo of the cat says nothing about the table
            told.set_result(reading)
            return
        sighted(reading).add_done_callback(lambda _: told.set_result(reading))

    asked.add_done_callback(read)
    return told
