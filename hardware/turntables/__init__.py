"""Rotating boards: drivers behind ``companion.ports.BoardSensor``, found by ``companion.board_sensors``.

May import ``companion.ports`` and ``hardware``. A sensor reports turns; what one means, the game decides.
"""
