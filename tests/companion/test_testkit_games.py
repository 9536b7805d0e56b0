"""The contract of games, kept by the small invented one."""

from __future__ import annotations

from typing import ClassVar

from companion.testkit import GameContract
from tests.lantern.game import LANTERN, SEATS, Open


class TestLantern(GameContract):
    game = LANTERN
    opening: ClassVar = (Open(SEATS),)
