"""Cameras: drivers behind ``companion.ports.Camera``, found by the entry points ``companion.cameras``.

May import ``companion.ports``, ``hardware``, OpenCV and numpy. A lost camera object is not read
again: close it and open a new one, after 0.5, 1, 2, 5, then every 10 s.
"""
